/**
 * The stepper of orders K = 3, 4, 5 and of Radau IIA.
 *
 * Memory of K ≥ 3: size of the last step, transforms at its last inner stage, rates of the transforms at its end, coordinates at that
 * stage. A step of another size starts anew from the rates (`startScheme`), and so does the first. Radau IIA carries nothing but the state.
 */
import { integrate } from '../../../joints/index.js'
import type { Vec } from '../../../math/types.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import { type State, shareInputs } from '../../../model/state.js'
import { forwardKinematics } from '../../../tree/kinematics.js'
import { INERTIAL, inertialPass, POTENTIAL } from '../../../tree/point-inertia.js'
import { poseRates } from '../../../tree/point-moments.js'
import { loadMemory, memoryLayout } from '../../memory-layout.js'
import { createReport, resetReport, type Stepper } from '../../solver.js'
import { createStepProblem } from '../energy/step-problem.js'
import { stepTerms, termsRoom } from '../energy/step-terms.js'
import {
  countSearch,
  createMinimizeReport,
  createMinimizer,
  type MinimizeReport,
  minimize,
  minimizerRoom,
  refuseStep,
  startStep,
} from '../euler/minimize.js'
import { createProjection, projectRates } from '../euler/project-rates.js'
import type { PositionOptions } from '../position.js'
import { type Collocation, createCollocation, FORM_UP_TO, solveStages } from './collocation.js'
import { collocationScheme, radauScheme, startScheme } from './scheme.js'
import { combine, combineCoordinates } from './stage.js'

// half as much would stop steps that are merely rough; spurious solutions lie far above
const FACTOR = 2
// where Newton needs more, there is nothing near to find
const MAX_ITERATIONS = 25
/**
 * Newton may halve its steps for Radau only. With K ≥ 3 the solution next to the motion can be gone (two of them met in a fold, which a fast
 * whip does even at 0.0025 s); Newton then strays past singular matrices to a solution that is none: one with 177 J more in one step was seen.
 */
const HALVINGS = 20
/** How much of the acceleration that order 2 finds goes into a first guess: ½ is right for small steps, 1 is its own end. */
const GUESSES = Float64Array.of(0.5, 0, 1)

/** The parts of a step, for the stepper and for derivatives. */
export interface CollocationSystem {
  readonly z: Collocation
  readonly ns: number
  readonly found: MinimizeReport
  init(state: State): void
  /** Reads the state. Writes what the step starts from. */
  load(state: State, h: number): void
  /** Finds the minimum of order 2, from which the guesses are made; `found` says how that went. False where there is none. */
  lower(state: State, tolerance: number, most: number): boolean
  /** Finds the stages, from one guess after the other; `found` sums over them. False where no motion is found: order 2 has to do. */
  solve(state: State, tolerance: number, most: number): boolean
  /** Writes the state at the end of the step, from the stages or from the minimum of order 2. */
  finish(state: State): void
  finishLower(state: State): void
}

export function createCollocationSystem(model: Model, order: string, forces: readonly Force[], formUpTo = FORM_UP_TO): CollocationSystem {
  const radau = order === 'radau'
  const regular = radau ? radauScheme() : collocationScheme(Number(order))
  const first = radau ? regular : startScheme(Number(order))
  const z = createCollocation(model, radau ? [regular] : [regular, first], forces, formUpTo, radau ? HALVINGS : 0)
  const found = createMinimizeReport()
  const { m, start, stages, work } = z
  const { nv, nq } = model
  const n = 12 * model.nbody
  const last = stages.length - 1
  // size of the last step; at its last inner stage: transforms, coordinates; at its end: rates of transforms
  const memory = memoryLayout(radau ? { h: 0, X_: 0, V: 0, q_: 0 } : { h: 1, X_: n, V: n, q_: nq })
  const { at, length: ns } = memory
  const v0 = new Float64Array(nv)
  const p = createStepProblem(model, forces, minimizerRoom(model) + termsRoom(model))
  const terms = stepTerms(p, v0)
  const euler = createMinimizer(p, terms, 'newton')
  const projection = createProjection(m, stages[0].d, z.moments, z.newton, z.factor)
  const lowerProjection = createProjection(m, p.d, euler.moments, euler.work, euler.factor)

  const endRates = (): void => combine(work, work.rates, z.scheme.first[last], stages, z.h, 1)

  /**
   * Polynomials through few points have further solutions when bodies turn far in a step; they show in their energy. That of the motion
   * at the end is at most what there was, what order 2 finds and what the weights gave, within a factor.
   */
  const plausible = (): boolean => {
    const { E, nothing, unit, whole } = work
    const scratch = stages[last].W
    endRates()
    inertialPass(m, z.moments, whole, start.X0, start.V0, nothing, unit, scratch, E)
    const before = E[INERTIAL]
    const height = E[POTENTIAL]
    inertialPass(m, z.moments, whole, stages[last].d.X_WB, work.rates, nothing, unit, scratch, E)
    const after = E[INERTIAL]
    const fall = Math.abs(E[POTENTIAL] - height)
    inertialPass(m, z.moments, nothing, p.d.X_WB, p.d.X_WB, start.X0, euler.work.scale, scratch, E)
    return after <= FACTOR * (before + E[INERTIAL] + fall)
  }

  /** Stages ← along the velocity at the start, and a share of the acceleration of order 2. */
  const guess = (state: State, share: Vec, k: number): void => {
    const h = z.h[0]
    for (let i = 0; i <= last; i++) {
      const c = z.scheme.c[i]
      const a = share[k] * c * c
      for (let r = 0; r < nv; r++) work.xi[r] = h * (c * state.v[r] + a * (p.trial.v[r] - state.v[r]))
      stages[i].state.q.set(state.q)
      integrate(m, stages[i].state.q, work.xi, 1)
    }
  }

  return {
    z,
    ns,
    found,
    init(state) {
      if (state.s.length !== ns) state.s = new Float64Array(ns)
      if (radau) return
      state.s.fill(0)
      forwardKinematics(m, stages[0].d, state.q, state.v)
      poseRates(m, stages[0].d, start.V0)
      state.s.set(start.V0, at.V)
    },
    load(state, h) {
      z.h[0] = h
      const d = p.d
      forwardKinematics(m, d, state.q, state.v)
      start.X0.set(d.X_WB)
      start.q0.set(state.q)
      start.v0.set(state.v)
      if (radau) poseRates(m, d, start.V0)
      else {
        loadMemory(start.X_, state.s, at.X_)
        loadMemory(start.V0, state.s, at.V)
        loadMemory(start.q_, state.s, at.q_)
      }
      z.scheme = radau || state.s[at.h] === h ? regular : first
      for (let i = 0; i <= last; i++) {
        const one = stages[i].state
        one.t = state.t + z.scheme.c[i] * h
        one.tau.set(state.tau)
        shareInputs(one, state)
      }
    },
    lower(state, tolerance, most) {
      p.h[0] = z.h[0]
      p.X0.set(start.X0)
      v0.set(state.v)
      startStep(euler, state, start.V0, v0)
      minimize(euler, found, tolerance, most)
      return found.status === 'ok'
    },
    solve(state, tolerance, most) {
      found.iterations = 0
      found.backtracks = 0
      found.products = 0
      for (let k = 0; k < GUESSES.length; k++) {
        guess(state, GUESSES, k)
        solveStages(z, found, tolerance, Math.min(most, MAX_ITERATIONS))
        if (found.status === 'not-finite') return false
        if (found.status === 'ok' && plausible()) return true
      }
      return false
    },
    finish(state) {
      const { d, W, joint, state: end } = stages[last]
      const h = z.h[0]
      if (work.armed) combineCoordinates(m, work, work.qdd, z.scheme.first[last], start, stages, last, z.h, 1)
      for (let k = 0; k < nv; k++) joint[k] = work.armed ? m.armature[k] * work.qdd[k] : 0
      endRates()
      projectRates(m, d, projection, work.rates, W, joint, end.v)
      if (!radau) {
        state.s[at.h] = h
        const kept = stages[z.scheme.kept]
        state.s.set(kept.d.X_WB, at.X_)
        for (let k = 0; k < n; k++) state.s[at.V + k] = k < 12 ? 0 : work.rates[k]
        state.s.set(kept.state.q, at.q_)
      }
      state.q.set(end.q)
      state.v.set(end.v)
      state.t += h
    },
    finishLower(state) {
      const s = 1 / z.h[0]
      for (let k = 12; k < n; k++) work.rates[k] = s * (p.d.X_WB[k] - start.X0[k])
      for (let k = 0; k < nv; k++) p.joint[k] = m.armature[k] * p.trial.v[k]
      projectRates(m, p.d, lowerProjection, work.rates, p.W, p.joint, state.v)
      if (!radau) {
        state.s[at.h] = 0
        for (let k = 12; k < n; k++) state.s[at.V + k] = work.rates[k]
      }
      state.q.set(p.trial.q)
      state.t += z.h[0]
    },
  }
}

export function createCollocationStepper(model: Model, options: PositionOptions, forces: readonly Force[], formUpTo = FORM_UP_TO): Stepper {
  const system = createCollocationSystem(model, options.order, forces, formUpTo)
  const { found } = system
  const report = createReport()

  return {
    ns: system.ns,
    report,
    init(state) {
      system.init(state)
      resetReport(report)
      report.backtracks = 0
      report.lowered = 0
    },
    enter: (state) => system.init(state),
    step(state, h) {
      report.h = h
      if (!(h > 0 && h < Number.POSITIVE_INFINITY)) {
        report.status = 'bad-step'
        return report
      }
      system.load(state, h)
      const started = system.lower(state, options.tolerance, options.iterations)
      countSearch(report, found)
      if (!started) return refuseStep(report, found)
      const good = system.solve(state, options.tolerance, options.iterations)
      countSearch(report, found)
      if (good) system.finish(state)
      else {
        if (found.status === 'not-finite') return refuseStep(report, found)
        system.finishLower(state)
        report.lowered = (report.lowered ?? 0) + 1
      }
      report.status = 'ok'
      report.steps++
      return report
    },
  }
}
