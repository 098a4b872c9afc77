/**
 * A step whose equalities are inside the elimination (`loops`): closes them, and prepares and answers the unilateral rows, on bodies that move
 * only as the loops let them. The same as `condense` does with D, without D.
 */
import type { ReducedRows } from '../../../constraints/rows/reduce.js'
import { type Complementarity, resetRows } from '../../../contact/solve/lcp.js'
import type { Vec } from '../../../math/types.js'
import type { Linear } from '../matrix/auto.js'
import { letGo, takeBounds } from './condense.js'
import { addRowDot, type ConstraintWork, STEP, TIME } from './constraint-work.js'
import { type Equalities, likeness } from './equalities.js'
import type { Loops } from './loops.js'
import { askRows, type Unilateral } from './unilateral.js'

export interface Inside {
  readonly loops: Loops
  /** the last solve went this way, and its factor is there for the projection */
  closed: boolean
  /** how fast gaps close in place of the projection, 1/s; negative: not */
  readonly rate: Vec
  /** rates asked of the rows, and those of a velocity; scratch: nv */
  readonly c: Vec
  readonly now: Vec
  readonly b: Vec
  /** the velocity before: another way may have to begin there */
  readonly x: Vec
  /** diagonal of D of the unilateral rows, without the loops */
  diagonal: Vec
  /** columns and rows of `of` behind the equalities, as views */
  of: ConstraintWork | undefined
  columns: readonly Vec[]
  rows: readonly Vec[]
  /** how often a step has gone over D instead, and the time at which it started */
  readonly ways: Vec
}

// as often a step may go over D at any price; then as many products as 50 times with 400 rows, some seconds
const WAYS = 20
const PRODUCTS = 5e9

/** `rate` as of `createConstrained`. */
export function createInside(linear: Linear, eq: Equalities, rate: number): Inside | undefined {
  const loops = eq.rows.count > 0 ? linear.loops(eq.rows) : undefined
  if (!loops) return undefined
  const { nv } = eq.m
  const n = eq.rows.count
  return {
    loops,
    closed: false,
    rate: Float64Array.of(rate),
    c: new Float64Array(n),
    now: new Float64Array(n),
    b: new Float64Array(nv),
    x: new Float64Array(nv),
    diagonal: new Float64Array(0),
    of: undefined,
    columns: [],
    rows: [],
    ways: Float64Array.of(0, Number.NaN),
  }
}

/** A step starts at the time of the clock: another one, or the same once more. */
export function restWays({ ways }: Pick<Inside, 'ways'>, clock: Vec): void {
  if (ways[1] !== clock[TIME]) ways[0] = 0
  ways[1] = clock[TIME]
}

/** Whether the step at hand has gone over D for too long: every further part of it would do so as well. */
export function isWeary({ ways }: Pick<Inside, 'ways'>, { m, rows: { count: n } }: Equalities): boolean {
  return ways[0] > WAYS && ways[0] * n * n * (m.nv + 0.5 * n) > PRODUCTS
}

/** What to tell then, with the constraints that pull hardest. Allocates. */
export function wearyOf({ m, rows }: Equalities, lambda: Vec): string {
  const order = Array.from({ length: rows.count }, (_, r) => r).sort((a, b) => Math.abs(lambda[b]) - Math.abs(lambda[a]))
  const names = [...new Set(order.map((r) => `'${m.constraints.names[rows.source[r]]}'`))].slice(0, 2)
  return `the mechanism is at a pose where some of the ${rows.count} rows of its loops all but vanish, and a step from there would take minutes; constraints ${names.join(' and ')} pull hardest; keep the loops away from this pose with limits or springs, damp the joints, or simulate fewer loops`
}

/** Whether the rows go inside, with so many unilateral ones besides; then into the solver's own factorisation if it makes one for them alone. */
export function goesInside({ loops }: Inside, linear: Linear, eq: Equalities, unilateral: number): boolean {
  let goes = eq.count === eq.rows.count
  for (let r = 0; r < eq.rows.count && goes; r++) goes = eq.skip[r] === 0
  const plan = goes && unilateral === 0 ? linear.plan() : undefined
  goes &&= loops.pays(unilateral, plan)
  likeness(eq)
  linear.attach(goes && plan ? loops : undefined, eq.alike)
  return goes
}

/** G ← as many empty rows as there are equalities: the numbers of the others stay. */
export function leaveRows(G: ReducedRows, n: number): void {
  for (let r = 0; r <= n; r++) G.start[r] = 0
  G.count = n
}

/** outcomes: equalities and unilateral rows hold; limits or contacts cannot; the way over D has to be taken, and x is as it was */
export const DONE = 0
export const STUCK = 1
export const OVER_D = 2

/**
 * x ← the constrained velocity, or where v is given its correction; λ in work.p. `hold` finds the forces of the unilateral rows on their own;
 * gaps close within the time spans[o].
 */
export function solveInside(
  i: Inside,
  eq: Equalities,
  u: Unilateral,
  work: ConstraintWork,
  linear: Linear,
  x: Vec,
  v: Vec | undefined,
  clock: Vec,
  spans: Vec,
  o: number,
  hold: (rows: Complementarity, clock: Vec, floors: boolean) => boolean,
): number {
  const { G, p, lambda } = work
  const { nv } = eq.m
  const n = G.count
  const first = eq.count
  i.x.set(x)
  // an iteration starts from the forces of the last one
  for (let r = 0; r < n; r++) lambda[r] = p.lambda[r]
  resetRows(p, n)
  if (v !== undefined) for (let r = first; r < n; r++) p.lambda[r] = lambda[r]
  if (linear.closed) for (let r = 0; r < first; r++) p.lambda[r] = i.loops.forces[r]
  i.closed = (linear.closed || i.loops.prepare(eq.alike)) && close(i, eq, p.lambda, x, v, clock)
  if (i.closed && n > first) {
    for (let r = first; r < n; r++) addRowDot(p.r, r, G, r, nv, x, 0)
    askRows(u, p, first, G.G, v, clock, spans, o)
    i.closed = condense(i, work, linear, first, nv)
    if (i.closed && !hold(work.free, clock, v !== undefined)) return STUCK
    i.closed &&= push(i, work, x, first, nv)
  }
  if (i.closed) return DONE
  i.ways[0]++
  x.set(i.x)
  for (let r = 0; r < n; r++) p.lambda[r] = lambda[r]
  return OVER_D
}

/** x ← with the equalities closed; λ ← their forces. */
function close(i: Inside, eq: Equalities, lambda: Vec, x: Vec, v: Vec | undefined, clock: Vec): boolean {
  const { loops, c, now, b, rate } = i
  const { rows } = eq
  const { target, g, byRate } = rows
  loops.rates(c, x)
  if (v !== undefined) loops.rates(now, v)
  for (let r = 0; r < rows.count; r++) {
    if (v === undefined) c[r] = target[r] - c[r] - (rate[0] > 0 ? rate[0] * g[r] : 0)
    else if (byRate[r] === 0) c[r] = -c[r] - g[r] / clock[STEP]
    else c[r] = target[r] - c[r] - now[r]
  }
  b.fill(0)
  return loops.solve(x, lambda, b, c)
}

/** Reads p and G of the work, with `first` equalities. Writes `free`, the unilateral rows alone. */
function condense(i: Inside, work: ConstraintWork, linear: Linear, first: number, nv: number): boolean {
  const { p, free, G, Y } = work
  const m = p.n - first
  if (i.of !== work) {
    i.of = work
    i.columns = work.columns.slice(first)
    i.rows = work.rows.slice(first)
    i.diagonal = new Float64Array(i.rows.length)
  }
  const { columns, rows, diagonal } = i
  for (let r = 0; r < m; r++) columns[r].fill(0)
  if (!linear.solveColumns(columns, rows, m)) return false
  for (let r = 0; r < m; r++) {
    diagonal[r] = 0
    addRowDot(diagonal, r, G, first + r, nv, Y, (first + r) * nv)
  }
  if (!i.loops.solveColumns(columns, rows, m)) return false
  resetRows(free, m)
  for (let r = 0; r < m; r++) {
    for (let s = 0; s <= r; s++) {
      free.D[r * m + s] = 0
      addRowDot(free.D, r * m + s, G, first + r, nv, Y, (first + s) * nv)
      free.D[s * m + r] = free.D[r * m + s]
    }
    free.r[r] = p.r[first + r]
    takeBounds(free, r, p, first)
  }
  for (let r = 0; r < m; r++) letGo(free, r, diagonal, r)
  return true
}

/** Brings the forces of `free` back to p, and lets bodies and equalities feel them. */
function push(i: Inside, { p, free, G }: ConstraintWork, x: Vec, first: number, nv: number): boolean {
  const { loops, b, c } = i
  b.fill(0)
  c.fill(0)
  for (let r = first; r < p.n; r++) {
    const lambda = free.lambda[r - first]
    p.lambda[r] = lambda
    if (lambda !== 0) for (let e = G.start[r]; e < G.start[r + 1]; e++) b[G.dof[e]] += lambda * G.G[r * nv + G.dof[e]]
  }
  return loops.solve(x, p.lambda, b, c)
}
