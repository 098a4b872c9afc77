/**
 * The elastic energy of a basis as a polynomial of degree 4 in its coordinates.
 *
 * At a point the strain is a polynomial of degree 2, E(q) = Σ_i ε_i q_i + Σ_{i≤j} ε_ij q_i q_j, with ε_i the symmetric part of H_i and ε_ij that of H_iᵀ H_j
 * (half of it for i = j). The energy is a sum of squares of components of strain (`strain-samples`): so it is a quadratic form in the monomials of degree 1 and 2,
 * whose matrix is the Gram matrix of their components at all points. That matrix is the work, a symmetric update of rank 1 a component and point; its entries then
 * are added up where products of monomials are equal.
 *
 * Elements are added in parts of fixed size and the parts in their order, so that the bits do not depend on who adds what.
 */
import type { Vec } from '../math/types.js'
import { addGram } from './gram.js'
import type { Mesh } from './mesh.js'
import { pairCount, pairPlace, quadrupleCount, quadruplePlace, tripleCount, triplePlace } from './monomials.js'
import type { Reduced } from './reduced.js'
import { COMPONENTS, type StrainSamples, strainSamples, TRACE } from './strain-samples.js'
import { displacementGradient, type Elasticity, type Lame } from './stvk.js'

/** What the energy of a basis is made from. */
export interface EnergyTask {
  readonly mesh: Mesh
  readonly samples: StrainSamples
  readonly lame: Lame
  /** of all vertices, mode after mode */
  readonly shapes: Vec
  readonly modes: number
  /** first element of each part, and the end */
  readonly parts: readonly number[]
}

/** elements of a part, and the most that there are parts: each costs a matrix */
const LEAST_PART = 32
const MOST_PARTS = 32

export function energyTask({ mesh, tables, lame }: Elasticity, shapes: Vec, modes: number): EnergyTask {
  const count = tables.table.length
  const size = Math.max(LEAST_PART, Math.ceil(count / MOST_PARTS))
  const parts = [0]
  while (parts[parts.length - 1] < count) parts.push(Math.min(count, parts[parts.length - 1] + size))
  return { mesh, samples: strainSamples(mesh, tables), lame, shapes, modes, parts }
}

/** Columns of the Gram matrix: monomials of degree 1 and 2. */
function monomials(r: number): number {
  return r + pairCount(r)
}

/** numbers of each monomial that are collected before they are multiplied */
const BATCH = 48

/** Rows of numbers, one row a monomial, that wait to be multiplied. */
interface Batch {
  readonly rows: Vec
  filled: number
  readonly sign: number
}

/** The Gram matrix of one part over the monomials of degree 1, then 2; its lower triangle. */
export function energyGram({ mesh, samples, lame, shapes, modes: r, parts }: EnergyTask, part: number): Vec {
  const { points, table, weights, gradients } = samples
  const size = monomials(r)
  const gram = new Float64Array(size * size)
  const shape: Batch = { rows: new Float64Array(size * BATCH), filled: 0, sign: 1 }
  // λ is negative where Poisson's ratio is
  const volume: Batch = { rows: new Float64Array(size * BATCH), filled: 0, sign: lame.lambda < 0 ? -1 : 1 }
  const H = new Float64Array(9 * r)
  const all = mesh.vertices.length
  const flush = (batch: Batch): void => {
    addGram(gram, batch.rows, size, BATCH, batch.filled, batch.sign)
    batch.filled = 0
  }
  for (let e = parts[part]; e < parts[part + 1]; e++) {
    for (let p = points * table[e]; p < points * (table[e] + 1); p++) {
      for (let l = 0; l < r; l++) displacementGradient(mesh, gradients, e, 3 * mesh.corners * p, shapes, all * l, H, 9 * l)
      for (let c = 0; c < COMPONENTS; c++) {
        const w = weights[COMPONENTS * p + c]
        if (w === 0) continue
        const batch = c === TRACE ? volume : shape
        if (c === TRACE) writeTrace(batch.rows, batch.filled, H, r, Math.sqrt(0.5 * w * Math.abs(lame.lambda)))
        else writeStrain(batch.rows, batch.filled, H, r, first[c], second[c], Math.sqrt((c < 3 ? 1 : 2) * w * lame.mu))
        batch.filled++
        if (batch.filled === BATCH) flush(batch)
      }
    }
  }
  flush(shape)
  flush(volume)
  return gram
}

/** axes of the components */
const first = [0, 1, 2, 1, 0, 0]
const second = [0, 1, 2, 2, 2, 1]

/** s E_ab of every monomial, into column o of the rows. */
function writeStrain(rows: Vec, o: number, H: Vec, r: number, a: number, b: number, s: number): void {
  let at = o
  for (let i = 0; i < 9 * r; i += 9, at += BATCH) rows[at] = 0.5 * s * (H[i + 3 * a + b] + H[i + 3 * b + a])
  for (let i = 0; i < 9 * r; i += 9) {
    // columns a and b of H_i, times those of the others
    const x = 0.5 * s * H[i + a]
    const y = 0.5 * s * H[i + 3 + a]
    const z = 0.5 * s * H[i + 6 + a]
    const u = 0.5 * s * H[i + b]
    const v = 0.5 * s * H[i + 3 + b]
    const w = 0.5 * s * H[i + 6 + b]
    rows[at] = x * H[i + b] + y * H[i + 3 + b] + z * H[i + 6 + b]
    at += BATCH
    for (let j = i + 9; j < 9 * r; j += 9, at += BATCH) {
      rows[at] = x * H[j + b] + y * H[j + 3 + b] + z * H[j + 6 + b] + u * H[j + a] + v * H[j + 3 + a] + w * H[j + 6 + a]
    }
  }
}

/** s tr(E) of every monomial. */
function writeTrace(rows: Vec, o: number, H: Vec, r: number, s: number): void {
  let at = o
  for (let i = 0; i < 9 * r; i += 9, at += BATCH) rows[at] = s * (H[i] + H[i + 4] + H[i + 8])
  for (let i = 0; i < 9 * r; i += 9) {
    for (let j = i; j < 9 * r; j += 9, at += BATCH) {
      let sum = 0
      for (let k = 0; k < 9; k++) sum += H[i + k] * H[j + k]
      rows[at] = (i === j ? 0.5 : 1) * s * sum
    }
  }
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
