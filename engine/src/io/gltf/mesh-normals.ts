/**
 * Triangle meshes with smooth normals: corners share a normal where faces meet at less than the crease angle, and split where they do not,
 * so that round parts look round and edges stay sharp. Faces weigh by their angle at the corner.
 */
import type { Geometry } from './geometry.js'

/** faces that meet at more than this, degrees, keep an edge between them */
const CREASE = 40

/** Faces without area, or with vertices that are not there, are left out. */
export function meshGeometry(vertices: readonly number[], faces: readonly number[]): Geometry {
  const welded = weldVertices(vertices)
  const { corners, normals, angles } = faceNormals(vertices, faces)
  const around = new Map<number, number[]>()
  for (let c = 0; c < corners.length; c++) {
    const key = welded[corners[c]]
    const list = around.get(key)
    if (list) list.push(c)
    else around.set(key, [c])
  }

  const out: Geometry = { positions: [], normals: [], indices: [] }
  const made = new Map<string, number>()
  const limit = Math.cos((CREASE * Math.PI) / 180)
  for (let c = 0; c < corners.length; c++) {
    const own = 3 * Math.floor(c / 3)
    let [x, y, z] = [0, 0, 0]
    for (const other of around.get(welded[corners[c]]) ?? []) {
      const f = 3 * Math.floor(other / 3)
      const cosine = normals[own] * normals[f] + normals[own + 1] * normals[f + 1] + normals[own + 2] * normals[f + 2]
      if (cosine < limit) continue
      x += angles[other] * normals[f]
      y += angles[other] * normals[f + 1]
      z += angles[other] * normals[f + 2]
    }
    const n = Math.hypot(x, y, z)
    const normal = n > 0 ? [x / n, y / n, z / n] : [normals[own], normals[own + 1], normals[own + 2]]
    const key = `${welded[corners[c]]},${normal.map((component) => Math.round(component * 1e4)).join()}`
    let index = made.get(key)
    if (index === undefined) {
      index = out.positions.length / 3
      made.set(key, index)
      const v = 3 * corners[c]
      out.positions.push(vertices[v], vertices[v + 1], vertices[v + 2])
      out.normals.push(...normal)
    }
    out.indices.push(index)
  }
  return out
}

/** Number of the first vertex at the same place. */
function weldVertices(vertices: readonly number[]): Int32Array {
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

/** Faces with an area: their corners, unit normals (3 a face), angles at the corners. */
function faceNormals(vertices: readonly number[], faces: readonly number[]): { corners: number[]; normals: number[]; angles: number[] } {
  const corners: number[] = []
  const normals: number[] = []
  const angles: number[] = []
  const count = vertices.length / 3
  for (let f = 0; f + 2 < faces.length; f += 3) {
    const triple = [faces[f], faces[f + 1], faces[f + 2]]
    if (triple.some((i) => !(i >= 0 && i < count))) continue
    const edge = (a: number, b: number) => [0, 1, 2].map((k) => vertices[3 * triple[b] + k] - vertices[3 * triple[a] + k])
    const [ab, ac] = [edge(0, 1), edge(0, 2)]
    const n = [ab[1] * ac[2] - ab[2] * ac[1], ab[2] * ac[0] - ab[0] * ac[2], ab[0] * ac[1] - ab[1] * ac[0]]
    const area = Math.hypot(...n)
    // thinner than rounding: no direction to speak of
    if (!(area > 1e-12 * Math.hypot(...ab) * Math.hypot(...ac))) continue
    corners.push(...triple)
    normals.push(n[0] / area, n[1] / area, n[2] / area)
    for (let c = 0; c < 3; c++) {
      const [u, v] = [edge(c, (c + 1) % 3), edge(c, (c + 2) % 3)]
      const cosine = (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) / (Math.hypot(...u) * Math.hypot(...v))
      angles.push(Math.acos(Math.min(1, Math.max(-1, cosine))))
    }
  }
  return { corners, normals, angles }
}
