/**
 * Dense L D Lᵀ without exchanges, for symmetric matrices of some hundred rows: positive definite or quasi-definite.
 */
import type { Vec } from '../../math/types.js'
import { eliminatePivots, type PivotRule } from './pivot-rule.js'

export interface DenseLdl extends PivotRule {
  readonly L: Vec
  readonly W: Vec
  n: number
}

/** `capacity` is the largest n; `regularization` as for the sparse factorisation. */
export function createDenseLdl(capacity: number, regularization = 0): DenseLdl {
  return {
    L: new Float64Array(capacity * capacity),
    W: new Float64Array(capacity * capacity),
    dinv: new Float64Array(capacity),
    magnitude: new Float64Array(capacity),
    sign: new Int8Array(capacity),
    pivotTolerance: 1e-14,
    regularization,
    negative: 0,
    regularized: 0,
    n: 0,
  }
}

/** Factorises the n × n matrix whose lower triangle the caller wrote to f.L, row-major. Returns −1 or the row of a bad pivot. */
export function factorDense(f: DenseLdl, n: number): number {
  f.n = n
  f.negative = 0
  f.regularized = 0
  f.magnitude.fill(0, 0, n)
  return eliminatePivots(f.L, 0, n, f.W, 0, f)
}

/** x ← A⁻¹ x for the n numbers from x[i] on. */
export function solveDense(f: DenseLdl, x: Vec, i: number): void {
  const { L, dinv, n } = f
  for (let r = 0; r < n; r++) {
    let s = x[i + r]
    for (let k = 0; k < r; k++) s -= L[r * n + k] * x[i + k]
    x[i + r] = s
  }
  for (let r = 0; r < n; r++) x[i + r] *= dinv[r]
  for (let r = n - 1; r > 0; r--) {
    const s = x[i + r]
    for (let k = 0; k < r; k++) x[i + k] -= L[r * n + k] * s
  }
}
