/**
 * Driven bodies on their way: before each step they take the velocity that brings them where they are to be at its end.
 */
import { jointTypes } from '../joints/index.js'
import type { Vec } from '../math/types.js'
import type { Model } from '../model/model.js'
import type { State } from '../model/state.js'

/** numbers of each driven body: seconds that are left, position and quaternion to be reached, and those where it was last seen */
export const DRIVEN_SIZE = 15
const TARGET = 1
const SEEN = 8

/** Every driven body stays where it is. */
export function createDriven(m: Model, state: State): Vec {
  const targets = new Float64Array(DRIVEN_SIZE * m.driven.length)
  for (let n = 0; n < m.driven.length; n++) holdDriven(m, state, targets, n)
  return targets
}

/** Number n stays where the state has it. */
export function holdDriven(m: Model, { q }: State, targets: Vec, n: number): void {
  const iq = m.iq[m.driven[n]]
  const o = DRIVEN_SIZE * n
  targets[o] = 0
  for (let r = 0; r < 7; r++) {
    targets[o + TARGET + r] = q[iq + r]
    targets[o + SEEN + r] = q[iq + r]
  }
}

let wanted: Vec = new Float64Array(0)
let moved: Vec = new Float64Array(0)

/** Writes the velocities of driven bodies for a step of span[0] seconds, which come in an array so that they are never boxed. One whose coordinates were written meanwhile stays there. */
export function steerDriven(m: Model, state: State, targets: Vec, span: Vec): void {
  const { q, v } = state
  const h = span[0]
  if (wanted.length !== m.nq) wanted = new Float64Array(m.nq)
  for (let n = 0; n < m.driven.length; n++) {
    const i = m.driven[n]
    const o = DRIVEN_SIZE * n
    const j = m.ij[i]
    for (let r = 0; r < 7; r++) {
      if (q[m.iq[i] + r] !== targets[o + SEEN + r]) {
        holdDriven(m, state, targets, n)
        break
      }
    }
    for (let r = 0; r < 7; r++) wanted[m.iq[i] + r] = targets[o + TARGET + r]
    jointTypes[m.jointType[j]].difference(m, j, v, q, wanted)
    const seconds = targets[o] > h ? targets[o] : h
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) v[k] /= seconds
  }
}

/** After a step of span[0] seconds: bodies are where their way leads, to the bit, and not where the solver's rounding and what they pushed had them. */
export function passDriven(m: Model, { q, v }: State, targets: Vec, span: Vec): void {
  const h = span[0]
  if (moved.length !== m.nv) moved = new Float64Array(m.nv)
  for (let n = 0; n < m.driven.length; n++) {
    const o = DRIVEN_SIZE * n
    const iq = m.iq[m.driven[n]]
    const j = m.ij[m.driven[n]]
    const isThere = targets[o] <= h * (1 + 1e-9)
    for (let r = 0; r < 7; r++) q[iq + r] = targets[o + (isThere ? TARGET : SEEN) + r]
    // q ⊕ 1 (h v): a step length as an argument would be boxed
    for (let k = m.iv[m.driven[n]]; k < m.ivEnd[m.driven[n]]; k++) moved[k] = h * v[k]
    if (!isThere) jointTypes[m.jointType[j]].integrate(m, j, q, moved, 1)
    targets[o] = isThere ? 0 : targets[o] - h
    for (let r = 0; r < 7; r++) targets[o + SEEN + r] = q[iq + r]
  }
}
