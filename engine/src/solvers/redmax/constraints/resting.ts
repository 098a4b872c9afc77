/**
 * Bodies at rest beside others that move.
 *
 * A tree may come to rest where nothing acts on it but its weight, springs and dampers of its own joints, and contact. It does when it, and all that
 * it touches, has been slower than what is nothing for `RESTED` steps in a row: from then on its velocities are 0, contacts within what rests
 * are not looked for and have no rows, and the forces on it count as balanced. It is awake again when something that moves comes within the
 * margin of contacts, or when joint forces are applied to it; and with it whatever it touches.
 *
 * How long each tree has been calm stands in State.s, and so do the forces of contacts at rest, in front of those of the others: a run that is restored
 * goes on with the same bits.
 */
import { FEATURES } from '../../../contact/contacts.js'
import type { Vec } from '../../../math/types.js'
import type { Int } from '../../../math/values/columns.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { hasTimedForces } from '../rest.js'
import { STEP } from './constraint-work.js'
import { SLOT, unpackSlot } from './contact-memory.js'
import type { Forest } from './forest.js'
import { GRAVITY, type UnilateralRows } from './unilateral-rows.js'

/** steps after which what is calm rests */
export const RESTED = 20
/** of the velocity that gravity gives in a step: nothing */
export const STILL = 1e-10

/** 1 for the trees that may come to rest; empty where none may. */
export function findRestable(m: Model, d: Data, { mass, treeOfBody }: Forest): Int32Array {
  const may = new Int32Array(mass.length).fill(1)
  const leave = (body: number): void => {
    if (body > 0 && treeOfBody[body] >= 0) may[treeOfBody[body]] = 0
  }
  const { springs, tendons, constraints, actuators, penalty } = m
  for (const bodies of [springs.bodyA, springs.bodyB, constraints.bodyA, constraints.bodyB, tendons.pathBody, tendons.wrapSide])
    bodies.forEach(leave)
  penalty.body.forEach(leave)
  m.driven.forEach(leave)
  for (const k of tendons.dofV) leave(m.velocityBody[k])
  // joints, or tendons, whose bodies have been left out, or bodies of sites: all of these that there are
  for (const targets of [constraints.target, constraints.source, actuators.target]) {
    for (const k of targets) {
      leave(m.jointBody[k] ?? 0)
      if (targets === actuators.target && k < m.nbody) leave(k)
    }
  }
  for (let k = 0; k < m.nv; k++) {
    const isLimited = m.limits[2 * k] > Number.NEGATIVE_INFINITY || m.limits[2 * k + 1] < Number.POSITIVE_INFINITY
    if (isLimited || m.friction[k] > 0) leave(m.velocityBody[k])
  }
  return d.own.length > 0 || hasTimedForces(m) || m.modes.count > 0 || !may.includes(1) ? new Int32Array(0) : may
}

const isAtRest = ({ calm }: UnilateralRows, tree: Int): boolean => calm[tree] >= RESTED

/** Whether exactly one of two trees rests; −1 is what never moves. */
const isOneAtRest = (u: UnilateralRows, a: Int, b: Int): boolean => a >= 0 && b >= 0 && isAtRest(u, a) !== isAtRest(u, b)

/** A step begins with the calm trees and slots of the state; what joint forces are applied to is awake. */
export function startRest(u: UnilateralRows): void {
  const { calm, tau, treeOfVelocity } = u
  if (calm.length === 0) return
  let woken = false
  for (let k = 0; k < tau.length; k++) {
    if (tau[k] === 0 || !isAtRest(u, treeOfVelocity[k])) continue
    calm[treeOfVelocity[k]] = 0
    woken = true
  }
  if (woken) wakeNeighbours(u)
  markStill(u)
}

/** Wakes what rests where something that moves comes near, by the contacts found last. Whether there was such a thing: then these are to be found again. */
export function wakeTouched(u: UnilateralRows): boolean {
  const { calm, contacts, treeOf } = u
  if (contacts.resting === 0) return false
  let woken = false
  for (let k = 0; k < contacts.count; k++) {
    const a = treeOf[contacts.bodyA[k]]
    const b = treeOf[contacts.bodyB[k]]
    if (!isOneAtRest(u, a, b)) continue
    calm[a] = 0
    calm[b] = 0
    woken = true
  }
  if (!woken) return false
  wakeNeighbours(u)
  markStill(u)
  return true
}

/** Wakes what those awake touch, by the contacts at rest, whose forces are then among those that are kept. */
function wakeNeighbours(u: UnilateralRows): void {
  const { calm, slots, last } = u
  let again = true
  while (again) {
    again = false
    for (let at = 0; at < SLOT * u.asleep; at += SLOT) {
      const a = firstTree(u, slots[at])
      const b = secondTree(u, slots[at])
      if (!isOneAtRest(u, a, b)) continue
      calm[a] = 0
      calm[b] = 0
      again = true
    }
  }
  let stay = 0
  for (let at = 0; at < SLOT * u.asleep; at += SLOT) {
    const a = firstTree(u, slots[at])
    const b = secondTree(u, slots[at])
    if ((a < 0 || isAtRest(u, a)) && (b < 0 || isAtRest(u, b))) {
      for (let r = 0; r < SLOT; r++) slots[stay + r] = slots[at + r]
      stay += SLOT
      continue
    }
    unpackSlot(slots, at, last, last.count++)
  }
  u.asleep = (stay / SLOT) | 0
}

/** The trees of the shapes in the key of a contact (`contacts`). */
function firstTree({ contacts, treeOf }: UnilateralRows, key: number): Int {
  const { shapes: g } = contacts
  const pair = Math.floor(key / FEATURES)
  return treeOf[g.body[Math.floor(pair / g.count) | 0]]
}

function secondTree({ contacts, treeOf }: UnilateralRows, key: number): Int {
  const { shapes: g } = contacts
  const pair = Math.floor(key / FEATURES)
  return treeOf[g.body[(pair - g.count * Math.floor(pair / g.count)) | 0]]
}

/** Writes which bodies do not move, and how many trees rest. */
function markStill(u: UnilateralRows): void {
  const { nbody, calm, treeOf, contacts } = u
  for (let i = 0; i < nbody; i++) contacts.still[i] = treeOf[i] < 0 || isAtRest(u, treeOf[i]) ? 1 : 0
  contacts.resting = 0
  for (let t = 0; t < calm.length; t++) if (isAtRest(u, t)) contacts.resting++
}

/** A step ends with velocities v: counts how long trees have been calm. Whether more of them rest now. @routine */
export function settle(u: UnilateralRows): boolean {
  const { calm, mayRest, tau, v, treeOfVelocity, contacts, treeOf, clock, number } = u
  const nothing = STILL * number[GRAVITY] * clock[STEP]
  const before = contacts.resting
  for (let t = 0; t < calm.length; t++) calm[t] = mayRest[t] === 1 ? Math.min(RESTED, calm[t] + 1) : 0
  for (let k = 0; k < v.length; k++) if (!(Math.abs(v[k]) <= nothing && tau[k] === 0)) calm[treeOfVelocity[k]] = 0
  // all that touch each other at once, or none of them
  let again = true
  while (again) {
    again = false
    for (let k = 0; k < contacts.count; k++) {
      const a = treeOf[contacts.bodyA[k]]
      const b = treeOf[contacts.bodyB[k]]
      if (!isOneAtRest(u, a, b)) continue
      calm[a] = Math.min(calm[a], RESTED - 1)
      calm[b] = Math.min(calm[b], RESTED - 1)
      again = true
    }
  }
  markStill(u)
  return contacts.resting > before
}

/** out ← 0 for the velocities of what rests. */
export function quieten({ contacts, treeOfVelocity, calm }: UnilateralRows, out: Vec): void {
  if (contacts.resting === 0) return
  for (let k = 0; k < out.length; k++) if (calm[treeOfVelocity[k]] >= RESTED) out[k] = 0
}
