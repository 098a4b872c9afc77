/**
 * Rows of loop closures: point, hinge, planar, weld, distance. Each row has two blocks, of body A and then of body B.
 *
 * A world direction n at the world point x moves with n·ẋ = (x_B × Rᵀn; Rᵀn)·V, x_B = Rᵀ(x − p). With U, B
 * directions fixed to the two bodies, d/dt U·B = (w_A − w_B)·(U × B) in the world.
 */
import { pointPosition } from '../../forces/points.js'
import { turnBetween, turnRate } from '../../joints/curved.js'
import type { Vec } from '../../math/types.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { cross, matrixToQuat, mulQuat, quatToMatrix, rotate, rotateBack } from '../../printed/arrays.js'
import type { Rows } from './rows.js'

/** below this distance the line between two points has no direction */
export const SHORTEST = 1e-12

const ALL = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1)
const xA = new Float64Array(3)
const xB = new Float64Array(3)
const n = new Float64Array(3)
const moment = new Float64Array(3)
const U = new Float64Array(3)
const B = new Float64Array(3)

export function pointRows(rows: Rows, r0: number, m: Model, d: Data, k: number): void {
  const c = m.constraints
  alongRows(rows, r0, m, d, k, c.axes, 9 * k, c.rows[k])
}

/** Rows r0 … r0 + count − 1: the points meet along the world directions at axes[i]. */
function alongRows(rows: Rows, r0: number, m: Model, d: Data, k: number, axes: Vec, i: number, count: number): void {
  const c = m.constraints
  pointPosition(xA, 0, d, c.bodyA[k], c.pointA, 3 * k)
  pointPosition(xB, 0, d, c.bodyB[k], c.pointB, 3 * k)
  for (let e = 0; e < count; e++) {
    for (let s = 0; s < 3; s++) n[s] = axes[i + 3 * e + s]
    const b = rows.bodyStart[r0 + e]
    rows.g[r0 + e] = n[0] * (xA[0] - xB[0]) + n[1] * (xA[1] - xB[1]) + n[2] * (xA[2] - xB[2])
    pointBlock(rows.J, 6 * b, d, c.bodyA[k], xA, 1)
    pointBlock(rows.J, 6 * b + 6, d, c.bodyB[k], xB, -1)
  }
}

/** J = block of the velocity along the world direction at axes[i] of the body's point that is at the world point x. */
export function directionBlock(J: Vec, o: number, d: Data, body: number, x: Vec, axes: Vec, i: number): void {
  for (let s = 0; s < 3; s++) n[s] = axes[i + s]
  pointBlock(J, o, d, body, x, 1)
}

/** J = ± block of the velocity along n of the body's point that is at the world point x. */
export function pointBlock(J: Vec, o: number, d: Data, body: number, x: Vec, sign: 1 | -1): void {
  const X = d.X_WB
  const j = 12 * body
  for (let s = 0; s < 3; s++) J[o + s] = x[s] - X[j + 9 + s]
  cross(moment, 0, J, o, n, 0)
  rotateBack(J, o, X, j, moment, 0)
  rotateBack(J, o + 3, X, j, n, 0)
  if (sign < 0) for (let s = 0; s < 6; s++) J[o + s] = -J[o + s]
}

export function hingeRows(rows: Rows, r0: number, m: Model, d: Data, k: number): void {
  const c = m.constraints
  alongRows(rows, r0, m, d, k, ALL, 0, 3)
  rotate(B, 0, d.X_WB, 12 * c.bodyB[k], c.axes, 9 * k + 6)
  for (let e = 0; e < 2; e++) {
    const r = r0 + 3 + e
    const o = 6 * rows.bodyStart[r]
    rotate(U, 0, d.X_WB, 12 * c.bodyA[k], c.axes, 9 * k + 3 * e)
    rows.g[r] = U[0] * B[0] + U[1] * B[1] + U[2] * B[2]
    cross(n, 0, U, 0, B, 0)
    turnBlock(rows.J, o, d, c.bodyA[k], 1)
    turnBlock(rows.J, o + 6, d, c.bodyB[k], -1)
  }
}

/** J = ± block of the angular velocity along n. */
function turnBlock(J: Vec, o: number, d: Data, body: number, sign: 1 | -1): void {
  rotateBack(J, o, d.X_WB, 12 * body, n, 0)
  for (let s = 0; s < 3; s++) {
    if (sign < 0) J[o + s] = -J[o + s]
    J[o + 3 + s] = 0
  }
}

/** The normal turns with A, so that A's block is that of its point where x_B is: n·ẋ_A + ṅ·(x_A − x_B). */
export function planarRow(rows: Rows, r: number, m: Model, d: Data, k: number): void {
  const c = m.constraints
  const o = 6 * rows.bodyStart[r]
  pointPosition(xA, 0, d, c.bodyA[k], c.pointA, 3 * k)
  pointPosition(xB, 0, d, c.bodyB[k], c.pointB, 3 * k)
  rotate(n, 0, d.X_WB, 12 * c.bodyA[k], c.axes, 9 * k)
  rows.g[r] = n[0] * (xA[0] - xB[0]) + n[1] * (xA[1] - xB[1]) + n[2] * (xA[2] - xB[2])
  pointBlock(rows.J, o, d, c.bodyA[k], xB, 1)
  pointBlock(rows.J, o + 6, d, c.bodyB[k], xB, -1)
}

/** Where the points meet there is no direction; any will do to push them apart. */
export function distanceRow(rows: Rows, r: number, m: Model, d: Data, k: number): void {
  const c = m.constraints
  const o = 6 * rows.bodyStart[r]
  pointPosition(xA, 0, d, c.bodyA[k], c.pointA, 3 * k)
  pointPosition(xB, 0, d, c.bodyB[k], c.pointB, 3 * k)
  for (let s = 0; s < 3; s++) n[s] = xA[s] - xB[s]
  const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
  rows.g[r] = length - c.distance[k]
  for (let s = 0; s < 3; s++) n[s] = length > SHORTEST ? n[s] / length : ALL[s]
  pointBlock(rows.J, o, d, c.bodyA[k], xA, 1)
  pointBlock(rows.J, o + 6, d, c.bodyB[k], xB, -1)
}

const R = new Float64Array(9)
const a = new Float64Array(4)
const b = new Float64Array(4)
const back = new Float64Array(3)

/**
 * Orientation: g = r with exp[r] = Q = R_Bᵀ R_A R₀, R₀ that of B in A. Q turns with R₀ᵀ w_A − Qᵀ w_B in its own frame, so that
 * ṙ = A(r)⁻¹ (R₀ᵀ w_A − Qᵀ w_B).
 */
export function weldRows(rows: Rows, r0: number, m: Model, d: Data, k: number): void {
  const c = m.constraints
  const X = d.X_WB
  const { J } = rows
  alongRows(rows, r0, m, d, k, ALL, 0, 3)
  matrixToQuat(a, 0, X, 12 * c.bodyA[k])
  mulQuat(a, 0, a, 0, c.quaternion, 4 * k)
  matrixToQuat(b, 0, X, 12 * c.bodyB[k])
  turningRows(rows, r0 + 3, b, a)
  quatToMatrix(R, 0, c.quaternion, 4 * k)
  for (let s = 0; s < 3; s++) {
    const o = 6 * rows.bodyStart[r0 + 3 + s]
    // R₀ n, and −Q n = −R_Bᵀ R_A R₀ n
    rotate(J, o, R, 0, J, o)
    rotate(n, 0, X, 12 * c.bodyA[k], J, o)
    rotateBack(n, 0, X, 12 * c.bodyB[k], n, 0)
    for (let e = 0; e < 3; e++) {
      J[o + 6 + e] = -n[e]
      J[o + 9 + e] = 0
    }
  }
}

/** Rows r0 … r0 + 2: g = r with exp[r] = R(from)ᵀ R(to), and J its rows of A(r)⁻¹: row s is A(−r)⁻¹ e_s. */
export function turningRows({ g, J, bodyStart }: Rows, r0: number, from: Vec, to: Vec): void {
  turnBetween(g, r0, from, 0, to, 0)
  for (let s = 0; s < 3; s++) back[s] = -g[r0 + s]
  for (let s = 0; s < 3; s++) {
    const o = 6 * bodyStart[r0 + s]
    turnRate(J, o, back, 0, ALL, 3 * s)
    for (let e = 0; e < 3; e++) J[o + 3 + e] = 0
  }
}
