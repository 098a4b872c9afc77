/**
 * One stage of a collocation step: its configuration, and the residual of the equations of motion there (equation 6 of Pan and Manocha 2018)
 *   R = Jᵀ (T̈ Mt − weight − forces) + armature · q̈ − joint forces
 * with T̈ and the velocity from the polynomial through all stages. Velocities of joints come from Ṫ: the twist of each body relative to its
 * parent, along the joint's axes in the sense of least squares.
 */
import { applyForces } from '../../../forces/dynamics.js'
import { chartRate, difference } from '../../../joints/index.js'
import { cholesky, choleskySolve } from '../../../linalg/dense/cholesky.js'
import { motionToChild } from '../../../math/spatial.js'
import type { Vec } from '../../../math/types.js'
import { createData, type Data } from '../../../model/data.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import { createState, type State } from '../../../model/state.js'
import { updateVelocities } from '../../../tree/kinematics.js'
import { addWrench, setDot6 } from '../energy/body-sums.js'
import { inertialPass } from '../energy/inertial.js'
import { gradientPass, type NewtonWork } from '../euler/newton-factor.js'
import { EARLIER, RATE, type Scheme, STAGES, START } from './scheme.js'

export interface Stage {
  readonly d: Data
  readonly state: State
  readonly Tdd: Vec
  readonly W: Vec
  readonly joint: Vec
  readonly R: Vec
}

export function createStage(m: Model, forces: readonly Force[]): Stage {
  return {
    d: createData(m, { forces }),
    state: createState(m),
    Tdd: new Float64Array(12 * m.nbody),
    W: new Float64Array(12 * m.nbody),
    joint: new Float64Array(m.nv),
    R: new Float64Array(m.nv),
  }
}

/** What the step starts from. */
export interface StepStart {
  /** transforms before and at the start, and their rate (12 a body each) */
  readonly X_: Vec
  readonly X0: Vec
  readonly V0: Vec
  /** the same in joint coordinates, for armature */
  readonly q_: Vec
  readonly q0: Vec
  readonly v0: Vec
}

export function createStepStart(m: Model): StepStart {
  const n = 12 * m.nbody
  return {
    X_: new Float64Array(n),
    X0: new Float64Array(n),
    V0: new Float64Array(n),
    q_: new Float64Array(m.nq),
    q0: new Float64Array(m.nq),
    v0: new Float64Array(m.nv),
  }
}

/** out (12 a body) ← Σ weights · columns / h^power. */
export function combine(out: Vec, n: number, weights: Vec, start: StepStart, stages: readonly Stage[], size: Vec, power: number): void {
  const h = size[0]
  const scale = power === 2 ? 1 / (h * h) : 1 / h
  const a = scale * weights[EARLIER]
  const b = scale * weights[START]
  const c = scale * h * weights[RATE]
  const { X_, X0, V0 } = start
  for (let k = 12; k < n; k++) out[k] = b * X0[k]
  if (a !== 0) for (let k = 12; k < n; k++) out[k] += a * X_[k]
  if (c !== 0) for (let k = 12; k < n; k++) out[k] += c * V0[k]
  for (let j = 0; j < stages.length; j++) {
    const w = scale * weights[STAGES + j]
    const X = stages[j].d.X_WB
    for (let k = 12; k < n; k++) out[k] += w * X[k]
  }
}

export interface StageWork {
  readonly rates: Vec
  readonly phi: Vec
  readonly twist: Vec
  readonly G: Vec
  readonly xi: Vec
  readonly rate: Vec
  readonly qdd: Vec
  readonly h: Vec
  readonly E: Vec
  readonly weightless: Vec
  readonly whole: Vec
  readonly armed: boolean
}

export function createStageWork(m: Model): StageWork {
  return {
    rates: new Float64Array(12 * m.nbody),
    phi: new Float64Array(6 * m.nbody),
    twist: new Float64Array(6),
    G: new Float64Array(36),
    xi: new Float64Array(m.nv),
    rate: new Float64Array(m.nv),
    qdd: new Float64Array(m.nv),
    h: new Float64Array(1),
    E: new Float64Array(2),
    weightless: new Float64Array(m.nbody),
    whole: new Float64Array(m.nbody).fill(1),
    armed: m.armature.some((a) => a !== 0),
  }
}

/** v ← velocities of the joints at the poses of d when the transforms change at the rates given. */
export function jointRates(m: Model, d: Data, w: StageWork, rates: Vec, v: Vec): void {
  const { nbody, parent, iv } = m
  const { X_WB: X, X_PB, S } = d
  const { phi, twist, G } = w
  for (let i = 1; i < nbody; i++) {
    const x = 12 * i
    const b = 6 * i
    // [ω] = skew part of Rᵀ Ṙ
    for (let r = 0; r < 3; r++) phi[b + r] = 0
    for (let r = x; r < x + 9; r += 3) {
      phi[b] += 0.5 * (X[r + 2] * rates[r + 1] - X[r + 1] * rates[r + 2])
      phi[b + 1] += 0.5 * (X[r] * rates[r + 2] - X[r + 2] * rates[r])
      phi[b + 2] += 0.5 * (X[r + 1] * rates[r] - X[r] * rates[r + 1])
    }
    for (let r = 0; r < 3; r++) phi[b + 3 + r] = X[x + r] * rates[x + 9] + X[x + 3 + r] * rates[x + 10] + X[x + 6 + r] * rates[x + 11]
    motionToChild(twist, 0, X_PB, x, phi, 6 * parent[i])
    for (let r = 0; r < 6; r++) twist[r] = phi[b + r] - twist[r]
    const k = iv[i]
    const n = iv[i + 1] - k
    for (let r = 0; r < n; r++) {
      setDot6(v, k + r, S, 6 * (k + r), twist, 0)
      for (let c = 0; c <= r; c++) setDot6(G, r * n + c, S, 6 * (k + r), S, 6 * (k + c))
    }
    if (n === 1) v[k] /= G[0]
    else if (n > 1 && cholesky(G, 0, n)) choleskySolve(G, 0, n, v, k, 1)
  }
}

/** out (nv) ← Σ weights · coordinates in the chart at stage i / h^power: what the polynomial is in joint coordinates. */
export function combineCoordinates(
  m: Model,
  w: StageWork,
  out: Vec,
  weights: Vec,
  start: StepStart,
  stages: readonly Stage[],
  i: number,
  size: Vec,
  power: number,
): void {
  const h = size[0]
  const scale = power === 2 ? 1 / (h * h) : 1 / h
  const q = stages[i].state.q
  const { nv } = m
  difference(m, w.xi, q, start.q0)
  for (let k = 0; k < nv; k++) out[k] = scale * weights[START] * w.xi[k]
  if (weights[RATE] !== 0) {
    chartRate(m, w.rate, w.xi, start.v0)
    for (let k = 0; k < nv; k++) out[k] += scale * h * weights[RATE] * w.rate[k]
  }
  if (weights[EARLIER] !== 0) {
    difference(m, w.xi, q, start.q_)
    for (let k = 0; k < nv; k++) out[k] += scale * weights[EARLIER] * w.xi[k]
  }
  for (let j = 0; j < stages.length; j++) {
    if (j === i) continue
    difference(m, w.xi, q, stages[j].state.q)
    for (let k = 0; k < nv; k++) out[k] += scale * weights[STAGES + j] * w.xi[k]
  }
}

/** Reads the poses of all stages. Writes W, joint and R of stage i; `forces` says whether there is more than weight. */
export function stageResidual(
  m: Model,
  w: StageWork,
  newton: NewtonWork,
  moments: Vec,
  scheme: Scheme,
  start: StepStart,
  stages: readonly Stage[],
  i: number,
  h: Vec,
  forces: boolean,
): void {
  const n = 12 * m.nbody
  const { d, state, Tdd, W, joint, R } = stages[i]
  combine(Tdd, n, scheme.second[i], start, stages, h, 2)
  inertialPass(m.nbody, moments, m.gravity, w.whole, d.X_WB, Tdd, h, W, w.E)
  for (let k = 0; k < m.nv; k++) joint[k] = -state.tau[k]
  if (forces) {
    combine(w.rates, n, scheme.first[i], start, stages, h, 1)
    jointRates(m, d, w, w.rates, state.v)
    updateVelocities(m, d, state.v)
    applyForces(m, d, state)
    for (let b = 1; b < m.nbody; b++) addWrench(W, b, d.f, 6 * b)
    for (let k = 0; k < m.nv; k++) joint[k] -= d.qf[k]
  }
  if (w.armed) {
    combineCoordinates(m, w, w.qdd, scheme.second[i], start, stages, i, h, 2)
    for (let k = 0; k < m.nv; k++) joint[k] += m.armature[k] * w.qdd[k]
  }
  gradientPass(m, d, newton, W, joint, R)
}
