/**
 * Random passive mechanisms whose masses lie up to eight powers of ten apart, with loops, limits and springs: none gains more
 * than a twentieth of what it moves or loses, and a run that ends early says at what and what to do.
 */
import { type BodySpec, buildModel, createData, createSimulation, energy } from 'limber'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../random.js'
import { randomMechanism } from './random-mechanism.js'

const STEPS = 100
// of the kinetic energy at the start, or of what is lost
const GAIN = 0.05
// J: rounding of energies of 1e4 J
const ROUNDING = 1e-8

/** 1e-4 to 1e4 kg in place of the bodies' own masses. */
function unequal(bodies: readonly BodySpec[], seed: number): BodySpec[] {
  const next = createRandom(seed).unit
  return bodies.map((body) => {
    const { mass = 1, tensor = [1, 1, 1, 0, 0, 0], com = [0, 0, 0] } = body.inertia ?? {}
    const factor = 10 ** (8 * next() - 4) / mass
    const [xx, yy, zz, xy, xz, yz] = tensor
    const scaled = [factor * xx, factor * yy, factor * zz, factor * xy, factor * xz, factor * yz] as const
    return { ...body, inertia: { mass: factor * mass, com, tensor: scaled } }
  })
}

describe('mechanisms with masses from 1e-4 to 1e4 kg', () => {
  // 293: a loop that only a light body could close, by turning far
  it.each([...Array.from({ length: 20 }, (_, k) => k + 1), 293])('gain at most 5 % of the energy they move or lose, seed %i', (seed) => {
    const { spec, timestep, velocity } = randomMechanism(seed + 5000, false)
    const model = buildModel({ ...spec, bodies: unequal(spec.bodies, seed * 7919) })
    const data = createData(model)
    const simulation = createSimulation(model, { solver: 'redmax', timestep })
    simulation.reset({ v: velocity(model.nv) })
    const total = (): number => {
      const { kinetic, potential } = energy(model, data, simulation.state)
      return kinetic + potential
    }
    const first = total()
    const { kinetic } = energy(model, data, simulation.state)
    let most = first
    let least = first
    for (let k = 0; k < STEPS; k++) {
      const { status, message } = simulation.step()
      if (status !== 'ok') {
        expect(message).toMatch(/(constraint|joint|body|limit|spring) .*'/)
        expect(message).toMatch(/; .*(check|widen|remove|soften|bring|keep|take)/)
        break
      }
      most = Math.max(most, total())
      least = Math.min(least, total())
    }
    expect(most - first).toBeLessThan(GAIN * Math.max(kinetic, first - least) + ROUNDING)
  })
})
