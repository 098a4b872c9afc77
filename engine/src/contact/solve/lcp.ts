/**
 * Complementarity problems of constraint forces: equalities, limits, contacts and friction in one form.
 *
 *   w = D λ + r,   lo ≤ λ ≤ hi,   w ≥ 0 where λ = lo,  w ≤ 0 where λ = hi,  w = 0 in between
 *
 * D is symmetric positive semidefinite (G A⁻¹ Gᵀ). An equality has no bounds, a unilateral row 0 and ∞, a row of limited strength its
 * limits. A friction row names its normal row and has the bounds ±μ λ_normal; two of them at one contact are a pyramid here and an
 * elliptic cone in `cone.ts`.
 */
import type { Vec } from '../../math/types.js'

// of the largest force: less is rounding
const NOTHING = 1e-14

export interface Complementarity {
  readonly capacity: number
  /** rows in use, set by `resetRows` */
  n: number
  /** n × n, row-major */
  readonly D: Vec
  readonly r: Vec
  readonly lo: Vec
  readonly hi: Vec
  /** row of the normal force of a friction row, −1 for others; the friction rows of a contact follow each other */
  readonly normal: Int32Array
  readonly mu: Vec
  /** solution; what it holds on entry is the warm start */
  readonly lambda: Vec
  readonly w: Vec
  /** numbers that functions hand to each other without boxing them: largest |r|, and a size in the units of w */
  readonly size: Vec
  readonly report: ComplementarityReport
}

export interface ComplementarityReport {
  /** `approximate`: the tolerance was not reached; λ is the best there is and `worst` the row to name */
  status: 'solved' | 'approximate'
  iterations: number
  /** largest violation, in the units of w, relative to the largest |r| */
  residual: number
  /** row of that violation, −1 if there is none */
  worst: number
}

export function createComplementarity(capacity: number): Complementarity {
  return {
    capacity,
    n: 0,
    D: new Float64Array(capacity * capacity),
    r: new Float64Array(capacity),
    lo: new Float64Array(capacity),
    hi: new Float64Array(capacity),
    normal: new Int32Array(capacity).fill(-1),
    mu: new Float64Array(capacity),
    lambda: new Float64Array(capacity),
    w: new Float64Array(capacity),
    size: new Float64Array(2),
    report: { status: 'solved', iterations: 0, residual: 0, worst: -1 },
  }
}

/** Starts a problem of n rows, all equalities, r = 0, λ = 0. The caller then writes D and r and calls the setters below. */
export function resetRows(p: Complementarity, n: number): void {
  p.n = n
  p.r.fill(0, 0, n)
  p.lambda.fill(0, 0, n)
  p.lo.fill(-Infinity, 0, n)
  p.hi.fill(Infinity, 0, n)
  p.normal.fill(-1, 0, n)
  p.mu.fill(0, 0, n)
}

export function setBounds(p: Complementarity, i: number, lo: number, hi: number): void {
  p.lo[i] = lo
  p.hi[i] = hi
}

export function setFriction(p: Complementarity, i: number, normal: number, mu: number): void {
  p.normal[i] = normal
  p.mu[i] = mu
}

/** w_i ← D_i λ + r_i */
export function updateVelocity(p: Complementarity, i: number): void {
  const { n, D, lambda } = p
  let s = p.r[i]
  for (let j = 0; j < n; j++) s += D[i * n + j] * lambda[j]
  p.w[i] = s
}

/**
 * size[0] ← the largest |r|, or 1 if there is none: what residuals are compared with. Gaps that are open and stay so do not count: in a short step
 * a far limit, at gap/h, would hide that what touches is not solved.
 */
export function updateScale(p: Complementarity): void {
  let scale = 0
  let most = 0
  for (let i = 0; i < p.n; i++) most = Math.max(most, Math.abs(p.lambda[i]))
  for (let i = 0; i < p.n; i++) {
    if (p.lo[i] === 0 && p.r[i] > 0 && p.lambda[i] <= NOTHING * most) continue
    scale = Math.max(scale, Math.abs(p.r[i]))
  }
  p.size[0] = scale > 0 ? scale : 1
}

/** Whether rows miss by less than a share of the largest |r|, or than `still` in the units of w, as measured last. */
export function isSolved({ report: { residual }, size }: Complementarity, share: number, still: number): boolean {
  return residual < share || residual * size[0] < still
}

/** Writes w, and residual and worst row of the report: |λ − clamp(λ − w / D_ii)| D_ii, which is |w| for a free row. */
export function measureBox(p: Complementarity): void {
  const { n, D, lambda, w, normal, report } = p
  let largest = 0
  let worst = -1
  for (let i = 0; i < n; i++) {
    updateVelocity(p, i)
    const d = D[i * n + i]
    const hi = normal[i] < 0 ? p.hi[i] : p.mu[i] * Math.max(0, lambda[normal[i]])
    const target = clamp(lambda[i] - (d > 0 ? w[i] / d : w[i]), normal[i] < 0 ? p.lo[i] : -hi, hi)
    const violation = Math.abs(lambda[i] - target) * (d > 0 ? d : 1)
    if (!(violation > largest)) continue
    largest = violation
    worst = i
  }
  updateScale(p)
  report.residual = largest / p.size[0]
  report.worst = worst
}

/**
 * Projected Gauss–Seidel: row by row, with friction bounds from the present normal forces. Cheap and robust, but slow on badly
 * conditioned rows; stops when no row moves by more than the tolerance in a sweep.
 */
export function projectedGaussSeidel(p: Complementarity, tolerance: number, maxSweeps: number): Readonly<ComplementarityReport> {
  const { n, D, lambda, w, normal, report } = p
  updateScale(p)
  const still = 0.1 * tolerance * p.size[0]
  let sweep = 0
  for (; sweep < maxSweeps; sweep++) {
    let moved = 0
    for (let i = 0; i < n; i++) {
      const d = D[i * n + i]
      if (!(d > 0)) continue
      const before = lambda[i]
      updateVelocity(p, i)
      const hi = normal[i] < 0 ? p.hi[i] : p.mu[i] * Math.max(0, lambda[normal[i]])
      lambda[i] = clamp(before - w[i] / d, normal[i] < 0 ? p.lo[i] : -hi, hi)
      moved = Math.max(moved, Math.abs(lambda[i] - before) * d)
    }
    if (moved <= still) {
      sweep++
      break
    }
  }
  report.iterations = sweep
  measureBox(p)
  report.status = report.residual <= tolerance ? 'solved' : 'approximate'
  return report
}

export function clamp(x: number, lo: number, hi: number): number {
  return x < lo ? lo : x > hi ? hi : x
}

/** to ← from, n numbers; the arrays may have different capacities. */
export function copyRows(to: Vec, from: Vec, n: number): void {
  for (let i = 0; i < n; i++) to[i] = from[i]
}
