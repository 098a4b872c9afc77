/**
 * The first stage of a constrained step: which rows there are, and G in reduced coordinates.
 *
 * Equalities first, then limits, dry friction, contacts. Linearised steps look once; Newton's method looks at the start of a part, from which
 * gaps are allowed (`unilateral`), and again at every configuration on trial.
 */
import { updateRows } from '../../../constraints/rows/rows.js'
import { isWarmStarted } from '../../../contact/solve/solve-contacts.js'
import type { Vec } from '../../../math/types.js'
import { updatePoses } from '../../../tree/kinematics.js'
import { bringForces, keepForces, loadContacts, loadPatience } from './contact-memory.js'
import { attachLoops, isEliminationBetter, leaveRows } from './eliminated-loops.js'
import { holdEqualities, reduceEqualities } from './equalities.js'
import { type ConstraintPlaces, type HeldPlaces, loadHeld, loadPulls, reserveRows, type StepConstraints } from './step-constraints.js'
import {
  appendRows,
  compareWithStart,
  findUnilateral,
  followUnilateral,
  markWay,
  rememberPushed,
  rememberStart,
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
  assembleRows(c, true)
  if (ahead) takeGapsBack(unilateral, c.work.G.G, equalities.count, v, clock)
}

/** A step of Newton's method begins at the kinematics of data: as `startPart`, with what s remembers of the last one. */
export function startStep(c: StepConstraints, s: Vec, at: ConstraintPlaces, q: Vec, v: Vec, clock: Vec): void {
  const { equalities, unilateral } = c
  loadHeld(c, s, at)
  loadPulls(c, s, at, clock)
  startPart(c, q, v, clock)
  loadPatience(unilateral, s, at.contacts)
  if (!isWarmStarted(rowCount(unilateral))) return
  loadContacts(unilateral, s, at.contacts)
  bringForces(unilateral, c.work.p.lambda, equalities.count, clock)
}

/** The start of a part that `findOnTrial` goes on from: gaps there, at the kinematics of data. */
export function startPart(c: StepConstraints, q: Vec, v: Vec, clock: Vec): void {
  const { m, d, equalities, unilateral } = c
  holdEqualities(equalities, q, clock)
  updateRows(equalities.rows, m, d, q, clock)
  keepForces(unilateral, c.work.p.lambda, equalities.count)
  unilateral.swept = false
  unilateral.pushed.count = 0
  findUnilateral(unilateral, q, v, clock)
  rememberStart(unilateral)
  reserveRows(c, equalities.count + rowCount(unilateral))
  c.work.p.lambda.fill(0, equalities.count)
  if (isWarmStarted(rowCount(unilateral))) bringForces(unilateral, c.work.p.lambda, equalities.count, clock)
}

/**
 * All rows anew at the kinematics of data and v, the velocity that led there; forces of the last solve go with them. `settled`: what touches
 * is what touched at the last call, for corners that take turns would not let an iteration end.
 */
export function findOnTrial(c: StepConstraints, q: Vec, v: Vec, clock: Vec, settled: boolean): void {
  const { m, d, equalities, unilateral } = c
  updateRows(equalities.rows, m, d, q, clock)
  keepForces(unilateral, c.work.p.lambda, equalities.count)
  rememberPushed(unilateral, c.work.p.lambda, equalities.count)
  if (settled) followUnilateral(unilateral, q, v, clock)
  else findUnilateral(unilateral, q, v, clock)
  assembleRows(c, true)
  bringForces(unilateral, c.work.p.lambda, equalities.count, clock)
  compareWithStart(unilateral, clock)
}

/** G ← all rows found last, in reduced coordinates; equalities only where they are not taken into the elimination, if they `may` be. */
export function assembleRows(c: StepConstraints, may: boolean): void {
  const { equalities, unilateral, eliminated, linear } = c
  const others = rowCount(unilateral)
  reserveRows(c, equalities.count + others)
  const { G } = c.work
  G.count = 0
  c.isEliminated = may && eliminated !== undefined && isEliminationBetter(eliminated, linear, equalities, others)
  if (may && eliminated) attachLoops(eliminated, linear, equalities, c.isEliminated && others === 0)
  if (c.isEliminated) leaveRows(G, equalities.count)
  else reduceEqualities(equalities, G)
  appendRows(G, unilateral)
}
