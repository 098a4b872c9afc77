/**
 * Joints in MJCF: one element a part, with what stands on the coordinate.
 */
import type { JointSpec, Vec3 } from '../../../build/spec.js'
import { conjugate, rotateVec } from '../../pose.js'
import type { JointPart } from '../joint-parts.js'
import { expand, type TreeBody, type TreeJoint } from '../spec-tree.js'
import { element, type XmlNode, type XmlValue } from '../xml-writer.js'
import type { Mjcf } from './context.js'

const TYPES = { turn: 'hinge', slide: 'slide', ball: 'ball', free: 'free' } as const
const AXES: readonly Vec3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

export function mjcfJoints(out: Mjcf, body: TreeBody): XmlNode[] {
  checkSequence(out, body)
  return body.joints.flatMap((joint, k) => {
    const path = `bodies/${body.index}/joints/${k}`
    const names = out.partNames.get(joint) ?? []
    checkJoint(out, joint, path)
    const kind = joint.parts[0]?.kind
    if (kind === 'free' && body.parent) return freeBelow(out, body, joint, names, path)
    if (joint.parts.some(({ pitch }) => pitch !== undefined)) screw(out, joint, names, path)
    return joint.parts.map((part, p) => partElement(joint, part, names[p]))
  })
}

function partElement(joint: TreeJoint, part: JointPart, name: string): XmlNode {
  const { spec } = joint
  const placed = part.kind === 'turn' || part.kind === 'ball'
  const scalar = part.kind === 'turn' || part.kind === 'slide'
  // the slide of a helical joint follows the turn, which carries spring, damper and the rest
  const follows = part.pitch !== undefined
  return element('joint', {
    name: name || undefined,
    type: TYPES[part.kind],
    pos: placed ? spec.anchor : undefined,
    axis: scalar ? part.axis : undefined,
    ...(scalar && !follows ? coordinates(joint, part.k) : {}),
    ...(follows ? {} : dofAttributes(spec, joint.nv, scalar ? part.k : undefined)),
    ...(joint.parts.length === 1 || (spec.type === 'helical' && !follows) ? limits(spec, scalar) : {}),
  })
}

/** MuJoCo's springref is zero by default, wherever the reference is. */
function coordinates(joint: TreeJoint, k: number): Record<string, XmlValue> {
  const reference = joint.reference[k]
  const rest = joint.rest[k]
  return { ref: reference === 0 ? undefined : reference, springref: rest === 0 ? undefined : rest }
}

/** For one velocity k, or for all of a ball or free joint, which MJCF gives one number. */
function dofAttributes(spec: JointSpec, nv: number, k: number | undefined): Record<string, XmlValue> {
  const pick = (value: number | readonly number[] | undefined) => {
    if (value === undefined) return undefined
    const list = expand(value, nv)
    return k === undefined ? (uniform(list) ? list[0] : undefined) : list[k]
  }
  return {
    stiffness: pick(spec.stiffness),
    damping: pick(spec.damping),
    armature: pick(spec.armature),
    frictionloss: spec.friction,
    solreffriction: spec.frictionSoftness?.solref,
    solimpfriction: spec.frictionSoftness?.solimp,
  }
}

function limits(spec: JointSpec, scalar: boolean): Record<string, XmlValue> {
  const { limits: range, limitMargin: margin, limitSoftness: soft } = spec
  return {
    range,
    margin,
    solreflimit: soft?.solref,
    solimplimit: soft?.solimp,
    actuatorfrcrange: scalar ? spec.forceRange : undefined,
    actuatorgravcomp: spec.actuatorGravityCompensation,
  }
}

function uniform(list: readonly number[]): boolean {
  return list.every((value) => value === list[0])
}

/** The equality that ties the slide of a helical joint to its turn. */
function screw(out: Mjcf, joint: TreeJoint, names: readonly string[], path: string): void {
  const pitch = joint.parts.find((part) => part.pitch !== undefined)?.pitch ?? 0
  out.extraEquality.push(element('joint', { joint1: names[1], joint2: names[0], polycoef: [0, pitch, 0, 0, 0] }))
  out.ignored.add(
    path,
    `helical joint ${names[0]}`,
    'written as hinge and slide with an equality, one coordinate more, kept only softly by MuJoCo',
  )
}

/** Three slides along the parent's axes and a ball: MuJoCo has free joints below the world only. */
function freeBelow(out: Mjcf, body: TreeBody, joint: TreeJoint, names: readonly string[], path: string): XmlNode[] {
  out.ignored.add(
    path,
    `free joint of ${body.spec.name}`,
    'written as three slides and a ball, since MuJoCo has free joints below the world only',
  )
  const back = conjugate(body.pose.quaternion)
  const shared = dofAttributes(joint.spec, joint.nv, undefined)
  const nodes = AXES.map((axis, k) => {
    const position = body.pose.position[k]
    const reference = { ref: position, springref: joint.rest[k] }
    return element('joint', { name: names[k] || undefined, type: 'slide', axis: rotateVec(back, axis), ...reference, ...shared })
  })
  return [...nodes, element('joint', { name: names[3] || undefined, type: 'ball', ...shared })]
}

/** What MJCF cannot say about one joint. */
function checkJoint(out: Mjcf, joint: TreeJoint, path: string): void {
  const { spec, parts, nv } = joint
  const label = `joint ${spec.name ?? path}`
  const scalar = nv === 1
  const kind = parts[0]?.kind
  if (spec.velocityLimit !== undefined) out.ignored.add(path, `velocityLimit of ${label}`, 'MJCF has no velocity limits')
  if (spec.limits && nv > 1 && kind !== 'ball')
    out.ignored.add(path, `limits of ${label}`, 'they speak of one degree of freedom, the joint has several')
  if (spec.forceRange && !scalar) out.ignored.add(path, `forceRange of ${label}`, 'MJCF limits the force of hinges and slides only')
  if (kind !== 'ball' && kind !== 'free') return
  for (const key of ['stiffness', 'damping', 'armature'] as const) {
    const value = spec[key]
    if (typeof value === 'object' && !uniform(value))
      out.ignored.add(path, `${key} of ${label}`, 'MJCF has one number for all its degrees of freedom')
  }
  if (spec.rest !== undefined && joint.rest.some((x, k) => x !== joint.reference[k])) {
    out.ignored.add(path, `rest of ${label}`, 'MuJoCo springs of ball and free joints are slack where the body is drawn')
  }
}

/** Limits of MuJoCo on several joints of one body. */
function checkSequence(out: Mjcf, body: TreeBody): void {
  const parts = body.joints.flatMap((joint) => joint.parts)
  const path = `bodies/${body.index}/joints`
  const what = `joints of ${body.spec.name}`
  const ball = parts.findIndex(({ kind }) => kind === 'ball')
  if (ball >= 0 && parts.slice(ball + 1).some(({ kind }) => kind !== 'slide')) {
    out.ignored.add(path, what, 'written as they are, but MuJoCo refuses a turn after a ball joint on one body')
  }
  const turns = parts.filter(({ kind }) => kind === 'turn').length
  const slides = parts.filter(({ kind }) => kind === 'slide').length
  const balls = parts.filter(({ kind }) => kind === 'ball').length
  if (turns + slides + 3 * balls > 6)
    out.ignored.add(path, what, 'written as they are, but MuJoCo refuses more than 6 degrees of freedom on one body')
}
