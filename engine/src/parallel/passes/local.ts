/**
 * What one processor has of a model: the whole tree, but only those springs, tendons, motors and dampers that act on bodies of its own.
 */

import type { Vec } from '../../math/types.js'
import { ACTUATOR_JOINT, ACTUATOR_TENDON, type Model, type Springs } from '../../model/model.js'

/** Numbers from … to − 1. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** Ranges that make up the numbers. */
export function rangesOf(numbers: readonly number[]): Range[] {
  const list: { from: number; to: number }[] = []
  for (const k of [...numbers].sort((a, b) => a - b)) {
    const last = list[list.length - 1]
    if (last !== undefined && last.to === k) last.to++
    else list.push({ from: k, to: k + 1 })
  }
  return list
}

/** Bodies of each tendon: of its path and of its joints. */
export function tendonBodies({ tendons: t, velocityBody }: Model, k: number): number[] {
  const path = Array.from(t.pathBody.subarray(t.pathStart[k], t.pathStart[k + 1])).filter((i) => i > 0)
  const joints = Array.from(t.dofV.subarray(t.dofStart[k], t.dofStart[k + 1]), (v) => velocityBody[v])
  return [...path, ...joints]
}

/** Bodies that a motor acts on. */
export function motorBodies(m: Model, k: number): number[] {
  const { kind, target } = m.actuators
  if (kind[k] === ACTUATOR_JOINT) return [m.jointBody[target[k]]]
  return kind[k] === ACTUATOR_TENDON ? tendonBodies(m, target[k]) : [target[k]]
}

/** `rank`: processor of each body. Those of other processors pull with nothing, so that numbers stay what they were. */
export function localModel(m: Model, rank: Int32Array, me: number): Model {
  const touches = (bodies: readonly number[]): boolean => bodies.some((i) => rank[i] === me)
  const masked = (x: Vec, width: number, bodies: (k: number) => readonly number[]): Vec =>
    x.map((value, e) => (touches(bodies(Math.floor(e / width))) ? value : 0))
  const { springs: s, tendons: t, actuators: a } = m
  const kept = Array.from({ length: s.count }, (_, k) => k).filter((k) => touches([s.bodyA[k], s.bodyB[k]]))
  const tendon = (k: number): number[] => tendonBodies(m, k)
  const motor = (k: number): number[] => motorBodies(m, k)
  return {
    ...m,
    bodyDamping: masked(m.bodyDamping, 2, (i) => [i]),
    springs: takeSprings(s, kept),
    tendons: { ...t, stiffness: masked(t.stiffness, 1, tendon), damping: masked(t.damping, 1, tendon) },
    actuators: { ...a, gain: masked(a.gain, 3, motor), bias: masked(a.bias, 3, motor) },
  }
}

function takeSprings(s: Springs, kept: readonly number[]): Springs {
  const numbers = (x: Vec, width: number): Vec => Float64Array.from(kept.flatMap((k) => Array.from(x.subarray(width * k, width * (k + 1)))))
  return {
    ...s,
    count: kept.length,
    bodyA: Int32Array.from(kept, (k) => s.bodyA[k]),
    bodyB: Int32Array.from(kept, (k) => s.bodyB[k]),
    pointA: numbers(s.pointA, 3),
    pointB: numbers(s.pointB, 3),
    stiffness: numbers(s.stiffness, 1),
    damping: numbers(s.damping, 1),
    rest: numbers(s.rest, 1),
  }
}
