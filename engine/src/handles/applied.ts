/**
 * Forces that a program applies to bodies and joints: for the next step, or until they are cleared.
 *
 * Those on bodies come to the joints as Jᵀ f of the state before each step, which every solver takes, and stay what they are within it.
 */
import type { Vec } from '../math/types.js'
import type { Model } from '../model/model.js'
import type { State } from '../model/state.js'
import { jacobianTransposeProduct } from '../tree/jacobian.js'
import { addWrench, type Look } from './look.js'

/**
 * Numbers of each: body, 1 for one step only, force, torque (both along the axes of the world), point in the body. A force on one velocity of a
 * joint has −1 − its number in `state.v` in place of the body, and its value in place of the first number of the force.
 */
export const APPLIED_SIZE = 11

/** how long a force lasts */
export type Until = 'step' | 'cleared'

/** 1 for one step only, else 0. Throws RangeError on anything but the two words. */
export function checkUntil(until: Until): number {
  if (until !== 'step' && until !== 'cleared') throw new RangeError(`until: expected step or cleared, got '${String(until)}'`)
  return until === 'step' ? 1 : 0
}

export interface Applied {
  /** how many there are */
  count: number
  /** `APPLIED_SIZE` each; at least as many as there are */
  numbers: Vec
}

export function createApplied(): Applied {
  return { count: 0, numbers: new Float64Array(0) }
}

/** Room for one more at the end; returns where it begins. */
export function addApplied(applied: Applied): number {
  const o = APPLIED_SIZE * applied.count++
  if (o < applied.numbers.length) return o
  const longer = new Float64Array(2 * o + 8 * APPLIED_SIZE)
  longer.set(applied.numbers)
  applied.numbers = longer
  return o
}

/** Adds a force on velocity k. */
export function addJointForce(applied: Applied, k: number, force: number, forOneStep: number): void {
  const o = addApplied(applied)
  applied.numbers.fill(0, o, o + APPLIED_SIZE)
  applied.numbers[o] = -1 - k
  applied.numbers[o + 1] = forOneStep
  applied.numbers[o + 2] = force
}

/** The velocity that a force of a joint acts on; negative for those on bodies. */
export const velocityOf = (numbers: Vec, o: number): number => (-1 - numbers[o]) | 0

/** Leaves out those on body i, or those for one step only. */
export function dropApplied(applied: Applied, isDropped: (numbers: Vec, o: number) => boolean): void {
  const { numbers, count } = applied
  let kept = 0
  for (let k = 0; k < count; k++) {
    if (isDropped(numbers, APPLIED_SIZE * k)) continue
    if (kept < k) numbers.copyWithin(APPLIED_SIZE * kept, APPLIED_SIZE * k, APPLIED_SIZE * (k + 1))
    kept++
  }
  applied.count = kept
}

export const isForOneStep = (numbers: Vec, o: number): boolean => numbers[o + 1] === 1

const force = new Float64Array(3)
const torque = new Float64Array(3)
const point = new Float64Array(3)

/** state.tau += Jᵀ f of all that is applied. */
export function addAppliedForces(m: Model, look: Look, state: State, { count, numbers }: Applied): void {
  const d = look.data()
  d.F.fill(0)
  for (let k = 0; k < count; k++) {
    const o = APPLIED_SIZE * k
    const i = numbers[o] | 0
    if (i < 0) continue
    for (let r = 0; r < 3; r++) {
      force[r] = numbers[o + 2 + r]
      torque[r] = numbers[o + 5 + r]
      point[r] = numbers[o + 8 + r]
    }
    addWrench(d.F, 6 * i, d, i, torque, force, point)
  }
  jacobianTransposeProduct(m, d, d.tau, d.F)
  for (let k = 0; k < m.nv; k++) state.tau[k] += d.tau[k]
  for (let k = 0; k < count; k++) {
    const velocity = (-1 - numbers[APPLIED_SIZE * k]) | 0
    if (velocity >= 0) state.tau[velocity] += numbers[APPLIED_SIZE * k + 2]
  }
}
