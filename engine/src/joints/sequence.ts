/**
 * Joints in sequence on one body: turns and slides appended one after another.
 *
 * With Q the new joint's displacement and s its axis in the body frame (note 00 section 8):
 *   X_JB ← X_JB Q,   S_k ← Q⁻¹ S_k for the earlier columns,   S_new = s
 *   VJ' = Q⁻¹ VJ,    cJ ← Q⁻¹ cJ + VJ' × s v,                 VJ ← VJ' + s v
 */
import { mulPose, setIdentityPose } from '../math/pose.js'
import { axisRotation } from '../math/rotation.js'
import { add6, crossMotion, motionToChild } from '../math/spatial.js'
import { sincos } from '../math/trig.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import type { JointType } from './joint-type.js'

/** Numbers of one axis in `param`: axis (3), linear part of its screw (3), anchor (3), reference, pitch. */
export const AXIS_SIZE = 11
const REFERENCE = 9
const PITCH = 10

const Q = new Float64Array(12)
const X = new Float64Array(12)
const w = new Float64Array(6)
const sc = new Float64Array(4)

/** Starts a body that has no joint before this one. */
export function beginSequence(d: Data, i: number): void {
  setIdentityPose(d.X_JB, 12 * i)
  for (let k = 0; k < 6; k++) {
    d.VJ[6 * i + k] = 0
    d.cJ[6 * i + k] = 0
  }
}

/** Appends a turn about the axis at param[o] by q[iq] − reference, with its pitch; column and velocity k of body i. */
export function appendTurn(m: Model, d: Data, i: number, k: number, o: number, q: Vec, iq: number, v: Vec): void {
  const P = m.param
  const { X_JB, S, VJ, cJ } = d
  const angle = q[iq] - P[o + REFERENCE]
  sc[0] = angle
  sincos(sc, 0)
  const first = k === m.iv[i]
  const T = first ? X_JB : Q
  const t = first ? 12 * i : 0

  // Q: rotation about the anchor
  axisRotation(T, t, P, o, sc, 0)
  const cx = P[o + 6]
  const cy = P[o + 7]
  const cz = P[o + 8]
  const slide = P[o + PITCH] * angle
  T[t + 9] = cx - (T[t] * cx + T[t + 1] * cy + T[t + 2] * cz) + slide * P[o]
  T[t + 10] = cy - (T[t + 3] * cx + T[t + 4] * cy + T[t + 5] * cz) + slide * P[o + 1]
  T[t + 11] = cz - (T[t + 6] * cx + T[t + 7] * cy + T[t + 8] * cz) + slide * P[o + 2]

  // s = (a; c × a + pitch a)
  const s = 6 * k
  S[s] = P[o]
  S[s + 1] = P[o + 1]
  S[s + 2] = P[o + 2]
  S[s + 3] = P[o + 3]
  S[s + 4] = P[o + 4]
  S[s + 5] = P[o + 5]

  if (first) {
    const b = 6 * i
    const rate = v[k]
    VJ[b] = P[o] * rate
    VJ[b + 1] = P[o + 1] * rate
    VJ[b + 2] = P[o + 2] * rate
    VJ[b + 3] = P[o + 3] * rate
    VJ[b + 4] = P[o + 4] * rate
    VJ[b + 5] = P[o + 5] * rate
    cJ[b] = 0
    cJ[b + 1] = 0
    cJ[b + 2] = 0
    cJ[b + 3] = 0
    cJ[b + 4] = 0
    cJ[b + 5] = 0
  } else {
    carry(m, d, i, k, v)
  }
}

/** Appends a slide along the axis at param[o] by q[iq] − reference. */
export function appendSlide(m: Model, d: Data, i: number, k: number, o: number, q: Vec, iq: number, v: Vec): void {
  const P = m.param
  const S = d.S
  if (k === m.iv[i]) beginSequence(d, i)
  const distance = q[iq] - P[o + REFERENCE]
  setIdentityPose(Q, 0)
  Q[9] = distance * P[o]
  Q[10] = distance * P[o + 1]
  Q[11] = distance * P[o + 2]
  const s = 6 * k
  S[s] = 0
  S[s + 1] = 0
  S[s + 2] = 0
  S[s + 3] = P[o]
  S[s + 4] = P[o + 1]
  S[s + 5] = P[o + 2]
  carry(m, d, i, k, v)
}

/** Moves what the body has so far through Q, then adds column k. */
function carry(m: Model, d: Data, i: number, k: number, v: Vec): void {
  moveSequence(m, d, i, k, Q)
  for (let r = 0; r < 6; r++) w[r] = d.S[6 * k + r] * v[k]
  addColumnRate(d, i)
}

/** X_JB ← X_JB Q and the earlier columns, VJ, cJ into the new body frame; columns iv[i] … k−1 exist. */
export function moveSequence(m: Model, d: Data, i: number, k: number, T: Vec): void {
  const { X_JB, S, VJ, cJ } = d
  for (let r = 0; r < 12; r++) X[r] = X_JB[12 * i + r]
  mulPose(X_JB, 12 * i, X, 0, T, 0)
  for (let c = m.iv[i]; c < k; c++) motionToChild(S, 6 * c, T, 0, S, 6 * c)
  motionToChild(VJ, 6 * i, T, 0, VJ, 6 * i)
  motionToChild(cJ, 6 * i, T, 0, cJ, 6 * i)
}

/** cJ += VJ × w, VJ += w for the new joint's velocity. */
export function addJointRate(d: Data, i: number, rate: Vec): void {
  for (let r = 0; r < 6; r++) w[r] = rate[r]
  addColumnRate(d, i)
}

function addColumnRate(d: Data, i: number): void {
  crossMotion(X, 0, d.VJ, 6 * i, w, 0)
  add6(d.cJ, 6 * i, X, 0)
  add6(d.VJ, 6 * i, w, 0)
}

/** Writes the constants of one axis a through c: the screw of a turn is (a; c × a + pitch a). */
export function compileAxis(param: Vec, o: number, a: readonly number[], c: readonly number[], pitch = 0): void {
  for (let k = 0; k < 3; k++) {
    param[o + k] = a[k]
    param[o + 6 + k] = c[k]
  }
  param[o + 3] = c[1] * a[2] - c[2] * a[1] + pitch * a[0]
  param[o + 4] = c[2] * a[0] - c[0] * a[2] + pitch * a[1]
  param[o + 5] = c[0] * a[1] - c[1] * a[0] + pitch * a[2]
  param[o + PITCH] = pitch
  param[o + REFERENCE] = 0
}

/** The part of JointType that all joints made of turns and slides share: coordinates are plain numbers. */
export function linearCoordinates(nv: number) {
  return {
    nq: nv,
    nv,
    linear: true,
    absolute: false,
    neutral(m: Model, j: number, q: Vec): void {
      const iq = m.jointQ[j]
      for (let k = 0; k < nv; k++) q[iq + k] = m.param[m.jointParam[j] + AXIS_SIZE * k + REFERENCE]
    },
    integrate(m: Model, j: number, q: Vec, v: Vec, h: number): void {
      const iq = m.jointQ[j]
      const iv = m.jointV[j]
      for (let k = 0; k < nv; k++) q[iq + k] += h * v[iv + k]
    },
    difference(m: Model, j: number, v: Vec, a: Vec, b: Vec): void {
      const iq = m.jointQ[j]
      const iv = m.jointV[j]
      for (let k = 0; k < nv; k++) v[iv + k] = b[iq + k] - a[iq + k]
    },
    chartRate(m: Model, j: number, out: Vec, _xi: Vec, v: Vec): void {
      const iv = m.jointV[j]
      for (let k = 0; k < nv; k++) out[iv + k] = v[iv + k]
    },
    stretch(m: Model, j: number, out: Vec, rest: Vec, q: Vec): void {
      const iq = m.jointQ[j]
      const iv = m.jointV[j]
      for (let k = 0; k < nv; k++) out[iv + k] = q[iq + k] - rest[iq + k]
    },
  } as const satisfies Partial<JointType>
}

/** Sets the reference of coordinate k of a joint whose constants begin at o. */
export function setReference(param: Vec, o: number, k: number, value: number): void {
  param[o + AXIS_SIZE * k + REFERENCE] = value
}
