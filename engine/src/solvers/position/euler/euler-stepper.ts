/**
 * The stepper of order K = 2: implicit Euler in the space of points.
 *
 * Memory: the velocity of every transform, V = (T_k − T_{k−1})/h, 12 numbers a body, and of every coordinate, (q_k ⊖ q_{k−1})/h. The
 * step looks ahead to Y = T_k + h V, so that a change of h needs no further history; at the start V = T [φ].
 * The velocities in the state are the projection of V on the motions that the joints allow, v = M⁻¹ Jᵀ (V Mt): with them the energy never
 * grows (differences of coordinates, of the same order, do not have that property).
 */
import { integrate } from '../../../joints/index.js'
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import type { State } from '../../../model/state.js'
import { factorImplicit, solveImplicit } from '../../../tree/implicit-factor.js'
import { forwardKinematics } from '../../../tree/kinematics.js'
import { poseRates } from '../../../tree/point-moments.js'
import { loadMemory, memoryLayout } from '../../memory-layout.js'
import { createReport, resetReport, type Stepper } from '../../solver.js'
import { inertialPass } from '../energy/inertial.js'
import { createStepProblem } from '../energy/step-problem.js'
import { stepTerms } from '../energy/step-terms.js'
import type { PositionOptions } from '../position.js'
import { createMinimizeReport, createMinimizer, type MinimizeReport, type Minimizer, minimize, type Optimizer } from './minimize.js'
import { gradientPass } from './newton-factor.js'

/** Memory in State.s: velocity of every transform, which must come first, and of every coordinate. */
export const eulerMemory = ({ nbody, nv }: Model) => memoryLayout({ poseRates: 12 * nbody, rates: nv })

/** The parts of a step, for the stepper and for derivatives. */
export interface EulerSystem {
  readonly z: Minimizer
  /** rates of the coordinates that the step starts with */
  readonly v0: Vec
  readonly found: MinimizeReport
  /** Reads the state. Writes what the step starts from, and the first guess. */
  load(state: State, h: number): void
  /** Reads the configuration on trial, evaluated. Writes the state at the end; its coordinates and memory go to `state`. */
  finish(state: State): void
}

export function createEulerSystem(model: Model, optimizer: Optimizer, dense: boolean): EulerSystem {
  const p = createStepProblem(model)
  const v0 = new Float64Array(model.nv)
  const still = new Float64Array(model.nbody)
  const second = Float64Array.of(1)
  const terms = stepTerms(p, v0)
  const z = createMinimizer(p, terms, optimizer, dense)
  const gradients = z.conservative
  const { m, d, trial } = p
  const { nv } = model
  const { at, size } = eulerMemory(model)
  const n = size.poseRates

  /** Joint forces on joints without plain coordinates turn with the joint: they have no energy. */
  const turningForces = (tau: Vec): boolean => {
    for (let k = 0; k < nv; k++) if (tau[k] !== 0 && z.work.exponential[k] >= 0) return true
    return false
  }

  return {
    z,
    v0,
    found: createMinimizeReport(),
    load(state, h) {
      p.h[0] = h
      p.q0.set(state.q)
      loadMemory(v0, state.s, at.rates)
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
    },
    finish(state) {
      const s = 1 / p.h[0]
      for (let k = 12; k < n; k++) state.s[k] = s * (d.X_WB[k] - p.X0[k])
      state.s.set(trial.v, at.rates)
      state.q.set(trial.q)

      // v = M⁻¹ (Jᵀ (V Mt) + armature · rates) at the poses in d
      inertialPass(m.nbody, z.moments, m.gravity, still, d.X_WB, state.s, second, p.W, p.E)
      for (let k = 0; k < nv; k++) p.joint[k] = m.armature[k] * state.s[at.rates + k]
      gradientPass(m, d, z.work, p.W, p.joint, trial.v)
      factorImplicit(m, d, z.factor, undefined, undefined)
      solveImplicit(m, z.factor, trial.v, 0, trial.v, 0)
      state.v.set(trial.v)
      state.t += p.h[0]
    },
  }
}

/** Sets the memory of a state that comes from outside. */
export function initMemory(m: Model, d: Data, state: State): void {
  const { at, length } = eulerMemory(m)
  if (state.s.length !== length) state.s = new Float64Array(length)
  forwardKinematics(m, d, state.q, state.v)
  poseRates(m, d, state.s)
  state.s.set(state.v, at.rates)
}

export function createEulerStepper(model: Model, options: PositionOptions): Stepper {
  const system = createEulerSystem(model, options.optimizer, options.dense)
  const report = createReport()
  const { found, z } = system
  return {
    ns: eulerMemory(model).length,
    report,
    init(state) {
      initMemory(model, z.p.d, state)
      resetReport(report)
      report.backtracks = 0
      report.energy = Number.NaN
    },
    step(state, h) {
      report.h = h
      if (!(h > 0 && h < Number.POSITIVE_INFINITY)) {
        report.status = 'bad-step'
        return report
      }
      system.load(state, h)
      minimize(z, found, options.tolerance, options.iterations)
      report.iterations += found.iterations
      report.backtracks = (report.backtracks ?? 0) + found.backtracks
      report.evaluations += found.iterations + found.backtracks + found.products + 1
      report.energy = z.p.E[0] + z.p.E[1]
      if (found.status !== 'ok') {
        report.status = found.status === 'not-converged' ? 'not-converged' : 'diverged'
        report.rejected++
        return report
      }
      system.finish(state)
      report.status = 'ok'
      report.steps++
      return report
    },
  }
}
