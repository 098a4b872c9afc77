/**
 * A mechanism as an equation ẏ = f(t, y): y = (ξ, v), with q = centre ⊕ ξ.
 *
 *   ξ̇ = chartRate(ξ, v),  v̇ = forward dynamics(q, v)
 * Joints whose coordinates are plain numbers have the centre 0, so that ξ = q; the others (spherical, free) have it near the present
 * position, moved along when ξ grows: quaternions keep unit length, and no formula sees a singular chart.
 */
import { forwardDynamics } from '../../forces/dynamics.js'
import { chartRate, difference, integrate, jointTypes } from '../../joints/index.js'
import type { Vec } from '../../math/types.js'
import { createData } from '../../model/data.js'
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import { createState, type State } from '../../model/state.js'
import { createPreconditioner } from './joint-preconditioner.js'
import type { Chart, OdeProblem } from './problem.js'

/** beyond this length of ξ the centre is moved: the chart is singular at 2π, and already bent at half of it */
const FAR = 1.5

export interface ModelProblem extends OdeProblem {
  /** y ← the state, with the charts centred at it; takes over the forces from outside. */
  read(y: Vec, state: State): void
  /** Takes over time, joint forces and control from outside. */
  outside(state: State): void
  /** q, v ← y */
  write(q: Vec, v: Vec, y: Vec): void
}

export function createModelProblem(model: Model, forces: readonly Force[] = []): ModelProblem {
  const { nv } = model
  const data = createData(model, { forces })
  const clock = new Float64Array(1)
  const scratch = createState(model)
  const q = scratch.q
  const xi = new Float64Array(nv)
  const rateXi = new Float64Array(nv)
  const curved = curvedVelocities(model)
  const chart = createChart(model, curved)

  const place = (y: Vec): void => {
    for (let k = 0; k < nv; k++) {
      xi[k] = y[k]
      scratch.v[k] = y[nv + k]
    }
    q.set(chart.center())
    integrate(model, q, xi, 1)
  }

  const outside = (state: State): void => {
    scratch.tau.set(state.tau)
    scratch.control = state.control
  }

  return {
    n: 2 * nv,
    clock,
    chart,
    preconditioner: createPreconditioner(model, data, scratch, xi),
    evaluations: () => data.evaluations,

    rate(out, y) {
      scratch.t = clock[0]
      place(y)
      forwardDynamics(model, data, scratch, scratch.tau)
      chartRate(model, rateXi, xi, scratch.v)
      for (let k = 0; k < nv; k++) {
        out[k] = rateXi[k]
        out[nv + k] = data.a[k]
      }
    },

    kinematic: nv,
    kinematicRate(out, y) {
      for (let k = 0; k < nv; k++) {
        xi[k] = y[k]
        scratch.v[k] = y[nv + k]
      }
      chartRate(model, rateXi, xi, scratch.v)
      for (let k = 0; k < nv; k++) out[k] = rateXi[k]
    },

    // ξ of a curved joint depends on where its centre happens to be: its error is measured against one radian, one metre
    weights(w, y, rtol, atol) {
      for (let k = 0; k < nv; k++) {
        w[k] = (curved[k] === 1 ? 1 : Math.abs(y[k])) * rtol + atol
        w[nv + k] = Math.abs(y[nv + k]) * rtol + atol
      }
    },

    read(y, state) {
      outside(state)
      chart.setCenter(state.q)
      difference(model, xi, chart.center(), state.q)
      for (let k = 0; k < nv; k++) {
        y[k] = curved[k] === 1 ? 0 : xi[k]
        y[nv + k] = state.v[k]
      }
    },

    outside,

    write(qOut, vOut, y) {
      place(y)
      qOut.set(q)
      vOut.set(scratch.v)
    },
  }
}

/** 1 for the velocities of joints whose coordinates are not plain numbers. */
function curvedVelocities(m: Model): Uint8Array {
  const out = new Uint8Array(m.nv)
  for (let j = 0; j < m.njoint; j++) {
    const type = jointTypes[m.jointType[j]]
    if (!type.linear) out.fill(1, m.jointV[j], m.jointV[j] + type.nv)
  }
  return out
}

interface ModelChart extends Chart {
  center(): Vec
  setCenter(q: Vec): void
}

function createChart(m: Model, curved: Uint8Array): ModelChart {
  const { nv } = m
  const components = Int32Array.from(Array.from(curved.keys()).filter((k) => curved[k] === 1))
  let center: Vec = new Float64Array(m.nq)
  const next = new Float64Array(m.nq)
  const q = new Float64Array(m.nq)
  const xi = new Float64Array(nv)
  const v = new Float64Array(nv)
  const rateXi = new Float64Array(nv)

  /** centre of linear joints 0, of the others as in q */
  const setCurved = (out: Vec, from: Vec): void => {
    out.fill(0)
    for (let j = 0; j < m.njoint; j++) {
      const type = jointTypes[m.jointType[j]]
      if (type.linear) continue
      const o = m.jointQ[j]
      for (let k = o; k < o + type.nq; k++) out[k] = from[k]
    }
  }
  const place = (y: Vec): void => {
    for (let k = 0; k < nv; k++) xi[k] = y[k]
    q.set(center)
    integrate(m, q, xi, 1)
  }

  return {
    components,
    size: m.nq,
    center: () => center,
    setCenter: (from) => setCurved(center, from),
    bind(array) {
      center = array
    },
    leaving(y) {
      for (let j = 0; j < m.njoint; j++) {
        const k = m.jointV[j]
        if (curved[k] !== 1) continue
        let sum = 0
        // a curved joint turns by its first three velocities; translations are at home in every chart
        const n = Math.min(3, jointTypes[m.jointType[j]].nv)
        for (let r = 0; r < n; r++) sum += y[k + r] * y[k + r]
        if (sum > FAR * FAR) return true
      }
      return false
    },
    begin(y) {
      place(y)
      setCurved(next, q)
    },
    move(out, rate, y) {
      place(y)
      difference(m, xi, next, q)
      for (let k = 0; k < nv; k++) v[k] = y[nv + k]
      chartRate(m, rateXi, xi, v)
      for (let c = 0; c < components.length; c++) {
        const k = components[c]
        out[k] = xi[k]
        rate[k] = rateXi[k]
      }
    },
    commit() {
      center.set(next)
    },
  }
}
