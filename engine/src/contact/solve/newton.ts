/**
 * Newton's method with an exact line search on one island of a contact problem: strictly convex, so that it gets to the minimum from anywhere.
 *
 *   H p = −g,   H = A + Jᵀ G J,   x ← x + α p with dℓ/dα = 0
 * The cost along a line needs J x and J p only. H of the last iteration tells first whether it pays to go on: −gᵀ p is twice the energy that is
 * left. Equalities are held by `equalities`.
 */
import type { Int } from '../../math/values/columns.js'
import { CURVATURE, costAlong, LINEAR, project, QUADRATIC, SLOPE } from './cones.js'
import { type Equalities, eliminateEqualities, holdDirection } from './equalities.js'
import { factorMatrix, multiplyDirection, type StepMatrix, solveDirection } from './forest-matrix.js'
import { type ConvexProblem, CURRENT, FACTORS, gradient, LINE, MOST, NEWTON, ROWS, rowRates, SPENT } from './problem.js'

const ITERATIONS = 50
const LINE_STEPS = 40
// of what is rounding for sure, where Newton's method comes no nearer: rows a hundred million times stiffer than others cost eight digits
const NEARLY = 1e8
// of the slope at the start of a line, what may be left at its end: more would bend the next direction
const FLAT = 1e-2
// of what cancels in the gradient, and in its product with a direction: what is left after that is rounding
const ROUNDING = 1e-14
// places in `number`: energy that is left, share of the direction, what of the first is rounding
const LEFT = 4
const SHARE = 5
const NOISE = 6

/**
 * Until the energy that is left is `enough`, or rounding, or the work is spent. Reads Ax, w at x. `again`: the last call was for the same island, and its factor may serve.
 * False: it did not get there.
 */
export function minimize(p: ConvexProblem, matrix: StepMatrix, equalities: Equalities, k: Int, enough: number, again: boolean): boolean {
  const { number, counts, work } = p
  let factored = again
  if (!again) {
    forgetBranches(p, k)
    number[CURRENT] = 0
  }
  number[SHARE] = 0
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    if (project(p, k)) number[CURRENT] = 0
    // a whole step within the same branches ends where the gradient is zero, but for rounding
    else if (number[SHARE] === 1) return true
    gradient(p, k)
    // the last factor tells whether it is enough, be it current or not
    if (factored) {
      findDirection(p, matrix, equalities, k)
      if (number[LEFT] <= enough + number[NOISE]) return true
    }
    if (number[CURRENT] === 0) {
      if (!factorMatrix(matrix, p, k)) return false
      counts[FACTORS]++
      factored = true
      number[CURRENT] = 1
      eliminateEqualities(p, matrix, equalities, k)
      findDirection(p, matrix, equalities, k)
      if (number[LEFT] <= enough + number[NOISE]) return true
    }
    counts[NEWTON]++
    multiplyDirection(matrix, p, k)
    goAlong(p, k)
    if (work[SPENT] > work[MOST]) return endWithImpulses(p, matrix, equalities, k)
  }
  return number[LEFT] <= NEARLY * number[NOISE]
}

/** x ← A⁻¹ (b + Jᵀ γ) with the impulses of the last iterate: rows may miss what they are to hold, but momentum is what the impulses make of it. */
function endWithImpulses(p: ConvexProblem, matrix: StepMatrix, equalities: Equalities, k: Int): boolean {
  project(p, k)
  gradient(p, k)
  clearSlopes(p, k)
  if (!factorMatrix(matrix, p, k)) return false
  eliminateEqualities(p, matrix, equalities, k)
  findDirection(p, matrix, equalities, k)
  multiplyDirection(matrix, p, k)
  rowRates(p, p.wp, p.p, k)
  p.number[SHARE] = 1
  advance(p, k)
  return true
}

/** p ← −H⁻¹ g, on the equalities; number[LEFT] ← −gᵀ p. */
function findDirection(s: ConvexProblem, matrix: StepMatrix, equalities: Equalities, k: Int): void {
  const { p, g, start, trees, treeStart, number } = s
  for (let t = treeStart[k]; t < treeStart[k + 1]; t++) for (let i = start[trees[t]]; i < start[trees[t] + 1]; i++) p[i] = -g[i]
  solveDirection(matrix, s, k)
  measureNoise(s, k)
  if (equalities.count > 0) holdDirection(s, equalities, k)
  let left = 0
  for (let t = treeStart[k]; t < treeStart[k + 1]; t++) for (let i = start[trees[t]]; i < start[trees[t] + 1]; i++) left -= g[i] * p[i]
  number[LEFT] = left
}

/** number[NOISE] ← what of −gᵀ p is rounding: of g, where A x, b and impulses cancel, and of p, of which equalities take most away. */
function measureNoise({ p, g, x, Ax, b, start, trees, treeStart, number }: ConvexProblem, k: Int): void {
  let terms = 0
  let size = 0
  for (let t = treeStart[k]; t < treeStart[k + 1]; t++) {
    for (let i = start[trees[t]]; i < start[trees[t] + 1]; i++) {
      terms += Math.abs(g[i] * p[i])
      size += Math.abs(x[i]) * (Math.abs(Ax[i]) + Math.abs(b[i]))
    }
  }
  number[NOISE] = ROUNDING * (terms + ROUNDING * size)
}

/** x, Ax, w ← those where the cost along p is least. Reads Ap. */
function goAlong(s: ConvexProblem, k: Int): void {
  const { Ax, p, Ap, b: rhs, wp, start, trees, treeStart, number, counts } = s
  rowRates(s, wp, p, k)
  let linear = 0
  let quadratic = 0
  for (let t = treeStart[k]; t < treeStart[k + 1]; t++) {
    for (let i = start[trees[t]]; i < start[trees[t] + 1]; i++) {
      linear += p[i] * (Ax[i] - rhs[i])
      quadratic += p[i] * Ap[i]
    }
  }
  number[LINEAR] = linear
  number[QUADRATIC] = quadratic
  number[SHARE] = 1
  const flat = FLAT * number[LEFT]
  let low = 0
  let high = Number.POSITIVE_INFINITY
  for (let step = 0; step < LINE_STEPS; step++) {
    costAlong(s, k, SHARE)
    counts[LINE]++
    if (Math.abs(number[SLOPE]) <= flat) break
    const a = number[SHARE]
    if (number[SLOPE] > 0) high = a
    else low = a
    let next = a - number[SLOPE] / number[CURVATURE]
    if (!(next > low && next < high)) next = high < Number.POSITIVE_INFINITY ? 0.5 * (low + high) : 2 * a
    if (next === a) break
    number[SHARE] = next
  }
  advance(s, k)
}

/** x, Ax, w ← those at the share of the direction that was found. */
function advance({ x, Ax, p, Ap, w, wp, start, trees, treeStart, order, blockStart, dim, number }: ConvexProblem, k: Int): void {
  const a = number[SHARE]
  for (let t = treeStart[k]; t < treeStart[k + 1]; t++) {
    for (let i = start[trees[t]]; i < start[trees[t] + 1]; i++) {
      x[i] += a * p[i]
      Ax[i] += a * Ap[i]
    }
  }
  for (let o = blockStart[k]; o < blockStart[k + 1]; o++) {
    const r = ROWS * order[o]
    for (let e = r; e < r + dim[order[o]]; e++) w[e] += a * wp[e]
  }
}

/** Branches and G are not known. */
function forgetBranches({ order, blockStart, branch }: ConvexProblem, k: Int): void {
  for (let o = blockStart[k]; o < blockStart[k + 1]; o++) branch[order[o]] = -1
}

/** No block adds to H. */
export function clearSlopes({ order, blockStart, G }: ConvexProblem, k: Int): void {
  for (let o = blockStart[k]; o < blockStart[k + 1]; o++) G[ROWS * ROWS * order[o]] = 0
}
