/**
 * Joints whose velocities are not rates of their coordinates: balls, and free ones, which are balls with a place before the quaternion and slides
 * behind the angular velocity. `joints/curved.kernel` has the equations.
 */
import type { Vec } from '../math/types.js'
import type { Model } from '../model/model.js'
import { ballDifference, ballRate, shiftFree, sineAndCosine, slideDifference, slideRate, turnBall } from '../printed/arrays.js'
import type { JointType } from './joint-type.js'

// handed over in arrays, so that nothing is boxed
const step = new Float64Array(1)
const half = new Float64Array(2)
/** rotation vector and E; slides */
const found = new Float64Array(4)
const slide = new Float64Array(3)
const IDENTITY = Float64Array.of(1, 0, 0, 0)

/** half ← sine and cosine of half the angle of step[0] times the rotation vector v[i …]. */
function halfTurn(v: Vec, i: number): void {
  const x = step[0] * v[i]
  const y = step[0] * v[i + 1]
  const z = step[0] * v[i + 2]
  half[0] = 0.5 * Math.sqrt(x * x + y * y + z * z)
  sineAndCosine(half, 0, half, 0)
}

/** out[o …] ← rotation vector from the unit quaternion a[i …] to b[j …], angle at most π. */
export function turnBetween(out: Vec, o: number, a: Vec, i: number, b: Vec, j: number): void {
  ballDifference(found, 0, a, i, b, j)
  for (let k = 0; k < 3; k++) out[o + k] = found[k]
}

/** out[o …] ← A(r)⁻¹ w: rate of the rotation vector xi[i …] of R exp[xi] when the body turns with v[j …]. */
export function turnRate(out: Vec, o: number, xi: Vec, i: number, v: Vec, j: number): void {
  step[0] = 1
  halfTurn(xi, i)
  ballRate(out, o, xi, i, v, j, half, 0)
}

/** out[o …] ← rotation vector of the unit quaternion q[i …], angle at most π. */
export function logQuat(out: Vec, o: number, q: Vec, i: number): void {
  turnBetween(out, o, IDENTITY, 0, q, i)
}

/** The part of JointType that they share. `kind`: that of their only step. */
export function curvedCoordinates(kind: number, free: boolean) {
  // place of the quaternion
  const turn = free ? 3 : 0
  return {
    nq: turn + 4,
    nv: turn + 3,
    steps: [kind],
    axes: [],
    linear: false,
    together: true,
    integrate(m: Model, j: number, q: Vec, v: Vec, h: number): void {
      const iq = m.jointQ[j]
      const iv = m.jointV[j]
      step[0] = h
      halfTurn(v, iv)
      if (free) shiftFree(q, iq, v, iv, step, 0, half, 0)
      turnBall(q, iq + turn, v, iv, step, 0, half, 0)
    },
    difference(m: Model, j: number, v: Vec, a: Vec, b: Vec): void {
      const iq = m.jointQ[j]
      const iv = m.jointV[j]
      turnBetween(v, iv, a, iq + turn, b, iq + turn)
      if (!free) return
      slideDifference(v, iv + 3, a, iq, b, iq, found, 0)
    },
    chartRate(m: Model, j: number, out: Vec, xi: Vec, v: Vec): void {
      const iv = m.jointV[j]
      step[0] = 1
      halfTurn(xi, iv)
      if (free) slideRate(slide, 0, xi, iv, v, iv, half, 0)
      ballRate(out, iv, xi, iv, v, iv, half, 0)
      if (free) for (let k = 0; k < 3; k++) out[iv + 3 + k] = slide[k]
    },
  } as const satisfies Partial<JointType>
}
