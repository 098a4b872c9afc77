/**
 * What can be said of a body only when all of it has been read: its weight, whether its joints fit together, its alignment.
 */

import { invertPose, mulPose, type Pose } from '../../pose.js'
import { addProblem } from '../../xml.js'
import { JOINT_NV } from '../elements/joints.js'
import { correctWeight, sumWeights, WEIGHTLESS } from './inertia.js'
import type { MjcfBody, Tree } from './tree.js'

/** Weighs the body, checks its joints, aligns a free body. `own`: its pose as written, without the frames around it. */
export function finishBody(tree: Tree, body: MjcfBody, own: Pose): void {
  const { scope, element } = body
  const { reader } = scope.shared
  const { inertiafromgeom, inertiagrouprange, alignfree } = scope.compiler
  const label = body.named ? body.name : '(unnamed)'

  const counted = body.geoms.filter((g) => g.raw.group >= inertiagrouprange[0] && g.raw.group <= inertiagrouprange[1])
  const fromGeoms =
    inertiafromgeom === 'true' || (inertiafromgeom === 'auto' && !body.inertial) ? sumWeights(counted.map((g) => g.weight)) : undefined
  // MuJoCo puts the inertia of a body that has none at the pose written for the body; only boundmass can show it
  const none = { ...WEIGHTLESS, com: own.position, quaternion: own.quaternion }
  body.weight = correctWeight(scope, element, label, fromGeoms ?? body.inertial ?? none)

  let nv = 0
  let ball = false
  for (const joint of body.joints) {
    nv += JOINT_NV[joint.type]
    if (ball && (joint.type === 'ball' || joint.type === 'hinge'))
      addProblem(reader, joint.element, 'no joint that turns may follow a ball joint in a body')
    if (joint.type === 'ball') ball = true
  }
  if (nv > 6) addProblem(reader, element, `body '${label}' has ${nv} degrees of freedom: at most 6; put some joints in a body between`)
  if (body.mocap && (nv > 0 || body.parent !== tree.world))
    addProblem(reader, element, 'a mocap body must stand directly in the world, without joints', 'mocap')
  for (const geom of body.geoms) {
    if (geom.raw.type === 'plane' && moves(body)) addProblem(reader, geom.element, 'a plane needs a body that cannot move')
  }

  const joint = body.joints[0]
  const align = joint?.type === 'free' && body.joints.length === 1 && body.children.length === 0
  if (align && (joint.align === 'true' || (joint.align === 'auto' && alignfree))) alignBody(body)
}

/** Whether a joint lies between the body and the ground. */
function moves(body: MjcfBody): boolean {
  for (let b: MjcfBody | undefined = body; b; b = b.parent) if (b.joints.length > 0) return true
  return false
}

/** Moves the body frame to the principal frame, and everything on the body back by as much. */
function alignBody(body: MjcfBody): void {
  const inertial: Pose = { position: body.weight.com, quaternion: body.weight.quaternion }
  const back = invertPose(inertial)
  body.pose = mulPose(body.pose, inertial)
  body.weight = { ...body.weight, com: [0, 0, 0], quaternion: [1, 0, 0, 0] }
  body.geoms = body.geoms.map((geom) => ({ ...geom, pose: mulPose(back, geom.pose) }))
  for (const site of body.sites) site.pose = mulPose(back, site.pose)
}
