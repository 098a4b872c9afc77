/**
 * Links of one robot whose collision shapes overlap in the start pose.
 *
 * URDF has no rule for contact between the links of one robot: its authors expect none (Gazebo, Bullet), or name the pairs that never touch
 * in a second file (MoveIt). So shapes overlap freely, a hip inside the trunk; as solids they would burst apart or jam. The pairs that overlap
 * in the start pose, with each joint at 0 or at the nearest end of its range, are excluded from contact. The overlap is the one that the
 * narrow phase of the engine finds, for every shape that has contact: cylinders, and hulls of meshes, too. Only links of one robot count,
 * without a free joint between them, and no planes: a plane is the ground, and the robot stays on it.
 */
import type { BodySpec } from '../../build/spec.js'
import { findOverlaps } from '../../contact/overlaps.js'
import { LIMITS } from '../../model/limits.js'
import type { StartPose } from './start-pose.js'

/** Depth in m below which two shapes only touch, but for rounding. */
const MIN_DEPTH = 1e-9

/** Pairs of names, in the order of the bodies; `too many` where to list them would take memory without end. */
export function overlappingLinks(bodies: readonly BodySpec[], start: StartPose): (readonly [string, string])[] | 'too many' {
  if (areTooMany(start)) return 'too many'
  const { model, q } = start
  const { body } = model.shapes
  const root = rootsOf(bodies)
  const pairs = new Map<string, readonly [string, string]>()
  for (const { geomA, geomB } of findOverlaps(model, q, MIN_DEPTH)) {
    const [a, b] = [body[geomA], body[geomB]].sort((x, y) => x - y).map((i) => model.bodies[i].name)
    if (root.get(a) === root.get(b)) pairs.set(`${a}\n${b}`, [a, b])
  }
  return [...pairs.values()]
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
function areTooMany({ model, X_WB }: StartPose): boolean {
  const { count, body, X_BG, radius } = model.shapes
  if ((count * (count - 1)) / 2 <= LIMITS.pairs) return false
  const at = new Float64Array(3 * count)
  for (let k = 0; k < count; k++) {
    const X = X_WB.subarray(12 * body[k], 12 * body[k] + 12)
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
