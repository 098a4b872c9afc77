/**
 * Small meshes for the tests of deformable bodies.
 */
import { type Material, type Mesh, voxelGrid } from 'limber'

export const rubber: Material = { young: 1e6, poisson: 0.4, density: 1000 }

/** The cut of a box into six tetrahedra around its diagonal from corner 0 to corner 7. */
const sixTetrahedra = [
  [0, 1, 3, 7],
  [0, 3, 2, 7],
  [0, 2, 6, 7],
  [0, 6, 4, 7],
  [0, 4, 5, 7],
  [0, 5, 1, 7],
]

/** Every voxel cut into six tetrahedra; faces of neighbours match. */
export function tetrahedra(voxels: Mesh): Mesh {
  const elements: number[] = []
  for (let e = 0; e < voxels.elements.length; e += 8) {
    for (const corners of sixTetrahedra) elements.push(...corners.map((c) => voxels.elements[e + c]))
  }
  return { vertices: voxels.vertices, corners: 4, elements: Int32Array.from(elements) }
}

/** A beam along x of nx cells, clamped in the tests at x = 0. */
export function beam(size: readonly [number, number, number], edge: number | readonly [number, number, number]): Mesh {
  return voxelGrid({ size, edge })
}

/** Everything with x ≤ 0. */
export const atOrigin = { min: [-1, -9, -9], max: [0, 9, 9] } as const
