/**
 * The kernels of `front` for mechanisms in a plane, where a handle is three numbers (ω_k, v_u, v_v).
 */
import type { Vec } from '../../math/types.js'
import { PLANE } from '../coupled-tree.js'
import { AT } from '../plan/operations.js'
import type { Factor } from './factor.js'
import { subtractHinge } from './front.js'

/** As `addBodyBlock`, with six numbers. */
export function addBodyPlane({ Q, world: { M }, plan: { ops } }: Factor, p: number): void {
  const st = ops[p + AT.stride]
  const o = ops[p + AT.slot]
  const m = 6 * ops[p + AT.body]
  const r0 = ops[p + AT.matrix] + o * st + o
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
export function addCrossPlane(f: Factor, p: number, a: number, b: number, i: number, j: number, r: number): void {
  const { Q } = f
  const { J } = f.world
  const { ops } = f.plan
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  const weight = f.tree.weight[r]
  if (a === b) {
    for (let c = 0; c < PLANE; c++) {
      for (let q = 0; q <= c; q++) Q[base + (a + c) * st + a + q] += weight * (J[i + c] * J[j + q] + J[j + c] * J[i + q])
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
  for (let c = x; c < x + PLANE; c++) {
    const t = J[c]
    Q[at] += t * y0
    Q[at + 1] += t * y1
    Q[at + 2] += t * y2
    at += st
  }
}

/** As `shiftSlot`, by the way p in the plane: n += p_u f_v − p_v f_u in rows and columns. */
export function shiftSlotPlane({ Q, plan: { ops } }: Factor, p: number, way: Vec): void {
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  const w = ops[p + AT.width]
  const o = ops[p + AT.slot]
  const pu = way[0]
  const pv = way[1]
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

/** As `projectSlot`. */
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
  from: number,
): void {
  const r0 = base + o * st
  const r1 = r0 + st
  const r2 = r1 + st
  for (let k = 0; k < nd; k++) {
    const a = S[s + PLANE * k]
    const b = S[s + PLANE * k + 1]
    const c = S[s + PLANE * k + 2]
    const e = from + k * w
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
export function eliminateHingePlane(f: Factor, p: number): boolean {
  const { Q, H, dinv } = f
  const { S, joint } = f.world
  const { ops } = f.plan
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  const w = ops[p + AT.width]
  const slot = ops[p + AT.slot]
  const kept = ops[p + AT.kept]
  const pivot = ops[p + AT.pivot]
  const k = ops[p + AT.dof]
  const s = PLANE * k
  projectSlotPlane(Q, base, st, w, slot, S, s, 1, H, kept)
  const at = kept + slot
  const diagonal = joint[k] + S[s] * H[at] + S[s + 1] * H[at + 1] + S[s + 2] * H[at + 2]
  if (!(diagonal > 0 && diagonal < Number.POSITIVE_INFINITY)) return false
  dinv[pivot] = 1 / diagonal
  subtractHinge(Q, base, st, w, H, kept, dinv, pivot)
  return true
}
