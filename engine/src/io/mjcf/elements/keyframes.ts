/**
 * `keyframe`. MuJoCo's q is ours; its velocity of a free joint is linear in world axes, then angular in body axes, ours the twist in
 * body axes, angular first.
 */
import type { KeyframeSpec, Quat, Vec3 } from '../../../build/spec.js'
import { conjugate, normalizeQuat, rotateVec } from '../../pose.js'
import { addProblem, hasAttribute, readNumber, readNumbers, readString, type XmlElement } from '../../xml.js'
import { type MjcfBody, register, type Tree } from '../compile/tree.js'
import { ignore, type Scope } from '../syntax/context.js'
import type { MjcfActuator } from './actuators.js'
import { JOINT_NQ, JOINT_NV, type MjcfJoint } from './joints.js'

/** Where the numbers of an attached model's key go: places in those of the whole, −1 for what was not attached. */
interface Part {
  readonly qpos: readonly number[]
  readonly qvel: readonly number[]
  readonly ctrl: readonly number[]
  readonly act: readonly number[]
}

/**
 * Keys of an attached model, as MuJoCo keeps them: its own numbers where it was attached under this prefix, the rest as drawn. `all`: the joints
 * of its own file, in order; `own`: its actuators.
 */
export function partOf(
  tree: Tree,
  prefix: string,
  all: readonly { readonly element: XmlElement; readonly type: MjcfJoint['type'] }[],
  actuators: readonly MjcfActuator[],
  own: readonly XmlElement[],
): Part {
  const joints = tree.bodies.flatMap((body) => body.joints)
  const places = (size: Record<MjcfJoint['type'], number>): number[] => {
    const starts = new Map<XmlElement, number>()
    let at = 0
    for (const { element, prefix: within, type } of joints) {
      if (within === prefix) starts.set(element, at)
      at += size[type]
    }
    return all.flatMap(({ element, type }) => {
      const start = starts.get(element)
      return Array.from({ length: size[type] }, (_, k) => (start === undefined ? -1 : start + k))
    })
  }
  const lagging = actuators.filter(({ raw }) => raw.dyntype !== 'none')
  const among = (list: readonly MjcfActuator[]) => (e: XmlElement) =>
    list.findIndex(({ element, scope }) => element === e && scope.prefix === prefix)
  return {
    qpos: places(JOINT_NQ),
    qvel: places(JOINT_NV),
    ctrl: own.map(among(actuators)),
    act: own.map(among(lagging)).filter((k) => k >= 0),
  }
}

/** `kept[k]`: whether actuator k of the file is in the result; `lags[k]`: whether it has an activation. `part`: of an attached model. */
export function readKeyframes(
  tree: Tree,
  scope: Scope,
  section: XmlElement,
  kept: readonly boolean[],
  lags: readonly boolean[],
  part?: Part,
): { element: XmlElement; spec: KeyframeSpec }[] {
  const { shared } = scope
  const { reader } = shared
  const joints = tree.bodies.flatMap((body) => body.joints.map((joint) => ({ joint, body })))
  const driven = tree.bodies.filter((body) => body.mocap)
  const drawn = joints.flatMap(({ joint, body }) => drawnPosition(joint, body))
  const rest = new Array<number>(joints.reduce((n, { joint }) => n + JOINT_NV[joint.type], 0)).fill(0)
  const idle = kept.map(() => 0)
  const keptActs = kept.filter((_, k) => lags[k])
  const keyframes: { element: XmlElement; spec: KeyframeSpec }[] = []
  const unfolded = Object.values(tree.replicas).some((names) => names.size > 0) || tree.attached.length > 0

  for (const e of section.children) {
    if (!shared.known.has(e)) continue
    const numbers = (attribute: keyof Part, rest: readonly number[]): number[] | undefined => {
      const count = rest.length
      if (!hasAttribute(e, attribute) || e.attributes[attribute]?.trim() === '') {
        readString(reader, e, attribute)
        return undefined
      }
      const values = readNumbers(reader, e, attribute, 0, Number.POSITIVE_INFINITY)
      if (values && (tree.lost.composites.size + tree.lost.flexcomps.size > 0 || (attribute === 'ctrl' && tree.lost.names.size > 0))) {
        ignore(shared, e, `key ${attribute}`, 'counts numbers of a composite, flexcomp or actuator that is left out; a starting state only')
        return undefined
      }
      if (values && part) {
        const places = part[attribute]
        if (values.length !== places.length) {
          ignore(shared, e, `key ${attribute} of an attached model`, `${places.length} numbers are expected; a starting state only`)
          return undefined
        }
        const all = [...rest]
        for (const [k, place] of places.entries()) if (place >= 0) all[place] = values[k] as number
        return all
      }
      if (!values || values.length === count) return values
      if (unfolded) {
        ignore(shared, e, `key ${attribute}`, 'counts the joints before replicate and attach; a starting state only')
        return undefined
      }
      if (values.length > count) {
        addProblem(reader, e, `expected ${count} numbers, got ${values.length}`, attribute)
        return undefined
      }
      // a robot's key in a scene with more bodies: MuJoCo fills it up too, with joints as if drawn at the origin and angles in the file's unit
      ignore(
        shared,
        e,
        `key ${attribute}: numbers after the first ${values.length}`,
        `${count} are expected: the rest is as drawn, at rest`,
      )
      return [...values, ...rest.slice(values.length)]
    }
    /** of every mocap body, as written or as drawn; undefined where nothing is written */
    const mocapNumbers = (attribute: string, size: number, drawn: (body: MjcfBody) => readonly number[]): number[] | undefined => {
      if (!hasAttribute(e, attribute)) return undefined
      const values = readNumbers(reader, e, attribute, 0, Number.POSITIVE_INFINITY) ?? []
      if (driven.length > 0 && values.length === size * driven.length) return values
      ignore(shared, e, `key ${attribute}`, 'poses of mocap bodies: these stay where they are drawn')
      return driven.flatMap(drawn)
    }
    const written = readString(reader, e, 'name') || undefined
    const name = written && scope.prefix + written
    register(tree, scope, 'key', e, name, e)
    const time = readNumber(reader, e, 'time')
    const qpos = numbers('qpos', drawn)
    const qvel = numbers('qvel', rest)
    const ctrl = numbers('ctrl', idle)
    const mpos = mocapNumbers('mpos', 3, (body) => body.pose.position)
    const mquat = mocapNumbers('mquat', 4, (body) => body.pose.quaternion)
    const act = numbers(
      'act',
      lags.flatMap((lag) => (lag ? [0] : [])),
    )

    // unit quaternions, and velocities in our order
    let q: number[] | undefined = qpos && [...qpos]
    const v = qvel && [...qvel]
    let iq = 0
    let iv = 0
    for (const { joint, body } of joints) {
      const at = joint.type === 'free' ? iq + 3 : iq
      let quaternion = body.pose.quaternion
      if (q && (joint.type === 'free' || joint.type === 'ball')) {
        const written = q.slice(at, at + 4)
        if (written.every((x) => x === 0))
          ignore(shared, e, `key qpos: quaternion of joint '${joint.name}'`, 'all zeros: taken as no turn, as MuJoCo does')
        quaternion = normalizeQuat(written as unknown as Quat)
        for (let k = 0; k < 4; k++) q[at + k] = quaternion[k] as number
      }
      if (v && joint.type === 'free') {
        const linear = rotateVec(conjugate(quaternion), v.slice(iv, iv + 3) as unknown as Vec3)
        v.splice(iv, 6, ...v.slice(iv + 3, iv + 6), ...linear)
      }
      iq += JOINT_NQ[joint.type]
      iv += JOINT_NV[joint.type]
    }
    // driven bodies come last
    if (driven.length > 0 && (q || mpos || mquat)) {
      const poses = driven.flatMap(({ pose }, k) => [
        ...(mpos ? mpos.slice(3 * k, 3 * k + 3) : pose.position),
        ...(mquat ? normalizeQuat(mquat.slice(4 * k, 4 * k + 4) as unknown as Quat) : pose.quaternion),
      ])
      q = [...(q ?? drawn), ...poses]
    }
    if (v) for (let k = 0; k < 6 * driven.length; k++) v.push(0)
    keyframes.push({
      element: e,
      spec: {
        ...(name === undefined ? {} : { name }),
        ...(time === undefined ? {} : { time }),
        ...(q ? { q } : {}),
        ...(v ? { v } : {}),
        ...(ctrl ? { control: ctrl.filter((_, k) => kept[k]) } : {}),
        ...(act && act.length > 0 ? { act: act.filter((_, k) => keptActs[k]) } : {}),
      },
    })
  }
  return keyframes
}

/** The joint's coordinates where the body stands as drawn. */
function drawnPosition(joint: MjcfJoint, body: MjcfBody): readonly number[] {
  if (joint.type === 'free') return [...body.pose.position, ...body.pose.quaternion]
  return joint.type === 'ball' ? [1, 0, 0, 0] : [joint.ref]
}
