/**
 * Keyframes of two specs as keyframes of both: what one of them does not say is at its start.
 */
import { buildModel } from '../../build/build-model.js'
import type { KeyframeSpec, Spec } from '../../build/spec.js'
import type { Keyframe, Model } from '../../model/model.js'
import type { Pose } from '../pose.js'
import { movedPose } from './moved-spec.js'

const KEYS = ['q', 'v', 'control', 'act'] as const

/** Where the numbers of one of the models stand in those of both. */
interface Places {
  readonly q: readonly number[]
  readonly v: readonly number[]
  readonly control: readonly number[]
  readonly act: readonly number[]
}

/**
 * `merged` is both specs in one, without keyframes. Keyframes of one name in both are one keyframe; of the others, those of b get the prefix.
 * Poses of the free and driven bodies that stood in the world of b are moved.
 */
export function mergeKeyframes(a: Spec, b: Spec, merged: Spec, prefix: string, pose: Pose): KeyframeSpec[] {
  if ((a.keyframes ?? []).length + (b.keyframes ?? []).length === 0) return []
  const whole = buildModel(merged)
  const [first, second] = [buildModel(a), buildModel(b)]
  const [inFirst, inSecond] = [placesIn(whole, first, '', 0), placesIn(whole, second, prefix, first.nu)]
  const start = { q: whole.q0, v: new Float64Array(whole.nv), control: new Float64Array(whole.nu), act: new Float64Array(whole.na) }
  const free = second.joints.filter(({ type, body }) => type === 'free' && second.parent[body] === 0)

  const compose = (name: string, time: number, ofA: Keyframe | undefined, ofB: Keyframe | undefined): KeyframeSpec => {
    const out = { q: [...start.q], v: [...start.v], control: [...start.control], act: [...start.act] }
    const put = (frame: Keyframe | undefined, places: Places): void => {
      if (frame) for (const key of KEYS) places[key].forEach((to, from) => (out[key][to] = frame[key][from]))
    }
    put(ofA, inFirst)
    put(ofB, inSecond)
    if (ofB) {
      for (const { iq } of free) movedPose(pose, ofB.q.subarray(iq, iq + 7)).forEach((x, k) => (out.q[inSecond.q[iq + k]] = x))
    }
    return { name, time, ...out }
  }
  const shared = new Set((a.keyframes ?? []).flatMap(({ name }) => name ?? []))
  const named = (b.keyframes ?? []).map(({ name }) => name)
  return [
    ...first.keyframes.map((frame, k) => {
      const name = a.keyframes?.[k].name
      const other = name === undefined ? -1 : named.indexOf(name)
      return compose(frame.name, frame.time, frame, second.keyframes[other])
    }),
    ...second.keyframes.flatMap((frame, k) =>
      named[k] !== undefined && shared.has(named[k] as string) ? [] : [compose(prefix + frame.name, frame.time, undefined, frame)],
    ),
  ]
}

/** By the names of joints; actuators of a come first, in their order, and those of b after them, `before` of them. */
function placesIn(whole: Model, part: Model, prefix: string, before: number): Places {
  const joints = new Map(whole.joints.map((joint) => [joint.name, joint]))
  const q: number[] = []
  const v: number[] = []
  for (const { name, iq, nq, iv, nv } of part.joints) {
    const to = joints.get(prefix + name)
    for (let k = 0; k < nq; k++) q[iq + k] = (to?.iq ?? 0) + k
    for (let k = 0; k < nv; k++) v[iv + k] = (to?.iv ?? 0) + k
  }
  const control = Array.from({ length: part.nu }, (_, k) => before + k)
  const act: number[] = []
  for (let k = 0; k < part.nu; k++) {
    const from = part.actuators.activation[k]
    if (from >= 0) act[from] = whole.actuators.activation[before + k]
  }
  return { q, v, control, act }
}
