/**
 * Contact with friction cones to rounding: Newton's method on the nonsmooth equations of P. Alart and A. Curnier, A Mixed Formulation for
 * Frictional Contact Problems Prone to Newton Like Solution Methods, Comput. Methods Appl. Mech. Eng. 92 (1991).
 *
 *   row with bounds:  λ − clamp(λ − ρ w, lo, hi) = 0
 *   friction rows:    y − ball(y − ρ g, λ_n) = 0,  y = λ_t / μ, g = μ w_t, ball = nearest point of |y| ≤ λ_n
 *
 * Some block Gauss–Seidel sweeps find the neighbourhood and serve as the fallback; a step that does not reduce the residual is
 * halved. Redundant rows get a small share of the diagonal in the Jacobian only, so that the solution is that of D itself.
 */

import { luFactor, luSolve } from '../../linalg/dense/lu.js'
import type { Vec } from '../../math/types.js'
import { type ConeWork, coneGaussSeidel, createConeWork, frictionRows, measureCone } from './cone.js'
import { type Complementarity, type ComplementarityReport, copyRows } from './lcp.js'

export interface ConeSolver {
  readonly cone: ConeWork
  readonly J: Vec
  readonly F: Vec
  readonly dx: Vec
  /** z = y − ρ g of friction rows */
  readonly z: Vec
  readonly before: Vec
  readonly best: Vec
  readonly rows: Int32Array
}

const PROXIMAL = 1e-9
const FIRST_SWEEPS = 20
const NEWTON_STEPS = 30

export function createConeSolver(capacity: number): ConeSolver {
  return {
    cone: createConeWork(),
    J: new Float64Array(capacity * capacity),
    F: new Float64Array(capacity),
    dx: new Float64Array(capacity),
    z: new Float64Array(capacity),
    before: new Float64Array(capacity),
    best: new Float64Array(capacity),
    rows: new Int32Array(capacity),
  }
}

/** Solves p with elliptic friction cones from the warm start in λ. The report counts sweeps and Newton steps. */
export function solveCone(s: ConeSolver, p: Complementarity, tolerance = 1e-9, maxSweeps = 1000): Readonly<ComplementarityReport> {
  const { n, lambda, report } = p
  const { before, best, dx } = s

  // a warm start that is already right stays bit for bit
  report.iterations = 0
  measureCone(p)
  if (report.residual <= tolerance) {
    report.status = 'solved'
    return report
  }
  coneGaussSeidel(s.cone, p, tolerance, FIRST_SWEEPS)
  let iterations = report.iterations
  let residual = report.residual
  copyRows(best, lambda, n)
  let least = residual

  for (let step = 0; step < NEWTON_STEPS && residual > tolerance; step++) {
    copyRows(before, lambda, n)
    if (!newtonStep(s, p)) break
    iterations++
    let share = 1
    let reduced = false
    for (let halving = 0; halving < 6; halving++) {
      for (let i = 0; i < n; i++) lambda[i] = before[i] + share * dx[i]
      measureCone(p)
      if (report.residual < residual) {
        residual = report.residual
        reduced = true
        break
      }
      share *= 0.5
    }
    if (!reduced) {
      // stuck at a kink: a few sweeps move to another piece
      copyRows(lambda, before, n)
      coneGaussSeidel(s.cone, p, tolerance, FIRST_SWEEPS)
      iterations += report.iterations
      residual = report.residual
    }
    if (residual < least) {
      least = residual
      copyRows(best, lambda, n)
    }
  }

  copyRows(lambda, best, n)
  measureCone(p)
  if (report.residual > tolerance) {
    coneGaussSeidel(s.cone, p, tolerance, maxSweeps)
    iterations += report.iterations
    if (report.residual > least) {
      copyRows(lambda, best, n)
      measureCone(p)
    }
  }
  report.status = report.residual <= tolerance ? 'solved' : 'approximate'
  report.iterations = iterations
  return report
}

/** dx ← −J⁻¹ F at the present λ. False where J is singular. */
function newtonStep(s: ConeSolver, p: Complementarity): boolean {
  const { n, D, lambda, w, normal } = p
  const { J, F } = s
  J.fill(0, 0, n * n)
  for (let i = 0; i < n; i++) {
    if (normal[i] >= 0) {
      const k = frictionRows(p, i)
      frictionJacobian(s, p, i, k)
      i += k - 1
      continue
    }
    const d = D[i * n + i]
    const target = d > 0 ? lambda[i] - w[i] / d : 0
    if (!(d > 0) || target <= p.lo[i] || target >= p.hi[i]) {
      // at a bound
      const bound = target <= p.lo[i] ? p.lo[i] : target >= p.hi[i] ? p.hi[i] : 0
      J[i * n + i] = 1
      F[i] = lambda[i] - bound
    } else {
      for (let j = 0; j < n; j++) J[i * n + j] = D[i * n + j] / d
      J[i * n + i] += PROXIMAL
      F[i] = w[i] / d
    }
  }
  for (let i = 0; i < n; i++) F[i] = -F[i]
  if (luFactor(J, 0, n, s.rows) >= 0) return false
  luSolve(J, 0, n, s.rows, s.dx, 0, F, 0)
  for (let i = 0; i < n; i++) if (!Number.isFinite(s.dx[i])) return false
  return true
}

/** Rows of J and F for the k friction rows from i on. */
function frictionJacobian(s: ConeSolver, p: Complementarity, i: number, k: number): void {
  const { n, D, lambda, w, mu } = p
  const { J, F, z } = s
  const row = p.normal[i]
  const radius = Math.max(0, lambda[row])
  let trace = 0
  for (let a = i; a < i + k; a++) trace += mu[a] * mu[a] * D[a * n + a]
  let norm = 0
  for (let a = i; a < i + k; a++) {
    z[a] = mu[a] > 0 && trace > 0 ? lambda[a] / mu[a] - (mu[a] * w[a]) / trace : 0
    norm += z[a] * z[a]
  }
  norm = Math.sqrt(norm)

  for (let a = i; a < i + k; a++) {
    const r = a * n
    if (!(trace > 0) || !(mu[a] > 0) || radius === 0) {
      J[r + a] = 1
      F[a] = lambda[a]
      // without a normal force there is no friction, whatever the velocity
      if (radius === 0 && trace > 0 && mu[a] > 0 && norm > 0) J[r + row] = (-mu[a] * z[a]) / norm
      continue
    }
    if (norm <= radius) {
      // stick: w = 0
      const d = D[r + a] > 0 ? D[r + a] : 1
      for (let j = 0; j < n; j++) J[r + j] = D[r + j] / d
      J[r + a] += PROXIMAL
      F[a] = w[a] / d
      continue
    }

    // slip: y − λ_n z / |z| = 0 with z = y − g / trace, in units of λ (times μ)
    const da = z[a] / norm
    const shrink = radius / norm
    F[a] = lambda[a] - mu[a] * radius * da
    J[r + a] += 1
    J[r + row] -= mu[a] * da
    for (let b = i; b < i + k; b++) {
      if (!(mu[b] > 0)) continue
      const db = z[b] / norm
      const m = mu[a] * shrink * ((a === b ? 1 : 0) - da * db)
      J[r + b] -= m / mu[b]
      for (let j = 0; j < n; j++) J[r + j] += (m * mu[b] * D[b * n + j]) / trace
    }
  }
}
