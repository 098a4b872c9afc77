/**
 * Rows that push one way or rub, at a configuration on trial: found, or followed from the last one, with the forces of the last solve and the gaps
 * they are allowed.
 *
 * These are routines, which do all of it in one call as long as nothing is wanted that they cannot do themselves: room, limits of angles and tendons, a
 * look at what overlapped. They tell what that is; `unilateral` provides it and calls again with the stage to go on from.
 */
import { updateJointLimits } from '../../../constraints/rows/limits.js'
import { findMarked, placeStart } from '../../../contact/find-contacts.js'
import { ROWS } from '../../../contact/solve/problem.js'
import { copyContact } from '../../../contact/tracking/copy-contact.js'
import { movePoints } from '../../../contact/tracking/material-points.js'
import type { Vec } from '../../../math/types.js'
import type { Int } from '../../../math/values/columns.js'
import { takeContactWork } from '../work.js'
import { STEP } from './constraint-work.js'
import { bringForces, keepForces, unpackForces } from './contact-memory.js'
import { compareGaps, compareOverlaps, keepsFloors } from './floors.js'
import { startRest, wakeTouched } from './resting.js'
import { FOUND, isAnyPushing, type UnilateralRows } from './unilateral-rows.js'

/** nothing is wanted, or done yet */
export const DONE = 0
export const START = 0
/** what is wanted, each also the stage after it: limits of angles and tendons, room for contacts, room for impulses, what overlapped at the start in the probe */
export const OTHER_LIMITS = 1
export const CONTACT_ROOM = 2
export const IMPULSE_ROOM = 3
export const OVERLAPS = 4
/** bodies went so far that contacts are to be found anew */
export const FAR = 5

/** m: contacts closer than this are rows, of what moves within a step and of what rests; less misses what a step closes, more brings rows that do nothing */
const MARGIN = 0.01
const LEAST_MARGIN = 5e-4
// of the way that the fastest shape makes in a step
const OF_WAY = 1.5
// limits nearer than this, in metres or radians, or than the motion reaches in two steps, are rows
const NEAR = 0.05

/** What is met on the way from the poses X0 counts from now on, and the forces that are kept are those of the slots, or where that is 0 of the last solve. @routine */
export function startRows(u: UnilateralRows, slots: Int): void {
  if (slots === 1) {
    unpackForces(u)
    startRest(u)
  } else keepForces(u)
  startWay(u)
}

/** What is met on the way from the poses X0 counts from now on. @routine */
export function startWay(u: UnilateralRows): void {
  const { contacts } = u
  u.pushed.count = 0
  u.swept = u.touching
  if (u.touching === 0) return
  copyPoses(contacts.X_WB, u.X0)
  placeStart(contacts, u.sweep)
}

/** Forces of the last solve are kept for the rows found hereafter; contacts that push, until the next call or the start of a step. There is room for them. @routine */
export function keepPushed(u: UnilateralRows): void {
  const { first, limits, rubbing, contacts, pushed, lambda } = u
  keepForces(u)
  const touch = first + limits.count + rubbing.length
  pushed.count = 0
  for (let k = 0; k < contacts.count; k++) {
    if (lambda[touch + ROWS * k] > 0) copyContact(pushed, contacts, contacts.shapes, k, pushed.count++)
  }
}

/** Limits and contacts at X_WB, V, q, v, which nothing is known of, and where these were found. What is wanted. @routine */
export function findNewRows(u: UnilateralRows, from: Int): Int {
  const { first, limits, rubbing, contacts, lambda, lift } = u
  if (from < IMPULSE_ROOM) {
    const wanted = findRows(u, from)
    if (wanted !== DONE) return wanted
  }
  const impulses = first + limits.count + rubbing.length + ROWS * contacts.count
  if (lambda.length < impulses) return IMPULSE_ROOM
  lambda.fill(0, 0, impulses)
  lift.fill(0, 0, contacts.count)
  u.pushing = 0
  return DONE
}

/** Limits and contacts at X_WB, V, q, v, and where these were found. What is wanted. */
function findRows(u: UnilateralRows, from: Int): Int {
  const { contacts } = u
  if (from < OTHER_LIMITS) {
    contacts.count = 0
    findLimits(u)
    if (hasOtherLimits(u)) return OTHER_LIMITS
  }
  if (from < CONTACT_ROOM && u.touching === 1) {
    setMargin(u)
    copyPoses(u.found, u.X_WB)
    copyPoses(contacts.X_WB, u.X_WB)
    contacts.margin[0] = u.margin[0]
    let isFound = false
    while (!isFound) {
      findMarked(contacts, u.sweep, u.swept, u.pushed)
      u.number[FOUND] = takeContactWork(contacts)
      if (contacts.overflow > 0) return CONTACT_ROOM
      isFound = !wakeTouched(u)
    }
  }
  countRows(u)
  return DONE
}

/** The same with λ, `from` and `floor`. @routine */
export function findTrialRows(u: UnilateralRows, from: Int): Int {
  if (from < IMPULSE_ROOM) {
    const wanted = findRows(u, from)
    if (wanted !== DONE) return wanted
  }
  return finishRows(u, from)
}

/**
 * As `findTrialRows`, but what touches is what touched at the last call, at points that went on with their bodies. `FAR`, with nothing done, where
 * bodies are too far from where contacts were found, unless it is `settled` that these stay.
 */
export function followTrialRows(u: UnilateralRows, from: Int, settled: Int): Int {
  const { contacts } = u
  if (from < OTHER_LIMITS) {
    if (settled === 0 && u.touching === 1 && !isNear(u)) return FAR
    keepForces(u)
    findLimits(u)
    if (hasOtherLimits(u)) return OTHER_LIMITS
  }
  if (from < IMPULSE_ROOM) {
    if (u.touching === 1) movePoints(contacts, contacts.shapes, u.X_WB, 0)
    countRows(u)
  }
  return finishRows(u, from)
}

/** Forces of the last solve go with the rows; their gaps are compared with those at the start. */
function finishRows(u: UnilateralRows, from: Int): Int {
  const { first, limits, rubbing, contacts, lambda } = u
  if (lambda.length < first + limits.count + rubbing.length + ROWS * contacts.count) return IMPULSE_ROOM
  if (from < OVERLAPS) {
    bringForces(u)
    // seen along a normal of its far side, what stands before a thin wall seems to be deep inside: then what overlapped is looked up
    if (!compareGaps(u)) return OVERLAPS
  } else compareOverlaps(u)
  u.pushing = isAnyPushing(u) ? 1 : 0
  u.feasible = keepsFloors(u) ? 1 : 0
  return DONE
}

function findLimits({ limits, q, v, clock }: UnilateralRows): void {
  limits.reach[0] = NEAR
  limits.reach[1] = 2 * clock[STEP]
  updateJointLimits(limits, q, v)
}

const hasOtherLimits = ({ limits }: UnilateralRows): boolean => limits.balls.length + limits.tendons.length > 0

function countRows(u: UnilateralRows): void {
  const { limits, softRows, rubbing, contacts } = u
  // what rests takes part in a solve without a row of its own
  u.rows = limits.count + softRows + rubbing.length + contacts.count + (contacts.resting > 0 ? 1 : 0)
}

function copyPoses(out: Vec, X: Vec): void {
  for (let k = 0; k < X.length; k++) out[k] = X[k]
}

/** margin[0] ← from how far things may come to touch in a step, by the speed of the fastest. Reads V. */
function setMargin({ nbody, V, reach, margin, clock }: UnilateralRows): void {
  let fastest = 0
  for (let i = 1; i < nbody; i++) {
    if (reach[i] === 0) continue
    const o = 6 * i
    const turn = Math.sqrt(V[o] * V[o] + V[o + 1] * V[o + 1] + V[o + 2] * V[o + 2])
    const speed = Math.sqrt(V[o + 3] * V[o + 3] + V[o + 4] * V[o + 4] + V[o + 5] * V[o + 5]) + turn * reach[i]
    if (speed > fastest) fastest = speed
  }
  margin[0] = Math.min(MARGIN, Math.max(LEAST_MARGIN, OF_WAY * clock[STEP] * fastest))
}

/** Whether no body of X_WB is further from where contacts were found than half their margin: then nothing else can touch. @routine */
export function isNear({ nbody, X_WB: X, found, reach, margin }: UnilateralRows): boolean {
  for (let i = 1; i < nbody; i++) {
    if (reach[i] === 0) continue
    const o = 12 * i
    let turn = 0
    for (let k = o; k < o + 9; k++) turn += (X[k] - found[k]) * (X[k] - found[k])
    const x = X[o + 9] - found[o + 9]
    const y = X[o + 10] - found[o + 10]
    const z = X[o + 11] - found[o + 11]
    // |R − R₀| = √8 sin(θ/2), the chord of a point at distance r is 2 r sin(θ/2)
    if (!(Math.sqrt(x * x + y * y + z * z) + Math.sqrt(0.5 * turn) * reach[i] <= 0.5 * margin[0])) return false
  }
  return true
}
