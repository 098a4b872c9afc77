/**
 * How stiff a model is for its step: the fastest rates of what its forces hold back, at the start.
 *
 *   ω² = largest eigenvalue of M⁻¹ K,   δ = largest eigenvalue of M⁻¹ D
 * with K and D all that forces say of themselves in `linearize`: springs and dampers in joints and between bodies, tendons, servos, forces of
 * the user's own. By the power method in the metric of M, whose quotients grow towards the eigenvalue. Servos count by their gains, whether or
 * not they are at the end of their range at the start.
 */

import { addRow, addShapeProduct, linearizeAll, rate, rowRate } from '../forces/stiff-rows.js'
import { sin } from '../math/own.js'
import type { Vec } from '../math/types.js'
import { createData, type Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { createState, type State } from '../model/state.js'
import { createStiffTerms, type StiffTerms } from '../model/stiff-terms.js'
import { mulArticulated } from '../printed/arrays.js'
import { aba } from '../tree/aba.js'
import { jacobianProduct, jacobianTransposeProduct } from '../tree/jacobian.js'
import { forwardKinematics } from '../tree/kinematics.js'
import { solveInertia } from '../tree/solve.js'

export interface Rates {
  /** rad/s */
  readonly vibration: number
  /** 1/s */
  readonly decay: number
}

/** Numbers of the velocities that move most in the fastest vibration and in the fastest decay; −1 where there is none. */
export interface FastestVelocities {
  vibration: number
  decay: number
}

const ITERATIONS = 40
// relative growth of a quotient below which it is found, and for how many rounds
const FOUND = 1e-3
const PLATEAU = 3

interface Work {
  readonly m: Model
  readonly d: Data
  readonly state: State
  readonly terms: StiffTerms
  readonly forces: readonly Force[]
  readonly y: Vec
  readonly F: Vec
}

/** The fastest rates at the start or another configuration, of these forces among the model's and the user's `own`. */
export function fastestRates(
  model: Model,
  forces: readonly Force[],
  own: readonly Force[] = [],
  { q, moving }: { readonly q?: Vec; readonly moving?: FastestVelocities } = {},
): Rates {
  if (model.nv === 0) return { vibration: 0, decay: 0 }
  const m = unsaturated(model)
  const d = createData(m, { forces: own })
  const state = createState(m)
  if (q !== undefined) state.q.set(q)
  state.control.set(stiffestControl(m))
  const terms = createStiffTerms(m, own)
  forwardKinematics(m, d, state.q, state.v)
  linearizeAll(forces, m, d, state, terms)
  // factor of M at rest
  const a = new Float64Array(m.nv)
  d.f.fill(0)
  aba(m, d, state.v, state.v, a)
  const work = { m, d, state, terms, forces, y: new Float64Array(6 * m.nbody), F: new Float64Array(6 * m.nbody) }
  const x = new Float64Array(m.nv)
  const vibration = Math.sqrt(largest(work, x, 1, 0))
  if (moving) moving.vibration = vibration > 0 ? mostMoving(d, x) : -1
  const decay = largest(work, x, 0, 1)
  if (moving) moving.decay = decay > 0 ? mostMoving(d, x) : -1
  return { vibration, decay }
}

/** The velocity with most of the kinetic energy of the mode x; D holds the inverse pivots of M. */
function mostMoving(d: Data, x: Vec): number {
  let most = 0
  for (let k = 1; k < x.length; k++) if (x[k] * x[k] * d.D[most] > x[most] * x[most] * d.D[k]) most = k
  return most
}

/** The same model with forces of actuators that never come to the end of their range. */
function unsaturated(m: Model): Model {
  const forceRange = m.actuators.forceRange.map((_, k) => (k % 2 === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY))
  return { ...m, actuators: { ...m.actuators, forceRange } }
}

/** Where a gain grows with length or rate, the end of the control's range at which it holds back most; else 0. */
function stiffestControl({ nu, actuators: { gain, controlRange } }: Model): Vec {
  return Float64Array.from({ length: nu }, (_, k) => {
    const slope = gain[3 * k + 1] + gain[3 * k + 2]
    const end = slope === 0 ? 0 : controlRange[2 * k + (slope < 0 ? 1 : 0)]
    return Number.isFinite(end) ? end : 0
  })
}

/** The largest eigenvalue of M⁻¹ (stiffness · K + damping · D), and its mode in x. */
function largest(w: Work, x: Vec, stiffness: number, damping: number): number {
  const { m, d } = w
  const { nv } = m
  // D holds the inverse pivots of M: in its metric light parts then weigh as much as heavy ones
  for (let k = 0; k < nv; k++) x[k] = (1 + 0.5 * sin(1 + 7 * k)) * Math.sqrt(d.D[k])
  const Kx = new Float64Array(nv)
  const z = new Float64Array(nv)
  let found = 0
  let still = 0
  for (let it = 0; it < ITERATIONS; it++) {
    multiply(w, Kx, x, stiffness, damping)
    // the next x has xᵀ M x = 1
    solveInertia(m, d, z, 0, Kx, 0)
    const size = Math.sqrt(dot(z, Kx))
    if (size === 0) break
    // nothing that could be moved
    if (!(size < Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY
    for (let k = 0; k < nv; k++) x[k] = z[k] / size
    multiply(w, Kx, x, stiffness, damping)
    const next = dot(x, Kx)
    // a plateau of one round may be that of another part
    still = next <= found * (1 + FOUND) ? still + 1 : 0
    found = Math.max(found, next)
    if (still === PLATEAU) break
  }
  return found
}

/** out ← (stiffness · K + damping · D) x */
function multiply({ m, d, state, terms, forces, y, F }: Work, out: Vec, x: Vec, stiffness: number, damping: number): void {
  const wrench = new Float64Array(6)
  const scale = new Float64Array(1)
  jacobianProduct(m, d, y, x)
  F.fill(0)
  for (let k = 0; k < m.nv; k++) out[k] = (stiffness * terms.jointStiffness[k] + damping * terms.jointDamping[k]) * x[k]
  for (let i = 1; i < m.nbody; i++) {
    mulArticulated(wrench, 0, terms.bodyDamping, 21 * i, y, 6 * i)
    for (let r = 0; r < 6; r++) F[6 * i + r] += damping * wrench[r]
  }
  scale[0] = stiffness
  addShapeProduct(m, terms.modeStiffness, scale, x, out)
  scale[0] = damping
  addShapeProduct(m, terms.modeDamping, scale, x, out)
  for (let r = 0; r < terms.count; r++) {
    rowRate(terms, r, y, x)
    rate[0] *= stiffness * terms.stiffness[r] + damping * terms.damping[r]
    addRow(terms, r, F, out)
  }
  for (const force of forces) force.jacobianProduct?.(m, d, state, { V: y, v: x }, stiffness, damping, { f: F, qf: out })
  jacobianTransposeProduct(m, d, d.u, F)
  for (let k = 0; k < m.nv; k++) out[k] += d.u[k]
}

function dot(a: Vec, b: Vec): number {
  let sum = 0
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k]
  return sum
}
