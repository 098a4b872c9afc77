/**
 * Equalities of a step: the factor of their block of D, their forces λ = −D⁻¹ r with redundant rows left out, and the projection of the pose
 * on them afterwards, with the same Y: dq = −Y D⁻¹ g, so that they do not drift; velocities are left alone. Where loops are taut, rates that
 * are held follow the rows, and rows that are singular there are left out (`taut`).
 */
import { createPoseCloser, type PoseCloser } from '../../../constraints/assembly/close-pose.js'
import { leaveOut } from '../../../constraints/assembly/projection.js'
import { closingTolerance } from '../../../constraints/assembly/tolerance.js'
import { addVelocity, beginRow, finishRow, type ReducedRows, reduceRows } from '../../../constraints/rows/reduce.js'
import { createRows, type Rows, updateRows } from '../../../constraints/rows/rows.js'
import { createTaut, holdTaut, type Taut } from '../../../constraints/taut/taut.js'
import { integrate } from '../../../joints/index.js'
import { contradiction, createPivotedLdl, factorPivoted, type PivotedLdl, solvePivoted } from '../../../linalg/dense/pivoted-ldl.js'
import type { Vec } from '../../../math/types.js'
import { CONSTRAINT_COUPLING } from '../../../model/constraints.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { updatePoses } from '../../../tree/kinematics.js'
import type { ConstraintWork } from './constraint-work.js'
import type { Loops } from './loops.js'

export interface Equalities {
  readonly m: Model
  readonly d: Data
  readonly rows: Rows
  /** with the rates that are held */
  count: number
  /** whether loops are taut, and held; what is, once it was looked for; the pose at which it was found, where that is known; rows left out */
  holding: boolean
  taut: Taut | undefined
  isTautKnown: boolean
  readonly tautPose: Vec
  readonly skip: Int32Array
  readonly closer: PoseCloser
  /** their block of D, row by row, and its factor */
  block: Vec
  ldl: PivotedLdl
  /** scratch: a number a row, twice; nv; nq; one number each */
  lambda: Vec
  b: Vec
  readonly move: Vec
  readonly start: Vec
  readonly mismatch: Vec
  readonly alike: Vec
  readonly last: Vec
  /** a gap that need not close, m or rad */
  readonly tolerance: number
  /** whether the last projection took the long way */
  relocated: boolean
  /** empty, or why the last call failed */
  trouble: string
}

// projections stop at this residual, metres or radians, or after so many rounds; what rounding may leave of it in large mechanisms
const CLOSED = 1e-11
const NEARLY = 1e-9
const ROUNDS = 6
// share of a gap that is left where a round has not closed it
const SAME = 0.999
// sin² of the angle below which two rows are the same
const LEAST_ALIKE = 1e-12
const MOST_ALIKE = 1e-4
// of the terms of a redundant row, and in m/s or rad/s: rates that differ by more contradict, by less they are a loop that is a little open
const CONTRARY = 0.1
const SLOW = 1e-3

export function createEqualities(m: Model, d: Data): Equalities {
  const rows = createRows(m)
  const n = rows.count
  const skip = new Int32Array(n)
  return {
    m,
    d,
    rows,
    count: n,
    holding: false,
    taut: undefined,
    isTautKnown: false,
    tautPose: new Float64Array(m.nq),
    skip,
    closer: createPoseCloser(m, d, skip),
    block: new Float64Array(n * n),
    ldl: createPivotedLdl(n),
    lambda: new Float64Array(n),
    b: new Float64Array(n),
    move: new Float64Array(m.nv),
    start: new Float64Array(m.nq),
    mismatch: new Float64Array(1),
    alike: new Float64Array(1),
    last: new Float64Array(1),
    tolerance: closingTolerance(m),
    relocated: false,
    trouble: '',
  }
}

/** Reads D, n × n. Writes their block and its factor, kept for the projection. */
export function factorEqualities(e: Equalities, { D }: ConstraintWork): void {
  const { rows, skip, alike, count: n } = e
  if (n === 0) return
  if (e.ldl.capacity < n) {
    e.block = new Float64Array(n * n)
    e.ldl = createPivotedLdl(n)
  }
  const { block, ldl } = e
  for (let r = 0; r < n; r++) for (let s = 0; s < n; s++) block[r * n + s] = D[r * n + s]
  for (let r = 0; r < rows.count; r++) if (skip[r] === 1) leaveOut(block, n, r)
  measureLikeness(e)
  factorPivoted(ldl, block, 0, n, alike)
}

/** `alike` ← sin² of the angle below which rows are the same: an open loop turns its rows by about as much as it is open. */
export function measureLikeness({ rows, skip, alike }: Equalities): void {
  let open = 0
  for (let r = 0; r < rows.count; r++) if (skip[r] === 0) open = Math.max(open, Math.abs(rows.g[r]))
  alike[0] = Math.min(MOST_ALIKE, Math.max(LEAST_ALIKE, 1e4 * open * open))
}

/** λ = −D⁻¹ r of these rows, redundant ones left out; r changes its sign. False, with the trouble, where rows contradict each other. */
export function solveEqualities(e: Equalities, lambda: Vec, wanted: Vec): boolean {
  const { m, rows, skip, block, ldl, mismatch, count: n } = e
  for (let r = 0; r < n; r++) wanted[r] = -wanted[r]
  solvePivoted(ldl, lambda, 0, wanted, 0)
  if (ldl.rank === n) return true
  const row = contradiction(ldl, block, 0, lambda, 0, wanted, 0, mismatch)
  // rows of a loop depend on each other only where it is closed; those of joints do everywhere
  if (row < 0 || row >= rows.count || skip[row] === 1 || m.constraints.kind[rows.source[row]] < CONSTRAINT_COUPLING) return true
  if (mismatch[0] < CONTRARY || Math.abs(wanted[row]) < SLOW) return true
  e.trouble = `constraint '${m.constraints.names[rows.source[row]]}' asks for a rate that the others do not allow; remove one of them`
  return false
}

/** Moves q onto the equalities at the time of the clock, with the factor and columns Y (nv each), or `loops`, of the last solve. */
export function projectEqualities(e: Equalities, q: Vec, clock: Vec, Y: Vec, loops?: Loops): void {
  const { m, d, rows, skip, ldl, move, start, closer, count, last, tolerance } = e
  const { nv } = m
  const n = rows.count
  if (e.b.length < count) {
    e.b = new Float64Array(count)
    e.lambda = new Float64Array(count)
  }
  const { b, lambda } = e
  e.trouble = ''
  e.relocated = false
  start.set(q)
  for (let round = 0; round <= ROUNDS; round++) {
    updatePoses(m, d, q)
    updateRows(rows, m, d, q, clock)
    let residual = 0
    for (let r = 0; r < n; r++) if (skip[r] === 0) residual = Math.max(residual, Math.abs(rows.g[r]))
    if (residual < CLOSED || (round === ROUNDS && residual < NEARLY)) return
    // what no pose closes, within what a file's numbers can tell
    if (round > 0 && residual <= tolerance && residual > SAME * last[0]) return
    if (round === ROUNDS) break
    last[0] = residual
    for (let r = 0; r < count; r++) b[r] = r < n ? -rows.g[r] : 0
    if (loops) loops.step(move, b)
    else {
      solvePivoted(ldl, lambda, 0, b, 0)
      move.fill(0)
      for (let r = 0; r < count; r++) for (let k = 0; k < nv; k++) move[k] += lambda[r] * Y[r * nv + k]
    }
    integrate(m, q, move, 1)
  }
  // near a singular pose Y of the step's start no longer points back
  q.set(start)
  e.relocated = true
  closer.close(q, clock)
  e.trouble = closer.trouble
}

/** Names of those that say nothing new, found in the last step. Allocates. */
export function redundantNames({ m, rows, skip, ldl: { n, rank, order } }: Equalities): string[] {
  const left = Array.from(order.subarray(rank, n)).filter((r) => r < rows.count && skip[r] === 0)
  return left.map((r) => m.constraints.names[rows.source[r]])
}

/**
 * Finds what is held in a step from the pose q, of rows at the time of the clock, if anything is. What was found at an earlier pose stands as
 * long as q differs from it by rounding only; so a run that is restored looks there first.
 */
export function holdEqualities(e: Equalities, q: Vec, clock: Vec): void {
  const { m, rows, skip, tautPose } = e
  e.count = rows.count
  skip.fill(0)
  if (!e.holding) return
  e.taut ??= createTaut(m)
  const { taut } = e
  if (e.isTautKnown && !taut.timed && !isSamePose(taut.at, tautPose)) holdTaut(taut, tautPose, clock)
  const holds = holdTaut(taut, q, clock)
  tautPose.set(taut.at)
  e.isTautKnown = true
  if (!holds) return
  skip.set(taut.skip)
  e.count += taut.count
}

function isSamePose(a: Vec, b: Vec): boolean {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false
  return true
}

/** Appends the rows to G. */
export function reduceEqualities({ m, d, rows, taut, count }: Equalities, G: ReducedRows): void {
  reduceRows(G, rows, m, d)
  if (!taut) return
  for (let r = 0; r < count - rows.count; r++) {
    beginRow(G, m)
    for (let k = 0; k < m.nv; k++) if (taut.U[r * m.nv + k] !== 0) addVelocity(G, m, k, taut.U, r * m.nv + k)
    finishRow(G, m, d)
  }
}
