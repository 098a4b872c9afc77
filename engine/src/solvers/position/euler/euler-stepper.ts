/**
 * The stepper of order K = 2: implicit Euler in the space of points.
 *
 * Memory: the velocity of every transform, V = (T_k − T_{k−1})/h, 12 numbers a body, and of every coordinate, (q_k ⊖ q_{k−1})/h. The
 * step looks ahead to Y = T_k + h V, so that a change of h needs no further history; at the start V = T [φ].
 * The velocities in the state are the projection of V on the motions that the joints allow, v = M⁻¹ Jᵀ (V Mt): with them the energy never
 * grows (differences of coordinates, of the same order, do not have that property).
 */
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import type { State } from '../../../model/state.js'
import { forwardKinematics } from '../../../tree/kinematics.js'
import { INERTIAL, POTENTIAL } from '../../../tree/point-inertia.js'
import { poseRates } from '../../../tree/point-moments.js'
import { loadMemory, memoryLayout } from '../../memory-layout.js'
import { createReport, resetReport, type Stepper } from '../../solver.js'
import { createStepProblem } from '../energy/step-problem.js'
import { stepTerms, termsRoom } from '../energy/step-terms.js'
import type { PositionOptions } from '../position.js'
import {
  countSearch,
  createMinimizeReport,
  createMinimizer,
  type MinimizeReport,
  type Minimizer,
  minimize,
  minimizerRoom,
  type Optimizer,
  refuseStep,
  startStep,
} from './minimize.js'
import { createProjection, projectRates } from './project-rates.js'

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

/** `more`: numbers that others will take in the memory of the problem's data. */
export function createEulerSystem(model: Model, optimizer: Optimizer, forces: readonly Force[], more = 0): EulerSystem {
  const p = createStepProblem(model, forces, minimizerRoom(model) + termsRoom(model) + more)
  const v0 = new Float64Array(model.nv)
  const terms = stepTerms(p, v0)
  const z = createMinimizer(p, terms, optimizer)
  const { m, d, trial } = p
  const projection = createProjection(m, d, z.moments, z.work, z.factor)
  const { nv } = model
  const { at, size } = eulerMemory(model)
  const n = size.poseRates

  return {
    z,
    v0,
    found: createMinimizeReport(),
    load(state, h) {
      p.h[0] = h
      loadMemory(v0, state.s, at.rates)
      forwardKinematics(m, d, state.q, state.v)
      p.X0.set(d.X_WB)
      startStep(z, state, state.s, v0)
    },
    finish(state) {
      const s = 1 / p.h[0]
      for (let k = 12; k < n; k++) state.s[k] = s * (d.X_WB[k] - p.X0[k])
      state.s.set(trial.v, at.rates)
      state.q.set(trial.q)

      for (let k = 0; k < nv; k++) p.joint[k] = m.armature[k] * state.s[at.rates + k]
      projectRates(m, d, projection, state.s, p.W, p.joint, trial.v)
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

export function createEulerStepper(model: Model, options: PositionOptions, forces: readonly Force[]): Stepper {
  const system = createEulerSystem(model, options.optimizer, forces)
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
    enter: (state) => initMemory(model, z.p.d, state),
    step(state, h) {
      report.h = h
      if (!(h > 0 && h < Number.POSITIVE_INFINITY)) {
        report.status = 'bad-step'
        return report
      }
      system.load(state, h)
      minimize(z, found, options.tolerance, options.iterations)
      countSearch(report, found)
      report.energy = z.p.E[INERTIAL] + z.p.E[POTENTIAL]
      if (found.status !== 'ok') return refuseStep(report, found)
      system.finish(state)
      report.status = 'ok'
      report.steps++
      return report
    },
  }
}
