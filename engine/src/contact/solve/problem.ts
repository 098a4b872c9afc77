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
import { type InMemory, resize, takeRecord } from '../../kernels/records.js'
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import { type ContactArena, createContactArena } from '../arena.js'

export const CONE = 0
export const INTERVAL = 1
export const EQUALITY = 2

/** places in `work`: what was done, about a multiplication and an addition each, and what may be done: then an iteration ends with what it has */
export const SPENT = 0
export const MOST = 1
/** places in `number`: work of a factor of the island at hand; a speed that is nothing; the largest miss of a rigid block, both m/s; 1: the last factor is that of G */
export const FACTOR = 11
export const STILL = 12
export const MOST_MISSED = 13
export const CURRENT = 14
const PLACES = 15

/** most rows of a block: a contact that also resists spinning and rolling */
export const ROWS = 6

/** How the unknowns hang together: A is zero between trees. */
export interface Unknowns {
  readonly n: number
  /** unknowns of tree t: start[t] … start[t + 1] − 1 */
  readonly start: Int32Array
  readonly treeOf: Int32Array
}

/** @record */
export interface ConvexProblem {
  /** as of `Unknowns` */
  readonly n: Int
  readonly start: Int32Array
  readonly treeOf: Int32Array
  readonly b: Vec
  /** solution; what it holds on entry is the start */
  readonly x: Vec
  /** scratch of Newton's method: A x, direction, A times it, gradient */
  readonly Ax: Vec
  readonly p: Vec
  readonly Ap: Vec
  readonly g: Vec

  /** blocks in use */
  count: Int
  kind: Int32Array
  /** rows of the block */
  dim: Int32Array
  /** unknowns that its rows touch, ascending: column[first[b]] … column[first[b] + width[b] − 1]; rows J from entry[b] on, `width` numbers each */
  first: Int32Array
  width: Int32Array
  column: Int32Array
  entry: Int32Array
  J: Vec
  /** how far `column` and `J` are in use */
  columns: Int
  entries: Int
  /** most unknowns of a block, and how many are equalities */
  widest: Int
  equalities: Int
  /** coefficient of friction, the same for all friction rows, which are scaled to it */
  mu: Vec
  /** compliance of the normal or only row, and of the friction rows */
  Rn: Vec
  Rt: Vec
  lo: Vec
  hi: Vec
  /** 1: rigid, multipliers are carried until no compliance is left */
  rigid: Int32Array
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
  branch: Int32Array

  /** mass of each tree: the energy of a velocity that is nothing */
  readonly mass: Vec
  /** mean square of the speed of each tree, m²/s²: a small share of it is nothing too */
  readonly motion: Vec
  /** 1 for trees that rest: they have no blocks, and their unknowns are 0 */
  readonly idle: Int32Array
  /** island of each tree; trees of island k: trees[treeStart[k]] …; blocks of it: order[blockStart[k]] … */
  islands: Int
  /** 1: an island was not solved */
  failed: Int
  readonly islandOf: Int32Array
  readonly treeStart: Int32Array
  readonly trees: Int32Array
  readonly blockStart: Int32Array
  order: Int32Array
  /** scratch: a tree that each is joined to */
  readonly root: Int32Array
  /** scratch: numbers that functions hand to each other */
  readonly number: Vec
  /** work[SPENT] grows with every product and factor, over all solves */
  readonly work: Vec
  /** what the last solve took: `NEWTON` iterations, `FACTORS`, `ROUNDS`, points of `LINE` searches */
  readonly counts: Int32Array
}

/** places in `counts` */
export const NEWTON = 0
export const FACTORS = 1
export const ROUNDS = 2
export const LINE = 3

/** A problem in the memory of an arena. */
export type PlacedProblem = ConvexProblem & InMemory & { readonly arena: ContactArena }

/** numbers a block, of each array that has some for every block */
const EACH = {
  ...{ kind: 1, rigid: 1, branch: 1, dim: 1, first: 1, width: 1, entry: 1, order: 1 },
  ...{ mu: 1, Rn: 1, Rt: 1, lo: 1, hi: 1, mobility: 1, lift: 1, slip: 1, slipBefore: 1, changeBefore: 1 },
  ...{ c: ROWS, w: ROWS, wp: ROWS, hat: ROWS, gamma: ROWS, G: ROWS * ROWS },
}

const lengthsFor = (blocks: number): Record<string, number> =>
  Object.fromEntries(Object.entries(EACH).map(([name, each]) => [name, each * blocks]))

const BLOCKS = 32
const WIDTH = 16

/** `mass` of each tree. */
export function createConvexProblem({ n, start, treeOf }: Unknowns, mass: Vec, arena: ContactArena = createContactArena()): PlacedProblem {
  const trees = start.length - 1
  const lengths = {
    ...lengthsFor(BLOCKS),
    ...{ start: trees + 1, treeOf: n, b: n, x: n, Ax: n, p: n, Ap: n, g: n },
    ...{ column: BLOCKS * WIDTH, J: 3 * BLOCKS * WIDTH },
    ...{
      mass: trees,
      motion: trees,
      idle: trees,
      root: trees,
      islandOf: trees,
      treeStart: trees + 1,
      trees,
      blockStart: trees + 2,
      number: PLACES,
      work: 2,
      counts: 4,
    },
  }
  const p = takeRecord<{ -readonly [K in keyof ConvexProblem]: ConvexProblem[K] }>(arena, 'ConvexProblem', lengths)
  p.n = n
  p.start.set(start)
  p.treeOf.set(treeOf)
  p.mass.set(mass)
  p.work[MOST] = Number.POSITIVE_INFINITY
  return Object.assign(p, { arena })
}

/** Room for so many blocks; keeps what there is. Allocates where there is less, which is where more touches than ever before. */
export function reserveBlocks(p: PlacedProblem, blocks: number): void {
  if (blocks > p.kind.length) resize(p, lengthsFor(2 * blocks))
}

/** The same for entries of rows. */
export function reserveEntries(p: PlacedProblem, columns: number, entries: number): void {
  if (columns > p.column.length) resize(p, { column: 2 * columns })
  if (entries > p.J.length) resize(p, { J: 2 * entries })
}

/** Forgets all blocks. */
export function clearBlocks(p: ConvexProblem): void {
  p.count = 0
  p.columns = 0
  p.entries = 0
  p.widest = 0
  p.equalities = 0
}

/** Opens a block whose rows touch `width` unknowns: the caller writes `column`, J and what the block asks for. Its number. */
export function addBlock(p: PlacedProblem, kind: number, dim: number, width: number): number {
  reserveBlocks(p, p.count + 1)
  reserveEntries(p, p.columns + width, p.entries + dim * width)
  return openBlock(p, kind, dim, width)
}

/** Whether there is room for so many blocks more, and for the entries of their rows. */
export const hasRoom = (p: ConvexProblem, blocks: Int, columns: Int, entries: Int): boolean =>
  p.count + blocks <= p.kind.length && p.columns + columns <= p.column.length && p.entries + entries <= p.J.length

/** As `addBlock`, where there is room. */
export function openBlock(p: ConvexProblem, kind: Int, dim: Int, width: Int): Int {
  const b = p.count++
  p.kind[b] = kind
  p.dim[b] = dim
  p.first[b] = p.columns
  p.width[b] = width
  p.entry[b] = p.entries
  p.columns += width
  p.entries += dim * width
  if (width > p.widest) p.widest = width
  if (kind === EQUALITY) p.equalities++
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

/** Forgets the last block. */
export function dropBlock(p: ConvexProblem): void {
  const b = p.count - 1
  p.count = b
  p.columns = p.first[b]
  p.entries = p.entry[b]
}

/** out[ROWS b …] ← J x of the blocks of island k. */
export function rowRates(p: ConvexProblem, out: Vec, x: Vec, k: Int): void {
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
export function gradient(p: ConvexProblem, k: Int): void {
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
