/**
 * Exact solution of a complementarity problem with boxes by principal pivoting, and friction by repeated boxes.
 *
 * J. J. Júdice, F. M. Pires, A Block Principal Pivoting Algorithm for Large-Scale Strictly Monotone Linear Complementarity Problems,
 * Comput. Oper. Res. 21 (1994), with bounds on both sides: guess which rows are at a bound, solve the others, exchange all that are on
 * the wrong side at once. When that stops making progress, exchange one row at a time, the last one (K. G. Murty's rule, finite for
 * positive definite D). Redundant rows make D singular; the solve adds a small share of the diagonal and then iterates it away
 * (proximal point), which splits a force evenly between equal rows and moves little from the warm start.
 */

import { createDenseLdl, type DenseLdl, factorDense, solveDense } from '../../linalg/dense/dense-ldl.js'
import type { Vec } from '../../math/types.js'
import { type Complementarity, type ComplementarityReport, copyRows, measureBox, projectedGaussSeidel, updateScale } from './lcp.js'

export interface PivotSolver {
  readonly ldl: DenseLdl
  /** −1 at lo, +1 at hi, 0 in between */
  readonly side: Int8Array
  readonly free: Int32Array
  readonly lo: Vec
  readonly hi: Vec
  readonly x: Vec
  readonly before: Vec
  readonly start: Vec
}

/** Share of the diagonal added to D: below it a pivot of a redundant row is lost in rounding, above it the iteration takes longer. */
const PROXIMAL = 1e-9
/** Exchanges of all wrong rows that may fail to reduce their number before single exchanges begin. */
const PATIENCE = 8
/** Rounds of staggering before the friction bounds are averaged. */
const SWINGS = 10
/** Factorisations after which Gauss–Seidel takes over: degenerate contacts can keep exchanging without end. */
const MOST_FACTORISATIONS = 300

export function createPivotSolver(capacity: number): PivotSolver {
  return {
    ldl: createDenseLdl(capacity, PROXIMAL),
    side: new Int8Array(capacity),
    free: new Int32Array(capacity),
    lo: new Float64Array(capacity),
    hi: new Float64Array(capacity),
    x: new Float64Array(capacity),
    before: new Float64Array(capacity),
    start: new Float64Array(capacity),
  }
}

/**
 * Solves to rounding when there is no friction. With friction rows: solves with the bounds ±μ λ_normal fixed, takes the new normal
 * forces, and repeats until nothing moves (staggering, but with all rows in every round). λ holds the warm start.
 * Where this fails (contradictory rows, bounds that swing for ever), projected Gauss–Seidel has the last word.
 */
export function solvePivoting(s: PivotSolver, p: Complementarity, tolerance = 1e-9, maxRounds = 60): Readonly<ComplementarityReport> {
  const { n, D, lambda, report } = p
  let friction = false
  for (let i = 0; i < n; i++) if (p.normal[i] >= 0) friction = true
  copyRows(s.start, lambda, n)
  updateScale(p)
  const still = 0.1 * tolerance * p.size[0]

  let iterations = 0
  for (let round = 0; round < maxRounds; round++) {
    // after some rounds without rest the bounds swing: meet half-way
    fixBounds(s, p, round > SWINGS)
    copyRows(s.before, lambda, n)
    iterations += exchange(s, p, tolerance)
    let moved = 0
    for (let i = 0; i < n; i++) moved = Math.max(moved, Math.abs(lambda[i] - s.before[i]) * D[i * n + i])
    if (!friction || moved <= still || iterations > MOST_FACTORISATIONS) break
  }
  measureBox(p)
  report.status = report.residual <= tolerance ? 'solved' : 'approximate'
  if (report.status === 'approximate') {
    copyRows(lambda, s.start, n)
    projectedGaussSeidel(p, tolerance, 1000)
  }
  report.iterations = iterations
  return report
}

/** Bounds for this round; those of friction rows keep a share of the last round's. */
function fixBounds(s: PivotSolver, p: Complementarity, averaged: boolean): void {
  for (let i = 0; i < p.n; i++) {
    const row = p.normal[i]
    if (row < 0) {
      s.lo[i] = p.lo[i]
      s.hi[i] = p.hi[i]
    } else {
      const bound = p.mu[i] * Math.max(0, p.lambda[row])
      s.hi[i] = averaged ? 0.5 * (s.hi[i] + bound) : bound
      s.lo[i] = -s.hi[i]
    }
  }
}

/** Exchanges rows between bounds and free until all are right; size[0] is up to date. Returns the number of factorisations. */
function exchange(s: PivotSolver, p: Complementarity, tolerance: number): number {
  const { n, D, lambda } = p
  const { side, lo, hi } = s
  for (let i = 0; i < n; i++) {
    side[i] = lambda[i] <= lo[i] && lo[i] > -Infinity ? -1 : lambda[i] >= hi[i] && hi[i] < Infinity ? 1 : 0
    if (!(D[i * n + i] > 0)) side[i] = lo[i] > -Infinity ? -1 : hi[i] < Infinity ? 1 : 0
  }

  p.size[1] = 1e-3 * tolerance * p.size[0]
  let fewest = n + 1
  let patience = PATIENCE
  const limit = 50 + 2 * n
  let round = 0
  while (round < limit) {
    round++
    solveFree(s, p)
    let wrong = 0
    let lastWrong = -1
    for (let i = 0; i < n; i++) {
      if (!misplaced(s, p, i)) continue
      wrong++
      lastWrong = i
    }
    if (wrong === 0) break
    if (wrong < fewest) {
      fewest = wrong
      patience = PATIENCE
    } else patience--
    for (let i = patience >= 0 ? 0 : lastWrong; i <= lastWrong; i++) {
      if (!misplaced(s, p, i)) continue
      side[i] = side[i] !== 0 ? 0 : lambda[i] < lo[i] ? -1 : 1
    }
  }

  // rounding may leave a free row a hair outside
  for (let i = 0; i < n; i++) {
    if (lambda[i] < lo[i]) lambda[i] = lo[i]
    if (lambda[i] > hi[i]) lambda[i] = hi[i]
  }
  return round
}

/**
 * Row on the wrong side: a free one outside its bounds, or one at a bound that wants to leave it. Equal bounds hold a row for good.
 * size[1] is the slack for rounding.
 */
function misplaced(s: PivotSolver, p: Complementarity, i: number): boolean {
  const slack = p.size[1]
  const d = p.D[i * p.n + i]
  if (!(d > 0)) return false
  if (s.side[i] === 0) return p.lambda[i] < s.lo[i] - slack / d || p.lambda[i] > s.hi[i] + slack / d
  if (s.lo[i] === s.hi[i]) return false
  return s.side[i] < 0 ? p.w[i] < -slack : p.w[i] > slack
}

/** λ at the bounds where rows sit there, and such that w = 0 elsewhere. Writes λ and w. */
function solveFree(s: PivotSolver, p: Complementarity): void {
  const { n, D, lambda, w } = p
  const { ldl, side, free, x } = s
  let count = 0
  for (let i = 0; i < n; i++) {
    if (side[i] === 0 && D[i * n + i] > 0) free[count++] = i
    else lambda[i] = side[i] < 0 ? s.lo[i] : side[i] > 0 ? s.hi[i] : 0
  }
  for (let a = 0; a < count; a++) {
    const row = free[a] * n
    for (let b = 0; b < a; b++) ldl.L[a * count + b] = D[row + free[b]]
    ldl.L[a * count + a] = D[row + free[a]] * (1 + PROXIMAL)
  }
  factorDense(ldl, count)

  // proximal steps: the first does nearly all, the others remove what was added to D
  for (let step = 0; step < 3; step++) {
    for (let a = 0; a < count; a++) {
      let t = p.r[free[a]]
      for (let j = 0; j < n; j++) t += D[free[a] * n + j] * lambda[j]
      x[a] = -t
    }
    solveDense(ldl, x, 0)
    for (let a = 0; a < count; a++) lambda[free[a]] += x[a]
  }
  for (let i = 0; i < n; i++) {
    let t = p.r[i]
    for (let j = 0; j < n; j++) t += D[i * n + j] * lambda[j]
    w[i] = t
  }
}
