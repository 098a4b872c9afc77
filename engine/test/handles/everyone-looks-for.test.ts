/** What users of other engines look for first: keyframes by name, the joint of an actuator, torques on joints, and messages that say what was meant. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type BodySpec,
  buildModel,
  createData,
  createResidual,
  createSimulation,
  createState,
  forwardDynamics,
  forwardKinematics,
  parseMjcf,
  readTrajectoryJson,
  recordBytes,
  type Spec,
  type Vec3,
} from 'limber'
import { record } from 'limber/node'
import { describe, expect, it } from 'vitest'
import { ARM } from './arm.js'

const KEYS = '<keyframe><key name="home" time="2"/><key name="bent"/></keyframe>'
const model = buildModel(parseMjcf(ARM.replace('</mujoco>', `${KEYS}</mujoco>`)))

/** Two links on hinges, without gravity: torques alone move them. */
const links: Spec = {
  gravity: [0, 0, 0],
  bodies: [
    { name: 'a', inertia: { mass: 1, com: [0.2, 0, 0], tensor: [0.1, 0.1, 0.1, 0, 0, 0] }, joints: [{ name: 'first', type: 'revolute' }] },
    {
      name: 'b',
      parent: 'a',
      position: [0.4, 0, 0],
      inertia: { mass: 1, com: [0.2, 0, 0], tensor: [0.1, 0.1, 0.1, 0, 0, 0] },
      joints: [{ name: 'second', type: 'spherical' }],
    },
    { name: 'plate', inertia: { mass: 1 }, joints: [{ name: 'glued', type: 'fixed' }] },
  ],
}

describe('reset', () => {
  it('takes a keyframe by its name, and the same state as the keyframe itself', () => {
    const simulation = createSimulation(model)
    simulation.advance(0.01)
    simulation.reset('home')
    expect(simulation.state.t).toBe(2)
    expect([...simulation.state.q]).toEqual([...model.keyframes[0].q])
  })

  it('refuses an unknown name with the near one, or with those there are', () => {
    const simulation = createSimulation(model)
    expect(() => simulation.reset('hoem')).toThrow("reset: expected the name of a keyframe, got 'hoem'; did you mean 'home'?")
    expect(() => simulation.reset('xyzzy')).toThrow("there are 'home', 'bent'")
    expect(() => createSimulation(buildModel(links)).reset('home')).toThrow('the model has none')
    expect(() => simulation.reset(3 as never)).toThrow('expected a state or the name of a keyframe, got 3')
  })
})

describe('step', () => {
  it.each([
    [0.01, 'step: expected a whole number of steps, got 0.01; to advance by 0.01 seconds, call advance(0.01)'],
    [2.5, 'call advance(2.5)'],
    [-1, 'got -1'],
    [Number.NaN, 'got NaN'],
    ['3', "got '3'"],
  ])('refuses %s', (n, message) => {
    const simulation = createSimulation(model)
    expect(() => simulation.step(n as number)).toThrow(message)
    expect(simulation.state.t).toBe(0)
  })
})

describe('options of a simulation', () => {
  it.each<[object, string]>([
    [{ dt: 0.01 }, "solver ode has no option 'dt'; did you mean 'timestep'?"],
    [{ solver: 'redmax', timeStep: 0.01 }, "solver redmax has no option 'timeStep'; did you mean 'timestep'?"],
    [{ metod: 'rk4' }, "did you mean 'method'?"],
    [{ timestep: '0.01' }, "timestep: expected a positive number of seconds, got '0.01'"],
    [{ solver: 'redmx' }, "got 'redmx'; did you mean 'redmax'?"],
    [{ solver: 'ode', rtol: Number.NaN }, 'expected a number, got NaN'],
  ])('%j is refused by name', (options, message) => {
    expect(() => createSimulation(buildModel(links), options)).toThrow(message)
  })

  it('numbers that are given as text or alone are shown as given', () => {
    const simulation = createSimulation(model)
    expect(() => simulation.advance('1' as never)).toThrow("advance: expected a number of seconds, got '1'")
    expect(() => simulation.setGravity(-9.81 as never)).toThrow('setGravity: expected 3 numbers, got -9.81')
    expect(() => simulation.setGravity('0 0 1' as never)).toThrow("setGravity: expected 3 numbers, got '0 0 1'")
  })
})

describe('an actuator', () => {
  it('names the joint it drives, and none where it drives a tendon or a site', () => {
    expect(createSimulation(model).actuator('shoulder').joint).toBe('shoulder')
    const other = parseMjcf(`<mujoco><worldbody><body><joint name="j"/><geom size=".1"/><site name="s"/></body></worldbody>
      <tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
      <actuator><motor name="pull" tendon="t"/><motor name="jet" site="s" gear="1 0 0 0 0 0"/></actuator></mujoco>`)
    const simulation = createSimulation(buildModel(other))
    expect(simulation.actuator('pull').joint).toBeUndefined()
    expect(simulation.actuator('jet').joint).toBeUndefined()
  })
})

describe('applyTorque', () => {
  const built = buildModel(links)

  it.each(['ode', 'redmax', 'position'] as const)('does what state.tau does under %s, in one step and no longer', (solver) => {
    const pushed = createSimulation(built, { solver, timestep: 0.01 })
    const written = createSimulation(built, { solver, timestep: 0.01 })
    pushed.joint('first').applyTorque(2)
    pushed.joint('second').applyTorque([0.1, -0.2, 0.3])
    written.state.tau.set([2, 0.1, -0.2, 0.3])
    for (let k = 0; k < 3; k++) {
      pushed.step()
      written.step()
      written.state.tau.fill(0)
      expect([...pushed.state.v]).toEqual([...written.state.v])
    }
    expect([...pushed.state.tau]).toEqual([0, 0, 0, 0])
  })

  it('lasts until it is cleared, adds up, and is part of a snapshot', () => {
    const simulation = createSimulation(built, { solver: 'ode', timestep: 0.01 })
    const data = createData(built)
    const first = simulation.joint('first')
    first.applyTorque(1, { until: 'cleared' })
    first.applyTorque(2, { until: 'cleared' })
    forwardDynamics(built, data, simulation.state, Float64Array.of(3, 0, 0, 0))
    simulation.step(2)
    expect(first.velocity).toBeCloseTo(0.02 * data.a[0], 3)
    const bytes = simulation.snapshot()
    simulation.step(3)
    const end = [...simulation.state.v]
    simulation.restore(bytes)
    simulation.step(3)
    expect([...simulation.state.v]).toEqual(end)
    first.clearTorques()
    forwardDynamics(built, data, simulation.state)
    const [before, rate] = [first.velocity, data.a[0]]
    simulation.step()
    expect(first.velocity - before).toBeCloseTo(0.01 * rate, 4)
    first.applyTorque(9, { until: 'cleared' })
    simulation.reset()
    simulation.step(5)
    expect([...simulation.state.v]).toEqual([0, 0, 0, 0])
  })

  it('refuses what it cannot do', () => {
    const simulation = createSimulation(built)
    expect(() => simulation.joint('second').applyTorque(1)).toThrow("torque of joint 'second': expected 3 numbers, got 1")
    expect(() => simulation.joint('first').applyTorque(Number.NaN)).toThrow("torque of joint 'first'")
    expect(() => simulation.joint('glued').applyTorque(1)).toThrow("joint 'glued' is fixed and cannot move")
    expect(() => simulation.joint('first').applyTorque(1, { until: 'ever' as never })).toThrow(
      "until: expected step or cleared, got 'ever'",
    )
  })
})

describe('record', () => {
  it('without seconds says so', async () => {
    const simulation = createSimulation(model)
    const wanted = 'record: expected how many seconds to record, got none; give { seconds: 5 }'
    await expect(record(simulation, join(tmpdir(), 'none.csv'), undefined as never)).rejects.toThrow(wanted)
    await expect(recordBytes(simulation, 'csv', {} as never)).rejects.toThrow(wanted)
  })

  it('begins with loops that are closed', async () => {
    const link = (name: string, parent: string, position: Vec3, to: Vec3): BodySpec => ({
      name,
      parent,
      position,
      inertia: { mass: 1, com: [to[0] / 2, 0, to[2] / 2], tensor: [0.01, 0.01, 0.01, 0, 0, 0] },
      joints: [{ name, type: 'revolute', axis: [0, 1, 0] }],
    })
    // a four-bar linkage; the state that is written misses its loop by some millimetres
    const built = buildModel({
      gravity: [0, 0, 0],
      bodies: [
        link('a', 'world', [0, 0, 0], [0, 0, 0.2]),
        link('b', 'a', [0, 0, 0.2], [0.3, 0, 0]),
        link('c', 'world', [0.3, 0, 0], [0, 0, 0.2]),
      ],
      constraints: [{ type: 'point', a: { body: 'b', point: [0.3, 0, 0] }, b: { body: 'c', point: [0, 0, 0.2] } }],
    })
    const open = [0.02, -0.01, 0.01]
    const gap = (q: readonly number[]): number => {
      const data = createData(built)
      const state = createState(built)
      state.q.set(q)
      forwardKinematics(built, data, state.q, state.v)
      return createResidual(built)?.(data, state) ?? Number.NaN
    }
    const simulation = createSimulation(built)
    simulation.state.q.set(open)
    const { q } = readTrajectoryJson(await recordBytes(simulation, 'json', { seconds: 0.02, fps: 100 }))
    expect(gap(open)).toBeGreaterThan(1e-3)
    expect(gap([...q.subarray(0, 3)])).toBeLessThan(1e-7)
  })
})
