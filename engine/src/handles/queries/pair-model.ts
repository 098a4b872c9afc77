/**
 * Two geoms of a model as a model of their own: for queries of shapes that are only to look at, which the arrays of contact do not have.
 */
import { buildModel } from '../../build/build-model.js'
import type { GeomSpec, MeshSpec } from '../../build/spec.js'
import type { Model } from '../../model/model.js'
import { BOX, CAPSULE, CYLINDER, ELLIPSOID, FIELD, type Geoms, MESH, PLANE } from '../../model/shapes.js'

/** Geom a on body 1, geom b on body 2, each in the frame of its body. A geom without a convex hull is missing among its shapes. */
export function buildPairModel(geoms: Geoms, a: number, b: number): Model {
  const bodies = [a, b].map((k, n) => ({
    name: `${n}`,
    joints: [{ type: 'free' as const }],
    inertia: { mass: 1, com: [0, 0, 0], tensor: [1, 1, 1, 0, 0, 0] } as const,
    geoms: [geomOf(geoms, k)],
  }))
  return buildModel({ bodies, meshes: [a, b].flatMap((k) => meshOf(geoms, k)).slice(0, geoms.mesh[a] === geoms.mesh[b] ? 1 : 2) })
}

function geomOf(geoms: Geoms, k: number): GeomSpec {
  const [x, y, z] = geoms.size.subarray(3 * k, 3 * k + 3)
  switch (geoms.shape[k]) {
    case PLANE:
      return { shape: 'plane' }
    case FIELD: {
      const f = geoms.field[k]
      const [rows, columns, start] = [geoms.fieldRows[f], geoms.fieldColumns[f], geoms.fieldStart[f]]
      return {
        shape: 'heightfield',
        size: [2 * x, 2 * y],
        rows,
        columns,
        heights: [...geoms.heights.subarray(start, start + rows * columns)],
      }
    }
    case CAPSULE:
      return { shape: 'capsule', radius: x, length: 2 * y }
    case CYLINDER:
      return { shape: 'cylinder', radius: x, length: 2 * y }
    case ELLIPSOID:
      return { shape: 'ellipsoid', radii: [x, y, z] }
    case BOX:
      return { shape: 'box', size: [2 * x, 2 * y, 2 * z] }
    case MESH:
      return { shape: 'mesh', mesh: `${geoms.mesh[k]}` }
    default:
      return { shape: 'sphere', radius: x }
  }
}

function meshOf({ shape, mesh, vertexStart, vertices, faceStart, faces }: Geoms, k: number): MeshSpec[] {
  const n = mesh[k]
  if (shape[k] !== MESH || n < 0) return []
  return [
    {
      name: `${n}`,
      vertices: [...vertices.subarray(vertexStart[n], vertexStart[n + 1])],
      faces: [...faces.subarray(faceStart[n], faceStart[n + 1])],
    },
  ]
}
