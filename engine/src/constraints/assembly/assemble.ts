/**
 * Assembly: moves a starting pose onto the constraints, as little as can be in the norm of the mass matrix, or says which of them
 * cannot hold.
 *
 * Levenberg–Marquardt on the residuals g, with M as the metric of motions:
 *   (K + μ κ) λ = g,  K = G M⁻¹ Gᵀ,  κ its mean diagonal,   q ← q ⊕ −M⁻¹ Gᵀ λ
 * Gauss–Newton as μ → 0, which redundant rows do not disturb. What that does not close is tried on with 1 in place of M. A stationary pose that is no solution may be a saddle (a loop stretched to
 * a line), so it is left with a small push and tried again; what remains then is refused, with the residual of every constraint. There
 * Gᵀ g = 0: the constraints with a residual are those that contradict each other, or what the mechanism can reach.
 */

import { integrate } from '../../joints/index.js'
import { cholesky, choleskySolve } from '../../linalg/dense/cholesky.js'
import { contradiction } from '../../linalg/dense/pivoted-ldl.js'
import { squared } from '../../math/own.js'
import type { Vec } from '../../math/types.js'
import { createData, type Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { forwardKinematics } from '../../tree/kinematics.js'
import { updateRows } from '../rows/rows.js'
import { createProjection, type Projection, projectVelocity, updateProjection } from './projection.js'
import { closingTolerance, loopTolerance } from './tolerance.js'

export interface AssembleOptions {
  /** velocities (nv), projected in place */
  readonly v?: Vec
  /** time at which prescribed motions are taken; default 0 */
  readonly t?: number
  /** largest residual of an assembled pose, m or rad; default 1e-9. Where rounding allows, it ends far below */
  readonly tolerance?: number
  /** false: prescribed motions are left to the steps to reach; default true */
  readonly motions?: boolean
  /** true: what a file's numbers cannot tell may stay open (`tolerance.ts`), and the pose is not moved far for it; no pushes then. Default false */
  readonly rounded?: boolean
  /** false: no pushes out of stationary poses, which may end far away; default true */
  readonly pushes?: boolean
}

export interface Assembly {
  readonly status: 'assembled' | 'refused'
  /** of every active constraint, in order: the largest of its rows, m or rad */
  readonly residuals: readonly { readonly name: string; readonly residual: number }[]
  /** constraints of which at least one row follows from the others at this pose */
  readonly redundant: readonly string[]
  /** constraints that cannot hold together, or cannot be reached; empty when assembled */
  readonly contradictory: readonly string[]
  /** the largest residual before */
  readonly before: number
  /** what to tell the user; empty when there is nothing to say */
  readonly message: string
}

const TOLERANCE = 1e-9
// a pose that is closed to rounding stays as it is, bit for bit
const CLOSED = 1e-13
const ITERATIONS = 100
// pushes away from a stationary pose, rad or m
const PUSHES = [1e-3, 1e-2, 0.1, 0.5]
const FIRST_DAMPING = 1e-10
const LEAST_DAMPING = 1e-12
/**
 * Of rounded numbers: below the tolerance rows may be dependent but for the last digits of a file. Undamped they would send the mechanism along its own motion to
 * close what no pose closes; so no step is longer than some 500 times what it closes, and the last one is that which does not halve it.
 */
const PLAIN_DAMPING = 1e-6
const PLAIN_GAIN = 0.5
const MOST_DAMPING = 1e8
// a step must bring this share of what it promises
const LEAST_GAIN = 0.1
// progress below this share of the residual is none
const STATIONARY = 1e-7
// share of the worst residual below which a constraint is only not quite there yet, not part of the contradiction
const INVOLVED = 1e-4
// relative mismatch of redundant rates above which they contradict, far above rounding
const CONTRADICTION = 1e-6
// a loop that is open by a metre's share differs in its rates by about as much
const OPEN_LOOPS = 100
// m/s or rad/s: of velocities that keep the constraints already only rounding is left, and that contradicts anything
const STILL = 1e-9

interface Work {
  readonly m: Model
  readonly d: Data
  readonly p: Projection
  readonly t: Vec
  readonly A: Vec
  readonly xi: Vec
  readonly trial: Vec
  readonly rounded: boolean
  /** velocities count alike, not by their masses */
  even: boolean
}

/** Moves q (nq), and options.v, onto the model's active constraints. When refused, q is the nearest pose found and v is left alone. */
export function assemble(m: Model, q: Vec, options: AssembleOptions = {}): Assembly {
  const { v, t = 0, motions = true, rounded = false, pushes = !rounded } = options
  const tolerance = options.tolerance ?? (rounded ? closingTolerance(m) : TOLERANCE)
  const p = createProjection(m, motions)
  const n = p.rows.count
  const work: Work = {
    m,
    d: createData(m),
    p,
    t: Float64Array.of(t),
    A: new Float64Array(n * n),
    xi: new Float64Array(m.nv),
    trial: new Float64Array(m.nq),
    rounded,
    even: false,
  }
  residualsAt(work, q)
  const before = largest(p.rows.g)
  if (before > CLOSED) descend(work, q, tolerance)
  // light bodies that have to turn far may never get there
  if (largest(p.rows.g) > tolerance) {
    work.even = true
    descend(work, q, tolerance)
    work.even = false
  }
  if (pushes && largest(p.rows.g) > tolerance) pushAndRetry(work, q, tolerance)

  // velocities, and what follows from the rest
  forwardKinematics(m, work.d, q, v ?? p.rest)
  updateProjection(p, m, work.d, q, work.t)
  const residuals = residualOf(m, p)
  const worstResidual = residuals.reduce((most, { residual }) => Math.max(most, residual), 0)
  // a small loop has no more room than its own size gives it
  const room = m.constraints.names
    .map((_, k) => (rounded && options.tolerance === undefined ? loopTolerance(m, k) : tolerance))
    .filter((_, k) => m.constraints.active[k] === 1)
  const open = residuals.filter(({ residual }, n) => residual > room[n])
  if (open.length > 0) {
    const most = open.reduce((most, { residual }) => Math.max(most, residual), 0)
    const failed = open.filter(({ residual }) => residual >= INVOLVED * most)
    const names = failed.map(({ name }) => name)
    return { status: 'refused', residuals, redundant: [], contradictory: names, before, message: refusal(failed) }
  }
  const moved = Float64Array.from(v ?? p.rest)
  const rank = projectVelocity(p, m, work.d, moved)
  const redundant = namesOf(m, p, p.ldl.order.subarray(rank, n))
  const mismatch = new Float64Array(1)
  const worst = contradiction(p.ldl, p.K, 0, p.lambda, 0, p.b, 0, mismatch)
  if (worst >= 0 && mismatch[0] > Math.max(CONTRADICTION, OPEN_LOOPS * worstResidual) && Math.abs(p.b[worst]) > STILL) {
    const contradictory = [m.constraints.names[p.rows.source[worst]]]
    const message = `constraint '${contradictory[0]}' prescribes a rate that the constraints before it do not allow; remove one of them`
    return { status: 'refused', residuals, redundant, contradictory, before, message }
  }
  v?.set(moved)
  return { status: 'assembled', residuals, redundant, contradictory: [], before, message: '' }
}

/** Reads q. Writes the kinematics at rest and the rows. */
function residualsAt({ m, d, p, t }: Work, q: Vec): void {
  forwardKinematics(m, d, q, p.rest)
  updateRows(p.rows, m, d, q, t)
}

/** Levenberg–Marquardt from q, until rounding or a stationary pose stops it. Leaves the rows at the final q. */
function descend(work: Work, q: Vec, tolerance: number): void {
  const { m, d, p, t, trial, xi } = work
  const { g } = p.rows
  let mu = FIRST_DAMPING
  let still = 0
  for (let it = 0; it < ITERATIONS && still < 4; it++) {
    residualsAt(work, q)
    const now = square(g)
    if (now === 0 || !Number.isFinite(now)) return
    const within = now <= tolerance * tolerance
    const plain = within && work.rounded
    if (plain) mu = Math.max(mu, PLAIN_DAMPING)
    updateProjection(p, m, d, q, t, work.even)
    p.b.set(g)
    for (;;) {
      const promised = propose(work, mu)
      trial.set(q)
      integrate(m, trial, xi, 1)
      residualsAt(work, trial)
      const next = square(g)
      if (promised > 0 && now - next > LEAST_GAIN * promised) {
        still = plain && next > PLAIN_GAIN * PLAIN_GAIN * now ? 4 : now - next < STATIONARY * now ? still + 1 : 0
        break
      }
      // at the level of rounding a step that does not help is the last
      if (mu > MOST_DAMPING || within) {
        residualsAt(work, q)
        return
      }
      mu *= 100
    }
    q.set(trial)
    mu = Math.max(LEAST_DAMPING, mu / 100)
  }
}

/** Reads b = g. xi ← the step with damping mu. Returns the decrease of g² that the linear model promises; 0 where there is no step. */
function propose({ m, p, A, xi }: Work, mu: number): number {
  const { rows, K, Y, lambda, b } = p
  const n = rows.count
  let trace = 0
  for (let r = 0; r < n; r++) trace += K[r * n + r]
  const damping = (mu * trace) / n
  A.set(K)
  for (let r = 0; r < n; r++) A[r * n + r] += damping
  lambda.set(b)
  xi.fill(0)
  if (!cholesky(A, 0, n)) return 0
  choleskySolve(A, 0, n, lambda, 0, 1)

  // g + G xi = damping λ is what would be left
  let promised = 0
  for (let r = 0; r < n; r++) {
    promised += b[r] * b[r] - squared(damping * lambda[r])
    for (let k = 0; k < m.nv; k++) xi[k] -= lambda[r] * Y[r * m.nv + k]
  }
  return promised
}

/** From a stationary pose that is no solution: pushes of growing size, always the same ones. q ends at the best pose found. */
function pushAndRetry(work: Work, q: Vec, tolerance: number): void {
  const { m, p } = work
  const best = q.slice()
  let least = largest(p.rows.g)
  for (const push of PUSHES) {
    const start = best.slice()
    const xi = new Float64Array(m.nv)
    let seed = 1
    for (let k = 0; k < m.nv; k++) {
      seed = (seed * 16807) % 2147483647
      xi[k] = push * (2 * (seed / 2147483647) - 1)
    }
    integrate(m, start, xi, 1)
    descend(work, start, tolerance)
    const found = largest(p.rows.g)
    if (found < least) {
      least = found
      best.set(start)
    }
    if (least <= tolerance) break
  }
  q.set(best)
}

function residualOf(m: Model, { rows }: Projection): { name: string; residual: number }[] {
  const { names, active, count } = m.constraints
  const found = new Float64Array(count)
  for (let r = 0; r < rows.count; r++) {
    const k = rows.source[r]
    found[k] = Number.isNaN(rows.g[r]) ? Number.POSITIVE_INFINITY : Math.max(found[k], Math.abs(rows.g[r]))
  }
  return names.map((name, k) => ({ name, residual: found[k] })).filter((_, k) => active[k] === 1)
}

function namesOf(m: Model, { rows }: Projection, list: Int32Array): string[] {
  const sources = new Set(Array.from(list, (r) => rows.source[r]))
  return [...sources].map((k) => m.constraints.names[k])
}

function refusal(failed: readonly { readonly name: string; readonly residual: number }[]): string {
  const worst = [...failed].sort((a, b) => b.residual - a.residual)
  const list = worst.map(({ name, residual }) => `'${name}' by ${residual.toPrecision(3)}`).join(', ')
  return failed.length === 1
    ? `constraint '${worst[0].name}' cannot be met: ${worst[0].residual.toPrecision(3)} m or rad remain at the nearest pose found; check its points and lengths, or start nearer to a closed pose`
    : `constraints contradict each other or are out of reach, missed at the nearest pose found: ${list} (m or rad); remove one of them, or check points and lengths`
}

function square(g: Vec): number {
  let sum = 0
  for (let r = 0; r < g.length; r++) sum += g[r] * g[r]
  return sum
}

/** Largest |g|; infinite where one is no number. */
function largest(g: Vec): number {
  let most = 0
  for (let r = 0; r < g.length; r++) most = Number.isNaN(g[r]) ? Number.POSITIVE_INFINITY : Math.max(most, Math.abs(g[r]))
  return most
}
