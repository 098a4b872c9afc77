/**
 * Links that are drawn into each other where the robot starts.
 *
 * URDF knows no contact between the links of one robot; those who write it count on none (Gazebo, Bullet), or name the pairs that never
 * touch in a second file (MoveIt). So their shapes overlap at will, a hip within the trunk, and solid they would burst apart. Pairs that
 * overlap in the pose of the start, joints at 0 or at the end of their range that is nearest, are taken as such pairs; of one robot only,
 * without a free joint between them: what lies on the ground stays solid.
 */
import { buildModel } from '../../build/build-model.js'
import type { BodySpec, Spec } from '../../build/spec.js'
import { findOverlaps } from '../../contact/overlaps.js'
import type { Model } from '../../model/model.js'
import { ModelError } from '../../model/model-error.js'

/** m: what touches but for rounding is not in each other */
const DEEP = 1e-9

/** shapes that links can push each other with; the engine knows no contact of other solids */
const SOLID = new Set(['box', 'sphere', 'capsule'])

/** Pairs of names, in the order of the bodies. */
export function overlappingLinks(bodies: readonly BodySpec[]): (readonly [string, string])[] {
  const solid = bodies.map(bareOf)
  if (solid.filter((body) => body.geoms.length > 0).length < 2) return []
  const model = modelOf({ bodies: solid })
  if (!model) return []
  const q = model.q0.slice()
  for (let k = 0; k < model.nv; k++) {
    const c = model.coordinate[k]
    if (c >= 0) q[c] = Math.min(Math.max(q[c], model.limits[2 * k]), model.limits[2 * k + 1])
  }

  const { body } = model.shapes
  const pairs = new Map<string, readonly [string, string]>()
  for (const { geomA, geomB } of findOverlaps(model, q, DEEP)) {
    const [a, b] = [body[geomA], body[geomB]].sort((x, y) => x - y).map((i) => model.bodies[i].name)
    if (joined(bodies, a, b)) pairs.set(`${a}\n${b}`, [a, b])
  }
  return [...pairs.values()]
}

/** The body with what pushes, and a weight for the builder: where it is does not depend on it. */
function bareOf({ name, parent, position, quaternion, joints, geoms }: BodySpec) {
  return {
    name,
    ...(parent === undefined ? {} : { parent }),
    ...(position ? { position } : {}),
    ...(quaternion ? { quaternion } : {}),
    ...(joints ? { joints } : {}),
    inertia: { mass: 1, com: [0, 0, 0], tensor: [1, 1, 1, 0, 0, 0] } as const,
    geoms: (geoms ?? []).filter((geom) => geom.collide !== false && SOLID.has(geom.shape)),
  }
}

/** None where the bodies are wrong: the builder of the whole spec will say so. */
function modelOf(spec: Spec): Model | undefined {
  try {
    return buildModel(spec)
  } catch (error) {
    if (error instanceof ModelError) return undefined
    throw error
  }
}

/** Whether both hang on one link, and nothing between them moves freely. */
function joined(bodies: readonly BodySpec[], a: string, b: string): boolean {
  const byName = new Map(bodies.map((body) => [body.name, body]))
  const above = (name: string): Set<string> => {
    const chain = new Set<string>()
    for (let at = byName.get(name); at && !chain.has(at.name); at = byName.get(at.parent ?? 'world')) {
      chain.add(at.name)
      if (at.joints?.some((joint) => joint.type === 'free')) break
    }
    return chain
  }
  const mine = above(a)
  return [...above(b)].some((name) => mine.has(name))
}
