/**
 * Two convex shapes as their support functions, both in the frame of the first.
 *
 * A shape is a core (point, segment, ellipsoid, cylinder, box, hull) and a radius about it: all of a sphere but its centre, all of a capsule but its
 * axis is radius, and a radius only shifts the gap. M = B − A is the set of differences of the cores: the gap along a unit vector n from A to B is
 *   gap(n) = min n·(b − a) = min over M of n·w,
 * its gradient the w that attains it, and the signed distance of the cores its maximum over n.
 */
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import { BOX, CAPSULE, CYLINDER, ELLIPSOID, type Hulls, MESH, type Shapes, SPHERE } from '../../model/shapes.js'

/** of A and B: shape code, sizes (3), hull, radius about the core */
export const kind = new Int32Array(2)
export const size = new Float64Array(6)
export const hull = new Int32Array(2)
export const round = new Float64Array(2)
/** B in A's frame: rotation (9), translation (3) */
export const rel = new Float64Array(12)
/** support points of A and B, in A's frame; their difference w = b − a */
export const at = new Float64Array(6)
export const w = new Float64Array(3)
/** which corner each support point is; −1 on curved surfaces */
export const corner = new Int32Array(2)
/** where climbing starts on each hull: the corner found last */
const climb = new Int32Array(2)

/** size of the two together, and the margin within which contacts are looked for. Numbers travel in arrays here: as arguments they would be boxed */
export const extent = new Float64Array(2)
export const SCALE = 0
export const MARGIN = 1

const local = new Float64Array(3)
// a direction, and the same in the frame of a side
const dir = new Float64Array(3)
const way = new Float64Array(3)
/** gap(n) of the last support, times the length of n */
export const least = new Float64Array(1)

/** a hull of at most so many corners is looked through, larger ones are climbed */
const FEW = 12

/** Geom a as A, geom b as B, at poses X (12 each). */
export function setPair(g: Shapes, X: Vec, a: Int, b: Int): void {
  setCore(g, 0, a)
  setCore(g, 1, b)
  const i = 12 * a
  const j = 12 * b
  const x = X[j + 9] - X[i + 9]
  const y = X[j + 10] - X[i + 10]
  const z = X[j + 11] - X[i + 11]
  for (let r = 0; r < 3; r++) {
    for (let s = 0; s < 3; s++) rel[3 * r + s] = X[i + r] * X[j + s] + X[i + 3 + r] * X[j + 3 + s] + X[i + 6 + r] * X[j + 6 + s]
    rel[9 + r] = X[i + r] * x + X[i + 3 + r] * y + X[i + 6 + r] * z
  }
}

/** Geom i as one of the two. */
export function setCore(g: Shapes, side: Int, i: Int): void {
  const shape = g.shape[i]
  kind[side] = shape
  for (let k = 0; k < 3; k++) size[3 * side + k] = g.size[3 * i + k]
  round[side] = shape === SPHERE || shape === CAPSULE ? g.size[3 * i] : 0
  hull[side] = g.hulls.of[i]
  if (shape === MESH) climb[side] = g.hulls.vertexStart[hull[side]]
}

/** Makes side 0 a segment along z of half the length half[0], without radius; the pose of B in its frame is the caller's to write. */
export function setSegment(g: Shapes, half: Vec, b: Int): void {
  kind[0] = CAPSULE
  size[0] = 0
  size[1] = half[0]
  round[0] = 0
  setCore(g, 1, b)
}

/** Writes at, w, corner: what M has furthest along −n, for n from A to B. Returns gap(n) times the length of n. */
export function support(hulls: Hulls, x: number, y: number, z: number): number {
  dir[0] = x
  dir[1] = y
  dir[2] = z
  supportAlong(hulls, dir)
  return least[0]
}

/** The same for a vector; the gap goes to least. */
export function supportAlong(hulls: Hulls, n: Vec): void {
  for (let k = 0; k < 3; k++) dir[k] = n[k]
  for (let k = 0; k < 3; k++) way[k] = dir[k]
  supportOf(hulls, 0)
  for (let k = 0; k < 3; k++) {
    at[k] = local[k]
    way[k] = -(rel[k] * dir[0] + rel[3 + k] * dir[1] + rel[6 + k] * dir[2])
  }
  supportOf(hulls, 1)
  for (let k = 0; k < 3; k++) {
    at[3 + k] = rel[9 + k] + rel[3 * k] * local[0] + rel[3 * k + 1] * local[1] + rel[3 * k + 2] * local[2]
    w[k] = at[3 + k] - at[k]
  }
  least[0] = dir[0] * w[0] + dir[1] * w[1] + dir[2] * w[2]
}

/** Reads way. Writes local, corner: the point of the core furthest along it, in its own frame. */
function supportOf(hulls: Hulls, side: Int): void {
  const x = way[0]
  const y = way[1]
  const z = way[2]
  const o = 3 * side
  const shape = kind[side]
  corner[side] = -1
  if (shape === BOX) {
    local[0] = x < 0 ? -size[o] : size[o]
    local[1] = y < 0 ? -size[o + 1] : size[o + 1]
    local[2] = z < 0 ? -size[o + 2] : size[o + 2]
    corner[side] = (x < 0 ? 0 : 1) + (y < 0 ? 0 : 2) + (z < 0 ? 0 : 4)
  } else if (shape === MESH) {
    const v = furthestCorner(hulls, side)
    for (let k = 0; k < 3; k++) local[k] = hulls.vertices[3 * v + k]
    corner[side] = v
  } else if (shape === CAPSULE) {
    local[0] = 0
    local[1] = 0
    local[2] = z < 0 ? -size[o + 1] : size[o + 1]
    corner[side] = z < 0 ? 0 : 1
  } else if (shape === CYLINDER) {
    const across = Math.sqrt(x * x + y * y)
    const s = across > 0 ? size[o] / across : 0
    local[0] = s * x
    local[1] = s * y
    local[2] = z < 0 ? -size[o + 1] : size[o + 1]
  } else if (shape === ELLIPSOID) {
    const u = size[o] * x
    const v = size[o + 1] * y
    const t = size[o + 2] * z
    const length = Math.sqrt(u * u + v * v + t * t)
    const s = length > 0 ? 1 / length : 0
    local[0] = s * size[o] * u
    local[1] = s * size[o + 1] * v
    local[2] = s * size[o + 2] * t
  } else {
    local[0] = 0
    local[1] = 0
    local[2] = 0
    corner[side] = 0
  }
}

/** Reads way. Number of the hull's corner furthest along it: on a convex body no neighbour of it is further. */
function furthestCorner(hulls: Hulls, side: Int): Int {
  const x = way[0]
  const y = way[1]
  const z = way[2]
  const { vertices, vertexStart, neighbourStart, neighbours } = hulls
  const first = vertexStart[hull[side]]
  const end = vertexStart[hull[side] + 1]
  let best = climb[side]
  let most = x * vertices[3 * best] + y * vertices[3 * best + 1] + z * vertices[3 * best + 2]
  if (end - first <= FEW) {
    for (let v = first; v < end; v++) {
      const along = x * vertices[3 * v] + y * vertices[3 * v + 1] + z * vertices[3 * v + 2]
      if (along > most) {
        most = along
        best = v
      }
    }
  } else {
    for (let from = -1; from !== best; ) {
      from = best
      for (let e = neighbourStart[from]; e < neighbourStart[from + 1]; e++) {
        const v = neighbours[e]
        const along = x * vertices[3 * v] + y * vertices[3 * v + 1] + z * vertices[3 * v + 2]
        if (along > most) {
          most = along
          best = v
        }
      }
    }
  }
  climb[side] = best
  return best
}

/** Whether the core of a side is the hull of finitely many points. */
export function isPolytope(side: Int): boolean {
  return kind[side] !== ELLIPSOID && kind[side] !== CYLINDER
}
