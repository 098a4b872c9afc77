/**
 * Inertia of a link as MuJoCo's compiler leaves it: the bounds and the balance of `<compiler>`, in its order, the frame of a link that has
 * none, the total mass, and principal frames that are the link's own but for a hair.
 */
import type { MassProperties } from '../../build/geometry/mass-properties.js'
import { principalAxes, tensorOf } from '../../build/geometry/principal-axes.js'
import type { PlacedBodySpec as BodySpec, InertiaSpec, Quat, Tensor } from '../../build/spec.js'
import { MIN_MASS, snapToFrame, type Weight } from '../mjcf/compile/inertia.js'
import { mulQuat, type Pose } from '../pose.js'
import type { UrdfJoint } from './context.js'
import type { UrdfExtension } from './extension.js'

/** With the principal frame, which rounding and equal moments leave open to choice. */
export interface LinkWeight extends MassProperties {
  readonly axes: Quat
}

/** The principal frame that MuJoCo finds for a tensor in a frame turned by `turn`. */
export function axesOf(tensor: Tensor, turn: Quat): Quat {
  return mulQuat(turn, principalAxes(tensor).quaternion)
}

/** compiler boundmass, boundinertia, balanceinertia. `pose`: of the link in its parent, for MuJoCo weighs an empty link at its own pose. */
export function boundWeight(weight: LinkWeight | undefined, pose: Pose, extension: UrdfExtension): LinkWeight | undefined {
  const { boundmass, boundinertia, balanceinertia } = extension
  if (boundmass === 0 && boundinertia === 0 && !(balanceinertia && weight)) return weight
  const { mass, com, tensor, axes } = weight ?? { mass: 0, com: pose.position, tensor: [0, 0, 0, 0, 0, 0] as const, axes: pose.quaternion }
  const principal = principalAxes(tensor)
  let moments = principal.moments.map((x) => Math.max(x, boundinertia)) as [number, number, number]
  const [a, b, c] = moments
  if (balanceinertia && (a + b < c || a + c < b || b + c < a)) moments = [(a + b + c) / 3, (a + b + c) / 3, (a + b + c) / 3]
  const changed = moments.some((x, k) => x !== principal.moments[k])
  return { mass: Math.max(mass, boundmass), com, tensor: changed ? tensorOf({ ...principal, moments }) : tensor, axes }
}

/**
 * A principal frame a hair from the link's is the link's, as in MuJoCo; where fixed links are joined that holds for their sum, which is
 * near no frame but by chance.
 */
export function finishWeight(weight: LinkWeight, alone: boolean): InertiaSpec {
  const { mass, com, tensor, axes } = weight
  if (!alone) return { mass, com, tensor }
  const exact: Weight = { mass, com, moments: [0, 0, 0], quaternion: axes }
  const snapped = snapToFrame(exact)
  if (snapped === exact) return { mass, com, tensor }
  return { mass, com: snapped.com, tensor: [tensor[0], tensor[1], tensor[2], 0, 0, 0] }
}

/** Whether no moment exceeds the sum of the others by more than what rounding to two digits makes. */
export function isOfABody({ mass, tensor = [0, 0, 0, 0, 0, 0] }: InertiaSpec): boolean {
  const [a, b, c] = principalAxes(tensor).moments
  return mass === 0 || Math.max(a - b - c, b - a - c, c - a - b) <= 0.01 * Math.max(Math.abs(a), Math.abs(b), Math.abs(c))
}

/** Links whose mass MuJoCo joins with that of others: behind fixed joints, or the carrier of such a link. */
export function joinedLinks(weights: ReadonlyMap<string, LinkWeight>, jointTo: ReadonlyMap<string, UrdfJoint>): Set<string> {
  const joined = new Set<string>()
  for (const [name, { mass }] of weights) {
    if (!(mass >= MIN_MASS)) continue
    let at = name
    for (let joint = jointTo.get(at); joint?.type === 'fixed'; joint = jointTo.get(at)) {
      joined.add(at)
      at = joint.parent
    }
    if (at !== name) joined.add(at)
  }
  return joined
}

/** compiler settotalmass: one factor for all; links on the ground count only where MuJoCo keeps them as bodies. */
export function setTotalMass(bodies: BodySpec[], moving: ReadonlySet<string>, extension: UrdfExtension): BodySpec[] {
  const total = bodies.reduce(
    (sum, body) => sum + (extension.fusestatic === false || moving.has(body.name) ? (body.inertia?.mass ?? 0) : 0),
    0,
  )
  if (!(extension.settotalmass > 0) || !(total > 0)) return bodies
  const scale = extension.settotalmass / total
  return bodies.map((body) => {
    if (!body.inertia) return body
    const { tensor } = body.inertia
    const scaled = tensor && (tensor.map((x) => x * scale) as unknown as typeof tensor)
    return { ...body, inertia: { ...body.inertia, mass: body.inertia.mass * scale, ...(scaled ? { tensor: scaled } : {}) } }
  })
}
