/**
 * Symmetric sparse matrices of 3 × 3 blocks, one row of blocks a node: the lower triangle by columns, rows ascending, the diagonal first.
 */
import type { Vec } from '../../math/types.js'

export interface BlockMatrix {
  /** nodes */
  readonly n: number
  /** blocks of column j: start[j] … start[j + 1]−1 */
  readonly start: Int32Array
  readonly row: Int32Array
  /** 9 a block, row-major */
  readonly value: Vec
}

/** A zero matrix in which the nodes of each group are coupled; −1 in a group stands for none. `size` nodes a group. */
export function createBlockMatrix(n: number, groups: Int32Array, size: number): BlockMatrix {
  const below: Set<number>[] = Array.from({ length: n }, (_, j) => new Set([j]))
  for (let g = 0; g < groups.length; g += size) {
    for (let a = g; a < g + size; a++) {
      if (groups[a] < 0) continue
      for (let b = g; b < g + size; b++) if (groups[b] > groups[a]) below[groups[a]].add(groups[b])
    }
  }
  const start = new Int32Array(n + 1)
  for (let j = 0; j < n; j++) start[j + 1] = start[j] + below[j].size
  const row = new Int32Array(start[n])
  for (let j = 0; j < n; j++) row.set(Int32Array.from(below[j]).sort(), start[j])
  return { n, start, row, value: new Float64Array(9 * start[n]) }
}

/** Place of block (i, j), i ≥ j, which must exist. */
export function blockAt({ start, row }: BlockMatrix, i: number, j: number): number {
  let low = start[j]
  let high = start[j + 1] - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (row[middle] < i) low = middle + 1
    else high = middle
  }
  return low
}

/** y ← A x */
export function blockProduct({ n, start, row, value: A }: BlockMatrix, y: Vec, x: Vec): void {
  y.fill(0, 0, 3 * n)
  for (let j = 0; j < n; j++) {
    for (let p = start[j]; p < start[j + 1]; p++) {
      const i = row[p]
      for (let a = 0; a < 3; a++) {
        for (let b = 0; b < 3; b++) {
          y[3 * i + a] += A[9 * p + 3 * a + b] * x[3 * j + b]
          if (i !== j) y[3 * j + b] += A[9 * p + 3 * a + b] * x[3 * i + a]
        }
      }
    }
  }
}
