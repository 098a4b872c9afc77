/**
 * Fixed-step integrators on the articulated-body method: explicit Runge–Kutta by tableau, and semi-implicit Euler. Runge–Kutta may make a step
 * in parts (`parts`), as many as the motion at their beginning asks for; it has no memory then either.
 *
 * Positions advance on the joints' manifold [MuntheKaas]: within a step q = q₀ ⊕ ξ, and the method integrates
 *   ξ̇ = chartRate(ξ, v),  v̇ = forward dynamics(q₀ ⊕ ξ, v)
 * so that quaternion joints keep both unit length and the order of the tableau.
 */
import { createConstrainedDynamics } from '../../constraints/loops/dynamics.js'
import type { LoopOptions } from '../../constraints/loops/loops.js'
import { chartRate, integrate } from '../../joints/index.js'
import type { Vec } from '../../math/types.js'
import { createData, type Data } from '../../model/data.js'
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import { createState, type State, shareInputs } from '../../model/state.js'
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

/**
 * Into how many equal parts the time span[0] is divided, of which the first is made; called with the accelerations at its beginning in data. In an array: a number
 * that is handed over would be boxed.
 */
export type Parts = (data: Data, span: Vec) => number

export function rungeKutta(model: Model, { a, b, c }: Tableau, forces: readonly Force[], loops?: LoopOptions, parts?: Parts): Stepper {
  const data = createData(model, { forces })
  const dynamics = createConstrainedDynamics(model, data, loops)
  const begun = createState(model)
  const span = new Float64Array(1)
  // size of the part at hand: a number that crosses a call would be boxed
  const size = new Float64Array(1)
  const { nv } = model
  const stages = b.length
  const xiRate: Vec[] = b.map(() => new Float64Array(nv))
  const vRate: Vec[] = b.map(() => new Float64Array(nv))
  const xi = new Float64Array(nv)

  /** stage ← state advanced by size[0] Σ weights · rates */
  const combine = (state: State, stage: State, weights: readonly number[]): void => {
    const h = size[0]
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
      shareInputs(next, state)
      next.tau.set(state.tau)
      let from = state
      let left = h
      for (let count = 2; count > 1; ) {
        size[0] = left
        count = 1
        for (let i = 0; i < stages; i++) {
          next.t = from.t + c[i] * size[0]
          combine(from, next, a[i])
          dynamics(next)
          vRate[i].set(data.a)
          chartRate(model, xiRate[i], xi, next.v)
          if (i > 0 || !parts) continue
          span[0] = left
          count = parts(data, span)
          size[0] = left / count
        }
        combine(from, next, b)
        if (count === 1) return
        // on from there
        begun.q.set(next.q)
        begun.v.set(next.v)
        left -= size[0]
        begun.t = state.t + h - left
        from = begun
      }
    },
    () => data.evaluations,
  )
}

/** v⁺ = v + h a(q, v), q⁺ = q ⊕ h v⁺ */
export function semiImplicitEuler(model: Model, forces: readonly Force[], loops?: LoopOptions): Stepper {
  const data = createData(model, { forces })
  const dynamics = createConstrainedDynamics(model, data, loops)
  const { nv } = model
  return fixedStepper(
    model,
    (state, next, h) => {
      dynamics(state)
      for (let k = 0; k < nv; k++) next.v[k] = state.v[k] + h * data.a[k]
      next.q.set(state.q)
      integrate(model, next.q, next.v, h)
    },
    () => data.evaluations,
  )
}
