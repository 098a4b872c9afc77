/**
 * Finer meshes inside a domain: a vertex moves with the element it lies in, by the weights that the shape functions of the corners have there
 * (barycentric in a tetrahedron, trilinear in a voxel). Weights sum to 1 and carry linear fields over exactly, also outside of the
 * element: a vertex outside of all takes the nearest one.
 */
import { hypot, squared } from '../math/own.js'
import type { Vec } from '../math/types.js'
import { invertEdges } from './edges.js'
import type { Mesh } from './mesh.js'

export interface Embedding {
  /** corners of the elements, `width` of them a vertex, and their weights */
  readonly width: number
  readonly sources: Int32Array
  readonly weights: Vec
}

/** `points`: 3 numbers each, in the frame of the mesh. */
export function embed(mesh: Mesh, points: ArrayLike<number>): Embedding {
  const { corners, elements } = mesh
  const count = points.length / 3
  const sources = new Int32Array(corners * count)
  const weights = new Float64Array(corners * count)
  const places = elementPlaces(mesh)
  for (let k = 0; k < count; k++) {
    const x: Point = [points[3 * k], points[3 * k + 1], points[3 * k + 2]]
    const e = findElement(places, x)
    for (let c = 0; c < corners; c++) sources[corners * k + c] = elements[corners * e + c]
    writeWeights(weights, corners * k, places, e, x)
  }
  return { width: corners, sources, weights }
}

/** out[o …] ← Σ weight · row of vertex k; rows of three begin at `from`. */
export function blendRow(out: Vec, o: number, { width, sources, weights }: Embedding, k: number, rows: Vec, from: number): void {
  for (let c = width * k; c < width * (k + 1); c++) {
    for (let a = 0; a < 3; a++) out[o + a] += weights[c] * rows[from + 3 * sources[c] + a]
  }
}

type Point = readonly [number, number, number]

/**
 * Where elements are. The coordinates of x in element e are N (x − corner 0): those of a tetrahedron are its barycentric ones but the first, those
 * of a voxel run from 0 to 1 along its edges. Height a is that over the face where coordinate a is 0, in metres.
 */
interface Places {
  readonly corners: 4 | 8
  readonly count: number
  readonly origin: Vec
  /** N, 9 an element */
  readonly inverse: Vec
  /** 4 an element, the last that over the face where the coordinates sum to 1, used by tetrahedra */
  readonly height: Vec
  /** a ball around each: centre and radius */
  readonly ball: Vec
}

function elementPlaces(mesh: Mesh): Places {
  const { vertices: X, corners, elements } = mesh
  const count = elements.length / corners
  const places = {
    corners,
    count,
    origin: new Float64Array(3 * count),
    inverse: new Float64Array(9 * count),
    height: new Float64Array(4 * count),
    ball: new Float64Array(4 * count),
  }
  for (let e = 0; e < count; e++) {
    const all = Array.from({ length: corners }, (_, c): Point => {
      const v = 3 * elements[corners * e + c]
      return [X[v], X[v + 1], X[v + 2]]
    })
    places.origin.set(all[0], 3 * e)
    invertEdges(places.inverse, 9 * e, mesh, e)
    const N = places.inverse.subarray(9 * e, 9 * e + 9)
    // a coordinate grows by its gradient a metre
    for (let d = 0; d < 3; d++) places.height[4 * e + d] = 1 / hypot(N[3 * d], N[3 * d + 1], N[3 * d + 2])
    places.height[4 * e + 3] = 1 / hypot(N[0] + N[3] + N[6], N[1] + N[4] + N[7], N[2] + N[5] + N[8])
    const middle = [0, 1, 2].map((k) => all.reduce((sum, x) => sum + x[k], 0) / corners)
    places.ball.set([...middle, Math.max(...all.map((x) => hypot(x[0] - middle[0], x[1] - middle[1], x[2] - middle[2])))], 4 * e)
  }
  return places
}

/** The element that holds x deepest, or the nearest by the planes of its faces. */
function findElement(places: Places, x: Point): number {
  const { count, ball } = places
  let best = -1
  let least = Number.POSITIVE_INFINITY
  const consider = (e: number) => {
    const d = outside(places, e, x)
    if (!(d < least)) return
    least = d
    best = e
  }
  for (let e = 0; e < count; e++) {
    const [u, v, w] = [x[0] - ball[4 * e], x[1] - ball[4 * e + 1], x[2] - ball[4 * e + 2]]
    // a little wider, so that corners are in spite of rounding
    if (u * u + v * v + w * w <= 1.001 * squared(ball[4 * e + 3])) consider(e)
  }
  if (least > 0) for (let e = 0; e < count; e++) consider(e)
  return best
}

/** Metres that x lies outside of the farthest face of e; negative inside. */
function outside(places: Places, e: number, x: Point): number {
  const { corners, height } = places
  const [a, b, c] = coordinates(places, e, x)
  const h = 4 * e
  const low = Math.max(-a * height[h], -b * height[h + 1], -c * height[h + 2])
  if (corners === 4) return Math.max(low, (a + b + c - 1) * height[h + 3])
  return Math.max(low, (a - 1) * height[h], (b - 1) * height[h + 1], (c - 1) * height[h + 2])
}

function coordinates({ origin, inverse: N }: Places, e: number, x: Point): Point {
  const [u, v, w] = [x[0] - origin[3 * e], x[1] - origin[3 * e + 1], x[2] - origin[3 * e + 2]]
  const n = 9 * e
  return [N[n] * u + N[n + 1] * v + N[n + 2] * w, N[n + 3] * u + N[n + 4] * v + N[n + 5] * w, N[n + 6] * u + N[n + 7] * v + N[n + 8] * w]
}

function writeWeights(out: Vec, o: number, places: Places, e: number, x: Point): void {
  const at = coordinates(places, e, x)
  if (places.corners === 4) {
    out[o] = 1 - at[0] - at[1] - at[2]
    for (let k = 0; k < 3; k++) out[o + 1 + k] = at[k]
    return
  }
  for (let c = 0; c < 8; c++) {
    out[o + c] = 1
    for (let a = 0; a < 3; a++) out[o + c] *= (c >> a) & 1 ? at[a] : 1 - at[a]
  }
}
