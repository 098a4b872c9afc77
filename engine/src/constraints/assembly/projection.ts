/**
 * The matrix of the constraints in the metric of the mass matrix, K = G M⁻¹ Gᵀ, with the columns Y = M⁻¹ Gᵀ: what moves onto the
 * constraints, in pose and velocity, along the way of least kinetic energy.
 */
import { integrate } from '../../joints/index.js'
import { createPivotedLdl, factorPivoted, type PivotedLdl, solvePivoted } from '../../linalg/dense/pivoted-ldl.js'
import type { Vec } from '../../math/types.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { aba } from '../../tree/aba.js'
import { forwardKinematics } from '../../tree/kinematics.js'
import { solveInertia } from '../../tree/solve.js'
import { createReducedRows, type ReducedRows, reduceRows } from '../rows/reduce.js'
import { createRows, type Rows, rowVelocities, updateRows } from '../rows/rows.js'
import { closingTolerance } from './tolerance.js'

export interface Projection {
  readonly rows: Rows
  /** 1: the pose is not moved for this row, which is singular (`taut`); 0 */
  readonly skip: Int32Array
  readonly reduced: ReducedRows
  /** row r is M⁻¹ G_rᵀ (nv each) */
  readonly Y: Vec
  /** row-major */
  readonly K: Vec
  readonly ldl: PivotedLdl
  /** a gap that need not close, m or rad */
  readonly tolerance: number
  /** scratch: the widest gap, now and a round before; sin² of the angle below which rows are the same */
  readonly open: Vec
  readonly alike: Vec
  /** multipliers, and what is asked of them: a number a row */
  readonly lambda: Vec
  readonly b: Vec
  /** nv each: no velocity, accelerations nobody reads */
  readonly rest: Vec
  readonly a: Vec
}

export function createProjection(m: Model, motions = true, skip?: Int32Array): Projection {
  const rows = createRows(m, motions)
  const n = rows.count
  return {
    rows,
    skip: skip ?? new Int32Array(n),
    reduced: createReducedRows(m, n),
    Y: new Float64Array(n * m.nv),
    K: new Float64Array(n * n),
    ldl: createPivotedLdl(n),
    tolerance: closingTolerance(m),
    open: new Float64Array(2),
    alike: new Float64Array(1),
    lambda: new Float64Array(n),
    b: new Float64Array(n),
    rest: new Float64Array(m.nv),
    a: new Float64Array(m.nv),
  }
}

/**
 * Reads the kinematics, q, t[0]. Writes rows, G, Y, K; in Data f is zeroed and what `aba` writes is that of a body at rest. `even`: with the unit
 * matrix in place of M, every velocity alike: where light bodies would have to turn far to close a loop, heavy ones close it by moving a little.
 */
export function updateProjection(p: Projection, m: Model, d: Data, q: Vec, t: Vec, even = false): void {
  const { rows, reduced, Y, K } = p
  const { nv } = m
  const { G, start, dof } = reduced
  const n = rows.count
  updateRows(rows, m, d, q, t)
  reduced.count = 0
  reduceRows(reduced, rows, m, d)
  if (even) for (let k = 0; k < n * nv; k++) Y[k] = G[k]
  else {
    d.f.fill(0)
    aba(m, d, p.rest, p.rest, p.a)
    for (let r = 0; r < n; r++) solveInertia(m, d, Y, r * nv, G, r * nv)
  }
  for (let r = 0; r < n; r++) {
    for (let s = 0; s <= r; s++) {
      let sum = 0
      for (let e = start[s]; e < start[s + 1]; e++) sum += G[s * nv + dof[e]] * Y[r * nv + dof[e]]
      K[r * n + s] = sum
      K[s * n + r] = sum
    }
  }
}

/** Reads V, v, the projection. Writes v ← v − Y K⁺ (G v − target). Returns the rank; rows ldl.order[rank …] are redundant. */
export function projectVelocity(p: Projection, m: Model, d: Data, v: Vec): number {
  const { rows, Y, K, ldl, lambda, b } = p
  const n = rows.count
  measureGap(p)
  const rank = factorPivoted(ldl, K, 0, n, p.alike)
  rowVelocities(rows, d, v, b, 0)
  for (let r = 0; r < n; r++) b[r] -= rows.target[r]
  solvePivoted(ldl, lambda, 0, b, 0)
  for (let r = 0; r < n; r++) for (let k = 0; k < m.nv; k++) v[k] -= lambda[r] * Y[r * m.nv + k]
  return rank
}

/** metres or radians: closed to rounding */
const CLOSED = 1e-11
const ROUNDS = 8
// share of a gap that is left where a round has not closed it: the rest cannot be closed
const SAME = 0.999
const LEAST_ALIKE = 1e-12
const MOST_ALIKE = 1e-4
/**
 * Off the constraints rows that depend on each other seem not to, by as much as the pose is off; asked for what they cannot tell they
 * would send the mechanism along its own motion. So the first rounds take only what is plain, the later ones what is left.
 */
const PLAIN_ROUNDS = 2
const PLAIN = Float64Array.of(1e-6)

/**
 * Moves q onto the constraints at the time t[0], by Newton's method in the metric of the mass matrix, or an even one. Reads and writes q; Data
 * holds the kinematics, and p.rows the residuals, of where it ended.
 */
export function projectPose(p: Projection, m: Model, d: Data, q: Vec, t: Vec, even = false): void {
  const { rows, Y, K, ldl, lambda, a } = p
  const n = rows.count
  const { nv } = m
  for (let round = 0; ; round++) {
    forwardKinematics(m, d, q, p.rest)
    updateRows(rows, m, d, q, t)
    p.open[1] = p.open[0]
    measureGap(p)
    const within = p.open[0] <= p.tolerance
    if (round === ROUNDS || p.open[0] < CLOSED || (within && round > PLAIN_ROUNDS && p.open[0] > SAME * p.open[1])) return
    updateProjection(p, m, d, q, t, even)
    for (let r = 0; r < n; r++) if (p.skip[r] === 1) leaveOut(K, n, r)
    if (round < PLAIN_ROUNDS) factorPivoted(ldl, K, 0, n, PLAIN)
    else if (within) factorPivoted(ldl, K, 0, n, p.alike)
    else factorPivoted(ldl, K, 0, n)
    solvePivoted(ldl, lambda, 0, rows.g, 0)
    a.fill(0)
    for (let r = 0; r < n; r++) for (let k = 0; k < nv; k++) a[k] -= lambda[r] * Y[r * nv + k]
    integrate(m, q, a, 1)
  }
}

/** Reads the rows. Writes the widest gap, and how near to each other it makes rows that are the same: it turns them by about as much as it is wide. */
function measureGap({ rows: { g, count }, skip, open, alike }: Projection): void {
  let most = 0
  for (let r = 0; r < count; r++) if (skip[r] === 0) most = Number.isNaN(g[r]) ? Number.POSITIVE_INFINITY : Math.max(most, Math.abs(g[r]))
  open[0] = most
  alike[0] = Math.min(MOST_ALIKE, Math.max(LEAST_ALIKE, 1e4 * most * most))
}

/** Clears row and column r of the n × n matrix A: what factors it calls the row redundant. */
export function leaveOut(A: Vec, n: number, r: number): void {
  for (let s = 0; s < n; s++) {
    A[r * n + s] = 0
    A[s * n + r] = 0
  }
}
