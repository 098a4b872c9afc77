/**
 * The stepper of orders K = 3, 4, 5 and of Radau IIA.
 *
 * Memory of K ≥ 3: size of the last step, transforms at its last inner stage, rates of the transforms at its end, coordinates at that
 * stage. A step of another size starts anew from the rates (`startScheme`), and so does the first. Radau IIA carries nothing but the state.
 */
import { integrate } from '../../joints/index.js'
import type { Model } from '../../model/model.js'
import { factorImplicit, solveImplicit } from '../../tree/implicit-factor.js'
import { forwardKinematics } from '../../tree/kinematics.js'
import { createReport, resetReport, type Stepper } from '../solver.js'
import { createCollocation, solveStages } from './collocation.js'
import { poseRates } from './euler-stepper.js'
import { inertialPass } from './inertial.js'
import { createMinimizeReport } from './minimize.js'
import { gradientPass } from './newton-factor.js'
import type { PositionOptions } from './position.js'
import { collocationScheme, radauScheme, startScheme } from './scheme.js'
import { combine, combineCoordinates } from './stage.js'

export function createCollocationStepper(model: Model, options: PositionOptions): Stepper {
  const radau = options.order === 'radau'
  const regular = radau ? radauScheme() : collocationScheme(Number(options.order))
  const first = radau ? regular : startScheme(Number(options.order))
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
      z.scheme = radau || state.s[0] === h ? regular : first
      for (let i = 0; i <= last; i++) {
        const one = stages[i].state
        one.q.set(state.q)
        one.v.set(state.v)
        one.t = state.t + z.scheme.c[i] * h
        one.tau.set(state.tau)
        one.control = state.control
        integrate(m, one.q, state.v, z.scheme.c[i] * h)
      }
      found.iterations = 0
      found.backtracks = 0
      found.products = 0
      solveStages(z, found, options.tolerance, options.iterations)
      report.iterations += found.iterations
      report.evaluations += found.iterations + found.backtracks + found.products + 1
      if (found.status !== 'ok') {
        report.status = found.status === 'not-converged' ? 'not-converged' : 'diverged'
        report.rejected++
        return report
      }

      // rates at the end, and the velocities they are on the motions that the joints allow
      const { W, joint, state: end } = stages[last]
      combine(work.rates, n, z.scheme.first[last], start, stages, h, 1)
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
