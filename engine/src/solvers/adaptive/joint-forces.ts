/**
 * Forces in the joints: springs, dampers, motors, limits, those from outside. Joints that move take springs, dampers, servos and limits at the end
 * of the step, linearly, which adds h d + h² k to their armature. Joints that are held keep the forces they had when they came to rest, until
 * those change.
 */

import { motorLine } from '../../forces/actuators.js'
import type { Vec } from '../../math/types.js'
import type { Data } from '../../model/data.js'
import { ACTUATOR_JOINT, type Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import type { Region } from './region.js'
import type { AdaptiveWork } from './work.js'

/** how many times stronger than the joint's inertia a limit is; which part of the way past it a joint goes back in a step */
const STRENGTH = 100
const RETURN = 0.2

export interface JointForces {
  /** of each velocity, for those of held joints: the force in it */
  readonly held: Vec
  /** tau and armature of active joints, all forces as they are now. */
  explicit(state: State): void
  /** The same with springs and dampers at the end of the step. */
  implicit(state: State): void
  /**
   * After `implicit` and an elimination, which found the inertia 1/D of each joint: a limit that a joint would pass in this step stops it there; past
   * it, the joint goes back slowly, so that it does not bounce. The force is that of a damper many times as strong as the inertia. True where any
   * joint is at its limit, and the elimination has to be made again.
   */
  limit(h: number): boolean
  /** After the accelerations of the groups: tau becomes what acts at the end of the step. */
  finish(): void
  /** Body i is held from now on. */
  hold(state: State, i: number): void
  holdAll(state: State): void
  /** Nodes of held joints whose forces from outside have changed, into list; how many. */
  findChanged(state: State, list: Int32Array): number
}

/** True if forces on bodies may act in joints too, through `qf`: motors, tendons, the user's own. */
export const hasMotors = (m: Model, { own }: Data): boolean => m.actuators.count > 0 || m.tendons.count > 0 || own.length > 0

export function createJointForces(w: AdaptiveWork, region: Region): JointForces {
  const { model: m, assembly: a, lists, state: own } = w
  const held = own.heldTau
  /** what came from outside when it was held */
  const given = new Float64Array(m.nv)
  const motors = hasMotors(m, w.d)
  const { qf } = w.d
  const outside = (state: State, k: number): number => (motors ? state.tau[k] + qf[k] : state.tau[k])
  const { servo, brake } = own
  const line = new Float64Array(3)
  // slopes of a servo do not depend on where it is
  const still = new Float64Array(2)

  /** force = a₀ + a₁ l + a₂ l̇ with l = gear · q pulls back by −a₁ gear² and −a₂ gear². */
  const linearizeMotors = (state: State): void => {
    servo.fill(0)
    brake.fill(0)
    const { count, kind, target, gear } = m.actuators
    for (let k = 0; k < count; k++) {
      if (kind[k] !== ACTUATOR_JOINT) continue
      const v = m.jointV[target[k]]
      if (m.coordinate[v] < 0) continue
      motorLine(line, m, state, k, still)
      servo[v] += Math.max(-line[1] * gear[6 * k] * gear[6 * k], 0)
      brake[v] += Math.max(-line[2] * gear[6 * k] * gear[6 * k], 0)
    }
  }

  /** Velocity k at its limit; true where that changes anything. */
  const limit = (k: number, h: number): boolean => {
    const c = m.coordinate[k]
    if (c < 0) return false
    const low = m.limits[2 * k]
    const high = m.limits[2 * k + 1]
    const next = own.q[c] + h * own.v[k]
    if (next >= low && next <= high) return false
    const over = next > high ? own.q[c] - high : own.q[c] - low
    const past = next > high ? over > 0 : over < 0
    const wanted = (past ? -RETURN * over : -over) / h
    const inertia = STRENGTH / w.d.D[k]
    own.tau[k] -= (inertia / h) * (own.v[k] - wanted)
    own.armature[k] += inertia
    return true
  }
  const limited = m.limits.some((x) => Math.abs(x) < Number.POSITIVE_INFINITY)

  const { kernels, d } = w
  const [q, v] = [own.q.byteOffset, own.v.byteOffset]
  /** Forces in active joints at the end of a step. */
  const pull = (state: State, h: Vec): void => {
    for (let row = 1; row < region.groups; row++) {
      for (let k = lists.iv[row]; k < lists.ivEnd[row]; k++) own.tau[k] = outside(state, k)
    }
    kernels.pullGroups(d.tree, w.groups, w.terms, q, v, h.byteOffset, 1, region.groups)
  }

  return {
    held,
    explicit(state) {
      pull(state, own.now)
    },
    implicit(state) {
      if (motors) linearizeMotors(state)
      pull(state, own.h)
    },
    limit(h) {
      let some = false
      if (!limited) return some
      for (let row = 1; row < region.groups; row++) {
        for (let k = lists.iv[row]; k < lists.ivEnd[row]; k++) if (limit(k, h)) some = true
      }
      return some
    },
    finish() {
      for (let row = 1; row < region.groups; row++) {
        for (let k = lists.iv[row]; k < lists.ivEnd[row]; k++) own.tau[k] -= (own.armature[k] - m.armature[k]) * own.acceleration[k]
      }
    },
    hold(state, i) {
      for (let k = m.iv[i]; k < m.ivEnd[i]; k++) {
        given[k] = outside(state, k)
        own.tau[k] = given[k]
      }
      kernels.pullBodies(d.tree, w.terms, q, v, i, i + 1)
      for (let k = m.iv[i]; k < m.ivEnd[i]; k++) held[k] = own.tau[k]
    },
    holdAll(state) {
      for (let i = 1; i < m.nbody; i++) this.hold(state, i)
    },
    findChanged(state, list) {
      let count = 0
      for (let k = 0; k < m.nv; k++) {
        if (outside(state, k) === given[k]) continue
        const i = m.velocityBody[k]
        const n = a.nodeOf[i]
        if (region.active[n] === 1) continue
        this.hold(state, i)
        if (count === 0 || list[count - 1] !== n) list[count++] = n
      }
      return count
    },
  }
}
