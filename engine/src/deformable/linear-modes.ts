/**
 * Linear modes, K ψ = ω² M ψ, by Lanczos on the inverse: with M the lumped masses, A = M^½ K⁻¹ M^½ has the eigenvalues 1/ω² and the eigenvectors
 * M^½ ψ. Rigid motions of a free mesh are left out.
 */
import { blockLanczos } from '../linalg/iterative/block-lanczos.js'
import type { Vec } from '../math/types.js'
import type { StaticSolve } from './static-solve.js'

export interface LinearModes {
  readonly count: number
  /** ω², ascending */
  readonly squares: Vec
  /** ψ, 3 numbers a free vertex, mode after mode: ψᵀ M ψ = 1 */
  readonly shapes: Vec
}

/** residual of an eigenvalue in its parts */
const TOLERANCE = 1e-11

export function linearModes({ masses, rigid, solve }: StaticSolve, wanted: number): LinearModes {
  const n = 3 * masses.length
  const root = Float64Array.from({ length: n }, (_, i) => Math.sqrt(masses[Math.floor(i / 3)]))
  const apply = (x: Vec, count: number): void => {
    for (let i = 0; i < n * count; i++) x[i] *= root[i % n]
    solve(x, count)
    for (let i = 0; i < n * count; i++) x[i] *= root[i % n]
  }
  const without = rigid.map((x, i) => x * root[i % n])
  const count = Math.min(wanted, n - rigid.length / n)
  const { values, vectors } = blockLanczos({ n, wanted: count, apply, without, tolerance: TOLERANCE })
  return { count, squares: values.map((x) => 1 / x), shapes: vectors.map((x, i) => x / root[i % n]) }
}
