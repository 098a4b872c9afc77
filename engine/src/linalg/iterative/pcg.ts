/**
 * Preconditioned conjugate gradients for A x = b, A and P symmetric positive definite.
 *
 * Stops when √(rᵀ P⁻¹ r) ≤ tol √(bᵀ P⁻¹ b). The P-norm mixes radians and metres safely, and comparing with b instead of the first
 * residual lets a good warm start save iterations instead of sharpening the test. A start gets one iteration even where it
 * would pass: taken as it is, step after step, what is below the tolerance would never be felt.
 */
import type { Vec } from '../../math/types.js'
import type { IterativeReport, IterativeStatus, LinearOperator } from './linear-operator.js'

export interface Pcg {
  readonly n: number
  readonly r: Vec
  readonly z: Vec
  readonly p: Vec
  readonly Ap: Vec
  /** see below; in an array: a number that a function returns is boxed where the call is not inlined, one in a field whenever it is set */
  readonly products: Vec
  readonly report: IterativeReport
}

// places in `products`: bᵀ P⁻¹ b, rᵀ P⁻¹ r, the same after the iteration, pᵀ A p, and the residual of the stopping test
const BB = 0
const RZ = 1
const NEXT = 2
const PAP = 3
const RESIDUAL = 4

// less cannot be divided by
const TINY = 1e-300

export function createPcg(n: number): Pcg {
  return {
    n,
    r: new Float64Array(n),
    z: new Float64Array(n),
    p: new Float64Array(n),
    Ap: new Float64Array(n),
    products: new Float64Array(5),
    report: { status: 'converged', iterations: 0, residual: 0 },
  }
}

/**
 * Improves x, which holds the warm start. `breakdown` means pᵀ A p ≤ 0 or rᵀ P⁻¹ r < 0: not positive definite; x is then the last
 * iterate and the caller should turn to a direct solve.
 */
export function pcg(w: Pcg, operator: LinearOperator, b: Vec, x: Vec, tolerance: number, maxIterations: number): Readonly<IterativeReport> {
  const { n, r, z, p, Ap, products, report } = w
  report.iterations = 0
  products[RESIDUAL] = 0

  // reference: b in the P-norm
  operator.precondition(z, b)
  dot(products, BB, b, z, n)
  if (!(products[BB] >= 0 && products[BB] < Infinity)) return finish(w, 'breakdown')
  if (products[BB] === 0) {
    for (let i = 0; i < n; i++) x[i] = 0
    return finish(w, 'converged')
  }

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
  dot(products, RZ, r, z, n)

  for (;;) {
    if (!(products[RZ] >= 0 && products[RZ] < Infinity)) return finish(w, 'breakdown')
    products[RESIDUAL] = Math.sqrt(products[RZ]) / Math.sqrt(products[BB])
    if (products[RESIDUAL] <= tolerance && (report.iterations > 0 || products[RZ] < TINY)) return finish(w, 'converged')
    if (report.iterations >= maxIterations) return finish(w, 'max-iterations')

    operator.apply(Ap, p)
    dot(products, PAP, p, Ap, n)
    if (!(products[PAP] > 0 && products[PAP] < Infinity)) return finish(w, 'breakdown')
    const a = products[RZ] / products[PAP]
    for (let i = 0; i < n; i++) {
      x[i] += a * p[i]
      r[i] -= a * Ap[i]
    }
    operator.precondition(z, r)
    dot(products, NEXT, r, z, n)
    const beta = products[NEXT] / products[RZ]
    for (let i = 0; i < n; i++) p[i] = z[i] + beta * p[i]
    products[RZ] = products[NEXT]
    report.iterations++
  }
}

function finish({ products, report }: Pcg, status: IterativeStatus): IterativeReport {
  report.status = status
  report.residual = products[RESIDUAL]
  return report
}

/** out[o] ← aᵀ b */
function dot(out: Vec, o: number, a: Vec, b: Vec, n: number): void {
  let s = 0
  for (let i = 0; i < n; i++) s += a[i] * b[i]
  out[o] = s
}
