/**
 * Equalities that are rows of the elimination (`loops`), not of G: closes them, and prepares and answers the unilateral rows, on bodies that
 * move only as the loops let them. The same as `condense` does with D, without D.
 */
import type { ReducedRows } from '../../../constraints/rows/reduce.js'
import { updateRows } from '../../../constraints/rows/rows.js'
import { resetRows } from '../../../contact/solve/lcp.js'
import type { Vec } from '../../../math/types.js'
import type { Linear } from '../matrix/auto.js'
import { dropLockedRow, takeBounds } from './condense.js'
import { addRowDot, type ConstraintWork, STEP } from './constraint-work.js'
import { type Equalities, measureLikeness } from './equalities.js'
import type { Loops } from './loops.js'

export interface EliminatedLoops {
  readonly loops: Loops
  /** whether the last solve was made so, and its factor is there for the projection */
  isSolved: boolean
  /** how fast gaps close in place of the projection, 1/s; negative: not */
  readonly rate: Vec
  /** rates asked of the rows, and those of a velocity; scratch: nv */
  readonly c: Vec
  readonly now: Vec
  readonly b: Vec
  /** velocity before a solve, from where the way over D begins */
  readonly x: Vec
  /** diagonal of D of the unilateral rows, without the loops */
  diagonal: Vec
  /** columns and rows of `of` behind the equalities, as views */
  of: ConstraintWork | undefined
  columns: readonly Vec[]
  rows: readonly Vec[]
  /** how often the step at hand had to go over D after all */
  retries: number
}

// retries that a step may make whatever they cost; then as many products as 50 with 400 rows take, some seconds: without an end, minutes
const FREE_RETRIES = 20
const PRODUCTS = 5e9

/** Reads the kinematics and terms of the model's start. `rate` as of `createConstraints`. */
export function createEliminatedLoops(linear: Linear, eq: Equalities, rate: number): EliminatedLoops | undefined {
  const loops = eq.rows.count > 0 ? linear.loops(eq.rows) : undefined
  if (!loops) return undefined
  updateRows(eq.rows, eq.m, eq.d, eq.m.q0, new Float64Array(1))
  loops.planAhead()
  const { nv } = eq.m
  const n = eq.rows.count
  return {
    loops,
    isSolved: false,
    rate: Float64Array.of(rate),
    c: new Float64Array(n),
    now: new Float64Array(n),
    b: new Float64Array(nv),
    x: new Float64Array(nv),
    diagonal: new Float64Array(0),
    of: undefined,
    columns: [],
    rows: [],
    retries: 0,
  }
}

/** A step starts, and with it the count of retries. */
export function startCount(e: Pick<EliminatedLoops, 'retries'>): void {
  e.retries = 0
}

/** Whether the step at hand has gone over D for too long: every further part of it would do so as well. */
export function isGivenUp({ retries }: Pick<EliminatedLoops, 'retries'>, { m, rows: { count: n } }: Equalities): boolean {
  return retries > FREE_RETRIES && retries * n * n * (m.nv + 0.5 * n) > PRODUCTS
}

/** What to tell then, with the constraints that pull hardest. Allocates. */
export function explainGivenUp({ m, rows }: Equalities, lambda: Vec): string {
  const order = Array.from({ length: rows.count }, (_, r) => r).sort((a, b) => Math.abs(lambda[b]) - Math.abs(lambda[a]))
  const names = [...new Set(order.map((r) => `'${m.constraints.names[rows.source[r]]}'`))].slice(0, 2)
  return `the mechanism is at a pose where some of the ${rows.count} rows of its loops all but vanish, and a step from there would take minutes; constraints ${names.join(' and ')} pull hardest; keep the loops away from this pose with limits or springs, damp the joints, or simulate fewer loops`
}

/** Whether the rows had better be in the elimination, with so many unilateral ones besides. Rates that are held are rows of G only. */
export function isEliminationBetter({ loops }: EliminatedLoops, linear: Linear, eq: Equalities, unilateral: number): boolean {
  if (eq.count !== eq.rows.count) return false
  for (let r = 0; r < eq.count; r++) if (eq.skip[r] === 1) return false
  return loops.pays(unilateral, unilateral === 0 ? linear.plan() : undefined)
}

/** The solver's own factorisation, if it makes one, is to hold the rows: where they are `alone` in the elimination. */
export function attachLoops({ loops }: EliminatedLoops, linear: Linear, eq: Equalities, alone: boolean): void {
  measureLikeness(eq)
  linear.attach(alone && linear.plan() ? loops : undefined, eq.alike)
}

/** G ← as many empty rows as there are equalities: the numbers of the others stay. */
export function leaveRows(G: ReducedRows, n: number): void {
  for (let r = 0; r <= n; r++) G.start[r] = 0
  G.count = n
}

/**
 * x ← with the equalities closed, or where v is given its correction; λ of the equalities in work.p, of the others as before. False where the
 * elimination cannot tell rows apart.
 */
export function closeLoops(
  e: EliminatedLoops,
  eq: Equalities,
  { G, p, lambda }: ConstraintWork,
  linear: Linear,
  x: Vec,
  v: Vec | undefined,
  clock: Vec,
): boolean {
  const { loops, c, now, b, rate } = e
  const { rows, count: first } = eq
  const { target, g, byRate } = rows
  const n = G.count
  e.x.set(x)
  // an iteration starts from the forces of the last one
  for (let r = 0; r < n; r++) lambda[r] = p.lambda[r]
  resetRows(p, n)
  if (v !== undefined) for (let r = first; r < n; r++) p.lambda[r] = lambda[r]
  if (linear.closed) for (let r = 0; r < first; r++) p.lambda[r] = loops.forces[r]
  else if (!loops.prepare(eq.alike)) return false
  loops.rates(c, x)
  if (v !== undefined) loops.rates(now, v)
  for (let r = 0; r < rows.count; r++) {
    if (v === undefined) c[r] = target[r] - c[r] - (rate[0] > 0 ? rate[0] * g[r] : 0)
    else if (byRate[r] === 0) c[r] = -c[r] - g[r] / clock[STEP]
    else c[r] = target[r] - c[r] - now[r]
  }
  b.fill(0)
  return loops.solve(x, p.lambda, b, c)
}

/** Reads p and G of the work, with `first` equalities. Writes `free`, the unilateral rows alone. */
export function condenseLoops(e: EliminatedLoops, work: ConstraintWork, linear: Linear, first: number, nv: number): boolean {
  const { p, free, G, Y } = work
  const m = p.n - first
  if (e.of !== work) {
    e.of = work
    e.columns = work.columns.slice(first)
    e.rows = work.rows.slice(first)
    e.diagonal = new Float64Array(e.rows.length)
  }
  const { columns, rows, diagonal } = e
  for (let r = 0; r < m; r++) columns[r].fill(0)
  if (!linear.solveColumns(columns, rows, m)) return false
  for (let r = 0; r < m; r++) {
    diagonal[r] = 0
    addRowDot(diagonal, r, G, first + r, nv, Y, (first + r) * nv)
  }
  if (!e.loops.solveColumns(columns, rows, m)) return false
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
  for (let r = 0; r < m; r++) dropLockedRow(free, r, diagonal, r)
  return true
}

/** Brings the forces of `free` back to p, and lets bodies and equalities feel them. */
export function pushLoops(e: EliminatedLoops, { p, free, G }: ConstraintWork, x: Vec, first: number, nv: number): boolean {
  const { loops, b, c } = e
  b.fill(0)
  c.fill(0)
  for (let r = first; r < p.n; r++) {
    const lambda = free.lambda[r - first]
    p.lambda[r] = lambda
    if (lambda !== 0) for (let k = G.start[r]; k < G.start[r + 1]; k++) b[G.dof[k]] += lambda * G.G[r * nv + G.dof[k]]
  }
  return loops.solve(x, p.lambda, b, c)
}

/** x and λ ← as they were before `closeLoops`: the step has to go over D. */
export function takeBack(e: EliminatedLoops, { G, p, lambda }: ConstraintWork, x: Vec): void {
  e.retries++
  x.set(e.x)
  for (let r = 0; r < G.count; r++) p.lambda[r] = lambda[r]
}
