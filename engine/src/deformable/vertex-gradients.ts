/**
 * Gradients of displacements at the vertices of a mesh: the mean over the elements around, each weighted by its volume, so that they vary
 * continuously over the domain. What turns normals and tangents of its surface.
 */
import type { Vec } from '../math/types.js'
import { invertEdges } from './edges.js'
import type { Mesh } from './mesh.js'

/** For a field of 3 numbers a vertex that begins at `from`: H = ∂u/∂X, 9 a vertex, row-major. */
export type VertexGradients = (field: Vec, from: number) => Vec

export function vertexGradients(mesh: Mesh): VertexGradients {
  const { vertices: X, corners, elements } = mesh
  const count = elements.length / corners
  const total = new Float64Array(X.length / 3)
  const inverses = new Float64Array(9 * count)
  const volumes = new Float64Array(count)
  for (let e = 0; e < count; e++) {
    volumes[e] = invertEdges(inverses, 9 * e, mesh, e)
    for (let c = 0; c < corners; c++) total[elements[corners * e + c]] += volumes[e]
  }
  return (field, from) => {
    const H = new Float64Array(3 * X.length)
    for (let e = 0; e < count; e++) {
      for (let c = 0; c < corners; c++) {
        const v = elements[corners * e + c]
        const share = volumes[e] / total[v]
        for (let d = 0; d < 3; d++) {
          // along edge d: from corner 0 of a tetrahedron; in a voxel along the edge at this corner
          const far = elements[corners * e + (corners === 4 ? d + 1 : c | (1 << d))]
          const near = elements[corners * e + (corners === 4 ? 0 : c & ~(1 << d))]
          for (let a = 0; a < 3; a++) {
            const rise = share * (field[from + 3 * far + a] - field[from + 3 * near + a])
            for (let b = 0; b < 3; b++) H[9 * v + 3 * a + b] += rise * inverses[9 * e + 3 * d + b]
          }
        }
      }
    }
    return H
  }
}
