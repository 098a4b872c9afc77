/**
 * Axes of joints: the constants of a turn or slide as `joints/place.kernel` reads them, and what all joints made of turns and slides share.
 */
import type { Vec } from '../math/types.js'
import type { Model } from '../model/model.js'
import type { JointType } from './joint-type.js'

/** Numbers of a step, laid out as `Axis` of model/tables tells. */
export const AXIS_SIZE = 44
const K1 = 9
const K2 = 18
const BASE = 27
const ALONG = 30
export const ANCHOR = 33
const SCREW = 36
const REFERENCE = 42
export const PITCH = 43

/** Writes the columns of S that never change: those of bodies with one degree of freedom. */
export function fillConstantAxes(m: Model, S: Vec): void {
  for (let j = 0; j < m.njoint; j++) {
    const i = m.jointBody[j]
    const k = m.jointV[j]
    if (m.ivEnd[i] - m.iv[i] !== 1 || m.joints[j].nv !== 1) continue
    for (let r = 0; r < 6; r++) S[6 * k + r] = m.steps.axis[AXIS_SIZE * m.jointStep[j] + SCREW + r]
  }
}

/** Writes the constants of a turn about a through the anchor c, with a pitch in metres a radian, that stands in `frame`. */
export function compileTurn(axis: Vec, o: number, a: readonly number[], c: readonly number[], frame: Vec, pitch = 0): void {
  compileAxis(axis, o, a, c, frame)
  for (let r = 0; r < 3; r++) {
    const [u, v] = [(r + 1) % 3, (r + 2) % 3]
    axis[o + SCREW + r] = a[r]
    axis[o + SCREW + 3 + r] = c[u] * a[v] - c[v] * a[u] + pitch * a[r]
  }
  axis[o + PITCH] = pitch
}

/** The same of a slide along a. */
export function compileSlide(axis: Vec, o: number, a: readonly number[], c: readonly number[], frame: Vec): void {
  compileAxis(axis, o, a, c, frame)
  for (let r = 0; r < 3; r++) axis[o + SCREW + 3 + r] = a[r]
}

function compileAxis(axis: Vec, o: number, a: readonly number[], c: readonly number[], frame: Vec): void {
  const turned = (r: number, x: readonly number[]): number => frame[3 * r] * x[0] + frame[3 * r + 1] * x[1] + frame[3 * r + 2] * x[2]
  // rows of [a]: row l of R₀ [a] is R₀'s row l times this
  const cross = [0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0]
  for (let r = 0; r < 3; r++) {
    const along = turned(r, a)
    for (let k = 0; k < 3; k++) {
      const K0 = along * a[k]
      axis[o + 3 * r + k] = K0
      axis[o + K1 + 3 * r + k] = frame[3 * r + k] - K0
      axis[o + K2 + 3 * r + k] = turned(r, [cross[k], cross[3 + k], cross[6 + k]])
    }
    axis[o + BASE + r] = frame[9 + r] + turned(r, c)
    axis[o + ALONG + r] = along
    axis[o + ANCHOR + r] = c[r]
  }
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
      for (let k = 0; k < nv; k++) q[iq + k] = m.steps.axis[AXIS_SIZE * (m.jointStep[j] + k) + REFERENCE]
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
  } as const satisfies Partial<JointType>
}

/** Sets the reference of coordinate k of a joint whose constants begin at o. */
export function setReference(axis: Vec, o: number, k: number, value: number): void {
  axis[o + AXIS_SIZE * k + REFERENCE] = value
}
