/**
 * One step of order K = 2: q⁺ = argmin E (`step-problem`), by Newton, Levenberg–Marquardt or L-BFGS with backtracking, O(n) an iteration
 * [Pan and Manocha 2018].
 *
 * λ adds inertia: the matrix is (1 + λ) M/h² + …, which is positive definite for λ large enough whatever the units of the joints.
 * Where a force is no gradient there is no energy to watch; the step is then the root of the gradient, and the measure that falls is
 * gᵀ P⁻¹ g with the matrix P of the iteration (equation 7 of [Pan and Manocha 2018], weighted so that metres and radians agree).
 */
import { difference, integrate } from '../../../joints/index.js'
import { createGmres, type Gmres, gmres } from '../../../linalg/iterative/gmres.js'
import { createLbfgs, type Lbfgs, lbfgsDirection, resetLbfgs, updateLbfgs } from '../../../linalg/iterative/lbfgs.js'
import type { LinearOperator } from '../../../linalg/iterative/linear-operator.js'
import { clear, copy } from '../../../linalg/vectors.js'
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import { type State, shareInputs } from '../../../model/state.js'
import { roomFor, takeAll } from '../../../model/work-space.js'
import { createImplicitFactor, factorSize, type ImplicitFactor, solveImplicit } from '../../../tree/implicit-factor.js'
import { forwardKinematics, updatePoses } from '../../../tree/kinematics.js'
import { INERTIAL, POTENTIAL } from '../../../tree/point-inertia.js'
import { createMoments, MOMENTS } from '../../../tree/point-moments.js'
import type { StepReport } from '../../solver.js'
import type { StepProblem, Term } from '../energy/step-problem.js'
import {
  type Curvature,
  createNewtonWork,
  factorNewton,
  gradientPass,
  LAMBDA,
  type NewtonWork,
  newtonRoom,
  SCALE,
} from './newton-factor.js'
import { projectionRoom } from './project-rates.js'

/**
 * `newton`: the exact second derivative where it is positive definite, else that of `lm`. `lm`: inertia and clipped curvature. `lbfgs`:
 * gradients, with the first matrix of `lm`. `gauss-newton`: the mass matrix alone, which leaves out how tension stiffens a chain.
 */
export type Optimizer = 'newton' | 'lm' | 'lbfgs' | 'gauss-newton'

export interface Minimizer {
  readonly p: StepProblem
  readonly terms: readonly Term[]
  readonly optimizer: Optimizer
  readonly work: NewtonWork
  readonly factor: ImplicitFactor
  readonly moments: Vec
  /** share of the weight that each body feels */
  readonly lift: Vec
  /** where the bodies would be without forces (12 a body) */
  readonly Y: Vec
  readonly q: Vec
  readonly dq: Vec
  readonly grad: Vec
  readonly after: Vec
  readonly kept: Vec
  readonly y: Vec
  /** value, value on trial, slope, length of the direction, step */
  readonly x: Vec
  /** no term is missing from the matrix; every term is a gradient; every force of the present step is one */
  readonly exact: boolean
  readonly gradients: boolean
  conservative: boolean
  readonly moving: boolean
  /** share of the energies that is rounding */
  readonly noise: number
  readonly lbfgs: Lbfgs | undefined
  readonly krylov: { readonly work: Gmres; readonly operator: LinearOperator } | undefined
  readonly precondition: (x: Vec) => void
}

const VALUE = 0
const TRIAL = 1
const SLOPE = 2
const LENGTH = 3
const STEP = 4

export type MinimizeStatus = 'ok' | 'not-converged' | 'not-finite'

export interface MinimizeReport {
  status: MinimizeStatus
  iterations: number
  /** values tried beyond one an iteration */
  backtracks: number
  /** factors that had to be repeated, with curvature clipped or more λ */
  shifts: number
  /** products with the second derivative, where it does not fit the tree */
  products: number
}

export const createMinimizeReport = (): MinimizeReport => ({ status: 'ok', iterations: 0, backtracks: 0, shifts: 0, products: 0 })

/** Adds a search to the totals. */
export function countSearch(report: StepReport, found: MinimizeReport): void {
  report.iterations += found.iterations
  report.backtracks = (report.backtracks ?? 0) + found.backtracks
  report.evaluations += found.iterations + found.backtracks + found.products + 1
}

/** A step whose search failed. */
export function refuseStep(report: StepReport, found: MinimizeReport): StepReport {
  report.status = found.status === 'not-converged' ? 'not-converged' : 'diverged'
  report.rejected++
  return report
}

const MEMORY = 8
const RESTART = 30

const layout = ({ nbody, nq, nv }: Model) => ({
  ...{ moments: MOMENTS * nbody, lift: nbody, Y: 12 * nbody, q: nq },
  ...{ dq: nv, grad: nv, after: nv, kept: nv, y: nv, x: 5 },
})

/** Numbers that a minimiser takes in the memory of its problem's data. */
export const minimizerRoom = (m: Model): number => roomFor(layout(m)) + newtonRoom(m) + projectionRoom(m) + factorSize(m) / 8

/** For a problem made with `minimizerRoom`. */
export function createMinimizer(p: StepProblem, terms: readonly Term[], optimizer: Optimizer): Minimizer {
  const { m } = p
  const exact = terms.every((term) => term.exact)
  const views = takeAll(p.d, layout(m))
  views.moments.set(createMoments(m))
  views.lift.set(m.gravityCompensation.map((share) => 1 - share))
  const z: Minimizer = {
    p,
    terms,
    optimizer,
    ...views,
    work: createNewtonWork(m, p.d),
    factor: createImplicitFactor(m, p.d),
    exact,
    gradients: terms.every((term) => term.conservative),
    conservative: false,
    moving: terms.some((term) => term.moving),
    noise: NOISE * Math.sqrt(m.nbody),
    lbfgs: optimizer === 'lbfgs' ? createLbfgs(m.nv, MEMORY) : undefined,
    krylov:
      optimizer === 'newton' && !exact ? { work: createGmres(m.nv, Math.min(RESTART, m.nv)), operator: secondDerivative() } : undefined,
    precondition: (x) => solve(z, x),
  }
  return z

  /** Products with the second derivative, by differences of gradients; the factor as preconditioner. */
  function secondDerivative(): LinearOperator {
    return {
      apply(out, x) {
        let size = 0
        for (let k = 0; k < m.nv; k++) size = Math.max(size, Math.abs(x[k]))
        if (!(size > 0)) {
          out.fill(0)
          return
        }
        const e = DIFFERENCE / size
        p.trial.q.set(z.q)
        for (let k = 0; k < m.nv; k++) z.after[k] = e * x[k]
        integrate(m, p.trial.q, z.after, 1)
        evaluate(z)
        gradientPass(m, p.d, z.work, p.W, p.joint, z.after)
        const inertia = z.work.scale[SCALE] * z.work.scale[LAMBDA]
        for (let k = 0; k < m.nv; k++) out[k] = (z.after[k] - z.grad[k]) / e + inertia * m.armature[k] * x[k]
      },
      precondition(out, x) {
        out.set(x)
        solve(z, out)
      },
    }
  }
}

// of coordinates, for products with the second derivative: rounding and curvature are then alike, near 1e-8
const DIFFERENCE = 1e-7
const KRYLOV_TOLERANCE = 1e-4

/** Factors the matrix at p.trial.q, evaluated, for `solveSecond`. False where it is not positive definite. */
export function factorSecond(z: Minimizer): boolean {
  z.work.scale[LAMBDA] = 0
  z.q.set(z.p.trial.q)
  gradientPass(z.p.m, z.p.d, z.work, z.p.W, z.p.joint, z.grad)
  return makeFactor(z, 'exact')
}

/** x ← (second derivative)⁻¹ x after `factorSecond`; p.trial.q is spoilt. */
export function solveSecond(z: Minimizer, x: Vec): void {
  if (!z.krylov) return solve(z, x)
  z.kept.set(x)
  solve(z, x)
  gmres(z.krylov.work, z.krylov.operator, z.kept, x, 1e-12, 10 * RESTART)
}

function solve(z: Minimizer, x: Vec): void {
  solveImplicit(z.p.m, z.factor, x, 0, x, 0)
}

/**
 * Reads the state, p.h, p.X0 with the poses of p.d there, and the rates of the transforms V and of the coordinates v0 that the step starts
 * with. Writes Y, what terms lag, and the first guess.
 */
export function startStep(z: Minimizer, state: State, V: Vec, v0: Vec): void {
  const { p, Y, dq, terms } = z
  const { m, trial, X0 } = p
  const h = p.h[0]
  copy(p.q0, state.q)
  copy(trial.q, state.q)
  copy(trial.v, state.v)
  trial.t = state.t + h
  copy(trial.tau, state.tau)
  shareInputs(trial, state)
  for (let k = 12; k < Y.length; k++) Y[k] = X0[k] + h * V[k]
  for (let k = 0; k < terms.length; k++) terms[k].begin?.(p)
  for (let k = 0; k < m.nv; k++) dq[k] = h * v0[k]
  integrate(m, trial.q, dq, 1)
  z.conservative = z.gradients && !turns(z.work, state.tau)
}

/** Joint forces on joints without plain coordinates turn with the joint: they have no energy. */
function turns({ exponential }: NewtonWork, tau: Vec): boolean {
  for (let k = 0; k < tau.length; k++) if (tau[k] !== 0 && exponential[k] >= 0) return true
  return false
}

/** Reads p.trial.q. Writes poses, energies, W, joint, bodies, joints; the value into x[TRIAL]. */
export function evaluate(z: Minimizer): void {
  const { p, terms } = z
  const { m, d, trial } = p
  difference(m, trial.v, p.q0, trial.q)
  const h = p.h[0]
  for (let k = 0; k < m.nv; k++) trial.v[k] /= h
  if (z.moving) forwardKinematics(m, d, trial.q, trial.v)
  else updatePoses(m, d, trial.q)
  clear(p.joint)
  clear(p.joints)
  p.bodies.fill(0)
  z.work.scale[SCALE] = 1 / (h * h)
  const { byteOffset: X } = d.X_WB
  const { byteOffset: scale } = z.work.scale
  const { byteOffset: lift } = z.lift
  d.kernels.pointInertia(m.nbody, z.moments.byteOffset, lift, X, X, z.Y.byteOffset, scale, p.W.byteOffset, p.E.byteOffset)
  for (let k = 0; k < terms.length; k++) terms[k].add(p)
  z.x[TRIAL] = p.E[INERTIAL] + p.E[POTENTIAL]
}

/**
 * A trial whose value rises by less than this share of the terms' sizes, times the root of the number of bodies, is taken: that much is the
 * rounding of a sum over bodies. Without the root long chains halve their last steps thirty times over nothing.
 */
const NOISE = 1e-14
const ARMIJO = 1e-4
const MOST_HALVINGS = 30
const FIRST_LAMBDA = 1e-3
const LARGEST_LAMBDA = 1e8

/**
 * Reads the first guess p.trial.q, the lagged terms and Y. Leaves the minimum in p.trial.q, evaluated.
 * `tolerance` bounds the largest coordinate of the last step.
 */
export function minimize(z: Minimizer, report: MinimizeReport, tolerance: number, most: number): void {
  const { p, work, x, q, optimizer } = z
  const { m, trial } = p
  work.scale[LAMBDA] = 0
  report.iterations = 0
  report.backtracks = 0
  report.shifts = 0
  report.products = 0
  report.status = 'not-finite'
  if (z.lbfgs) resetLbfgs(z.lbfgs)
  evaluate(z)
  let before = Number.POSITIVE_INFINITY
  let full = false
  for (;;) {
    if (!Number.isFinite(x[TRIAL])) return
    copy(q, trial.q)
    gradientPass(m, p.d, work, p.W, p.joint, z.grad)
    if (z.lbfgs && report.iterations > 0 && x[STEP] > 0) {
      taken[0] = x[STEP]
      updateLbfgs(z.lbfgs, z.dq, taken, z.kept, z.grad)
    }
    if (report.iterations >= most) {
      report.status = 'not-converged'
      return
    }
    if (!newDirection(z, report)) return
    report.iterations++

    // Newton's steps shrink quadratically: the size of the next one is known before it is made
    const length = x[LENGTH]
    const quadratic = full && optimizer === 'newton' && z.exact
    const ahead = quadratic ? (length * length * length) / (before * before) : length
    if (length <= tolerance || (ahead <= 0.1 * tolerance && length < 0.1 * before)) {
      x[STEP] = 1
      tryStep(z)
      report.status = Number.isFinite(x[TRIAL]) ? 'ok' : 'not-finite'
      return
    }
    if (!search(z, report)) {
      x[STEP] = 0
      // no way down: a minimum as far as numbers can tell, or λ must keep the step inside the region where the matrix is good
      if (-x[SLOPE] <= 1e2 * z.noise * (Math.abs(p.E[INERTIAL]) + Math.abs(p.E[POTENTIAL])) && z.conservative) {
        tryStep(z)
        report.status = 'ok'
        return
      }
      work.scale[LAMBDA] = Math.max(FIRST_LAMBDA, 10 * work.scale[LAMBDA])
      if (z.lbfgs) resetLbfgs(z.lbfgs)
      if (work.scale[LAMBDA] > LARGEST_LAMBDA) {
        report.status = 'not-converged'
        return
      }
      tryStep(z)
      full = false
      continue
    }
    full = x[STEP] === 1
    before = length
    if (full) work.scale[LAMBDA] = work.scale[LAMBDA] > 1e-6 ? 0.25 * work.scale[LAMBDA] : 0
  }
}

const taken = new Float64Array(1)

/** dq ← −(matrix)⁻¹ gradient, with as much λ as makes the matrix positive definite; slope and length. False where nothing helps. */
function newDirection(z: Minimizer, report: MinimizeReport): boolean {
  const { p, work, x, dq, grad, lbfgs, krylov, q } = z
  const { m } = p
  if (!lbfgs || lbfgs.count === 0) {
    if (z.optimizer !== 'newton' || !makeFactor(z, 'exact')) {
      if (z.optimizer === 'newton') report.shifts++
      while (!makeFactor(z, z.optimizer === 'gauss-newton' ? 'none' : 'clipped')) {
        work.scale[LAMBDA] = Math.max(FIRST_LAMBDA, 4 * work.scale[LAMBDA])
        report.shifts++
        if (work.scale[LAMBDA] > LARGEST_LAMBDA) return false
      }
    }
  }
  if (lbfgs) {
    z.kept.set(grad)
    lbfgsDirection(lbfgs, dq, grad, z.precondition)
  } else {
    for (let k = 0; k < m.nv; k++) dq[k] = -grad[k]
    solve(z, dq)
  }
  // the measure without an energy: gᵀ P⁻¹ g, whose slope along an exact step is −2 times itself
  let fall = 0
  for (let k = 0; k < m.nv; k++) fall -= grad[k] * dq[k]
  if (krylov) {
    for (let k = 0; k < m.nv; k++) z.y[k] = -grad[k]
    improve(z, krylov)
    report.products += krylov.work.report.iterations
    p.trial.q.set(q)
  }
  let slope = 0
  let length = 0
  for (let k = 0; k < m.nv; k++) {
    slope += grad[k] * dq[k]
    const size = Math.abs(dq[k])
    if (!(size <= length)) length = size
  }
  if (z.conservative) {
    x[VALUE] = x[TRIAL]
    x[SLOPE] = slope
  } else {
    x[VALUE] = fall
    x[SLOPE] = -2 * fall
  }
  x[LENGTH] = length
  return Number.isFinite(length)
}

/** Improves the direction dq, that of the factor alone, towards the whole matrix; keeps it where it would lead up. */
function improve(z: Minimizer, krylov: NonNullable<Minimizer['krylov']>): void {
  const { dq, grad, p } = z
  const value = z.x[TRIAL]
  z.kept.set(dq)
  gmres(krylov.work, krylov.operator, z.y, dq, KRYLOV_TOLERANCE, 2 * RESTART)
  let slope = 0
  for (let k = 0; k < p.m.nv; k++) slope += grad[k] * dq[k]
  if (!(slope < 0) && z.conservative) dq.set(z.kept)
  z.x[TRIAL] = value
}

function makeFactor(z: Minimizer, curvature: Curvature): boolean {
  const { p, work, factor } = z
  return factorNewton(p.m, p.d, work, p.W, p.bodies, p.joints, curvature, factor)
}

/** Evaluates at the step x[STEP]: in an array, because a number handed to a call that is not inlined is an allocation. */
function tryStep(z: Minimizer): void {
  const { p, q, dq, x } = z
  const s = x[STEP]
  copy(p.trial.q, q)
  if (s === 1) integrate(p.m, p.trial.q, dq, 1)
  else if (s !== 0) {
    for (let k = 0; k < p.m.nv; k++) z.after[k] = s * dq[k]
    integrate(p.m, p.trial.q, z.after, 1)
  }
  evaluate(z)
}

/** Halves the step in x until the measure has fallen enough; false where it never does. */
function search(z: Minimizer, report: MinimizeReport): boolean {
  const { p, x } = z
  x[STEP] = 1
  for (let k = 0; k <= MOST_HALVINGS; k++) {
    tryStep(z)
    let value = x[TRIAL]
    let noise = z.noise * (Math.abs(p.E[INERTIAL]) + Math.abs(p.E[POTENTIAL]))
    if (!z.conservative && Number.isFinite(value)) {
      gradientPass(p.m, p.d, z.work, p.W, p.joint, z.after)
      value = 0
      z.y.set(z.after)
      solve(z, z.y)
      for (let i = 0; i < p.m.nv; i++) value += z.y[i] * z.after[i]
      noise = 0
    }
    if (value <= x[VALUE] + ARMIJO * x[STEP] * x[SLOPE] + noise) return true
    report.backtracks++
    x[STEP] *= 0.5
  }
  return false
}
