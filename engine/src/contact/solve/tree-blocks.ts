/**
 * H of an island of several trees: a dense block a tree, and one for each two that contacts join or elimination makes meet.
 *
 * The tree that meets the fewest others goes next (minimum degree), the first of equals: the same island has the same order. Column by column,
 * Cholesky's method on blocks:
 *   L_cc L_ccᵀ = H_cc,   L_rc = H_rc L_cc⁻ᵀ,   H_rs −= L_rc L_scᵀ    for all later r, s that c meets
 */
import { type InMemory, resize, takeRecord } from '../../kernels/records.js'
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import type { ContactArena } from '../arena.js'
import { blockProduct, type Envelope, type FactorSpace } from './block-product.js'
import { type ConvexProblem, FACTOR, type Unknowns } from './problem.js'

/** @record */
export interface TreeBlocks {
  readonly L: Vec
  /** trees of the island at hand, and their places in it */
  count: Int
  base: Int
  readonly place: Int32Array
  /** by places, count × count: 1 where two meet; where the block of a later and an earlier one stands */
  readonly meets: Int32Array
  readonly block: Int32Array
  /** others that each meets among those left; −1: gone. Then: when it goes */
  readonly rank: Int32Array
  readonly order: Int32Array
  /** those that the o-th meets later, by rank: later[laterStart[o]] … */
  readonly laterStart: Int32Array
  readonly later: Int32Array
  /** numbers in use */
  size: Int
}

// trees of an island that there is room for from the start, and velocities of each
const MEETING = 16
const FREE = 6

export function createTreeBlocks({ start }: Unknowns, arena: ContactArena): TreeBlocks & InMemory {
  const trees = start.length - 1
  const most = Math.min(trees, MEETING)
  const meetings = most * most
  const lengths = {
    ...{ L: FREE * FREE * most, place: trees, meets: meetings, block: meetings },
    ...{ rank: trees, order: trees, laterStart: trees + 1, later: meetings },
  }
  return takeRecord<TreeBlocks>(arena, 'TreeBlocks', lengths)
}

/** Room for an island of so many trees. Allocates where they are more than ever before. */
export function reserveMeetings(f: TreeBlocks & InMemory, trees: number): void {
  const most = Math.ceil(1.25 * trees)
  if (trees * trees > f.meets.length) resize(f, { meets: most * most, block: most * most, later: most * most })
}

/** Order of elimination and places of all blocks. How many numbers these are. */
export function planTrees(f: TreeBlocks, p: ConvexProblem, k: Int): Int {
  f.count = p.treeStart[k + 1] - p.treeStart[k]
  f.base = p.treeStart[k]
  markMeetings(f, p, k)
  orderTrees(f)
  placeBlocks(f, p)
  return f.size
}

function markMeetings({ count: N, base, place, meets }: TreeBlocks, p: ConvexProblem, k: Int): void {
  const { trees, treeOf, order, blockStart, first, width, column } = p
  for (let t = 0; t < N; t++) place[trees[base + t]] = t
  meets.fill(0, 0, N * N)
  for (let o = blockStart[k]; o < blockStart[k + 1]; o++) {
    const from = first[order[o]]
    const to = from + width[order[o]]
    // columns of a tree follow each other
    for (let e = from; e < to; e++) {
      const a = place[treeOf[column[e]]]
      if (e > from && place[treeOf[column[e - 1]]] === a) continue
      for (let c = from; c < e; c++) {
        const b = place[treeOf[column[c]]]
        meets[a * N + b] = 1
        meets[b * N + a] = 1
      }
    }
  }
  for (let t = 0; t < N; t++) meets[t * N + t] = 0
}

/** Writes order, laterStart, later; `meets` gains what elimination joins. */
function orderTrees(f: TreeBlocks): void {
  const { count: N, meets, rank: degree, order, laterStart, later } = f
  for (let a = 0; a < N; a++) {
    degree[a] = 0
    for (let b = 0; b < N; b++) degree[a] += meets[a * N + b]
  }
  let used = 0
  for (let o = 0; o < N; o++) {
    let next = -1
    for (let a = 0; a < N; a++) if (degree[a] >= 0 && (next < 0 || degree[a] < degree[next])) next = a
    order[o] = next
    laterStart[o] = used
    degree[next] = -1
    for (let b = 0; b < N; b++) {
      if (meets[next * N + b] === 0 || degree[b] < 0) continue
      later[used++] = b
      degree[b]--
    }
    for (let e = laterStart[o]; e < used; e++) {
      for (let g = laterStart[o]; g < e; g++) {
        const a = later[e]
        const b = later[g]
        if (meets[a * N + b] === 1) continue
        meets[a * N + b] = 1
        meets[b * N + a] = 1
        degree[a]++
        degree[b]++
      }
    }
  }
  laterStart[N] = used
  for (let o = 0; o < N; o++) degree[order[o]] = o
}

/** Sorts `later` by rank, lays out the blocks column by column, and counts what a factor takes. */
function placeBlocks(f: TreeBlocks, { start, trees, number }: ConvexProblem): void {
  const { count: N, base, rank, order, laterStart, later, block } = f
  let size = 0
  let products = 0
  for (let o = 0; o < N; o++) {
    const c = order[o]
    const w = start[trees[base + c] + 1] - start[trees[base + c]]
    block[c * N + c] = size
    size += w * w
    for (let e = laterStart[o] + 1; e < laterStart[o + 1]; e++) {
      const t = later[e]
      let to = e
      for (; to > laterStart[o] && rank[later[to - 1]] > rank[t]; to--) later[to] = later[to - 1]
      later[to] = t
    }
    let rows = w
    for (let e = laterStart[o]; e < laterStart[o + 1]; e++) {
      const r = later[e]
      block[r * N + c] = size
      size += w * (start[trees[base + r] + 1] - start[trees[base + r]])
      rows += start[trees[base + r] + 1] - start[trees[base + r]]
    }
    products += 0.5 * w * rows * rows
  }
  f.size = size
  number[FACTOR] = products
}

/** L ← A + Jᵀ G J, lower triangles of the trees' own blocks and whole blocks below them. */
function fillTrees(f: TreeBlocks, A: Envelope, s: FactorSpace, p: ConvexProblem, k: Int): void {
  const { L, count: N, base, block } = f
  const { start, trees, order, blockStart, first, width } = p
  L.fill(0, 0, f.size)
  for (let t = 0; t < N; t++) {
    const from = start[trees[base + t]]
    const w = start[trees[base + t] + 1] - from
    for (let i = from; i < from + w; i++) {
      const to = block[t * N + t] + (i - from) * w - from
      for (let j = A.first[i]; j <= i; j++) L[to + j] = A.value[A.row[i] + j]
    }
  }
  for (let o = blockStart[k]; o < blockStart[k + 1]; o++) {
    const b = order[o]
    if (!blockProduct(p, s, b)) continue
    const end = first[b] + width[b]
    // columns of a tree follow each other
    for (let e = first[b]; e < end; e = treeEnd(p, e, end)) {
      const last = treeEnd(p, e, end)
      for (let g = first[b]; g <= e; g = treeEnd(p, g, end)) addPart(f, s, p, b, e, last, g, treeEnd(p, g, end))
    }
  }
}

/** The first entry of `column` from e on, below `end`, that belongs to another tree than that at e. */
function treeEnd({ treeOf, column }: ConvexProblem, e: Int, end: Int): Int {
  const tree = treeOf[column[e]]
  let at = e + 1
  while (at < end && treeOf[column[at]] === tree) at++
  return at
}

/** Adds the part of Jᵀ G J between two trees, entries e … and g … of `column`, to their block; of one tree the lower triangle. */
function addPart(f: TreeBlocks, s: FactorSpace, p: ConvexProblem, b: Int, e: Int, eEnd: Int, g: Int, gEnd: Int): void {
  const { L, count: N, block, place, rank } = f
  const { JGJ } = s
  const { start, treeOf, column } = p
  const n = p.width[b]
  const from = p.first[b]
  const te = treeOf[column[e]]
  const tg = treeOf[column[g]]
  const later = rank[place[te]] >= rank[place[tg]]
  // the earlier one gives the columns
  const to = later ? block[place[te] * N + place[tg]] : block[place[tg] * N + place[te]]
  const w = later ? start[tg + 1] - start[tg] : start[te + 1] - start[te]
  for (let i = e; i < eEnd; i++) {
    const ie = column[i] - start[te]
    const last = gEnd < i + 1 ? gEnd : i + 1
    const x = (i - from) * n - from
    if (later) {
      const o = to + ie * w - start[tg]
      for (let j = g; j < last; j++) L[o + column[j]] += JGJ[x + j]
    } else {
      const o = to + ie - start[tg] * w
      for (let j = g; j < last; j++) L[o + column[j] * w] += JGJ[x + j]
    }
  }
}

/** L ← the Cholesky factor of A + Jᵀ G J. False where it is not positive definite. */
export function factorTrees(f: TreeBlocks, A: Envelope, s: FactorSpace, p: ConvexProblem, k: Int): boolean {
  const { inverse } = s
  const { start, trees } = p
  fillTrees(f, A, s, p, k)
  const { L, count: N, base, block, order, laterStart, later } = f
  for (let o = 0; o < N; o++) {
    const c = order[o]
    const from = start[trees[base + c]]
    const w = start[trees[base + c] + 1] - from
    const own = block[c * N + c]
    if (!factorOwn(L, own, w, inverse, from)) return false
    for (let e = laterStart[o]; e < laterStart[o + 1]; e++) {
      const r = later[e]
      divideRows(L, block[r * N + c], start[trees[base + r] + 1] - start[trees[base + r]], own, w, inverse, from)
    }
    for (let e = laterStart[o]; e < laterStart[o + 1]; e++) {
      const r = later[e]
      const rows = start[trees[base + r] + 1] - start[trees[base + r]]
      for (let g = laterStart[o]; g <= e; g++) {
        const t = later[g]
        const columns = start[trees[base + t] + 1] - start[trees[base + t]]
        subtractProduct(L, block[r * N + t], rows, columns, block[r * N + c], block[t * N + c], w, r === t)
      }
    }
  }
  return true
}

function factorOwn(L: Vec, o: Int, w: Int, inverse: Vec, from: Int): boolean {
  for (let i = 0; i < w; i++) {
    const a = o + i * w
    let pivot = L[a + i]
    for (let j = 0; j < i; j++) {
      let sum = L[a + j]
      for (let c = 0; c < j; c++) sum -= L[a + c] * L[o + j * w + c]
      sum *= inverse[from + j]
      L[a + j] = sum
      pivot -= sum * sum
    }
    if (!(pivot > 0)) return false
    inverse[from + i] = 1 / Math.sqrt(pivot)
  }
  return true
}

/** Rows of the block at b, `rows` × w, times L_cc⁻ᵀ, L_cc at `own`. */
function divideRows(L: Vec, b: Int, rows: Int, own: Int, w: Int, inverse: Vec, from: Int): void {
  for (let i = 0; i < rows; i++) {
    const a = b + i * w
    for (let j = 0; j < w; j++) {
      let sum = L[a + j]
      for (let c = 0; c < j; c++) sum -= L[a + c] * L[own + j * w + c]
      L[a + j] = sum * inverse[from + j]
    }
  }
}

/** The block at o, rows × columns, less the product of those at a and b, rows × w and columns × w; its lower triangle only where `same`. */
function subtractProduct(L: Vec, o: Int, rows: Int, columns: Int, a: Int, b: Int, w: Int, same: boolean): void {
  for (let i = 0; i < rows; i++) {
    const x = a + i * w
    const last = same ? i + 1 : columns
    // six is what free bodies have, and most there is
    if (w === 6) {
      const x0 = L[x]
      const x1 = L[x + 1]
      const x2 = L[x + 2]
      const x3 = L[x + 3]
      const x4 = L[x + 4]
      const x5 = L[x + 5]
      for (let j = 0; j < last; j++) {
        const y = b + 6 * j
        L[o + i * columns + j] -= x0 * L[y] + x1 * L[y + 1] + x2 * L[y + 2] + x3 * L[y + 3] + x4 * L[y + 4] + x5 * L[y + 5]
      }
      continue
    }
    for (let j = 0; j < last; j++) {
      const y = b + j * w
      let sum = 0
      for (let c = 0; c < w; c++) sum += L[x + c] * L[y + c]
      L[o + i * columns + j] -= sum
    }
  }
}

/** x ← H⁻¹ x */
export function solveTrees(f: TreeBlocks, { inverse }: FactorSpace, { start, trees }: ConvexProblem, x: Vec): void {
  const { L, count: N, base, block, order, laterStart, later } = f
  for (let o = 0; o < N; o++) {
    const c = order[o]
    const from = start[trees[base + c]]
    const w = start[trees[base + c] + 1] - from
    const own = block[c * N + c]
    for (let i = 0; i < w; i++) {
      let sum = x[from + i]
      for (let j = 0; j < i; j++) sum -= L[own + i * w + j] * x[from + j]
      x[from + i] = sum * inverse[from + i]
    }
    for (let e = laterStart[o]; e < laterStart[o + 1]; e++) {
      const r = start[trees[base + later[e]]]
      const rows = start[trees[base + later[e]] + 1] - r
      const b = block[later[e] * N + c]
      for (let i = 0; i < rows; i++) {
        let sum = 0
        for (let j = 0; j < w; j++) sum += L[b + i * w + j] * x[from + j]
        x[r + i] -= sum
      }
    }
  }
  for (let o = N - 1; o >= 0; o--) {
    const c = order[o]
    const from = start[trees[base + c]]
    const w = start[trees[base + c] + 1] - from
    const own = block[c * N + c]
    for (let e = laterStart[o]; e < laterStart[o + 1]; e++) {
      const r = start[trees[base + later[e]]]
      const rows = start[trees[base + later[e]] + 1] - r
      const b = block[later[e] * N + c]
      for (let i = 0; i < rows; i++) {
        const value = x[r + i]
        for (let j = 0; j < w; j++) x[from + j] -= L[b + i * w + j] * value
      }
    }
    for (let i = w - 1; i >= 0; i--) {
      let sum = x[from + i]
      for (let j = i + 1; j < w; j++) sum -= L[own + j * w + i] * x[from + j]
      x[from + i] = sum * inverse[from + i]
    }
  }
}
