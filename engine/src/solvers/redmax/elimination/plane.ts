/**
 * Mechanisms in a plane: when all joints of a model turn about one axis of the world or slide across it, every body moves by three numbers
 * instead of six, (ω_k, v_u, v_v) with k, u, v the axes of the world in turn, k across the plane. `direct` then works with a quarter of
 * the numbers. The rest of a body's inertia and of a row does not take part.
 */
import type { Vec } from '../../../math/types.js'
import { createData, type Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { updatePoses } from '../../../tree/kinematics.js'
import { subtractHinge } from './handle-factor.js'

/** numbers of a handle in the plane, and in space */
export const PLANE = 3
export const SPACE = 6

/** The axis of the world across which nothing moves, −1 where there is none. Reads poses and axes of joints; any pose tells. */
export function planeOf(m: Model, { X_WB: X, S }: Pick<Data, 'X_WB' | 'S'>): number {
  for (let k = 0; k < 3; k++) {
    let flat = true
    for (let i = 1; i < m.nbody && flat; i++) {
      // more velocities than a body has ways to move need all of their numbers
      flat = m.ivEnd[i] - m.iv[i] <= PLANE
      for (let c = m.iv[i]; c < m.ivEnd[i] && flat; c++) flat = isAcross(X, 12 * i, S, 6 * c, k)
    }
    if (flat) return k
  }
  return -1
}

// of a unit axis, from the rounding of poses
const ROUNDING = 1e-14

/** Turns about axis k, and slides across it, at most. */
function isAcross(X: Vec, x: number, S: Vec, s: number, k: number): boolean {
  for (let r = 0; r < 3; r++) {
    const row = x + 3 * r
    // turning about the axes in the plane, sliding along the one across
    const o = r === k ? s + 3 : s
    const rate = X[row] * S[o] + X[row + 1] * S[o + 1] + X[row + 2] * S[o + 2]
    if (Math.abs(rate) > ROUNDING * (1 + Math.abs(S[o]) + Math.abs(S[o + 1]) + Math.abs(S[o + 2]))) return false
  }
  return true
}

/** Poses at the model's own start, not those of now: a run that is restored later must take the same order, to the last bit. */
export function atStart(m: Model): Data {
  const start = createData(m)
  updatePoses(m, start, m.q0)
  return start
}

/** Q(slot, slot) += the inertia M[m …], six numbers. */
export function addBodyPlane(Q: Vec, base: number, st: number, o: number, M: Vec, m: number): void {
  const r0 = base + o * st + o
  const r1 = r0 + st
  const r2 = r1 + st
  Q[r0] += M[m]
  Q[r1] += M[m + 1]
  Q[r1 + 1] += M[m + 3]
  Q[r2] += M[m + 2]
  Q[r2 + 1] += M[m + 4]
  Q[r2 + 2] += M[m + 5]
}

/** As `addCross`. */
export function addCrossPlane(
  Q: Vec,
  base: number,
  st: number,
  a: number,
  b: number,
  J: Vec,
  i: number,
  j: number,
  w: Vec,
  r: number,
): void {
  const weight = w[r]
  if (a === b) {
    for (let p = 0; p < PLANE; p++) {
      for (let q = 0; q <= p; q++) Q[base + (a + p) * st + a + q] += weight * (J[i + p] * J[j + q] + J[j + p] * J[i + q])
    }
    return
  }
  const low = a > b ? a : b
  const x = a > b ? i : j
  const y = a > b ? j : i
  const y0 = weight * J[y]
  const y1 = weight * J[y + 1]
  const y2 = weight * J[y + 2]
  let at = base + low * st + (a > b ? b : a)
  for (let p = x; p < x + PLANE; p++) {
    const t = J[p]
    Q[at] += t * y0
    Q[at + 1] += t * y1
    Q[at + 2] += t * y2
    at += st
  }
}

/** As `shiftSlot`; p holds the way in the plane: n += p_u f_v − p_v f_u in rows and columns. */
export function shiftSlotPlane(Q: Vec, base: number, st: number, w: number, o: number, p: Vec): void {
  const pu = p[0]
  const pv = p[1]
  const r0 = base + o * st
  const r1 = r0 + st
  const r2 = r1 + st
  for (let j = 0; j < o; j++) Q[r0 + j] += pu * Q[r2 + j] - pv * Q[r1 + j]
  const mixed = pu * Q[r2 + o] - pv * Q[r1 + o]
  const u = pu * Q[r2 + o + 1] - pv * Q[r1 + o + 1]
  const v = pu * Q[r2 + o + 2] - pv * Q[r2 + o + 1]
  Q[r0 + o] += 2 * mixed + pu * v - pv * u
  Q[r1 + o] += u
  Q[r2 + o] += v
  for (let q = r2 + st + o; q < base + w * st; q += st) Q[q] += pu * Q[q + 2] - pv * Q[q + 1]
}

/** As `projectSlot`, into g[to …]. */
export function projectSlotPlane(
  Q: Vec,
  base: number,
  st: number,
  w: number,
  o: number,
  S: Vec,
  s: number,
  nd: number,
  g: Vec,
  to: number,
): void {
  const r0 = base + o * st
  const r1 = r0 + st
  const r2 = r1 + st
  for (let k = 0; k < nd; k++) {
    const a = S[s + PLANE * k]
    const b = S[s + PLANE * k + 1]
    const c = S[s + PLANE * k + 2]
    const e = to + k * w
    for (let j = 0; j < o; j++) g[e + j] = a * Q[r0 + j] + b * Q[r1 + j] + c * Q[r2 + j]
    g[e + o] = a * Q[r0 + o] + b * Q[r1 + o] + c * Q[r2 + o]
    g[e + o + 1] = a * Q[r1 + o] + b * Q[r1 + o + 1] + c * Q[r2 + o + 1]
    g[e + o + 2] = a * Q[r2 + o] + b * Q[r2 + o + 1] + c * Q[r2 + o + 2]
    let q = r2 + st + o
    for (let j = o + PLANE; j < w; j++) {
      g[e + j] = a * Q[q] + b * Q[q + 1] + c * Q[q + 2]
      q += st
    }
  }
}

/** As `eliminateHinge`. */
export function eliminateHingePlane(
  Q: Vec,
  base: number,
  st: number,
  w: number,
  o: number,
  S: Vec,
  k: number,
  joint: Vec,
  H: Vec,
  kept: number,
  dinv: Vec,
  pivot: number,
): boolean {
  const s = PLANE * k
  projectSlotPlane(Q, base, st, w, o, S, s, 1, H, kept)
  const at = kept + o
  const diagonal = joint[k] + S[s] * H[at] + S[s + 1] * H[at + 1] + S[s + 2] * H[at + 2]
  if (!(diagonal > 0 && diagonal < Number.POSITIVE_INFINITY)) return false
  dinv[pivot] = 1 / diagonal
  subtractHinge(Q, base, st, w, H, kept, dinv, pivot)
  return true
}
