/**
 * The closed linkages, simulated: loops stay closed, redundant ones too, and the second-order scheme keeps the energy.
 *
 * `LOOP_SECONDS=60` runs them as long as the published claim does.
 */
import { buildModel, createData, createSimulation, energy, forwardKinematics, type Spec, type Vec3 } from 'limber'
import { describe, expect, it } from 'vitest'
import { findScene } from './index.js'

const seconds = Number(process.env.LOOP_SECONDS ?? 8)
const linkages = ['four-bar', 'slider-crank', 'stewart', 'parallelogram', 'bennett']

/** The largest distance between the points of a closure, or misfit of its axes. */
function opening(spec: Spec, X: Float64Array, index: ReadonlyMap<string, number>): number {
  const at = (body: string, v: Vec3, share: number): number[] => {
    const o = 12 * (index.get(body) ?? Number.NaN)
    return [0, 1, 2].map((r) => share * (X[o + 9 + r] ?? 0) + v.reduce((sum, x, c) => sum + x * (X[o + 3 * r + c] ?? 0), 0))
  }
  let most = 0
  for (const c of spec.constraints ?? []) {
    if (c.type !== 'point' && c.type !== 'hinge') continue
    const [a, b] = [c.a, c.b].map(({ body, point = [0, 0, 0] }) => at(body, point, 1))
    const gap = [0, 1, 2].map((r) => (a?.[r] ?? 0) - (b?.[r] ?? 0))
    const axes = c.type === 'point' ? c.axes : undefined
    // links of a plane linkage lie side by side: only the plane counts
    const parts = axes ? axes.map((axis) => axis.reduce((sum, x, r) => sum + x * (gap[r] ?? 0), 0)) : gap
    most = Math.max(most, Math.hypot(...parts))
    if (c.type !== 'hinge') continue
    const [u, w] = [c.a, c.b].map(({ body, axis = [0, 0, 1] }) => at(body, axis, 0))
    most = Math.max(most, Math.hypot(...[0, 1, 2].map((r) => (u?.[r] ?? 0) - (w?.[r] ?? 0))))
  }
  return most
}

describe.each(linkages)('%s', (name) => {
  const spec = findScene(name)?.build({}) ?? { bodies: [] }
  const model = buildModel(spec)
  const index = new Map(model.bodies.map((body, i) => [body.name, i]))
  const data = createData(model)

  it.each(['second-order', 'auto'])(`stays closed to 1e-6 m for ${seconds} s, scheme %s`, (scheme) => {
    const sim = createSimulation(model, { solver: 'redmax', scheme })
    let worst = 0
    while (sim.state.t < seconds) {
      expect(sim.step(4).message).toBe('')
      forwardKinematics(model, data, sim.state.q, sim.state.v)
      worst = Math.max(worst, opening(spec, data.X_WB, index))
    }
    expect(worst).toBeLessThan(1e-6)
  })
})

describe('energy of a frictionless linkage', () => {
  it.each([
    ['four-bar', 0.02],
    ['slider-crank', 0.001],
    ['parallelogram', 0.001],
    // passes its folded pose, where all hinges line up and rows vanish
    ['bennett', 0.001],
  ])('%s: second order keeps all but a share of %d', (name, share) => {
    const model = buildModel(findScene(name)?.build({}) ?? { bodies: [] })
    const data = createData(model)
    const sim = createSimulation(model, { solver: 'redmax', scheme: 'second-order' })
    const total = (): number => {
      const { kinetic, potential } = energy(model, data, sim.state)
      return kinetic + potential
    }
    const start = total()
    while (sim.state.t < seconds) {
      sim.step(4)
      expect(Math.abs(total() - start)).toBeLessThan(share * start)
    }
  })
})
