/**
 * Equalities of a step: the factor of their block of D, their forces λ = −D⁻¹ r with redundant rows left out, and the projection of the pose
 * on them afterwards, with the same Y: dq = −Y D⁻¹ g, so that they do not drift; velocities are left alone.
 */
import { createPoseCloser, type PoseCloser } from '../../constraints/close-pose.js'
import { createRows, type Rows, updateRows } from '../../constraints/rows.js'
import { integrate } from '../../joints/index.js'
import type { Complementarity } from '../../linalg/lcp.js'
import { contradiction, createPivotedLdl, factorPivoted, type PivotedLdl, solvePivoted } from '../../linalg/pivoted-ldl.js'
import type { Vec } from '../../math/types.js'
import { CONSTRAINT_COUPLING } from '../../model/constraints.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { updatePoses } from '../../tree/kinematics.js'

export interface Equalities {
  readonly m: Model
  readonly d: Data
  readonly rows: Rows
  readonly closer: PoseCloser
  /** their block of D, row by row, and its factor */
  readonly block: Vec
  readonly ldl: PivotedLdl
  /** scratch: a number a row, twice; nv; nq; one number each */
  readonly lambda: Vec
  readonly b: Vec
  readonly move: Vec
  readonly start: Vec
  readonly mismatch: Vec
  readonly alike: Vec
  /** empty, or why the last call failed */
  trouble: string
}

// projections stop at this residual, metres or radians, or after so many rounds
const CLOSED = 1e-11
const ROUNDS = 6
// sin² of the angle below which two rows are the same
const LEAST_ALIKE = 1e-12
const MOST_ALIKE = 1e-4
// of the terms of a redundant row, and in m/s or rad/s: rates that differ by more contradict, by less they are a loop that is a little open
const CONTRARY = 0.1
const SLOW = 1e-3

export function createEqualities(m: Model, d: Data): Equalities {
  const rows = createRows(m)
  const n = rows.count
  return {
    m,
    d,
    rows,
    closer: createPoseCloser(m, d),
    block: new Float64Array(n * n),
    ldl: createPivotedLdl(n),
    lambda: new Float64Array(n),
    b: new Float64Array(n),
    move: new Float64Array(m.nv),
    start: new Float64Array(m.nq),
    mismatch: new Float64Array(1),
    alike: new Float64Array(1),
    trouble: '',
  }
}

/** Reads D of p, whose first rows these are. Writes their block and its factor, kept for the projection. */
export function factorEqualities({ rows, block, ldl, alike }: Equalities, p: Complementarity): void {
  const n = rows.count
  if (n === 0) return
  for (let r = 0; r < n; r++) for (let s = 0; s < n; s++) block[r * n + s] = p.D[r * p.n + s]
  // an open loop turns its rows by about as much as it is open: what differs by less is the same
  let open = 0
  for (let r = 0; r < n; r++) open = Math.max(open, Math.abs(rows.g[r]))
  alike[0] = Math.min(MOST_ALIKE, Math.max(LEAST_ALIKE, 1e4 * open * open))
  factorPivoted(ldl, block, 0, n, alike)
}

/** p.λ = −D⁻¹ r of these rows, redundant ones left out; p.r changes its sign. False, with the trouble, where rows contradict each other. */
export function solveEqualities(e: Equalities, p: Complementarity): boolean {
  const { m, rows, block, ldl, mismatch } = e
  const n = rows.count
  for (let r = 0; r < n; r++) p.r[r] = -p.r[r]
  solvePivoted(ldl, p.lambda, 0, p.r, 0)
  if (ldl.rank === n) return true
  const row = contradiction(ldl, block, 0, p.lambda, 0, p.r, 0, mismatch)
  // rows of a loop depend on each other only where it is closed; those of joints do everywhere
  if (row < 0 || m.constraints.kind[rows.source[row]] < CONSTRAINT_COUPLING) return true
  if (mismatch[0] < CONTRARY || Math.abs(p.r[row]) < SLOW) return true
  e.trouble = `constraint '${m.constraints.names[rows.source[row]]}' asks for a rate that the others do not allow; remove one of them`
  return false
}

/** Moves q onto the equalities at the time of the clock, with the factor and columns Y (nv each) if they are those of the last solve. */
export function projectEqualities(e: Equalities, q: Vec, clock: Vec, Y: Vec, solved: boolean): void {
  const { m, d, rows, ldl, lambda, b, move, start, closer } = e
  const { nv } = m
  const n = rows.count
  e.trouble = ''
  start.set(q)
  for (let round = 0; solved && round <= ROUNDS; round++) {
    updatePoses(m, d, q)
    updateRows(rows, m, d, q, clock)
    let residual = 0
    for (let r = 0; r < n; r++) residual = Math.max(residual, Math.abs(rows.g[r]))
    if (residual < CLOSED) return
    if (round === ROUNDS) break
    for (let r = 0; r < n; r++) b[r] = -rows.g[r]
    solvePivoted(ldl, lambda, 0, b, 0)
    move.fill(0)
    for (let r = 0; r < n; r++) for (let k = 0; k < nv; k++) move[k] += lambda[r] * Y[r * nv + k]
    integrate(m, q, move, 1)
  }
  // near a singular pose Y of the step's start no longer points back
  q.set(start)
  closer.close(q, clock)
  e.trouble = closer.trouble
}

/** Names of those that say nothing new, found in the last step. Allocates. */
export function redundantNames({ m, rows, ldl: { n, rank, order } }: Equalities): string[] {
  return Array.from({ length: n - rank }, (_, k) => m.constraints.names[rows.source[order[rank + k]]])
}
