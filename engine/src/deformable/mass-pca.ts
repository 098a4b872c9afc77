/**
 * A basis of r shapes from linear modes and modal derivatives: the directions in which most of the mass moves if each of them is excited as much as its
 * frequency lets it be [Barbic05].
 *
 *   V = { a (ω₁²/ω_i²) ψ_i } ∪ { a² (ω₁⁴/(ω_i² ω_j²)) Ψ_ij },   Vᵀ M V = Y L Yᵀ,   U = V Y L^−½ for the r largest of L,   so that Uᵀ M U = 1
 *
 * A mode moves the mesh by a ψ + ½ a² Ψ, so derivatives count the more the larger the motion that the basis is for. The source has a = 1 for modes of unit mass, a
 * motion that depends on the mass of the mesh: of a beam of a tonne it would be a hundredth of its length, and the basis of no use for large ones; of a leaf, many times
 * its length. Here a is the amplitude at which the first mode moves some vertex by a given part of the size of the mesh, so that the basis does not depend on units.
 */
import { symmetricEigen } from '../linalg/dense/symmetric-eigen.js'
import type { Vec } from '../math/types.js'
import type { LinearModes } from './linear-modes.js'

/** directions with less than this part of the largest are rounding */
const NEGLIGIBLE = 1e-12

/** how far the first mode moves the mesh, in parts of its size: from 0.1 to 0.8 beams and plates bent by half their length change little, far from it a lot */
const MOTION = 0.2

/** U, 3 numbers a free vertex, mode after mode; fewer than `wanted` where there are no more directions. `size` is that of the mesh. */
export function massPca({ count, squares, shapes }: LinearModes, derivatives: Vec, masses: Vec, size: number, wanted: number): Vec {
  const n = 3 * masses.length
  const columns = count + (count * (count + 1)) / 2
  const V = new Float64Array(n * columns)
  const a = (MOTION * size) / farthest(shapes, n)
  let at = 0
  for (let i = 0; i < count; i++) at = addScaled(V, at, shapes, n * i, n, (a * squares[0]) / squares[i])
  let from = 0
  for (let i = 0; i < count; i++) {
    for (let j = i; j < count; j++) {
      at = addScaled(V, at, derivatives, from, n, ((a * squares[0]) / squares[i]) * ((a * squares[0]) / squares[j]))
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

/** The largest displacement of a vertex in the first n numbers. */
function farthest(x: Vec, n: number): number {
  let most = 0
  for (let i = 0; i < n; i += 3) most = Math.max(most, x[i] * x[i] + x[i + 1] * x[i + 1] + x[i + 2] * x[i + 2])
  return Math.sqrt(most)
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
