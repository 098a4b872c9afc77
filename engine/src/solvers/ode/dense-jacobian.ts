/**
 * Newton systems by a dense Jacobian: n evaluations to form it, n³/3 multiplications to factor it. There for comparison, and for small
 * stiff equations without structure. The Jacobian is kept over steps; the factor follows g = l₀ h.
 */
import type { Vec } from '../../math/types.js'
import { CORRECTOR_SCALARS, type CorrectorWork, G, type LinearSolver } from './corrector.js'

// scalars of the memory
const FACTORED = 1 // g of the factor; 0: none
const AGE = 2 // steps since the Jacobian was formed; −1: none
const MATRICES = CORRECTOR_SCALARS

/** a factor is used for g up to this much away from its own */
const DRIFT = 0.3
const OLDEST = 20

/** Numbers of memory that the dense solver needs for n unknowns: Jacobian, factor, rows of the pivots. */
export function denseMemory(n: number): number {
  return CORRECTOR_SCALARS + 2 * n * n + n
}

export function denseSolver({ problem, w, y, f, statistics, memory, at }: CorrectorWork): LinearSolver {
  const n = problem.n
  const J = memory.subarray(MATRICES, MATRICES + n * n)
  const LU = memory.subarray(MATRICES + n * n, MATRICES + 2 * n * n)
  const pivots = memory.subarray(MATRICES + 2 * n * n, MATRICES + 2 * n * n + n)
  const moved = new Float64Array(n)
  let fresh = false

  const form = (): void => {
    const root = Math.sqrt(Number.EPSILON)
    for (let j = 0; j < n; j++) {
      const keep = y[j]
      const step = Math.max(root * Math.abs(keep), root * w[j] * 1e3)
      y[j] = keep + step
      const width = y[j] - keep
      problem.rate(moved, y)
      y[j] = keep
      for (let i = 0; i < n; i++) J[i * n + j] = (moved[i] - f[i]) / width
    }
    memory[AGE] = 0
    fresh = true
    statistics.products += n
  }

  return {
    reset() {
      memory[FACTORED] = 0
      memory[AGE] = -1
    },
    prepare() {
      const g = at[G]
      fresh = false
      const stale = memory[AGE] < 0 || memory[AGE] >= OLDEST
      if (stale) form()
      if (stale || memory[FACTORED] === 0 || Math.abs(g / memory[FACTORED] - 1) > DRIFT) {
        for (let k = 0; k < n * n; k++) LU[k] = -g * J[k]
        for (let k = 0; k < n; k++) LU[k * n + k] += 1
        statistics.factorizations++
        if (!factorLU(LU, pivots, n)) return false
        memory[FACTORED] = g
      }
      return true
    },
    solve(x) {
      solveLU(LU, pivots, n, x)
      // the factor's g is not quite the step's
      const scale = 2 / (1 + at[G] / memory[FACTORED])
      if (scale !== 1) for (let i = 0; i < n; i++) x[i] *= scale
    },
    improve() {
      if (fresh) return false
      memory[AGE] = -1
      return true
    },
    settle() {
      memory[AGE]++
    },
  }
}

/** A ← L U with rows exchanged. False where a pivot is zero or not a number. */
export function factorLU(A: Vec, pivots: Vec, n: number): boolean {
  for (let k = 0; k < n; k++) {
    let p = k
    for (let i = k + 1; i < n; i++) if (Math.abs(A[i * n + k]) > Math.abs(A[p * n + k])) p = i
    pivots[k] = p
    if (!(Math.abs(A[p * n + k]) > 0)) return false
    if (p !== k) {
      for (let j = 0; j < n; j++) {
        const x = A[k * n + j]
        A[k * n + j] = A[p * n + j]
        A[p * n + j] = x
      }
    }
    const d = 1 / A[k * n + k]
    for (let i = k + 1; i < n; i++) {
      const x = A[i * n + k] * d
      A[i * n + k] = x
      if (x !== 0) for (let j = k + 1; j < n; j++) A[i * n + j] -= x * A[k * n + j]
    }
  }
  return true
}

/** x ← A⁻¹ x */
export function solveLU(LU: Vec, pivots: Vec, n: number, x: Vec): void {
  for (let k = 0; k < n; k++) {
    const p = pivots[k]
    const s = x[p]
    x[p] = x[k]
    x[k] = s
  }
  for (let i = 0; i < n; i++) {
    let s = x[i]
    for (let j = 0; j < i; j++) s -= LU[i * n + j] * x[j]
    x[i] = s
  }
  for (let i = n - 1; i >= 0; i--) {
    let s = x[i]
    for (let j = i + 1; j < n; j++) s -= LU[i * n + j] * x[j]
    x[i] = s / LU[i * n + i]
  }
}
