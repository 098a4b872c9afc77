/**
 * Contacts that no joint can open: a link that lies in the floor and turns about its normal, a base in the floor, a slide along it. They stopped the
 * run once, or jammed the joint; now they are left out and named before the first step.
 */
import type { MainModule } from '@mujoco/mujoco'
import { buildModel, createSimulation, parseMjcf, type Simulation } from 'limber'
import { beforeAll, describe, expect, it } from 'vitest'
import { mujoco } from '../io/mujoco.js'

let module: MainModule
beforeAll(async () => {
  module = await mujoco()
})

const SECONDS = 1

function inMujoco(text: string, control: readonly number[] = []): Float64Array {
  const model = module.MjModel.from_xml_string(text)
  const data = new module.MjData(model)
  for (const [k, u] of control.entries()) data.ctrl[k] = u
  for (let k = 0; k < SECONDS / model.opt.timestep; k++) module.mj_step(model, data)
  const q = Float64Array.from(data.qpos as Float64Array)
  data.delete()
  model.delete()
  return q
}

function inLimber(text: string, options: object, control: readonly number[] = []): Simulation {
  const simulation = createSimulation(buildModel(parseMjcf(text)), options)
  simulation.state.control.set(control)
  simulation.advance(SECONDS)
  expect(simulation.report.status, simulation.report.message).toBe('ok')
  expect(simulation.state.t).toBeCloseTo(SECONDS, 9)
  return simulation
}

const schemes = [
  ['the default', {}],
  ['scheme=auto', { solver: 'redmax' }],
  ['scheme=newton', { solver: 'redmax', scheme: 'newton' }],
  ['scheme=linear', { solver: 'redmax', scheme: 'linear' }],
  ['hard contact', { solver: 'redmax', soft: false }],
] as const

interface Arm {
  /** geoms of the base, which has no joint, and of the first link, which turns about the vertical */
  readonly base?: string
  readonly shoulder?: string
  readonly geoms?: string
}

/** A six-axis arm with servos, after the proportions of a public one: its shoulder reaches 27 mm below the floor that it stands on. */
const arm = ({
  base = '',
  shoulder = '<geom name="shoulder" type="capsule" size="0.078 0.08" pos="0 0 -0.05"/>',
  geoms = '',
}: Arm = {}): string => {
  const servo = (name: string, stiffness: number): string =>
    `<position name="${name}" joint="${name}" kp="${stiffness}" kv="${stiffness / 10}" forcerange="-330 330"/>`
  return `<mujoco model="arm"><compiler angle="radian" autolimits="true"/><option integrator="implicitfast"/>
  <default><geom ${geoms}/><joint axis="0 1 0" range="-6.28319 6.28319" armature="0.1"/></default>
  <worldbody><geom name="floor" type="plane" size="0 0 0.05"/>
  <body name="base" quat="0 0 0 -1"><inertial mass="4" pos="0 0 0" diaginertia="0.006 0.006 0.011"/>${base}
    <body name="shoulder" pos="0 0 0.181"><inertial mass="7.78" pos="0 0 0" diaginertia="0.0315 0.0315 0.0219"/>
      <joint name="pan" axis="0 0 1"/>${shoulder}
      <body name="upper" pos="0 0.176 0" quat="1 0 1 0"><inertial mass="12.93" pos="0 0 0.306" diaginertia="0.423 0.423 0.0364"/>
        <joint name="lift"/><geom type="capsule" size="0.063 0.245" pos="0 -0.04 0.3"/>
        <body name="forearm" pos="0 -0.137 0.613"><inertial mass="3.87" pos="0 0 0.286" diaginertia="0.111 0.111 0.0109"/>
          <joint name="elbow" range="-3.1415 3.1415"/><geom type="capsule" size="0.058 0.23" pos="0 0 0.28"/>
          <body name="wrist" pos="0 0 0.571" quat="1 0 1 0"><inertial mass="1.96" pos="0 0.135 0" diaginertia="0.0051 0.0051 0.0055"/>
            <joint name="bend"/><geom type="capsule" size="0.05 0.06" pos="0 0.06 0" quat="1 1 0 0"/>
            <body name="hand" pos="0 0.135 0"><inertial mass="1.96" pos="0 0 0.12" diaginertia="0.0051 0.0051 0.0055"/>
              <joint name="roll" axis="0 0 1"/><geom type="capsule" size="0.045 0.04" pos="0 0 0.06"/>
              <body name="flange" pos="0 0 0.12"><inertial mass="0.2" pos="0 0.09 0" diaginertia="0.0001 0.0001 0.0001"/>
                <joint name="turn"/><geom type="capsule" size="0.03 0.02" pos="0 0.05 0" quat="1 1 0 0"/></body></body></body></body></body></body></body></worldbody>
  <actuator>${servo('pan', 5000)}${servo('lift', 5000)}${servo('elbow', 2500)}${servo('bend', 500)}${servo('roll', 500)}${servo('turn', 500)}</actuator></mujoco>`
}
const TARGET = [0.8, -1.5, 1.2, -1.4, -1.6, 0.4]

describe('an arm whose first link reaches 27 mm into the floor', () => {
  it.each(schemes)('runs with %s and holds its targets as in MuJoCo', (_, options) => {
    const theirs = inMujoco(arm(), TARGET)
    const { state } = inLimber(arm(), options, TARGET)
    for (const [k, q] of theirs.entries()) expect(Math.abs(state.q[k] - q), `joint ${k}`).toBeLessThan(2e-3)
    expect(Math.abs(state.q[0] - TARGET[0])).toBeLessThan(2e-3)
  })

  it('is told so once, before the first step and after it', () => {
    const simulation = createSimulation(buildModel(parseMjcf(arm())))
    const about = (): string[] => simulation.warnings().filter((warning) => warning.includes("'shoulder'"))
    expect(about()).toEqual([
      expect.stringMatching(/'floor'.*'shoulder'.*overlap by 27 mm at the start, where no joint can part them: .*exclude the pair/),
    ])
    const before = about()
    simulation.step(3)
    expect(about()).toEqual(before)
  })

  it.each([
    ['that resists spinning and rolling', { geoms: 'condim="6" friction="1 0.1 0.01"' }],
    ['without friction', { geoms: 'condim="1"' }],
    ['beside its axis', { shoulder: '<geom name="shoulder" type="capsule" size="0.078 0.08" pos="0.05 0.02 -0.05"/>' }],
    ['as a box, with four corners', { shoulder: '<geom name="shoulder" type="box" size="0.1 0.1 0.1" pos="0 0 -0.1"/>' }],
    ['as a cylinder', { shoulder: '<geom name="shoulder" type="cylinder" size="0.1 0.1" pos="0 0 -0.1"/>' }],
    ['above a base that is in the floor too', { base: '<geom type="box" size="0.12 0.12 0.05"/>' }],
  ] as const)('moves all the same, with a contact %s', (_, shapes) => {
    for (const [, options] of schemes) expect(inLimber(arm(shapes), options, TARGET).state.q[0]).toBeCloseTo(TARGET[0], 2)
  })
})

describe('what else no joint can part', () => {
  it('is a body on slides along the floor, and not what lies on it', () => {
    const text = `<mujoco><worldbody><geom name="floor" type="plane" size="0 0 1"/>
      <body name="cart" pos="0 0 0.095"><joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/>
        <geom name="cart" type="box" size="0.1 0.1 0.1" mass="1"/></body>
      <body pos="0 0 0.3"><freejoint/><geom type="box" size="0.05 0.05 0.05" mass="0.1"/></body></worldbody>
      <actuator><position joint="x" kp="100" kv="20"/><position joint="y" kp="100" kv="20"/></actuator></mujoco>`
    for (const [, options] of schemes) {
      const simulation = inLimber(text, options, [0.03, -0.02])
      const { q } = simulation.state
      expect(q[0]).toBeCloseTo(0.03, 2)
      expect(q[1]).toBeCloseTo(-0.02, 2)
      // it lies on the cart
      expect(q[4]).toBeGreaterThan(0.24)
      expect(simulation.warnings().filter((warning) => warning.includes('no joint can part'))).toHaveLength(1)
    }
  })

  it('is not what a slide can lift, however deep it is', () => {
    const text = `<mujoco><worldbody><geom name="floor" type="plane" size="0 0 1"/><body pos="0 0 0.08"><joint type="slide" axis="0 0 1"/>
      <joint type="slide" axis="1 0 0"/><geom name="foot" type="sphere" size="0.1" mass="1"/></body></worldbody></mujoco>`
    const [theirs] = inMujoco(text)
    for (const [name, options] of schemes) {
      const simulation = inLimber(text, options)
      expect(simulation.warnings(), name).toEqual([expect.stringContaining('20 mm at the start: what can part is pushed apart')])
      expect(Math.abs(simulation.state.q[0] - theirs), name).toBeLessThan(5e-4)
    }
  })

  it('is two bodies that are fixed to the world, a driven one among them', () => {
    const text = `<mujoco><worldbody><geom type="plane" size="0 0 1"/><body name="post"><geom type="box" size="0.1 0.1 0.1"/></body>
      <body name="guide" mocap="true" pos="0.5 0 0"><geom type="box" size="0.1 0.1 0.1"/></body>
      <body name="ball" pos="0.5 0 0.3"><freejoint/><geom type="sphere" size="0.1" mass="1"/></body></worldbody></mujoco>`
    const theirs = inMujoco(text)
    for (const [name, options] of schemes) {
      const { state } = inLimber(text, options)
      expect(Math.abs(state.q[2] - theirs[2]), name).toBeLessThan(5e-4)
    }
  })
})

describe('a rotor whose centre of mass is on its axis', () => {
  // MuJoCo measures softness at centres of mass, and finds no mobility there
  const rotor = `<mujoco><worldbody><geom type="box" size="0.05 0.3 0.05" pos="0.3 0 0.9"/>
    <body pos="0 0 1"><joint name="r" axis="0 1 0" damping="0.05"/><geom type="box" size="0.4 0.02 0.02" mass="1"/></body></worldbody>
    <actuator><motor joint="r"/></actuator></mujoco>`

  it.each(schemes)('is stopped by a block with %s as in MuJoCo', (_, options) => {
    for (const torque of [2, -2]) {
      const [theirs] = inMujoco(rotor, [torque])
      expect(inLimber(rotor, options, [torque]).state.q[0]).toBeCloseTo(theirs, 3)
    }
  })
})

describe('soft equalities between bodies that cannot move', () => {
  it.each(schemes)('do not stop the run with %s', (_, options) => {
    const text = `<mujoco><worldbody><body name="post" pos="0 0 1"><geom type="sphere" size="0.1"/></body>
      <body name="arm" pos="0 0 2"><joint axis="0 1 0"/><geom type="sphere" size="0.1" pos="0.3 0 0"/>
        <body name="tip"><geom type="sphere" size="0.05"/></body></body></worldbody>
      <equality><weld body1="post"/><weld body1="tip" body2="arm"/><connect body1="arm" anchor="0 0 0"/></equality></mujoco>`
    const [theirs] = inMujoco(text)
    expect(Math.abs(inLimber(text, options).state.q[0] - theirs)).toBeLessThan(0.05)
  })
})
