/**
 * Forces in the joints: springs, dampers, those from outside. Joints that move take springs and dampers at the end of the step, linearly, which
 * adds h d + h² k to their armature. Joints that are held keep the forces they had when they came to rest, until those change.
 */
import { jointTypes } from '../../joints/index.js'
import type { Vec } from '../../math/types.js'
import type { State } from '../../model/state.js'
import type { Region } from './region.js'
import type { AdaptiveWork } from './work.js'

export interface JointForces {
  /** of each velocity, for those of held joints: the force in it */
  readonly held: Vec
  /** tau and armature of active joints, all forces as they are now. */
  explicit(state: State): void
  /** The same with springs and dampers at the end of a step h. */
  implicit(state: State, h: number): void
  /** Body i is held from now on. */
  hold(state: State, i: number): void
  holdAll(state: State): void
  /** Nodes of held joints whose forces from outside have changed, into list; how many. */
  findChanged(state: State, list: Int32Array): number
}

export function createJointForces(w: AdaptiveWork, region: Region): JointForces {
  const { model: m, assembly: a, lists, state: own } = w
  const stretch = new Float64Array(m.nv)
  const held = own.heldTau
  /** what came from outside when it was held */
  const given = new Float64Array(m.nv)

  /** Stretch of the joints of body i. */
  const stretchBody = (i: number): void => {
    for (let j = m.ij[i]; j < m.ijEnd[i]; j++) {
      const k = m.jointV[j]
      if (m.stiffness[k] !== 0) jointTypes[m.jointType[j]].stretch(m, j, stretch, m.rest, own.q)
    }
  }
  const springs = m.stiffness.some((k) => k !== 0)

  const explicitBody = (state: State, i: number, out: Vec): void => {
    if (springs) stretchBody(i)
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) out[k] = state.tau[k] - m.stiffness[k] * stretch[k] - m.damping[k] * own.v[k]
    for (let j = m.ij[i]; j < m.ijEnd[i]; j++) jointTypes[m.jointType[j]].armatureBias?.(m, j, out, own.v)
  }

  return {
    held,
    explicit(state) {
      for (let row = 1; row < region.groups; row++) explicitBody(state, lists.body[row], own.tau)
    },
    implicit(state, h) {
      for (let row = 1; row < region.groups; row++) {
        const i = lists.body[row]
        explicitBody(state, i, own.tau)
        for (let k = m.iv[i]; k < m.ivEnd[i]; k++) {
          own.tau[k] -= h * m.stiffness[k] * own.v[k]
          own.armature[k] = m.armature[k] + h * (m.damping[k] + h * m.stiffness[k])
        }
      }
    },
    hold(state, i) {
      explicitBody(state, i, held)
      for (let k = m.iv[i]; k < m.ivEnd[i]; k++) {
        given[k] = state.tau[k]
        own.tau[k] = held[k]
      }
    },
    holdAll(state) {
      for (let i = 1; i < m.nbody; i++) this.hold(state, i)
    },
    findChanged(state, list) {
      let count = 0
      for (let k = 0; k < m.nv; k++) {
        if (state.tau[k] === given[k]) continue
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
