/**
 * Loops that come to a singular pose while they move: through dead points, where branches of motion meet, they go on and gain next to nothing; a motion
 * that asks for more than a chain can reach is named, with the chain.
 */
import { type BodySpec, buildModel, createData, createSimulation, energy, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'

const rod = (name: string, parent: string, at: number, l: number, initial: number): BodySpec => ({
  name,
  parent,
  position: [at, 0, 0],
  inertia: { mass: l, com: [l / 2, 0, 0], tensor: [1e-4 * l, l ** 3 / 12, l ** 3 / 12, 0, 0, 0] },
  joints: [{ name: `${name}-joint`, type: 'revolute', axis: [0, -1, 0], initial }],
})
const axes = [
  [1, 0, 0],
  [0, 0, 1],
] as const
const block: BodySpec = { name: 'block', inertia: { mass: 1, tensor: [0.01, 0.01, 0.01, 0, 0, 0] } }

/** Crank a from the origin at an angle, coupler b, rocker c to a pin at g. */
function fourBar(a: number, b: number, c: number, g: number, angle: number, gravity: number): Spec {
  const x = g - a * Math.cos(angle)
  const z = -a * Math.sin(angle)
  const d = Math.hypot(x, z)
  const way = Math.atan2(z, x) + Math.acos((b * b + d * d - c * c) / (2 * b * d))
  const last = Math.atan2(z - b * Math.sin(way), x - b * Math.cos(way))
  return {
    gravity: [0, 0, -gravity],
    bodies: [rod('crank', 'world', 0, a, angle), rod('coupler', 'crank', a, b, way - angle), rod('rocker', 'coupler', b, c, last - way)],
    constraints: [{ name: 'pin', type: 'point', a: { body: 'rocker', point: [c, 0, 0] }, b: { body: 'world', point: [g, 0, 0] }, axes }],
  }
}

/** Crank and rod of one length: the slider passes the crank's hinge, where the rod may turn about it as well. */
function equalCrank(l: number, angle: number): Spec {
  const slider: BodySpec = {
    ...block,
    joints: [{ name: 'slide', type: 'prismatic', axis: [1, 0, 0], initial: 2 * l * Math.cos(angle) }],
  }
  return {
    gravity: [0, 0, -9.81],
    bodies: [rod('crank', 'world', 0, l, angle), rod('rod', 'crank', l, l, -2 * angle), slider],
    constraints: [{ name: 'pin', type: 'point', a: { body: 'rod', point: [l, 0, 0] }, b: { body: 'block', point: [0, 0, 0] }, axes }],
  }
}

describe.each(['auto', 'second-order'])('dead points with scheme %s', (scheme) => {
  it.each([
    ['a parallelogram', fourBar(0.4, 1, 0.4, 1, 1, 9.81), 8],
    ['a rhombus', fourBar(0.5, 0.5, 0.5, 0.5, 1.2, 0), 6],
    ['a kite', fourBar(0.4, 0.4, 0.9, 0.9, 0.8, 9.81), -6],
    ['a linkage whose shortest and longest links sum to the others', fourBar(0.4, 0.9, 0.7, 0.6, 0.7, 0), 10],
    ['a crank as long as its rod', equalCrank(0.5, 0.8), 7, [-14, -7 * Math.sin(0.8)]],
  ])('%s goes on, and gains less than 1 % of its largest kinetic energy', (_, spec, speed, others: readonly number[] = [0, 0]) => {
    const model = buildModel(spec)
    const data = createData(model)
    for (const timestep of [0.005, 0.02]) {
      const sim = createSimulation(model, { solver: 'redmax', scheme, timestep })
      // the start is put on the loop, and so is its velocity
      sim.reset({ v: Float64Array.of(speed, ...others) })
      sim.step()
      const total = (): number => {
        const { kinetic, potential } = energy(model, data, sim.state)
        return kinetic + potential
      }
      const before = total()
      let fastest = energy(model, data, sim.state).kinetic
      let turned = 0
      for (let k = 0; k < 20; k++) {
        expect(sim.advance(0.1).status).toBe('ok')
        turned = Math.max(turned, Math.abs(sim.state.q[0] - model.q0[0]))
        fastest = Math.max(fastest, energy(model, data, sim.state).kinetic)
        expect(total() - before).toBeLessThan(0.01 * fastest)
      }
      // it has passed the flat pose
      expect(turned).toBeGreaterThan(1.3)
    }
  })

  it('a motion beyond the reach of a chain is named, with the chain', () => {
    const slider: BodySpec = { ...block, joints: [{ name: 'slide', type: 'prismatic', axis: [1, 0, 0], initial: 0.7 }] }
    const model = buildModel({
      bodies: [rod('a', 'world', 0, 0.5, -0.8), rod('b', 'a', 0.5, 0.5, 1.6), slider],
      constraints: [
        { name: 'pin', type: 'point', a: { body: 'b', point: [0.5, 0, 0] }, b: { body: 'block', point: [0, 0, 0] }, axes },
        { name: 'pull', type: 'motion', joint: 'slide', offset: 0.7, amplitude: 0.31, frequency: 0.5 },
      ],
    })
    const sim = createSimulation(model, { solver: 'redmax', scheme, timestep: 0.01 })
    const { status, message } = sim.advance(1)
    expect(status).toBe('not-converged')
    expect(message).toMatch(/constraint 'pin' is nearly at full stretch/)
    expect(message).toMatch(/let (constraint )?'pull' (ask for less|move less)/)
    expect(sim.state.q[2]).toBeGreaterThan(0.98)
  })
})
