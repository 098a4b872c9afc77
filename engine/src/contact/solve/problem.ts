/**
 * One convex contact problem, as flat arrays: a matrix, a right-hand side and blocks of rows. It knows no tree, no shapes and no solver.
 *
 *   min over x   ½ xᵀ A x − bᵀ x + Σ γᵀ R (y − γ/2),    γ = P(y),   y = γ̂ − R⁻¹ w,   w = J x + c
 *
 * A is the matrix of a step, symmetric and positive definite; x are velocities, or corrections of them; w are the rates of a block's rows, c what
 * they are without x, gaps over the step included; γ are impulses. P projects on what the block may do:
 *   CONE      one normal row and `dim` − 1 friction rows, |γ_t| ≤ μ γ_n (`cones`)
 *   INTERVAL  one row, lo ≤ γ ≤ hi: a limit or a contact without friction (0, ∞), dry friction (−h f, h f), a spring or a soft loop (−∞, ∞)
 *   EQUALITY  one row, w = 0 exactly (`equalities`)
 * R is the compliance of the rows: the given one of soft blocks, a small share of their mobility for rigid ones, from which carried multipliers γ̂
 * then remove it again (`solve`). [Castro], [Todorov].
 */
import type { Vec } from '../../math/types.js'

export const CONE = 0
export const INTERVAL = 1
export const EQUALITY = 2

/** places in `work`: what was done, about a multiplication and an addition each, and what may be done: then an iteration ends with what it has */
export const SPENT = 0
export const MOST = 1
/** place in `number`: work of a factor of the island at hand */
export const FACTOR = 11

/** most rows of a block: a contact that also resists spinning and rolling */
export const ROWS = 6

/** How the unknowns hang together: A is zero between trees. */
export interface Unknowns {
  readonly n: number
  /** unknowns of tree t: start[t] … start[t + 1] − 1 */
  readonly start: Int32Array
  readonly treeOf: Int32Array
}

/** The matrix of an island, with what the blocks add to it. */
export interface StepMatrix {
  /** out ← A x on the unknowns of island k */
  product(p: ConvexProblem, out: Vec, x: Vec, k: number): void
  /** Looks at what the blocks of island k join, and number[FACTOR] ← the work of a factor; to be called once before its factors. */
  plan(p: ConvexProblem, k: number): void
  /** Factors H = A + Jᵀ G J of island k. False where it is not positive definite. */
  factor(p: ConvexProblem, k: number): boolean
  /** x ← H⁻¹ x on the unknowns of island k, with the factor made last */
  solve(p: ConvexProblem, x: Vec, k: number): void
}

export interface ConvexProblem extends Unknowns {
  readonly b: Vec
  /** solution; what it holds on entry is the start */
  readonly x: Vec
  /** scratch of Newton's method: A x, direction, A times it, gradient */
  readonly Ax: Vec
  readonly p: Vec
  readonly Ap: Vec
  readonly g: Vec

  /** blocks in use */
  count: number
  kind: Uint8Array
  /** rows of the block */
  dim: Int32Array
  /** unknowns that its rows touch, ascending: column[first[b]] … column[first[b] + width[b] − 1]; rows J from entry[b] on, `width` numbers each */
  first: Int32Array
  width: Int32Array
  column: Int32Array
  entry: Int32Array
  J: Vec
  /** how far `column` and `J` are in use */
  columns: number
  entries: number
  /** coefficient of friction, the same for all friction rows, which are scaled to it */
  mu: Vec
  /** compliance of the normal or only row, and of the friction rows */
  Rn: Vec
  Rt: Vec
  lo: Vec
  hi: Vec
  /** 1: rigid, multipliers are carried until no compliance is left */
  rigid: Uint8Array
  /** velocity that a unit impulse makes, an estimate: the scale of R, and of what counts as nothing */
  mobility: Vec
  /** rate by which a sliding normal row is to be lowered, μ |w_t|: without it what slides would rise */
  lift: Vec
  /** the same as measured after a round, after the one before, and how far it was off then */
  slip: Vec
  slipBefore: Vec
  changeBefore: Vec
  /** ROWS numbers a block: rates without x, rates, their change along a direction, multipliers, impulses */
  c: Vec
  w: Vec
  wp: Vec
  hat: Vec
  gamma: Vec
  /** −dγ/dw, ROWS × ROWS a block */
  G: Vec
  /** branch of the projection */
  branch: Int8Array

  /** island of each tree; trees of island k: trees[treeStart[k]] …; blocks of it: order[blockStart[k]] … */
  islands: number
  readonly islandOf: Int32Array
  readonly treeStart: Int32Array
  readonly trees: Int32Array
  readonly blockStart: Int32Array
  order: Int32Array
  /** scratch: numbers that functions hand to each other without boxing them */
  readonly number: Vec
  /** work[SPENT] grows with every product and factor, over all solves */
  readonly work: Vec
  /** what the last solve took */
  readonly counts: { newton: number; factors: number; rounds: number; line: number }
}

export function createConvexProblem(
  { n, start, treeOf }: Unknowns,
  work: Vec = Float64Array.of(0, Number.POSITIVE_INFINITY),
): ConvexProblem {
  const trees = start.length - 1
  const vec = (): Vec => new Float64Array(n)
  const none = new Float64Array(0)
  const p: ConvexProblem = {
    ...{ n, start, treeOf, b: vec(), x: vec(), Ax: vec(), p: vec(), Ap: vec(), g: vec() },
    ...{ count: 0, columns: 0, entries: 0 },
    ...{ kind: new Uint8Array(0), rigid: new Uint8Array(0), branch: new Int8Array(0) },
    ...{ dim: new Int32Array(0), first: new Int32Array(0), width: new Int32Array(0), entry: new Int32Array(0), order: new Int32Array(0) },
    ...{ column: new Int32Array(0), J: none, mu: none, Rn: none, Rt: none, lo: none, hi: none, mobility: none, lift: none },
    ...{ slip: none, slipBefore: none, changeBefore: none },
    ...{ c: none, w: none, wp: none, hat: none, gamma: none, G: none },
    islands: 0,
    islandOf: new Int32Array(trees),
    treeStart: new Int32Array(trees + 1),
    trees: new Int32Array(trees),
    blockStart: new Int32Array(trees + 2),
    number: new Float64Array(12),
    work,
    counts: { newton: 0, factors: 0, rounds: 0, line: 0 },
  }
  reserveBlocks(p, 32)
  reserveEntries(p, 32 * 16, 3 * 32 * 16)
  return p
}

/** Room for so many blocks; keeps what there is. Allocates where there is less, which is where more touches than ever before. */
export function reserveBlocks(p: ConvexProblem, blocks: number): void {
  if (blocks > p.kind.length) growBlocks(p, 2 * blocks)
}

// a function of its own: the closures would allocate in each call, also where there is room
function growBlocks(p: ConvexProblem, n: number): void {
  const wide = (x: Vec, k: number): Vec => copied(new Float64Array(k * n), x)
  const ints = (x: Int32Array): Int32Array => copied(new Int32Array(n), x)
  p.kind = copied(new Uint8Array(n), p.kind)
  p.rigid = copied(new Uint8Array(n), p.rigid)
  p.branch = copied(new Int8Array(n), p.branch)
  p.dim = ints(p.dim)
  p.first = ints(p.first)
  p.width = ints(p.width)
  p.entry = ints(p.entry)
  p.order = ints(p.order)
  p.mu = wide(p.mu, 1)
  p.Rn = wide(p.Rn, 1)
  p.Rt = wide(p.Rt, 1)
  p.lo = wide(p.lo, 1)
  p.hi = wide(p.hi, 1)
  p.mobility = wide(p.mobility, 1)
  p.lift = wide(p.lift, 1)
  p.slip = wide(p.slip, 1)
  p.slipBefore = wide(p.slipBefore, 1)
  p.changeBefore = wide(p.changeBefore, 1)
  p.c = wide(p.c, ROWS)
  p.w = wide(p.w, ROWS)
  p.wp = wide(p.wp, ROWS)
  p.hat = wide(p.hat, ROWS)
  p.gamma = wide(p.gamma, ROWS)
  p.G = wide(p.G, ROWS * ROWS)
}

/** The same for entries of rows. */
export function reserveEntries(p: ConvexProblem, columns: number, entries: number): void {
  if (columns > p.column.length) p.column = copied(new Int32Array(2 * columns), p.column)
  if (entries > p.J.length) p.J = copied(new Float64Array(2 * entries), p.J)
}

function copied<T extends { set(x: T): void }>(to: T, from: T): T {
  to.set(from)
  return to
}

/** Forgets all blocks. */
export function clearBlocks(p: ConvexProblem): void {
  p.count = 0
  p.columns = 0
  p.entries = 0
}

/** Opens a block whose rows touch `width` unknowns: the caller writes `column`, J and what the block asks for. Its number. */
export function addBlock(p: ConvexProblem, kind: number, dim: number, width: number): number {
  const b = p.count++
  reserveBlocks(p, p.count)
  reserveEntries(p, p.columns + width, p.entries + dim * width)
  p.kind[b] = kind
  p.dim[b] = dim
  p.first[b] = p.columns
  p.width[b] = width
  p.entry[b] = p.entries
  p.columns += width
  p.entries += dim * width
  p.mu[b] = 0
  p.lo[b] = 0
  p.hi[b] = Number.POSITIVE_INFINITY
  p.rigid[b] = 1
  p.lift[b] = 0
  for (let r = ROWS * b; r < ROWS * b + ROWS; r++) {
    p.c[r] = 0
    p.hat[r] = 0
    p.gamma[r] = 0
  }
  return b
}

/** out[ROWS b …] ← J x of the blocks of island k. */
export function rowRates(p: ConvexProblem, out: Vec, x: Vec, k: number): void {
  const { order, blockStart, dim, first, width, entry, column, J, work } = p
  let products = 0
  for (let o = blockStart[k]; o < blockStart[k + 1]; o++) {
    const b = order[o]
    const at = first[b]
    const n = width[b]
    products += dim[b] * n
    for (let r = 0; r < dim[b]; r++) {
      const j = entry[b] + r * n
      let sum = 0
      for (let e = 0; e < n; e++) sum += J[j + e] * x[column[at + e]]
      out[ROWS * b + r] = sum
    }
  }
  work[SPENT] += products
}

/** g ← A x − b − Jᵀ γ on the unknowns of island k; those of equalities are left to `equalities`. */
export function gradient(p: ConvexProblem, k: number): void {
  const { g, Ax, b: rhs, start, trees, treeStart, order, blockStart, kind, dim, first, width, entry, column, J, gamma } = p
  for (let t = treeStart[k]; t < treeStart[k + 1]; t++) {
    for (let i = start[trees[t]]; i < start[trees[t] + 1]; i++) g[i] = Ax[i] - rhs[i]
  }
  for (let o = blockStart[k]; o < blockStart[k + 1]; o++) {
    const b = order[o]
    if (kind[b] === EQUALITY) continue
    const at = first[b]
    const n = width[b]
    for (let r = 0; r < dim[b]; r++) {
      const f = gamma[ROWS * b + r]
      if (f === 0) continue
      const j = entry[b] + r * n
      for (let e = 0; e < n; e++) g[column[at + e]] -= f * J[j + e]
    }
  }
}
