/**
 * Plain equations of the literature, without any mechanism: Van der Pol, Robertson, HIRES, Pleiades. Their end values are those that the
 * literature gives to 9 digits and more (test set for initial value problem solvers).
 */
import { describe, expect, it } from 'vitest'
import type { Vec } from '../../math/types.js'
import { createIntegrator } from './methods.js'
import { type IntegratorOptions, odeProblem } from './problem.js'

interface TestProblem {
  readonly name: string
  readonly start: readonly number[]
  readonly end: number
  readonly solution: readonly number[]
  /** largest error, in units of the tolerance, that a run may have gathered at the end */
  readonly factor: number
  /** absolute tolerance over relative */
  readonly scale?: number
  /** Adams is only asked for a shorter time where the equation is stiff; its reference is then bdf to 1e-11 */
  readonly adamsEnd?: number
  rate(out: Vec, t: number, y: Vec): void
}

const MU = 1e3

const problems: readonly TestProblem[] = [
  {
    name: 'van der pol, mu = 1e3',
    start: [2, 0],
    end: 2000,
    solution: [0.1706167732170483e1, -0.8928097010247975e-3],
    // a shift of the two fast falls within 2000 s
    factor: 150,
    adamsEnd: 20,
    rate(out, _t, y) {
      out[0] = y[1]
      out[1] = MU * (1 - y[0] * y[0]) * y[1] - y[0]
    },
  },
  {
    name: 'robertson',
    start: [1, 0, 0],
    end: 40,
    solution: [0.7158270687193941, 9.185534764567e-6, 0.2841637457458413],
    factor: 12,
    scale: 1e-4,
    rate(out, _t, [a, b, c]) {
      out[0] = -0.04 * a + 1e4 * b * c
      out[2] = 3e7 * b * b
      out[1] = -out[0] - out[2]
    },
  },
  {
    name: 'hires',
    start: [1, 0, 0, 0, 0, 0, 0, 0.0057],
    end: 321.8122,
    solution: [
      0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2, 0.2386356198831331e-2,
      0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2,
    ],
    // the solution falls to a thousandth while errors of the fall last
    factor: 150,
    scale: 1e-2,
    rate(out, _t, y) {
      out[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007
      out[1] = 1.71 * y[0] - 8.75 * y[1]
      out[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4]
      out[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3]
      out[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6]
      out[5] = -280 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6]
      out[6] = 280 * y[5] * y[7] - 1.81 * y[6]
      out[7] = -out[6]
    },
  },
  {
    name: 'pleiades',
    start: [3, 3, -1, -3, 2, -2, 2, 3, -3, 2, 0, 0, -4, 4, 0, 0, 0, 0, 0, 1.75, -1.5, 0, 0, 0, -1.25, 1, 0, 0],
    end: 3,
    solution: [
      0.3706139143970502, 3.237284092057233, -3.222559032418324, 0.659709145577531, 0.3425581707156584, 1.562172101400631,
      -0.7003092922212495, -3.943437585517392, -3.27138097397255, 5.225081843456543, -2.59061243497747, 1.198213693392275,
      -0.2429682344935824, 1.09144924042898,
    ],
    // close encounters of the stars magnify errors by thousands
    factor: 8e3,
    rate(out, _t, y) {
      for (let i = 0; i < 7; i++) {
        out[i] = y[14 + i]
        out[7 + i] = y[21 + i]
        out[14 + i] = 0
        out[21 + i] = 0
        for (let j = 0; j < 7; j++) {
          if (j === i) continue
          const dx = y[j] - y[i]
          const dy = y[7 + j] - y[7 + i]
          const r2 = dx * dx + dy * dy
          const pull = (j + 1) / (r2 * Math.sqrt(r2))
          out[14 + i] += pull * dx
          out[21 + i] += pull * dy
        }
      }
    },
  },
]

function solve(problem: TestProblem, method: 'gear' | 'bdf', end: number, options: IntegratorOptions) {
  const p = odeProblem(problem.start.length, problem.rate)
  const integrator = createIntegrator(p, method, options)
  integrator.start(0, Float64Array.from(problem.start))
  let status = 'ok'
  while (integrator.time() < end && status === 'ok') status = integrator.advance()
  const y = new Float64Array(p.n)
  integrator.dense(y, end)
  return { status, y, integrator, evaluations: p.evaluations() }
}

/** Largest error in units of what the tolerance allows a step. */
function worst(y: Vec, solution: ArrayLike<number>, rtol: number, atol: number): number {
  let most = 0
  for (let k = 0; k < solution.length; k++) most = Math.max(most, Math.abs(y[k] - solution[k]) / (Math.abs(solution[k]) * rtol + atol))
  return most
}

describe.each(problems)('$name', (problem) => {
  it.each([1e-4, 1e-7])('bdf agrees with the literature to its tolerance %f', (rtol) => {
    const atol = rtol * (problem.scale ?? 1)
    const { status, y } = solve(problem, 'bdf', problem.end, { rtol, atol })
    expect(status).toBe('ok')
    expect(worst(y, problem.solution, rtol, atol)).toBeLessThan(problem.factor)
  })

  it.each([1e-4, 1e-8])('gear agrees with the reference to its tolerance %f', (rtol) => {
    const atol = rtol * (problem.scale ?? 1)
    const { adamsEnd } = problem
    const end = adamsEnd ?? problem.end
    const { status, y } = solve(problem, 'gear', end, { rtol, atol })
    const solution = adamsEnd === undefined ? problem.solution : solve(problem, 'bdf', end, { rtol: 1e-11, atol: 1e-11 }).y
    expect(status).toBe('ok')
    expect(worst(y, solution, rtol, atol)).toBeLessThan(problem.factor)
  })
})

it('bdf takes few evaluations where the equation is stiff, gear thousands', () => {
  const robertson = problems[1]
  const options = { rtol: 1e-4, atol: 1e-8 }
  const stiff = solve(robertson, 'bdf', 40, options)
  const explicit = solve(robertson, 'gear', 40, options)
  expect(explicit.evaluations).toBeGreaterThan(50 * stiff.evaluations)
})
