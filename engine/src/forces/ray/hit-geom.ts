/**
 * A ray in the world against one shape of a model.
 */
import type { Vec } from '../../math/types.js'
import { FIELD, type Geoms, MESH } from '../../model/shapes.js'
import { mulPose, rotateBack } from '../../printed/arrays.js'
import { hitField } from './field.js'
import { hitMesh } from './mesh.js'
import { hitSolid } from './solids.js'

const ray = new Float64Array(6)

/**
 * Reads X_WB (12 a body), the ray from start along the unit vector direction, both in the world. Writes the pose of geom k in the world to X. Offers
 * its hits to `nearest`, with the normal in the frame of the shape.
 */
export function hitGeom(X: Vec, X_WB: Vec, geoms: Geoms, k: number, start: Vec, direction: Vec): void {
  mulPose(X, 0, X_WB, 12 * geoms.body[k], geoms.X_BG, 12 * k)
  for (let r = 0; r < 3; r++) ray[r] = start[r] - X[9 + r]
  rotateBack(ray, 0, X, 0, ray, 0)
  rotateBack(ray, 3, X, 0, direction, 0)
  if (geoms.shape[k] === MESH) {
    // one whose mesh is missing has no surface
    if (geoms.mesh[k] >= 0) hitMesh(ray, geoms, geoms.mesh[k])
  } else if (geoms.shape[k] === FIELD) hitField(ray, geoms, k)
  else hitSolid(ray, geoms.shape[k], geoms.size, 3 * k)
}
