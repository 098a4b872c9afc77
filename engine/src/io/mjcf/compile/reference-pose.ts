/**
 * The mechanism at its reference position, where every body stands as drawn: world poses, and the mass matrix that MuJoCo's compiler
 * uses to turn time constants and damping ratios into springs and dampers.
 */

import { moveMassProperties, sumMassProperties, tensorAbout } from '../../../build/geometry/mass-properties.js'
import type { Vec3 } from '../../../build/spec.js'
import { squared } from '../../../math/own.js'
import { addVec, cross, dot, IDENTITY, mulPose, type Pose, rotateVec, scaleVec, transformPoint } from '../../pose.js'
import type { MjcfJoint } from '../elements/joints.js'
import type { MjcfTendon } from '../elements/tendons.js'
import { ignore } from '../syntax/context.js'
import { snapToFrame, toMassProperties } from './inertia.js'
import type { MjcfBody, Tree } from './tree.js'

export function worldPose(body: MjcfBody): Pose {
  let pose = IDENTITY
  for (let b: MjcfBody | undefined = body; b?.parent; b = b.parent) pose = mulPose(b.pose, pose)
  return pose
}

/** a twist at the world's origin: angular, linear */
interface Dof {
  readonly joint: MjcfJoint
  readonly body: MjcfBody
  readonly angular: Vec3
  readonly linear: Vec3
}

export interface ReferenceInertia {
  readonly dofs: readonly { readonly joint: MjcfJoint }[]
  /** dense, row-major */
  readonly M: readonly number[]
}

const ZERO: Vec3 = [0, 0, 0]
const AXES: readonly Vec3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

function dofsOf(body: MjcfBody): Dof[] {
  const pose = worldPose(body)
  const dofs: Dof[] = []
  const turn = (joint: MjcfJoint, axis: Vec3, point: Vec3): void => {
    dofs.push({ joint, body, angular: axis, linear: cross(point, axis) })
  }
  for (const joint of body.joints) {
    const anchor = transformPoint(pose, joint.pos)
    switch (joint.type) {
      case 'hinge':
        turn(joint, rotateVec(pose.quaternion, joint.axis), anchor)
        break
      case 'slide':
        dofs.push({ joint, body, angular: ZERO, linear: rotateVec(pose.quaternion, joint.axis) })
        break
      case 'ball':
        for (const axis of AXES) turn(joint, rotateVec(pose.quaternion, axis), anchor)
        break
      case 'free':
        for (const axis of AXES) dofs.push({ joint, body, angular: ZERO, linear: axis })
        for (const axis of AXES) turn(joint, rotateVec(pose.quaternion, axis), pose.position)
    }
  }
  return dofs
}

/** M(qpos0) by composite inertias, with the armatures of joints and of fixed tendons. */
export function referenceInertia(tree: Tree, tendons: readonly MjcfTendon[]): ReferenceInertia {
  const composite = new Map<MjcfBody, ReturnType<typeof sumMassProperties>>()
  for (const body of [...tree.bodies].reverse()) {
    const pose = worldPose(body)
    const own = moveMassProperties(toMassProperties(body.weight), pose.position, pose.quaternion)
    const below = body.children.map((child) => composite.get(child)).filter((part) => part !== undefined)
    composite.set(body, sumMassProperties([own, ...below]))
  }
  const dofs = tree.bodies.flatMap(dofsOf)
  const nv = dofs.length
  const M = new Array<number>(nv * nv).fill(0)
  for (let i = 0; i < nv; i++) {
    const di = dofs[i] as Dof
    const part = composite.get(di.body)
    if (!part) continue
    // momentum about the origin of the subtree moving with dof i
    const { mass, com } = part
    const t = tensorAbout(part, ZERO)
    const w = di.angular
    const linear = addVec(scaleVec(di.linear, mass), cross(w, scaleVec(com, mass)))
    const angular = addVec(
      [t[0] * w[0] + t[3] * w[1] + t[4] * w[2], t[3] * w[0] + t[1] * w[1] + t[5] * w[2], t[4] * w[0] + t[5] * w[1] + t[2] * w[2]],
      cross(scaleVec(com, mass), di.linear),
    )
    const above = new Set<MjcfBody>()
    for (let b: MjcfBody | undefined = di.body; b; b = b.parent) above.add(b)
    for (let j = 0; j <= i; j++) {
      const dj = dofs[j] as Dof
      if (!above.has(dj.body)) continue
      const value = dot(dj.angular, angular) + dot(dj.linear, linear)
      M[i * nv + j] = value
      M[j * nv + i] = value
    }
    M[i * nv + i] = (M[i * nv + i] as number) + di.joint.armature
  }
  for (const tendon of tendons) {
    if (!tendon.joints || tendon.armature === 0) continue
    const entries = tendon.joints.map((part) => ({ k: dofs.findIndex((dof) => dof.joint === part.joint), c: part.coefficient }))
    for (const a of entries) {
      for (const b of entries) M[a.k * nv + b.k] = (M[a.k * nv + b.k] as number) + tendon.armature * a.c * b.c
    }
  }
  return { dofs, M }
}

/** Diagonal of the mass matrix at the degrees of freedom of a joint. */
export function diagonalOf(inertia: ReferenceInertia, joint: MjcfJoint): number[] {
  const nv = inertia.dofs.length
  return inertia.dofs.flatMap((dof, k) => (dof.joint === joint ? [inertia.M[k * nv + k] as number] : []))
}

/** Diagonal of the inverse at the degrees of freedom of a joint, by solving M x = e with elimination. */
function inverseDiagonal(inertia: ReferenceInertia): number[] {
  const nv = inertia.dofs.length
  // Cholesky, then the squared norms of the columns of L⁻¹
  const L = new Float64Array(nv * nv)
  for (let i = 0; i < nv; i++) {
    for (let j = 0; j <= i; j++) {
      let s = inertia.M[i * nv + j] as number
      for (let k = 0; k < j; k++) s -= (L[i * nv + k] as number) * (L[j * nv + k] as number)
      if (i === j) L[i * nv + i] = Math.sqrt(Math.max(s, 1e-300))
      else L[i * nv + j] = s / (L[j * nv + j] as number)
    }
  }
  const result: number[] = []
  const x = new Float64Array(nv)
  for (let c = 0; c < nv; c++) {
    let sum = 0
    for (let i = c; i < nv; i++) {
      let s = i === c ? 1 : 0
      for (let k = c; k < i; k++) s -= (L[i * nv + k] as number) * (x[k] as number)
      x[i] = s / (L[i * nv + i] as number)
      sum += squared(x[i] as number)
    }
    result.push(sum)
  }
  return result
}

/**
 * springdamper = (time constant, damping ratio) → stiffness and damping, with the inertia seen at each joint:
 * the inverse of the mean diagonal of M⁻¹.
 */
export function resolveSpringDampers(tree: Tree, tendons: readonly MjcfTendon[]): void {
  const joints = tree.bodies.flatMap((body) => body.joints).filter((joint) => joint.springdamper[0] > 0 && joint.springdamper[1] > 0)
  if (joints.length === 0) return
  for (const tendon of tendons) {
    if (tendon.joints || tendon.armature === 0) continue
    const what = `tendon '${tendon.name}': its armature, as springdamper of joints would feel it`
    ignore(tree.shared, tendon.element, what, 'affects motion by little: their springs and dampers are those of the joints without it')
  }
  const reference = referenceInertia(tree, tendons)
  const inverse = inverseDiagonal(reference)
  const simple = new Map(tree.bodies.filter(onlySlides).flatMap((body) => body.joints.map((joint) => [joint, body.weight.mass] as const)))
  for (const joint of joints) {
    const at = reference.dofs.flatMap((dof, k) => (dof.joint === joint ? [inverse[k] as number] : []))
    const inertia = simple.get(joint) ?? at.length / at.reduce((a, b) => a + b, 0)
    const [time, ratio] = joint.springdamper
    joint.stiffness = inertia / (time * time * ratio * ratio)
    joint.damping = (2 * inertia) / time
  }
}

/** A lone body that slides along its own principal axes: MuJoCo then takes its mass for the inertia, and forgets the armature. */
function onlySlides(body: MjcfBody): boolean {
  const along = (axis: Vec3): boolean => axis.filter((x) => x === 0).length === 2
  const { com, quaternion } = snapToFrame(body.weight)
  for (let b = body.parent; b; b = b.parent) if (b.joints.length > 0) return false
  return (
    body.children.length === 0 &&
    body.joints.every((joint) => joint.type === 'slide' && along(joint.axis) && joint.pos.every((x) => x === 0)) &&
    com.every((x) => x === 0) &&
    Math.abs(quaternion[0]) === 1
  )
}
