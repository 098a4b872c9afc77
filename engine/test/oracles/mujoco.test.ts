/** The oracle itself: that its models compile, and that the change to Limber's coordinates is right on cases known in closed form. */
import { describe, expect, it } from 'vitest'
import { loadModels } from './models.js'
import { createOracle } from './mujoco.js'
import { randomState } from './random-state.js'

/** Rounding of a handful of operations on numbers of order one. */
const ROUNDING = 1e-12

describe('the oracle', () => {
  it.each(loadModels().map((model) => [model.name, model] as const))('compiles %s and gives finite numbers', async (_, model) => {
    const oracle = await createOracle(model.text, model.files)
    try {
      const { acceleration, mass, kinetic, potential } = oracle.forward(randomState(oracle, 1))
      expect([...acceleration, ...mass, kinetic, potential].every(Number.isFinite)).toBe(true)
    } finally {
      oracle.free()
    }
  })

  it('gives the body-frame acceleration g − ω × v of a free body whose frame is its centre of mass', async () => {
    const oracle = await createOracle('<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
    const { q, v } = randomState(oracle, 7)
    const { acceleration } = oracle.forward({ q, v })
    oracle.free()
    const [w, x, y, z] = q.subarray(3)
    // gravity in body axes: third row of R times −9.81
    const down = [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)].map((r) => -9.81 * r)
    const [a, b, c, d, e, f] = v
    const cross = [b * f - c * e, c * d - a * f, a * e - b * d]
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(acceleration[k])).toBeLessThan(ROUNDING)
      expect(Math.abs(acceleration[3 + k] - (down[k] - cross[k]))).toBeLessThan(100 * ROUNDING)
    }
  })

  it('inverts its own forward dynamics in the new coordinates', async () => {
    for (const model of loadModels().filter(({ name }) => ['joint-types', 'free-bodies', 'ball-free-springs'].includes(name))) {
      const oracle = await createOracle(model.text, model.files)
      const state = randomState(oracle, 3)
      const tau = oracle.inverse(state, oracle.forward(state).acceleration)
      oracle.free()
      for (let k = 0; k < tau.length; k++) expect(tau[k]).toBeCloseTo(state.tau[k], 9)
    }
  })

  it('has twice the kinetic energy in v·M v', async () => {
    for (const model of loadModels().filter(({ name }) => ['joint-types', 'robot-quadruped', 'robot-fish'].includes(name))) {
      const oracle = await createOracle(model.text, model.files)
      const state = randomState(oracle, 5)
      const { mass, kinetic } = oracle.forward(state)
      oracle.free()
      let sum = 0
      for (let i = 0; i < oracle.nv; i++) for (let j = 0; j < oracle.nv; j++) sum += state.v[i] * mass[oracle.nv * i + j] * state.v[j]
      expect(Math.abs(sum / 2 - kinetic) / kinetic).toBeLessThan(ROUNDING)
    }
  })

  it('says what is wrong with a model that does not compile', async () => {
    await expect(createOracle('<mujoco><unheard-of/></mujoco>')).rejects.toThrow(/unrecognized element/)
  })
})
