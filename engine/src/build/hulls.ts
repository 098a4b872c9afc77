/**
 * Convex hulls of the meshes that touch: vertices, neighbours for hill climbing, and flat faces as polygons for contact patches.
 */
import { norm } from '../math/own.js'
import type { Hulls } from '../model/shapes.js'
import { convexHull, type HullBudget, type HullFailure } from './geometry/convex-hull.js'

/** triangles whose corners are within this share of the mesh's size of a larger one's plane, and look the same way, are one face with it */
const FLAT = 1e-6
const SAME_WAY = 0.999

export interface Hull {
  /** about the middle of its box, 3 each */
  readonly vertices: readonly number[]
  readonly middle: readonly number[]
  readonly half: readonly number[]
  readonly radius: number
  /** half of the least distance between two parallel planes with the hull between them */
  readonly thin: number
  /** polygons, counter-clockwise from outside */
  readonly faces: readonly (readonly number[])[]
  readonly normals: readonly (readonly number[])[]
  readonly neighbours: readonly (readonly number[])[]
}

export function buildHull(points: readonly number[], budget?: HullBudget): Hull | HullFailure {
  const hull = convexHull(points, budget)
  if ('failure' in hull) return hull.failure
  const used = [...new Set(hull.faces)].sort((a, b) => a - b)
  const numbers = new Map(used.map((v, k) => [v, k]))
  const corner = (v: number): number[] => points.slice(3 * v, 3 * v + 3)
  const low = [0, 1, 2].map((k) => used.reduce((least, v) => Math.min(least, points[3 * v + k]), Number.POSITIVE_INFINITY))
  const high = [0, 1, 2].map((k) => used.reduce((most, v) => Math.max(most, points[3 * v + k]), Number.NEGATIVE_INFINITY))
  const middle = low.map((x, k) => (x + high[k]) / 2)
  const half = low.map((x, k) => (high[k] - x) / 2)
  const vertices = used.flatMap((v) => corner(v).map((x, k) => x - middle[k]))
  const triangles = Array.from({ length: hull.faces.length / 3 }, (_, f) =>
    [0, 1, 2].map((k) => numbers.get(hull.faces[3 * f + k]) as number),
  )
  const neighbours = used.map(() => new Set<number>())
  for (const [a, b, c] of triangles) {
    neighbours[a].add(b)
    neighbours[b].add(c)
    neighbours[c].add(a)
  }
  const radius = used.reduce((most, _, v) => Math.max(most, norm(vertices.slice(3 * v, 3 * v + 3))), 0)
  const { faces, normals } = mergeFlat(vertices, triangles, FLAT * norm(half))
  const around = neighbours.map((set) => [...set].sort((a, b) => a - b))
  const thin = 0.5 * leastWidth(vertices, faces, normals, around)
  return { vertices, middle, half, radius, thin, faces, normals, neighbours: around }
}

/** products of a corner and a normal, some tenths of a second: with more the widths are found by climbing along edges */
const FEW_PRODUCTS = 3e7

/** The narrowest slab around a hull lies along a face, or along two edges, which are taken to be no narrower than most. */
function leastWidth(
  x: readonly number[],
  faces: readonly (readonly number[])[],
  normals: readonly (readonly number[])[],
  neighbours: readonly (readonly number[])[],
): number {
  if ((x.length / 3) * normals.length <= FEW_PRODUCTS)
    return normals.reduce((least, n) => Math.min(least, widthAlong(x, n)), Number.POSITIVE_INFINITY)
  const facesAt: number[][] = neighbours.map(() => [])
  faces.forEach(([v], f) => facesAt[v].push(f))
  // from corner to corner, so that what is opposite to a face is near what was opposite to the one before
  const before = new Int32Array(neighbours.length).fill(-1)
  const opposite = new Int32Array(neighbours.length)
  let least = Number.POSITIVE_INFINITY
  const corners = [0]
  before[0] = 0
  for (const v of corners) {
    opposite[v] = opposite[before[v]]
    for (const f of facesAt[v]) {
      opposite[v] = climbDown(x, normals[f], neighbours, opposite[v])
      least = Math.min(least, dot3(normals[f], x, v) - dot3(normals[f], x, opposite[v]))
    }
    for (const w of neighbours[v]) {
      if (before[w] >= 0) continue
      before[w] = v
      corners.push(w)
    }
  }
  return least
}

const dot3 = ([a, b, c]: readonly number[], x: readonly number[], v: number): number => a * x[3 * v] + b * x[3 * v + 1] + c * x[3 * v + 2]

/** The lowest corner along n: a convex hull has no other low point. */
function climbDown(x: readonly number[], n: readonly number[], neighbours: readonly (readonly number[])[], start: number): number {
  let at = start
  let least = dot3(n, x, at)
  for (let before = -1; before !== at; ) {
    before = at
    for (const v of neighbours[before]) {
      const along = dot3(n, x, v)
      if (along >= least) continue
      least = along
      at = v
    }
  }
  return at
}

function widthAlong(x: readonly number[], [a, b, c]: readonly number[]): number {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (let v = 0; v < x.length; v += 3) {
    const along = a * x[v] + b * x[v + 1] + c * x[v + 2]
    low = Math.min(low, along)
    high = Math.max(high, along)
  }
  return high - low
}

interface Plane {
  readonly normal: readonly number[]
  readonly offset: number
  readonly area: number
}

function planeOf(x: readonly number[], [a, b, c]: readonly number[]): Plane {
  const u = [0, 1, 2].map((k) => x[3 * b + k] - x[3 * a + k])
  const v = [0, 1, 2].map((k) => x[3 * c + k] - x[3 * a + k])
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
  const area = norm(n)
  const normal = n.map((t) => (area > 0 ? t / area : 0))
  return { normal, offset: normal[0] * x[3 * a] + normal[1] * x[3 * a + 1] + normal[2] * x[3 * a + 2], area }
}

/** Triangles that lie in one plane become one polygon, from the largest on. */
function mergeFlat(x: readonly number[], triangles: readonly number[][], flat: number): Pick<Hull, 'faces' | 'normals'> {
  const planes = triangles.map((t) => planeOf(x, t))
  const edge = edgeKeys(x.length / 3)
  const across = new Map<number, number>()
  triangles.forEach((t, f) => {
    for (let k = 0; k < 3; k++) across.set(edge(t[k], t[(k + 1) % 3]), f)
  })
  const taken = new Int32Array(triangles.length)
  const order = [...triangles.keys()].sort((a, b) => planes[b].area - planes[a].area || a - b)
  const faces: number[][] = []
  const normals: (readonly number[])[] = []
  for (const seed of order) {
    if (taken[seed]) continue
    const { normal, offset } = planes[seed]
    const group = new Set([seed])
    taken[seed] = 1
    for (const f of group) {
      const t = triangles[f]
      for (let k = 0; k < 3; k++) {
        const g = across.get(edge(t[(k + 1) % 3], t[k]))
        if (g === undefined || taken[g]) continue
        const same = planes[g].normal.reduce((sum, n, r) => sum + n * normal[r], 0) > SAME_WAY || planes[g].area === 0
        const inPlane = triangles[g].every(
          (v) => Math.abs(normal[0] * x[3 * v] + normal[1] * x[3 * v + 1] + normal[2] * x[3 * v + 2] - offset) <= flat,
        )
        if (!same || !inPlane) continue
        taken[g] = 1
        group.add(g)
      }
    }
    for (const outline of outlinesOf(triangles, group, edge)) {
      faces.push(outline)
      normals.push(normal)
    }
  }
  return { faces, normals }
}

type EdgeKey = (from: number, to: number) => number

/** A number for each edge with its direction. */
const edgeKeys =
  (corners: number): EdgeKey =>
  (from, to) =>
    from * corners + to

/** The edges of a group of triangles that no two share, in order; the triangles themselves where that is not one ring. */
function outlinesOf(triangles: readonly number[][], group: ReadonlySet<number>, edge: EdgeKey): number[][] {
  const next = new Map<number, number>()
  const inside = new Set([...group].flatMap((f) => triangles[f].map((v, k) => edge(v, triangles[f][(k + 1) % 3]))))
  let edges = 0
  for (const f of group) {
    const t = triangles[f]
    for (let k = 0; k < 3; k++) {
      if (inside.has(edge(t[(k + 1) % 3], t[k]))) continue
      next.set(t[k], t[(k + 1) % 3])
      edges++
    }
  }
  const ring: number[] = []
  const [start] = next.keys()
  for (let v = start; v !== undefined && ring.length <= edges; v = next.get(v) as number) {
    ring.push(v)
    if (next.get(v) === start) break
  }
  return ring.length === edges ? [ring] : [...group].map((f) => triangles[f])
}

/** Many hulls in flat arrays; `of`: which hull each geom has, −1 for none. */
export function packHulls(hulls: readonly Hull[], of: Int32Array): Hulls {
  const starts = (sizes: readonly number[]): Int32Array => {
    const out = new Int32Array(sizes.length + 1)
    sizes.forEach((size, k) => {
      out[k + 1] = out[k] + size
    })
    return out
  }
  const vertexStart = starts(hulls.map(({ vertices }) => vertices.length / 3))
  const faceStart = starts(hulls.map(({ faces }) => faces.length))
  const neighbours = hulls.flatMap((hull, h) => hull.neighbours.map((list) => list.map((v) => v + vertexStart[h])))
  const faces = hulls.flatMap((hull, h) => hull.faces.map((list) => list.map((v) => v + vertexStart[h])))
  const around: number[][] = neighbours.map(() => [])
  faces.forEach((list, f) => {
    for (const v of list) around[v].push(f)
  })
  return {
    of,
    vertexStart,
    vertices: Float64Array.from(hulls.flatMap(({ vertices }) => vertices)),
    neighbourStart: starts(neighbours.map((list) => list.length)),
    neighbours: Int32Array.from(neighbours.flat()),
    faceStart,
    cornerStart: starts(faces.map((list) => list.length)),
    corners: Int32Array.from(faces.flat()),
    normals: Float64Array.from(hulls.flatMap(({ normals }) => normals.flat())),
    aroundStart: starts(around.map((list) => list.length)),
    around: Int32Array.from(around.flat()),
  }
}
