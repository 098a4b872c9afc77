/** Contacts among spheres and capsules of several bodies, as in MuJoCo, step by step. */
import type { MainModule } from '@mujoco/mujoco'
import { beforeAll, describe, expect, it } from 'vitest'
import { mujoco } from '../io/mujoco.js'
import { agree, apart, inMujoco } from './twins.js'

let module: MainModule
beforeAll(async () => {
  module = await mujoco()
})

const RUN = { seconds: 0.5 }
const SHAPES = [
  ['ball and ball', 'type="sphere" size="0.1" mass="1"', 'type="sphere" size="0.06" mass="0.3"'],
  ['capsule and ball', 'type="capsule" size="0.05 0.2" mass="1"', 'type="sphere" size="0.06" mass="0.3"'],
  ['capsule and capsule', 'type="capsule" size="0.05 0.2" mass="1"', 'type="capsule" size="0.05 0.3" mass="2" euler="0.9 0.4 0"'],
] as const
const CONES = ['cone="elliptic"', 'cone="pyramidal"', 'cone="elliptic" impratio="10"']
const CASES = SHAPES.flatMap(([name, a, b]) => CONES.map((option) => [name, option, a, b] as const))

describe.each(CASES)('%s, with %s', (_, option, a, b) => {
  const scene = (touches: boolean, attributes: string): string => `<mujoco><compiler angle="radian"/><option gravity="0 0 -2" ${option}/>
    <default><geom ${touches ? attributes : 'conaffinity="0"'}/></default>
    <worldbody><geom type="plane" size="0 0 1" conaffinity="1"/>
    <body><freejoint/><geom ${a}/></body><body><freejoint/><geom ${b}/></body></worldbody>
    <keyframe><key qpos="0 0 0.3 1 0.1 0 0 0.22 0.02 0.32 1 0 0 0.1" qvel="0.5 0 0 0 1 3 -1.5 0.1 0 0 0 2"/></keyframe></mujoco>`

  it.each([1, 3, 4, 6])('strike and rub as hard with condim %i', (condim) => {
    const text = scene(true, `condim="${condim}" friction="0.7 0.02 0.01"`)
    expect(apart(agree(module, text, RUN), inMujoco(module, scene(false, ''), RUN))).toBeGreaterThan(0.1)
  })

  it.each(['solref="0.05 1"', 'solref="-3000 -20"', 'solimp="0.5 0.9 0.02 0.3 2.5"', 'margin="0.02"'])(
    'give way as far: %s',
    (attributes) => {
      agree(module, scene(true, attributes), RUN)
    },
  )
})

describe('links of one tree', () => {
  const arms = (option: string): string => `<mujoco><compiler angle="radian"/><option ${option}/><worldbody>
    <body pos="0 0 1"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="1"/>
      <body pos="0.4 0 0"><joint axis="0 0 1"/><geom type="capsule" fromto="0 0 0 0.3 0.02 0.01" size="0.03" mass="0.7"/>
        <body pos="0.3 0.02 0.01"><joint axis="0 0 1"/><geom type="capsule" fromto="0 0 0 0.35 0 0.03" size="0.03" mass="0.5"/>
          <body pos="0.35 0 0.03"><joint axis="0 0 1"/><geom type="sphere" pos="0.2 0 0" size="0.05" mass="0.5"/></body></body></body></body></worldbody>
    <keyframe><key qpos="0 0 0 0" qvel="0 6 7 5"/></keyframe></mujoco>`

  it.each(['cone="elliptic"', 'cone="pyramidal"'])('fold onto each other in the same way, with %s', (option) => {
    const free = arms(option).replaceAll('<geom', '<geom conaffinity="0"')
    expect(apart(agree(module, arms(option), RUN), inMujoco(module, free, RUN))).toBeGreaterThan(0.1)
  })
})
