/**
 * Broad phase: pairs of solids whose boxes in the world come within the margin.
 *
 * A uniform grid, hashed into flat arrays by a counting sort: every solid lies in the cell of its centre, and cells are as wide as two of the
 * largest solids, so that a partner is in the same cell or in one of its 26 neighbours (13 of which are looked at from the other side).
 * Linear in solids and pairs wherever they are in space. The few solids much larger than the rest are tested against all others.
 * The order of pairs depends on poses only, not on earlier calls.
 */

import type { Int } from '../math/values/columns.js'
import { BOX, CAPSULE, CYLINDER, MESH, type Shapes, SPHERE } from '../model/shapes.js'
import { type Contacts, isAwake } from './contacts.js'
import { narrowPhase } from './shapes/narrow-phase.js'

/** neighbours of a cell that come after it, and itself */
const NEIGHBOURS = 14
/** what is farther out lies in the outermost cells, so that these are whole numbers in every form */
const FARTHEST = 2 ** 30

/** Reads X_WG, margin. Adds the contacts of all pairs of solids. */
export function broadPhase(c: Contacts, g: Shapes): void {
  const { solids, large } = g
  boundSolids(c, g)
  fillGrid(c, g)
  searchGrid(c, g)
  // large solids: among themselves, then with every other
  for (let n = 0; n < large.length; n++) {
    for (let m = 0; m < n; m++) testPair(c, g, large[m], large[n])
    for (let m = 0; m < solids.length; m++) if (c.bucket[m] >= 0) testPair(c, g, large[n], solids[m])
  }
}

/** Reads X_WG, margin. Writes the bounds of all solids. */
export function boundSolids(c: Contacts, g: Shapes): void {
  const { solids } = g
  for (let n = 0; n < solids.length; n++) boundSolid(c, g, solids[n])
}

/** Writes bounds: the box in the world around geom i, widened by half the margin or its own reach. */
function boundSolid(c: Contacts, g: Shapes, i: Int): void {
  const { X_WG: X, bounds } = c
  const half = 2 * g.reach[i] > c.margin[0] ? g.reach[i] : 0.5 * c.margin[0]
  const shape = g.shape[i]
  const s0 = g.size[3 * i]
  const s1 = g.size[3 * i + 1]
  const s2 = g.size[3 * i + 2]
  for (let k = 0; k < 3; k++) {
    const o = 12 * i + 3 * k
    const x = X[o] < 0 ? -X[o] : X[o]
    const y = X[o + 1] < 0 ? -X[o + 1] : X[o + 1]
    const z = X[o + 2] < 0 ? -X[o + 2] : X[o + 2]
    let reach: number
    if (shape === SPHERE) reach = s0
    else if (shape === CAPSULE) reach = s0 + s1 * z
    else if (shape === CYLINDER) reach = s0 * Math.sqrt(x * x + y * y) + s1 * z
    else if (shape === BOX || shape === MESH) reach = s0 * x + s1 * y + s2 * z
    else reach = Math.sqrt(s0 * s0 * x * x + s1 * s1 * y * y + s2 * s2 * z * z)
    const p = X[12 * i + 9 + k]
    bounds[6 * i + k] = p - reach - half
    bounds[6 * i + 3 + k] = p + reach + half
  }
}

/** Writes cell, bucket, bucketStart, bucketSolids. Entries are numbered as `solids` is; bucket −1 is for large ones. */
function fillGrid(c: Contacts, g: Shapes): void {
  const { X_WG: X, cell, bucket, bucketStart, bucketSolids } = c
  const { solids } = g
  let margin = c.margin[0]
  for (let n = 0; n < solids.length; n++) if (2 * g.reach[solids[n]] > margin) margin = 2 * g.reach[solids[n]]
  const inverse = 1 / (g.cell[0] + margin)
  const last = bucketStart.length - 2
  bucketStart.fill(0, 0, bucketStart.length)
  for (let n = 0; n < solids.length; n++) {
    const o = 12 * solids[n] + 9
    if (2 * g.radius[solids[n]] > g.cell[0]) {
      bucket[n] = -1
      continue
    }
    for (let k = 0; k < 3; k++) cell[3 * n + k] = Math.max(-FARTHEST, Math.min(FARTHEST, Math.floor(X[o + k] * inverse))) | 0
    const h = hashCell(cell[3 * n], cell[3 * n + 1], cell[3 * n + 2]) & last
    bucket[n] = h
    bucketStart[h + 1]++
  }
  for (let h = 0; h <= last; h++) bucketStart[h + 1] += bucketStart[h]
  // filling moves each start to its end; shifting by one brings them back
  for (let n = 0; n < solids.length; n++) if (bucket[n] >= 0) bucketSolids[bucketStart[bucket[n]]++] = n
  for (let h = last; h > 0; h--) bucketStart[h] = bucketStart[h - 1]
  bucketStart[0] = 0
}

// odd numbers that spread their factor over all bits
const SPREAD_X = 0x9e3779b1 | 0
const SPREAD_Y = 0x85ebca77 | 0
const SPREAD_Z = 0xc2b2ae3d | 0
const SPREAD = 0x2c1b3c6d | 0

function hashCell(x: Int, y: Int, z: Int): Int {
  let h = Math.imul(x, SPREAD_X) ^ Math.imul(y, SPREAD_Y) ^ Math.imul(z, SPREAD_Z)
  h ^= h >>> 15
  h = Math.imul(h, SPREAD)
  return h ^ (h >>> 13)
}

function searchGrid(c: Contacts, g: Shapes): void {
  const { cell, bucket, bucketStart, bucketSolids } = c
  const { solids } = g
  const last = bucketStart.length - 2
  for (let n = 0; n < solids.length; n++) {
    if (bucket[n] < 0) continue
    for (let k = 0; k < NEIGHBOURS; k++) {
      // 13 is the cell itself, 14 … 26 the half of the neighbours that come after it
      const code = 13 + k
      const x = (cell[3 * n] + (code % 3) - 1) | 0
      const y = (cell[3 * n + 1] + (((code / 3) | 0) % 3) - 1) | 0
      const z = (cell[3 * n + 2] + ((code / 9) | 0) - 1) | 0
      const h = hashCell(x, y, z) & last
      for (let e = bucketStart[h]; e < bucketStart[h + 1]; e++) {
        const m = bucketSolids[e]
        if (cell[3 * m] !== x || cell[3 * m + 1] !== y || cell[3 * m + 2] !== z) continue
        if (k === 0 && m <= n) continue
        testPair(c, g, solids[n], solids[m])
      }
    }
  }
}

function testPair(c: Contacts, g: Shapes, i: Int, j: Int): void {
  if (isAwake(c, g, i, j) && meets(c, i, j)) narrowPhase(c, g, i, j)
}

/** Whether the bounds of two solids have a point in common. */
export function meets({ bounds }: Contacts, i: Int, j: Int): boolean {
  for (let k = 0; k < 3; k++) {
    if (!(bounds[6 * i + k] <= bounds[6 * j + 3 + k] && bounds[6 * j + k] <= bounds[6 * i + 3 + k])) return false
  }
  return true
}
