/**
 * Forces of limits and contacts, from one configuration to the next by their keys; those of contacts also from step to step, in State.s: keys
 * and forces in the world. Many contacts at rest are then solved before their sweeps begin, and a run that is restored goes on with the same bits.
 */
import { findKey } from '../../../contact/tracking/find-key.js'
import type { Vec } from '../../../math/types.js'
import { STEP } from './constraint-work.js'
import { reserveMemory, type Unilateral, writeKeys } from './unilateral.js'

// numbers before the contacts: how long overlaps may stay
const WAIT = 1
// steps until overlaps that could not open are tried again: to try in every step takes longer than the step, to wait longer leaves them stuck
const WAITING_STEPS = 20
// contacts a solid, and beyond, for which there is room; those without start cold
const SLOTS = 8
const MORE_SLOTS = 16

/** Reads λ of the rows found last, which start at `first`. Keeps forces, for rows found hereafter. */
export function keepForces(u: Unilateral, lambda: Vec, first: number): void {
  const { last, limits, contacts, blocks } = u
  const touch = first + limits.count + u.rubbing.length
  const rate = u.span[0] > 0 ? 1 / u.span[0] : 0
  writeKeys(u, last.keys)
  for (let r = 0; r < limits.count; r++) {
    last.force[3 * r] = rate * lambda[first + r]
    last.force[3 * r + 1] = 0
    last.force[3 * r + 2] = 0
  }
  for (let k = 0; k < contacts.count; k++) {
    const o = 3 * (limits.count + k)
    const i = touch + 3 * k
    for (let r = 0; r < 3; r++) {
      const push = lambda[i] * contacts.normal[3 * k + r]
      last.force[o + r] = rate * (push + lambda[i + 1] * blocks.tangent[6 * k + r] + lambda[i + 2] * blocks.tangent[6 * k + 3 + r])
    }
  }
  last.count = limits.count + contacts.count
}

/** λ of limits and contacts found last, from `first` on ← the forces that were kept, in the step of the clock; 0 for new ones. */
export function bringForces(u: Unilateral, lambda: Vec, first: number, clock: Vec): void {
  const { last, limits, contacts, blocks, keys } = u
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
    const i = touch + 3 * k
    for (let r = 0; r < 3; r++) lambda[i + r] = 0
    if (at < 0) continue
    for (let r = 0; r < 3; r++) {
      const f = clock[STEP] * force[3 * at + r]
      lambda[i] += f * contacts.normal[3 * k + r]
      lambda[i + 1] += f * blocks.tangent[6 * k + r]
      lambda[i + 2] += f * blocks.tangent[6 * k + 3 + r]
      force[3 * at + r] = 0
    }
    if (lambda[i] < 0) lambda[i] = 0
  }
  u.changed = false
  for (let e = 0; e < 3 * last.count; e++) if (force[e] !== 0) u.changed = true
}

/** How many numbers of State.s `saveContacts` writes. */
export function contactMemory({ m, touching }: Unilateral): number {
  return touching ? WAIT + 4 * (SLOTS * m.shapes.solids.length + MORE_SLOTS) : 0
}

/** out[o …] ← for the next step: how long overlaps may stay, and forces of the contacts found last, in N, as many as there is room for. */
export function saveContacts(u: Unilateral, lambda: Vec, first: number, out: Vec, o: number): void {
  const end = o + contactMemory(u)
  if (end === o) return
  out[o] = u.wait > 0 ? u.wait - 1 : u.relaxed > 0 ? WAITING_STEPS : 0
  keepForces(u, lambda, first)
  const { count, keys, force } = u.last
  let at = o + WAIT
  for (let k = u.limits.count; k < count && at < end; k++) {
    if (force[3 * k] === 0 && force[3 * k + 1] === 0 && force[3 * k + 2] === 0) continue
    out[at] = keys[k]
    for (let r = 0; r < 3; r++) out[at + 1 + r] = force[3 * k + r]
    at += 4
  }
  // no pair of shapes has the key 0, for the first shape does not touch itself
  out.fill(0, at, end)
}

/** How long overlaps may stay ← from[o]. */
export function loadPatience(u: Unilateral, from: Vec, o: number): void {
  u.wait = u.touching ? from[o] : 0
}

/** What is kept ← from[o …]. */
export function loadContacts(u: Unilateral, from: Vec, o: number): void {
  const { last } = u
  const end = o + contactMemory(u)
  last.count = 0
  let kept = 0
  for (let at = o + WAIT; at < end && from[at] !== 0; at += 4) kept++
  if (kept > last.keys.length) reserveMemory(u, kept)
  for (let at = o + WAIT; at < end && from[at] !== 0; at += 4) {
    last.keys[last.count] = from[at]
    for (let r = 0; r < 3; r++) last.force[3 * last.count + r] = from[at + 1 + r]
    last.count++
  }
}
