/**
 * The first stage of a constrained step: which rows there are.
 *
 * Equalities first, then limits, dry friction, contacts. Linearised steps look once; Newton's method looks at the first configuration on trial, and
 * again where bodies went further from there than the margin of the contacts (`unilateral`).
 */
import { updateRows } from '../../../constraints/rows/rows.js'
import type { Vec } from '../../../math/types.js'
import { updatePoses } from '../../../tree/kinematics.js'
import { loadContacts } from './contact-memory.js'
import { measureRates } from './convex-step.js'
import { attachLoops, isEliminationBetter, leaveRows } from './eliminated-loops.js'
import { holdEqualities, reduceEqualities } from './equalities.js'
import {
  type ConstraintPlaces,
  type HeldPlaces,
  loadHeld,
  loadPulls,
  reserveImpulses,
  reserveRows,
  type StepConstraints,
} from './step-constraints.js'
import {
  compareWithStart,
  findUnilateral,
  followUnilateral,
  isWithinMargin,
  markWay,
  rememberPushed,
  rowCount,
  takeGapsBack,
} from './unilateral.js'

/** A linearised step from the pose q begins, with equalities held as s says; the clock has the time of its rows. */
export function startLinearised(c: StepConstraints, s: Vec, at: HeldPlaces, q: Vec, clock: Vec): void {
  loadHeld(c, s, at)
  holdEqualities(c.equalities, q, clock)
}

/** What linearised rows find are also the contacts on the way from q. */
export function markStart({ m, d, unilateral }: StepConstraints, q: Vec): void {
  if (!unilateral.touching) return
  updatePoses(m, d, q)
  markWay(unilateral)
}

/**
 * Rows of a linearised step, at the kinematics of data and the time of the clock. `ahead`: the pose is where h v would lead, and gaps are
 * those before that.
 */
export function findLinearised(c: StepConstraints, q: Vec, v: Vec, clock: Vec, ahead: boolean): void {
  const { m, d, equalities, unilateral } = c
  unilateral.pushed.count = 0
  updateRows(equalities.rows, m, d, q, clock)
  findUnilateral(unilateral, q, v, clock)
  reserveImpulses(c)
  c.lambda.fill(0)
  unilateral.lift.fill(0)
  assembleRows(c, true)
  if (ahead) takeGapsBack(unilateral, clock, measureRates(c.convex, unilateral, v))
}

/** A step of Newton's method begins at the kinematics of data: as `startPart`, with what s remembers of the last one. */
export function startStep(c: StepConstraints, s: Vec, at: ConstraintPlaces, q: Vec, clock: Vec): void {
  loadHeld(c, s, at)
  loadPulls(c, s, at, clock)
  loadContacts(c.unilateral, s, at.contacts)
  startRows(c, q, clock)
}

/** The same for the next part of a step. */
export function startPart(c: StepConstraints, q: Vec, clock: Vec): void {
  keepLast(c)
  startRows(c, q, clock)
}

/** Reads the kinematics of data at q, from which gaps are allowed. */
function startRows(c: StepConstraints, q: Vec, clock: Vec): void {
  const { m, d, equalities, unilateral } = c
  holdEqualities(equalities, q, clock)
  if (equalities.rows.count > 0) updateRows(equalities.rows, m, d, q, clock)
  markWay(unilateral)
  unilateral.isFirst = true
}

/** All rows at the kinematics of data, the first configuration on trial, and v, the velocity that led there. */
export function findOnTrial(c: StepConstraints, q: Vec, v: Vec, clock: Vec): void {
  updateEqualities(c, q, clock)
  if (!c.unilateral.isFirst) {
    keepLast(c)
    rememberPushed(c.unilateral, c.equalities.count)
  }
  c.unilateral.isFirst = false
  findUnilateral(c.unilateral, q, v, clock)
  finishRows(c, clock)
}

/**
 * The same rows at another configuration; where bodies are too far from where contacts were found, these anew. `settled`: not even then, for
 * corners that take turns would not let an iteration end.
 */
export function followOnTrial(c: StepConstraints, q: Vec, v: Vec, clock: Vec, settled: boolean): void {
  if (!settled && !isWithinMargin(c.unilateral)) return findOnTrial(c, q, v, clock)
  updateEqualities(c, q, clock)
  keepLast(c)
  followUnilateral(c.unilateral, q, v, clock)
  finishRows(c, clock)
}

/** Forces of the last solve are kept for the rows found hereafter. */
function keepLast({ unilateral: u, equalities }: StepConstraints): void {
  u.arena.routines.keepForces(u.at, equalities.count)
}

function updateEqualities({ m, d, equalities }: StepConstraints, q: Vec, clock: Vec): void {
  if (equalities.rows.count > 0) updateRows(equalities.rows, m, d, q, clock)
}

/** Forces of the last solve go with the rows. */
function finishRows(c: StepConstraints, clock: Vec): void {
  const { equalities, unilateral } = c
  reserveImpulses(c)
  assembleRows(c, true)
  unilateral.clock.set(clock)
  unilateral.arena.routines.bringForces(unilateral.at, equalities.count)
  compareWithStart(unilateral, clock)
}

/** G ← equalities, in reduced coordinates; empty rows where they are taken into the elimination, which they are where nothing else pushes, if they `may` be. */
export function assembleRows(c: StepConstraints, may: boolean): void {
  const { equalities, unilateral, eliminated, linear } = c
  if (equalities.count === 0) return
  reserveRows(c, equalities.count)
  const { G } = c.work
  G.count = 0
  const alone = may && rowCount(unilateral) === 0
  c.isEliminated = alone && eliminated !== undefined && isEliminationBetter(eliminated, linear, equalities)
  if (may && eliminated) attachLoops(eliminated, linear, equalities, c.isEliminated)
  if (c.isEliminated) leaveRows(G, equalities.count)
  else reduceEqualities(equalities, G)
}
