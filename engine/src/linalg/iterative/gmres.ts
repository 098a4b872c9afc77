/**
 * Restarted GMRES for A x = b, A any nonsingular matrix, preconditioned from the right.
 *
 * Y. Saad, M. H. Schultz, GMRES: A Generalized Minimal Residual Algorithm for Solving Nonsymmetric Linear Systems, SIAM J. Sci. Stat.
 * Comput. 7 (1986); modified Gram–Schmidt, a second pass where cancellation was strong, Givens rotations. Right preconditioning leaves
 * the residual that of A x = b itself. Stops when |b − A x| ≤ max(tol |b|, enough) in the norm of the weights given: |r|² = Σ (wᵢ rᵢ)².
 */
import type { Vec } from '../../math/types.js'
import type { IterativeReport, LinearOperator } from './linear-operator.js'

export interface Gmres {
  readonly n: number
  /** directions kept before a restart */
  readonly restart: number
  /** the residual is formed anew before it is believed, at one product; otherwise the rotations' own estimate ends the iteration */
  readonly checked: boolean
  /** a residual that is small enough whatever b is; in an array, for a number handed to a call may be boxed */
  readonly enough: Vec
  /** orthonormal basis, restart + 1 rows */
  readonly V: Vec
  /** Hessenberg matrix turned triangular, column by column, restart + 1 apart */
  readonly H: Vec
  readonly c: Vec
  readonly s: Vec
  readonly g: Vec
  readonly u: Vec
  readonly z: Vec
  readonly report: IterativeReport
}

/** A new direction shorter than this share of A v has lost its digits and is orthogonalised again. */
const CANCELLATION = 0.7

export function createGmres(n: number, restart: number, checked = true): Gmres {
  return {
    n,
    restart,
    checked,
    enough: new Float64Array(1),
    V: new Float64Array((restart + 1) * n),
    H: new Float64Array((restart + 1) * restart),
    c: new Float64Array(restart),
    s: new Float64Array(restart),
    g: new Float64Array(restart + 1),
    u: new Float64Array(n),
    z: new Float64Array(n),
    report: { status: 'converged', iterations: 0, residual: 0 },
  }
}

/** Improves x, which holds the first guess. Without `weights` all are 1. */
export function gmres(
  w: Gmres,
  operator: LinearOperator,
  b: Vec,
  x: Vec,
  tolerance: number,
  maxIterations: number,
  weights?: Vec,
): Readonly<IterativeReport> {
  const { n, restart, V, H, c, s, g, u, z, report } = w
  const stride = restart + 1
  report.iterations = 0
  report.residual = 0
  let bb = 0
  for (let i = 0; i < n; i++) {
    const v = weights === undefined ? b[i] : weights[i] * b[i]
    bb += v * v
  }
  if (bb === 0) {
    for (let i = 0; i < n; i++) x[i] = 0
    report.status = 'converged'
    return report
  }
  const reference = Math.sqrt(bb)
  const goal = Math.max(tolerance, w.enough[0] / reference)

  for (;;) {
    // residual of the present x, the first direction
    operator.apply(u, x)
    let rr = 0
    for (let i = 0; i < n; i++) {
      const v = weights === undefined ? b[i] - u[i] : weights[i] * (b[i] - u[i])
      V[i] = v
      rr += v * v
    }
    const r0 = Math.sqrt(rr)
    report.residual = r0 / reference
    if (!(report.residual < Infinity)) return finish(report, 'breakdown')
    // a guess is judged by `tolerance` alone: x = 0 is no solution, however small b
    if (report.iterations === 0 ? report.residual <= tolerance : report.residual <= goal) return finish(report, 'converged')
    if (report.iterations >= maxIterations) return finish(report, 'max-iterations')
    for (let i = 0; i < n; i++) V[i] /= r0
    g.fill(0)
    g[0] = r0

    let k = 0
    let exact = false
    while (k < restart && report.iterations < maxIterations && !exact) {
      // next direction: W A P⁻¹ W⁻¹ v
      const next = (k + 1) * n
      for (let i = 0; i < n; i++) u[i] = weights === undefined ? V[k * n + i] : V[k * n + i] / weights[i]
      operator.precondition(z, u)
      operator.apply(u, z)
      let before = 0
      for (let i = 0; i < n; i++) {
        const v = weights === undefined ? u[i] : weights[i] * u[i]
        V[next + i] = v
        before += v * v
      }
      report.iterations++
      for (let j = 0; j <= k; j++) H[k * stride + j] = 0
      const h = k * stride
      orthogonalize(w, k, next)
      if (H[h + k + 1] < CANCELLATION * Math.sqrt(before)) orthogonalize(w, k, next)
      const length = H[h + k + 1]
      if (!(length < Infinity)) return finish(report, 'breakdown')

      // earlier rotations, then the one that clears the new subdiagonal
      for (let j = 0; j < k; j++) {
        const t = c[j] * H[h + j] + s[j] * H[h + j + 1]
        H[h + j + 1] = c[j] * H[h + j + 1] - s[j] * H[h + j]
        H[h + j] = t
      }
      const d = Math.sqrt(H[h + k] * H[h + k] + length * length)
      if (d <= 1e-300) return finish(report, 'breakdown')
      c[k] = H[h + k] / d
      s[k] = length / d
      H[h + k] = d
      g[k + 1] = -s[k] * g[k]
      g[k] = c[k] * g[k]
      k++
      report.residual = Math.abs(g[k]) / reference
      exact = length <= 1e-14 * Math.sqrt(before)
      if (report.residual <= goal) break
      if (!exact) for (let i = 0; i < n; i++) V[next + i] /= length
    }

    // coefficients by back substitution; x += P⁻¹ W⁻¹ V y
    for (let j = k - 1; j >= 0; j--) {
      let t = g[j]
      for (let q = j + 1; q < k; q++) t -= H[q * stride + j] * g[q]
      g[j] = t / H[j * stride + j]
    }
    u.fill(0)
    for (let j = 0; j < k; j++) for (let i = 0; i < n; i++) u[i] += g[j] * V[j * n + i]
    if (weights !== undefined) for (let i = 0; i < n; i++) u[i] /= weights[i]
    operator.precondition(z, u)
    for (let i = 0; i < n; i++) x[i] += z[i]
    if (exact && report.residual > goal) return finish(report, 'breakdown')
    if (w.checked) continue
    if (report.residual <= goal) return finish(report, 'converged')
    if (report.iterations >= maxIterations) return finish(report, 'max-iterations')
  }
}

/** Takes the first k + 1 directions off the vector at V[next], adding the coefficients to column k of H; its length goes below them. */
function orthogonalize(w: Gmres, k: number, next: number): void {
  const { n, V, H, restart } = w
  for (let j = 0; j <= k; j++) {
    let t = 0
    for (let i = 0; i < n; i++) t += V[j * n + i] * V[next + i]
    for (let i = 0; i < n; i++) V[next + i] -= t * V[j * n + i]
    H[k * (restart + 1) + j] += t
  }
  let t = 0
  for (let i = 0; i < n; i++) t += V[next + i] * V[next + i]
  H[k * (restart + 1) + k + 1] = Math.sqrt(t)
}

function finish(report: IterativeReport, status: IterativeReport['status']): IterativeReport {
  report.status = status
  return report
}
