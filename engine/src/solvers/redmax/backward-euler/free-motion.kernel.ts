/**
 * Motion of bodies without forces, and rates between two poses; `free-motion` has the equations.
 */
import { add, any, type Int, type Ints, type Lanes, type Shared, scale, sub } from '../../../math/values/columns.js'
import { logQuat, matrixQuat, quatRotation } from '../../../math/values/rotation.js'
import {
  cross,
  dot,
  type Force,
  full,
  type Mat3,
  type Motion,
  mul,
  mulPose,
  NO_FORCE,
  type Pose,
  rotate,
  rotateBack,
  type Sym3,
  shiftForce,
  shiftMotion,
  skew,
  tensor,
  transpose,
  type Vec3,
} from '../../../math/values/spatial.js'
import { sincos } from '../../../math/values/trig.js'
import type { Poses } from '../../../model/tables.js'

/** `FreeMotion` of the file beside. Rates of a body are ω in body axes and the velocity of its centre in the world. */
export interface FreeBodies {
  readonly nbody: Int
  readonly first: Ints
  readonly parent: Ints
  readonly turns: Ints
  readonly mass: Shared<number>
  readonly center: Shared<Vec3>
  readonly inertia: Shared<Sym3>
  readonly point: Shared<Vec3>
}

/** rad: a body that turns further in a step is slowed to this; beyond π no step could tell which way it goes */
const LARGEST_TURN = 2
// square of the angle up to which a few terms of a series are exact
const SMALL = 0.01
// of what is to be found: then a turn is known; how often it is tried
const TURN_TOLERANCE = 1e-13
const ROUNDS = 12

/** Rates of bodies that move with V. @kernel */
export function ratesOf(f: FreeBodies, X: Lanes<Pose>, V: Lanes<Motion>, rates: Lanes<Motion>): void {
  for (let i = 1; i < f.nbody; i++) {
    if (f.first[i] === i) rates[i] = { w: V[i].w, v: rotate(X[i].R, shiftMotion(V[i], f.center[i]).v) }
  }
}

/** Y = poses at the end of a step[0] from X0, without forces. @kernel */
export function extrapolate(f: FreeBodies, d: Poses, Y: Lanes<Pose>, X0: Lanes<Pose>, rates: Lanes<Motion>, step: Lanes<number>): void {
  const h = step[0]
  for (let i = 1; i < f.nbody; i++) {
    const { R, p } = X0[i]
    if (f.first[i] !== i) {
      if (f.first[i] > 0) Y[i] = mulPose(Y[f.parent[i]], d.X_PB[i])
      else Y[i] = X0[i]
      continue
    }
    const { w, v } = rates[i]
    const turn = scale(turnShare(h, dot(w, w)), w)
    // what turns about a hinge has that for a centre, which stays, and needs no torque of its own to keep to the axis
    if (f.turns[i] === 1) {
      const E = mul(R, turnMatrix(turn))
      Y[i] = { R: E, p: add(p, rotate(sub(R, E), f.point[i])) }
    } else {
      const E = mul(R, turnMatrix(nextTurn(turn, f.inertia[i])))
      Y[i] = { R: E, p: add(add(p, scale(h, v)), rotate(sub(R, E), f.center[i])) }
    }
  }
}

/** sin(|hω|/2)/|ω| */
function turnShare(h: number, square: number): number {
  const x = h * h * square
  let share = h * (0.5 - x * (1 / 48 - x * (1 / 3840 - x / 645120)))
  if (x > SMALL) {
    const size = Math.sqrt(x)
    share = (h * sincos(0.5 * Math.min(LARGEST_TURN, size)).s) / size
  }
  return share
}

/** Matrix of the unit quaternion with vector part w, scalar part positive. */
const turnMatrix = (w: Vec3): Mat3 => quatRotation([Math.sqrt(Math.max(0, 1 - dot(w, w))), w[0], w[1], w[2]])

const size1 = (a: Vec3): number => Math.abs(a[0]) + Math.abs(a[1]) + Math.abs(a[2])

/** M⁻¹ a */
function solve3(M: Mat3, a: Vec3): Vec3 {
  const first = cross(M[1], M[2])
  return scale(1 / dot(M[0], first), add(scale(a[0], first), scale(a[1], cross(M[2], M[0])), scale(a[2], cross(M[0], M[1]))))
}

/** w of the next turn, by Newton's method; where that fails the turn goes on as it was. */
function nextTurn(w: Vec3, inertia: Sym3): Vec3 {
  const J = full(inertia)
  const start = rotate(J, w)
  const torque = cross(w, start)
  const small = TURN_TOLERANCE * size1(start)
  // e J w − w × J w of the turn before
  const known = sub(scale(Math.sqrt(1 - dot(w, w)), start), torque)
  let next = w
  let miss = scale(2, torque)
  let left = size1(torque)
  // a turn that is none has no root, and what is left is then not a number
  for (let k = 0; k < ROUNDS && any(left > small); k++) {
    const e = Math.sqrt(1 - dot(next, next))
    const L = rotate(J, next)
    const M = sub(add(sub(scale(e, J), scale(1 / e, tensor(L, next))), mul(skew(next), J)), skew(L))
    next = sub(next, solve3(M, miss))
    const after = rotate(J, next)
    miss = sub(add(scale(Math.sqrt(1 - dot(next, next)), after), cross(next, after)), known)
    left = size1(miss)
  }
  const found = left <= small
  return [found ? next[0] : w[0], found ? next[1] : w[1], found ? next[2] : w[2]]
}

/** log of a rotation */
function rotationVector(R: Mat3): Vec3 {
  // the sine of the angle along the axis
  const s: Vec3 = [0.5 * (R[2][1] - R[1][2]), 0.5 * (R[0][2] - R[2][0]), 0.5 * (R[1][0] - R[0][1])]
  const q = dot(s, s)
  // asin(s)/s
  let vector = scale(1 + q * (1 / 6 + q * (3 / 40 + q * (5 / 112 + q * (35 / 1152 + q * (63 / 2816))))), s)
  if (!(q < SMALL && R[0][0] + R[1][1] + R[2][2] > 1)) vector = logQuat(matrixQuat(R))
  return vector
}

/** Rates of bodies between the poses X0 and X of the two ends of a step[0]; out[0] = their kinetic energy. @kernel */
export function ratesFrom(
  f: FreeBodies,
  rates: Lanes<Motion>,
  X0: Lanes<Pose>,
  X: Lanes<Pose>,
  step: Lanes<number>,
  out: Lanes<number>,
): void {
  const s = 1 / step[0]
  let twice = 0
  for (let i = 1; i < f.nbody; i++) {
    if (f.first[i] !== i) continue
    const start = X0[i]
    const end = X[i]
    const w = scale(s, rotationVector(mul(transpose(start.R), end.R)))
    twice = twice + dot(w, rotate(full(f.inertia[i]), w))
    if (f.turns[i] === 1) {
      // ω × (centre − pivot) at the end, not the chord
      const v = cross(w, sub(f.center[i], f.point[i]))
      rates[i] = { w, v: rotate(end.R, v) }
      twice = twice + f.mass[i] * dot(v, v)
    } else {
      const v = scale(s, add(sub(end.p, start.p), rotate(sub(end.R, start.R), f.center[i])))
      rates[i] = { w, v }
      twice = twice + f.mass[i] * dot(v, v)
    }
  }
  out[0] = 0.5 * twice
}

/** P = momentum of all that is fixed to a first body, in its frame; out[0] = kinetic energy. @kernel */
export function momentaOf(f: FreeBodies, P: Lanes<Force>, X: Lanes<Pose>, rates: Lanes<Motion>, out: Lanes<number>): void {
  let twice = 0
  for (let i = 1; i < f.nbody; i++) {
    P[i] = NO_FORCE
    if (f.first[i] === i) {
      const { w, v } = rates[i]
      const L = rotate(full(f.inertia[i]), w)
      twice = twice + (dot(L, w) + f.mass[i] * dot(v, v))
      P[i] = shiftForce({ n: L, f: scale(f.mass[i], rotateBack(X[i].R, v)) }, f.center[i])
    }
  }
  out[0] = 0.5 * twice
}
