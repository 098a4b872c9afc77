/**
 * Preconditioned conjugate gradients for A x = b, A and P symmetric positive definite.
 *
 * Stops when √(rᵀ P⁻¹ r) ≤ tol √(bᵀ P⁻¹ b). The P-norm mixes radians and metres safely, and comparing with b instead of the first
 * residual lets a good warm start save iterations instead of sharpening the test. A start gets one iteration even where it
 * would pass: taken as it is, step after step, what is below the tolerance would never be felt.
 */
import type { Vec } from '../../math/types.js'
import type { IterativeReport, LinearOperator } from './linear-operator.js'

export interface Pcg {
  readonly n: number
  readonly r: Vec
  readonly z: Vec
  readonly p: Vec
  readonly Ap: Vec
  readonly report: IterativeReport
}

// less cannot be divided by
const TINY = 1e-300

export function createPcg(n: number): Pcg {
  return {
    n,
    r: new Float64Array(n),
    z: new Float64Array(n),
    p: new Float64Array(n),
    Ap: new Float64Array(n),
    report: { status: 'converged', iterations: 0, residual: 0 },
  }
}

/**
 * Improves x, which holds the warm start. `breakdown` means pᵀ A p ≤ 0 or rᵀ P⁻¹ r < 0: not positive definite; x is then the last
 * iterate and the caller should turn to a direct solve.
 */
export function pcg(w: Pcg, operator: LinearOperator, b: Vec, x: Vec, tolerance: number, maxIterations: number): Readonly<IterativeReport> {
  const { n, r, z, p, Ap, report } = w
  report.iterations = 0
  report.residual = 0

  // reference: b in the P-norm
  operator.precondition(z, b)
  const bb = dot(b, z, n)
  if (!(bb >= 0 && bb < Infinity)) return fail(report)
  if (bb === 0) {
    for (let i = 0; i < n; i++) x[i] = 0
    report.status = 'converged'
    return report
  }
  const reference = Math.sqrt(bb)

  // r = b − A x; from rest that is b, whose z is known
  let warm = false
  for (let i = 0; i < n; i++) if (x[i] !== 0) warm = true
  if (warm) {
    operator.apply(Ap, x)
    for (let i = 0; i < n; i++) r[i] = b[i] - Ap[i]
    operator.precondition(z, r)
  } else {
    for (let i = 0; i < n; i++) r[i] = b[i]
  }
  for (let i = 0; i < n; i++) p[i] = z[i]
  let rz = dot(r, z, n)

  for (;;) {
    if (!(rz >= 0 && rz < Infinity)) return fail(report)
    report.residual = Math.sqrt(rz) / reference
    if (report.residual <= tolerance && (report.iterations > 0 || rz < TINY)) {
      report.status = 'converged'
      return report
    }
    if (report.iterations >= maxIterations) {
      report.status = 'max-iterations'
      return report
    }

    operator.apply(Ap, p)
    const pAp = dot(p, Ap, n)
    if (!(pAp > 0 && pAp < Infinity)) return fail(report)
    const a = rz / pAp
    for (let i = 0; i < n; i++) {
      x[i] += a * p[i]
      r[i] -= a * Ap[i]
    }
    operator.precondition(z, r)
    const next = dot(r, z, n)
    const beta = next / rz
    for (let i = 0; i < n; i++) p[i] = z[i] + beta * p[i]
    rz = next
    report.iterations++
  }
}

function fail(report: IterativeReport): IterativeReport {
  report.status = 'breakdown'
  return report
}

function dot(a: Vec, b: Vec, n: number): number {
  let s = 0
  for (let i = 0; i < n; i++) s += a[i] * b[i]
  return s
}
