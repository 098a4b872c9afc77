/**
 * A Spec as a tree with numbered coordinates, for the writers: bodies depth first, siblings in the order of the list, as the builder does.
 * Poses with every joint at its reference and at the start.
 */
import type { BodySpec, JointSpec, PointSpec, Spec, Vec3 } from '../../build/spec.js'
import { ModelError, type Problem } from '../../model/model-error.js'
import { IDENTITY, mulPose, normalizeQuat, type Pose, transformPoint } from '../mjcf/pose.js'
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
  /** depth first */
  readonly bodies: readonly TreeBody[]
  readonly roots: readonly TreeBody[]
  readonly byName: ReadonlyMap<string, TreeBody>
  readonly joints: ReadonlyMap<string, TreeJoint>
  readonly nq: number
  readonly nv: number
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Throws `ModelError` when parents are missing or go round, names are used twice, or a joint type is not known. */
export function createSpecTree(spec: Spec): SpecTree {
  const problems: Problem[] = []
  const children = childLists(spec, problems)
  const bodies: TreeBody[] = []
  const roots: TreeBody[] = []
  const byName = new Map<string, TreeBody>()
  const joints = new Map<string, TreeJoint>()
  let nq = 0
  let nv = 0

  const stack = (children.get('world') ?? []).toReversed().map((index) => ({ index, parent: undefined as TreeBody | undefined }))
  while (stack.length > 0) {
    const { index, parent } = stack.pop() as (typeof stack)[number]
    const body = spec.bodies[index]
    const pose: Pose = { position: body.position ?? [0, 0, 0], quaternion: normalizeQuat(body.quaternion ?? [1, 0, 0, 0]) }
    const own: TreeJoint[] = []
    for (const [k, joint] of (body.joints ?? []).entries()) {
      const kind = jointParts(joint)
      if (!kind) {
        problems.push({
          path: `bodies/${index}/joints/${k}/type`,
          message: `expected a known joint type, got ${JSON.stringify(joint.type)}`,
        })
        continue
      }
      const tree = treeJoint(joint, kind, pose, nq, nv)
      nq += kind.nq
      nv += kind.nv
      own.push(tree)
      if (joint.name !== undefined) joints.set(joint.name, tree)
    }
    const moving = parent?.moving === true || own.some(({ nv: n }) => n > 0)
    const node: Mutable<TreeBody> = {
      ...{ spec: body, index, parent, children: [], joints: own, pose, moving },
      referencePose: mulPose(parent?.referencePose ?? IDENTITY, pose),
      initialPose: mulPose(parent?.initialPose ?? IDENTITY, poseAt(pose, own)),
    }
    if (parent) (parent.children as TreeBody[]).push(node)
    else roots.push(node)
    bodies.push(node)
    byName.set(body.name, node)
    for (const child of (children.get(body.name) ?? []).toReversed()) stack.push({ index: child, parent: node })
  }
  if (bodies.length < spec.bodies.length && problems.length === 0) {
    const lost = spec.bodies.findIndex((body) => !byName.has(body.name))
    problems.push({ path: `bodies/${lost}/parent`, message: 'expected parents to lead to the world, got a cycle' })
  }
  if (problems.length > 0) throw new ModelError(problems)
  return { bodies, roots, byName, joints, nq, nv }
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
  return typeof value === 'number' ? new Array<number>(n).fill(value) : [...value]
}

/** Numbers of the bodies below each name. */
function childLists(spec: Spec, problems: Problem[]): Map<string, number[]> {
  const lists = new Map<string, number[]>([['world', []]])
  for (const [index, { name }] of spec.bodies.entries()) {
    if (lists.has(name)) problems.push({ path: `bodies/${index}/name`, message: `expected a name of its own, got '${name}' again` })
    lists.set(name, [])
  }
  for (const [index, { parent = 'world' }] of spec.bodies.entries()) {
    const list = lists.get(parent)
    if (list) list.push(index)
    else problems.push({ path: `bodies/${index}/parent`, message: `expected the name of a body or 'world', got '${parent}'` })
  }
  return lists
}
