/**
 * Sparse LDLᵀ of symmetric positive definite matrices of 3 × 3 blocks, column after column, each taking in those before it that reach it (left-looking:
 * A. George, J. W. H. Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981). The pattern is by nodes, so that there is one index for nine numbers.
 *
 *   A_jj − Σ_k L_jk D_k L_jkᵀ = D_j,   (A_ij − Σ_k L_ik D_k L_jkᵀ) D_j⁻¹ = L_ij
 */
import type { Vec } from '../../math/types.js'
import { type BlockMatrix, blockAt } from './block-matrix.js'

export interface BlockLdl {
  readonly n: number
  /** node at each place of the order of elimination, and place of each node */
  readonly order: Int32Array
  readonly place: Int32Array
  /** blocks of L below the diagonal, by columns, rows ascending, both in places */
  readonly start: Int32Array
  readonly row: Int32Array
  readonly L: Vec
  /** D_j and D_j⁻¹, 9 a node */
  readonly D: Vec
  readonly inverse: Vec
  /** right-hand sides in the order of elimination */
  readonly x: Vec
}

/** Room for the factor of matrices with the pattern of A, its nodes eliminated in `order`. */
export function createBlockLdl(A: BlockMatrix, order: Int32Array): BlockLdl {
  const { n } = A
  const place = new Int32Array(n)
  order.forEach((node, at) => {
    place[node] = at
  })
  const { start, row } = patternOf(A, place)
  return {
    n,
    order,
    place,
    start,
    row,
    L: new Float64Array(9 * row.length),
    D: new Float64Array(9 * n),
    inverse: new Float64Array(9 * n),
    x: new Float64Array(3 * n * TOGETHER),
  }
}

/** A column of L has the rows of A, and those of the columns whose first row it is. */
function patternOf(A: BlockMatrix, place: Int32Array): { start: Int32Array; row: Int32Array } {
  const { n } = A
  const rows: number[][] = Array.from({ length: n }, () => [])
  for (let j = 0; j < n; j++) {
    for (let p = A.start[j] + 1; p < A.start[j + 1]; p++) {
      const a = place[j]
      const b = place[A.row[p]]
      if (a < b) rows[a].push(b)
      else rows[b].push(a)
    }
  }
  const columns: Int32Array[] = []
  const children: number[][] = Array.from({ length: n }, () => [])
  const mark = new Int32Array(n).fill(-1)
  const start = new Int32Array(n + 1)
  for (let j = 0; j < n; j++) {
    mark[j] = j
    const column: number[] = []
    const add = (i: number): void => {
      if (mark[i] === j) return
      mark[i] = j
      column.push(i)
    }
    for (const i of rows[j]) add(i)
    for (const c of children[j]) for (const i of columns[c]) add(i)
    columns.push(Int32Array.from(column).sort())
    if (column.length > 0) children[columns[j][0]].push(j)
    start[j + 1] = start[j] + column.length
  }
  const row = new Int32Array(start[n])
  columns.forEach((column, j) => {
    row.set(column, start[j])
  })
  return { start, row }
}

/** Reads A. Writes L, D. False where A is not positive definite. */
export function factorBlocks(f: BlockLdl, A: BlockMatrix): boolean {
  const { n, start, row, L, D, inverse, order, place } = f
  /** the column in work, by rows */
  const W = new Float64Array(9 * n)
  /** columns that reach row j next, as lists, and the place in each where it does */
  const head = new Int32Array(n).fill(-1)
  const after = new Int32Array(n)
  const at = new Int32Array(n)
  const upper = upperColumns(A)

  for (let j = 0; j < n; j++) {
    // A_ij, from either triangle
    W.fill(0, 9 * j, 9 * j + 9)
    for (let p = start[j]; p < start[j + 1]; p++) W.fill(0, 9 * row[p], 9 * row[p] + 9)
    const v = order[j]
    for (let p = A.start[v]; p < A.start[v + 1]; p++) {
      const i = place[A.row[p]]
      if (i >= j) for (let a = 0; a < 9; a++) W[9 * i + a] = A.value[9 * p + a]
    }
    for (const u of upper[v]) {
      const i = place[u]
      if (i < j) continue
      const p = 9 * blockAt(A, v, u)
      for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) W[9 * i + 3 * a + b] = A.value[p + 3 * b + a]
    }

    // − Σ_k L_ik D_k L_jkᵀ
    for (let k = head[j]; k >= 0; ) {
      const next = after[k]
      subtractColumn(W, L, row, at[k], start[k + 1], D, 9 * k)
      at[k]++
      enlist(head, after, k, at[k] < start[k + 1] ? row[at[k]] : -1)
      k = next
    }

    if (!invertPivot(W, 9 * j, D, inverse, 9 * j)) return false
    scaleColumn(L, W, row, start[j], start[j + 1], inverse, 9 * j)
    at[j] = start[j]
    enlist(head, after, j, start[j] < start[j + 1] ? row[start[j]] : -1)
  }
  return true
}

function enlist(head: Int32Array, after: Int32Array, k: number, row: number): void {
  if (row < 0) return
  after[k] = head[row]
  head[row] = k
}

/** For each node those of smaller number that A couples it to. */
function upperColumns(A: BlockMatrix): number[][] {
  const out: number[][] = Array.from({ length: A.n }, () => [])
  for (let j = 0; j < A.n; j++) for (let p = A.start[j] + 1; p < A.start[j + 1]; p++) out[A.row[p]].push(j)
  return out
}

/** W_i −= L_ik T with T = D_k L_jkᵀ, over the rows i of column k from row j, at place `from`, on. */
function subtractColumn(W: Vec, L: Vec, row: Int32Array, from: number, to: number, D: Vec, d: number): void {
  const l = 9 * from
  const t00 = D[d] * L[l] + D[d + 1] * L[l + 1] + D[d + 2] * L[l + 2]
  const t01 = D[d] * L[l + 3] + D[d + 1] * L[l + 4] + D[d + 2] * L[l + 5]
  const t02 = D[d] * L[l + 6] + D[d + 1] * L[l + 7] + D[d + 2] * L[l + 8]
  const t10 = D[d + 3] * L[l] + D[d + 4] * L[l + 1] + D[d + 5] * L[l + 2]
  const t11 = D[d + 3] * L[l + 3] + D[d + 4] * L[l + 4] + D[d + 5] * L[l + 5]
  const t12 = D[d + 3] * L[l + 6] + D[d + 4] * L[l + 7] + D[d + 5] * L[l + 8]
  const t20 = D[d + 6] * L[l] + D[d + 7] * L[l + 1] + D[d + 8] * L[l + 2]
  const t21 = D[d + 6] * L[l + 3] + D[d + 7] * L[l + 4] + D[d + 8] * L[l + 5]
  const t22 = D[d + 6] * L[l + 6] + D[d + 7] * L[l + 7] + D[d + 8] * L[l + 8]
  for (let p = from; p < to; p++) {
    const w = 9 * row[p]
    for (let a = 0; a < 9; a += 3) {
      const x = L[9 * p + a]
      const y = L[9 * p + a + 1]
      const z = L[9 * p + a + 2]
      W[w + a] -= x * t00 + y * t10 + z * t20
      W[w + a + 1] -= x * t01 + y * t11 + z * t21
      W[w + a + 2] -= x * t02 + y * t12 + z * t22
    }
  }
}

/** D ← the symmetric block at W[w], and its inverse. False where it is not positive definite. */
function invertPivot(W: Vec, w: number, D: Vec, inverse: Vec, o: number): boolean {
  const a = W[w]
  const b = W[w + 3]
  const c = W[w + 6]
  const d = W[w + 4]
  const e = W[w + 7]
  const f = W[w + 8]
  const minor = a * d - b * b
  const A = d * f - e * e
  const B = c * e - b * f
  const C = b * e - c * d
  const determinant = a * A + b * B + c * C
  if (!(a > 0 && minor > 0 && determinant > 0)) return false
  const s = 1 / determinant
  put(D, o, a, b, c, d, e, f)
  put(inverse, o, s * A, s * B, s * C, s * (a * f - c * c), s * (b * c - a * e), s * minor)
  return true
}

function put(D: Vec, o: number, a: number, b: number, c: number, d: number, e: number, f: number): void {
  D[o] = a
  D[o + 1] = b
  D[o + 2] = c
  D[o + 3] = b
  D[o + 4] = d
  D[o + 5] = e
  D[o + 6] = c
  D[o + 7] = e
  D[o + 8] = f
}

/** L_ij = W_i D_j⁻¹ */
function scaleColumn(L: Vec, W: Vec, row: Int32Array, from: number, to: number, inverse: Vec, o: number): void {
  for (let p = from; p < to; p++) {
    for (let a = 0; a < 9; a += 3) {
      const w = 9 * row[p] + a
      for (let b = 0; b < 3; b++) {
        L[9 * p + a + b] = W[w] * inverse[o + b] + W[w + 1] * inverse[o + 3 + b] + W[w + 2] * inverse[o + 6 + b]
      }
    }
  }
}

/** right-hand sides that are solved for at once: each block of L is loaded once for all of them */
const TOGETHER = 4

/** b ← A⁻¹ b for `count` columns of 3 n numbers, one after another from b[i] on. */
export function solveBlocks(f: BlockLdl, b: Vec, i = 0, count = 1): void {
  const size = 3 * f.n
  for (let k = 0; k < count; k += TOGETHER) {
    const columns = count - k < TOGETHER ? count - k : TOGETHER
    gather(f, b, i + size * k, columns)
    solveForward(f, columns)
    solveBackward(f, columns)
    scatter(f, b, i + size * k, columns)
  }
}

/** x ← b in the order of elimination, the columns of a coordinate next to each other. */
function gather({ n, order, x }: BlockLdl, b: Vec, i: number, columns: number): void {
  for (let j = 0; j < n; j++) {
    for (let a = 0; a < 3; a++) for (let c = 0; c < columns; c++) x[(3 * j + a) * columns + c] = b[i + 3 * n * c + 3 * order[j] + a]
  }
}

function scatter({ n, order, x }: BlockLdl, b: Vec, i: number, columns: number): void {
  for (let j = 0; j < n; j++) {
    for (let a = 0; a < 3; a++) for (let c = 0; c < columns; c++) b[i + 3 * n * c + 3 * order[j] + a] = x[(3 * j + a) * columns + c]
  }
}

/** x ← L⁻¹ x */
function solveForward({ n, start, row, L, x }: BlockLdl, columns: number): void {
  for (let j = 0; j < n; j++) {
    for (let p = start[j]; p < start[j + 1]; p++) {
      const l = 9 * p
      const to = 3 * columns * row[p]
      const from = 3 * columns * j
      subtract(x, to, from, columns, L[l], L[l + 1], L[l + 2], L[l + 3], L[l + 4], L[l + 5], L[l + 6], L[l + 7], L[l + 8])
    }
  }
}

/** x ← L⁻ᵀ D⁻¹ x */
function solveBackward({ n, start, row, L, inverse: D, x }: BlockLdl, columns: number): void {
  for (let j = n - 1; j >= 0; j--) {
    const d = 9 * j
    const to = 3 * columns * j
    for (let c = to; c < to + columns; c++) {
      const u = x[c]
      const v = x[c + columns]
      const w = x[c + 2 * columns]
      x[c] = D[d] * u + D[d + 1] * v + D[d + 2] * w
      x[c + columns] = D[d + 3] * u + D[d + 4] * v + D[d + 5] * w
      x[c + 2 * columns] = D[d + 6] * u + D[d + 7] * v + D[d + 8] * w
    }
    for (let p = start[j]; p < start[j + 1]; p++) {
      const l = 9 * p
      const from = 3 * columns * row[p]
      subtract(x, to, from, columns, L[l], L[l + 3], L[l + 6], L[l + 1], L[l + 4], L[l + 7], L[l + 2], L[l + 5], L[l + 8])
    }
  }
}

/** The node at x[to] less a block, given by its entries, times the node at x[from], for all columns. */
function subtract(
  x: Vec,
  to: number,
  from: number,
  columns: number,
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
  g: number,
  h: number,
  i: number,
): void {
  for (let k = 0; k < columns; k++) {
    const u = x[from + k]
    const v = x[from + columns + k]
    const w = x[from + 2 * columns + k]
    x[to + k] -= a * u + b * v + c * w
    x[to + columns + k] -= d * u + e * v + f * w
    x[to + 2 * columns + k] -= g * u + h * v + i * w
  }
}
