import { describe, expect, it } from 'vitest'
import { buildModel } from '../../build/build-model.js'
import type { Spec } from '../../build/spec.js'
import { createSimulation } from '../../create-simulation.js'
import { luFactor, luSolve } from '../../linalg/dense/lu.js'
import { createModelProblem } from './model-problem.js'

/** A fork of rods, hanging (1) or standing (−1): the second and third hang from the first, the fourth from the third. */
const fork = (sense: 1 | -1): Spec => ({
  gravity: [0, 0, -9.81 * sense],
  bodies: ['world', 'r0', 'r0', 'r2'].map((parent, k) => ({
    name: `r${k}`,
    parent,
    position: [0, 0, parent === 'world' ? 0 : -0.5] as const,
    inertia: { mass: 1 + k, com: [0, 0, -0.3] as const, tensor: [0.03, 0.04, 0.01, 0, 0, 0] as const },
    gravityCompensation: k === 1 ? 0.4 : 0,
    joints: [{ name: `j${k}`, type: 'revolute' as const, axis: [k % 2, 1 - (k % 2), 0] as const, damping: 2 }],
  })),
})

/** (1 − g J)⁻¹ x with J by differences of the rates at rest. */
function exact(problem: ReturnType<typeof createModelProblem>, g: number, x: Float64Array): Float64Array {
  const { n } = problem
  const A = new Float64Array(n * n)
  const y = new Float64Array(n)
  const plus = new Float64Array(n)
  const minus = new Float64Array(n)
  for (let j = 0; j < n; j++) {
    y[j] = 1e-5
    problem.rate(plus, y)
    y[j] = -1e-5
    problem.rate(minus, y)
    y[j] = 0
    for (let i = 0; i < n; i++) A[i * n + j] = (i === j ? 1 : 0) - (g * (plus[i] - minus[i])) / 2e-5
  }
  const rows = new Int32Array(n)
  expect(luFactor(A, 0, n, rows)).toBe(-1)
  const out = new Float64Array(n)
  luSolve(A, 0, n, rows, out, 0, x, 0)
  return out
}

function preconditioned(problem: ReturnType<typeof createModelProblem>, g: number, x: Float64Array): Float64Array {
  problem.rate(new Float64Array(problem.n), new Float64Array(problem.n))
  const out = x.slice()
  expect(problem.preconditioner?.factor(Float64Array.of(g))).toBe(true)
  problem.preconditioner?.solve(out)
  return out
}

describe('weight in the preconditioner', () => {
  const x = Float64Array.of(0.3, -0.2, 0.5, 0.1, 1, -2, 0.7, 0.4)

  it('makes it exact to 1e-6 for bodies that hang at rest, whatever the step', () => {
    const problem = createModelProblem(buildModel(fork(1)))
    for (const g of [0.01, 0.1, 1]) {
      const wanted = exact(problem, g, x)
      const found = preconditioned(problem, g, x)
      for (let k = 0; k < x.length; k++) expect(Math.abs(found[k] - wanted[k])).toBeLessThan(1e-6)
    }
  })

  it('leaves it positive where bodies stand, and would fall', () => {
    const problem = createModelProblem(buildModel(fork(-1)))
    for (const g of [0.01, 0.1, 10]) expect(preconditioned(problem, g, x).every(Number.isFinite)).toBe(true)
  })

  it('spares long chains all products with the Jacobian', () => {
    const bodies = Array.from({ length: 200 }, (_, k) => ({
      name: `r${k}`,
      parent: k === 0 ? 'world' : `r${k - 1}`,
      position: [0, 0, k === 0 ? 0 : -1] as const,
      inertia: { mass: 1, com: [0, 0, -0.5] as const, tensor: [0.1, 0.1, 0.01, 0, 0, 0] as const },
      joints: [{ type: 'revolute' as const, axis: [0, 1, 0] as const, damping: 10, initial: k === 0 ? 0.8 : 0 }],
    }))
    const simulation = createSimulation(buildModel({ bodies }), { solver: 'ode', method: 'bdf', rtol: 1e-3, atol: 1e-3, timestep: 2 })
    const report = simulation.step()
    expect(report.status).toBe('ok')
    expect('products' in report && report.products).toBe(0)
    // without the weight: 185, of which 152 products
    expect(report.evaluations).toBeLessThan(50)
  })
})
