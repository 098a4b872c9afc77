/**
 * Triangle meshes with smooth normals: corners share a normal where faces meet at less than the crease angle, and split where they do not,
 * so that round parts look round and edges stay sharp. Faces weigh by their angle at the corner.
 */
import { atan2, cos } from '../../math/own.js'
import type { Geometry } from './geometry.js'

/** faces that meet at more than this, degrees, keep an edge between them */
const CREASE = 40

/** normals of one vertex that differ by less become one */
const SAME = 1e-4

/** Corners of faces that have an area: vertices, angles (one a corner) and unit normals (three a face). */
interface Corners {
  readonly vertex: Int32Array
  readonly angle: Float64Array
  readonly normal: Float64Array
}

export interface MeshGeometry extends Geometry {
  /** number of the given vertex that each stands for */
  readonly sources: number[]
}

/** Faces without area, or with vertices that are not there, are left out. */
export function meshGeometry(vertices: ArrayLike<number>, faces: ArrayLike<number>): MeshGeometry {
  const welded = weldVertices(vertices)
  const { vertex, angle, normal } = faceCorners(vertices, faces)
  const around = new Map<number, number[]>()
  for (let c = 0; c < vertex.length; c++) append(around, welded[vertex[c]], c)

  const out: MeshGeometry = { positions: [], normals: [], indices: [], sources: [] }
  const made = new Map<number, number[]>()
  const limit = cos((CREASE * Math.PI) / 180)
  for (let c = 0; c < vertex.length; c++) {
    const place = welded[vertex[c]]
    const own = c - (c % 3)
    let [x, y, z] = [0, 0, 0]
    for (const other of around.get(place) ?? []) {
      const f = other - (other % 3)
      if (normal[own] * normal[f] + normal[own + 1] * normal[f + 1] + normal[own + 2] * normal[f + 2] < limit) continue
      x += angle[other] * normal[f]
      y += angle[other] * normal[f + 1]
      z += angle[other] * normal[f + 2]
    }
    const n = Math.sqrt(x * x + y * y + z * z)
    const known = made.get(place)?.find((i) => {
      const m = out.normals
      return Math.abs(m[3 * i] - x / n) < SAME && Math.abs(m[3 * i + 1] - y / n) < SAME && Math.abs(m[3 * i + 2] - z / n) < SAME
    })
    if (known !== undefined) {
      out.indices.push(known)
      continue
    }
    const index = out.positions.length / 3
    const v = 3 * vertex[c]
    append(made, place, index)
    out.positions.push(vertices[v], vertices[v + 1], vertices[v + 2])
    out.normals.push(x / n, y / n, z / n)
    out.indices.push(index)
    out.sources.push(vertex[c])
  }
  return out
}

function append(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** Number of the first vertex at the same place. */
function weldVertices(vertices: ArrayLike<number>): Int32Array {
  const first = new Map<string, number>()
  const welded = new Int32Array(vertices.length / 3)
  for (let i = 0; i < welded.length; i++) {
    const key = `${vertices[3 * i]},${vertices[3 * i + 1]},${vertices[3 * i + 2]}`
    const seen = first.get(key)
    if (seen === undefined) first.set(key, i)
    welded[i] = seen ?? i
  }
  return welded
}

function faceCorners(vertices: ArrayLike<number>, faces: ArrayLike<number>): Corners {
  const count = vertices.length / 3
  const size = 3 * Math.floor(faces.length / 3)
  const vertex = new Int32Array(size)
  const angle = new Float64Array(size)
  const normal = new Float64Array(size)
  const there = (i: number) => i >= 0 && i < count
  let o = 0
  for (let f = 0; f < size; f += 3) {
    const [a, b, c] = [faces[f], faces[f + 1], faces[f + 2]]
    if (!there(a) || !there(b) || !there(c)) continue
    const [ux, uy, uz] = [
      vertices[3 * b] - vertices[3 * a],
      vertices[3 * b + 1] - vertices[3 * a + 1],
      vertices[3 * b + 2] - vertices[3 * a + 2],
    ]
    const [vx, vy, vz] = [
      vertices[3 * c] - vertices[3 * a],
      vertices[3 * c + 1] - vertices[3 * a + 1],
      vertices[3 * c + 2] - vertices[3 * a + 2],
    ]
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
    const area = Math.sqrt(nx * nx + ny * ny + nz * nz)
    const uu = ux * ux + uy * uy + uz * uz
    const vv = vx * vx + vy * vy + vz * vz
    const uv = ux * vx + uy * vy + uz * vz
    // thinner than rounding: no direction to speak of
    if (!(area > 1e-12 * Math.sqrt(uu * vv))) continue
    vertex.set([a, b, c], o)
    normal.set([nx / area, ny / area, nz / area], o)
    // angles at a and b; the third is what is left of half a turn
    angle[o] = atan2(area, uv)
    angle[o + 1] = atan2(area, uu - uv)
    angle[o + 2] = Math.PI - angle[o] - angle[o + 1]
    o += 3
  }
  return { vertex: vertex.subarray(0, o), angle: angle.subarray(0, o), normal: normal.subarray(0, o) }
}
