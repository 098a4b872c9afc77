/**
 * Meshes of tetrahedra or voxels, and voxel meshes made in code.
 */
import type { Vec } from '../math/types.js'

export interface Mesh {
  /** rest positions, 3 a vertex */
  readonly vertices: Vec
  /** 4 of a tetrahedron, positive volume when the fourth is seen counter-clockwise from the others' outside; 8 of a voxel, see `Reduced` */
  readonly corners: 4 | 8
  readonly elements: Int32Array
}

/** along x, y, z */
export type Triple = readonly [number, number, number]

export interface VoxelGrid {
  /** cells along x, y, z; every cell is filled where `filled` does not say otherwise */
  readonly size?: Triple
  readonly filled?: (i: number, j: number, k: number) => boolean
  /** or the filled cells themselves, by their places along x, y, z */
  readonly cells?: readonly Triple[]
  /** edge lengths of a cell, m */
  readonly edge: number | Triple
  /** position of the lowest corner of cell 0, 0, 0 */
  readonly origin?: Triple
}

/** Equal voxels on a grid; cells that touch share vertices. Elements in the order of the cells, z outermost. */
export function voxelGrid({ size, filled, cells, edge, origin = [0, 0, 0] }: VoxelGrid): Mesh {
  const step: Triple = typeof edge === 'number' ? [edge, edge, edge] : edge
  const places = cells ?? gridCells(size ?? [0, 0, 0], filled)
  const vertices: number[] = []
  const elements = new Int32Array(8 * places.length)
  const known = new Map<string, number>()
  places.forEach((place, e) => {
    for (let c = 0; c < 8; c++) {
      const at = [place[0] + (c & 1), place[1] + ((c >> 1) & 1), place[2] + (c >> 2)]
      const key = at.join()
      let v = known.get(key)
      if (v === undefined) {
        v = known.size
        known.set(key, v)
        for (let a = 0; a < 3; a++) vertices.push(origin[a] + step[a] * at[a])
      }
      elements[8 * e + c] = v
    }
  })
  return { vertices: Float64Array.from(vertices), corners: 8, elements }
}

function gridCells([nx, ny, nz]: Triple, filled: VoxelGrid['filled']): Triple[] {
  const out: Triple[] = []
  for (let k = 0; k < nz; k++) for (let j = 0; j < ny; j++) for (let i = 0; i < nx; i++) if (!filled || filled(i, j, k)) out.push([i, j, k])
  return out
}

/** corners on the ways along the edges of a voxel from corner 0 to corner 7, an even and an odd order of the axes by turns */
const ways = [
  [0, 1, 3, 7],
  [0, 3, 2, 7],
  [0, 2, 6, 7],
  [0, 6, 4, 7],
  [0, 4, 5, 7],
  [0, 5, 1, 7],
]

/** Voxels cut into six tetrahedra each, which neighbours cut alike: one point of integration each, and vertices may then be moved to another shape. */
export function tetrahedra({ vertices, elements }: Mesh): Mesh {
  const cut: number[] = []
  for (let e = 0; e < elements.length; e += 8) for (const way of ways) for (const c of way) cut.push(elements[e + c])
  return { vertices, corners: 4, elements: Int32Array.from(cut) }
}

/** Faces of an element by its corners, counter-clockwise seen from outside; those of voxels are quadrilaterals. */
const tetrahedronFaces = [
  [1, 2, 3],
  [0, 3, 2],
  [0, 1, 3],
  [0, 2, 1],
]
const voxelFaces = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
]

export interface Face {
  /** in the order of the first element */
  readonly vertices: readonly number[]
  /** those that have this face */
  readonly elements: number[]
}

/** Every face once, by its sorted vertices. */
export function facesOf({ corners, elements }: Mesh): Map<string, Face> {
  const shape = corners === 4 ? tetrahedronFaces : voxelFaces
  const faces = new Map<string, Face>()
  for (let e = 0; e < elements.length / corners; e++) {
    for (const face of shape) {
      const vertices = face.map((c) => elements[corners * e + c])
      const key = faceKey(vertices)
      const known = faces.get(key)
      if (known) known.elements.push(e)
      else faces.set(key, { vertices, elements: [e] })
    }
  }
  return faces
}

export function faceKey(vertices: readonly number[]): string {
  return Array.from(vertices)
    .sort((a, b) => a - b)
    .join()
}

/** Triangles of the boundary, counter-clockwise seen from outside. */
export function surfaceOf(faces: ReadonlyMap<string, Face>): Int32Array {
  const out: number[] = []
  for (const { vertices, elements } of faces.values()) {
    if (elements.length > 1) continue
    for (let k = 2; k < vertices.length; k++) out.push(vertices[0], vertices[k - 1], vertices[k])
  }
  return Int32Array.from(out)
}
