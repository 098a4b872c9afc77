/**
 * Forces of contacts from step to step, in State.s: keys and forces in the world. A heap at rest is then solved before its sweeps begin, and
 * a run that is restored goes on with the same bits.
 */
import type { Vec } from '../../math/types.js'
import { keepForces, type Unilateral } from './unilateral.js'

// contacts a solid, and beyond, for which there is room
const SLOTS = 3
const MORE_SLOTS = 16

/** How many numbers of State.s `saveContacts` writes. */
export function contactMemory({ m, touching }: Unilateral): number {
  return touching ? 4 * (SLOTS * m.contact.solids.length + MORE_SLOTS) : 0
}

/** out[o …] ← forces of the contacts found last, in N, for the next step to start from: as many as there is room for. */
export function saveContacts(u: Unilateral, lambda: Vec, first: number, out: Vec, o: number): void {
  const end = o + contactMemory(u)
  if (end === o) return
  keepForces(u, lambda, first)
  const { count, keys, force } = u.last
  let at = o
  for (let k = u.limits.count; k < count && at < end; k++) {
    if (force[3 * k] === 0 && force[3 * k + 1] === 0 && force[3 * k + 2] === 0) continue
    out[at] = keys[k]
    for (let r = 0; r < 3; r++) out[at + 1 + r] = force[3 * k + r]
    at += 4
  }
  // no pair of shapes has the key 0, for the first shape does not touch itself
  out.fill(0, at, end)
}

/** What is kept ← from[o …]. */
export function loadContacts(u: Unilateral, from: Vec, o: number): void {
  const { last } = u
  const end = o + contactMemory(u)
  last.count = 0
  for (let at = o; at < end && from[at] !== 0 && last.count < last.keys.length; at += 4) {
    last.keys[last.count] = from[at]
    for (let r = 0; r < 3; r++) last.force[3 * last.count + r] = from[at + 1 + r]
    last.count++
  }
}
