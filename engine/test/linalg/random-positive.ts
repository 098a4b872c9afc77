/** Random positive definite matrices for the tests of linalg. */
import { cholesky } from '../../src/linalg/dense/cholesky.js'
import { createRandom } from '../random.js'

export interface PositiveMatrix {
  readonly n: number
  /** row-major */
  readonly A: Float64Array
  /** out ← A x */
  multiply(out: Float64Array, x: Float64Array): void
  /** x ← A⁻¹ x, by Cholesky */
  solve(x: Float64Array): void
}

/** The stiffness of springs along a random tree of n points and across it, each point held to the ground by a weak one. */
export function randomPositive(n: number, across: number, seed: number): PositiveMatrix {
  const random = createRandom(seed).unit
  const A = new Float64Array(n * n)
  const join = (i: number, j: number, k: number): void => {
    A[i * n + i] += k
    A[j * n + j] += k
    A[i * n + j] -= k
    A[j * n + i] -= k
  }
  for (let i = 0; i < n; i++) A[i * n + i] += 0.1 + random()
  for (let i = 1; i < n; i++) join(i, Math.floor(random() * i), 0.5 + random())
  for (let k = 0; k < across; k++) {
    const i = Math.floor(random() * n)
    join(i, (i + 1 + Math.floor(random() * (n - 1))) % n, 0.5 + random())
  }
  const L = A.slice()
  if (!cholesky(L, 0, n)) throw new Error('the matrix is not positive definite')
  return {
    n,
    A,
    multiply(out, x) {
      for (let i = 0; i < n; i++) {
        let sum = 0
        for (let j = 0; j < n; j++) sum += A[i * n + j] * x[j]
        out[i] = sum
      }
    },
    solve(x) {
      for (let i = 0; i < n; i++) {
        for (let k = 0; k < i; k++) x[i] -= L[i * n + k] * x[k]
        x[i] /= L[i * n + i]
      }
      for (let i = n - 1; i >= 0; i--) {
        for (let k = i + 1; k < n; k++) x[i] -= L[k * n + i] * x[k]
        x[i] /= L[i * n + i]
      }
    },
  }
}
