import { describe, expect, it } from 'vitest'
import type { Vec } from '../../math/types.js'
import { createMultistep } from './multistep.js'
import { type OdeProblem, odeProblem } from './problem.js'
import { createRungeKutta } from './runge-kutta.js'
import { type Tableau, tableaus } from './tableaus.js'

// a nonlinear equation with the closed solution y = (sin t, cos t) exp(sin t): rates depend on t and on both entries
const problem = () =>
  odeProblem(2, (out, t, y) => {
    out[0] = y[1] + y[0] * Math.cos(t)
    out[1] = -y[0] + y[1] * Math.cos(t) + 0.3 * (y[0] * y[0] + y[1] * y[1] - Math.exp(2 * Math.sin(t)))
  })
const solution = (t: number): [number, number] => [Math.sin(t) * Math.exp(Math.sin(t)), Math.cos(t) * Math.exp(Math.sin(t))]

const END = 1.5

function errorAt(t: number, y: Vec): number {
  const [a, b] = solution(t)
  return Math.hypot(y[0] - a, y[1] - b)
}

/** Slope of log(error) over log(h), from pairs of step counts. */
function slope(error: (steps: number) => number, steps: number): number {
  return Math.log2(error(steps) / error(2 * steps))
}

/** One plain step, without control. */
function plainSteps({ a, b, c }: Tableau, steps: number): number {
  const p = problem()
  const h = END / steps
  let y = Float64Array.of(...solution(0))
  for (let k = 0; k < steps; k++) {
    const rates: Float64Array[] = []
    for (let i = 0; i < b.length; i++) {
      const stage = y.map((x, r) => x + h * a[i].reduce((sum, w, j) => sum + w * rates[j][r], 0))
      rates.push(new Float64Array(2))
      p.clock[0] = k * h + c[i] * h
      p.rate(rates[i], stage)
    }
    y = y.map((x, r) => x + h * b.reduce((sum, w, j) => sum + w * rates[j][r], 0))
  }
  return errorAt(END, y)
}

describe('tableaus', () => {
  it.each(Object.entries(tableaus))('%s has its order, and its embedded row the one below', (_name, tableau: Tableau) => {
    expect(slope((n) => plainSteps(tableau, n), 32)).toBeCloseTo(tableau.order, 0)
    expect(Math.abs(slope((n) => plainSteps(tableau, n), 32) - tableau.order)).toBeLessThan(0.25)
    if (!tableau.low) return
    const low = { ...tableau, b: tableau.low }
    expect(Math.abs(slope((n) => plainSteps(low, n), 32) - (tableau.order - 1))).toBeLessThan(0.25)
  })
})

describe('runge-kutta methods with error control', () => {
  // with a tolerance of 1 and hmax the steps are all of size hmax: what is propagated shows its order
  it.each([
    ['iec', 3],
    ['rk3', 3],
    ['rkg', 5],
    ['rkf45', 5],
  ] as const)('%s carries the solution on at order %i', (name, order) => {
    const error = (steps: number): number => {
      const integrator = createRungeKutta(problem(), tableaus[name], { rtol: 1, atol: 1e6, hmax: END / steps })
      integrator.start(0, Float64Array.of(...solution(0)))
      while (integrator.time() < END - 1e-9) expect(integrator.advance()).toBe('ok')
      expect(integrator.statistics.steps).toBeGreaterThanOrEqual(steps)
      const out = new Float64Array(2)
      integrator.dense(out, integrator.time())
      return errorAt(integrator.time(), out)
    }
    expect(Math.abs(slope(error, 24) - order)).toBeLessThan(0.5)
  })

  it.each(['iec', 'rk3', 'rkg', 'rkf45'] as const)('%s: its dense output is as good as its steps', (name) => {
    const integrator = createRungeKutta(problem(), tableaus[name], { rtol: 1e-7, atol: 1e-7 })
    integrator.start(0, Float64Array.of(...solution(0)))
    const out = new Float64Array(2)
    let atSteps = 0
    let between = 0
    while (integrator.time() < END) {
      integrator.advance()
      integrator.dense(out, integrator.time())
      atSteps = Math.max(atSteps, errorAt(integrator.time(), out))
      for (const part of [0.1, 0.3, 0.5, 0.7, 0.9]) {
        const t = integrator.lastTime() + part * (integrator.time() - integrator.lastTime())
        integrator.dense(out, t)
        between = Math.max(between, errorAt(t, out))
      }
    }
    expect(between).toBeLessThan(3 * atSteps)
  })
})

/** Rows hⁱ y⁽ⁱ⁾/i! of y = sin(t + 0.3) for an exact start. */
function sineHistory(h: number, q: number): Float64Array {
  const z = new Float64Array(2 * (q + 1))
  let factor = 1
  for (let i = 0; i <= q; i++) {
    z[2 * i] = factor * Math.sin(0.3 + (i * Math.PI) / 2)
    z[2 * i + 1] = factor * Math.cos(0.3 + (i * Math.PI) / 2)
    factor *= h / (i + 1)
  }
  return z
}

describe('multistep methods', () => {
  // y'' = −y at fixed step and order from an exact history
  const error = (family: 'adams' | 'bdf', q: number, steps: number, end = 2, staggered = false): number => {
    const plain = odeProblem(2, (out, _t, y) => {
      out[0] = y[1]
      out[1] = -y[0]
    })
    const p: OdeProblem = staggered ? { ...plain, kinematic: 1, kinematicRate: (out, y) => out.set([y[1]]) } : plain
    const h = end / steps
    // Adams at one evaluation a step, as it mostly runs; Newton's method to the end
    const atol = family === 'adams' ? 1e6 : 1e-12
    const integrator = createMultistep(p, family, { rtol: 1e-12, atol, fixed: true })
    integrator.startWith(0, h, q, sineHistory(h, q))
    for (let k = 0; k < steps; k++) expect(integrator.advance()).toBe('ok')
    const out = new Float64Array(2)
    integrator.dense(out, integrator.time())
    return Math.hypot(out[0] - Math.sin(end + 0.3), out[1] - Math.cos(end + 0.3))
  }

  it.each([1, 2, 3, 4, 5])('gear of order %i converges with it', (q) => {
    expect(Math.abs(slope((n) => error('adams', q, n), 64) - q)).toBeLessThan(0.35)
  })

  // positions may do better, since they see corrected velocities: the order is a lower bound
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('gear of order %i keeps it where positions are corrected apart', (q) => {
    const found = slope((n) => error('adams', q, n, 2, true), q < 6 ? 64 : 24)
    expect(found).toBeGreaterThan(q - 0.35)
    expect(found).toBeLessThan(q + 1.35)
  })

  // where the higher orders are stable over a long time their error is below rounding: one step shows it
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])('one step of gear of order %i has an error of the order above', (q) => {
    const h = q < 5 ? 0.1 : q < 8 ? 0.4 : 1.6
    const ratio = error('adams', q, 1, h) / error('adams', q, 1, h / 2)
    expect(Math.abs(Math.log2(ratio) - (q + 1))).toBeLessThan(0.35)
  })

  it.each([1, 2, 3, 4, 5])('bdf of order %i converges with it', (q) => {
    expect(Math.abs(slope((n) => error('bdf', q, n), 64) - q)).toBeLessThan(0.35)
  })
})
