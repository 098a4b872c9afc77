/** Actuators beside MuJoCo: accelerations under controls, on hinges, slides, balls, tendons and sites. */
import { buildModel, createData, createState, forwardDynamics, parseMjcf } from 'limber'
import { describe, expect, it } from 'vitest'
import { relative } from '../oracles/compare.js'
import { mujoco } from '../oracles/mujoco.js'
import { createRandom } from '../random.js'
import { randomState } from './random-tree.js'

/** two engines that round differently, on mechanisms of a few bodies */
const AGREEMENT = 1e-9

const mechanism = `
  <worldbody>
    <body name="a" pos="0 0 1">
      <joint name="hinge" axis="0 1 0.2" range="-3 3" limited="false"/>
      <geom size=".1" pos="0.2 0 -0.3"/>
      <site name="on" pos="0.1 0 0" euler="20 30 40"/>
      <body name="b" pos="0 0.1 -0.5">
        <joint name="slide" type="slide" axis="1 0 1"/>
        <geom type="box" size=".1 .2 .3" pos="0 0 -0.1"/>
        <body name="c" pos="0.3 0 0">
          <joint name="ball" type="ball" pos="0.05 0 0.1"/>
          <geom type="box" size=".3 .1 .1" pos="0.1 0 0"/>
          <site name="tip" pos="0.3 0.1 0"/>
        </body>
      </body>
    </body>
    <site name="ground" pos="1 0 0"/>
  </worldbody>
  <tendon>
    <fixed name="sum"><joint joint="hinge" coef="2"/><joint joint="slide" coef="-1.5"/></fixed>
    <spatial name="rope"><site site="ground"/><site site="on"/><site site="tip"/></spatial>
  </tendon>`

const cases: Record<string, string> = {
  'motors on hinge and slide': '<motor joint="hinge" gear="3"/><motor joint="slide" gear="-2" ctrllimited="true" ctrlrange="-0.5 0.5"/>',
  'a position servo on a hinge': '<position joint="hinge" kp="20" kv="2" gear="1.5"/>',
  'a velocity servo on a slide': '<velocity joint="slide" kv="7" gear="2"/>',
  'a general actuator with affine gain and bias':
    '<general joint="hinge" gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm="0.5 -4 -0.3"/>',
  'force limits': '<position joint="hinge" kp="200" forcelimited="true" forcerange="-1 2"/>',
  'a motor on a fixed tendon': '<motor tendon="sum" gear="2"/>',
  'a servo on a fixed tendon': '<position tendon="sum" kp="9" kv="1"/>',
  'a motor on a rope': '<motor tendon="rope" gear="3"/>',
  'a servo on a rope': '<position tendon="rope" kp="30" kv="2" gear="0.5"/>',
  'a motor on a ball': '<motor joint="ball" gear="1 -2 3"/>',
  'a servo on a ball': '<position joint="ball" kp="5" kv="0.3" gear="1 0.5 -2"/>',
  'a wrench at a site': '<motor site="tip" gear="1 2 3 0.4 0.5 0.6"/>',
  'a velocity servo at a site': '<velocity site="tip" kv="2" gear="1 0 0 0 0.5 0"/>',
}

async function accelerations(actuators: string, bodies = mechanism): Promise<{ ours: number[]; theirs: number[] }> {
  const text = `<mujoco><compiler angle="radian"/><option><flag constraint="disable"/></option>${bodies}<actuator>${actuators}</actuator></mujoco>`
  const mj = await mujoco()
  const model = buildModel(parseMjcf(text))
  const state = { ...createState(model), ...randomState(model, createRandom(3)) }
  state.control = Float64Array.from({ length: model.nu }, (_, k) => 0.7 - 0.3 * k)
  const data = createData(model)
  forwardDynamics(model, data, state)
  const compiled = mj.MjModel.from_xml_string(text)
  if (!compiled) throw new Error('MuJoCo gave no model')
  const other = new mj.MjData(compiled)
  ;(other.qpos as Float64Array).set(state.q)
  ;(other.qvel as Float64Array).set(state.v)
  ;(other.ctrl as Float64Array).set(state.control)
  mj.mj_forward(compiled, other)
  const theirs = Array.from(other.qacc as Float64Array)
  other.delete()
  compiled.delete()
  return { ours: Array.from(data.a), theirs }
}

describe('actuators agree with MuJoCo', () => {
  it.each(Object.keys(cases))('%s', async (name) => {
    const { ours, theirs } = await accelerations(cases[name])
    const idle = await accelerations('')
    expect(idle.theirs).not.toEqual(theirs)
    expect(relative(ours, theirs, 1)).toBeLessThan(AGREEMENT)
  })

  it('actuators of one class share what it says, whatever their tags', async () => {
    const classes = `<default>
      <motor gear="3" ctrlrange="-2 2"/>
      <default class="servo"><position kp="20" kv="2"/></default>
      <default class="speed"><velocity kv="5"/></default>
      <default class="affine"><general gaintype="affine" gainprm="9 1" biastype="affine" biasprm="1 2 3"/></default>
    </default>`
    for (const kind of ['motor', 'general', 'position', 'velocity']) {
      for (const name of ['main', 'servo', 'speed', 'affine']) {
        const { ours, theirs } = await accelerations(`<${kind} joint="hinge" class="${name}"/>`, classes + mechanism)
        expect(relative(ours, theirs), `${kind} of class ${name}`).toBeLessThan(AGREEMENT)
      }
    }
  })

  it('the total on a joint stays inside its force range, wherever it comes from', async () => {
    const limited = mechanism.replace('<joint name="hinge"', '<joint name="hinge" actuatorfrclimited="true" actuatorfrcrange="-1 1.5"')
    for (const actuators of [
      '<motor joint="hinge" gear="30"/>',
      '<motor tendon="sum" gear="-30"/>',
      '<motor tendon="rope" gear="30"/>',
      '<motor site="tip" gear="30 0 0 0 0 0"/>',
    ]) {
      const { ours, theirs } = await accelerations(actuators, limited)
      expect(relative(ours, theirs, 1), actuators).toBeLessThan(AGREEMENT)
    }
  })
})
