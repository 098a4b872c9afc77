import { buildModel, createData, createSimulation, energy } from 'limber'
import { describe, expect, it } from 'vitest'
import { scenes } from './index.js'

const TOLERANCE = 1e-6

describe('linear solvers of redmax', () => {
  it.each(scenes.map(({ name }) => [name]))('agree to ten times the tolerance on %s', (name) => {
    const model = buildModel(scenes.find((one) => one.name === name)?.build({}) ?? { bodies: [] })
    const data = createData(model)
    // contact is solved on top of the linear solver, and 200 characters touch in 600 places
    const first = (linear: string) => {
      const sim = createSimulation(model, {
        solver: 'redmax',
        scheme: 'linear',
        linear,
        tolerance: TOLERANCE,
        contact: false,
        timestep: 0.01,
      })
      const { message } = sim.step()
      return { v: sim.state.v, state: sim.state, message }
    }
    // the factorisation has no place for bodies that deform
    const exact = first(model.modes.count > 0 ? 'recursive' : 'direct')
    expect(exact.message).toBe('')
    // as the square root of a share of the kinetic energy
    const size = (v: Float64Array): number => Math.sqrt(energy(model, data, { ...exact.state, v }).kinetic)
    for (const linear of ['pcg', 'auto', 'recursive']) {
      const other = first(linear)
      // the recursion says where it cannot be used
      if (linear === 'recursive' && other.message !== '') {
        expect(other.message).toMatch(/recursive/)
        continue
      }
      expect(other.message).toBe('')
      expect(size(other.v.map((x, k) => x - exact.v[k]))).toBeLessThanOrEqual(10 * TOLERANCE * Math.max(size(exact.v), 1e-9))
    }
  })
})
