/**
 * Joints in sequence on one body: turns and slides appended one after another.
 *
 * With Q the new joint's displacement and s its axis in the body frame:
 *   X_PB ← X_PB Q,   S_k ← Q⁻¹ S_k for the earlier columns,   S_new = s
 * Each s is constant in its own frame, so that with the columns in the final frame Ṡ v = Σ_{l<k} S_l v_l × S_k v_k; `tree/kinematics`
 * makes it from S and v.
 */
import { sincos } from '../math/trig.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import type { JointType } from './joint-type.js'

/**
 * Numbers of one axis a through the anchor c, in `param`. F = (R₀, p₀) is the frame in which the joint stands: the body's pose in its
 * parent for the first joint, the identity for later ones, so that the first joint of a body yields X_PB at once. On a frame that moves
 * with the modes of the parent it is the identity for the first joint too, which then follows X_PJ as later joints follow those before.
 *   K0 = R₀ a aᵀ, K1 = R₀ − K0, K2 = R₀ [a]   (9 each):  F's rotation times that of the joint is K0 + cos K1 + sin K2
 *   base = p₀ + R₀ c, along = R₀ a, c, the screw s, reference, pitch
 */
export const AXIS_SIZE = 44
const K1 = 9
const K2 = 18
const BASE = 27
const ALONG = 30
const ANCHOR = 33
const SCREW = 36
const REFERENCE = 42
const PITCH = 43

const Q = new Float64Array(12)
const sc = new Float64Array(4)

/** Starts a body that has no joint before this one: X_PB = X_PJ. */
export function beginSequence(d: Data, i: number): void {
  for (let k = 0; k < 12; k++) d.X_PB[12 * i + k] = d.X_PJ[12 * i + k]
}

/**
 * Begins every body whose first joint is a hinge: what `appendTurn` does for it, in one loop over flat arrays, which takes half the time
 * of a call for each joint.
 */
export function turnFirst(m: Model, d: Data, q: Vec, from: number, to: number): void {
  const { firstHinges, firstHingeStart, jointBody, jointQ, jointParam, iv, ivEnd, param: P } = m
  const { X_PB: T, S } = d
  const begin = firstHingeStart[from]
  const end = firstHingeStart[to]
  // sine and cosine of all first, left where the pose will stand: through a place that all share, one would wait for the other
  for (let n = begin; n < end; n++) {
    const j = firstHinges[n]
    const t = 12 * jointBody[j]
    T[t] = q[jointQ[j]] - P[jointParam[j] + REFERENCE]
    sincos(T, t)
  }
  for (let n = begin; n < end; n++) {
    const j = firstHinges[n]
    const i = jointBody[j]
    const o = jointParam[j]
    const t = 12 * i
    placeTurn(T, t, P, o, T, t)
    const k = iv[i]
    if (ivEnd[i] - k === 1) continue
    for (let r = 0; r < 6; r++) S[6 * k + r] = P[o + SCREW + r]
  }
}

/** Appends a turn about the axis at param[o] by q[iq] − reference, with its pitch; column k of body i. */
export function appendTurn(m: Model, d: Data, i: number, k: number, o: number, q: Vec, iq: number): void {
  const P = m.param
  const angle = q[iq] - P[o + REFERENCE]
  sc[0] = angle
  sincos(sc, 0)
  sc[2] = angle * P[o + PITCH]
  appendAxis(m, d, i, k, o)
}

/** Appends a slide along the axis at param[o] by q[iq] − reference. */
export function appendSlide(m: Model, d: Data, i: number, k: number, o: number, q: Vec, iq: number): void {
  sc[0] = 0
  sc[1] = 1
  sc[2] = q[iq] - m.param[o + REFERENCE]
  appendAxis(m, d, i, k, o)
}

/** Appends a turn whose sine and cosine, and a slide whose distance, are in sc. */
function appendAxis(m: Model, d: Data, i: number, k: number, o: number): void {
  const P = m.param
  const first = m.iv[i]
  if (k === first && m.modes.frame[i] < 0) {
    const T = d.X_PB
    const t = 12 * i
    placeTurn(T, t, P, o, sc, 0)
    const slide = sc[2]
    if (slide !== 0) for (let r = 0; r < 3; r++) T[t + 9 + r] += slide * P[o + ALONG + r]
    // a body with one freedom needs no more: its S is constant
    if (m.ivEnd[i] - first === 1) return
  } else {
    if (k === first) beginSequence(d, i)
    turnInBody(P, o)
    moveSequence(m, d, i, k, Q)
    if (m.ivEnd[i] - first === 1) return
  }
  const S = d.S
  for (let r = 0; r < 6; r++) S[6 * k + r] = P[o + SCREW + r]
}

/** Q of the turn and slide in sc about the axis at P[o] of a later joint, whose F is the identity: a aᵀ (1 − cos) + cos + sin [a]. */
function turnInBody(P: Vec, o: number): void {
  const s = sc[0]
  const c = sc[1]
  const slide = sc[2]
  const x = P[o + ALONG]
  const y = P[o + ALONG + 1]
  const z = P[o + ALONG + 2]
  const ex = x * (1 - c)
  const ey = y * (1 - c)
  const ez = z * (1 - c)
  const r0 = ex * x + c
  const r1 = ex * y - s * z
  const r2 = ex * z + s * y
  const r3 = ex * y + s * z
  const r4 = ey * y + c
  const r5 = ey * z - s * x
  const r6 = ex * z - s * y
  const r7 = ey * z + s * x
  const r8 = ez * z + c
  const cx = P[o + ANCHOR]
  const cy = P[o + ANCHOR + 1]
  const cz = P[o + ANCHOR + 2]
  Q[0] = r0
  Q[1] = r1
  Q[2] = r2
  Q[3] = r3
  Q[4] = r4
  Q[5] = r5
  Q[6] = r6
  Q[7] = r7
  Q[8] = r8
  Q[9] = cx - (r0 * cx + r1 * cy + r2 * cz) + slide * x
  Q[10] = cy - (r3 * cx + r4 * cy + r5 * cz) + slide * y
  Q[11] = cz - (r6 * cx + r7 * cy + r8 * cz) + slide * z
}

/** T ← F Q of the turn about the axis at P[o], whose sine and cosine are at sc[a]; they may stand where T will. */
function placeTurn(T: Vec, t: number, P: Vec, o: number, sc: Vec, a: number): void {
  const s = sc[a]
  const c = sc[a + 1]
  const r0 = P[o] + c * P[o + K1] + s * P[o + K2]
  const r1 = P[o + 1] + c * P[o + K1 + 1] + s * P[o + K2 + 1]
  const r2 = P[o + 2] + c * P[o + K1 + 2] + s * P[o + K2 + 2]
  const r3 = P[o + 3] + c * P[o + K1 + 3] + s * P[o + K2 + 3]
  const r4 = P[o + 4] + c * P[o + K1 + 4] + s * P[o + K2 + 4]
  const r5 = P[o + 5] + c * P[o + K1 + 5] + s * P[o + K2 + 5]
  const r6 = P[o + 6] + c * P[o + K1 + 6] + s * P[o + K2 + 6]
  const r7 = P[o + 7] + c * P[o + K1 + 7] + s * P[o + K2 + 7]
  const r8 = P[o + 8] + c * P[o + K1 + 8] + s * P[o + K2 + 8]
  const cx = P[o + ANCHOR]
  const cy = P[o + ANCHOR + 1]
  const cz = P[o + ANCHOR + 2]
  T[t] = r0
  T[t + 1] = r1
  T[t + 2] = r2
  T[t + 3] = r3
  T[t + 4] = r4
  T[t + 5] = r5
  T[t + 6] = r6
  T[t + 7] = r7
  T[t + 8] = r8
  T[t + 9] = P[o + BASE] - (r0 * cx + r1 * cy + r2 * cz)
  T[t + 10] = P[o + BASE + 1] - (r3 * cx + r4 * cy + r5 * cz)
  T[t + 11] = P[o + BASE + 2] - (r6 * cx + r7 * cy + r8 * cz)
}

/** Writes the columns of S that never change: those of bodies with one degree of freedom. */
export function fillConstantAxes(m: Model, S: Vec): void {
  for (let j = 0; j < m.njoint; j++) {
    const i = m.jointBody[j]
    const k = m.jointV[j]
    if (m.ivEnd[i] - m.iv[i] !== 1 || m.joints[j].nv !== 1) continue
    for (let r = 0; r < 6; r++) S[6 * k + r] = m.param[m.jointParam[j] + SCREW + r]
  }
}

/**
 * X_PB ← X_PB T and the earlier columns into the new body frame; columns iv[i] … k−1 exist. Over locals, because limbs of characters are
 * bodies with several hinges.
 */
export function moveSequence(m: Model, d: Data, i: number, k: number, T: Vec): void {
  const { X_PB: X, S } = d
  const r0 = T[0]
  const r1 = T[1]
  const r2 = T[2]
  const r3 = T[3]
  const r4 = T[4]
  const r5 = T[5]
  const r6 = T[6]
  const r7 = T[7]
  const r8 = T[8]
  const px = T[9]
  const py = T[10]
  const pz = T[11]

  // X T, row by row
  const x = 12 * i
  for (let r = 0; r < 3; r++) {
    const n = x + 3 * r
    const e = X[n]
    const f = X[n + 1]
    const g = X[n + 2]
    X[n] = e * r0 + f * r3 + g * r6
    X[n + 1] = e * r1 + f * r4 + g * r7
    X[n + 2] = e * r2 + f * r5 + g * r8
    X[x + 9 + r] += e * px + f * py + g * pz
  }

  // T⁻¹ S
  const end = 6 * k
  for (let s = 6 * m.iv[i]; s < end; s += 6) {
    const w0 = S[s]
    const w1 = S[s + 1]
    const w2 = S[s + 2]
    const v0 = S[s + 3] + (w1 * pz - w2 * py)
    const v1 = S[s + 4] + (w2 * px - w0 * pz)
    const v2 = S[s + 5] + (w0 * py - w1 * px)
    S[s] = r0 * w0 + r3 * w1 + r6 * w2
    S[s + 1] = r1 * w0 + r4 * w1 + r7 * w2
    S[s + 2] = r2 * w0 + r5 * w1 + r8 * w2
    S[s + 3] = r0 * v0 + r3 * v1 + r6 * v2
    S[s + 4] = r1 * v0 + r4 * v1 + r7 * v2
    S[s + 5] = r2 * v0 + r5 * v1 + r8 * v2
  }
}

/** What kind of motion an axis allows: a turn (with a pitch, in metres a radian) or a slide. */
export const SLIDE = Number.POSITIVE_INFINITY

/** Writes the constants of one axis a through c in the frame F: the screw of a turn is (a; c × a + pitch a), of a slide (0; a). */
export function compileAxis(param: Vec, o: number, a: readonly number[], c: readonly number[], frame: Vec, pitch = 0): void {
  const slides = pitch === SLIDE
  const turned = (r: number, x: readonly number[]): number => frame[3 * r] * x[0] + frame[3 * r + 1] * x[1] + frame[3 * r + 2] * x[2]
  // rows of [a]: row l of R₀ [a] is R₀'s row l times this
  const cross = [0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0]
  for (let r = 0; r < 3; r++) {
    const along = turned(r, a)
    for (let k = 0; k < 3; k++) {
      const K0 = along * a[k]
      param[o + 3 * r + k] = K0
      param[o + K1 + 3 * r + k] = frame[3 * r + k] - K0
      param[o + K2 + 3 * r + k] = turned(r, [cross[k], cross[3 + k], cross[6 + k]])
    }
    param[o + BASE + r] = frame[9 + r] + turned(r, c)
    param[o + ALONG + r] = along
    param[o + ANCHOR + r] = c[r]
    param[o + SCREW + r] = slides ? 0 : a[r]
    const [u, v] = [(r + 1) % 3, (r + 2) % 3]
    param[o + SCREW + 3 + r] = slides ? a[r] : c[u] * a[v] - c[v] * a[u] + pitch * a[r]
  }
  param[o + REFERENCE] = 0
  param[o + PITCH] = slides ? 0 : pitch
}

/** The part of JointType that all joints made of turns and slides share: coordinates are plain numbers. */
export function linearCoordinates(nv: number) {
  return {
    nq: nv,
    nv,
    linear: true,
    together: false,
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
