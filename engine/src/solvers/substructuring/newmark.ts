/**
 * A step of Newmark's method with a fixed number of Newton's iterations. Read this file first.
 *
 *   ξ* = h v + h² (½ − β) a,   v* = v + h (1 − γ) a          of the accelerations a at the start
 *   q⁺ = q ⊕ (ξ* + β h² a⁺),   v⁺ = v* + γ h a⁺
 * with a⁺ those at the end, from the linear system at a guess (`system`). The first guess: velocities and joints go on by the mean acceleration of the
 * step before; modes stay where they are. To predict them would throw stiff modes hω times as far as they ever go, to where their energy is another.
 * Two iterations have the order of the method; one is first order, for what is damped anyway.
 *
 * Where K of a domain in strong compression leaves no positive definite matrix, the step is made once more with that of the rest shape.
 */
import { integrate } from '../../joints/index.js'
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import { type State, shareInputs } from '../../model/state.js'
import { firstBad } from '../first-bad.js'
import { memoryLayout } from '../memory-layout.js'
import { createReport, resetReport, type Stepper } from '../solver.js'
import type { Level } from './levels.js'
import { createNewmarkSystem } from './system.js'

export interface NewmarkOptions {
  readonly inertia: Level | 'exact'
  readonly iterations: number
  readonly beta: number
  readonly gamma: number
}

export function createNewmarkStepper(m: Model, options: NewmarkOptions, forces: readonly Force[]): Stepper {
  const { inertia, iterations, beta, gamma } = options
  const { nq, nv, modes } = m
  const system = createNewmarkSystem(m, inertia, forces)
  const { guess, way, speed, a } = system
  const report = createReport()
  /** accelerations, and mean ones of the last step */
  const memory = memoryLayout({ a: nv, mean: nv })
  const { at } = memory
  /** ξ* and v*, ξ̂ */
  const star = new Float64Array(nv)
  const starSpeed = new Float64Array(nv)
  const guessed = new Float64Array(nv)
  /** where the step ends */
  const end: State = {
    t: 0,
    q: new Float64Array(nq),
    v: new Float64Array(nv),
    s: new Float64Array(0),
    tau: guess.tau,
    control: guess.control,
    act: guess.act,
    since: guess.since,
  }

  const begin = (state: State): void => {
    guess.tau.set(state.tau)
    shareInputs(guess, state)
  }

  /** ξ̂, v̂ and the motion between them and the predictor. */
  const look = (state: State): void => {
    guess.q.set(state.q)
    integrate(m, guess.q, guessed, 1)
    for (let k = 0; k < nv; k++) {
      way[k] = star[k] - guessed[k]
      speed[k] = starSpeed[k] - guess.v[k]
    }
  }

  const guessOn = (state: State, h: number): void => {
    const { v, s } = state
    for (let k = 0; k < nv; k++) {
      const mean = s[at.mean + k]
      guess.v[k] = v[k] + h * mean
      guessed[k] = h * (v[k] + 0.5 * h * mean)
    }
    for (let l = 0; l < modes.count; l++) guessed[modes.iv[l]] = 0
  }

  const iterate = (state: State, h: number, rest: boolean): boolean => {
    guessOn(state, h)
    system.scale[0] = beta * h * h
    system.scale[1] = gamma * h
    for (let n = 0; n < iterations; n++) {
      report.iterations++
      look(state)
      system.solve(rest)
      for (let k = 0; k < nv; k++) {
        guessed[k] = star[k] + beta * h * h * a[k]
        guess.v[k] = starSpeed[k] + gamma * h * a[k]
      }
    }
    end.q.set(state.q)
    integrate(m, end.q, guessed, 1)
    end.v.set(guess.v)
    return firstBad(m, end) < 0
  }

  /** Accelerations at the state, with which the first step begins. */
  const enter = (state: State): void => {
    if (state.s.length !== memory.length) state.s = new Float64Array(memory.length)
    const { s } = state
    guess.t = state.t
    begin(state)
    guess.q.set(state.q)
    guess.v.set(state.v)
    way.fill(0)
    speed.fill(0)
    system.scale.fill(0)
    system.solve(false)
    for (let k = 0; k < nv; k++) {
      const known = Number.isFinite(a[k]) ? a[k] : 0
      s[at.a + k] = known
      s[at.mean + k] = known
    }
    report.evaluations = system.data.evaluations
  }

  return {
    ns: memory.length,
    report,
    enter,
    init(state) {
      resetReport(report)
      system.data.evaluations = 0
      enter(state)
    },
    step(state, h) {
      report.joint = -1
      report.h = h
      if (!(h > 0 && h < Number.POSITIVE_INFINITY)) {
        report.status = 'bad-step'
        return report
      }
      const { q, v, s } = state
      guess.t = state.t + h
      begin(state)
      for (let k = 0; k < nv; k++) {
        const known = s[at.a + k]
        star[k] = h * (v[k] + (0.5 - beta) * h * known)
        starSpeed[k] = v[k] + (1 - gamma) * h * known
      }
      const good = iterate(state, h, false) || iterate(state, h, true)
      report.evaluations = system.data.evaluations
      if (!good) {
        report.status = 'diverged'
        report.joint = firstBad(m, end)
        report.rejected++
        return report
      }
      for (let k = 0; k < nv; k++) {
        s[at.a + k] = a[k]
        s[at.mean + k] = (end.v[k] - v[k]) / h
      }
      q.set(end.q)
      v.set(end.v)
      state.t += h
      report.status = 'ok'
      report.steps++
      return report
    },
  }
}
