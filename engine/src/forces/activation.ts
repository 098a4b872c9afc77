/**
 * Activations: actuators whose force follows the control with a lag, as MuJoCo has them.
 *
 *   integrator ẇ = u,   filter ẇ = (u − w)/τ,   muscle ẇ = (u − w)/τ(u, w)
 *
 * No activation depends on the motion, so that it is known over a whole step from where it stood at the beginning, and solvers that look into a
 * step find it at the time of each stage: w + Δt ẇ, and with `filterexact` w + (u − w)(1 − exp(−Δt/τ)). At the end of a step that is MuJoCo's own.
 */
import { exp } from '../math/own.js'
import type { Vec } from '../math/types.js'
import { DYNAMICS_EXACT_FILTER, DYNAMICS_FILTER, DYNAMICS_INTEGRATOR, type Model } from '../model/model.js'
import type { State } from '../model/state.js'

const SMALLEST = 1e-15

// numbers travel in an array: handed over a call that is not inlined they cost an allocation
const work = new Float64Array(4)
const CONTROL = 0
const PASSED = 1
const RESULT = 2
const CURVE = 3

/** out[o] ← what actuator k multiplies its gain with: the control in its range, or the activation at the time of the state. */
export function actuatorInput(out: Vec, o: number, m: Model, s: State, k: number): void {
  const { controlRange, activation, early } = m.actuators
  work[CONTROL] = Math.min(Math.max(s.control[k], controlRange[2 * k]), controlRange[2 * k + 1])
  out[o] = work[CONTROL]
  if (activation[k] < 0) return
  const passed = s.t - s.since[0]
  work[PASSED] = (passed > 0 ? passed : 0) + (early[k] === 1 ? s.since[1] : 0)
  out[o] = s.act[activation[k]]
  if (work[PASSED] > 0) advance(out, o, m, k)
}

/** out[o] ← the activation of actuator k, from out[o], after the time and under the control in `work`. */
function advance(out: Vec, o: number, m: Model, k: number): void {
  const { dynamics, times, actRange } = m.actuators
  const w = out[o]
  const u = work[CONTROL]
  const dt = work[PASSED]
  const tau = Math.max(SMALLEST, times[3 * k])
  let next = w
  if (dynamics[k] === DYNAMICS_INTEGRATOR) next += dt * u
  else if (dynamics[k] === DYNAMICS_FILTER) next += (dt * (u - w)) / tau
  else if (dynamics[k] === DYNAMICS_EXACT_FILTER) next += (u - w) * (1 - exp(-dt / tau))
  else {
    muscleRate(times, 3 * k, out, o)
    next += dt * work[RESULT]
  }
  out[o] = Math.min(Math.max(next, actRange[2 * k]), actRange[2 * k + 1])
}

/** work ← rate of the activation out[o]. Time constants t[i …]: rise, fall, and the width over which one passes into the other. */
function muscleRate(t: Vec, i: number, out: Vec, o: number): void {
  const w = out[o]
  const u = Math.min(Math.max(work[CONTROL], 0), 1)
  const level = 0.5 + 1.5 * Math.min(Math.max(w, 0), 1)
  const rise = t[i] * level
  const fall = t[i + 1] / level
  const width = t[i + 2]
  const change = u - w
  // a smooth step of fifth order
  const x = width < SMALLEST ? (change > 0 ? 1 : 0) : Math.min(Math.max(change / width + 0.5, 0), 1)
  const tau = fall + (rise - fall) * (x * x * x * (3 * x * (2 * x - 5) + 10))
  work[RESULT] = change / Math.max(SMALLEST, tau)
}

/** Before a step of h from where the state stands: activations count from here. */
export function beginActivations(s: State, h: number): void {
  s.since[0] = s.t
  s.since[1] = h
}

/** After a step, whole or not: activations become those of the time at which the state has come. */
export function endActivations(m: Model, s: State): void {
  const { count, activation, controlRange } = m.actuators
  const dt = s.t - s.since[0]
  s.since[0] = Number.NaN
  if (!(dt > 0)) return
  for (let k = 0; k < count; k++) {
    if (activation[k] < 0) continue
    work[CONTROL] = Math.min(Math.max(s.control[k], controlRange[2 * k]), controlRange[2 * k + 1])
    work[PASSED] = dt
    advance(s.act, activation[k], m, k)
  }
}

// of a muscle: ends of its range in units of the best length, force, lmin, lmax, vmax, fpmax, fvmax
const LOW = 0
const HIGH = 1
const FORCE = 2
const LMIN = 3
const LMAX = 4
const VMAX = 5
const FPMAX = 6
const FVMAX = 7

/** out[0] += u[0] times what muscle p[i …] pulls with at full activation, at the length and rate x[0], x[1]; range[j …] are the ends of its length. */
export function addMuscleGain(out: Vec, u: Vec, p: Vec, i: number, range: Vec, j: number, x: Vec): void {
  const unit = (range[j + 1] - range[j]) / Math.max(SMALLEST, p[i + HIGH] - p[i + LOW])
  work[RESULT] = p[i + LOW] + (x[0] - range[j]) / Math.max(SMALLEST, unit)
  lengthCurve(p, i)
  const V = x[1] / Math.max(SMALLEST, unit * p[i + VMAX])
  const most = p[i + FVMAX]
  const y = most - 1
  const rate = V <= -1 ? 0 : V <= 0 ? (V + 1) * (V + 1) : V <= y ? most - ((y - V) * (y - V)) / Math.max(SMALLEST, y) : most
  out[0] -= p[i + FORCE] * work[CURVE] * rate * u[0]
}

/** work ← a bell of four parabolas over the length there: 0 at the ends, 1 at 1. */
function lengthCurve(p: Vec, i: number): void {
  const L = work[RESULT]
  const low = p[i + LMIN]
  const high = p[i + LMAX]
  const a = 0.5 * (low + 1)
  const b = 0.5 * (1 + high)
  const outer = L <= a || L > b
  const x = L <= a ? (L - low) / Math.max(SMALLEST, a - low) : (1 - L) / Math.max(SMALLEST, 1 - a)
  const y = L > b ? (high - L) / Math.max(SMALLEST, high - b) : L > 1 ? (L - 1) / Math.max(SMALLEST, b - 1) : x
  work[CURVE] = L < low || L > high ? 0 : outer ? 0.5 * y * y : 1 - 0.5 * y * y
}

/** out[0] += what the muscle pulls with when it is stretched, whatever its activation. */
export function addMuscleBias(out: Vec, p: Vec, i: number, range: Vec, j: number, x: Vec): void {
  const unit = (range[j + 1] - range[j]) / Math.max(SMALLEST, p[i + HIGH] - p[i + LOW])
  const L = p[i + LOW] + (x[0] - range[j]) / Math.max(SMALLEST, unit)
  if (L <= 1) return
  const b = 0.5 * (1 + p[i + LMAX])
  const near = (L - 1) / Math.max(SMALLEST, b - 1)
  const far = 0.5 + (L - b) / Math.max(SMALLEST, b - 1)
  out[0] -= p[i + FORCE] * p[i + FPMAX] * (L <= b ? 0.5 * near * near : far)
}

/** Where the force of a muscle stands among its numbers, for the builder. */
export const MUSCLE_FORCE = FORCE
