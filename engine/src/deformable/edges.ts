/**
 * The frame that the edges of an element span.
 */
import type { Vec } from '../math/types.js'
import type { Mesh } from './mesh.js'

/**
 * out[o …] ← the inverse of the matrix whose columns are the edges from corner 0 (to corners 1, 2, 3 of a tetrahedron; along x, y, z of a voxel):
 * its rows are the gradients of the coordinates along them. Returns the volume they span, six times that of a tetrahedron.
 */
export function invertEdges(out: Vec, o: number, { vertices: X, corners, elements }: Mesh, e: number): number {
  const first = corners * e
  const v = 3 * elements[first]
  const edges = [0, 1, 2].map((d) => {
    const far = 3 * elements[first + (corners === 4 ? d + 1 : 1 << d)]
    return [X[far] - X[v], X[far + 1] - X[v + 1], X[far + 2] - X[v + 2]]
  })
  const normals = [0, 1, 2].map((d) => {
    const [a, b] = [edges[(d + 1) % 3], edges[(d + 2) % 3]]
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
  })
  const volume = normals[0][0] * edges[0][0] + normals[0][1] * edges[0][1] + normals[0][2] * edges[0][2]
  for (let k = 0; k < 9; k++) out[o + k] = normals[Math.floor(k / 3)][k % 3] / volume
  return volume
}
