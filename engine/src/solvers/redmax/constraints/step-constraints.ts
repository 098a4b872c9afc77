/**
 * Constraints of a step: loop closures, couplings and prescribed motion as equalities, joint limits and contact as inequalities with
 * friction cones, dry friction in joints as rows of bounded force, all on the step's own matrix A.
 *
 *   v = x + Y λ,  x = A⁻¹ b,  Y = A⁻¹ Gᵀ,   w = G v + c = D λ + r,  D = G Y,  r = G x + c
 *   equality: w = 0, c = −target;   limit or contact with gap s: w ≥ 0 ⊥ λ ≥ 0, c = s/h;   friction: |λ_t| ≤ μ λ_n
 *   dry friction f in a joint: w = v, |λ| ≤ h f, and w ≠ 0 only at a bound
 * A gap that is already passed is opened by a share of itself a step, so that a deep overlap does not become a blow. Poses are projected on
 * the equalities afterwards. Or, as in the authors' code, a gap closes at a rate of its own instead: c = −target + rate g.
 *
 * This file holds the record that the stages of a step share, and what of it lives in State.s. The stages: find the rows (`find-rows`), solve
 * for forces (`solve-forces`), project the pose (`projectPose`, below), tell what the forces did (`row-forces`).
 */
import { type ContactSolver, createContactSolver, reserveContactSolver } from '../../../contact/solve/solve-contacts.js'
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { loadMemory } from '../../memory-layout.js'
import type { Linear } from '../matrix/auto.js'
import { type ConstraintWork, createWork, STEP } from './constraint-work.js'
import { contactMemory, saveContacts } from './contact-memory.js'
import { createEliminatedLoops, type EliminatedLoops, isGivenUp, startCount } from './eliminated-loops.js'
import { createEqualities, type Equalities, projectEqualities, redundantNames } from './equalities.js'
import { createUnilateral, rowsAtLeast, type Unilateral } from './unilateral.js'

export interface StepConstraints {
  readonly m: Model
  readonly d: Data
  readonly linear: Linear
  readonly equalities: Equalities
  readonly unilateral: Unilateral
  /** equalities as rows of the elimination; absent: another solver was asked for */
  readonly eliminated: EliminatedLoops | undefined
  /** whether the equalities found last are in the elimination, and not in G */
  isEliminated: boolean
  readonly contactSolver: ContactSolver
  work: ConstraintWork
  /** rate[0]: how fast gaps of equalities close, 1/s, in place of the projection; negative: project */
  readonly rate: Vec
  /** span[0]: the step of the last solve; λ is force × span */
  readonly span: Vec
  /** empty, or why the last solve or projection failed */
  trouble: string
  /** scratch: one number */
  readonly mismatch: Vec
}

/** of `rate`: loops are projected shut */
export const PROJECT = -1

/** Undefined where the model has nothing to constrain. `contact`: whether shapes touch. */
export function createConstraints(m: Model, d: Data, linear: Linear, contact: boolean, rate: number): StepConstraints | undefined {
  const equalities = createEqualities(m, d)
  const unilateral = createUnilateral(m, d, contact)
  const capacity = equalities.count + rowsAtLeast(unilateral)
  if (capacity === 0) return undefined
  return {
    m,
    d,
    linear,
    equalities,
    unilateral,
    eliminated: createEliminatedLoops(linear, equalities, rate),
    isEliminated: false,
    contactSolver: createContactSolver(m, capacity),
    work: createWork(m, capacity),
    rate: Float64Array.of(rate),
    span: new Float64Array(1),
    trouble: '',
    mismatch: new Float64Array(1),
  }
}

/** Room for so many rows; forces and columns of the equalities go along. Allocates where contacts are more than ever before, and only then. */
export function reserveRows(c: StepConstraints, rows: number): void {
  const { m, work: old } = c
  if (rows <= old.capacity) return
  c.work = createWork(m, Math.max(rows, 2 * old.capacity))
  reserveContactSolver(c.contactSolver, c.work.capacity)
  const { count } = c.equalities
  c.work.p.lambda.set(old.p.lambda.subarray(0, count))
  c.work.Y.set(old.Y.subarray(0, count * m.nv))
}

/** Whether limits, or shapes that touch, may push. */
export function canPush({ unilateral: { limits, touching } }: StepConstraints): boolean {
  return limits.g.length > 0 || touching
}

/** Whether a limit or a contact pushed in the last solve. */
export function isPushing({ equalities, unilateral: { limits, contacts, rubbing }, work }: StepConstraints): boolean {
  const { lambda } = work.p
  const first = equalities.count
  const touch = first + limits.count + rubbing.length
  if (work.G.count === 0) return false
  for (let r = first; r < first + limits.count; r++) if (lambda[r] > 0) return true
  for (let k = 0; k < contacts.count; k++) if (lambda[touch + 3 * k] > 0) return true
  return false
}

/** Whether the step was given up because it takes too long: parts of it would take as long. */
export function isTooSlow({ eliminated, equalities }: StepConstraints): boolean {
  return eliminated !== undefined && isGivenUp(eliminated, equalities)
}

/** Moves q back onto the equalities, at the time of the clock; leaves data at the poses of q. */
export function projectPose(c: StepConstraints, q: Vec, clock: Vec): void {
  const { equalities, eliminated, work } = c
  if (equalities.rows.count === 0 || c.rate[0] >= 0) return
  projectEqualities(equalities, q, clock, work.Y, eliminated?.isSolved ? eliminated.loops : undefined)
  c.trouble = equalities.trouble
}

/** Names of equalities that say nothing new, found in the last step. Allocates. */
export function redundantConstraints({ m, equalities, eliminated }: StepConstraints): string[] {
  if (!eliminated?.isSolved) return redundantNames(equalities)
  return eliminated.loops.spare().map((r) => m.constraints.names[equalities.rows.source[r]])
}

/** What State.s holds of the equalities in every scheme: name and how many numbers. */
export function heldMemory(c: StepConstraints | undefined) {
  const isNeeded = c !== undefined && c.equalities.rows.count > 0
  return {
    /** 1: loops that are taut are held; 2: and `tautPose` is where what holds them was found */
    held: isNeeded ? 1 : 0,
    tautPose: isNeeded ? c.m.nq : 0,
  }
}

/** The same of all constraints, for Newton's method. */
export function constraintMemory(c: StepConstraints | undefined) {
  return {
    ...heldMemory(c),
    /** forces of the equalities, N or N m: their pull stiffens what hangs between them */
    pulls: c?.equalities.rows.count ?? 0,
    /** how long overlaps that cannot open may stay, then keys and forces of contacts */
    contacts: c ? contactMemory(c.unilateral) : 0,
  }
}

/** where the parts begin in State.s */
export type HeldPlaces = { readonly [name in keyof ReturnType<typeof heldMemory>]: number }
export type ConstraintPlaces = { readonly [name in keyof ReturnType<typeof constraintMemory>]: number }

const HELD = 1
const HELD_SINCE_POSE = 2

/** A step begins whose equalities are held as s says. */
export function loadHeld({ equalities: e, eliminated }: StepConstraints, s: Vec, at: HeldPlaces): void {
  if (eliminated) startCount(eliminated)
  if (e.rows.count === 0) return
  e.holding = s[at.held] > 0
  e.isTautKnown = s[at.held] === HELD_SINCE_POSE
  if (e.isTautKnown) loadMemory(e.tautPose, s, at.tautPose)
}

/** s ← for the next step: whether equalities are held, and the pose at which what holds them was found. */
export function saveHeld({ equalities: e }: StepConstraints, s: Vec, at: HeldPlaces): void {
  if (!e.holding) return
  s[at.held] = e.isTautKnown ? HELD_SINCE_POSE : HELD
  if (e.isTautKnown) s.set(e.tautPose, at.tautPose)
}

/** Forces of the equalities ← those in s, in the step of the clock. */
export function loadPulls({ equalities: { rows }, span, work }: StepConstraints, s: Vec, at: ConstraintPlaces, clock: Vec): void {
  span[0] = clock[STEP]
  for (let r = 0; r < rows.count; r++) work.p.lambda[r] = clock[STEP] * s[at.pulls + r]
}

/** s ← for the next step: what is held, forces of equalities and of contacts. */
export function saveConstraints(c: StepConstraints, s: Vec, at: ConstraintPlaces): void {
  const { equalities, unilateral, span, work } = c
  saveHeld(c, s, at)
  for (let r = 0; r < equalities.rows.count; r++) s[at.pulls + r] = span[0] > 0 ? work.p.lambda[r] / span[0] : 0
  saveContacts(unilateral, work.p.lambda, equalities.count, s, at.contacts)
}
