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
import { createContacts, reserveContacts } from '../../constraints/contact/contacts.js'
import { findContacts } from '../../constraints/contact/find-contacts.js'
import { createData } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { ModelError } from '../../model/model-error.js'
import { createState } from '../../model/state.js'
import { forwardKinematics } from '../../tree/kinematics.js'

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
  const state = createState(model)
  bodies.forEach((body, i) => clamp(model, state.q, body, i))
  const data = createData(model)
  forwardKinematics(model, data, state.q, state.v)
  const g = model.contact
  const found = createContacts(g)
  findContacts(found, g, data.X_WB, 0)
  if (found.overflow > 0) {
    reserveContacts(found, found.count + found.overflow)
    findContacts(found, g, data.X_WB, 0)
  }

  const pairs = new Map<string, readonly [string, string]>()
  for (let k = 0; k < found.count; k++) {
    if (!(found.gap[k] < -DEEP)) continue
    const [a, b] = [g.body[found.geomA[k]], g.body[found.geomB[k]]].sort((x, y) => x - y)
    const key = `${a} ${b}`
    const names = [a, b].map((i) => model.bodies[i]?.name ?? '')
    if (!pairs.has(key) && joined(bodies, names[0] as string, names[1] as string)) pairs.set(key, [names[0] as string, names[1] as string])
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

function clamp(model: Model, q: Float64Array, body: BodySpec, i: number): void {
  const limits = body.joints?.[0]?.limits
  const joint = limits && model.joints.find((entry) => entry.body === i + 1)
  if (joint && limits) q[joint.iq] = Math.min(Math.max(q[joint.iq], limits[0]), limits[1])
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
