/** Inverse kinematics reaches what can be reached, stays inside limits, and says what is left. */
import { buildModel, createSimulation, createState, parseMjcf, solveIk } from 'limber'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../random.js'
import { ARM } from './arm.js'

const model = buildModel(parseMjcf(ARM))

describe('solveIk', () => {
  it.each(Array.from({ length: 12 }, (_, seed) => seed))(
    'reaches a pose that the arm has somewhere inside its limits (seed %i)',
    (seed) => {
      const random = createRandom(seed)
      const simulation = createSimulation(model)
      const { q } = simulation.state
      for (const [name, low, high] of [
        ['yaw', -2, 2],
        ['shoulder', -1.5, 1.5],
        ['elbow', 0.2, 2.4],
      ] as const)
        simulation.joint(name).setPosition(random.between(low, high))
      simulation.joint('wrist').setPosition(random.quat())
      const tip = simulation.site('tip')
      const [position, quaternion] = [tip.position(), tip.quaternion()]
      // from nearby, as one that follows
      const start = { q: q.slice() }
      for (const name of ['yaw', 'shoulder', 'elbow']) start.q[simulation.joint(name).iq] += random.spread(0.3)
      const { q: found, converged, position: far, angle } = solveIk(model, start, { site: 'tip', position, quaternion })
      expect({ converged, far: far < 1e-6, angle: angle < 1e-6 }).toEqual({ converged: true, far: true, angle: true })
      q.set(found)
      for (let r = 0; r < 3; r++) expect(tip.position()[r]).toBeCloseTo(position[r], 5)
      for (const name of ['yaw', 'shoulder', 'elbow']) {
        const { position: at, limits } = simulation.joint(name)
        expect(at).toBeGreaterThanOrEqual(limits?.[0] ?? 0)
        expect(at).toBeLessThanOrEqual(limits?.[1] ?? 0)
      }
    },
  )

  it('comes as near as it can to what is out of reach, with joints on their limits, and says so', () => {
    const spec = {
      bodies: [
        {
          name: 'upper',
          inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] },
          joints: [{ name: 'a', type: 'revolute', axis: [0, 0, 1], limits: [-0.5, 0.5] }],
        },
        {
          name: 'lower',
          parent: 'upper',
          position: [1, 0, 0],
          inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] },
          joints: [{ name: 'b', type: 'revolute', axis: [0, 0, 1], limits: [-0.3, 0.3] }],
        },
      ],
    } as const
    const planar = buildModel(spec)
    const state = createState(planar)
    // at a right angle: both limits hold it back
    const { converged, q, position } = solveIk(planar, state, { body: 'lower', point: [1, 0, 0], position: [0, 2, 0] })
    expect(converged).toBe(false)
    expect([...q]).toEqual([0.5, 0.3])
    const end = [Math.cos(0.5) + Math.cos(0.8), Math.sin(0.5) + Math.sin(0.8)]
    expect(position).toBeCloseTo(Math.hypot(end[0], 2 - end[1]), 9)
    expect([...state.q]).toEqual([0, 0])
    // inside the reach of the two, one limit is enough
    const near = solveIk(planar, state, {
      body: 'lower',
      point: [1, 0, 0],
      position: [Math.cos(0.5) + Math.cos(0.7), Math.sin(0.5) + Math.sin(0.7), 0],
    })
    expect(near.converged).toBe(true)
  })

  it('moves the joints that are named, and only those', () => {
    const state = createState(model)
    const { q } = solveIk(model, state, { body: 'hand', position: [0.2, 0.1, 1], joints: ['elbow', 'shoulder'] })
    const changed = model.joints
      .filter(({ iq, nq }) => q.subarray(iq, iq + nq).some((x, k) => x !== state.q[iq + k]))
      .map(({ name }) => name)
    expect(changed.every((name) => ['elbow', 'shoulder'].includes(name))).toBe(true)
    expect(changed.length).toBeGreaterThan(0)
  })

  it('says what it does not understand', () => {
    const state = createState(model)
    expect(() => solveIk(model, state, { body: 'hant', position: [0, 0, 0] })).toThrow("did you mean 'hand'?")
    expect(() => solveIk(model, state, { body: 'hand' })).toThrow('expected a position, a quaternion, or both')
    expect(() => solveIk(model, state, { body: 'hand', position: [0, 0, 0], joints: ['elbo'] })).toThrow("did you mean 'elbow'?")
    expect(() => solveIk(model, state, { body: 'crate', position: [0, 0, 0] })).toThrow("no joint that may move carries body 'crate'")
  })
})
