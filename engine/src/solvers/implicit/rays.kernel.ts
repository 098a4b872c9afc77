/**
 * Distance along a ray to the ground: planes from their front, the height field from both sides.
 *
 * The field is crossed cell by cell (J. Amanatides, A. Woo, A Fast Voxel Traversal Algorithm, 1987). Inside a cell the height of the ray above it is a polynomial of degree two, which
 * its values at both ends and half-way determine.
 */
import { any, lookup } from '../../math/values/columns.js'
import { dot, type Vec3 } from '../../math/values/spatial.js'
import type { Ground } from './tables.js'

/** metres within which a ray meets something */
const FAR = 1e6
const NONE = -1

function toPlane(n: Vec3, offset: number, x: Vec3, along: Vec3): number {
  const height = dot(n, x) - offset
  const closing = -dot(n, along)
  const meets = height >= 0 && closing > 0
  const distance = height / (meets ? closing : 1)
  return meets && distance < FAR ? distance : NONE
}

/** First zero of the polynomial through p0 ≥ 0, pm, p1 at 0, 1/2, 1; above 1 where there is none. */
function firstZero(p0: number, pm: number, p1: number): number {
  const b = 4 * pm - 3 * p0 - p1
  const c = 2 * (p0 + p1) - 4 * pm
  const square = b * b - 4 * c * p0
  const root = Math.sqrt(Math.max(square, 0))
  const y = -0.5 * (b < 0 ? b - root : b + root)
  const first = c !== 0 ? y / (c !== 0 ? c : 1) : NONE
  const second = y !== 0 ? p0 / (y !== 0 ? y : 1) : NONE
  const [low, high] = [Math.min(first, second), Math.max(first, second)]
  const zero = low >= 0 ? low : high >= 0 ? high : 2
  const isCrossed = p1 < 0
  // rounding: what is below at the end has crossed
  return p0 < 0 ? 0 : square >= 0 && zero <= 1 ? zero : isCrossed ? 1 : 2
}

function toField(g: Ground, x: Vec3, along: Vec3): number {
  const { x0, y0, z0, perX, perY, lastX, lastY, columns } = g.terrain[0]
  const [offsetX, offsetY] = g.terrainOffset[0]
  // places in cells
  const fx = (x[0] + offsetX - x0) * perX
  const fy = (x[1] + offsetY - y0) * perY
  const dx = along[0] * perX
  const dy = along[1] * perY
  const [movesX, movesY] = [Math.abs(dx) * FAR > 1, Math.abs(dy) * FAR > 1]
  const [perDx, perDy] = [1 / (movesX ? dx : 1), 1 / (movesY ? dy : 1)]
  // distances at which it enters and leaves the field
  const [enterX, leaveX] = [-fx * perDx, (lastX + 1 - fx) * perDx]
  const [enterY, leaveY] = [-fy * perDy, (lastY + 1 - fy) * perDy]
  const isBeside = (!movesX && (fx < 0 || fx > lastX + 1)) || (!movesY && (fy < 0 || fy > lastY + 1))
  const from = Math.max(0, Math.max(movesX ? Math.min(enterX, leaveX) : 0, movesY ? Math.min(enterY, leaveY) : 0))
  const until = Math.min(FAR, Math.min(movesX ? Math.max(enterX, leaveX) : FAR, movesY ? Math.max(enterY, leaveY) : FAR))
  let ix = Math.min(Math.max(Math.floor(fx + from * dx), 0), lastX)
  let iy = Math.min(Math.max(Math.floor(fy + from * dy), 0), lastY)
  let at = from
  let side = 0
  let found = NONE
  let open = from < until && !isBeside ? 1 : 0
  for (let n = 0; n < g.terrainLines && any(open > 0); n++) {
    const nextX = movesX ? ((dx > 0 ? ix + 1 : ix) - fx) * perDx : FAR
    const nextY = movesY ? ((dy > 0 ? iy + 1 : iy) - fy) * perDy : FAR
    const end = Math.max(at, Math.min(until, Math.min(nextX, nextY)))
    const corner = iy * columns + ix
    const a = lookup(g.heights, corner)
    const b = lookup(g.heights, corner + 1)
    const c = lookup(g.heights, corner + columns)
    const d = lookup(g.heights, corner + columns + 1)
    const above = (t: number): number => {
      const u = fx + t * dx - ix
      const v = fy + t * dy - iy
      const low = a + u * (b - a)
      return x[2] + t * along[2] - z0 - (low + v * (c + u * (d - c) - low))
    }
    const start = above(at)
    side = side === 0 ? (start < 0 ? -1 : 1) : side
    const part = firstZero(side * start, side * above(0.5 * (at + end)), side * above(end))
    const meets = part <= 1
    found = open > 0 && meets ? at + part * (end - at) : found
    open = open > 0 && !meets && end < until ? 1 : 0
    const turnsX = nextX <= nextY
    ix = Math.min(Math.max(turnsX ? (dx > 0 ? ix + 1 : ix - 1) : ix, 0), lastX)
    iy = Math.min(Math.max(turnsX ? iy : dy > 0 ? iy + 1 : iy - 1, 0), lastY)
    at = end
  }
  return found
}

/** Distance from x along a unit vector to the first surface of the ground; −1 where there is none. */
export function distanceAlong(g: Ground, x: Vec3, along: Vec3): number {
  let least = FAR
  for (let f = 0; f < g.surfaceCount; f++) {
    if (g.hasField === 1 && f === 0) {
      const t = toField(g, x, along)
      least = t >= 0 ? Math.min(least, t) : least
    } else {
      const { n, offset } = g.surface[f]
      const t = toPlane(n, offset, x, along)
      least = t >= 0 ? Math.min(least, t) : least
    }
  }
  return least < FAR ? least : NONE
}
