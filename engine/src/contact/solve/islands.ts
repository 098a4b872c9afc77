/**
 * Which rows have to do with each other: islands of blocks that rows join, and in each an order of the blocks that keeps neighbours near
 * (breadth first from a block far out, as E. Cuthill and J. McKee do).
 */
export interface Islands {
  /** islands in use */
  count: number
  /** blocks of island k: order[blockStart[k]] … order[blockStart[k + 1] − 1]; blocks without rows are in none */
  blockStart: Int32Array
  order: Int32Array
  /** rows of island k, in their order */
  rowStart: Int32Array
  rows: Int32Array
  /** blocks of row r: of[partStart[r]] … of[partStart[r + 1] − 1]; written by the caller */
  partStart: Int32Array
  of: Int32Array
  /** island of each block, or −1; place of each block in `order` */
  readonly island: Int32Array
  readonly place: Int32Array
  /** neighbours of block b: near[nearStart[b]] … */
  readonly nearStart: Int32Array
  near: Int32Array
}

export function createIslands(blocks: number): Islands {
  return {
    count: 0,
    blockStart: new Int32Array(blocks + 1),
    order: new Int32Array(blocks),
    rowStart: new Int32Array(blocks + 1),
    rows: new Int32Array(0),
    partStart: new Int32Array(1),
    of: new Int32Array(0),
    island: new Int32Array(blocks),
    place: new Int32Array(blocks),
    nearStart: new Int32Array(blocks + 1),
    near: new Int32Array(0),
  }
}

/** Makes room for so many rows and blocks in rows. Allocates where that is more than ever before. */
export function reserveIslands(s: Islands, rows: number, parts: number): void {
  if (rows > s.rows.length) {
    s.rows = new Int32Array(2 * rows)
    s.partStart = new Int32Array(2 * rows + 1)
  }
  if (parts > s.of.length) s.of = new Int32Array(2 * parts)
}

/** Reads the blocks of n rows. Writes islands and orders. Rows without blocks are in no island. */
export function findIslands(s: Islands, n: number): void {
  const { blockStart, order, rowStart, rows, partStart, of, island, place } = s
  joinNeighbours(s, n)
  const blocks = island.length
  island.fill(-1)
  place.fill(-1)
  let count = 0
  let taken = 0
  for (let b = 0; b < blocks; b++) {
    if (island[b] >= 0 || !isTouched(s, b)) continue
    blockStart[count] = taken
    // the block that is met last is far out: begin there
    const end = walk(s, b, taken, count)
    const far = order[end - 1]
    for (let e = taken; e < end; e++) island[order[e]] = -1
    taken = walk(s, far, taken, count++)
  }
  blockStart[count] = taken
  for (let e = 0; e < taken; e++) place[order[e]] = e
  s.count = count

  // rows by island
  rowStart.fill(0, 0, count + 1)
  for (let r = 0; r < n; r++) if (partStart[r + 1] > partStart[r]) rowStart[island[of[partStart[r]]] + 1]++
  for (let k = 0; k < count; k++) rowStart[k + 1] += rowStart[k]
  for (let r = n - 1; r >= 0; r--) {
    if (partStart[r + 1] > partStart[r]) rows[--rowStart[island[of[partStart[r]]] + 1]] = r
  }
  // every start was moved to the one before
  for (let k = 0; k < count; k++) rowStart[k] = rowStart[k + 1]
  rowStart[count] = count > 0 ? countRows(s, n) : 0
}

function countRows({ partStart }: Islands, n: number): number {
  let sum = 0
  for (let r = 0; r < n; r++) if (partStart[r + 1] > partStart[r]) sum++
  return sum
}

/** near[…] ← for every block the others in its rows, repeated as they are, and itself once in a row that it has alone. */
function joinNeighbours(s: Islands, n: number): void {
  const { partStart, of, nearStart } = s
  nearStart.fill(0)
  for (let r = 0; r < n; r++) {
    const size = partStart[r + 1] - partStart[r]
    for (let e = partStart[r]; e < partStart[r + 1]; e++) nearStart[of[e] + 1] += size > 1 ? size - 1 : 1
  }
  for (let b = 1; b < nearStart.length; b++) nearStart[b] += nearStart[b - 1]
  const all = nearStart[nearStart.length - 1]
  if (all > s.near.length) s.near = new Int32Array(2 * all)
  const { near, place } = s
  for (let b = 0; b < place.length; b++) place[b] = nearStart[b]
  for (let r = 0; r < n; r++) {
    const size = partStart[r + 1] - partStart[r]
    for (let e = partStart[r]; e < partStart[r + 1]; e++) {
      if (size === 1) near[place[of[e]]++] = of[e]
      for (let f = partStart[r]; f < partStart[r + 1]; f++) if (f !== e) near[place[of[e]]++] = of[f]
    }
  }
}

function isTouched({ nearStart }: Islands, b: number): boolean {
  return nearStart[b + 1] > nearStart[b]
}

/** Breadth first from block b, into order[from …]; where it ends. */
function walk({ order, island, nearStart, near }: Islands, b: number, from: number, number: number): number {
  let end = from
  order[end++] = b
  island[b] = number
  for (let at = from; at < end; at++) {
    const x = order[at]
    for (let e = nearStart[x]; e < nearStart[x + 1]; e++) {
      const y = near[e]
      if (island[y] === number) continue
      island[y] = number
      order[end++] = y
    }
  }
  return end
}
