/**
 * Newton systems without a matrix: (1 − g J) x = b by GMRES [SaadSchultz] in the norm of the error weights, products with J by differences
 * of f, and the problem's own O(n) solve as right preconditioner.
 *
 * The preconditioner alone is a good enough inverse for most mechanisms (it holds the joints' stiffness and damping), so it is tried
 * first, at no evaluation; where the corrector then fails to converge, GMRES takes over for a while.
 */
import { createGmres, gmres } from '../../linalg/iterative/gmres.js'
import type { LinearOperator } from '../../linalg/iterative/linear-operator.js'
import { CORRECTOR_SCALARS, type CorrectorWork, G, LIMIT, type LinearSolver, SIZE } from './corrector.js'
import { weightedNorm } from './weighted-norm.js'

/** steps for which GMRES is kept once it was needed: what must be in the integrator's memory */
const KEPT = CORRECTOR_SCALARS - 1
const KEEP = 50
/** largest Krylov space, with and without a preconditioner; systems that need more are solved as well as this allows */
const LARGEST = 10
const LARGEST_PLAIN = 50
/** GMRES stops at this part of what the corrector tolerates */
const PART = 0.05

export function krylovSolver({ problem, w, y, f, statistics, memory, at }: CorrectorWork): LinearSolver {
  const n = problem.n
  const P = problem.preconditioner
  const size = Math.min(n, P ? LARGEST : LARGEST_PLAIN)
  // a product costs an evaluation of forces: none is spent on the residual of what was found
  const work = createGmres(n, size, false)
  const weights = new Float64Array(n)
  const b = new Float64Array(n)
  const moved = new Float64Array(n)
  const movedRate = new Float64Array(n)

  const operator: LinearOperator = {
    apply(out, x) {
      // a change of the size of the tolerance: large against rounding, small against what the corrector sees
      weightedNorm(at, SIZE, x, 0, w)
      const norm = at[SIZE]
      if (!(norm > 0)) {
        for (let i = 0; i < n; i++) out[i] = norm
        return
      }
      const sigma = 1 / norm
      for (let i = 0; i < n; i++) moved[i] = y[i] + sigma * x[i]
      problem.rate(movedRate, moved)
      const scale = at[G] / sigma
      for (let i = 0; i < n; i++) out[i] = x[i] - scale * (movedRate[i] - f[i])
      statistics.products++
    },
    precondition(out, r) {
      out.set(r)
      P?.solve(out)
    },
  }

  return {
    reset() {
      memory[KEPT] = P ? 0 : KEEP
    },
    prepare() {
      if (!P) return true
      statistics.factorizations++
      return P.factor(at)
    },
    solve(x) {
      if (memory[KEPT] === 0) {
        P?.solve(x)
        return
      }
      for (let i = 0; i < n; i++) weights[i] = 1 / w[i]
      work.enough[0] = PART * at[LIMIT] * Math.sqrt(n)
      b.set(x)
      x.fill(0)
      // no solution: the corrector must not take 0 for one
      if (gmres(work, operator, b, x, 0, size, weights).status === 'breakdown') x.fill(Number.NaN)
    },
    improve() {
      if (memory[KEPT] > 0) return false
      memory[KEPT] = KEEP
      return true
    },
    settle() {
      if (P && memory[KEPT] > 0) memory[KEPT]--
    },
  }
}
