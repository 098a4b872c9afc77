/**
 * The point of a height field that is nearest to a shape beside or above it.
 *
 * Of a triangle and a convex shape that are apart, the nearest points are on an edge of the triangle, or the lowest point of the shape along
 * the normal stands over the triangle. Contacts, which matter where shapes touch, take the plane of the face there instead, and keep only
 * directions that leave the surface.
 */
import type { Int } from '../../math/values/columns.js'
import type { Shapes } from '../../model/shapes.js'
import type { Contacts } from '../contacts.js'
import { closest } from '../convex/convex-pair.js'
import { at, rel, round, setSegment, supportAlong } from '../convex/core.js'
import { addHalfway, enterField, face, featureOf, fieldEdge, fieldFace, narrowReach, shape, span } from './field-grid.js'
import { closestToEdge, normal, x } from './field-hull.js'

const foot = new Float64Array(3)
const up = new Float64Array(3)
const point = new Float64Array(1)

/** Reads X_WG, and margin: a bound on the distance. Writes the one contact of field a and geom b with the least gap. */
export function nearestOnField(c: Contacts, g: Shapes, a: Int, b: Int): void {
  const bound = c.margin[0]
  c.count = 0
  if (enterField(c, g, a, b)) {
    for (let j = span[2]; j <= span[3]; j++) {
      for (let i = span[0]; i <= span[1]; i++) {
        for (let kind = 1; kind < 4; kind++) {
          if (fieldEdge(g, a, i, j, kind) === 0 || !closestToEdge(c, g, b)) continue
          c.next[6] = closest.gap[0]
          keepNearer(c, g, a, b, featureOf(g, a, i, j, kind, 0))
        }
        for (let kind = 4; kind < 6; kind++)
          if (fieldFace(g, a, i, j, kind) && standsOnFace(c, g, b)) keepNearer(c, g, a, b, featureOf(g, a, i, j, kind, 0))
      }
    }
  }
  c.margin[0] = bound
}

/** Reads next[6], x, normal. The contact takes the place of the one that was nearest. */
function keepNearer(c: Contacts, g: Shapes, a: Int, b: Int, feature: Int): void {
  const gap = c.next[6]
  if (!(gap <= c.margin[0])) return
  c.count = 0
  addHalfway(c, g, a, b, x, 1, normal, 0, feature)
  c.margin[0] = gap
  narrowReach(c, g, b)
}

/** Reads face, shape. Writes x and normal, and next[6], where the point of the shape that is lowest along the normal is over the face. */
function standsOnFace(c: Contacts, g: Shapes, b: Int): boolean {
  for (let k = 0; k < 12; k++) rel[k] = shape[k]
  // a segment without length: the origin of the field
  setSegment(g, point, b)
  for (let k = 0; k < 3; k++) up[k] = face[9 + k]
  supportAlong(g.hulls, up)
  let gap = 0
  for (let k = 0; k < 3; k++) {
    foot[k] = at[3 + k] - round[1] * up[k]
    gap += up[k] * (foot[k] - face[k])
  }
  if (!(gap >= 0 && gap <= c.margin[0])) return false
  for (let k = 0; k < 3; k++) foot[k] -= gap * up[k]
  const ux = face[3] - face[0]
  const uy = face[4] - face[1]
  const vx = face[6] - face[0]
  const vy = face[7] - face[1]
  const px = foot[0] - face[0]
  const py = foot[1] - face[1]
  const det = ux * vy - uy * vx
  const s = (px * vy - py * vx) / det
  const t = (ux * py - uy * px) / det
  if (!(s >= 0 && t >= 0 && s + t <= 1)) return false
  c.next[6] = gap
  for (let k = 0; k < 3; k++) {
    x[k] = foot[k]
    normal[k] = up[k]
  }
  return true
}
