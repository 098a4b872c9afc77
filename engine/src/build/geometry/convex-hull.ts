/**
 * Convex hull of points in space, as outward triangles.
 *
 * [Quickhull] with triangles throughout: each face keeps the points above it; the furthest of one face
 * joins the hull, the faces it sees go, and the edge of the hole (the horizon) is joined to it. Which faces it sees is
 * decided exactly, by a filter with an error bound and `orientation` where that leaves doubt. So flat sides, duplicates and
 * slivers need no tolerance: a point in a face's plane does not see the face, and the horizon is one simple cycle.
 */
import { squared } from '../../math/own.js'
import { grouped, LIMITS } from '../../model/limits.js'
import { orientation } from './exact-orientation.js'

export type HullFailure =
  | 'too few points'
  | 'all points coincide'
  | 'all points lie on a line'
  | 'all points lie in a plane'
  | typeof TOO_MUCH_WORK

/** Points on two circles that face each other make horizons as long as the hull, and the work grows with the square of their number. */
export const TOO_MUCH_WORK = 'too many points lie on it'

/** What to do about a hull that is too much work. */
export const SIMPLIFY_HULL = `expected a hull within ${grouped(LIMITS.hull)} tests of points, and all of a model within ${grouped(LIMITS.hulls)}; simplify the mesh`

/** Work that is left for the hulls of a model (`LIMITS.hulls`). */
export interface HullBudget {
  left: number
}

export const createHullBudget = (): HullBudget => ({ left: LIMITS.hulls })

// tests of a point that a triangle counts as: it takes some 350 bytes while the hull is found
const TRIANGLE = 50

export type Hull = { readonly faces: number[] } | { readonly failure: HullFailure }

/** Hull of the points at `vertices[3 i]`; faces name points by i, counter-clockwise seen from outside. Points must be finite. */
export function convexHull(vertices: ArrayLike<number>, budget: HullBudget = createHullBudget()): Hull {
  const n = Math.floor(vertices.length / 3)
  if (n < 4) return { failure: 'too few points' }
  const points = Float64Array.from({ length: 3 * n }, (_, k) => vertices[k] as number)
  const start = findSimplex(points, n)
  if (typeof start === 'string') return { failure: start }
  const spent = Math.max(0, budget.left - LIMITS.hull)
  const hull = createHull(points, n, start, budget)
  // first come, first served: all sides grow alike, which keeps horizons short
  for (let k = 0; k < hull.open.length; k++) {
    const face = hull.open[k] as number
    if (hull.alive[face] && (hull.head[face] as number) >= 0) addFurthest(hull, face)
    if (budget.left < spent) return { failure: TOO_MUCH_WORK }
  }
  const faces: number[] = []
  for (let f = 0; f < hull.alive.length; f++) {
    if (hull.alive[f]) faces.push(hull.corner[3 * f] as number, hull.corner[3 * f + 1] as number, hull.corner[3 * f + 2] as number)
  }
  return { faces }
}

interface Building {
  readonly xyz: Float64Array
  /** per face: corners, neighbours across (0 1), (1 2), (2 0), plane (normal, bound on its terms), first point above it */
  readonly corner: number[]
  readonly next: number[]
  readonly normal: number[]
  readonly bound: number[]
  readonly head: number[]
  readonly furthest: number[]
  readonly alive: boolean[]
  readonly seen: number[]
  /** per point: the next one above the same face */
  readonly chain: Int32Array
  /** per point: the new face whose horizon edge starts there */
  readonly startsAt: Int32Array
  /** faces to look at */
  readonly open: number[]
  readonly budget: HullBudget
}

function createHull(xyz: Float64Array, n: number, start: readonly [number, number, number, number], budget: HullBudget): Building {
  const hull: Building = {
    xyz,
    corner: [],
    next: [],
    normal: [],
    bound: [],
    head: [],
    furthest: [],
    alive: [],
    seen: [],
    chain: new Int32Array(n).fill(-1),
    startsAt: new Int32Array(n).fill(-1),
    open: [],
    budget,
  }
  const [a, b, c, d] = start
  const faces = [addFace(hull, a, b, c), addFace(hull, a, d, b), addFace(hull, b, d, c), addFace(hull, c, d, a)]
  for (const f of faces) for (const g of faces) linkIfShared(hull, f, g)
  for (let p = 0; p < n; p++) if (p !== a && p !== b && p !== c && p !== d) placePoint(hull, p, faces)
  for (const f of faces) if ((hull.head[f] as number) >= 0) hull.open.push(f)
  return hull
}

/** Adds triangle a b c with its plane; neighbours follow. */
function addFace(hull: Building, a: number, b: number, c: number): number {
  const { xyz } = hull
  const u: number[] = []
  const v: number[] = []
  for (let k = 0; k < 3; k++) {
    u.push((xyz[3 * b + k] as number) - (xyz[3 * a + k] as number))
    v.push((xyz[3 * c + k] as number) - (xyz[3 * a + k] as number))
  }
  for (let k = 0; k < 3; k++) {
    const i = (k + 1) % 3
    const j = (k + 2) % 3
    const s = (u[i] as number) * (v[j] as number)
    const t = (u[j] as number) * (v[i] as number)
    hull.normal.push(s - t)
    hull.bound.push((Math.abs(s) + Math.abs(t)) * RELATIVE_ERROR)
  }
  hull.corner.push(a, b, c)
  hull.next.push(-1, -1, -1)
  hull.head.push(-1)
  hull.furthest.push(0)
  hull.alive.push(true)
  hull.seen.push(-1)
  hull.budget.left -= TRIANGLE
  return hull.alive.length - 1
}

/** (7 + 56 ε) ε of Shewchuk's orient3d, doubled for the order in which terms are summed here */
const RELATIVE_ERROR = 14 * 1.2e-16

/** Volume-like height of p above the face: positive, 0 or negative exactly as the true one. */
function height(hull: Building, face: number, p: number): number {
  const { xyz, corner, normal, bound } = hull
  const a = corner[3 * face] as number
  const x = (xyz[3 * p] as number) - (xyz[3 * a] as number)
  const y = (xyz[3 * p + 1] as number) - (xyz[3 * a + 1] as number)
  const z = (xyz[3 * p + 2] as number) - (xyz[3 * a + 2] as number)
  const f = 3 * face
  const d = (normal[f] as number) * x + (normal[f + 1] as number) * y + (normal[f + 2] as number) * z
  const error = (bound[f] as number) * Math.abs(x) + (bound[f + 1] as number) * Math.abs(y) + (bound[f + 2] as number) * Math.abs(z)
  if (d > error || d < -error || error === 0) return d
  return orientation(xyz, a, corner[f + 1] as number, corner[f + 2] as number, p)
}

/** Files p under the first of the faces that it sees; furthest first in its chain. Inside points are dropped. */
function placePoint(hull: Building, p: number, faces: readonly number[]): void {
  const { normal, head, furthest, chain, budget } = hull
  for (const f of faces) {
    budget.left--
    const h = height(hull, f, p)
    if (!(h > 0)) continue
    const nx = normal[3 * f] as number
    const ny = normal[3 * f + 1] as number
    const nz = normal[3 * f + 2] as number
    const d = h / Math.sqrt(nx * nx + ny * ny + nz * nz)
    const first = head[f] as number
    if (first < 0 || d > (furthest[f] as number)) {
      chain[p] = first
      head[f] = p
      furthest[f] = d
    } else {
      chain[p] = chain[first] as number
      chain[first] = p
    }
    return
  }
}

/** Adds the furthest point above `face` to the hull. */
function addFurthest(hull: Building, face: number): void {
  const { corner, next, head, alive, seen, chain, startsAt, open } = hull
  const p = head[face] as number

  // faces that p sees, and the edges beyond which it sees none
  const visible = [face]
  const horizon: number[] = []
  seen[face] = p
  for (let k = 0; k < visible.length; k++) {
    const f = visible[k] as number
    for (let e = 0; e < 3; e++) {
      const g = next[3 * f + e] as number
      if (seen[g] === p) continue
      if (height(hull, g, p) > 0) {
        seen[g] = p
        visible.push(g)
      } else horizon.push(3 * f + e)
    }
  }

  // a triangle from every edge of the horizon to p
  const fresh: number[] = []
  for (const edge of horizon) {
    const f = Math.floor(edge / 3)
    const a = corner[edge] as number
    const b = corner[3 * f + ((edge + 1 - 3 * f) % 3)] as number
    const outer = next[edge] as number
    const g = addFace(hull, a, b, p)
    next[3 * g] = outer
    for (let e = 0; e < 3; e++) if (corner[3 * outer + e] === b && corner[3 * outer + ((e + 1) % 3)] === a) next[3 * outer + e] = g
    startsAt[a] = g
    fresh.push(g)
  }
  for (const g of fresh) {
    const after = startsAt[corner[3 * g + 1] as number] as number
    next[3 * g + 1] = after
    next[3 * after + 2] = g
  }

  // points above the faces that go find a new one, or are inside
  for (const f of visible) {
    alive[f] = false
    for (let q = head[f] as number; q >= 0; ) {
      const following = chain[q] as number
      if (q !== p) placePoint(hull, q, fresh)
      q = following
    }
    head[f] = -1
  }
  for (const g of fresh) if ((head[g] as number) >= 0) open.push(g)
}

function linkIfShared(hull: Building, f: number, g: number): void {
  if (f === g) return
  for (let e = 0; e < 3; e++) {
    for (let k = 0; k < 3; k++) {
      const a = hull.corner[3 * f + e]
      const b = hull.corner[3 * f + ((e + 1) % 3)]
      if (hull.corner[3 * g + k] === b && hull.corner[3 * g + ((k + 1) % 3)] === a) hull.next[3 * f + e] = g
    }
  }
}

/** Four points of a proper tetrahedron a b c d, with d below the face a b c. */
function findSimplex(xyz: Float64Array, n: number): readonly [number, number, number, number] | HullFailure {
  const at = (i: number, k: number): number => xyz[3 * i + k] as number
  const furthest = (measure: (i: number) => number): readonly [number, number] => {
    let best = -1
    let value = 0
    for (let i = 0; i < n; i++) {
      const m = measure(i)
      if (m > value) {
        value = m
        best = i
      }
    }
    return [best, value]
  }
  const distance2 = (i: number, j: number): number =>
    squared(at(i, 0) - at(j, 0)) + squared(at(i, 1) - at(j, 1)) + squared(at(i, 2) - at(j, 2))

  // two far points, the one furthest from their line, the one furthest from that plane
  const [a] = furthest((i) => distance2(i, 0))
  if (a < 0) return 'all points coincide'
  const [b] = furthest((i) => distance2(i, a))
  const cross = (i: number): [number, number, number] => {
    const u = [0, 1, 2].map((k) => at(b, k) - at(a, k)) as [number, number, number]
    const v = [0, 1, 2].map((k) => at(i, k) - at(a, k)) as [number, number, number]
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
  }
  const [c] = furthest((i) => cross(i).reduce((sum, x) => sum + x * x, 0))
  if (c < 0) return 'all points lie on a line'
  const normal = cross(c)
  const [guess] = furthest((i) => Math.abs([0, 1, 2].reduce((sum, k) => sum + (normal[k] as number) * (at(i, k) - at(a, k)), 0)))

  // rounding may have found height where there is none
  let d = guess
  let side = d < 0 ? 0 : orientation(xyz, a, b, c, d)
  for (let i = 0; side === 0 && i < n; i++) {
    d = i
    side = orientation(xyz, a, b, c, d)
  }
  if (side === 0) return 'all points lie in a plane'
  return side < 0 ? [a, b, c, d] : [a, c, b, d]
}
