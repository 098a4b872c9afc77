/**
 * Equalities that are rows of the elimination (`loops`), not of G: closes them without D.
 */
import type { ReducedRows } from '../../../constraints/rows/reduce.js'
import { updateRows } from '../../../constraints/rows/rows.js'
import type { Vec } from '../../../math/types.js'
import type { Linear } from '../matrix/auto.js'
import { STEP } from './constraint-work.js'
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

/** Whether the rows had better be in the elimination. Rates that are held are rows of G only. */
export function isEliminationBetter({ loops }: EliminatedLoops, linear: Linear, eq: Equalities): boolean {
  if (eq.count !== eq.rows.count) return false
  for (let r = 0; r < eq.count; r++) if (eq.skip[r] === 1) return false
  return loops.pays(0, linear.plan())
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

/** x ← with the equalities closed, or where v is given its correction; their λ. False where the elimination cannot tell rows apart. */
export function closeLoops(
  e: EliminatedLoops,
  eq: Equalities,
  lambda: Vec,
  linear: Linear,
  x: Vec,
  v: Vec | undefined,
  clock: Vec,
): boolean {
  const { loops, c, now, b, rate } = e
  const { rows, count } = eq
  const { target, g, byRate } = rows
  e.x.set(x)
  for (let r = 0; r < count; r++) lambda[r] = linear.closed ? loops.forces[r] : 0
  if (!linear.closed && !loops.prepare(eq.alike)) return false
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

/** x ← as it was before `closeLoops`: the step has to go over D. */
export function takeBack(e: EliminatedLoops, x: Vec): void {
  e.retries++
  x.set(e.x)
}
