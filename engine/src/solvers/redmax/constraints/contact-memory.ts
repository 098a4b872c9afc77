/**
 * Forces of limits and contacts, from one configuration to the next by their keys; those of contacts also from step to step, in State.s: keys,
 * forces in the world and lifts. What rests is then solved before Newton's method begins, and a run that is restored goes on with the same bits.
 */

import { tangentBasis } from '../../../contact/rows.js'
import { ROWS } from '../../../contact/solve/problem.js'
import { findKey } from '../../../contact/tracking/find-key.js'
import type { Vec } from '../../../math/types.js'
import { STEP } from './constraint-work.js'
import { reserveMemory, type Unilateral, writeKeys } from './unilateral.js'

// contacts a solid, and beyond, for which there is room; those without start cold
const SLOTS = 8
const MORE_SLOTS = 16
// numbers of a contact: key, force, lift
const SLOT = 5

const tangent = new Float64Array(6)

/** Reads λ of the rows found last, which start at `first`. Keeps forces, for rows found hereafter. */
export function keepForces(u: Unilateral, lambda: Vec, first: number): void {
  const { last, limits, contacts, lift } = u
  const touch = first + limits.count + u.rubbing.length
  const rate = u.span[0] > 0 ? 1 / u.span[0] : 0
  writeKeys(u, last.keys)
  for (let r = 0; r < limits.count; r++) {
    last.force[3 * r] = rate * lambda[first + r]
    last.force[3 * r + 1] = 0
    last.force[3 * r + 2] = 0
  }
  for (let k = 0; k < contacts.count; k++) {
    const o = limits.count + k
    const i = touch + ROWS * k
    tangentBasis(tangent, 0, contacts.normal, 3 * k)
    for (let r = 0; r < 3; r++) {
      last.force[3 * o + r] = rate * (lambda[i] * contacts.normal[3 * k + r] + lambda[i + 1] * tangent[r] + lambda[i + 2] * tangent[3 + r])
    }
    last.lift[o] = lift[k]
  }
  last.count = limits.count + contacts.count
}

/** λ of limits and contacts found last, from `first` on ← the forces that were kept, in the step of the clock; 0 for new ones. */
export function bringForces(u: Unilateral, lambda: Vec, first: number, clock: Vec): void {
  const { last, limits, contacts, keys, lift } = u
  const { force } = last
  u.span[0] = clock[STEP]
  const touch = first + limits.count + u.rubbing.length
  writeKeys(u, keys)
  let at = -1
  for (let r = 0; r < limits.count; r++) {
    at = findKey(last.keys, last.count, keys, r, at + 1)
    lambda[first + r] = at < 0 ? 0 : clock[STEP] * force[3 * at]
    if (at >= 0) force[3 * at] = 0
  }
  for (let k = 0; k < contacts.count; k++) {
    at = findKey(last.keys, last.count, keys, limits.count + k, at + 1)
    const i = touch + ROWS * k
    for (let r = 0; r < ROWS; r++) lambda[i + r] = 0
    lift[k] = at < 0 ? 0 : last.lift[at]
    if (at < 0) continue
    tangentBasis(tangent, 0, contacts.normal, 3 * k)
    for (let r = 0; r < 3; r++) {
      const f = clock[STEP] * force[3 * at + r]
      lambda[i] += f * contacts.normal[3 * k + r]
      lambda[i + 1] += f * tangent[r]
      lambda[i + 2] += f * tangent[3 + r]
      force[3 * at + r] = 0
    }
    if (lambda[i] < 0) lambda[i] = 0
  }
  u.changed = false
  for (let e = 0; e < 3 * last.count; e++) if (force[e] !== 0) u.changed = true
}

/** How many numbers of State.s `saveContacts` writes. */
export function contactMemory({ m, touching }: Unilateral): number {
  return touching ? SLOT * (SLOTS * m.shapes.solids.length + MORE_SLOTS) : 0
}

/** out[o …] ← for the next step: forces of the contacts found last, in N, as many as there is room for. */
export function saveContacts(u: Unilateral, lambda: Vec, first: number, out: Vec, o: number): void {
  const end = o + contactMemory(u)
  if (end === o) return
  keepForces(u, lambda, first)
  const { count, keys, force, lift } = u.last
  let at = o
  for (let k = u.limits.count; k < count && at < end; k++) {
    if (force[3 * k] === 0 && force[3 * k + 1] === 0 && force[3 * k + 2] === 0) continue
    out[at] = keys[k]
    for (let r = 0; r < 3; r++) out[at + 1 + r] = force[3 * k + r]
    out[at + 4] = lift[k]
    at += SLOT
  }
  // no pair of shapes has the key 0, for the first shape does not touch itself
  out.fill(0, at, end)
}

/** What is kept ← from[o …]. */
export function loadContacts(u: Unilateral, from: Vec, o: number): void {
  const { last } = u
  const end = o + contactMemory(u)
  last.count = 0
  let kept = 0
  for (let at = o; at < end && from[at] !== 0; at += SLOT) kept++
  if (kept > last.keys.length) reserveMemory(u, kept)
  for (let at = o; at < end && from[at] !== 0; at += SLOT) {
    last.keys[last.count] = from[at]
    for (let r = 0; r < 3; r++) last.force[3 * last.count + r] = from[at + 1 + r]
    last.lift[last.count] = from[at + 4]
    last.count++
  }
}
