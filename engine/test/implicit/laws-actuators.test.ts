/** Actuators on joints and fixed tendons, their clamps and activations, and springs and dampers of fixed tendons, as in MuJoCo. */
import type { MainModule } from '@mujoco/mujoco'
import { beforeAll, describe, expect, it } from 'vitest'
import { mujoco } from '../io/mujoco.js'
import { agree, agreeInTheLimit, apart, type Course, inMujoco, SAME } from './twins.js'

let module: MainModule
beforeAll(async () => {
  module = await mujoco()
})

const TENDON = '<fixed name="t"><joint joint="a" coef="0.5"/><joint joint="b" coef="-0.8"/></fixed>'

const arm = (actuators: string, { joint = '', tendon = '', integrator = 'implicitfast' } = {}): string =>
  `<mujoco><compiler angle="radian"/><option integrator="${integrator}"/><worldbody><body pos="0 0 1"><joint name="a" axis="0 1 0" ${joint}/>
    <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.03" mass="1"/><body pos="0.5 0 0"><joint name="b" axis="0 1 0" damping="0.1"/>
    <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="0.7"/></body></body></worldbody>
    <tendon>${tendon}</tendon><actuator>${actuators}</actuator></mujoco>`
const ball = (actuator: string): string =>
  `<mujoco><option integrator="implicitfast"/><worldbody><body pos="0 0 1"><joint name="a" type="ball" damping="0.1"/>
    <geom type="box" pos="0.2 0 0" size="0.2 0.05 0.03" mass="1"/></body></worldbody><actuator>${actuator}</actuator></mujoco>`

/** rad: an actuator that moves the arm by less shows nothing */
const VISIBLE = 0.05
const RUN = { seconds: 1 }

function moves(course: Course, timestep?: number): void {
  const alone = inMujoco(module, arm(''), timestep === undefined ? RUN : { ...RUN, timestep })
  expect(apart(course, alone)).toBeGreaterThan(VISIBLE)
}

describe('step by step', () => {
  it.each([
    ['motor', '<motor joint="a" gear="3"/>', [1], ''],
    ['range of a control', '<motor joint="a" gear="3" ctrlrange="-0.5 0.5" ctrllimited="true"/>', [1], ''],
    ['range of a force', '<motor joint="a" gear="3" forcerange="-0.3 0.3" forcelimited="true"/>', [1], ''],
    ['range of the force on a joint', '<motor joint="a" gear="3"/><motor joint="a"/>', [1, 0.5], 'actuatorfrcrange="-1 1"'],
    ['velocity servo', '<velocity joint="a" kv="5"/>', [0.5], ''],
    ['velocity servo with a gear', '<velocity joint="a" kv="5" gear="2"/>', [0.5], ''],
    ['controlled damper', '<damper joint="a" kv="5" ctrlrange="0 1"/>', [0.5], ''],
    ['integrator', '<general joint="a" dyntype="integrator" gainprm="5"/>', [1], ''],
    ['filter', '<general joint="a" dyntype="filter" dynprm="0.1" gainprm="5"/>', [1], ''],
    ['exact filter', '<general joint="a" dyntype="filterexact" dynprm="0.1" gainprm="5"/>', [1], ''],
    ['exact filter, early', '<general joint="a" dyntype="filterexact" dynprm="0.1" gainprm="5" actearly="true"/>', [1], ''],
    [
      'integrator with a range, early',
      '<general joint="a" dyntype="integrator" gainprm="5" actearly="true" actrange="-0.5 0.5"/>',
      [1],
      '',
    ],
  ])('%s', (_, actuators, control, joint) => {
    moves(agree(module, arm(actuators, { joint }), { ...RUN, control }))
  })

  it('motor on a fixed tendon', () => {
    moves(agree(module, arm('<motor tendon="t" gear="2"/>', { tendon: TENDON }), { ...RUN, control: [1] }))
  })

  it.each(['<motor joint="a" gear="0.5 1 0.2"/>', '<position joint="a" gear="0.5 1 0.2" kp="5"/>'])('on a ball joint: %s', (actuator) => {
    agree(module, ball(actuator), { ...RUN, control: [1] })
  })

  // with several joints these forces are explicit here, as in MuJoCo with the integrator Euler
  it.each([
    ['servo', '<position tendon="t" kp="20" kv="2"/>', [0.5], ''],
    ['spring and damper', '', [], 'stiffness="30" damping="1" springlength="0.2"'],
    ['spring with slack', '', [], 'stiffness="30" damping="1" springlength="-0.1 0.2"'],
  ])('%s of a fixed tendon', (_, actuators, control, attributes) => {
    const tendon = TENDON.replace('name="t"', `name="t" ${attributes}`)
    moves(agree(module, arm(actuators, { tendon, integrator: 'Euler' }), { ...RUN, control }, SAME))
  })
})

/** rad: position servos are implicit here and explicit in MuJoCo, a difference of first order; without it (h ω)² of their vibration is left */
const SECOND_ORDER = 4e-3
const STEP = 0.001

describe('in the limit of small steps', () => {
  it.each([
    ['position servo', '<position joint="a" kp="20"/>', [0.5], ''],
    ['position servo with damping', '<position joint="a" kp="100" kv="5"/>', [0.5], ''],
    ['stiff position servo', '<position joint="a" kp="1000" kv="50"/>', [0.5], ''],
    ['position servo with a damping ratio', '<position joint="a" kp="100" dampratio="1"/>', [0.5], ''],
    ['range of the force of a servo', '<position joint="a" kp="100" kv="5" forcerange="-3 3"/>', [0.5], ''],
    ['range of the force on its joint', '<position joint="a" kp="100" kv="5"/>', [0.5], 'actuatorfrcrange="-3 3"'],
    ['integrated velocity servo', '<intvelocity joint="a" kp="100" kv="5" actrange="-0.3 0.3"/>', [0.5], ''],
    ['lagging position servo', '<position joint="a" kp="100" kv="5" timeconst="0.1"/>', [0.5], ''],
    ['inherited range', '<position joint="a" kp="100" kv="5" inheritrange="0.5"/>', [2], 'range="-1 1"'],
    [
      'gain and bias of length and velocity',
      '<general joint="a" gaintype="affine" gainprm="5 1 2" biastype="affine" biasprm="1 -2 -3"/>',
      [1],
      '',
    ],
  ])('%s', (_, actuators, control, joint) => {
    moves(agreeInTheLimit(module, arm(actuators, { joint }), { ...RUN, control }, STEP, SECOND_ORDER), STEP)
  })
})
