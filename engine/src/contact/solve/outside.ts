/**
 * A matrix that routines cannot see, asked for by them: recursions over a tree (`redmax/constraints/tree-matrix`), which are kernels in other memory and
 * JavaScript. One problem is solved at a time.
 */
import type { Int } from '../../math/values/columns.js'

/** The matrix of a problem, with what its blocks add to it. */
export interface OutsideMatrix {
  /** p.Ax ← A p.x */
  multiply(): void
  /** p.Ap ← A p.p */
  multiplyDirection(): void
  /** number[FACTOR] ← the work of a factor; called once before its factors. */
  plan(): void
  /** Factors H = A + Jᵀ G J. False where it is not positive definite. */
  factor(): boolean
  /** p.p ← H⁻¹ p.p, or p.Ap where that is `column` */
  solve(column: boolean): void
}

let matrix: OutsideMatrix | undefined

/** The matrix of the problem that is solved next. */
export function useMatrix(next: OutsideMatrix): void {
  matrix = next
}

/** @outside */
export function multiplyOutside(): void {
  matrix?.multiply()
}

/** @outside */
export function multiplyDirectionOutside(): void {
  matrix?.multiplyDirection()
}

/** @outside */
export function planOutside(): void {
  matrix?.plan()
}

/** @outside */
export function factorOutside(): boolean {
  return matrix?.factor() ?? false
}

/** @outside */
export function solveOutside(column: Int): void {
  matrix?.solve(column === 1)
}
