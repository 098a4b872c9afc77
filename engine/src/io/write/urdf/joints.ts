/**
 * Joints in URDF: one joint a turn or slide, with massless links between those of one body; linear couplings as mimic.
 */

import type { JointSpec, Spec, Vec3 } from '../../../build/spec.js'
import { atan2, hypot } from '../../../math/own.js'
import { axisAngleQuat, IDENTITY, mulPose, normalizeQuat, type Pose, rotationMatrix, scaleVec, subVec } from '../../pose.js'
import type { JointPart } from '../joint-parts.js'
import { expand, type SpecTree, type TreeBody, type TreeJoint } from '../spec-tree.js'
import type { IgnoredList } from '../written.js'
import { element, type XmlNode, type XmlValue } from '../xml-writer.js'
import type { Urdf } from './write-urdf.js'

/** URDF asks for effort, velocity and, for slides, a range; this stands for none */
const UNBOUNDED = 1e9

const ORIGIN: Vec3 = [0, 0, 0]

export interface Mimic {
  readonly joint: string
  readonly multiplier: number
  readonly offset: number
}

/** Joints from the parent's link to the body's, and the links between them. Notes where the body's link frame stands. */
export function urdfJoints(out: Urdf, body: TreeBody): { readonly joints: readonly XmlNode[]; readonly links: readonly XmlNode[] } {
  const steps = body.joints.flatMap((joint, k) => joint.parts.map((part) => ({ joint, part, path: `bodies/${body.index}/joints/${k}` })))
  for (const [k, joint] of body.joints.entries()) ignoreJoint(out, joint, `bodies/${body.index}/joints/${k}`)
  const parentName = body.parent?.spec.name ?? 'world'
  const parentOffset = (body.parent && out.offsets.get(body.parent)) ?? ORIGIN
  const joints: XmlNode[] = []
  const links: XmlNode[] = []

  // pose of the body in the parent's link, and where the link frame of the step stands in the body
  let pose: Pose = { ...body.pose, position: subVec(body.pose.position, parentOffset) }
  let offset: Vec3 = ORIGIN
  let from = parentName
  for (const [k, { joint, part, path }] of steps.entries()) {
    const last = k + 1 === steps.length
    const to = last ? body.spec.name : out.linkNames.make(`${body.spec.name}_link_${k + 1}`)
    const anchor = part.kind === 'slide' ? offset : part.anchor
    const zero = zeroPose(joint, part)
    const place = mulPose(mulPose(pose, { ...IDENTITY, position: anchor }), zero)
    const origin = k === 0 ? place : mulPose({ ...IDENTITY, position: subVec(anchor, offset) }, zero)
    joints.push(jointElement(out, joint, part, from, to, origin, body, path))
    if (!last) links.push(element('link', { name: to }))
    pose = IDENTITY
    offset = anchor
    from = to
  }
  if (steps.length > 1) {
    out.ignored.add(
      `bodies/${body.index}/joints`,
      `joints of ${body.spec.name}`,
      'written in a row with massless links between, which MuJoCo refuses',
    )
  }
  if (steps.length === 0) {
    const name = body.spec.joints?.find((joint) => joint.name !== undefined)?.name ?? out.jointNames.make(`${body.spec.name}_joint`)
    joints.push(element('joint', { name, type: 'fixed' }, [originElement(pose), ...ends(parentName, body.spec.name)]))
  }
  out.offsets.set(body, offset)
  return { joints, links }
}

/** Pose of the part at coordinate zero, about its anchor: URDF joints have their zero where they are drawn. */
function zeroPose(joint: TreeJoint, part: JointPart): Pose {
  const reference = joint.reference[part.k]
  if (part.kind === 'turn') return { position: ORIGIN, quaternion: axisAngleQuat(part.axis, -reference) }
  if (part.kind === 'slide' && part.pitch === undefined) return { ...IDENTITY, position: scaleVec(part.axis, -reference) }
  return IDENTITY
}

function jointElement(
  out: Urdf,
  joint: TreeJoint,
  part: JointPart,
  from: string,
  to: string,
  origin: Pose,
  body: TreeBody,
  path: string,
): XmlNode {
  const { spec, parts } = joint
  const single = parts.length === 1
  const follows = part.pitch !== undefined
  const base = spec.name ?? out.jointNames.make(`${body.spec.name}_joint`)
  const first = single || (spec.type === 'helical' && !follows)
  const name = first ? base : out.jointNames.make(`${base}_${parts.indexOf(part) + 1}`)
  const limits = single || spec.type === 'helical' ? spec.limits : undefined
  const type = jointType(part, follows ? undefined : limits)
  if (part.kind === 'ball')
    out.ignored.add(path, `spherical joint ${name}`, "written as type 'spherical', which MuJoCo and Limber read but ROS does not")
  const scalar = part.kind === 'turn' || part.kind === 'slide'
  return element('joint', { name, type }, [
    originElement(origin),
    ...ends(from, to),
    ...(scalar ? [element('axis', { xyz: part.axis })] : []),
    ...(scalar ? limitElement(out, spec, type, limits, follows, path) : []),
    ...dynamicsElement(spec, joint.nv, follows ? undefined : part.k),
    ...mimicElement(out, joint, part, base),
  ])
}

/** The slide of a helical joint follows its turn; others follow what the spec couples them to. */
function mimicElement(out: Urdf, joint: TreeJoint, part: JointPart, name: string): XmlNode[] {
  const { pitch } = part
  if (pitch !== undefined) return [element('mimic', { joint: name, multiplier: pitch, offset: -pitch * joint.reference[0] })]
  const found = out.mimics.get(name)
  return found ? [element('mimic', { ...found })] : []
}

function jointType(part: JointPart, limits: readonly [number, number] | undefined): string {
  switch (part.kind) {
    case 'turn':
      return limits ? 'revolute' : 'continuous'
    case 'slide':
      return 'prismatic'
    case 'ball':
      return 'spherical'
    case 'free':
      return 'floating'
  }
}

function limitElement(
  out: Urdf,
  spec: JointSpec,
  type: string,
  limits: readonly [number, number] | undefined,
  follows: boolean,
  path: string,
): XmlNode[] {
  const { forceRange, velocityLimit } = spec
  if (type === 'continuous' && !forceRange && velocityLimit === undefined) return []
  const effort = forceRange && !follows ? Math.max(Math.abs(forceRange[0]), Math.abs(forceRange[1])) : UNBOUNDED
  if (forceRange && forceRange[0] !== -forceRange[1])
    out.ignored.add(path, `forceRange ${forceRange.join(' ')}`, `URDF has one effort, written ${effort}`)
  const range = type === 'continuous' ? undefined : follows ? undefined : limits
  const [lower, upper] = range ?? (type === 'continuous' ? [undefined, undefined] : [-UNBOUNDED, UNBOUNDED])
  return [element('limit', { lower, upper, effort, velocity: follows ? UNBOUNDED : (velocityLimit ?? UNBOUNDED) })]
}

function dynamicsElement(spec: JointSpec, nv: number, k: number | undefined): XmlNode[] {
  if (k === undefined) return []
  const damping = spec.damping === undefined ? undefined : expand(spec.damping, nv)[k]
  const attributes: Record<string, XmlValue> = { damping: damping || undefined, friction: spec.friction || undefined }
  return Object.values(attributes).some((value) => value !== undefined) ? [element('dynamics', attributes)] : []
}

/** Linear couplings by the joint that follows: q = multiplier q(of) + offset. Other constraints URDF cannot say. */
export function urdfMimics(spec: Spec, tree: SpecTree, ignored: IgnoredList): Map<string, Mimic> {
  const mimics = new Map<string, Mimic>()
  for (const [k, constraint] of (spec.constraints ?? []).entries()) {
    const path = `constraints/${k}`
    const what = `constraint ${constraint.name ?? constraint.type}`
    if (constraint.type !== 'coupling' || constraint.of === undefined) {
      ignored.add(path, what, 'URDF is a tree, with mimic for one joint that follows another')
      continue
    }
    const own = tree.joints.get(constraint.joint)
    const of = tree.joints.get(constraint.of)
    const [p0 = 0, p1 = 0, ...higher] = constraint.polynomial
    if (own?.nv !== 1 || of?.nv !== 1 || higher.some((c) => c !== 0))
      ignored.add(path, what, 'mimic is linear, between joints of one coordinate')
    else if (constraint.active === false) ignored.add(path, what, 'mimic cannot be switched off')
    else if (mimics.has(constraint.joint)) ignored.add(path, what, 'a joint mimics one other joint')
    else mimics.set(constraint.joint, { joint: constraint.of, multiplier: p1, offset: own.reference[0] + p0 - p1 * of.reference[0] })
  }
  return mimics
}

/** What URDF cannot say about one joint. */
function ignoreJoint({ ignored }: Urdf, joint: TreeJoint, path: string): void {
  const { spec, nv, parts } = joint
  const label = `joint ${spec.name ?? path}`
  const whole = parts.length === 1 && nv > 1
  if (some(spec.stiffness)) ignored.add(path, `stiffness of ${label}`, 'URDF has no springs')
  if (some(spec.armature)) ignored.add(path, `armature of ${label}`, 'URDF has no armature')
  if (joint.initial.some((x, k) => x !== joint.reference[k])) ignored.add(path, `initial of ${label}`, 'URDF has no start')
  if (spec.limits && nv > 1) ignored.add(path, `limits of ${label}`, 'URDF limits joints of one coordinate')
  if (whole && typeof spec.damping === 'object' && spec.damping.some((d, _, all) => d !== all[0])) {
    ignored.add(path, `damping of ${label}`, 'URDF has one number for the joint; the first was written')
  }
  if (parts.some(({ pitch }) => pitch !== undefined)) ignored.add(path, `helical ${label}`, 'written as a turn and a slide that mimics it')
}

function some(value: number | readonly number[] | undefined): boolean {
  return typeof value === 'number' ? value !== 0 : (value?.some((x) => x !== 0) ?? false)
}

function ends(parent: string, child: string): XmlNode[] {
  return [element('parent', { link: parent }), element('child', { link: child })]
}

export function originElement({ position, quaternion }: Pose): XmlNode {
  return element('origin', { xyz: position, rpy: rollPitchYaw(normalizeQuat(quaternion)) })
}

/** R = Rz(yaw) Ry(pitch) Rx(roll); at a pitch of a right angle the yaw is zero. */
export function rollPitchYaw(quaternion: Pose['quaternion']): number[] {
  const R = rotationMatrix(quaternion)
  const flat = hypot(R[0], R[3])
  const pitch = atan2(-R[6], flat)
  if (flat < 1e-10) return [atan2(-R[5], R[4]), pitch, 0]
  return [atan2(R[7], R[8]), pitch, atan2(R[3], R[0])]
}
