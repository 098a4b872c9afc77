/**
 * Equalities of one island, held exactly: Newton's method starts where they hold, and no direction leaves them.
 *
 *   Y = H⁻¹ Eᵀ,  S = E Y        E: their rows
 *   start      x ← x + Y ν,  S ν = −w,   with H = A: the nearest x in its metric; w is what they miss
 *   direction  p ← p + Y ν,  S ν = −E p, and ν is their impulse
 * A row that others say already keeps nothing of its diagonal and is left out.
 */
import { type InMemory, resize, takeRecord } from '../../kernels/records.js'
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import type { ContactArena } from '../arena.js'
import { type StepMatrix, solveColumn } from './forest-matrix.js'
import { type ConvexProblem, EQUALITY, type PlacedProblem, ROWS } from './problem.js'

/** @record */
export interface Equalities {
  /** equalities of the island at hand */
  count: Int
  /** their blocks; 1: says nothing new */
  readonly block: Int32Array
  readonly spare: Int32Array
  /** n numbers each; Cholesky factor of S; impulses */
  readonly Y: Vec
  readonly S: Vec
  readonly impulse: Vec
  /** dependent[0]: of its diagonal, what is left of a row that others say already */
  readonly dependent: Vec
}

export function createEqualities(arena: ContactArena): Equalities & InMemory {
  const e = takeRecord<Equalities>(arena, 'Equalities', { block: 0, spare: 0, Y: 0, S: 0, impulse: 0, dependent: 1 })
  e.dependent[0] = 1e-9
  return e
}

/** Room for all of the problem. Allocates where they are more than ever before. */
export function reserveEqualities(e: Equalities & InMemory, { equalities: count, n }: PlacedProblem): void {
  if (count > e.block.length) resize(e, { block: count, spare: count, Y: count * n, S: count * count, impulse: count })
}

/** Finds the equalities of island k. */
export function findEqualities(p: ConvexProblem, e: Equalities, k: Int): void {
  const { order, blockStart, kind } = p
  e.count = 0
  if (p.equalities === 0) return
  for (let o = blockStart[k]; o < blockStart[k + 1]; o++) if (kind[order[o]] === EQUALITY) e.block[e.count++] = order[o]
}

/** Reads the factor of H. Writes Y and the factor of S. */
export function eliminateEqualities(p: ConvexProblem, matrix: StepMatrix, e: Equalities, k: Int): void {
  const { count, block, Y, S } = e
  if (count === 0) return
  // the product with A comes after this: its room is free
  const { n, Ap: column, start, trees, treeStart, first, width, entry, column: columns, J } = p
  for (let r = 0; r < count; r++) {
    const b = block[r]
    for (let t = treeStart[k]; t < treeStart[k + 1]; t++) column.fill(0, start[trees[t]], start[trees[t] + 1])
    for (let i = 0; i < width[b]; i++) column[columns[first[b] + i]] = J[entry[b] + i]
    solveColumn(matrix, p, k)
    for (let t = treeStart[k]; t < treeStart[k + 1]; t++) {
      for (let i = start[trees[t]]; i < start[trees[t] + 1]; i++) Y[r * n + i] = column[i]
    }
    for (let c = 0; c <= r; c++) rowTimes(S, r * count + c, p, block[c], Y, r * n)
  }
  factorSchur(e)
}

/** Cholesky, spare rows left out. */
function factorSchur({ count: n, S, spare, dependent }: Equalities): void {
  for (let r = 0; r < n; r++) {
    const own = S[r * n + r]
    spare[r] = 0
    for (let c = 0; c <= r; c++) {
      let sum = S[r * n + c]
      for (let q = 0; q < c; q++) sum -= S[r * n + q] * S[c * n + q]
      if (c < r) S[r * n + c] = spare[c] === 1 ? 0 : sum / S[c * n + c]
      else if (sum > dependent[0] * own) S[r * n + r] = Math.sqrt(sum)
      else {
        spare[r] = 1
        for (let q = 0; q < r; q++) S[r * n + q] = 0
        S[r * n + r] = 1
      }
    }
  }
}

/** p ← p + Y ν with E p = 0; their impulses ← ν. */
export function holdDirection(s: ConvexProblem, e: Equalities, k: Int): void {
  const { count, block, impulse } = e
  for (let r = 0; r < count; r++) {
    rowTimes(impulse, r, s, block[r], s.p, 0)
    impulse[r] = -impulse[r]
  }
  solveSchur(e)
  for (let r = 0; r < count; r++) s.gamma[ROWS * block[r]] = impulse[r]
  addColumns(s, e, s.p, k)
}

/** x ← where the equalities hold. Reads w at x, and the factor of A. */
export function moveOntoEqualities(s: ConvexProblem, e: Equalities, k: Int): void {
  const { count, block, impulse } = e
  for (let r = 0; r < count; r++) impulse[r] = -s.w[ROWS * block[r]]
  solveSchur(e)
  addColumns(s, e, s.x, k)
}

/** impulse ← S⁻¹ impulse, 0 of spare rows */
function solveSchur({ count, spare, S, impulse }: Equalities): void {
  for (let r = 0; r < count; r++) {
    let sum = spare[r] === 1 ? 0 : impulse[r]
    for (let c = 0; c < r; c++) sum -= S[r * count + c] * impulse[c]
    impulse[r] = sum / S[r * count + r]
  }
  for (let r = count - 1; r >= 0; r--) {
    let sum = impulse[r]
    for (let c = r + 1; c < count; c++) sum -= S[c * count + r] * impulse[c]
    impulse[r] = spare[r] === 1 ? 0 : sum / S[r * count + r]
  }
}

/** x += Y ν on the unknowns of island k */
function addColumns({ n, start, trees, treeStart }: ConvexProblem, { count, Y, impulse }: Equalities, x: Vec, k: Int): void {
  for (let r = 0; r < count; r++) {
    const f = impulse[r]
    if (f === 0) continue
    for (let t = treeStart[k]; t < treeStart[k + 1]; t++) {
      for (let i = start[trees[t]]; i < start[trees[t] + 1]; i++) x[i] += f * Y[r * n + i]
    }
  }
}

/** out[i] ← the row of block b times x[o …]. */
function rowTimes(out: Vec, i: Int, { first, width, entry, column, J }: ConvexProblem, b: Int, x: Vec, o: Int): void {
  let sum = 0
  for (let e = 0; e < width[b]; e++) sum += J[entry[b] + e] * x[o + column[first[b] + e]]
  out[i] = sum
}
