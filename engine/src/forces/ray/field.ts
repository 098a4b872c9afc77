/**
 * Rays against a height field: from cell to cell along the ray, seen from above, and the two triangles of each. Only the surface is hit, from both
 * sides; what is below it is open.
 */
import type { Vec } from '../../math/types.js'
import type { Geoms } from '../../model/shapes.js'
import { hitTriangle, nearest } from './hit.js'

/** corners (i, j), (i+1, j), (i, j+1), (i+1, j+1) of a cell, which is split from the first to the last */
const corners = new Float64Array(12)
/** of x and y: cell, direction of the way, distance to the next line of the grid, distance from line to line */
const cell = new Int32Array(2)
const way = new Int32Array(2)
const next = new Float64Array(2)
const apart = new Float64Array(2)

/** Offers the first hit on the field that is geom a. */
export function hitField(ray: Vec, g: Geoms, a: number): void {
  const f = g.field[a]
  let from = 0
  let to = nearest[0]
  // the part of the ray above the field
  for (let r = 0; r < 2; r++) {
    const half = g.size[3 * a + r]
    if (ray[3 + r] === 0) {
      if (Math.abs(ray[r]) > half) return
      continue
    }
    const t0 = (-half - ray[r]) / ray[3 + r]
    const t1 = (half - ray[r]) / ray[3 + r]
    from = Math.max(from, Math.min(t0, t1))
    to = Math.min(to, Math.max(t0, t1))
  }
  if (!(from <= to)) return
  for (let r = 0; r < 2; r++) {
    const cells = (r === 0 ? g.fieldColumns[f] : g.fieldRows[f]) - 1
    const half = g.size[3 * a + r]
    const edge = (2 * half) / cells
    const x = ray[r] + from * ray[3 + r]
    cell[r] = Math.min(Math.max(Math.floor((x + half) / edge), 0), cells - 1)
    way[r] = ray[3 + r] > 0 ? 1 : -1
    const line = -half + edge * (cell[r] + (way[r] > 0 ? 1 : 0))
    next[r] = ray[3 + r] === 0 ? Number.POSITIVE_INFINITY : (line - ray[r]) / ray[3 + r]
    apart[r] = ray[3 + r] === 0 ? Number.POSITIVE_INFINITY : edge / Math.abs(ray[3 + r])
  }
  for (;;) {
    for (let k = 0; k < 4; k++) placeNode(corners, 3 * k, g, a, cell[0] + (k & 1), cell[1] + (k >> 1))
    hitTriangle(ray, corners, 3, 9, 0)
    hitTriangle(ray, corners, 6, 0, 9)
    const r = next[0] < next[1] ? 0 : 1
    const t = next[r]
    // later cells are farther away
    if (!(t <= to && t <= nearest[0])) return
    cell[r] += way[r]
    if (cell[r] < 0 || cell[r] >= (r === 0 ? g.fieldColumns[f] : g.fieldRows[f]) - 1) return
    next[r] += apart[r]
  }
}

/** out[o …] ← the node in column i and row j. */
function placeNode(out: Vec, o: number, g: Geoms, a: number, i: number, j: number): void {
  const f = g.field[a]
  const columns = g.fieldColumns[f]
  out[o] = g.size[3 * a] * ((2 * i) / (columns - 1) - 1)
  out[o + 1] = g.size[3 * a + 1] * ((2 * j) / (g.fieldRows[f] - 1) - 1)
  out[o + 2] = g.heights[g.fieldStart[f] + j * columns + i]
}
