/**
 * The stepper of orders K = 3, 4, 5 and of Radau IIA.
 *
 * Memory of K ≥ 3: size of the last step, transforms at its last inner stage, rates of the transforms at its end, coordinates at that
 * stage. A step of another size starts anew from the rates (`startScheme`), and so does the first. Radau IIA carries nothing but the state.
 */
import { integrate } from '../../joints/index.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { factorImplicit, solveImplicit } from '../../tree/implicit-factor.js'
import { forwardKinematics } from '../../tree/kinematics.js'
import { createReport, resetReport, type Stepper } from '../solver.js'
import { createCollocation, solveStages } from './collocation.js'
import { poseRates } from './euler-stepper.js'
import { INERTIAL, inertialPass, POTENTIAL } from './inertial.js'
import { createMinimizeReport, createMinimizer, minimize } from './minimize.js'
import { gradientPass } from './newton-factor.js'
import type { PositionOptions } from './position.js'
import { collocationScheme, radauScheme, startScheme } from './scheme.js'
import { combine, combineCoordinates } from './stage.js'
import { createStepProblem } from './step-problem.js'
import { stepTerms } from './step-terms.js'

// half as much would stop steps that are merely rough; spurious solutions lie far above
const FACTOR = 2
// where Newton needs more, there is nothing near to find
const MOST = 25

export function createCollocationStepper(model: Model, options: PositionOptions): Stepper {
  const radau = options.order === 'radau'
  const regular = radau ? radauScheme() : collocationScheme(Number(options.order))
  const first = radau ? regular : startScheme(Number(options.order))
  const v0 = new Float64Array(model.nv)
  const p = createStepProblem(model)
  const terms = stepTerms(p, v0)
  const euler = createMinimizer(p, terms, 'newton')
  const gradients = euler.conservative
  const z = createCollocation(model, radau ? [regular] : [regular, first], options.dense)
  const report = createReport()
  const found = createMinimizeReport()
  const { m, start, stages, work } = z
  const { nv, nq } = model
  const n = 12 * model.nbody
  const last = stages.length - 1
  const X_ = 1
  const V = X_ + n
  const q_ = V + n

  /** The minimum of order 2 from the same start: near it is the solution to look for. */
  const guess = (state: State, h: number): boolean => {
    p.h[0] = h
    p.q0.set(state.q)
    p.X0.set(start.X0)
    v0.set(state.v)
    p.trial.q.set(state.q)
    p.trial.v.set(state.v)
    p.trial.t = state.t + h
    p.trial.tau.set(state.tau)
    p.trial.control = state.control
    forwardKinematics(m, p.d, state.q, state.v)
    for (let k = 12; k < n; k++) euler.Y[k] = start.X0[k] + h * start.V0[k]
    for (let k = 0; k < terms.length; k++) terms[k].begin?.(p)
    integrate(m, p.trial.q, state.v, h)
    euler.conservative = gradients && !turns(state.tau)
    minimize(euler, found, options.tolerance, options.iterations)
    report.iterations += found.iterations
    return found.status === 'ok'
  }

  const turns = (tau: Float64Array): boolean => {
    for (let k = 0; k < nv; k++) if (tau[k] !== 0 && z.newton.exponential[k] >= 0) return true
    return false
  }

  /**
   * Polynomials through few points have further solutions when bodies turn far in a step; they show in their energy. That of the motion
   * at the end (work.rates) is at most what there was, what order 2 finds and what the weights gave, within a factor.
   */
  const plausible = (h: number): boolean => {
    const { E, weightless, whole } = work
    const scratch = stages[last].W
    work.h[0] = 1
    E.fill(0)
    inertialPass(m.nbody, z.moments, m.gravity, whole, start.X0, start.V0, work.h, scratch, E)
    const before = E[INERTIAL]
    const height = E[POTENTIAL]
    E.fill(0)
    inertialPass(m.nbody, z.moments, m.gravity, whole, stages[last].d.X_WB, work.rates, work.h, scratch, E)
    const after = E[INERTIAL]
    const fall = Math.abs(E[POTENTIAL] - height)
    const Y = euler.Tdd
    for (let k = 12; k < n; k++) Y[k] = (p.d.X_WB[k] - start.X0[k]) / h
    E.fill(0)
    inertialPass(m.nbody, z.moments, m.gravity, weightless, p.d.X_WB, Y, work.h, scratch, E)
    return after <= FACTOR * (before + E[INERTIAL] + fall)
  }

  /** Takes the step of order 2 where the collocation equations have no solution within reach. */
  const lower = (state: State, h: number): void => {
    const d = p.d
    const s = 1 / h
    for (let k = 12; k < n; k++) work.rates[k] = s * (d.X_WB[k] - start.X0[k])
    inertialPass(m.nbody, z.moments, m.gravity, work.weightless, d.X_WB, work.rates, work.h, p.W, work.E)
    for (let k = 0; k < nv; k++) p.joint[k] = m.armature[k] * p.trial.v[k]
    gradientPass(m, d, z.newton, p.W, p.joint, state.v)
    factorImplicit(m, d, z.factor, undefined, undefined)
    solveImplicit(m, z.factor, state.v, 0, state.v, 0)
    if (!radau) {
      state.s[0] = 0
      for (let k = 12; k < n; k++) state.s[V + k] = work.rates[k]
    }
    state.q.set(p.trial.q)
    state.t += h
    report.status = 'ok'
    report.steps++
    report.lowered = (report.lowered ?? 0) + 1
  }

  return {
    ns: radau ? 0 : q_ + nq,
    report,
    init(state) {
      state.s = new Float64Array(radau ? 0 : q_ + nq)
      if (!radau) {
        forwardKinematics(m, stages[0].d, state.q, state.v)
        poseRates(m, stages[0].d, start.V0)
        state.s.set(start.V0, V)
      }
      resetReport(report)
    },
    step(state, h) {
      report.h = h
      if (!(h > 0 && h < Number.POSITIVE_INFINITY)) {
        report.status = 'bad-step'
        return report
      }
      z.h = h
      const d = stages[last].d
      forwardKinematics(m, d, state.q, state.v)
      start.X0.set(d.X_WB)
      start.q0.set(state.q)
      start.v0.set(state.v)
      if (radau) poseRates(m, d, start.V0)
      else {
        for (let k = 0; k < n; k++) {
          start.X_[k] = state.s[X_ + k]
          start.V0[k] = state.s[V + k]
        }
        for (let k = 0; k < nq; k++) start.q_[k] = state.s[q_ + k]
      }
      if (!guess(state, h)) {
        report.status = found.status === 'not-converged' ? 'not-converged' : 'diverged'
        report.rejected++
        return report
      }
      z.scheme = radau || state.s[0] === h ? regular : first
      for (let i = 0; i <= last; i++) {
        const one = stages[i].state
        one.q.set(state.q)
        one.v.set(state.v)
        one.t = state.t + z.scheme.c[i] * h
        one.tau.set(state.tau)
        one.control = state.control
        // through the state at the start, with its velocity, and the minimum of order 2
        const c = z.scheme.c[i]
        for (let k = 0; k < nv; k++) work.xi[k] = h * (c * (1 - c) * state.v[k] + c * c * p.trial.v[k])
        integrate(m, one.q, work.xi, 1)
      }
      found.iterations = 0
      found.backtracks = 0
      found.products = 0
      solveStages(z, found, options.tolerance, Math.min(options.iterations, MOST))
      report.iterations += found.iterations
      report.evaluations += found.iterations + found.backtracks + found.products + 1
      if (found.status === 'not-finite') {
        report.status = 'diverged'
        report.rejected++
        return report
      }
      if (found.status === 'not-converged') {
        lower(state, h)
        return report
      }

      // rates at the end, and the velocities they are on the motions that the joints allow
      const { W, joint, state: end } = stages[last]
      combine(work.rates, n, z.scheme.first[last], start, stages, h, 1)
      if (!plausible(h)) {
        lower(state, h)
        return report
      }
      inertialPass(m.nbody, z.moments, m.gravity, work.weightless, d.X_WB, work.rates, work.h, W, work.E)
      if (work.armed) combineCoordinates(m, work, work.qdd, z.scheme.first[last], start, stages, last, h, 1)
      for (let k = 0; k < nv; k++) joint[k] = work.armed ? m.armature[k] * work.qdd[k] : 0
      gradientPass(m, d, z.newton, W, joint, end.v)
      factorImplicit(m, d, z.factor, undefined, undefined)
      solveImplicit(m, z.factor, end.v, 0, end.v, 0)

      if (!radau) {
        state.s[0] = h
        const kept = stages[z.scheme.kept]
        for (let k = 0; k < n; k++) {
          state.s[X_ + k] = kept.d.X_WB[k]
          state.s[V + k] = k < 12 ? 0 : work.rates[k]
        }
        for (let k = 0; k < nq; k++) state.s[q_ + k] = kept.state.q[k]
      }
      state.q.set(end.q)
      state.v.set(end.v)
      state.t += h
      report.status = 'ok'
      report.steps++
      return report
    },
  }
}
