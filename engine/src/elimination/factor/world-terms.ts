/**
 * What the elimination reads, in world axes at the points of reference of its plan: axes, inertias with all that acts on single
 * bodies, rows across the tree.
 *
 * For a body with rotation R whose origin is at p from the point of reference, A its moments of inertia (what holds it against turning
 * added), c its mass times centre, c' = R c, e = c' + m p:
 *   ( R A Rᵀ + (2 c'·p + m p²) 1 − p c'ᵀ − c' pᵀ − m p pᵀ,  [e];  [e]ᵀ,  m 1 )
 * Only damping that acts on a body's way through space needs the full 6 × 6 transform.
 */
import { addInertiaToParent, addOuter, addRigid } from '../../math/inertia.js'
import type { Vec } from '../../math/types.js'
import { type CoupledTree, PLANE, SPACE } from '../coupled-tree.js'
import type { Coupling } from '../plan/coupling.js'
import type { Plan } from '../plan/operations.js'

export interface WorldTerms {
  /** numbers of a handle; the axis across the plane where there are three, else −1 */
  readonly handle: number
  readonly across: number
  /** axes (`handle` a velocity), inertias (21 a body; 6 in the plane), rows (`handle` an entry) */
  readonly S: Vec
  readonly M: Vec
  readonly J: Vec
  /** square root of each row's weight; what acts in each joint */
  readonly root: Vec
  readonly joint: Vec
  /** where the bodies were (3 each): the factor stays good while they move on */
  readonly origins: Vec
  /** scratch: two inertias and a pose; which numbers of an inertia take part in the plane */
  readonly own: Vec
  readonly full: Vec
  readonly pose: Vec
  readonly taken: Int32Array
}

/** `across`: the axis across the plane that the mechanism stays in, or −1. */
export function createWorldTerms({ model: m, terms }: CoupledTree, across: number): WorldTerms {
  const flat = across >= 0
  const handle = flat ? PLANE : SPACE
  const [k, u, v] = [across, (across + 1) % 3, (across + 2) % 3]
  const symmetric = (r: number, c: number): number => (r === c ? [0, 3, 5][r] : r + c + (r * c > 0 ? 1 : 0))
  return {
    handle,
    across,
    S: new Float64Array(handle * m.nv),
    M: new Float64Array((flat ? 6 : 21) * m.nbody),
    J: new Float64Array((handle * terms.J.length) / SPACE),
    root: new Float64Array(terms.stiffness.length),
    joint: new Float64Array(m.nv),
    origins: new Float64Array(3 * m.nbody),
    own: new Float64Array(21),
    full: new Float64Array(21),
    pose: new Float64Array(12),
    taken: Int32Array.of(symmetric(k, k), 6 + 3 * k + u, 6 + 3 * k + v, 15 + symmetric(u, u), 15 + symmetric(u, v), 15 + symmetric(v, v)),
  }
}

/** Reads the terms and poses of s. Writes the world's, and where the bodies are. */
export function toWorld(s: CoupledTree, plan: Plan, coupling: Coupling, world: WorldTerms): void {
  const { model: m, terms } = s
  const { M } = world
  placeBodies(s, world)
  for (let i = 1; i < m.nbody; i++) {
    const a = 12 * plan.anchor[i]
    if (isTurning(terms.bodyDamping, 21 * i)) rigidToWorld(M, i, a, s)
    else bodyToWorld(M, 21 * i, world, i, a, s)
  }
  axesToWorld(s, plan, world.S)
  rowsToWorld(s, plan, coupling, world)
}

/** Writes where the bodies are, and what acts in the joints. */
export function placeBodies({ model: m, terms, data, h }: CoupledTree, { joint, origins }: WorldTerms): void {
  const X = data.X_WB
  for (let k = 0; k < m.nv; k++) joint[k] = m.armature[k] + h * terms.jointDamping[k] + h * h * terms.jointStiffness[k]
  for (let i = 1; i < m.nbody; i++) {
    const o = 12 * i
    origins[3 * i] = X[o + 9]
    origins[3 * i + 1] = X[o + 10]
    origins[3 * i + 2] = X[o + 11]
  }
}

/** True where a body's own terms are on its turning alone. */
export function isTurning(D: Vec, o: number): boolean {
  for (let k = o + 6; k < o + 21; k++) if (D[k] !== 0) return false
  return true
}

/** M[21 b …] ← the inertia of body b with h D on turning, seen from the origin X_WB[a …]. */
function rigidToWorld(M: Vec, b: number, a: number, { model, data, terms, h }: CoupledTree): void {
  const { inertia: I } = model
  const { X_WB: X } = data
  const { bodyDamping: D } = terms
  const x = 12 * b
  const i = 10 * b
  const d = 21 * b
  const o = 21 * b
  const r0 = X[x]
  const r1 = X[x + 1]
  const r2 = X[x + 2]
  const r3 = X[x + 3]
  const r4 = X[x + 4]
  const r5 = X[x + 5]
  const r6 = X[x + 6]
  const r7 = X[x + 7]
  const r8 = X[x + 8]
  const px = X[x + 9] - X[a + 9]
  const py = X[x + 10] - X[a + 10]
  const pz = X[x + 11] - X[a + 11]
  const mass = I[i]
  const cx = r0 * I[i + 1] + r1 * I[i + 2] + r2 * I[i + 3]
  const cy = r3 * I[i + 1] + r4 * I[i + 2] + r5 * I[i + 3]
  const cz = r6 * I[i + 1] + r7 * I[i + 2] + r8 * I[i + 3]
  const s0 = I[i + 4] + h * D[d]
  const s1 = I[i + 5] + h * D[d + 1]
  const s2 = I[i + 6] + h * D[d + 2]
  const s3 = I[i + 7] + h * D[d + 3]
  const s4 = I[i + 8] + h * D[d + 4]
  const s5 = I[i + 9] + h * D[d + 5]
  const ex = cx + mass * px
  const ey = cy + mass * py
  const ez = cz + mass * pz
  const xx = px * (cx + ex)
  const yy = py * (cy + ey)
  const zz = pz * (cz + ez)
  let t0 = r0 * s0 + r1 * s1 + r2 * s2
  let t1 = r0 * s1 + r1 * s3 + r2 * s4
  let t2 = r0 * s2 + r1 * s4 + r2 * s5
  M[o] = t0 * r0 + t1 * r1 + t2 * r2 + yy + zz
  M[o + 1] = t0 * r3 + t1 * r4 + t2 * r5 - px * ey - cx * py
  M[o + 2] = t0 * r6 + t1 * r7 + t2 * r8 - px * ez - cx * pz
  t0 = r3 * s0 + r4 * s1 + r5 * s2
  t1 = r3 * s1 + r4 * s3 + r5 * s4
  t2 = r3 * s2 + r4 * s4 + r5 * s5
  M[o + 3] = t0 * r3 + t1 * r4 + t2 * r5 + xx + zz
  M[o + 4] = t0 * r6 + t1 * r7 + t2 * r8 - py * ez - cy * pz
  t0 = r6 * s0 + r7 * s1 + r8 * s2
  t1 = r6 * s1 + r7 * s3 + r8 * s4
  t2 = r6 * s2 + r7 * s4 + r8 * s5
  M[o + 5] = t0 * r6 + t1 * r7 + t2 * r8 + xx + yy
  M[o + 6] = 0
  M[o + 7] = -ez
  M[o + 8] = ey
  M[o + 9] = ez
  M[o + 10] = 0
  M[o + 11] = -ex
  M[o + 12] = -ey
  M[o + 13] = ex
  M[o + 14] = 0
  M[o + 15] = mass
  M[o + 16] = 0
  M[o + 17] = 0
  M[o + 18] = mass
  M[o + 19] = 0
  M[o + 20] = mass
}

/** M[to …] ← the same for any terms of body i. */
export function bodyToWorld(M: Vec, to: number, { own, pose }: WorldTerms, i: number, a: number, s: CoupledTree): void {
  const { model: m, data: d, terms, h } = s
  const X = d.X_WB
  const o = 12 * i
  for (let k = 0; k < 9; k++) pose[k] = X[o + k]
  for (let k = 9; k < 12; k++) pose[k] = X[o + k] - X[a + k]
  for (let k = 0; k < 21; k++) {
    own[k] = h * terms.bodyDamping[21 * i + k]
    M[to + k] = 0
  }
  addRigid(own, 0, m.inertia, 10 * i)
  addInertiaToParent(M, to, pose, 0, own, 0)
}

/** S ← the axes of joints, at the points where the plan takes them out, with their sign. */
function axesToWorld({ model: m, data: d }: CoupledTree, { axisAnchor, axisSign }: Plan, out: Vec): void {
  const { nbody, iv, ivEnd } = m
  const { X_WB: X, S } = d
  for (let i = 1; i < nbody; i++) {
    const x = 12 * i
    const a = 12 * axisAnchor[i]
    const sign = axisSign[i]
    const px = X[x + 9] - X[a + 9]
    const py = X[x + 10] - X[a + 10]
    const pz = X[x + 11] - X[a + 11]
    for (let o = 6 * iv[i]; o < 6 * ivEnd[i]; o += 6) {
      const a0 = sign * S[o]
      const a1 = sign * S[o + 1]
      const a2 = sign * S[o + 2]
      const b0 = sign * S[o + 3]
      const b1 = sign * S[o + 4]
      const b2 = sign * S[o + 5]
      const wx = X[x] * a0 + X[x + 1] * a1 + X[x + 2] * a2
      const wy = X[x + 3] * a0 + X[x + 4] * a1 + X[x + 5] * a2
      const wz = X[x + 6] * a0 + X[x + 7] * a1 + X[x + 8] * a2
      out[o] = wx
      out[o + 1] = wy
      out[o + 2] = wz
      out[o + 3] = X[x] * b0 + X[x + 1] * b1 + X[x + 2] * b2 + py * wz - pz * wy
      out[o + 4] = X[x + 3] * b0 + X[x + 4] * b1 + X[x + 5] * b2 + pz * wx - px * wz
      out[o + 5] = X[x + 6] * b0 + X[x + 7] * b1 + X[x + 8] * b2 + px * wy - py * wx
    }
  }
}

/** J ← the rows as wrenches in the world. Those that act at once are added to the bodies and joints that they touch. */
function rowsToWorld({ terms, weight, data: d }: CoupledTree, { anchor, eager }: Plan, { of }: Coupling, world: WorldTerms): void {
  const { J, M, root, joint } = world
  const { start, body, count, J: F } = terms
  const X = d.X_WB
  for (let r = 0; r < count; r++) {
    const g = of[r]
    const at = g < 0 || eager[g] === 1
    root[r] = Math.sqrt(weight[r])
    for (let e = start[r]; e < start[r + 1]; e++) {
      const i = body[e]
      const o = 6 * e
      if (i < 0) {
        if (at) joint[-1 - i] += weight[r] * F[o] * F[o]
        J[o] = F[o]
        continue
      }
      const x = 12 * i
      const a = 12 * anchor[i]
      const fx = X[x] * F[o + 3] + X[x + 1] * F[o + 4] + X[x + 2] * F[o + 5]
      const fy = X[x + 3] * F[o + 3] + X[x + 4] * F[o + 4] + X[x + 5] * F[o + 5]
      const fz = X[x + 6] * F[o + 3] + X[x + 7] * F[o + 4] + X[x + 8] * F[o + 5]
      const px = X[x + 9] - X[a + 9]
      const py = X[x + 10] - X[a + 10]
      const pz = X[x + 11] - X[a + 11]
      J[o] = X[x] * F[o] + X[x + 1] * F[o + 1] + X[x + 2] * F[o + 2] + py * fz - pz * fy
      J[o + 1] = X[x + 3] * F[o] + X[x + 4] * F[o + 1] + X[x + 5] * F[o + 2] + pz * fx - px * fz
      J[o + 2] = X[x + 6] * F[o] + X[x + 7] * F[o + 1] + X[x + 8] * F[o + 2] + px * fy - py * fx
      J[o + 3] = fx
      J[o + 4] = fy
      J[o + 5] = fz
      if (at) addOuter(M, 21 * i, J, o, weight, r)
    }
  }
}
