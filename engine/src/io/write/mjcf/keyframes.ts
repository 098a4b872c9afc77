/**
 * Keyframes in MJCF, and the start as the first of them when it is not the reference.
 *
 * Limber's free joints have v = twist in body axes, angular then linear; MuJoCo's qvel has the linear velocity in world axes, then the
 * angular one in body axes: (w, u) → (R u, w).
 */
import type { Quat } from '../../../build/spec.js'
import { conjugate, mulQuat, normalizeQuat, rotateVec } from '../../pose.js'
import { createNames } from '../names.js'
import type { TreeBody, TreeJoint } from '../spec-tree.js'
import { element, type XmlNode } from '../xml-writer.js'
import type { Mjcf } from './context.js'

export function mjcfKeyframes(out: Mjcf): XmlNode[] {
  const { tree, spec } = out
  const joints = tree.bodies.flatMap((body) => body.joints.map((joint) => ({ body, joint })))
  const start = tree.initial
  const moved = joints.some(({ joint }) => joint.initial.some((x, k) => x !== joint.reference[k]))
  const names = createNames((spec.keyframes ?? []).map((keyframe) => keyframe.name))
  const nodes: XmlNode[] = []
  if (moved)
    nodes.push(element('key', { name: names.make('initial'), qpos: joints.flatMap(({ body, joint }) => positions(body, joint, start)) }))

  // driven bodies come last, and have their own attributes
  const driven = spec.bodies.filter((body) => body.driven).length
  const nq = tree.nq + 7 * driven
  const nv = tree.nv + 6 * driven
  for (const [k, { name, time, q, v, control, act }] of (spec.keyframes ?? []).entries()) {
    if ((q && q.length !== nq) || (v && v.length !== nv)) {
      out.ignored.add(`keyframes/${k}`, `keyframe ${name ?? k}`, `expected ${nq} coordinates and ${nv} velocities`)
      continue
    }
    const poses = Array.from({ length: q ? driven : 0 }, (_, n) => (q ?? []).slice(tree.nq + 7 * n, tree.nq + 7 * n + 7))
    const at = q ?? start
    nodes.push(
      element('key', {
        name,
        time,
        qpos: q || moved ? joints.flatMap(({ body, joint }) => positions(body, joint, at)) : undefined,
        qvel: v ? joints.flatMap(({ joint }) => velocities(joint, at, v)) : undefined,
        mpos: poses.length > 0 ? poses.flatMap((pose) => pose.slice(0, 3)) : undefined,
        mquat: poses.length > 0 ? poses.flatMap((pose) => pose.slice(3)) : undefined,
        ctrl: control,
        act,
      }),
    )
  }
  return nodes
}

function positions(body: TreeBody, joint: TreeJoint, q: readonly number[]): number[] {
  const { iq, nq, parts, reference } = joint
  const own = q.slice(iq, iq + nq)
  // the ball of a free joint below a body starts from the drawn orientation
  if (parts[0]?.kind === 'free' && body.parent) {
    return [...own.slice(0, 3), ...mulQuat(conjugate(body.pose.quaternion), quaternionOf(own, 3))]
  }
  const pitch = parts.find((part) => part.pitch !== undefined)?.pitch
  return pitch === undefined ? own : [own[0], pitch * (own[0] - reference[0])]
}

function velocities(joint: TreeJoint, q: readonly number[], v: readonly number[]): number[] {
  const { iq, iv, nv, parts } = joint
  const own = v.slice(iv, iv + nv)
  if (parts[0]?.kind === 'free') {
    const linear = rotateVec(quaternionOf(q, iq + 3), [own[3], own[4], own[5]])
    return [...linear, own[0], own[1], own[2]]
  }
  const pitch = parts.find((part) => part.pitch !== undefined)?.pitch
  return pitch === undefined ? own : [own[0], pitch * own[0]]
}

function quaternionOf(q: readonly number[], i: number): Quat {
  return normalizeQuat([q[i], q[i + 1], q[i + 2], q[i + 3]])
}
