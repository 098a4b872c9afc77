/**
 * A mechanism as an equation ẏ = f(t, y): y = (ξ, v), with q = centre ⊕ ξ.
 *
 *   ξ̇ = chartRate(ξ, v),  v̇ = forward dynamics(q, v), with the forces that hold loops
 * Joints whose coordinates are plain numbers have the centre 0, so that ξ = q; the others (spherical, free) have it near the present
 * position, moved along when ξ grows: quaternions keep unit length, and no formula sees a singular chart.
 */
import { createConstrainedDynamics, type Dynamics } from '../../constraints/loops/dynamics.js'
import { difference, jointTypes } from '../../joints/index.js'
import type { Vec } from '../../math/types.js'
import { createData, type Data } from '../../model/data.js'
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import { velocityEnd } from '../../model/modes.js'
import { type State, shareInputs } from '../../model/state.js'
import { createPreconditioner } from './joint-preconditioner.js'
import type { Chart, Groups, OdeProblem } from './problem.js'

export interface ModelProblem extends OdeProblem {
  readonly data: Data
  readonly groups: Groups
  readonly chart: Chart
  readonly kinematic: number
  kinematicRate(out: Vec, y: Vec, from: number, to: number): void
  /** coordinates, velocities and forces from outside of the last evaluation */
  readonly state: State
  /** Writes coordinates and velocities of the bodies from … to − 1 to `state`. */
  place(y: Vec, from: number, to: number): void
  /** y ← the state, with the charts centred at it; takes over the forces from outside. */
  read(y: Vec, state: State): void
  /** Takes over joint forces and control from outside. */
  outside(state: State): void
  /** q, v ← y */
  write(q: Vec, v: Vec, y: Vec): void
}

/** `dynamics`: what gives the accelerations; default: those that hold the model's constraints. */
export function createModelProblem(
  model: Model,
  forces: readonly Force[] = [],
  data = createData(model, { forces }),
  dynamics: Dynamics = createConstrainedDynamics(model, data),
): ModelProblem {
  const { nv, nbody, coordinate, jointType } = model
  const clock = new Float64Array(1)
  const state = createStateBeside(model, data)
  const { q, v } = state
  const xi = new Float64Array(nv)
  const rateXi = new Float64Array(nv)
  const absolute = curvedEntries(model)
  const groups: Groups = {
    count: nbody,
    parent: model.parent,
    first: model.iv,
    end: Int32Array.from({ length: nbody }, (_, i) => velocityEnd(model, i)),
  }
  const chart = createChart(model)
  const { start, joint } = chart

  const place = (y: Vec, from: number, to: number): void => {
    placeEntries(groups, coordinate, from, to, y, q, v, xi)
    for (let p = start[from]; p < start[to]; p++) chart.place(p, q, xi)
  }

  const kinematicRate = (out: Vec, y: Vec, from: number, to: number): void => {
    copyVelocities(groups, from, to, out, y)
    for (let p = start[from]; p < start[to]; p++) {
      const j = joint[p]
      for (let k = chart.first[p]; k < chart.end[p]; k++) {
        xi[k] = y[k]
        v[k] = y[nv + k]
      }
      jointTypes[jointType[j]].chartRate(model, j, rateXi, xi, v)
      for (let k = chart.first[p]; k < chart.end[p]; k++) out[k] = rateXi[k]
    }
  }

  const outside = (from: State): void => {
    state.tau.set(from.tau)
    shareInputs(state, from)
  }

  return {
    n: 2 * nv,
    clock,
    chart,
    groups,
    absolute,
    data,
    state,
    place,
    preconditioner: createPreconditioner(model, data, state, xi),
    evaluations: () => data.evaluations,

    rate(out, y) {
      state.t = clock[0]
      place(y, 1, nbody)
      dynamics(state)
      kinematicRate(out, y, 1, nbody)
      for (let k = 0; k < nv; k++) out[nv + k] = data.a[k]
    },

    kinematic: nv,
    kinematicRate,

    read(y, from) {
      outside(from)
      chart.setCenter(from.q)
      difference(model, xi, chart.center(), from.q)
      for (let k = 0; k < nv; k++) {
        y[k] = absolute[k] === 1 ? 0 : xi[k]
        y[nv + k] = from.v[k]
      }
    },

    outside,

    write(qOut, vOut, y) {
      place(y, 1, nbody)
      qOut.set(q)
      vOut.set(v)
    },
  }
}

/** q, v ← y of plain coordinates, ξ and v of the others */
function placeEntries({ first, end }: Groups, coordinate: Int32Array, from: number, to: number, y: Vec, q: Vec, v: Vec, xi: Vec): void {
  const nv = xi.length
  for (let i = from; i < to; i++) {
    for (let k = first[i]; k < end[i]; k++) {
      v[k] = y[nv + k]
      const c = coordinate[k]
      if (c >= 0) q[c] = y[k]
      else xi[k] = y[k]
    }
  }
}

/** out ← the velocities of y, which are the rates of plain coordinates */
function copyVelocities({ first, end }: Groups, from: number, to: number, out: Vec, y: Vec): void {
  const nv = y.length / 2
  for (let i = from; i < to; i++) for (let k = first[i]; k < end[i]; k++) out[k] = y[nv + k]
}

/** A state whose coordinates and velocities kernels read where they stand. Written out: in a copied record the time would be boxed anew in every call. */
function createStateBeside(m: Model, { state: { q, v } }: Data): State {
  q.set(m.q0)
  v.fill(0)
  return {
    t: 0,
    q,
    v,
    s: new Float64Array(0),
    tau: new Float64Array(m.nv),
    control: new Float64Array(m.nu),
    act: new Float64Array(m.na),
    since: new Float64Array(2),
  }
}

/** 1 for the local coordinates of joints whose coordinates are not plain numbers: ξ depends on where the centre happens to be. */
function curvedEntries(m: Model): Uint8Array {
  return Uint8Array.from({ length: 2 * m.nv }, (_, k) => (k < m.nv && m.coordinate[k] < 0 ? 1 : 0))
}

interface ModelChart extends Chart {
  /** of each patch */
  readonly joint: Int32Array
  center(): Vec
  setCenter(q: Vec): void
  /** q ← centre ⊕ ξ in patch p */
  place(p: number, q: Vec, xi: Vec): void
}

function createChart(m: Model): ModelChart {
  const { nv, nbody, jointType, jointQ, jointV, ij, ijEnd } = m
  const joints: number[] = []
  const start = new Int32Array(nbody + 1)
  for (let i = 0; i < nbody; i++) {
    start[i] = joints.length
    for (let j = ij[i]; j < ijEnd[i]; j++) if (!jointTypes[jointType[j]].linear) joints.push(j)
  }
  start[nbody] = joints.length
  const joint = Int32Array.from(joints)
  const first = joint.map((j) => jointV[j])
  const end = joint.map((j) => jointV[j] + jointTypes[jointType[j]].nv)
  // a curved joint turns by its first three velocities; translations are at home in every chart
  const turning = new Uint8Array(2 * nv)
  for (const k of first) turning.fill(1, k, k + 3)
  let center: Vec = new Float64Array(m.nq)
  const next = new Float64Array(m.nq)
  const q = new Float64Array(m.nq)
  const xi = new Float64Array(nv)
  const v = new Float64Array(nv)
  const rateXi = new Float64Array(nv)

  /** out ← from, the coordinates of patch p */
  const copy = (p: number, out: Vec, from: Vec): void => {
    const o = jointQ[joint[p]]
    const { nq } = jointTypes[jointType[joint[p]]]
    for (let k = o; k < o + nq; k++) out[k] = from[k]
  }
  const place = (p: number, out: Vec, at: Vec): void => {
    copy(p, out, center)
    jointTypes[jointType[joint[p]]].integrate(m, joint[p], out, at, 1)
  }

  return {
    patches: joint.length,
    joint,
    start,
    first,
    end,
    turning,
    size: m.nq,
    center: () => center,
    // linear joints have the centre 0
    setCenter(from) {
      center.fill(0)
      for (let p = 0; p < joint.length; p++) copy(p, center, from)
    },
    bind(array) {
      center = array
    },
    place,
    begin: (p, y) => place(p, next, y),
    move(p, out, rate, y) {
      const j = joint[p]
      const type = jointTypes[jointType[j]]
      place(p, q, y)
      for (let k = first[p]; k < end[p]; k++) v[k] = y[nv + k]
      type.difference(m, j, xi, next, q)
      type.chartRate(m, j, rateXi, xi, v)
      for (let k = first[p]; k < end[p]; k++) {
        out[k] = xi[k]
        rate[k] = rateXi[k]
      }
    },
    commit: (p) => copy(p, center, next),
  }
}
