/** Handles by name: what they read agrees with MuJoCo and with differences; what they write is there in the next step. */
import { type BodyHandle, buildModel, createSimulation, integrate, parseMjcf, type Simulation, solvers } from 'limber'
import { describe, expect, it } from 'vitest'
import { compileMjcf, mujoco } from '../io/mujoco.js'
import { createRandom } from '../random.js'
import { ARM } from './arm.js'

const model = buildModel(parseMjcf(ARM))
/** products of rotations on both sides */
const SAME = 1e-12
/** central differences of 1e-6 */
const NEAR = 1e-8

/** A simulation at a random state. */
function at(seed: number): Simulation {
  const random = createRandom(seed)
  const simulation = createSimulation(model)
  const { q, v } = simulation.state
  for (let k = 0; k < v.length; k++) v[k] = random.spread(1)
  integrate(model, q, v, 1)
  for (let k = 0; k < v.length; k++) v[k] = random.spread(1)
  return simulation
}

const expectNear = (found: ArrayLike<number>, wanted: ArrayLike<number>, tolerance: number): void => {
  expect(found.length).toBe(wanted.length)
  for (let k = 0; k < found.length; k++) expect(Math.abs(found[k] - wanted[k]), `number ${k}`).toBeLessThan(tolerance)
}

/** The same numbers from a simulation that has not looked before. */
function createFresh({ state: { q, v } }: Simulation, name: string): number[] {
  const fresh = createSimulation(model)
  fresh.state.q.set(q)
  fresh.state.v.set(v)
  return [...fresh.body(name).position(), ...fresh.body(name).velocity()]
}

describe('handles', () => {
  it('see what was written since they last looked, on their own way to the world and elsewhere', () => {
    const simulation = at(5)
    const read = (name: string) => [...simulation.body(name).position(), ...simulation.body(name).velocity()]
    const [hand, ball] = [read('hand'), read('ball')]
    // the ball hangs on nothing of the arm: it is still where it was, and the arm is not
    simulation.state.q[simulation.joint('shoulder').iq] += 0.5
    expect(read('ball')).toEqual(ball)
    expect(Math.hypot(...read('hand').map((x, k) => x - hand[k]))).toBeGreaterThan(0.05)
    simulation.body('ball').setPose([1, 2, 3])
    expect(read('ball').slice(0, 3)).toEqual([1, 2, 3])
    simulation.joint('shoulder').setVelocity(7)
    expectNear(read('hand'), createFresh(simulation, 'hand'), SAME)
    expectNear(read('fore'), createFresh(simulation, 'fore'), SAME)
  })

  it('are the same each time, and say which names are near when one is unknown', () => {
    const simulation = createSimulation(model)
    expect(simulation.body('hand')).toBe(simulation.body('hand'))
    expect(() => simulation.body('hant')).toThrow(new RangeError("expected the name of a body, got 'hant'; did you mean 'hand'?"))
    expect(() => simulation.joint('elbo')).toThrow("did you mean 'elbow'?")
    expect(() => simulation.actuator('grip')).toThrow("got 'grip'; there are 'shoulder', 'elbow'")
    expect(() => simulation.site('tap')).toThrow("did you mean 'tip'?")
    expect(() => simulation.shape('flor')).toThrow("did you mean 'floor'?")
  })

  it.each([1, 2, 3])('poses, velocities and Jacobians of bodies, sites and shapes are those of MuJoCo (seed %i)', async (seed) => {
    const mj = await mujoco()
    const theirs = await compileMjcf(ARM)
    const data = new mj.MjData(theirs)
    const simulation = at(seed)
    const { q, v } = simulation.state
    try {
      ;(data.qpos as Float64Array).set(q)
      mj.mj_forward(theirs, data)
      const check = (handle: { position(): Float64Array; quaternion(): Float64Array }, x: unknown, R: unknown, k: number): void => {
        expectNear(handle.position(), (x as Float64Array).slice(3 * k, 3 * k + 3), SAME)
        expectNear(matrix(handle.quaternion()), (R as Float64Array).slice(9 * k, 9 * k + 9), SAME)
      }
      const number = (kind: 'body' | 'site' | 'geom', name: string): number =>
        mj.mj_name2id(theirs, mj.mjtObj[`mjOBJ_${kind.toUpperCase()}` as 'mjOBJ_BODY'].value, name)
      for (const name of ['base', 'hand', 'finger', 'crate', 'ball'])
        check(simulation.body(name), data.xpos, data.xmat, number('body', name))
      for (const name of ['tip', 'corner']) check(simulation.site(name), data.site_xpos, data.site_xmat, number('site', name))
      for (const name of ['palm', 'floor', 'ball']) check(simulation.shape(name), data.geom_xpos, data.geom_xmat, number('geom', name))

      // the arm has the coordinates of MuJoCo; of the free bodies after it nothing moves the site
      const [Jp, Jr] = [new mj.DoubleBuffer(3 * theirs.nv), new mj.DoubleBuffer(3 * theirs.nv)]
      mj.mj_jacSite(theirs, data, Jp, Jr, number('site', 'tip'))
      const J = simulation.site('tip').jacobian()
      const nv = theirs.nv
      expectNear(J.slice(0, 3 * nv), Jr.GetView() as Float64Array, SAME)
      expectNear(J.slice(3 * nv), Jp.GetView() as Float64Array, SAME)
      Jp.delete()
      Jr.delete()
    } finally {
      data.delete()
      theirs.delete()
    }
    expect(v.some((x) => x !== 0)).toBe(true)
  })

  it.each(['hand', 'finger', 'crate', 'ball'])('velocity and Jacobian of a point of %s are rates of its position', (name) => {
    const simulation = at(4)
    const body = simulation.body(name)
    const { q, v } = simulation.state
    const point = [0.1, -0.2, 0.3]
    const q0 = q.slice()
    const moved = (h: number): Float64Array => {
      q.set(q0)
      integrate(model, q, v, h)
      const x = body.position(undefined, point)
      q.set(q0)
      return x
    }
    const h = 1e-6
    const [before, after] = [moved(-h), moved(h)]
    const rate = after.map((x, r) => (x - before[r]) / (2 * h))
    const velocity = body.velocity(new Float64Array(6), point)
    expectNear(velocity.slice(3), rate, NEAR)
    const J = body.jacobian(undefined, point)
    const product = Array.from({ length: 6 }, (_, r) => v.reduce((sum, x, k) => sum + J[r * model.nv + k] * x, 0))
    expectNear(velocity, product, SAME)
  })

  it('joints give limits in the unit of the file and in radians, and take positions in both', () => {
    const simulation = createSimulation(model)
    const elbow = simulation.joint('elbow')
    expect(elbow.unit).toBe('deg')
    expectNear(elbow.limitsInFile ?? [], [0, 150], SAME * 200)
    expectNear(elbow.limits ?? [], [0, (150 * Math.PI) / 180], SAME)
    elbow.setPositionInFile(90)
    expect(elbow.position).toBeCloseTo(Math.PI / 2, 12)
    expect(elbow.positionInFile).toBeCloseTo(90, 12)
    elbow.setVelocity(2)
    expect(simulation.state.v[elbow.iv]).toBe(2)
    expect(simulation.joint('slide')).toMatchObject({ unit: 'm', limits: [0, 0.04], limitsInFile: [0, 0.04], body: 'finger' })
    expect(simulation.joint('wrist').limits).toBeUndefined()
    simulation.joint('wrist').setPosition([2, 0, 0, 0])
    expect([...simulation.joint('wrist').positions()]).toEqual([1, 0, 0, 0])
    expect(() => simulation.joint('wrist').position).toThrow("joint 'wrist' is spherical and has 4 coordinates")
    expect(() => elbow.setPosition(Number.NaN)).toThrow("position of joint 'elbow': expected finite numbers, got NaN")
    const radians = buildModel(parseMjcf(ARM.replace('<option', '<compiler angle="radian"/><option').replace('"0 150"', '"0 2"')))
    expect(createSimulation(radians).joint('elbow')).toMatchObject({ unit: 'rad', limitsInFile: [0, 2] })
  })

  it('actuators hold targets to their range and tell their force', () => {
    const simulation = createSimulation(model)
    const shoulder = simulation.actuator('shoulder')
    expect(shoulder.range).toEqual([-1.5, 1.5])
    expect(shoulder.setTarget(9)).toBe(1.5)
    expect(simulation.state.control[0]).toBe(1.5)
    // 80 · 1.5 is more than it has
    expect(shoulder.force).toBe(20)
    shoulder.setTarget(0.1)
    expect(shoulder.force).toBeCloseTo(8, 12)
    expect(() => shoulder.setTarget(Number.NaN)).toThrow("target of actuator 'shoulder': expected a number, got NaN")
  })
})

describe('what is done to bodies', () => {
  it('a kick and a teleport are in world axes, whatever the body is turned by', () => {
    const simulation = createSimulation(model)
    const ball = simulation.body('ball')
    ball.setVelocity([1, 2, 3], [0.1, 0.2, 0.3])
    expectNear(ball.velocity(), [0.1, 0.2, 0.3, 1, 2, 3], SAME)
    ball.setPose([0, 0, 5], [0, 1, 0, 0])
    expectNear(ball.position(), [0, 0, 5], SAME)
    expectNear(ball.velocity(), [0.1, 0.2, 0.3, 1, 2, 3], SAME)
    simulation.advance(0.1)
    expect(ball.position()[2]).toBeCloseTo(5 + 0.3 - 0.5 * 9.81 * 0.01, 1)
    expect(() => simulation.body('hand').setPose([0, 0, 0])).toThrow("setPose: body 'hand' is jointed; set its joints")
    expect(() => ball.moveTo([0, 0, 0])).toThrow("moveTo: body 'ball' is free; only driven bodies are moved")
  })

  const flying = buildModel({
    gravity: [0, 0, 0],
    bodies: [
      {
        name: 'rod',
        inertia: { mass: 2, com: [0.1, 0, 0], tensor: [0.1, 0.2, 0.3, 0, 0, 0] },
        joints: [{ type: 'free' }],
        quaternion: [0.8, 0, 0.6, 0],
      },
      {
        name: 'arm',
        position: [0, 0, 3],
        inertia: { mass: 1, com: [0, 0, -1], tensor: [0.1, 0.1, 0.1, 0, 0, 0] },
        joints: [{ type: 'revolute', axis: [0, 1, 0] }],
      },
    ],
  })

  it.each(Object.keys(solvers))('a force for one step changes the momentum by force times step under %s', (solver) => {
    const simulation = createSimulation(flying, { solver, timestep: 1e-3 })
    const rod = simulation.body('rod')
    const speed = (): number => rod.velocity(undefined, [0.1, 0, 0])[3]
    rod.applyForce([4, 0, 0])
    // trapezoidal steps have the second half of it in the step after
    simulation.step(6)
    expect(speed()).toBeCloseTo(2e-3, 7)
    rod.applyForce([4, 0, 0], undefined, { until: 'cleared' })
    simulation.step(10)
    rod.clearForces()
    simulation.step(3)
    expect(speed()).toBeCloseTo(22e-3, 6)
    expect([...simulation.state.tau]).toEqual(new Array(flying.nv).fill(0))
  })

  it('a force at a point and a torque turn the arm by their moments', () => {
    const turned = (apply: (arm: BodyHandle) => void): number => {
      const simulation = createSimulation(flying, { solver: 'ode', timestep: 1e-3 })
      apply(simulation.body('arm'))
      simulation.step()
      return simulation.joint('arm').velocity
    }
    // about y: (r × f)_y with r = −2 z, f = 3 x
    const byForce = turned((arm) => arm.applyForce([3, 0, 0], [0, 0, -2]))
    expect(byForce).toBeCloseTo((-6 * 1e-3) / 1.1, 8)
    expect(turned((arm) => arm.applyForce([0, 0, 0], undefined, { torque: [0, -6, 0] }))).toBeCloseTo(byForce, 12)
  })

  it('forces until cleared are in a snapshot', () => {
    const simulation = createSimulation(flying, { solver: 'redmax' })
    simulation.body('rod').applyForce([1, 2, 3], [0, 0.1, 0], { until: 'cleared' })
    simulation.step(3)
    const bytes = simulation.snapshot()
    simulation.step(5)
    const fresh = createSimulation(flying, { solver: 'redmax' })
    fresh.restore(bytes)
    fresh.step(5)
    expect([...fresh.state.q, ...fresh.state.v]).toEqual([...simulation.state.q, ...simulation.state.v])
    fresh.reset()
    fresh.step()
    expect(fresh.state.v.every((x) => x === 0)).toBe(true)
  })
})

it('contacts have the names of the shapes, and only those that push where asked for', () => {
  const simulation = createSimulation(model, { solver: 'redmax' })
  simulation.advance(0.4)
  const contacts = simulation.contacts({ touching: true })
  const crate = contacts.filter(({ shapeB, shapeA }) => [shapeA, shapeB].includes('crate'))
  expect(crate.length).toBeGreaterThan(2)
  expect(new Set(crate.map(({ shapeA }) => shapeA))).toEqual(new Set(['floor']))
  // the weight
  expect(crate.reduce((sum, { force }) => sum + force[2], 0)).toBeCloseTo(2 * 9.81, 3)
  const all = createSimulation(model, { solver: 'redmax' })
  all.step()
  expect(all.contacts({ touching: true }).every(({ force }) => force.some((x) => x !== 0))).toBe(true)
})

function matrix(quaternion: ArrayLike<number>): number[] {
  const [w, x, y, z] = Array.from(quaternion)
  return [
    ...[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    ...[2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    ...[2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ]
}
