/**
 * A basis of r shapes from linear modes and modal derivatives: the directions in which most of the mass moves if each of them is excited as much as its
 * frequency lets it be [Barbic05].
 *
 *   V = { (ω₁²/ω_i²) ψ_i } ∪ { (ω₁⁴/(ω_i² ω_j²)) Ψ_ij },   Vᵀ M V = Y L Yᵀ,   U = V Y L^−½ for the r largest of L,   so that Uᵀ M U = 1
 */
import { symmetricEigen } from '../linalg/dense/symmetric-eigen.js'
import type { Vec } from '../math/types.js'
import type { LinearModes } from './linear-modes.js'

/** directions with less than this part of the largest are rounding */
const NEGLIGIBLE = 1e-12

/** U, 3 numbers a free vertex, mode after mode; fewer than `wanted` where there are no more directions. */
export function massPca({ count, squares, shapes }: LinearModes, derivatives: Vec, masses: Vec, wanted: number): Vec {
  const n = 3 * masses.length
  const columns = count + (count * (count + 1)) / 2
  const V = new Float64Array(n * columns)
  let at = 0
  for (let i = 0; i < count; i++) at = addScaled(V, at, shapes, n * i, n, squares[0] / squares[i])
  let from = 0
  for (let i = 0; i < count; i++) {
    for (let j = i; j < count; j++) {
      at = addScaled(V, at, derivatives, from, n, (squares[0] / squares[i]) * (squares[0] / squares[j]))
      from += n
    }
  }

  const { values, vectors } = symmetricEigen(massGram(V, masses, columns), columns)
  const largest = values[columns - 1]
  let r = 0
  while (r < Math.min(wanted, columns) && values[columns - 1 - r] > NEGLIGIBLE * largest) r++
  const U = new Float64Array(n * r)
  for (let l = 0; l < r; l++) {
    const row = columns * (columns - 1 - l)
    const scale = 1 / Math.sqrt(values[columns - 1 - l])
    for (let c = 0; c < columns; c++) {
      const s = scale * vectors[row + c]
      for (let i = 0; i < n; i++) U[n * l + i] += s * V[n * c + i]
    }
  }
  orthonormalize(U, masses, r)
  return U
}

function addScaled(V: Vec, at: number, x: Vec, o: number, n: number, s: number): number {
  for (let i = 0; i < n; i++) V[at + i] = s * x[o + i]
  return at + n
}

/** Vᵀ M V */
export function massGram(V: Vec, masses: Vec, columns: number): Vec {
  const n = 3 * masses.length
  const out = new Float64Array(columns * columns)
  const scaled = new Float64Array(n)
  for (let a = 0; a < columns; a++) {
    for (let k = 0; k < masses.length; k++) for (let i = 3 * k; i < 3 * k + 3; i++) scaled[i] = masses[k] * V[n * a + i]
    for (let b = 0; b <= a; b++) {
      let s = 0
      for (let i = 0; i < n; i++) s += scaled[i] * V[n * b + i]
      out[columns * a + b] = s
      out[columns * b + a] = s
    }
  }
  return out
}

/** Small directions carry the rounding of large ones: once more by Gram–Schmidt, and Uᵀ M U = 1 holds to the last digits. */
function orthonormalize(U: Vec, masses: Vec, r: number): void {
  const n = 3 * masses.length
  const product = (a: number, b: number): number => {
    let s = 0
    for (let i = 0; i < n; i++) s += masses[Math.floor(i / 3)] * U[n * a + i] * U[n * b + i]
    return s
  }
  for (let l = 0; l < r; l++) {
    for (let round = 0; round < 2; round++) {
      for (let k = 0; k < l; k++) {
        const s = product(l, k)
        for (let i = 0; i < n; i++) U[n * l + i] -= s * U[n * k + i]
      }
    }
    const scale = 1 / Math.sqrt(product(l, l))
    for (let i = 0; i < n; i++) U[n * l + i] *= scale
  }
}
