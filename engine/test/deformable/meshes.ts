/**
 * Small meshes for the tests of deformable bodies.
 */
import { type Material, type Mesh, voxelGrid } from 'limber'

export const rubber: Material = { young: 1e6, poisson: 0.4, density: 1000 }

/** A beam along x of nx cells, clamped in the tests at x = 0. */
export function beam(size: readonly [number, number, number], edge: number | readonly [number, number, number]): Mesh {
  return voxelGrid({ size, edge })
}

/** Everything with x ≤ 0. */
export const atOrigin = { min: [-1, -9, -9], max: [0, 9, 9] } as const
