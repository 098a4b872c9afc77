/**
 * Solves a contact problem, island by island: rigid contact with Coulomb friction where blocks are rigid, their own compliance where they are soft.
 *
 * Rounds: each minimises the convex cost (`newton`); then rigid blocks carry their impulses on as multipliers, γ̂ ← γ, which takes the
 * compliance R out again (method of multipliers), and the normal rows are lowered by the lift μ |w_t| that the convex cone gives what
 * slides [DeSaxce]. Both are remembered from step to step, so that what rests, or slides as before, takes one round. Rounds end when
 * no row misses more than what counts as nothing:
 *   normal  min(γ_n mobility, w_n − lift) = 0        friction  γ_t = the nearest to γ_t − w_t/mobility in |γ_t| ≤ μ γ_n
 */
import type { InMemory } from '../../kernels/records.js'
import type { Int } from '../../math/values/columns.js'
import {
  createEqualities,
  type Equalities,
  eliminateEqualities,
  findEqualities,
  moveOntoEqualities,
  reserveEqualities,
} from './equalities.js'
import { factorMatrix, multiply, type PlacedMatrix, planFactor, reserveIsland, reserveProducts, type StepMatrix } from './forest-matrix.js'
import { findIslands } from './islands.js'
import { clearSlopes, minimize } from './newton.js'
import { type OutsideMatrix, useMatrix } from './outside.js'
import {
  CONE,
  type ConvexProblem,
  EQUALITY,
  FACTOR,
  MOST,
  MOST_MISSED,
  type PlacedProblem,
  ROUNDS,
  ROWS,
  rowRates,
  SPENT,
  STILL,
} from './problem.js'

export interface ConvexSolver {
  readonly problem: PlacedProblem
  readonly matrix: PlacedMatrix
  readonly outside: OutsideMatrix | undefined
  readonly equalities: Equalities & InMemory
  /** the largest miss of a rigid block in the last solve, m/s */
  miss: number
}

// rounds of an island: impacts of many bodies settle over the steps that follow
const MOST_ROUNDS = 8
// of the motion of an island: misses and velocities that are nothing
const SETTLED = 1e-6
const EXACT = 1e-9
// multipliers that change by more than this share of their last change want stiffer rows: masses lie far apart
const SLOW = 0.25
const STIFFER = 0.1
const STIFFEST = 1e-4
// the same beside equalities, which lose a digit of their impulses with each digit that others are stiffer
const STIFFEST_HELD = 1e-2
// of the last miss: no gain of a round, and how many of these are made
const VAIN = 0.9
const MOST_VAIN = 2
// place in `number`: share of the last lift that is mixed in; bounds of it: beyond them two rounds say too little
const MIX = 7
const MOST_MIXED = 20
const LEAST_MIXED = 0.9
// further places: what rows miss, how far multipliers are to go, how far lifts are
const MISS = 8
const CHANGE = 9
const SLIP = 10

/** `outside`: where the matrix is asked for there. */
export function createConvexSolver(problem: PlacedProblem, matrix: PlacedMatrix, outside?: OutsideMatrix): ConvexSolver {
  return { problem, matrix, outside, equalities: createEqualities(problem.arena), miss: 0 }
}

/** Reads all of the problem, x as the start. Writes x, γ, w, γ̂, lift; `first`: islands before this one are solved. False where a matrix is not positive definite, Newton's method did not get there, or not one factor is within the bound on the work. */
export function solveConvex(s: ConvexSolver, first = 0): boolean {
  const { problem: p, matrix, outside, equalities } = s
  const { arena } = p
  if (outside) useMatrix(outside)
  reserveProducts(matrix, p)
  if (p.equalities > 0) reserveEqualities(equalities, p)
  let from = arena.routines.solveIslands(p.at, matrix.at, equalities.at, first)
  while (from < p.islands) {
    reserveIsland(matrix, p, from)
    from = arena.routines.solveIslands(p.at, matrix.at, equalities.at, from)
  }
  s.miss = p.number[MOST_MISSED]
  return p.failed === 0
}

/** The islands, from one on: all of them, or up to the first that finds no room. @routine */
export function solveIslands(p: ConvexProblem, matrix: StepMatrix, equalities: Equalities, from: Int): Int {
  if (from === 0) {
    p.counts.fill(0, 0, p.counts.length)
    p.number[MOST_MISSED] = 0
    p.failed = 0
    findIslands(p)
  }
  for (let k = from; k < p.islands; k++) {
    if (p.idle[p.trees[p.treeStart[k]]] === 1) continue
    // what takes more work than there is gets no room either
    if (!planFactor(matrix, p, k) && p.number[FACTOR] <= p.work[MOST]) return k
    if (!solveIsland(p, matrix, equalities, k)) p.failed = 1
  }
  return p.islands
}

function solveIsland(p: ConvexProblem, matrix: StepMatrix, equalities: Equalities, k: Int): boolean {
  const { number, work } = p
  // so many that touch each other at once that not one direction can be found
  if (number[FACTOR] > work[MOST]) {
    work[SPENT] += number[FACTOR]
    return false
  }
  multiply(matrix, p, k)
  updateRates(p, k)
  findEqualities(p, equalities, k)
  if (equalities.count > 0 && !startOnEqualities(p, matrix, equalities, k)) return false
  const motion = speedOf(p, k)
  const nothing = Math.max(number[STILL], EXACT * motion)
  const settled = Math.max(number[STILL], SETTLED * motion)
  const enough = lightest(p, k) * nothing * nothing
  const stiffest = equalities.count > 0 ? STIFFEST_HELD : STIFFEST
  let last = 0
  let hardness = 1
  let lastMiss = Number.POSITIVE_INFINITY
  let vain = 0
  let again = false
  for (let round = 0; ; round++) {
    if (!minimize(p, matrix, equalities, k, enough, again)) return false
    p.counts[ROUNDS]++
    measureMiss(p, k)
    const miss = number[MISS]
    // stiffer rows that miss as much cannot be held by any impulse
    if (hardness < 1 && miss > VAIN * lastMiss) vain++
    lastMiss = miss
    if (miss <= settled || round === MOST_ROUNDS || vain === MOST_VAIN || work[SPENT] > work[MOST]) {
      number[MOST_MISSED] = Math.max(number[MOST_MISSED], miss)
      return true
    }
    measureChange(p, k)
    measureLifts(p, k, round)
    const change = number[CHANGE]
    again = true
    if (round > 0 && change > SLOW * last && change > number[SLIP] && hardness > stiffest) {
      hardness *= STIFFER
      stiffen(p, k)
      again = false
    }
    last = change
    carryOn(p, k)
  }
}

/** w ← J x + c + lift */
function updateRates(p: ConvexProblem, k: Int): void {
  const { order, blockStart, dim, w, c, lift, x } = p
  rowRates(p, w, x, k)
  for (let o = blockStart[k]; o < blockStart[k + 1]; o++) {
    const b = order[o]
    for (let r = ROWS * b; r < ROWS * b + dim[b]; r++) w[r] += c[r]
    w[ROWS * b] += lift[b]
  }
}

/** With no block pushing, H = A. */
function startOnEqualities(p: ConvexProblem, matrix: StepMatrix, equalities: Equalities, k: Int): boolean {
  clearSlopes(p, k)
  if (!factorMatrix(matrix, p, k)) return false
  eliminateEqualities(p, matrix, equalities, k)
  moveOntoEqualities(p, equalities, k)
  multiply(matrix, p, k)
  updateRates(p, k)
  return true
}

/** The root of the mean square of the speeds of its trees: what rests beside something fast is solved as if it were alone. */
function speedOf({ trees, treeStart, mass, motion }: ConvexProblem, k: Int): number {
  let all = 0
  let sum = 0
  for (let t = treeStart[k]; t < treeStart[k + 1]; t++) {
    all += mass[trees[t]]
    sum += mass[trees[t]] * motion[trees[t]]
  }
  return all > 0 ? Math.sqrt(sum / all) : 0
}

/** The mass of the lightest tree. */
function lightest({ trees, treeStart, mass }: ConvexProblem, k: Int): number {
  let least = Number.POSITIVE_INFINITY
  for (let t = treeStart[k]; t < treeStart[k + 1]; t++) least = Math.min(least, mass[trees[t]])
  return least
}

/** number[MISS] ← what rigid blocks miss of rigid contact with Coulomb friction, the largest, m/s. */
function measureMiss(p: ConvexProblem, k: Int): void {
  const { order, blockStart, kind, rigid, dim, w, gamma, mobility, mu, lift, lo, hi, number } = p
  let most = 0
  for (let i = blockStart[k]; i < blockStart[k + 1]; i++) {
    const b = order[i]
    if (rigid[b] === 0 || kind[b] === EQUALITY) continue
    const o = ROWS * b
    const d = mobility[b]
    if (kind[b] !== CONE) {
      const y = gamma[o] - w[o] / d
      const nearest = y < lo[b] ? lo[b] : y > hi[b] ? hi[b] : y
      most = Math.max(most, d * Math.abs(gamma[o] - nearest))
      continue
    }
    const normal = w[o] - lift[b]
    most = Math.max(most, gamma[o] * d < normal ? gamma[o] * d : Math.abs(normal))
    if (gamma[o] === 0) continue
    let square = 0
    for (let r = o + 1; r < o + dim[b]; r++) {
      const z = gamma[r] - w[r] / d
      square += z * z
    }
    const size = Math.sqrt(square)
    const share = size > mu[b] * gamma[o] ? (mu[b] * gamma[o]) / size : 1
    for (let r = o + 1; r < o + dim[b]; r++) most = Math.max(most, d * Math.abs(gamma[r] - share * (gamma[r] - w[r] / d)))
  }
  number[MISS] = most
}

/** number[CHANGE] ← how far multipliers are to go, in the units of velocity, the largest. */
function measureChange(p: ConvexProblem, k: Int): void {
  const { order, blockStart, kind, rigid, dim, Rn, Rt, gamma, hat, number } = p
  let most = 0
  for (let i = blockStart[k]; i < blockStart[k + 1]; i++) {
    const b = order[i]
    if (rigid[b] === 0 || kind[b] === EQUALITY) continue
    const o = ROWS * b
    most = Math.max(most, Rn[b] * Math.abs(gamma[o] - hat[o]))
    for (let r = o + 1; r < o + dim[b]; r++) most = Math.max(most, Rt[b] * Math.abs(gamma[r] - hat[r]))
  }
  number[CHANGE] = most
}

/** Rigid rows give way less. */
function stiffen({ order, blockStart, kind, rigid, Rn, Rt }: ConvexProblem, k: Int): void {
  for (let i = blockStart[k]; i < blockStart[k + 1]; i++) {
    const b = order[i]
    if (rigid[b] === 0 || kind[b] === EQUALITY) continue
    Rn[b] *= STIFFER
    Rt[b] *= STIFFER
  }
}

/**
 * `slip` ← the lift μ |w_t| that each block has now, and `number` the share of its last value to mix in: of all lifts at once, the point
 * where a straight line through two rounds says that nothing changes [Anderson]. number[SLIP] ← the largest change of a lift.
 */
function measureLifts(p: ConvexProblem, k: Int, round: Int): void {
  const { order, blockStart, kind, rigid, dim, mu, w, lift, slip, slipBefore, changeBefore, number } = p
  let up = 0
  let down = 0
  let most = 0
  for (let i = blockStart[k]; i < blockStart[k + 1]; i++) {
    const b = order[i]
    if (rigid[b] === 0 || kind[b] !== CONE) continue
    let square = 0
    for (let r = ROWS * b + 1; r < ROWS * b + dim[b]; r++) square += w[r] * w[r]
    slipBefore[b] = slip[b]
    slip[b] = mu[b] * Math.sqrt(square)
    const change = slip[b] - lift[b]
    if (round > 0) {
      const turn = change - changeBefore[b]
      up += change * turn
      down += turn * turn
    }
    changeBefore[b] = change
    most = Math.max(most, Math.abs(change))
  }
  const share = down > 0 ? up / down : 0
  number[MIX] = Math.max(-MOST_MIXED, Math.min(LEAST_MIXED, share))
  number[SLIP] = most
}

/** Multipliers and lifts of rigid blocks for the next round. */
function carryOn(p: ConvexProblem, k: Int): void {
  const { order, blockStart, kind, rigid, dim, w, lift, slip, slipBefore, gamma, hat, number } = p
  const mix = number[MIX]
  for (let i = blockStart[k]; i < blockStart[k + 1]; i++) {
    const b = order[i]
    if (rigid[b] === 0 || kind[b] === EQUALITY) continue
    const o = ROWS * b
    for (let r = o; r < o + dim[b]; r++) hat[r] = gamma[r]
    if (kind[b] !== CONE) continue
    const next = Math.max(0, slip[b] - mix * (slip[b] - slipBefore[b]))
    w[o] += next - lift[b]
    lift[b] = next
  }
}
