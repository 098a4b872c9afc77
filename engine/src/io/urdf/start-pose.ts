/**
 * The start pose of a robot: a model of its links with their solid shapes alone, each joint at 0 or at the nearest end of its range.
 */
import { buildModel } from '../../build/build-model.js'
import type { BodySpec, MeshSpec, Spec } from '../../build/spec.js'
import type { Vec } from '../../math/types.js'
import { createData } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { ModelError } from '../../model/model-error.js'
import { updatePoses } from '../../tree/kinematics.js'

export interface StartPose {
  readonly model: Model
  readonly q: Vec
  /** poses of the bodies in the world, 12 numbers each */
  readonly X_WB: Vec
}

/** Undefined where no link has a shape, or where the bodies are wrong: the builder of the whole spec then reports that. */
export function startPoseOf(bodies: readonly BodySpec[], meshes: readonly MeshSpec[]): StartPose | undefined {
  const solid = bodies.map(bareOf)
  if (solid.every(({ geoms }) => geoms.length === 0)) return undefined
  const used = new Set(solid.flatMap(({ geoms }) => geoms.flatMap((geom) => (geom.shape === 'mesh' ? [geom.mesh] : []))))
  // also neighbours on a fixed base are listed, for formats that let them touch
  const model = modelOf({ bodies: solid, touchFixedParents: true, meshes: meshes.filter(({ name }) => used.has(name)) })
  if (!model) return undefined
  const q = model.q0.slice()
  for (let k = 0; k < model.nv; k++) {
    const c = model.coordinate[k]
    if (c >= 0) q[c] = Math.min(Math.max(q[c], model.limits[2 * k]), model.limits[2 * k + 1])
  }
  const data = createData(model)
  updatePoses(model, data, q)
  return { model, q, X_WB: data.X_WB }
}

/** The body with its solid shapes alone, and a mass for the builder: the pose does not depend on it. A plane is the ground, not a part of a robot. */
function bareOf({ name, parent, position, quaternion, joints, geoms }: BodySpec) {
  return {
    name,
    ...(parent === undefined ? {} : { parent }),
    ...(position ? { position } : {}),
    ...(quaternion ? { quaternion } : {}),
    ...(joints ? { joints } : {}),
    inertia: { mass: 1, com: [0, 0, 0], tensor: [1, 1, 1, 0, 0, 0] } as const,
    geoms: (geoms ?? []).filter((geom) => geom.collide !== false && geom.shape !== 'plane'),
  }
}

function modelOf(spec: Spec): Model | undefined {
  try {
    return buildModel(spec)
  } catch (error) {
    if (error instanceof ModelError) return undefined
    throw error
  }
}
