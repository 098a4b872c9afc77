/**
 * What the readers of volume meshes collect, and how it becomes a mesh: corners of voxels in the order of the engine, tetrahedra of positive volume,
 * no vertex that nothing uses.
 */
import type { Ignored } from '../../../build/spec.js'
import type { Mesh } from '../../../deformable/mesh.js'
import { meshError } from '../../mesh/mesh-data.js'

export interface VolumeData {
  /** x y z of every vertex */
  readonly vertices: number[]
  /** four or eight vertices an element, by their places in `vertices` */
  readonly tetrahedra: number[]
  readonly hexahedra: number[]
  readonly ignored: Ignored[]
}

export interface VolumeMesh {
  readonly mesh: Mesh
  /** what the file holds besides, and what was left out or turned over */
  readonly ignored: readonly Ignored[]
}

export function emptyVolume(): VolumeData {
  return { vertices: [], tetrahedra: [], hexahedra: [], ignored: [] }
}

export function volumeMesh({ vertices, tetrahedra, hexahedra, ignored }: VolumeData, file: string): VolumeMesh {
  const corners = hexahedra.length > 0 ? 8 : 4
  if (tetrahedra.length > 0 && hexahedra.length > 0) {
    const found = `got ${tetrahedra.length / 4} tetrahedra and ${hexahedra.length / 8} hexahedra`
    throw meshError(file, `expected elements of one kind, ${found}; mesh the volume with one of them`)
  }
  if (tetrahedra.length + hexahedra.length === 0) {
    throw meshError(file, 'expected tetrahedra or hexahedra, got none; mesh the volume in 3D, or reduce the surface with --voxels N')
  }
  const given = Int32Array.from(corners === 8 ? hexahedra : tetrahedra)
  if (corners === 8) orderCorners(given, vertices)
  else turnOver(given, vertices, ignored)
  const { mesh, unused } = dropUnused(vertices, given, corners)
  if (unused > 0) ignored.push({ path: 'vertices', what: `${unused} of ${vertices.length / 3}`, why: 'no element uses them' })
  return { mesh, ignored }
}

/** Corner c of a voxel is at the far end along x, y, z where bit 0, 1, 2 of c is set: files go around each end instead. */
function orderCorners(elements: Int32Array, X: readonly number[]): void {
  for (let e = 0; e < elements.length; e += 8) {
    const given = elements.slice(e, e + 8)
    const middle = [0, 1, 2].map((a) => given.reduce((sum, v) => sum + X[3 * v + a], 0) / 8)
    const place = Array.from(given, (v) => [0, 1, 2].reduce((c, a) => c + (X[3 * v + a] > middle[a] ? 1 << a : 0), 0))
    // what is no box along the axes stays as it is, for the check of the elements to name
    if (new Set(place).size < 8) continue
    place.forEach((c, k) => {
      elements[e + c] = given[k]
    })
  }
}

/** Some programs number all tetrahedra the other way round. A few among many are inverted instead, and stay for the check to name. */
function turnOver(elements: Int32Array, X: readonly number[], ignored: Ignored[]): void {
  for (let e = 0; e < elements.length; e += 4) if (sixVolumes(elements, e, X) > 0) return
  for (let e = 0; e < elements.length; e += 4) {
    const third = elements[e + 2]
    elements[e + 2] = elements[e + 3]
    elements[e + 3] = third
  }
  ignored.push({
    path: 'elements',
    what: 'order of the vertices',
    why: 'every tetrahedron is numbered the other way round: all were turned over',
  })
}

function sixVolumes(elements: Int32Array, e: number, X: readonly number[]): number {
  const [o, a, b, c] = [0, 1, 2, 3].map((k) => 3 * elements[e + k])
  const d = (v: number, i: number): number => X[v + i] - X[o + i]
  return (
    d(a, 0) * (d(b, 1) * d(c, 2) - d(b, 2) * d(c, 1)) +
    d(a, 1) * (d(b, 2) * d(c, 0) - d(b, 0) * d(c, 2)) +
    d(a, 2) * (d(b, 0) * d(c, 1) - d(b, 1) * d(c, 0))
  )
}

function dropUnused(X: readonly number[], elements: Int32Array, corners: 4 | 8): { mesh: Mesh; unused: number } {
  const place = new Int32Array(X.length / 3).fill(-1)
  for (const v of elements) place[v] = 0
  const vertices: number[] = []
  for (let v = 0; v < place.length; v++) {
    if (place[v] < 0) continue
    place[v] = vertices.length / 3
    vertices.push(X[3 * v], X[3 * v + 1], X[3 * v + 2])
  }
  const mesh: Mesh = { vertices: Float64Array.from(vertices), corners, elements: elements.map((v) => place[v]) }
  return { mesh, unused: place.length - vertices.length / 3 }
}
