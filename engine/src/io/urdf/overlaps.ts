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
import type { Vec } from '../../math/types.js'
import { createData } from '../../model/data.js'
import { LIMITS } from '../../model/limits.js'
import type { Model } from '../../model/model.js'
import { ModelError } from '../../model/model-error.js'
import { updatePoses } from '../../tree/kinematics.js'

/** m: what touches but for rounding is not in each other */
const DEEP = 1e-9

/** shapes that links can push each other with; the engine knows no contact of other solids */
const SOLID = new Set(['box', 'sphere', 'capsule'])

/** Pairs of names, in the order of the bodies; `too many` where to list them would take memory without end. */
export function overlappingLinks(bodies: readonly BodySpec[]): (readonly [string, string])[] | 'too many' {
  const solid = bodies.map(bareOf)
  if (solid.filter((body) => body.geoms.length > 0).length < 2) return []
  const model = modelOf({ bodies: solid })
  if (!model) return []
  const q = model.q0.slice()
  for (let k = 0; k < model.nv; k++) {
    const c = model.coordinate[k]
    if (c >= 0) q[c] = Math.min(Math.max(q[c], model.limits[2 * k]), model.limits[2 * k + 1])
  }

  if (areTooMany(model, q)) return 'too many'

  const { body } = model.shapes
  const root = rootsOf(bodies)
  const pairs = new Map<string, readonly [string, string]>()
  for (const { geomA, geomB } of findOverlaps(model, q, DEEP)) {
    const [a, b] = [body[geomA], body[geomB]].sort((x, y) => x - y).map((i) => model.bodies[i].name)
    if (root.get(a) === root.get(b)) pairs.set(`${a}\n${b}`, [a, b])
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

/** By body, the one that it hangs on at last, or the first above it that moves freely. */
function rootsOf(bodies: readonly BodySpec[]): Map<string, string> {
  const byName = new Map(bodies.map((body) => [body.name, body]))
  const roots = new Map<string, string>()
  for (const body of bodies) {
    const way: string[] = []
    let at: BodySpec = body
    while (!roots.has(at.name)) {
      way.push(at.name)
      const above = at.joints?.some((joint) => joint.type === 'free') ? undefined : byName.get(at.parent ?? 'world')
      if (!above || way.length > bodies.length) break
      at = above
    }
    const root = roots.get(at.name) ?? at.name
    for (const name of way) roots.set(name, root)
  }
  return roots
}

/** Whether more pairs of balls about the shapes meet than anyone could list: counted along x, which takes no memory. */
function areTooMany(m: Model, q: Vec): boolean {
  const { count, body, X_BG, radius } = m.shapes
  if ((count * (count - 1)) / 2 <= LIMITS.pairs) return false
  const d = createData(m)
  updatePoses(m, d, q)
  const at = new Float64Array(3 * count)
  for (let k = 0; k < count; k++) {
    const X = d.X_WB.subarray(12 * body[k], 12 * body[k] + 12)
    for (let r = 0; r < 3; r++) {
      // rows of the rotation, then the place
      at[3 * k + r] = X[9 + r] + X[3 * r] * X_BG[12 * k + 9] + X[3 * r + 1] * X_BG[12 * k + 10] + X[3 * r + 2] * X_BG[12 * k + 11]
    }
  }
  const low = (k: number): number => at[3 * k] - radius[k]
  const order = Array.from({ length: count }, (_, k) => k).sort((a, b) => low(a) - low(b))
  let pairs = 0
  for (let i = 0; i < count; i++) {
    const a = order[i]
    for (let j = i + 1; j < count && low(order[j]) <= at[3 * a] + radius[a]; j++) {
      const b = order[j]
      const [dx, dy, dz] = [at[3 * a] - at[3 * b], at[3 * a + 1] - at[3 * b + 1], at[3 * a + 2] - at[3 * b + 2]]
      const reach = radius[a] + radius[b]
      if (dx * dx + dy * dy + dz * dz < reach * reach && ++pairs > LIMITS.pairs) return true
    }
  }
  return false
}
