/**
 * Joints as sequences of turns and slides: what formats without cylindrical, universal, planar and helical joints can state.
 *
 * The one table of the writers that knows joint types. Coordinates keep their order; a helical joint is a turn and a slide that share one.
 */

import type { JointSpec, Quat, Vec3 } from '../../build/spec.js'
import { norm } from '../../math/own.js'
import { axisAngleQuat, cross, IDENTITY, mulPose, normalizeQuat, type Pose, rotateVec, scaleVec, subVec } from '../pose.js'

export interface JointPart {
  readonly kind: 'turn' | 'slide' | 'ball' | 'free'
  /** unit length, in the body frame */
  readonly axis: Vec3
  readonly anchor: Vec3
  /** first of the joint's coordinates and velocities that move this part */
  readonly k: number
  /** slide of a helical joint: metres per radian of the turn */
  readonly pitch?: number
}

/** What a joint type is made of: coordinates, velocities, parts. */
interface Kind {
  readonly nq: number
  readonly nv: number
  readonly parts: (axes: { readonly a: Vec3; readonly b: Vec3; readonly anchor: Vec3; readonly pitch: number }) => JointPart[]
}

const X: Vec3 = [1, 0, 0]
const Y: Vec3 = [0, 1, 0]
const Z: Vec3 = [0, 0, 1]
const ORIGIN: Vec3 = [0, 0, 0]

const KINDS: Readonly<Record<string, Kind>> = {
  fixed: { nq: 0, nv: 0, parts: () => [] },
  revolute: { nq: 1, nv: 1, parts: ({ a, anchor }) => [{ kind: 'turn', axis: a, anchor, k: 0 }] },
  prismatic: { nq: 1, nv: 1, parts: ({ a, anchor }) => [{ kind: 'slide', axis: a, anchor, k: 0 }] },
  helical: {
    nq: 1,
    nv: 1,
    parts: ({ a, anchor, pitch }) => [
      { kind: 'turn', axis: a, anchor, k: 0 },
      { kind: 'slide', axis: a, anchor, k: 0, pitch },
    ],
  },
  cylindrical: {
    nq: 2,
    nv: 2,
    parts: ({ a, anchor }) => [
      { kind: 'turn', axis: a, anchor, k: 0 },
      { kind: 'slide', axis: a, anchor, k: 1 },
    ],
  },
  universal: {
    nq: 2,
    nv: 2,
    parts: ({ a, b, anchor }) => [
      { kind: 'turn', axis: a, anchor, k: 0 },
      { kind: 'turn', axis: b, anchor, k: 1 },
    ],
  },
  planar: {
    nq: 3,
    nv: 3,
    parts: ({ a, b, anchor }) => [
      { kind: 'slide', axis: a, anchor, k: 0 },
      { kind: 'slide', axis: b, anchor, k: 1 },
      { kind: 'turn', axis: unit(cross(a, b)), anchor, k: 2 },
    ],
  },
  spherical: { nq: 4, nv: 3, parts: ({ anchor }) => [{ kind: 'ball', axis: Z, anchor, k: 0 }] },
  free: { nq: 7, nv: 6, parts: () => [{ kind: 'free', axis: Z, anchor: ORIGIN, k: 0 }] },
}

/** Parts of a joint, or undefined for a type that is not known here. */
export function jointParts(
  joint: JointSpec,
): { readonly nq: number; readonly nv: number; readonly parts: readonly JointPart[] } | undefined {
  if (!Object.hasOwn(KINDS, joint.type)) return undefined
  const { nq, nv, parts } = KINDS[joint.type]
  const two = joint.type === 'universal' || joint.type === 'planar'
  const a = unit(joint.axis ?? (two ? X : Z))
  const b = unit(joint.axis2 ?? Y)
  return { nq, nv, parts: parts({ a, b, anchor: joint.anchor ?? ORIGIN, pitch: joint.pitch ?? 0 }) }
}

/** Pose of the body after a part, seen from the body before it; q is the part's coordinate less its reference (ball: quaternion). */
export function partPose(part: JointPart, q: readonly number[]): Pose {
  switch (part.kind) {
    case 'turn':
      return aboutAnchor(axisAngleQuat(part.axis, q[0]), part.anchor)
    case 'slide':
      return { position: scaleVec(part.axis, q[0]), quaternion: IDENTITY.quaternion }
    case 'ball':
      return aboutAnchor(normalizeQuat([q[0], q[1], q[2], q[3]]), part.anchor)
    case 'free':
      return { position: [q[0], q[1], q[2]], quaternion: normalizeQuat([q[3], q[4], q[5], q[6]]) }
  }
}

/** Displacement of a whole joint from the drawn pose at coordinates q with the given references; not for free joints. */
export function jointPose(parts: readonly JointPart[], q: readonly number[], reference: readonly number[]): Pose {
  let pose = IDENTITY
  for (const part of parts) {
    const shift = q[part.k] - reference[part.k]
    const local = part.kind === 'ball' ? q : [part.pitch === undefined ? shift : part.pitch * shift]
    pose = mulPose(pose, partPose(part, local))
  }
  return pose
}

function aboutAnchor(quaternion: Quat, anchor: Vec3): Pose {
  return { position: subVec(anchor, rotateVec(quaternion, anchor)), quaternion }
}

function unit(a: Vec3): Vec3 {
  const n = norm(a)
  return n > 0 ? scaleVec(a, 1 / n) : a
}
