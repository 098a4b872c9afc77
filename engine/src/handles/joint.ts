/**
 * Joints by name: coordinates, velocities and limits, in radians and metres and in the unit of the file.
 */
import { jointTypes } from '../joints/index.js'
import type { Vec } from '../math/types.js'
import type { Model } from '../model/model.js'
import type { State } from '../model/state.js'
import { SLIDE } from '../model/tables.js'
import { type Applied, addJointForce, checkUntil, dropApplied, type Until, velocityOf } from './applied.js'
import { roomFor, takeNumbers, takeQuaternion } from './numbers.js'

export interface JointHandle {
  readonly name: string
  readonly type: string
  /** name of the body that it moves */
  readonly body: string
  /** numbers of coordinates and of velocities, and where they begin in `state.q` and `state.v` */
  readonly nq: number
  readonly nv: number
  readonly iq: number
  readonly iv: number
  /** the coordinate in radians or metres; of joints with one */
  readonly position: number
  /** the velocity in radians or metres a second; of joints with one */
  readonly velocity: number
  /** lower and upper bound in radians or metres; undefined: it has none. Of a spherical joint 0 and the largest angle */
  readonly limits: readonly [number, number] | undefined
  /** what the file counts the joint in: degrees where it says so */
  readonly unit: 'rad' | 'deg' | 'm'
  /** the same in the unit of the file */
  readonly positionInFile: number
  readonly limitsInFile: readonly [number, number] | undefined
  /** all coordinates, or all velocities, to `out` where one is given, else to a new array */
  positions(out?: Vec): Vec
  velocities(out?: Vec): Vec
  /** Puts the joint there at once: one number in radians or metres, or all coordinates; quaternions are brought to length one. */
  setPosition(position: number | ArrayLike<number>): void
  /** The same in the unit of the file. */
  setPositionInFile(position: number): void
  /** one number, or all velocities */
  setVelocity(velocity: number | ArrayLike<number>): void
  /**
   * A torque about the axis of the joint in N m, or a force along it in N; one number for each velocity of joints with several. It comes on top of
   * `state.tau`, actuators and whatever was applied before, and lasts as `body.applyForce` does: the next step only (`until: 'step'`, the
   * default), or every step until `clearTorques` or `reset` (`until: 'cleared'`).
   */
  applyTorque(torque: number | ArrayLike<number>, options?: { readonly until?: Until }): void
  /** Takes away all torques and forces that were applied to this joint. */
  clearTorques(): void
}

const DEGREES = 180 / Math.PI
const one = new Float64Array(1)

export function jointHandle(m: Model, state: State, applied: Applied, j: number): JointHandle {
  const { name, type, body, iq, nq, iv, nv } = m.joints[j]
  // modes come after the joints
  const kind = j < m.njoint ? jointTypes[m.jointType[j]] : undefined
  const step = kind?.steps[0]
  const angular = step !== undefined && step !== SLIDE
  const unit = angular ? (m.angle === 'degree' ? 'deg' : 'rad') : 'm'
  const perUnit = unit === 'deg' ? DEGREES : 1
  // the quaternion of a curved joint is its last four coordinates
  const curved = kind !== undefined && !kind.linear && nq > nv ? nq - 4 : -1
  const isLimited = nv > 0 && (Number.isFinite(m.limits[2 * iv]) || Number.isFinite(m.limits[2 * iv + 1]))
  const limits = isLimited ? ([m.limits[2 * iv], m.limits[2 * iv + 1]] as const) : undefined
  const only = (what: string): void => {
    if (nq !== 1) throw new RangeError(`${what}: joint '${name}' is ${type} and has ${nq} coordinates; use positions() and velocities()`)
  }
  const single = (x: number | ArrayLike<number>): ArrayLike<number> => {
    if (typeof x !== 'number') return x
    one[0] = x
    return one
  }
  const handle: JointHandle = {
    name,
    type,
    body: m.bodies[body].name,
    nq,
    nv,
    iq,
    iv,
    limits,
    unit,
    limitsInFile: limits && [perUnit * limits[0], perUnit * limits[1]],
    get position() {
      only('position')
      return state.q[iq]
    },
    get velocity() {
      only('velocity')
      return state.v[iv]
    },
    get positionInFile() {
      only('position')
      return perUnit * state.q[iq]
    },
    positions(given) {
      const out = roomFor('positions', given, nq)
      for (let k = 0; k < nq; k++) out[k] = state.q[iq + k]
      return out
    },
    velocities(given) {
      const out = roomFor('velocities', given, nv)
      for (let k = 0; k < nv; k++) out[k] = state.v[iv + k]
      return out
    },
    setPosition(position) {
      const given = single(position)
      if (curved < 0 || given.length !== nq) {
        takeNumbers(`position of joint '${name}'`, state.q, iq, given, nq)
        return
      }
      for (let k = 0; k < nq; k++)
        if (!Number.isFinite(given[k])) throw new RangeError(`position of joint '${name}': expected finite numbers`)
      for (let k = 0; k < curved; k++) state.q[iq + k] = given[k]
      takeQuaternion(`position of joint '${name}'`, state.q, iq + curved, Array.from(given).slice(curved))
    },
    setPositionInFile(position) {
      handle.setPosition(position / perUnit)
    },
    setVelocity(velocity) {
      takeNumbers(`velocity of joint '${name}'`, state.v, iv, single(velocity), nv)
    },
    applyTorque(torque, { until = 'step' } = {}) {
      const forOneStep = checkUntil(until)
      if (nv === 0) throw new RangeError(`applyTorque: joint '${name}' is ${type} and cannot move; apply a torque to a joint that moves`)
      const torques = new Float64Array(nv)
      takeNumbers(`torque of joint '${name}'`, torques, 0, single(torque), nv)
      for (let k = 0; k < nv; k++) addJointForce(applied, iv + k, torques[k], forOneStep)
    },
    clearTorques() {
      dropApplied(applied, (numbers, o) => velocityOf(numbers, o) >= iv && velocityOf(numbers, o) < iv + nv)
    },
  }
  return handle
}
