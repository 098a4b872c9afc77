/**
 * What rows of constraints accelerate by velocities alone, with the spatial accelerations A of the bodies:
 *
 *   g̈ = Σ J · A + Σ coefficient · v̇ + bias
 * Bodies move with w at their origins; x_A and x_B are the points, v_A and v_B their velocities. A point that is fixed to a body has n·(w × v) beyond
 * J · A, for n is along the world's axes. That of a body's plane, or of directions U and B that turn with bodies:
 *   planar    n·(2 w_A × v_B − w_A × v_A − w_B × v_B)            v_A of the point of A that is where x_B is
 *   hinge     (w_A − w_B)·((w_A × U) × B + U × (w_B × B))
 *   distance  n·(w_A × v_A − w_B × v_B) + (|v_A − v_B|² − (n·(v_A − v_B))²)/l
 *   weld      R_A J · (w_A × w_B), with the rate of A(g)⁻¹ left out: as long as the loop is closed it is zero, and else of second order in ġ, times g
 */
import { pointPosition } from '../../forces/points.js'
import type { Vec } from '../../math/types.js'
import {
  CONSTRAINT_COUPLING,
  CONSTRAINT_DISTANCE,
  CONSTRAINT_HINGE,
  CONSTRAINT_MOTION,
  CONSTRAINT_PLACE,
  CONSTRAINT_PLANAR,
  CONSTRAINT_POINT,
  CONSTRAINT_TURN,
  CONSTRAINT_WELD,
} from '../../model/constraints.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { cross, rotate } from '../../printed/arrays.js'
import { SHORTEST } from './closures.js'
import { couplingBias } from './couplings.js'
import { motionBias, turnBias } from './motions.js'
import type { Rows } from './rows.js'

const ALL = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1)
const xA = new Float64Array(3)
const xB = new Float64Array(3)
const vA = new Float64Array(3)
const vB = new Float64Array(3)
const a = new Float64Array(3)
const b = new Float64Array(3)
const U = new Float64Array(3)
const B = new Float64Array(3)
const n = new Float64Array(3)
const number = new Float64Array(1)

/**
 * Reads X_WB and VW of the bodies of one constraint, q and v of its joints, the time in t[0], and what `updateConstraint` wrote. Writes out[r] … of its rows, of
 * which r is the first.
 */
export function biasOfConstraint(out: Vec, r: number, rows: Rows, m: Model, d: Data, { q, v }: State, t: Vec): void {
  const c = m.constraints
  const k = rows.source[r]
  switch (c.kind[k]) {
    case CONSTRAINT_POINT:
      pointBias(out, r, m, d, k, c.axes, 9 * k, c.rows[k])
      break
    case CONSTRAINT_HINGE:
      pointBias(out, r, m, d, k, ALL, 0, 3)
      hingeBias(out, r + 3, m, d, k)
      break
    case CONSTRAINT_PLANAR:
      planarBias(out, r, m, d, k)
      break
    case CONSTRAINT_WELD:
      pointBias(out, r, m, d, k, ALL, 0, 3)
      weldBias(out, r + 3, rows, m, d, k)
      break
    case CONSTRAINT_DISTANCE:
      distanceBias(out, r, m, d, k)
      break
    case CONSTRAINT_COUPLING:
      couplingBias(out, r, m, q, v, k)
      break
    case CONSTRAINT_MOTION:
      motionBias(out, r, m, k, t)
      break
    case CONSTRAINT_PLACE:
      motionBias(out, r, m, k, t)
      pointPosition(xA, 0, d, c.bodyA[k], c.pointA, 3 * k)
      velocityAt(vA, d, c.bodyA[k], xA)
      cross(a, 0, d.VW, 6 * c.bodyA[k], vA, 0)
      addDot(out, r, c.axes, 9 * k, a)
      break
    case CONSTRAINT_TURN:
      turnBias(out, r, rows, m, d, k, t)
      break
  }
}

/** out ← velocity of the body's point that is at the world point x. */
function velocityAt(out: Vec, { X_WB, VW }: Data, body: number, x: Vec): void {
  const i = 12 * body + 9
  const j = 6 * body
  for (let s = 0; s < 3; s++) out[s] = x[s] - X_WB[i + s]
  cross(out, 0, VW, j, out, 0)
  for (let s = 0; s < 3; s++) out[s] += VW[j + 3 + s]
}

/** xA, xB, vA, vB of constraint k; a ← w_A × v_A, b ← w_B × v_B. */
function placePoints(m: Model, d: Data, k: number): void {
  const c = m.constraints
  pointPosition(xA, 0, d, c.bodyA[k], c.pointA, 3 * k)
  pointPosition(xB, 0, d, c.bodyB[k], c.pointB, 3 * k)
  velocityAt(vA, d, c.bodyA[k], xA)
  velocityAt(vB, d, c.bodyB[k], xB)
  cross(a, 0, d.VW, 6 * c.bodyA[k], vA, 0)
  cross(b, 0, d.VW, 6 * c.bodyB[k], vB, 0)
}

function pointBias(out: Vec, r0: number, m: Model, d: Data, k: number, axes: Vec, i: number, count: number): void {
  placePoints(m, d, k)
  for (let s = 0; s < 3; s++) a[s] -= b[s]
  for (let e = 0; e < count; e++) setDot(out, r0 + e, axes, i + 3 * e, a)
}

function hingeBias(out: Vec, r0: number, m: Model, d: Data, k: number): void {
  const c = m.constraints
  const A = 6 * c.bodyA[k]
  const o = 6 * c.bodyB[k]
  rotate(B, 0, d.X_WB, 12 * c.bodyB[k], c.axes, 9 * k + 6)
  cross(b, 0, d.VW, o, B, 0)
  for (let s = 0; s < 3; s++) n[s] = d.VW[A + s] - d.VW[o + s]
  for (let e = 0; e < 2; e++) {
    rotate(U, 0, d.X_WB, 12 * c.bodyA[k], c.axes, 9 * k + 3 * e)
    cross(a, 0, d.VW, A, U, 0)
    cross(a, 0, a, 0, B, 0)
    cross(U, 0, U, 0, b, 0)
    setDot(out, r0 + e, n, 0, a)
    addDot(out, r0 + e, n, 0, U)
  }
}

function planarBias(out: Vec, r: number, m: Model, d: Data, k: number): void {
  const c = m.constraints
  placePoints(m, d, k)
  velocityAt(vA, d, c.bodyA[k], xB)
  rotate(n, 0, d.X_WB, 12 * c.bodyA[k], c.axes, 9 * k)
  for (let s = 0; s < 3; s++) vA[s] = 2 * vB[s] - vA[s]
  cross(a, 0, d.VW, 6 * c.bodyA[k], vA, 0)
  for (let s = 0; s < 3; s++) a[s] -= b[s]
  setDot(out, r, n, 0, a)
}

function weldBias(out: Vec, r0: number, rows: Rows, m: Model, d: Data, k: number): void {
  const c = m.constraints
  cross(a, 0, d.VW, 6 * c.bodyA[k], d.VW, 6 * c.bodyB[k])
  for (let s = 0; s < 3; s++) {
    rotate(n, 0, d.X_WB, 12 * c.bodyA[k], rows.J, 6 * rows.bodyStart[r0 + s])
    setDot(out, r0 + s, n, 0, a)
  }
}

function distanceBias(out: Vec, r: number, m: Model, d: Data, k: number): void {
  placePoints(m, d, k)
  for (let s = 0; s < 3; s++) n[s] = xA[s] - xB[s]
  setDot(number, 0, n, 0, n)
  const length = Math.sqrt(number[0])
  // points that meet have no direction, see `closures`
  for (let s = 0; s < 3; s++) n[s] = length > SHORTEST ? n[s] / length : ALL[s]
  for (let s = 0; s < 3; s++) a[s] -= b[s]
  setDot(out, r, n, 0, a)
  if (length <= SHORTEST) return
  for (let s = 0; s < 3; s++) vA[s] -= vB[s]
  setDot(number, 0, n, 0, vA)
  const along = number[0]
  setDot(number, 0, vA, 0, vA)
  out[r] += (number[0] - along * along) / length
}

// results go to an array: a number that is returned may be boxed
function setDot(out: Vec, o: number, x: Vec, i: number, y: Vec): void {
  out[o] = x[i] * y[0] + x[i + 1] * y[1] + x[i + 2] * y[2]
}

function addDot(out: Vec, o: number, x: Vec, i: number, y: Vec): void {
  out[o] += x[i] * y[0] + x[i + 1] * y[1] + x[i + 2] * y[2]
}
