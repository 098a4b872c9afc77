/**
 * Newton's method with an exact line search on one island of a contact problem: strictly convex, so that it gets to the minimum from anywhere.
 *
 *   H p = −g,   H = A + Jᵀ G J,   x ← x + α p with dℓ/dα = 0
 * The cost along a line needs J x and J p only. H of the last iteration tells first whether it pays to go on: −gᵀ p is twice the energy that is
 * left. Equalities are held by `equalities`.
 */
import type { Int } from '../../math/values/columns.js'
import { CURVATURE, costAlong, LINEAR, QUADRATIC, SLOPE } from './cones.js'
import { type Equalities, eliminateEqualities, holdDirection } from './equalities.js'
import { type ConvexProblem, FACTORS, LINE, MOST, NEWTON, type PlacedProblem, ROWS, rowRates, SPENT, type StepMatrix } from './problem.js'

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
 * Until the energy that is left is enough[0], or rounding, or the work is spent. Reads Ax, w at x. `again`: the last call was for the same island, and its factor is good as
 * long as no branch changes. False: it did not get there.
 */
export function minimize(
  p: PlacedProblem,
  matrix: StepMatrix,
  equalities: Equalities,
  k: number,
  enough: Float64Array,
  again: boolean,
): boolean {
  const { routines } = p.arena
  const { number, counts, work } = p
  let factored = again
  if (!again) routines.forgetBranches(p.at, k)
  number[SHARE] = 0
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const changed = routines.project(p.at, k) !== 0
    // a whole step within the same branches ends where the gradient is zero, but for rounding
    if (!changed && number[SHARE] === 1) return true
    routines.gradient(p.at, k)
    if (factored) {
      findDirection(p, matrix, equalities, k)
      if (number[LEFT] <= enough[0] + number[NOISE]) return true
    }
    if (changed || !factored) {
      if (!matrix.factor(p, k)) return false
      counts[FACTORS]++
      factored = true
      eliminateEqualities(p, matrix, equalities, k)
      findDirection(p, matrix, equalities, k)
      if (number[LEFT] <= enough[0] + number[NOISE]) return true
    }
    counts[NEWTON]++
    matrix.multiplyDirection(p, k)
    routines.goAlong(p.at, k)
    if (work[SPENT] > work[MOST]) return endWithImpulses(p, matrix, equalities, k)
  }
  return number[LEFT] <= NEARLY * number[NOISE]
}

/** x ← A⁻¹ (b + Jᵀ γ) with the impulses of the last iterate: rows may miss what they are to hold, but momentum is what the impulses make of it. */
function endWithImpulses(p: PlacedProblem, matrix: StepMatrix, equalities: Equalities, k: number): boolean {
  const { routines } = p.arena
  routines.project(p.at, k)
  routines.gradient(p.at, k)
  routines.clearSlopes(p.at, k)
  if (!matrix.factor(p, k)) return false
  eliminateEqualities(p, matrix, equalities, k)
  findDirection(p, matrix, equalities, k)
  matrix.multiplyDirection(p, k)
  routines.goWholeWay(p.at, k)
  return true
}

/** p ← −H⁻¹ g, on the equalities; number[LEFT] ← −gᵀ p. */
function findDirection(p: PlacedProblem, matrix: StepMatrix, equalities: Equalities, k: number): void {
  const { routines } = p.arena
  routines.startDirection(p.at, k)
  matrix.solve(p, p.p, k)
  routines.measureNoise(p.at, k)
  if (equalities.count > 0) holdDirection(p, equalities, k)
  routines.measureLeft(p.at, k)
}

/** p ← −g @routine */
export function startDirection({ p, g, start, trees, treeStart }: ConvexProblem, k: Int): void {
  for (let t = treeStart[k]; t < treeStart[k + 1]; t++) for (let i = start[trees[t]]; i < start[trees[t] + 1]; i++) p[i] = -g[i]
}

/** number[LEFT] ← −gᵀ p @routine */
export function measureLeft({ p, g, start, trees, treeStart, number }: ConvexProblem, k: Int): void {
  let left = 0
  for (let t = treeStart[k]; t < treeStart[k + 1]; t++) for (let i = start[trees[t]]; i < start[trees[t] + 1]; i++) left -= g[i] * p[i]
  number[LEFT] = left
}

/** number[NOISE] ← what of −gᵀ p is rounding: of g, where A x, b and impulses cancel, and of p, of which equalities take most away. @routine */
export function measureNoise({ p, g, x, Ax, b, start, trees, treeStart, number }: ConvexProblem, k: Int): void {
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

/** x, Ax, w ← those where the cost along p is least. Reads Ap. @routine */
export function goAlong(s: ConvexProblem, k: Int): void {
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

/** The same with the whole of the direction, whatever it costs. @routine */
export function goWholeWay(s: ConvexProblem, k: Int): void {
  rowRates(s, s.wp, s.p, k)
  s.number[SHARE] = 1
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

/** Branches and G are not known. @routine */
export function forgetBranches({ order, blockStart, branch }: ConvexProblem, k: Int): void {
  for (let o = blockStart[k]; o < blockStart[k + 1]; o++) branch[order[o]] = -1
}

/** No block adds to H. @routine */
export function clearSlopes({ order, blockStart, G }: ConvexProblem, k: Int): void {
  for (let o = blockStart[k]; o < blockStart[k + 1]; o++) G[ROWS * ROWS * order[o]] = 0
}
