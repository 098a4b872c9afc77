/**
 * Bodies that deform, in body coordinates (`model/modes`, `joints/modes`): what the recursions of `tree/` add for them.
 *
 * A child that hangs on a moved frame sees V(p) + T η̇ for its parent's velocity, and A(p) + T η̈ + cT for its acceleration, where
 *   cT = Ṫ η̇ + V(p) × T η̇
 * and a force F on it, seen in the parent, pulls at the modes with Tᵀ F.
 *
 * Motion (V; η̇) of the body takes, with G, P, dI of the shape at hand and z = Σ η̇_l G_l, ω and u the parts of V:
 *   wrench         (I + dI) A + Σ P_l η̈_l + V ×* (I + dI) V + 2 (tr(z) ω − z ω; ω × Σ a_l η̇_l)
 *   force on mode  P_l · A + Σ_p tr(C_lp) η̈_p + a_l · (ω × u) + ωᵀ G_l ω − |ω|² tr G_l + 2 ω · Σ_p η̇_p Σ m φ_p × φ_l
 * The rigid recursion has the part of the rest inertia I already; `hr` and `hf` are what is left of the velocity products.
 */
import { frameRate } from '../joints/frames.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import {
  add6,
  addDot6,
  addForceToParent,
  addQuadRigid,
  addScaled6,
  cross,
  crossForce,
  crossMotion,
  motionToChild,
  mulRigid,
  rotate,
} from '../printed/arrays.js'

const h = new Float64Array(6)
const g = new Float64Array(6)

/** out[o …] += Σ T_l x_l, x[i0 …], over the modes of the body that frame e is on; T along the body's or the world's axes. */
export function addFrameMotion(m: Model, T: Vec, e: number, x: Vec, i0: number, out: Vec, o: number): void {
  const { column, frameBody, start, row, iv } = m.modes
  const at = i0 + iv[start[row[m.parent[frameBody[e]]]]] - column[e]
  for (let c = column[e]; c < column[e + 1]; c++) addScaled6(out, o, x, at + c, T, 6 * c)
}

/** out[o …] += Tᵀ F[i …] at the velocities of these modes. */
export function addFrameForce(m: Model, T: Vec, e: number, F: Vec, i: number, out: Vec, o: number): void {
  const { column, frameBody, start, row, iv } = m.modes
  const at = o + iv[start[row[m.parent[frameBody[e]]]]] - column[e]
  for (let c = column[e]; c < column[e + 1]; c++) addDot6(out, at + c, T, 6 * c, F, i)
}

/** Y(i) ← X⁻¹ (Y(p) + T x): the motion of the frame that body i hangs on. */
export function motionOnFrame(m: Model, d: Pick<Data, 'X_PB' | 'T'>, Y: Vec, x: Vec, i: number): void {
  for (let r = 0; r < 6; r++) h[r] = Y[6 * m.parent[i] + r]
  addFrameMotion(m, d.T, m.modes.frame[i], x, 0, h, 0)
  motionToChild(Y, 6 * i, d.X_PB, 12 * i, h, 0)
}

/** F(p) += X⁻ᵀ F(i), and the modes of p feel it. */
export function forceOnFrame(m: Model, d: Pick<Data, 'X_PB' | 'T'>, F: Vec, out: Vec, i: number): void {
  h.fill(0)
  addForceToParent(h, 0, d.X_PB, 12 * i, F, 6 * i)
  add6(F, 6 * m.parent[i], h, 0)
  addFrameForce(m, d.T, m.modes.frame[i], h, 0, out, 0)
}

/** Reads V(p), v. Writes cT of the frame that body i hangs on. */
export function updateFrameRate(m: Model, d: Data, v: Vec, i: number): void {
  const e = m.modes.frame[i]
  h.fill(0)
  addFrameMotion(m, d.T, e, v, 0, h, 0)
  frameRate(m, d, v, e, d.cT, 6 * e)
  crossMotion(h, 0, d.V, 6 * m.parent[i], h, 0)
  add6(d.cT, 6 * e, h, 0)
}

/** A(i) += X⁻¹ cT for a body on a moved frame. */
export function addFrameRate(m: Model, d: Data, A: Vec, i: number): void {
  motionToChild(h, 0, d.X_PB, 12 * i, d.cT, 6 * m.modes.frame[i])
  add6(A, 6 * i, h, 0)
}

/** Reads V[b …], the velocity of body i in its own axes, and v. Writes hr, hf where body i deforms. */
export function updateModeBias(m: Model, d: Data, V: Vec, b: number, v: Vec, i: number): void {
  const { row, start, iv, basis, scale, bases } = m.modes
  const { pairs } = bases
  const n = row[i]
  if (n < 0) return
  const { G, P, dI, hr, hf } = d
  const first = start[n]
  const r = start[n + 1] - first
  const v0 = iv[first]
  const block = bases.block[basis[n]]
  const twice = 2 * scale[n] * scale[n] * scale[n]
  mulRigid(h, 0, dI, 10 * n, V, b)
  crossForce(hr, 6 * n, V, b, h, 0)

  // ω × u, then G ω; Σ a η̇, then ω × Σ a η̇
  cross(h, 0, V, b, V, b + 3)
  for (let k = 0; k < 3; k++) g[k] = 0
  for (let l = first; l < first + r; l++) {
    const eta = v[v0 + l - first]
    const trace = G[9 * l] + G[9 * l + 4] + G[9 * l + 8]
    rotate(h, 3, G, 9 * l, V, b)
    let force = 0
    for (let k = 0; k < 3; k++) {
      // z ω − tr(z) ω
      const turned = h[3 + k] - trace * V[b + k]
      hr[6 * n + k] -= 2 * eta * turned
      g[k] += eta * P[6 * l + 3 + k]
      force += P[6 * l + 3 + k] * h[k] + V[b + k] * turned
    }
    let turning = 0
    for (let p = 0; p < r; p++) {
      const c = 9 * (block + (l - first) * r + p)
      const wx = V[b] * (pairs[c + 7] - pairs[c + 5])
      turning += v[v0 + p] * (wx + V[b + 1] * (pairs[c + 2] - pairs[c + 6]) + V[b + 2] * (pairs[c + 3] - pairs[c + 1]))
    }
    hf[l] = force + twice * turning
  }
  cross(g, 3, V, b, g, 0)
  for (let k = 0; k < 3; k++) hr[6 * n + 3 + k] += 2 * g[3 + k]
}

/** Reads A, a. F(i) += what the motion takes beyond that of the rest shape; out ← the same at the modes of body i. */
export function addModeForce(m: Model, d: Data, a: Vec, out: Vec, i: number): void {
  const { row, start, iv } = m.modes
  const n = row[i]
  if (n < 0) return
  const { F, A, P, dI, hr, hf } = d
  mulRigid(h, 0, dI, 10 * n, A, 6 * i)
  add6(F, 6 * i, h, 0)
  add6(F, 6 * i, hr, 6 * n)
  for (let l = start[n]; l < start[n + 1]; l++) {
    const k = iv[l]
    addScaled6(F, 6 * i, a, k, P, 6 * l)
    out[k] = hf[l] + m.armature[k] * a[k]
    addDot6(out, k, P, 6 * l, A, 6 * i)
    for (let p = start[n]; p < start[n + 1]; p++) out[k] += modeMass(m, n, l, p) * a[iv[p]]
  }
}

/** F += dI y + Σ P x and out += Pᵀ y + tr C x at the modes: what the shapes of d add to M x, with y = J x. */
export function addModeInertia(m: Model, d: Pick<Data, 'P' | 'dI'>, y: Vec, x: Vec, F: Vec, out: Vec): void {
  const { bodies, start, iv } = m.modes
  for (let n = 0; n < bodies.length; n++) {
    const b = 6 * bodies[n]
    mulRigid(h, 0, d.dI, 10 * n, y, b)
    add6(F, b, h, 0)
    for (let l = start[n]; l < start[n + 1]; l++) {
      addScaled6(F, b, x, iv[l], d.P, 6 * l)
      addDot6(out, iv[l], d.P, 6 * l, y, b)
      for (let p = start[n]; p < start[n + 1]; p++) out[iv[l]] += modeMass(m, n, l, p) * x[iv[p]]
    }
  }
}

/** s³ tr C_lp: how the rates of two modes of body bodies[n] are coupled. */
export function modeMass(m: Model, n: number, l: number, p: number): number {
  const { start, basis, scale, bases } = m.modes
  const s = scale[n]
  return s * s * s * bases.mass[bases.block[basis[n]] + (l - start[n]) * (start[n + 1] - start[n]) + p - start[n]]
}

/** Reads V, v. Writes pf: momentum of body i beyond that of its rest shape, in its axes. */
export function updateModeMomentum(m: Model, d: Data, v: Vec, i: number): void {
  const { row, start, iv } = m.modes
  const n = row[i]
  if (n < 0) return
  mulRigid(d.pf, 6 * n, d.dI, 10 * n, d.V, 6 * i)
  for (let l = start[n]; l < start[n + 1]; l++) addScaled6(d.pf, 6 * n, v, iv[l], d.P, 6 * l)
}

/** Reads dI, P. out[o] += twice the kinetic energy that modes add beside armature. */
export function addTwiceModeKinetic(m: Model, d: Data, V: Vec, v: Vec, out: Vec, o: number): void {
  const { bodies, start, iv } = m.modes
  for (let n = 0; n < bodies.length; n++) {
    const b = 6 * bodies[n]
    addQuadRigid(out, o, d.dI, 10 * n, V, b)
    for (let l = start[n]; l < start[n + 1]; l++) {
      const rate = v[iv[l]]
      h[0] = 0
      addDot6(h, 0, d.P, 6 * l, V, b)
      out[o] += 2 * rate * h[0]
      for (let p = start[n]; p < start[n + 1]; p++) out[o] += rate * modeMass(m, n, l, p) * v[iv[p]]
    }
  }
}
