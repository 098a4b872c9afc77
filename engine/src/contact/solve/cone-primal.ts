/**
 * Contact with friction cones between many bodies, to rounding: Newton's method for the velocity that the forces make, island by island.
 *
 * With multipliers λ̂ and a stiffness ρ for every row, the forces are those of λ̂ carried on by what the rows still miss,
 *   λ(y) = P(λ̂ − ρ w),  w = r + G y,   A y = Gᵀ λ(y)
 * P being the bounds of a row, and for friction the disc of radius μ λ_n. The radius given, A y − Gᵀ λ(y) is the gradient of a convex function that
 * is quadratic in pieces; its Newton matrix A + Gᵀ ρ P′ G has the pattern of the bodies, positive definite however many rows
 * say the same, with as few as six unknowns a body where contacts have a dozen rows. Then λ̂ ← λ(y), until w holds by itself (method of
 * multipliers: D. P. Bertsekas, Constrained Optimization and Lagrange Multiplier Methods, 1982; friction as by P. Alart and A. Curnier, 1991).
 * From λ̂ = 0 rows that say the same share a load.
 */

import { factorEnvelope } from '../../linalg/dense/envelope.js'
import { measureSparse, type SparseRows, velocityOfForces } from './cone-sparse.js'
import { assemble, direction, gradient, search } from './island-newton.js'
import {
  type ConePrimal,
  carryOn,
  countSlipping,
  DECREMENT,
  layIsland,
  MOBILITY,
  measureIsland,
  RESIDUAL,
  SHARE,
  SIZE,
  STIFFNESS,
  startForces,
  updateForces,
  updateMisses,
} from './island-rows.js'
import { type Complementarity, type ComplementarityReport, updateScale } from './lcp.js'

// of 1/D_rr: the stiffness at first, which is less where rows miss more than NEAR/STIFF; how much more it becomes where multipliers leave more than
// the share SLOW, and at most, where friction slips and elsewhere
const STIFF = 1e4
const SOFT = 1
const NEAR = 0.1
const STIFFER = 100
const SLOW = 0.1
const FIRM = 1e3
const STIFFEST = 1e7
// Newton's steps of an island at most, and where friction slips; the residual that is enough there, and the share of it that may be left each time
const STEPS = 40
const LONG = 10
// rows of a small island, rounds there that need not be good ones, and rows a slipping contact at the least elsewhere
const SMALL = 150
const PATIENCE = 4
const MANY = 100
const ENOUGH = 1e-5
const HALF = 0.5
// a residual that may be rounding of rows that say the same
const ROUNDED = 1e-6
// share of the residual to which equations are solved before multipliers are carried on
const INNER = 0.01

/**
 * Reads A, the islands, the rows with what `prepareSparse` makes of them, and the warm start in λ. Writes λ and the velocity s.y that the forces make.
 * The report counts Newton's steps.
 */
export function solvePrimal(c: ConePrimal, s: SparseRows, p: Complementarity, tolerance: number): Readonly<ComplementarityReport> {
  const { report } = p
  updateScale(p)
  c.num[SIZE] = p.size[0]
  velocityOfForces(s, p)
  let steps = 0
  for (let k = 0; k < c.islands.count; k++) steps += solveIsland(c, s, p, k, tolerance)
  velocityOfForces(s, p)
  measureSparse(s, p)
  report.iterations = steps
  report.status = report.residual <= tolerance ? 'solved' : 'approximate'
  return report
}

/** How many steps were made. */
function solveIsland(c: ConePrimal, s: SparseRows, p: Complementarity, k: number, tolerance: number): number {
  const { num, envelope } = c
  const { rowStart, rows } = c.islands
  updateMisses(c, s, p, k)
  measureIsland(c, s, p, k)
  if (num[RESIDUAL] <= tolerance) return 0
  let last = num[RESIDUAL]
  layIsland(c, k)
  // far from the solution a stiff row would be an obstacle for the others
  let stiff = Math.min(STIFF, Math.max(SOFT, NEAR / last))
  num[STIFFNESS] = stiff
  startForces(c, s, p, k)
  let factored = false
  // the first round may begin with radii of nothing
  let rounds = 0
  const patience = rowStart[k + 1] - rowStart[k] <= SMALL ? PATIENCE : 0
  for (let step = 1; step <= STEPS; step++) {
    const change = updateForces(c, p, k)
    const slipping = countSlipping(c, p, k)
    // where much of a large island slips radii and multipliers come to each other slowly: sweeps do that better
    if (step === 1 && slipping > 0 && (last <= ENOUGH || MANY * (slipping - patience) > rowStart[k + 1] - rowStart[k])) {
      for (let e = rowStart[k]; e < rowStart[k + 1]; e++) p.lambda[rows[e]] = c.hat[rows[e]]
      return 0
    }
    if (slipping > 0 && step > LONG * (1 + patience)) return step
    gradient(c, s, p, k)
    if (!factored || change) {
      assemble(c, s, p, k)
      if (!factorEnvelope(envelope)) return step
      factored = true
    }
    direction(c, k)
    const inner = Math.max(0.1 * tolerance, INNER * last) * num[SIZE]
    if (num[MOBILITY] * num[DECREMENT] <= inner * inner) {
      measureIsland(c, s, p, k)
      const now = num[RESIDUAL]
      if (now <= tolerance) return step
      if (slipping > 0 && (now <= ENOUGH || (rounds > patience && now > HALF * last))) return step
      // rows that say the same but for rounding leave something
      if (now <= ROUNDED && now > SLOW * last) return step
      carryOn(c, p, k)
      const limit = slipping > 0 ? FIRM : STIFFEST
      if (now > SLOW * last && stiff < limit) {
        const more = Math.min(STIFFER, limit / stiff)
        stiff *= more
        for (let e = rowStart[k]; e < rowStart[k + 1]; e++) c.rho[rows[e]] *= more
        factored = false
      }
      last = now
      rounds++
      continue
    }
    search(c, s, p, k)
    const share = num[SHARE]
    const { blockStart, order } = c.islands
    for (let b = blockStart[k]; b < blockStart[k + 1]; b++) {
      for (let e = c.start[order[b]]; e < c.start[order[b] + 1]; e++) s.y[c.dof[e]] += share * c.d[c.dof[e]]
    }
    updateMisses(c, s, p, k)
  }
  return STEPS
}
