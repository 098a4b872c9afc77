/**
 * Points of a shape that may touch a surface of the world. Exact against planes for spheres, capsules, boxes, cylinders (four points, as MuJoCo
 * has them), ellipsoids and hulls of at most `HULL_POINTS` vertices; larger hulls are represented by their support vertices.
 */
import type { Model } from '../../model/model.js'
import { BOX, CAPSULE, CYLINDER, ELLIPSOID, MESH, SPHERE } from '../../model/shapes.js'
import { ELLIPSOID_POINT, POINT, RIM } from './tables.js'

export interface CandidatePoint {
  readonly kind: number
  /** in body coordinates */
  readonly at: readonly number[]
  readonly radius: number
  /** of a rim and of an ellipsoid: see `Candidate` */
  readonly M: readonly number[]
}

type Triple = readonly [number, number, number]

const SIGNS = [-1, 1]
const ZEROS = new Array<number>(9).fill(0)
/** hulls with more vertices are represented by those farthest along this many directions or fewer */
export const HULL_POINTS = 32

/** Points of geom e. */
export function candidatesOf({ shapes }: Model, e: number): CandidatePoint[] {
  const { shape, size, X_BG } = shapes
  const X = X_BG.subarray(12 * e, 12 * e + 12)
  const [a, b, c] = size.subarray(3 * e, 3 * e + 3)
  const turn = (x: number, y: number, z: number): number[] => [0, 1, 2].map((r) => X[3 * r] * x + X[3 * r + 1] * y + X[3 * r + 2] * z)
  const place = (x: number, y: number, z: number): number[] => turn(x, y, z).map((value, r) => value + X[9 + r])
  const ball = (at: readonly number[], radius: number): CandidatePoint => ({ kind: POINT, at, radius, M: ZEROS })
  switch (shape[e]) {
    case SPHERE:
      return [ball(place(0, 0, 0), a)]
    case CAPSULE:
      return SIGNS.map((s) => ({ ...ball(place(0, 0, s * b), a), M: [...turn(0, 0, 1), ...ZEROS.slice(3)] }))
    case BOX:
      return SIGNS.flatMap((z) => SIGNS.flatMap((y) => SIGNS.map((x) => ball(place(x * a, y * b, z * c), 0))))
    case CYLINDER: {
      const axis = turn(0, 0, b)
      const point = ([cap, along, side]: Triple): CandidatePoint => ({
        ...{ kind: RIM, at: place(0, 0, 0), radius: a },
        M: [...axis, cap, along, side, ...turn(1, 0, 0)],
      })
      // the lowest point, the one above it on the other cap, and two that make a triangle of the lower cap
      const side = Math.sqrt(0.75)
      return (
        [
          [1, 1, 0],
          [-1, 1, 0],
          [1, -0.5, side],
          [1, -0.5, -side],
        ] as const
      ).map(point)
    }
    case ELLIPSOID: {
      const [x, y, z] = [turn(a, 0, 0), turn(0, b, 0), turn(0, 0, c)]
      return [{ kind: ELLIPSOID_POINT, at: place(0, 0, 0), radius: 0, M: [0, 1, 2].flatMap((r) => [x[r], y[r], z[r]]) }]
    }
    case MESH:
      return hullPoints(shapes, e).map((p) => ball(place(...p), 0))
    default:
      return []
  }
}

/** Number of vertices of the hull of geom e; 0 for other shapes. */
export function hullSize({ hulls }: Model['shapes'], e: number): number {
  const h = hulls.of[e]
  return h < 0 ? 0 : hulls.vertexStart[h + 1] - hulls.vertexStart[h]
}

function hullPoints({ hulls }: Model['shapes'], e: number): Triple[] {
  const h = hulls.of[e]
  const [first, end] = [hulls.vertexStart[h], hulls.vertexStart[h + 1]]
  const vertex = (v: number): Triple => [hulls.vertices[3 * v], hulls.vertices[3 * v + 1], hulls.vertices[3 * v + 2]]
  const all = Array.from({ length: end - first }, (_, k) => first + k)
  if (all.length <= HULL_POINTS) return all.map(vertex)
  const farthest = (direction: Triple): number => {
    let best = first
    let most = Number.NEGATIVE_INFINITY
    for (const v of all) {
      const p = vertex(v)
      const along = p[0] * direction[0] + p[1] * direction[1] + p[2] * direction[2]
      if (along <= most) continue
      most = along
      best = v
    }
    return best
  }
  const ways = [-1, 0, 1]
  const directions = ways.flatMap((x) => ways.flatMap((y) => ways.map((z): Triple => [x, y, z]))).filter((d) => d.some((x) => x !== 0))
  return [...new Set(directions.map(farthest))].map(vertex)
}
