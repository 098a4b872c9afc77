/**
 * The first stage of a constrained step: which rows there are.
 *
 * Equalities first, then limits, dry friction, contacts. Linearised steps look once; Newton's method looks at the first configuration on trial, and
 * again where bodies went further from there than the margin of the contacts (`unilateral`).
 */
import { updateRows } from '../../../constraints/rows/rows.js'
import type { Vec } from '../../../math/types.js'
import { updatePoses } from '../../../tree/kinematics.js'
import { takeGapsBack } from './convex-step.js'
import { attachLoops, isEliminationBetter, leaveRows } from './eliminated-loops.js'
import { holdEqualities, reduceEqualities } from './equalities.js'
import { type ConstraintPlaces, type HeldPlaces, loadForces, loadHeld, reserveRows, type StepConstraints } from './step-constraints.js'
import { findPushing, findUnilateral, followPushing, markWay, startTrials, takeTrial } from './unilateral.js'

/** A linearised step from the pose q begins, with equalities held as s says; the clock has the time of its rows. */
export function startLinearised(c: StepConstraints, s: Vec, at: HeldPlaces, q: Vec, clock: Vec): void {
  loadHeld(c, s, at)
  holdEqualities(c.equalities, q, clock)
  c.unilateral.first = c.equalities.count
}

/** What linearised rows find are also the contacts on the way from q. */
export function markStart({ m, d, unilateral }: StepConstraints, q: Vec): void {
  if (unilateral.touching === 0) return
  updatePoses(m, d, q)
  markWay(unilateral)
}

/**
 * Rows of a linearised step, at the kinematics of data and the time of the clock. `ahead`: the pose is where h v would lead, and gaps are
 * those before that.
 */
export function findLinearised(c: StepConstraints, q: Vec, v: Vec, clock: Vec, ahead: boolean): void {
  const { m, d, equalities, unilateral } = c
  updateRows(equalities.rows, m, d, q, clock)
  unilateral.clock.set(clock)
  takeTrial(unilateral, q, v, clock)
  findUnilateral(unilateral)
  c.isConvex = unilateral.rows > 0
  assembleRows(c, true)
  if (ahead) takeGapsBack(c.convex, unilateral)
}

/** A step of Newton's method begins at the kinematics of data: as `startPart`, with what s remembers of the last one. */
export function startStep(c: StepConstraints, s: Vec, at: ConstraintPlaces, q: Vec, clock: Vec): void {
  loadHeld(c, s, at)
  loadForces(c, s, at, clock)
  startTrials(c.unilateral, true)
  if (c.equalities.rows.count > 0) startEqualities(c, q, clock)
}

/** The same for the next part of a step. */
export function startPart(c: StepConstraints, q: Vec, clock: Vec): void {
  startTrials(c.unilateral, false)
  if (c.equalities.rows.count > 0) startEqualities(c, q, clock)
}

/** Reads the kinematics of data at q, from which gaps are allowed. */
function startEqualities({ m, d, equalities, unilateral }: StepConstraints, q: Vec, clock: Vec): void {
  holdEqualities(equalities, q, clock)
  updateRows(equalities.rows, m, d, q, clock)
  // forces of the last solve were kept by where rows began then
  unilateral.first = equalities.count
}

/** All rows at the kinematics of data, the first configuration on trial, and v, the velocity that led there. */
export function findOnTrial(c: StepConstraints, q: Vec, v: Vec, clock: Vec): void {
  if (c.equalities.count > 0) updateRows(c.equalities.rows, c.m, c.d, q, clock)
  c.unilateral.clock.set(clock)
  takeTrial(c.unilateral, q, v, clock)
  findPushing(c.unilateral)
  c.isConvex = c.unilateral.rows > 0
  if (c.equalities.count > 0) assembleRows(c, true)
}

/** The same rows at another configuration, as `followPushing` says. */
export function followOnTrial(c: StepConstraints, q: Vec, v: Vec, clock: Vec, settled: boolean): void {
  if (c.equalities.count > 0) updateRows(c.equalities.rows, c.m, c.d, q, clock)
  takeTrial(c.unilateral, q, v, clock)
  followPushing(c.unilateral, c.convex.rows, settled)
  c.isConvex = c.unilateral.rows > 0
  if (c.equalities.count > 0) assembleRows(c, true)
}

/** G ← equalities, in reduced coordinates; empty rows where they are taken into the elimination, which they are where nothing else pushes, if they `may` be. */
export function assembleRows(c: StepConstraints, may: boolean): void {
  const { equalities, unilateral, eliminated, linear } = c
  if (equalities.count === 0) return
  reserveRows(c, equalities.count)
  const { G } = c.work
  G.count = 0
  const alone = may && unilateral.rows === 0
  c.isEliminated = alone && eliminated !== undefined && isEliminationBetter(eliminated, linear, equalities)
  if (may && eliminated) attachLoops(eliminated, linear, equalities, c.isEliminated)
  if (c.isEliminated) leaveRows(G, equalities.count)
  else reduceEqualities(equalities, G)
}
