/** Softness of contacts, and which geom decides it, as in MuJoCo: a box is dropped on a plane and slides, step by step. */
import type { MainModule } from '@mujoco/mujoco'
import { beforeAll, describe, expect, it } from 'vitest'
import { mujoco } from '../io/mujoco.js'
import { agree, apart, bodyOnPlane, inMujoco } from './twins.js'

let module: MainModule
beforeAll(async () => {
  module = await mujoco()
})

const BOX = 'type="box" size="0.1 0.1 0.1" mass="1"'
const RUN = { seconds: 0.5 }
/** m: an attribute that changes the course by less shows nothing */
const VISIBLE = 1e-5

describe.each(['cone="elliptic"', 'cone="pyramidal"'])('with %s', (option) => {
  const scene = { option, q: '0 0 0.13 1 0 0 0', v: '0.5 0.2 0 0 0 1' }
  const usual = (): readonly Float64Array[] => inMujoco(module, bodyOnPlane({ ...scene, geom: BOX }), RUN)

  /** The course agrees with MuJoCo's and is another one than without these attributes. */
  const differs = (text: string): void => {
    expect(apart(agree(module, text, RUN), usual())).toBeGreaterThan(VISIBLE)
  }

  it.each([
    'solref="0.06 1"',
    'solref="0.03 0.5"',
    'solref="0.001 1"',
    'solref="-1000 -60"',
    'solref="-3000 -20"',
    'solimp="0.6 0.8 0.01"',
    'solimp="0.6 0.9 0.02 0.3 1"',
    'solimp="0.5 0.9 0.02 0.3 2"',
    'solimp="0.5 0.9 0.02 0.7 3"',
    'solimp="0.5 0.9 0.02 0.3 2.5"',
    'solimp="0.5 0.9 0.02 0.3 1.5"',
    'solimp="0.5 0.9 0.02 0.4 6.25"',
    'solimp="0 0.9 0.02"',
    'solimp="0.95 0.95 0"',
    'margin="0.01"',
    'margin="0.02" gap="0.01"',
    'friction="1.5"',
    'priority="1" friction="0.2"',
    'priority="1" condim="6" friction="0.4 0.01 0.001"',
    'solmix="3" solimp="0.6 0.8 0.01"',
    'solmix="0.1" solref="0.1 1"',
    'solref="-1000 -60" solmix="5"',
  ])('of the box: %s', (attributes) => {
    differs(bodyOnPlane({ ...scene, geom: `${BOX} ${attributes}` }))
  })

  it.each([
    'solmix="2" solref="0.05 1"',
    'solmix="0" solref="0.2 1" margin="0.005"',
    'priority="2" friction="0.3" condim="4"',
    'priority="1" solimp="0.3 0.5 0.01"',
    'condim="1" priority="1"',
  ])('of the plane: %s', (plane) => {
    differs(bodyOnPlane({ ...scene, geom: BOX, plane }))
  })

  it.each([
    'condim="4" friction="0.5 0.5 0.01 0.001 0.001"',
    'condim="6" friction="0.5 0.5 0.02 0.01 0.01"',
    'condim="1"',
    'solref="0.1 1" margin="0.01" gap="0.005"',
    'solimp="0.5 0.6 0.01"',
  ])('of the pair of both: %s', (pair) => {
    const more = `<contact><pair geom1="geom" geom2="floor" ${pair}/></contact>`
    differs(bodyOnPlane({ ...scene, geom: `${BOX} contype="0" conaffinity="0" friction="0.1"`, more }))
  })

  it.each([10, 0.5])('of the document: impratio="%s"', (impratio) => {
    differs(bodyOnPlane({ ...scene, option: `${option} impratio="${impratio}"`, geom: BOX }))
  })

  it.each([4, 6])('impratio="10" with condim="%i"', (condim) => {
    const geom = `${BOX} condim="${condim}" friction="0.4 0.02 0.01"`
    differs(bodyOnPlane({ ...scene, option: `${option} impratio="10"`, geom }))
  })

  it('of a heavier box', () => {
    differs(bodyOnPlane({ ...scene, geom: BOX.replace('mass="1"', 'mass="100" solimp="0.5 0.6 0.01"') }))
  })
})

describe('a tree of bodies', () => {
  // softness is scaled by the inertia that a force at the foot feels; nothing but the plane is touched
  const legs = (option: string): string => `<mujoco><compiler angle="radian"/><option ${option}/><default><geom conaffinity="0"/></default>
    <worldbody><geom type="plane" size="0 0 1" conaffinity="1"/>
    <body pos="0 0 0.53"><freejoint/><geom type="box" size="0.2 0.1 0.05" mass="3"/>
      <body pos="0.2 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.1 0 -0.25" size="0.03" mass="0.4"/>
        <body pos="0.1 0 -0.25"><joint axis="0 1 0" armature="0.01"/><geom type="capsule" fromto="0 0 0 -0.1 0 -0.25" size="0.02" mass="0.2"/></body></body>
      <body pos="-0.2 0.02 0"><joint axis="0 1 0"/><geom type="cylinder" fromto="0 0 0 -0.1 0 -0.48" size="0.03" mass="0.5"/></body></body>
    </worldbody></mujoco>`

  it.each(['cone="elliptic"', 'cone="pyramidal"'])('collapses on its legs in the same way, with %s', (option) => {
    const end = agree(module, legs(option), { seconds: 1 }).at(-1)
    expect(end?.[2]).toBeLessThan(0.3)
  })
})
