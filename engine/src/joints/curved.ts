/**
 * Joints whose velocities are not rates of their coordinates: free ones, and balls, which are free ones that stay in place. `joints/curved.kernel` has
 * the equations. A joint's numbers are copied to coordinates and velocities of a free one, and back.
 */
import type { Vec } from '../math/types.js'
import type { Model } from '../model/model.js'
import { freeDifference, freeRate, moveFree, sineAndCosine } from '../printed/arrays.js'
import type { JointType } from './joint-type.js'

const q1 = new Float64Array(7)
const q2 = new Float64Array(7)
const v1 = new Float64Array(6)
const v2 = new Float64Array(6)
// six numbers, then the way
const out9 = new Float64Array(9)
// handed over in an array, so that it is never boxed
const step = new Float64Array(1)
const half = new Float64Array(2)

const IDENTITY = Float64Array.of(1, 0, 0, 0)
const WAY = 6

/** half ← sine and cosine of half the angle of h times the rotation vector v1. */
function halfTurn(h: number): void {
  const x = h * v1[0]
  const y = h * v1[1]
  const z = h * v1[2]
  half[0] = 0.5 * Math.sqrt(x * x + y * y + z * z)
  sineAndCosine(half, 0, half, 0)
}

/** A place or a quaternion of n numbers. */
function copyPlace(out: Vec, x: Vec, i: number, n: number): void {
  const o = 7 - n
  for (let k = 0; k < o; k++) out[k] = 0
  for (let k = 0; k < n; k++) out[o + k] = x[i + k]
}

/** A motion or an angular velocity of n numbers. */
function copyMotion(out: Vec, x: Vec, i: number, n: number): void {
  for (let k = 0; k < 6; k++) out[k] = k < n ? x[i + k] : 0
}

/** out[o …] ← rotation vector from the unit quaternion a[i …] to b[j …], angle at most π. */
export function turnBetween(out: Vec, o: number, a: Vec, i: number, b: Vec, j: number): void {
  copyPlace(q1, a, i, 4)
  copyPlace(q2, b, j, 4)
  freeDifference(out9, 0, q1, 0, q2, 0)
  for (let k = 0; k < 3; k++) out[o + k] = out9[k]
}

/** out[o …] ← A(r)⁻¹ w: rate of the rotation vector xi[i …] of R exp[xi] when the body turns with v[j …]. */
export function turnRate(out: Vec, o: number, xi: Vec, i: number, v: Vec, j: number): void {
  copyMotion(v1, xi, i, 3)
  copyMotion(v2, v, j, 3)
  halfTurn(1)
  freeRate(out9, 0, v1, 0, v2, 0, half, 0)
  for (let k = 0; k < 3; k++) out[o + k] = out9[k]
}

/** out[o …] ← rotation vector of the unit quaternion q[i …], angle at most π. */
export function logQuat(out: Vec, o: number, q: Vec, i: number): void {
  turnBetween(out, o, IDENTITY, 0, q, i)
}

/** The part of JointType that they share. `kind`: that of their only step. */
export function curvedCoordinates(kind: number, nq: number, nv: number) {
  return {
    nq,
    nv,
    steps: [kind],
    axes: [],
    linear: false,
    together: true,
    integrate(m: Model, j: number, q: Vec, v: Vec, h: number): void {
      copyPlace(q1, q, m.jointQ[j], nq)
      copyMotion(v1, v, m.jointV[j], nv)
      step[0] = h
      halfTurn(h)
      moveFree(q1, 0, v1, 0, step, 0, half, 0)
      for (let k = 0; k < nq; k++) q[m.jointQ[j] + k] = q1[7 - nq + k]
    },
    difference(m: Model, j: number, v: Vec, a: Vec, b: Vec): void {
      copyPlace(q1, a, m.jointQ[j], nq)
      copyPlace(q2, b, m.jointQ[j], nq)
      freeDifference(out9, 0, q1, 0, q2, 0)
      for (let k = 0; k < nv; k++) v[m.jointV[j] + k] = out9[k]
    },
    chartRate(m: Model, j: number, out: Vec, xi: Vec, v: Vec): void {
      copyMotion(v1, xi, m.jointV[j], nv)
      copyMotion(v2, v, m.jointV[j], nv)
      halfTurn(1)
      freeRate(out9, 0, v1, 0, v2, 0, half, 0)
      for (let k = 0; k < nv; k++) out[m.jointV[j] + k] = out9[k]
    },
    // the gradient of ½|log R|² + ½|p − p₀|² along the body's twist: the rotation vector is its own eigenvector
    stretch(m: Model, j: number, out: Vec, rest: Vec, q: Vec): void {
      copyPlace(q1, rest, m.jointQ[j], nq)
      copyPlace(q2, q, m.jointQ[j], nq)
      freeDifference(out9, 0, q1, 0, q2, 0)
      for (let k = 0; k < nv; k++) out[m.jointV[j] + k] = out9[k < 3 ? k : WAY - 3 + k]
    },
  } as const satisfies Partial<JointType>
}
