/**
 * The stepper of order K = 2: implicit Euler in the space of points.
 *
 * Memory: the velocity of every transform, V = (T_k − T_{k−1})/h, 12 numbers a body, and of every coordinate, (q_k ⊖ q_{k−1})/h. The
 * step looks ahead to Y = T_k + h V, so that a change of h needs no further history; at the start V = T [φ].
 * The velocities in the state are the projection of V on the motions that the joints allow, v = M⁻¹ Jᵀ (V Mt): with them the energy never
 * grows (differences of coordinates, of the same order, do not have that property).
 */
import { integrate } from '../../joints/index.js'
import type { Vec } from '../../math/types.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { factorImplicit, solveImplicit } from '../../tree/implicit-factor.js'
import { forwardKinematics } from '../../tree/kinematics.js'
import { createReport, resetReport, type Stepper } from '../solver.js'
import { inertialPass } from './inertial.js'
import { createMinimizeReport, createMinimizer, minimize } from './minimize.js'
import { gradientPass } from './newton-factor.js'
import type { PositionOptions } from './position.js'
import { createStepProblem } from './step-problem.js'
import { stepTerms } from './step-terms.js'

export function createEulerStepper(model: Model, options: PositionOptions): Stepper {
  const p = createStepProblem(model)
  const v0 = new Float64Array(model.nv)
  const still = new Float64Array(model.nbody)
  const second = Float64Array.of(1)
  const terms = stepTerms(p, v0)
  const z = createMinimizer(p, terms, options.optimizer, options.dense)
  const report = createReport()
  const found = createMinimizeReport()
  const gradients = z.conservative
  const { m, d, trial } = p
  const { nv } = model
  const n = 12 * model.nbody

  /** Joint forces on joints without plain coordinates turn with the joint: they have no energy. */
  const turningForces = (tau: Vec): boolean => {
    for (let k = 0; k < nv; k++) if (tau[k] !== 0 && z.work.exponential[k] >= 0) return true
    return false
  }

  /** trial.v ← M⁻¹ (Jᵀ (V Mt) + armature · rates) at the poses in d. */
  const project = (memory: Vec): void => {
    inertialPass(m.nbody, z.moments, m.gravity, still, d.X_WB, memory, second, p.W, p.E)
    for (let k = 0; k < nv; k++) p.joint[k] = m.armature[k] * memory[n + k]
    gradientPass(m, d, z.work, p.W, p.joint, trial.v)
    factorImplicit(m, d, z.factor, undefined, undefined)
    solveImplicit(m, z.factor, trial.v, 0, trial.v, 0)
  }

  return {
    ns: n + nv,
    report,
    init(state) {
      state.s = new Float64Array(n + nv)
      forwardKinematics(m, d, state.q, state.v)
      poseRates(m, d, state.s)
      state.s.set(state.v, n)
      resetReport(report)
    },
    step(state, h) {
      report.h = h
      if (!(h > 0 && h < Number.POSITIVE_INFINITY)) {
        report.status = 'bad-step'
        return report
      }
      p.h[0] = h
      p.q0.set(state.q)
      for (let k = 0; k < nv; k++) v0[k] = state.s[n + k]
      trial.q.set(state.q)
      trial.v.set(state.v)
      trial.t = state.t + h
      trial.tau.set(state.tau)
      trial.control = state.control
      forwardKinematics(m, d, state.q, state.v)
      p.X0.set(d.X_WB)
      for (let k = 12; k < n; k++) z.Y[k] = p.X0[k] + h * state.s[k]
      for (let k = 0; k < terms.length; k++) terms[k].begin?.(p)
      integrate(m, trial.q, v0, h)
      z.conservative = gradients && !turningForces(state.tau)
      minimize(z, found, options.tolerance, options.iterations)
      report.iterations += found.iterations
      report.evaluations += found.iterations + found.backtracks + 1
      if (found.status !== 'ok') {
        report.status = found.status === 'not-converged' ? 'not-converged' : 'diverged'
        report.rejected++
        return report
      }
      const s = 1 / h
      for (let k = 12; k < n; k++) state.s[k] = s * (d.X_WB[k] - p.X0[k])
      for (let k = 0; k < nv; k++) state.s[n + k] = trial.v[k]
      state.q.set(trial.q)
      project(state.s)
      state.v.set(trial.v)
      state.t += h
      report.status = 'ok'
      report.steps++
      return report
    },
  }
}

/** V ← T [φ]: the rate of every pose, from the velocities of the bodies. Reads X_WB, V of d. */
export function poseRates(m: Model, d: Data, out: Vec): void {
  const { X_WB: X, V } = d
  for (let i = 1; i < m.nbody; i++) {
    const x = 12 * i
    const b = 6 * i
    for (let r = 0; r < 3; r++) {
      const o = x + 3 * r
      const a = X[o]
      const e = X[o + 1]
      const f = X[o + 2]
      out[o] = e * V[b + 2] - f * V[b + 1]
      out[o + 1] = f * V[b] - a * V[b + 2]
      out[o + 2] = a * V[b + 1] - e * V[b]
      out[x + 9 + r] = a * V[b + 3] + e * V[b + 4] + f * V[b + 5]
    }
  }
}
