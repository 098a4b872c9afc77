/**
 * Fixed-step integrators on the articulated-body method: explicit Runge–Kutta by tableau, and semi-implicit Euler.
 *
 * Positions advance on the joints' manifold [MuntheKaas]: within a step q = q₀ ⊕ ξ, and the method integrates
 *   ξ̇ = chartRate(ξ, v),  v̇ = forward dynamics(q₀ ⊕ ξ, v)
 * so that quaternion joints keep both unit length and the order of the tableau.
 */
import { forwardDynamics } from '../../forces/dynamics.js'
import { chartRate, integrate } from '../../joints/index.js'
import type { Vec } from '../../math/types.js'
import { createData } from '../../model/data.js'
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import { createState, type State } from '../../model/state.js'
import { firstBad } from '../first-bad.js'
import { createReport, resetReport, type Stepper } from '../solver.js'
import type { Tableau } from './tableaus.js'

/** A stepper without memory: `advance` writes the new position and velocity to `next`. */
function fixedStepper(model: Model, advance: (state: State, next: State, h: number) => void, evaluations: () => number): Stepper {
  const next = createState(model)
  const report = createReport()
  let start = 0
  return {
    ns: 0,
    report,
    init(state) {
      state.s = new Float64Array(0)
      start = evaluations()
      resetReport(report)
    },
    enter() {},
    step(state, h) {
      report.h = h
      if (!(h > 0 && h < Number.POSITIVE_INFINITY)) {
        report.status = 'bad-step'
        return report
      }
      advance(state, next, h)
      report.evaluations = evaluations() - start
      const bad = firstBad(model, next)
      report.joint = bad
      if (bad >= 0) {
        report.status = 'diverged'
        report.rejected++
        return report
      }
      state.q.set(next.q)
      state.v.set(next.v)
      state.t += h
      report.status = 'ok'
      report.steps++
      return report
    },
  }
}

export function rungeKutta(model: Model, { a, b, c }: Tableau, forces: readonly Force[]): Stepper {
  const data = createData(model, { forces })
  const { nv } = model
  const stages = b.length
  const xiRate: Vec[] = b.map(() => new Float64Array(nv))
  const vRate: Vec[] = b.map(() => new Float64Array(nv))
  const xi = new Float64Array(nv)

  /** stage ← state advanced by h Σ weights · rates */
  const combine = (state: State, stage: State, weights: readonly number[], h: number): void => {
    xi.fill(0)
    stage.v.set(state.v)
    for (let j = 0; j < weights.length; j++) {
      const w = h * weights[j]
      if (w === 0) continue
      const dx = xiRate[j]
      const dv = vRate[j]
      for (let k = 0; k < nv; k++) {
        xi[k] += w * dx[k]
        stage.v[k] += w * dv[k]
      }
    }
    stage.q.set(state.q)
    integrate(model, stage.q, xi, 1)
  }

  return fixedStepper(
    model,
    (state, next, h) => {
      next.control = state.control
      next.tau.set(state.tau)
      for (let i = 0; i < stages; i++) {
        next.t = state.t + c[i] * h
        combine(state, next, a[i], h)
        forwardDynamics(model, data, next, state.tau)
        vRate[i].set(data.a)
        chartRate(model, xiRate[i], xi, next.v)
      }
      combine(state, next, b, h)
    },
    () => data.evaluations,
  )
}

/** v⁺ = v + h a(q, v), q⁺ = q ⊕ h v⁺ */
export function semiImplicitEuler(model: Model, forces: readonly Force[]): Stepper {
  const data = createData(model, { forces })
  const { nv } = model
  return fixedStepper(
    model,
    (state, next, h) => {
      forwardDynamics(model, data, state, state.tau)
      for (let k = 0; k < nv; k++) next.v[k] = state.v[k] + h * data.a[k]
      next.q.set(state.q)
      integrate(model, next.q, next.v, h)
    },
    () => data.evaluations,
  )
}
