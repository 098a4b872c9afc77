/**
 * The elastic energy of a basis as a polynomial of degree 4 in its coordinates.
 *
 * At a point of integration the strain is a polynomial of degree 2, E(q) = Σ_i ε_i q_i + Σ_{i≤j} ε_ij q_i q_j, with ε_i the symmetric part of H_i and ε_ij
 * that of H_iᵀ H_j (half of it for i = j). With six numbers s = (½ w C)^½ E for the strain, C the matrix of the material, the energy of the point is |s|²: so
 * the whole is a quadratic form in the monomials of degree 1 and 2, whose matrix is the sum over all points of the Gram matrices of their columns of s.
 * That sum is the work, a symmetric update of rank 6 a point; its entries then are added up where products of monomials are equal.
 *
 * Elements are added in parts of fixed size and the parts in their order, so that the bits do not depend on who adds what.
 */
import type { Vec } from '../math/types.js'
import { addGram } from './gram.js'
import { pairCount, pairPlace, quadrupleCount, quadruplePlace, tripleCount, triplePlace } from './monomials.js'
import type { Reduced } from './reduced.js'
import { displacementGradient, type Elasticity } from './stvk.js'

/** elements of a part, and the most that there are parts: each costs a matrix */
const LEAST_PART = 32
const MOST_PARTS = 32

/** First element of each part, and the end. */
export function energyParts({ tables }: Elasticity): number[] {
  const count = tables.table.length
  const size = Math.max(LEAST_PART, Math.ceil(count / MOST_PARTS))
  const out = [0]
  while (out[out.length - 1] < count) out.push(Math.min(count, out[out.length - 1] + size))
  return out
}

/** Columns of the Gram matrix: monomials of degree 1 and 2. */
function monomials(r: number): number {
  return r + pairCount(r)
}

/** points whose columns are collected before they are multiplied */
const BATCH = 8

/** The Gram matrix of elements from … to−1 over the monomials of degree 1, then 2; its lower triangle. Shapes are over all vertices. */
export function energyGram(elastic: Elasticity, shapes: Vec, r: number, from: number, to: number): Vec {
  const { points, corners, table, weights } = elastic.tables
  const size = monomials(r)
  const gram = new Float64Array(size * size)
  const width = 6 * BATCH
  const rows = new Float64Array(size * width)
  const H = new Float64Array(9 * r)
  const all = elastic.mesh.vertices.length
  let filled = 0
  for (let e = from; e < to; e++) {
    for (let p = points * table[e]; p < points * (table[e] + 1); p++) {
      for (let l = 0; l < r; l++) displacementGradient(elastic, e, 3 * corners * p, shapes, all * l, H, 9 * l)
      writeColumns(rows, width, 6 * filled, H, r, weights[p], elastic)
      filled++
      if (filled < BATCH) continue
      addGram(gram, rows, size, width, width)
      filled = 0
    }
  }
  if (filled > 0) addGram(gram, rows, size, width, 6 * filled)
  return gram
}

/** s of every monomial, six numbers from rows[width m + o] on. */
function writeColumns(rows: Vec, width: number, o: number, H: Vec, r: number, w: number, { lame }: Elasticity): void {
  // the square root of the material: on changes of shape, and on changes of volume
  const shape = Math.sqrt(w * lame.mu)
  const volume = Math.sqrt(w * (1.5 * lame.lambda + lame.mu))
  let at = o
  for (let i = 0; i < 9 * r; i += 9) {
    const yz = 0.5 * (H[i + 5] + H[i + 7])
    const xz = 0.5 * (H[i + 2] + H[i + 6])
    const xy = 0.5 * (H[i + 1] + H[i + 3])
    writeStrain(rows, at, H[i], H[i + 4], H[i + 8], yz, xz, xy, shape, volume)
    at += width
  }
  for (let i = 0; i < 9 * r; i += 9) {
    for (let j = i; j < 9 * r; j += 9) {
      const half = i === j ? 0.5 : 1
      const xx = H[i] * H[j] + H[i + 3] * H[j + 3] + H[i + 6] * H[j + 6]
      const yy = H[i + 1] * H[j + 1] + H[i + 4] * H[j + 4] + H[i + 7] * H[j + 7]
      const zz = H[i + 2] * H[j + 2] + H[i + 5] * H[j + 5] + H[i + 8] * H[j + 8]
      const yz =
        H[i + 1] * H[j + 2] + H[i + 4] * H[j + 5] + H[i + 7] * H[j + 8] + H[i + 2] * H[j + 1] + H[i + 5] * H[j + 4] + H[i + 8] * H[j + 7]
      const xz = H[i] * H[j + 2] + H[i + 3] * H[j + 5] + H[i + 6] * H[j + 8] + H[i + 2] * H[j] + H[i + 5] * H[j + 3] + H[i + 8] * H[j + 6]
      const xy = H[i] * H[j + 1] + H[i + 3] * H[j + 4] + H[i + 6] * H[j + 7] + H[i + 1] * H[j] + H[i + 4] * H[j + 3] + H[i + 7] * H[j + 6]
      writeStrain(rows, at, half * xx, half * yy, half * zz, 0.5 * half * yz, 0.5 * half * xz, 0.5 * half * xy, shape, volume)
      at += width
    }
  }
}

function writeStrain(
  out: Vec,
  o: number,
  xx: number,
  yy: number,
  zz: number,
  yz: number,
  xz: number,
  xy: number,
  shape: number,
  volume: number,
): void {
  const mean = (xx + yy + zz) / 3
  const v = volume * mean
  out[o] = shape * (xx - mean) + v
  out[o + 1] = shape * (yy - mean) + v
  out[o + 2] = shape * (zz - mean) + v
  out[o + 3] = Math.SQRT2 * shape * yz
  out[o + 4] = Math.SQRT2 * shape * xz
  out[o + 5] = Math.SQRT2 * shape * xy
}

/** Coefficients from the Gram matrices of the parts. */
export function energyFromGrams(grams: readonly Vec[], r: number): Pick<Reduced, 'energy2' | 'energy3' | 'energy4'> {
  const energy2 = new Float64Array(pairCount(r))
  const energy3 = new Float64Array(tripleCount(r))
  const energy4 = new Float64Array(quadrupleCount(r))
  const size = monomials(r)
  const sum = new Float64Array(size * size)
  for (const gram of grams) for (let k = 0; k < sum.length; k++) sum[k] += gram[k]

  /** entry (a, b), a ≥ b, as often as the product stands in the form */
  const entry = (a: number, b: number): number => (a === b ? 1 : 2) * sum[size * a + b]
  for (let j = 0; j < r; j++) for (let i = 0; i <= j; i++) energy2[pairPlace(r, i, j)] += entry(j, i)
  let a = r
  for (let i = 0; i < r; i++) {
    for (let j = i; j < r; j++) {
      for (let k = 0; k < r; k++) {
        const [x, y, z] = [i, j, k].sort(ascending)
        energy3[triplePlace(r, x, y, z)] += entry(a, k)
      }
      let b = r
      for (let k = 0; k <= i; k++) {
        for (let l = k; l < r && b <= a; l++) {
          const [x, y, z, t] = [i, j, k, l].sort(ascending)
          energy4[quadruplePlace(r, x, y, z, t)] += entry(a, b)
          b++
        }
      }
      a++
    }
  }
  return { energy2, energy3, energy4 }
}

function ascending(a: number, b: number): number {
  return a - b
}
