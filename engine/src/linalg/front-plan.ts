/**
 * Symbolic phase of the multifrontal L D Lᵀ: where everything lies and what is added to what.
 *
 * A front has k pivots and u rows further on. Its panel, (k + u) × k row-major, becomes a piece of L; its update, u × u, is added into
 * the parent's front. Updates live on two stacks, for even and odd depth, so that a front never overwrites what it reads; all offsets
 * are fixed here, and the numeric phase only follows them.
 */
import type { BlockGraph } from './block-graph.js'
import { TILE } from './front-kernels.js'
import { frontCost, partitionFronts } from './front-partition.js'
import { invertOrder } from './ordering.js'
import type { SparseAnalysis } from './sparse-analysis.js'

export interface FrontPlan {
  readonly nfront: number
  /** scalars */
  readonly n: number
  /** permuted place of each scalar */
  readonly place: Int32Array
  /** per front: first column, pivots, rows below, the same padded, parent or −1, offsets of panel and update */
  readonly column: Int32Array
  readonly pivots: Int32Array
  readonly below: Int32Array
  readonly padded: Int32Array
  readonly parent: Int32Array
  readonly panel: Int32Array
  readonly update: Int32Array
  /** permuted rows below the pivots */
  readonly rowPtr: Int32Array
  readonly rows: Int32Array
  /** blocks of A in a panel, five numbers each: offset in the values, offset in L, rows, columns, 1 if stored transposed */
  readonly entryPtr: Int32Array
  readonly entries: Int32Array
  /** children of each front, ascending */
  readonly childPtr: Int32Array
  readonly child: Int32Array
  /** runs of update rows that stay together in the parent, three numbers each: first row here, first row there, length */
  readonly runPtr: Int32Array
  readonly runs: Int32Array
  /** front of each node */
  readonly frontOf: Int32Array
  readonly panelLength: number
  readonly updateLength: number
  readonly largestPanel: number
  /** predicted time of a factorisation and of a solve with one right-hand side, in the nanoseconds of `frontCost` */
  readonly factorCost: number
  readonly solveCost: number
}

export function planFronts(analysis: SparseAnalysis): FrontPlan {
  const { graph, tree } = analysis
  const { n } = graph
  const { columns, parent } = partitionFronts(analysis)
  const nfront = columns.length

  // final numbering: fronts one after the other
  const order = new Int32Array(n)
  const firstNode = new Int32Array(nfront + 1)
  const frontOf = new Int32Array(n)
  for (let f = 0, p = 0; f < nfront; f++) {
    for (const old of columns[f]) {
      order[p] = tree.order[old]
      frontOf[order[p++]] = f
    }
    firstNode[f + 1] = p
  }
  const position = invertOrder(order)
  const scalar = new Int32Array(n + 1)
  for (let p = 0; p < n; p++) scalar[p + 1] = scalar[p] + graph.size[order[p]]
  const place = new Int32Array(scalar[n])
  for (let i = 0; i < n; i++) for (let a = 0; a < graph.size[i]; a++) place[graph.start[i] + a] = scalar[position[i]] + a

  const { childPtr, child } = listChildren(parent)
  const below = findRows(graph, position, firstNode, childPtr, child)

  const column = new Int32Array(nfront)
  const pivots = new Int32Array(nfront)
  const height = new Int32Array(nfront)
  const padded = new Int32Array(nfront)
  const panel = new Int32Array(nfront)
  const rowPtr = new Int32Array(nfront + 1)
  let panelLength = 0
  let largestPanel = 0
  let factorCost = 8 * graph.row.length // blocks of A to copy
  let solveCost = 0
  for (let f = 0; f < nfront; f++) {
    let u = 0
    for (const p of below[f]) u += scalar[p + 1] - scalar[p]
    const k = scalar[firstNode[f + 1]] - scalar[firstNode[f]]
    column[f] = scalar[firstNode[f]]
    pivots[f] = k
    height[f] = u
    padded[f] = Math.ceil(u / TILE) * TILE
    panel[f] = panelLength
    rowPtr[f + 1] = rowPtr[f] + u
    panelLength += (k + padded[f]) * k
    largestPanel = Math.max(largestPanel, (k + padded[f]) * k)
    factorCost += frontCost(k, u)
    solveCost += 130 + 2.35 * (k + u) * k
  }
  const rows = new Int32Array(rowPtr[nfront])
  for (let f = 0, r = 0; f < nfront; f++) for (const p of below[f]) for (let a = scalar[p]; a < scalar[p + 1]; a++) rows[r++] = a

  const shape = {
    nfront,
    n: scalar[n],
    place,
    column,
    pivots,
    below: height,
    padded,
    parent,
    panel,
    rowPtr,
    rows,
    childPtr,
    child,
    frontOf,
  }
  const sizes = { panelLength, largestPanel, factorCost, solveCost }
  return { ...shape, ...sizes, ...placeUpdates(shape), ...placeEntries(graph, shape), ...findRuns(shape) }
}

type Shape = Pick<
  FrontPlan,
  'nfront' | 'n' | 'place' | 'column' | 'pivots' | 'padded' | 'parent' | 'panel' | 'rowPtr' | 'rows' | 'childPtr' | 'child' | 'frontOf'
>

function listChildren(parent: Int32Array): { childPtr: Int32Array; child: Int32Array } {
  const n = parent.length
  const childPtr = new Int32Array(n + 1)
  for (let f = 0; f < n; f++) if (parent[f] >= 0) childPtr[parent[f] + 1]++
  for (let f = 0; f < n; f++) childPtr[f + 1] += childPtr[f]
  const next = childPtr.slice(0, n)
  const child = new Int32Array(childPtr[n])
  for (let f = 0; f < n; f++) if (parent[f] >= 0) child[next[parent[f]]++] = f
  return { childPtr, child }
}

/** Block rows below each front, ascending: what its columns and its children reach beyond it. */
function findRows(graph: BlockGraph, position: Int32Array, firstNode: Int32Array, childPtr: Int32Array, child: Int32Array): Int32Array[] {
  const { n } = graph
  const ptr = new Int32Array(n + 1)
  const visit = (see: (low: number, high: number) => void) => {
    for (let j = 0; j < n; j++) {
      for (let k = graph.ptr[j] + 1; k < graph.ptr[j + 1]; k++) {
        const a = position[j]
        const b = position[graph.row[k]]
        see(Math.min(a, b), Math.max(a, b))
      }
    }
  }
  visit((low) => ptr[low + 1]++)
  for (let p = 0; p < n; p++) ptr[p + 1] += ptr[p]
  const next = ptr.slice(0, n)
  const adj = new Int32Array(ptr[n])
  visit((low, high) => {
    adj[next[low]++] = high
  })

  const below: Int32Array[] = []
  const mark = new Int32Array(n).fill(-1)
  const found = new Int32Array(n)
  for (let f = 0; f + 1 < firstNode.length; f++) {
    const end = firstNode[f + 1]
    let length = 0
    for (let k = ptr[firstNode[f]]; k < ptr[end]; k++) {
      if (adj[k] < end || mark[adj[k]] === f) continue
      mark[adj[k]] = f
      found[length++] = adj[k]
    }
    for (let c = childPtr[f]; c < childPtr[f + 1]; c++) {
      for (const p of below[child[c]]) {
        if (p < end || mark[p] === f) continue
        mark[p] = f
        found[length++] = p
      }
    }
    below.push(found.slice(0, length).sort())
  }
  return below
}

/** Offsets of the updates on the two stacks. */
function placeUpdates(s: Shape): { update: Int32Array; updateLength: number } {
  const depth = new Uint8Array(s.nfront)
  for (let f = s.nfront - 1; f >= 0; f--) depth[f] = s.parent[f] < 0 ? 0 : 1 - depth[s.parent[f]]
  const update = new Int32Array(s.nfront)
  const top = [0, 0]
  const highest = [0, 0]
  for (let f = 0; f < s.nfront; f++) {
    const d = depth[f]
    update[f] = top[d]
    top[d] += s.padded[f] * s.padded[f]
    highest[d] = Math.max(highest[d], top[d])
    if (s.childPtr[f + 1] > s.childPtr[f]) top[1 - d] = update[s.child[s.childPtr[f]]]
  }
  for (let f = 0; f < s.nfront; f++) if (depth[f] === 1) update[f] += highest[0]
  return { update, updateLength: highest[0] + highest[1] }
}

/** Where each block of A goes. */
function placeEntries(graph: BlockGraph, s: Shape): { entryPtr: Int32Array; entries: Int32Array } {
  const { n, start, size, ptr, row, value } = graph
  const { nfront, place, column, pivots, panel, rowPtr, rows } = s
  const frontOfEntry = (i: number, j: number) => s.frontOf[place[start[i]] < place[start[j]] ? i : j]
  const entryPtr = new Int32Array(nfront + 1)
  for (let j = 0; j < n; j++) for (let k = ptr[j]; k < ptr[j + 1]; k++) entryPtr[frontOfEntry(row[k], j) + 1]++
  for (let f = 0; f < nfront; f++) entryPtr[f + 1] += entryPtr[f]

  const next = entryPtr.slice(0, nfront)
  const from = new Int32Array(row.length)
  const columnOf = new Int32Array(row.length)
  for (let j = 0; j < n; j++) {
    for (let k = ptr[j]; k < ptr[j + 1]; k++) {
      columnOf[k] = j
      from[next[frontOfEntry(row[k], j)]++] = k
    }
  }

  const entries = new Int32Array(5 * row.length)
  const local = new Int32Array(s.n)
  for (let f = 0; f < nfront; f++) {
    const k = pivots[f]
    for (let r = 0; r < k; r++) local[column[f] + r] = r
    for (let r = rowPtr[f]; r < rowPtr[f + 1]; r++) local[rows[r]] = k + r - rowPtr[f]
    for (let e = entryPtr[f]; e < entryPtr[f + 1]; e++) {
      const i = row[from[e]]
      const j = columnOf[from[e]]
      const transposed = place[start[i]] < place[start[j]]
      const low = local[place[start[transposed ? i : j]]]
      const high = local[place[start[transposed ? j : i]]]
      entries[5 * e] = value[from[e]]
      entries[5 * e + 1] = panel[f] + high * k + low
      entries[5 * e + 2] = size[i]
      entries[5 * e + 3] = size[j]
      entries[5 * e + 4] = transposed ? 1 : 0
    }
  }
  return { entryPtr, entries }
}

/** Where the rows of each update go in the parent: runs, broken where the parent's pivots end. */
function findRuns(s: Shape): { runPtr: Int32Array; runs: Int32Array } {
  const { nfront, parent, column, pivots, rowPtr, rows, childPtr, child } = s
  const target = new Int32Array(rows.length)
  const local = new Int32Array(s.n)
  for (let f = 0; f < nfront; f++) {
    for (let r = 0; r < pivots[f]; r++) local[column[f] + r] = r
    for (let r = rowPtr[f]; r < rowPtr[f + 1]; r++) local[rows[r]] = pivots[f] + r - rowPtr[f]
    for (let c = childPtr[f]; c < childPtr[f + 1]; c++) {
      for (let r = rowPtr[child[c]]; r < rowPtr[child[c] + 1]; r++) target[r] = local[rows[r]]
    }
  }
  const runPtr = new Int32Array(nfront + 1)
  const runs: number[] = []
  for (let f = 0; f < nfront; f++) {
    const k = parent[f] < 0 ? 0 : pivots[parent[f]]
    for (let r = rowPtr[f]; r < rowPtr[f + 1]; r++) {
      if (r > rowPtr[f] && target[r] === target[r - 1] + 1 && target[r] !== k) runs[runs.length - 1]++
      else runs.push(r - rowPtr[f], target[r], 1)
    }
    runPtr[f + 1] = runs.length / 3
  }
  return { runPtr, runs: Int32Array.from(runs) }
}
