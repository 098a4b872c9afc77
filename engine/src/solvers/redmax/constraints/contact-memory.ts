/**
 * Forces of limits and contacts, from one configuration to the next by their keys; those of contacts also from step to step, in State.s: keys,
 * forces and moments in the world, and lifts. What rests is then solved before Newton's method begins, and a run that is restored goes on with the same bits.
 */

import { tangentBasis } from '../../../contact/rows.js'
import { ROWS } from '../../../contact/solve/problem.js'
import { findKey } from '../../../contact/tracking/find-key.js'
import type { Vec } from '../../../math/types.js'
import type { Int } from '../../../math/values/columns.js'
import type { Model } from '../../../model/model.js'
import { STEP } from './constraint-work.js'
import type { Unilateral } from './unilateral.js'
import type { ForceMemory, UnilateralRows } from './unilateral-rows.js'

// contacts a solid, and beyond, for which there is room; those without start cold
const SLOTS = 8
const MORE_SLOTS = 16
/** numbers of what pushes: force, and moment about the point of contact */
export const PUSH = 6
/** numbers of a contact: key, push, lift */
export const SLOT = 2 + PUSH

const tangent = new Float64Array(6)

/** Reads λ of the rows found last. Keeps forces, for rows found hereafter. */
export function keepForces(u: UnilateralRows): void {
  const { first, last, limits, contacts, lift, lambda, span } = u
  const touch = first + limits.count + u.rubbing.length
  const rate = span[0] > 0 ? 1 / span[0] : 0
  writeKeys(u, last.keys)
  for (let r = 0; r < limits.count; r++) {
    last.force[PUSH * r] = rate * lambda[first + r]
    for (let e = 1; e < PUSH; e++) last.force[PUSH * r + e] = 0
  }
  for (let k = 0; k < contacts.count; k++) {
    const o = limits.count + k
    const i = touch + ROWS * k
    tangentBasis(tangent, 0, contacts.normal, 3 * k)
    for (let r = 0; r < 3; r++) {
      const n = contacts.normal[3 * k + r]
      last.force[PUSH * o + r] = rate * (lambda[i] * n + lambda[i + 1] * tangent[r] + lambda[i + 2] * tangent[3 + r])
      last.force[PUSH * o + 3 + r] = rate * (lambda[i + 3] * n + lambda[i + 4] * tangent[r] + lambda[i + 5] * tangent[3 + r])
    }
    last.lift[o] = lift[k]
  }
  last.count = limits.count + contacts.count
}

/** λ of limits and contacts found last ← the forces that were kept, in the step of the clock; 0 for new ones. */
export function bringForces(u: UnilateralRows): void {
  const { first, last, limits, contacts, keys, lift, lambda, span, clock } = u
  const { force } = last
  span[0] = clock[STEP]
  const touch = first + limits.count + u.rubbing.length
  writeKeys(u, keys)
  let at = -1
  for (let r = 0; r < limits.count; r++) {
    at = findKey(last.keys, last.count, keys, r, at + 1)
    lambda[first + r] = at < 0 ? 0 : clock[STEP] * force[PUSH * at]
    if (at >= 0) force[PUSH * at] = 0
  }
  for (let k = 0; k < contacts.count; k++) {
    at = findKey(last.keys, last.count, keys, limits.count + k, at + 1)
    const i = touch + ROWS * k
    for (let r = 0; r < ROWS; r++) lambda[i + r] = 0
    lift[k] = at < 0 ? 0 : last.lift[at]
    if (at < 0) continue
    tangentBasis(tangent, 0, contacts.normal, 3 * k)
    resolve(u, k, i, PUSH * at)
    if (contacts.dim[k] > 3) resolve(u, k, i + 3, PUSH * at + 3)
    if (lambda[i] < 0) lambda[i] = 0
  }
  u.changed = 0
  for (let e = 0; e < PUSH * last.count; e++) if (force[e] !== 0) u.changed = 1
}

/** λ[i …] += the force, or the moment, that was kept at o, in the step of the clock: along normal and tangents of contact k, or about them. Nothing is left of it. Reads the tangents. */
function resolve({ contacts, last, lambda, clock }: UnilateralRows, k: Int, i: Int, o: Int): void {
  for (let r = 0; r < 3; r++) {
    const f = clock[STEP] * last.force[o + r]
    lambda[i] += f * contacts.normal[3 * k + r]
    lambda[i + 1] += f * tangent[r]
    lambda[i + 2] += f * tangent[3 + r]
    last.force[o + r] = 0
  }
}

/** out ← keys of limits, below 0, then contacts. */
function writeKeys({ limits, contacts }: UnilateralRows, out: Vec): void {
  for (let r = 0; r < limits.count; r++) out[r] = -1 - limits.source[r]
  for (let k = 0; k < contacts.count; k++) out[limits.count + k] = contacts.key[k]
}

/** How many numbers of State.s contacts take. */
export const contactMemory = ({ shapes }: Model): number => SLOT * (SLOTS * shapes.solids.length + MORE_SLOTS)

/** out[o …] ← for the next step: forces of the contacts found last, in N, as many as there is room for. */
export function saveContacts(u: Unilateral, out: Vec, o: number): void {
  if (u.slots.length === 0) return
  u.arena.routines.saveForces(u.at)
  out.set(u.slots, o)
}

/** slots ← the forces of contacts found last. @routine */
export function saveForces(u: UnilateralRows): void {
  keepForces(u)
  packForces(u)
}

/** slots ← the forces of contacts that were kept, behind those at rest; what is at rest since this step comes first. */
function packForces(u: UnilateralRows): void {
  const { slots, contacts } = u
  if (contacts.resting > 0) u.asleep = (packThose(u, SLOT * u.asleep, 1) / SLOT) | 0
  const end = packThose(u, SLOT * u.asleep, 0)
  // what is left of the step before; no pair of shapes has the key 0, for the first shape does not touch itself, and behind the last slot all is 0
  for (let at = end; at < slots.length && slots[at] !== 0; at += SLOT) slots.fill(0, at, at + SLOT)
}

/** slots[from …] ← forces of the contacts that are at rest, or where that is 0 of the others; where they end. */
function packThose({ slots, limits, contacts, last }: UnilateralRows, from: Int, resting: Int): Int {
  const { count, keys, force, lift } = last
  const { still, bodyA, bodyB } = contacts
  let at = from
  for (let k = limits.count; k < count && at < slots.length; k++) {
    if (force[PUSH * k] === 0 && force[PUSH * k + 1] === 0 && force[PUSH * k + 2] === 0) continue
    const c = k - limits.count
    const isStill = contacts.resting > 0 && still[bodyA[c]] === 1 && still[bodyB[c]] === 1
    if ((resting === 1) !== isStill) continue
    slots[at] = keys[k]
    for (let r = 0; r < PUSH; r++) slots[at + 1 + r] = force[PUSH * k + r]
    slots[at + 1 + PUSH] = lift[k]
    at += SLOT
  }
  return at
}

/** What is kept ← the contacts of the slots, but for those at rest. */
export function unpackForces({ slots, asleep, last }: UnilateralRows): void {
  let k = 0
  for (let at = SLOT * asleep; at < slots.length && slots[at] !== 0; at += SLOT) unpackSlot(slots, at, last, k++)
  last.count = k
}

/** Entry k of what is kept ← the contact of a slot. */
export function unpackSlot(slots: Vec, at: Int, last: ForceMemory, k: Int): void {
  last.keys[k] = slots[at]
  for (let r = 0; r < PUSH; r++) last.force[PUSH * k + r] = slots[at + 1 + r]
  last.lift[k] = slots[at + 1 + PUSH]
}
