/**
 * Equalities of one island, held exactly: Newton's method starts where they hold, and no direction leaves them.
 *
 *   Y = H⁻¹ Eᵀ,  S = E Y        E: their rows
 *   start      x ← x + Y ν,  S ν = −w,   with H = A: the nearest x in its metric; w is what they miss
 *   direction  p ← p + Y ν,  S ν = −E p, and ν is their impulse
 * A row that others say already keeps nothing of its diagonal and is left out.
 */
import type { Vec } from '../../math/types.js'
import { type ConvexProblem, EQUALITY, type PlacedProblem, ROWS, type StepMatrix } from './problem.js'

export interface Equalities {
  /** equalities of the island at hand */
  count: number
  /** their blocks; 1: says nothing new */
  block: Int32Array
  spare: Uint8Array
  /** n numbers each; Cholesky factor of S; impulses */
  Y: Vec
  S: Vec
  impulse: Vec
  /** of its diagonal: what is left of a row that others say already */
  dependent: number
}

export function createEqualities(): Equalities {
  return {
    count: 0,
    block: new Int32Array(0),
    spare: new Uint8Array(0),
    Y: new Float64Array(0),
    S: new Float64Array(0),
    impulse: new Float64Array(0),
    dependent: 1e-9,
  }
}

/** Finds the equalities of island k. Allocates where they are more than ever before. */
export function findEqualities(p: ConvexProblem, e: Equalities, k: number): void {
  const { order, blockStart, kind, n } = p
  let count = 0
  for (let o = blockStart[k]; o < blockStart[k + 1]; o++) if (kind[order[o]] === EQUALITY) count++
  e.count = count
  if (count > e.block.length) {
    e.block = new Int32Array(count)
    e.spare = new Uint8Array(count)
    e.Y = new Float64Array(count * n)
    e.S = new Float64Array(count * count)
    e.impulse = new Float64Array(count)
  }
  count = 0
  for (let o = blockStart[k]; o < blockStart[k + 1]; o++) if (kind[order[o]] === EQUALITY) e.block[count++] = order[o]
}

/** Reads the factor of H. Writes Y and the factor of S. */
export function eliminateEqualities(p: PlacedProblem, matrix: StepMatrix, e: Equalities, k: number): void {
  const { count, block, Y, S } = e
  if (count === 0) return
  // the product with A comes after this: its room is free
  const { n, Ap: column, start, trees, treeStart, first, width, entry, column: columns, J } = p
  for (let r = 0; r < count; r++) {
    const b = block[r]
    for (let t = treeStart[k]; t < treeStart[k + 1]; t++) column.fill(0, start[trees[t]], start[trees[t] + 1])
    for (let i = 0; i < width[b]; i++) column[columns[first[b] + i]] = J[entry[b] + i]
    matrix.solve(p, column, k)
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
      else if (sum > dependent * own) S[r * n + r] = Math.sqrt(sum)
      else {
        spare[r] = 1
        for (let q = 0; q < r; q++) S[r * n + q] = 0
        S[r * n + r] = 1
      }
    }
  }
}

/** p ← p + Y ν with E p = 0; their impulses ← ν. */
export function holdDirection(s: ConvexProblem, e: Equalities, k: number): void {
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
export function moveOntoEqualities(s: ConvexProblem, e: Equalities, k: number): void {
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
function addColumns({ n, start, trees, treeStart }: ConvexProblem, { count, Y, impulse }: Equalities, x: Vec, k: number): void {
  for (let r = 0; r < count; r++) {
    const f = impulse[r]
    if (f === 0) continue
    for (let t = treeStart[k]; t < treeStart[k + 1]; t++) {
      for (let i = start[trees[t]]; i < start[trees[t] + 1]; i++) x[i] += f * Y[r * n + i]
    }
  }
}

/** out[i] ← the row of block b times x[o …]. */
function rowTimes(out: Vec, i: number, { first, width, entry, column, J }: ConvexProblem, b: number, x: Vec, o: number): void {
  let sum = 0
  for (let e = 0; e < width[b]; e++) sum += J[entry[b] + e] * x[o + column[first[b] + e]]
  out[i] = sum
}
