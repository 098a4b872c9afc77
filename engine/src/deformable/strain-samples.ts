/**
 * Where which components of the strain are looked at, so that sums of their squares are the elastic energy:
 *   W = μ Σ w (E_xx² + E_yy² + E_zz²) + 2 μ Σ w (E_yz² + E_xz² + E_xy²) + ½ λ Σ w tr(E)²
 *
 * In a tetrahedron all are constant. In a trilinear voxel each component has a degree of its own along each axis, and needs no more points of Gauss than
 * that: E_xx is constant along x and of degree 2 across, so 1 × 3 × 3 points; E_xy is of degree 1 along x and y, 2 along z, so 2 × 2 × 3; the trace needs
 * 3 × 3 × 3. That is 90 numbers a voxel, where all six at 27 points are 162.
 */
import type { Vec } from '../math/types.js'
import { type ElementTables, gauss, voxelEdges, writeVoxel } from './elements.js'
import type { Mesh } from './mesh.js'

/** xx, yy, zz, yz, xz, xy, trace */
export const COMPONENTS = 7
export const TRACE = 6

export interface StrainSamples {
  /** where components are looked at, an element */
  readonly points: number
  /** of each element */
  readonly table: Int32Array
  /** w of each component at a point, `COMPONENTS` a point; 0 where it is not looked at there */
  readonly weights: Vec
  /** gradients of the shape functions, 3 × corners a point */
  readonly gradients: Vec
}

export function strainSamples(mesh: Mesh, tables: ElementTables): StrainSamples {
  if (mesh.corners === 8) return voxelSamples(mesh)
  const weights = new Float64Array(COMPONENTS * tables.weights.length)
  tables.weights.forEach((w, t) => weights.fill(w, COMPONENTS * t, COMPONENTS * (t + 1)))
  return { points: 1, table: tables.table, weights, gradients: tables.gradients }
}

/** grids of points: the first for the trace and, in its middle planes, xx, yy, zz; then for yz, xz, xy */
const grids = [
  [3, 3, 3],
  [3, 2, 2],
  [2, 3, 2],
  [2, 2, 3],
] as const
const POINTS = 27 + 3 * 12

function voxelSamples(mesh: Mesh): StrainSamples {
  const { table, edges } = voxelEdges(mesh)
  const weights = new Float64Array(COMPONENTS * POINTS * edges.length)
  const gradients = new Float64Array(24 * POINTS * edges.length)
  const w = new Float64Array(27)
  edges.forEach((edge, t) => {
    let point = POINTS * t
    grids.forEach((along, grid) => {
      const count = along[0] * along[1] * along[2]
      writeVoxel(edge, along, w, 0, gradients, 24 * point)
      for (let p = 0; p < count; p++, point++) {
        if (grid > 0) {
          weights[COMPONENTS * point + 2 + grid] = w[p]
          continue
        }
        weights[COMPONENTS * point + TRACE] = w[p]
        // along its own axis a stretch is constant: the middle stands for all
        const at = [p % 3, Math.floor(p / 3) % 3, Math.floor(p / 9)]
        for (let a = 0; a < 3; a++) if (at[a] === 1) weights[COMPONENTS * point + a] = w[p] / gauss[3].shares[1]
      }
    })
  })
  return { points: POINTS, table, weights, gradients }
}
