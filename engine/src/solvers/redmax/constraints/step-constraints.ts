/**
 * Constraints of a step: loop closures, couplings and prescribed motion as equalities, joint limits and contact as inequalities with
 * friction cones, dry friction in joints as rows of bounded force, all on the step's own matrix A.
 *
 * Equalities alone: v = x + Y λ, x = A⁻¹ b, Y = A⁻¹ Gᵀ, with G v = target, over D = G Y or inside the elimination. With anything that pushes or
 * rubs: one convex problem of all rows (`convex-step`). Poses are projected on the equalities afterwards. Or, as in the authors' code, a gap closes at a
 * rate of its own instead.
 *
 * This file holds the record that the stages of a step share, and what of it lives in State.s. The stages: find the rows (`find-rows`), solve
 * for forces (`solve-forces`), project the pose (`projectPose`, below), tell what the forces did (`row-forces`).
 */
import { createContactArena } from '../../../contact/arena.js'
import { compileWrappers } from '../../../kernels/instance.js'
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { loadMemory } from '../../memory-layout.js'
import type { Linear } from '../matrix/auto.js'
import type { System } from '../matrix/system.js'
import { type ConstraintWork, createWork, STEP } from './constraint-work.js'
import { saveContacts } from './contact-memory.js'
import { type ConvexStep, createConvexStep, hasEntries } from './convex-step.js'
import { createEliminatedLoops, type EliminatedLoops, isGivenUp, startCount } from './eliminated-loops.js'
import { createEqualities, type Equalities, projectEqualities, redundantNames } from './equalities.js'
import { createForest } from './forest.js'
import { findRestable } from './resting.js'
import { JAMMED } from './row-laws.js'
import { exactPart } from './soft-equalities.js'
import { createUnilateral, mayPush, type Unilateral } from './unilateral.js'
import { GRAVITY, MASS, reserveLambda } from './unilateral-rows.js'

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
  /** the problem of all rows, where some push or rub; whether any of those found last do: then a velocity need not be known without them, nor a linear solver prepared */
  readonly convex: ConvexStep
  isConvex: boolean
  /** of equalities */
  work: ConstraintWork
  /** impulses: of equalities, limits, dry friction, and ROWS a contact. In the memory of routines: looked up where it is used */
  readonly lambda: Vec
  /** rate[0]: how fast gaps of equalities close, 1/s, in place of the projection; negative: project */
  readonly rate: Vec
  /** span[0]: the step of the last solve; λ is force × span */
  readonly span: Vec
  /** empty, or why the last solve or projection failed */
  trouble: string
}

/** of `rate`: loops are projected shut */
export const PROJECT = -1

/** Undefined where the model has nothing to constrain. `contact`: whether shapes touch. */
export function createConstraints(system: System, linear: Linear, contact: boolean, rate: number): StepConstraints | undefined {
  const { model: m, data: d } = system
  const equalities = createEqualities(exactPart(m), d)
  const arena = createContactArena()
  const forest = createForest(m)
  const mayRest = contact && hasEntries(system, forest) ? findRestable(m, d, forest) : new Int32Array(0)
  const unilateral = createUnilateral(m, d, contact, system.work, arena, forest, mayRest)
  if (equalities.count === 0 && !mayPush(unilateral)) return undefined
  for (const kernels of [d.kernels, system.kernels, arena.routines]) compileWrappers(kernels)
  reserveLambda(unilateral, equalities.count)
  unilateral.first = equalities.count
  return {
    m,
    d,
    linear,
    equalities,
    unilateral,
    eliminated: createEliminatedLoops(linear, equalities, rate),
    isEliminated: false,
    convex: createConvexStep(system, unilateral, forest),
    isConvex: unilateral.rows > 0,
    work: createWork(m, equalities.count),
    get lambda() {
      return unilateral.lambda
    },
    rate: Float64Array.of(rate),
    span: new Float64Array(1),
    trouble: '',
  }
}

/** Room for so many equalities; their columns go along. Allocates where they are more than ever before, and only then. */
export function reserveRows(c: StepConstraints, rows: number): void {
  const { m, work: old } = c
  if (rows <= old.capacity) return
  c.work = createWork(m, Math.max(rows, 2 * old.capacity))
  c.work.Y.set(old.Y)
}

/** Whether limits, constraints that give way, or shapes that touch may push. */
export function canPush({ unilateral: { limits, soft, touching } }: StepConstraints): boolean {
  return limits.g.length > 0 || soft.count > 0 || touching === 1
}

/** Whether a limit, a contact or a constraint that gives way pushed in the last solve. */
export function isPushing({ unilateral }: StepConstraints): boolean {
  return unilateral.soft.count > 0 || unilateral.pushing === 1
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
    /** forces of dry friction */
    friction: c?.unilateral.rubbing.length ?? 0,
    /** keys, forces and lifts of contacts; how many of them are at rest, and how long each tree has been calm */
    contacts: c?.unilateral.slots.length ?? 0,
    asleep: c && c.unilateral.calm.length > 0 ? 1 : 0,
    calm: c?.unilateral.calm.length ?? 0,
  }
}

/** where the parts begin in State.s */
export type HeldPlaces = { readonly [name in keyof ReturnType<typeof heldMemory>]: number }
export type ConstraintPlaces = { readonly [name in keyof ReturnType<typeof constraintMemory>]: number }

const HELD = 1
const HELD_SINCE_POSE = 2

/** A step ends with velocities v. Whether trees have come to rest in it. */
export function isSettling({ unilateral: u }: StepConstraints, v: Vec): boolean {
  if (u.calm.length === 0) return false
  u.v.set(v)
  return u.arena.routines.settle(u.at) === 1
}

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

/** Forces of equalities, of dry friction and of contacts ← those in s, in the step of the clock. */
export function loadForces(c: StepConstraints, s: Vec, at: ConstraintPlaces, clock: Vec): void {
  const { unilateral: u, span } = c
  const { count } = c.equalities.rows
  // as long as it is the memory of the same state
  if (u.memory.of !== s) u.memory = viewForces(u, s, at)
  u.rub.set(u.memory.friction)
  u.slots.set(u.memory.contacts)
  if (u.calm.length > 0) {
    u.calm.set(u.memory.calm)
    u.asleep = s[at.asleep]
  }
  span[0] = clock[STEP]
  for (let r = 0; r < count; r++) c.lambda[r] = clock[STEP] * s[at.pulls + r]
}

function viewForces({ rub, slots, calm }: Unilateral, s: Vec, at: ConstraintPlaces): Unilateral['memory'] {
  const part = (o: number, length: number): Vec => s.subarray(o, o + length)
  return { of: s, friction: part(at.friction, rub.length), contacts: part(at.contacts, slots.length), calm: part(at.calm, calm.length) }
}

/** s ← forces of the equalities. What is jammed between loops and contacts has forces without a meaning, which would stiffen the next step. */
function savePulls(
  { equalities, unilateral: { clock, number }, convex, isConvex, lambda, span }: StepConstraints,
  s: Vec,
  at: ConstraintPlaces,
): void {
  const { speed } = convex.rows
  for (let r = 0; r < equalities.rows.count; r++) {
    const most = JAMMED * number[MASS] * (clock[STEP] * number[GRAVITY] + speed[0])
    const impulse = isConvex ? Math.max(-most, Math.min(most, lambda[r])) : lambda[r]
    s[at.pulls + r] = span[0] > 0 ? impulse / span[0] : 0
  }
}

/** s ← for the next step: what is held, forces of equalities and of contacts. */
export function saveConstraints(c: StepConstraints, s: Vec, at: ConstraintPlaces): void {
  const { unilateral } = c
  const { count } = c.equalities.rows
  if (count > 0) saveHeld(c, s, at)
  if (count > 0) savePulls(c, s, at)
  s.set(unilateral.rub, at.friction)
  saveContacts(unilateral, s, at.contacts)
  if (unilateral.calm.length === 0) return
  s[at.asleep] = unilateral.asleep
  s.set(unilateral.calm, at.calm)
}
