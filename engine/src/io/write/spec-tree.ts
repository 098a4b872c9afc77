/**
 * A Spec as a tree, for the writers: bodies depth first, as files nest them, with the coordinate numbers the builder gives them.
 * Poses with every joint at its reference and at the start.
 */
import { createProblems } from '../../build/problems.js'
import type { PlacedBodySpec as BodySpec, JointSpec, PointSpec, Spec, Vec3 } from '../../build/spec.js'
import { orderBodies } from '../../build/tree.js'
import { IDENTITY, mulPose, normalizeQuat, type Pose, transformPoint } from '../pose.js'
import { type JointPart, jointParts, jointPose, partPose } from './joint-parts.js'

export interface TreeJoint {
  readonly spec: JointSpec
  readonly parts: readonly JointPart[]
  readonly iq: number
  readonly nq: number
  readonly iv: number
  readonly nv: number
  /** nq numbers; quaternions and free poses are neutral: where the body is drawn */
  readonly reference: readonly number[]
  readonly initial: readonly number[]
  readonly rest: readonly number[]
}

export interface TreeBody {
  readonly spec: BodySpec
  /** number in `spec.bodies` */
  readonly index: number
  readonly parent: TreeBody | undefined
  readonly children: readonly TreeBody[]
  readonly joints: readonly TreeJoint[]
  /** in the parent, as drawn */
  readonly pose: Pose
  /** in the world, joints at reference */
  readonly referencePose: Pose
  /** in the world, joints at their initial coordinates */
  readonly initialPose: Pose
  /** moves with some joint, its own or an ancestor's */
  readonly moving: boolean
}

export interface SpecTree {
  /** depth first, siblings in the order of the spec */
  readonly bodies: readonly TreeBody[]
  readonly roots: readonly TreeBody[]
  readonly byName: ReadonlyMap<string, TreeBody>
  readonly joints: ReadonlyMap<string, TreeJoint>
  readonly nq: number
  readonly nv: number
  /** coordinates at the start, as the builder numbers them */
  readonly initial: readonly number[]
  /** whether depth first is also the order of the numbers */
  readonly inOrder: boolean
}

/** Throws `ModelError` when parents are missing or go round, names are used twice, or a joint type is not known. */
export function createSpecTree(spec: Spec): SpecTree {
  const problems = createProblems(spec)
  const order = orderBodies(spec, problems)
  const bodies: TreeBody[] = []
  const roots: TreeBody[] = []
  const byName = new Map<string, TreeBody>()
  const joints = new Map<string, TreeJoint>()
  const initial: number[] = []
  const domains = new Map(spec.domains?.map(({ name, data }) => [name, data.modes]))
  let nv = 0

  for (const i of order.bodyOrder.subarray(1)) {
    const { spec: body, at: index, parent: number } = order.bodies[i - 1]
    const parent = bodies[number - 1] as TreeBody | undefined
    const pose: Pose = { position: body.position ?? [0, 0, 0], quaternion: normalizeQuat(body.quaternion ?? [1, 0, 0, 0]) }
    const own: TreeJoint[] = []
    for (const [k, joint] of (body.joints ?? []).entries()) {
      const kind = jointParts(joint)
      if (!kind) {
        problems.add(`bodies/${index}/joints/${k}/type`, `expected a known joint type, got ${JSON.stringify(joint.type)}`)
        continue
      }
      const tree = treeJoint(joint, kind, pose, initial.length, nv)
      initial.push(...tree.initial)
      nv += kind.nv
      own.push(tree)
      if (joint.name !== undefined) joints.set(joint.name, tree)
    }
    // modes have coordinates too, which no format but the scene's knows
    const modes = domains.get(body.domain?.name ?? '') ?? 0
    const start = body.deformation?.modes.map((mode) => mode.initial ?? mode.rest ?? 0) ?? Array.from({ length: modes }, () => 0)
    initial.push(...start)
    nv += start.length
    const node: TreeBody = {
      ...{ spec: body, index, parent, children: [], joints: own, pose },
      moving: parent?.moving === true || own.some((joint) => joint.nv > 0),
      referencePose: mulPose(parent?.referencePose ?? IDENTITY, pose),
      initialPose: mulPose(parent?.initialPose ?? IDENTITY, poseAt(pose, own)),
    }
    if (parent) (parent.children as TreeBody[]).push(node)
    else roots.push(node)
    bodies[i - 1] = node
    byName.set(body.name, node)
  }
  problems.finish()
  const inOrder = order.bodyOrder.every((body, k) => body === k)
  return { bodies, roots, byName, joints, nq: initial.length, nv, initial, inOrder }
}

/** World coordinates of a point, joints at reference or at the start. */
export function worldPoint(tree: SpecTree, point: PointSpec, when: 'referencePose' | 'initialPose'): Vec3 {
  return transformPoint(tree.byName.get(point.body)?.[when] ?? IDENTITY, point.point ?? [0, 0, 0])
}

/** Poses of all bodies in the world at coordinates q, in the order of `tree.bodies`. */
export function posesAt(tree: SpecTree, q: readonly number[]): Pose[] {
  const poses = new Map<TreeBody | undefined, Pose>([[undefined, IDENTITY]])
  return tree.bodies.map((body) => {
    const own = body.joints.map((joint) => ({ ...joint, initial: q.slice(joint.iq, joint.iq + joint.nq) }))
    const pose = mulPose(poses.get(body.parent) ?? IDENTITY, poseAt(body.pose, own))
    poses.set(body, pose)
    return pose
  })
}

/** Pose in the parent with the joints at their initial coordinates. */
function poseAt(pose: Pose, joints: readonly TreeJoint[]): Pose {
  let result = pose
  for (const { parts, initial, reference } of joints) {
    if (parts[0]?.kind === 'free') result = partPose(parts[0], initial)
    else result = mulPose(result, jointPose(parts, initial, reference))
  }
  return result
}

function treeJoint(
  spec: JointSpec,
  kind: { nq: number; nv: number; parts: readonly JointPart[] },
  pose: Pose,
  iq: number,
  iv: number,
): TreeJoint {
  const first = kind.parts[0]?.kind
  let reference = expand(spec.reference ?? 0, kind.nq)
  if (first === 'ball') reference = [1, 0, 0, 0]
  if (first === 'free') reference = [...pose.position, ...pose.quaternion]
  const initial = spec.initial === undefined ? reference : expand(spec.initial, kind.nq)
  const rest = spec.rest === undefined ? reference : expand(spec.rest, kind.nq)
  return { spec, ...kind, iq, iv, reference, initial, rest }
}

/** One number for all, or a list. */
export function expand(value: number | readonly number[], n: number): number[] {
  return typeof value === 'number' ? Array.from({ length: n }, () => value) : [...value]
}
