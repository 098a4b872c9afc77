/**
 * The articulated-body algorithm for bodies that deform, along the world's axes like `tree/aba`, which calls it.
 *
 * The body's inertia couples its motion A with the rates of its modes. Children on moved frames bring theirs, seen at the body's origin:
 *   ( Mrr Mrf ; Mrfᵀ Mff ) = ( I + dI, P ; Pᵀ, tr C ) + Σ ( 1 T )ᵀ IA(e) ( 1 T ),   ( hr; hf ) += ( 1 T )ᵀ (pA(e) + IA(e) cT)
 * The modes go first, then what is left is a body like others, whose joints `tree/aba.kernel` takes:
 *   L Lᵀ = Mff,  W = L⁻¹ Mrfᵀ,  w = L⁻¹ (τ − hf);   IA = Mrr − Wᵀ W,  pA = hr + Wᵀ w
 *   η̈ = u − Uᵀ A  with  U = L⁻ᵀ W,  u = L⁻ᵀ w
 * [JainRodriguez], with modes of any number; without them nothing is left of it.
 */
import { frameRate } from '../joints/frames.js'
import { backSubstitute, backSubstitute6, choleskySolve, forwardSubstitute } from '../linalg/dense/cholesky.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import {
  add6,
  addScaled6,
  addTurnedRigid,
  crossMotion,
  mulArticulated,
  rotate6,
  rotateBack,
  shiftForce,
  shiftMotion,
  subtractDot6,
} from '../printed/arrays.js'
import { coupleFrame, eliminateModes, factorModes, joinInertia, startModeMass } from './mode-elimination.js'
import { addFrameForce, addFrameMotion, updateModeBias } from './modes.js'

const h = new Float64Array(6)
const g = new Float64Array(6)

/** What implicit steps add to the inertia of modes. */
export interface AddedInertia {
  /** modes by modes, at `block` of each body */
  readonly modes: Vec
  /** between a body, in its axes, and its modes: 6 a velocity */
  readonly coupling?: Vec | undefined
}

/** Reads X_WB(p), VW(p), T, v. Writes TW, cTW and VW of the frame that body i hangs on; its IA and pA ← 0. */
export function sweepFrame(m: Model, d: Data, v: Vec, i: number): void {
  const { frame, column } = m.modes
  const e = frame[i]
  if (e < 0) return
  const { X_WB, T, TW, cTW, VW } = d
  const p = m.parent[i]
  const b = 6 * m.base[i]
  d.IA.fill(0, 21 * m.base[i], 21 * m.base[i] + 21)
  d.pA.fill(0, b, b + 6)
  for (let c = column[e]; c < column[e + 1]; c++) rotate6(TW, 6 * c, X_WB, 12 * p, T, 6 * c)
  h.fill(0)
  addFrameMotion(m, TW, e, v, 0, h, 0)
  for (let r = 0; r < 6; r++) VW[b + r] = VW[6 * p + r] + h[r]
  frameRate(m, d, v, e, g, 0)
  rotate6(cTW, 6 * e, X_WB, 12 * p, g, 0)
  crossMotion(h, 0, VW, 6 * p, h, 0)
  add6(cTW, 6 * e, h, 0)
}

/** Reads VW(i), v. Writes hr, hf of a body that deforms. */
export function sweepModes(m: Model, d: Data, v: Vec, i: number): void {
  if (m.modes.row[i] < 0) return
  rotateBack(g, 0, d.X_WB, 12 * i, d.VW, 6 * i)
  rotateBack(g, 3, d.X_WB, 12 * i, d.VW, 6 * i + 3)
  updateModeBias(m, d, g, 0, v, i)
}

/**
 * Adds to IA(i) and pA(i) what a body that deforms has beyond its rest shape, its modes eliminated; they hold its own part at rest and
 * the children on its rigid frame. Writes Lf, and U, D, u of the modes: NaN where their mass is not positive definite.
 */
export function eliminateShape(m: Model, d: Data, tau: Vec, i: number, more?: AddedInertia): void {
  const { row, start, iv, block, frameStart } = m.modes
  const n = row[i]
  if (n < 0) return
  const { IA, pA, U, D, u, Lf, cTW } = d
  const r = start[n + 1] - start[n]
  const o = block[n]
  const b = 6 * i
  const k = iv[start[n]]
  addShape(m, d, i)
  for (let e = frameStart[n]; e < frameStart[n + 1]; e++) {
    const child = m.nbody + e
    joinInertia(m, n, e, IA)
    mulArticulated(h, 0, IA, 21 * child, cTW, 6 * e)
    add6(pA, b, h, 0)
    add6(pA, b, pA, 6 * child)
  }
  gatherModes(m, d, tau, i, more)
  eliminateModes(m, n, IA, U, Lf)
  forwardSubstitute(Lf, o, r, u, k, 1)
  for (let l = 0; l < r; l++) {
    addScaled6(pA, b, u, k + l, U, 6 * (k + l))
    D[k + l] = 1 / (Lf[o + l * r + l] * Lf[o + l * r + l])
  }
  backSubstitute(Lf, o, r, u, k, 1)
  backSubstitute6(Lf, o, r, U, 6 * k)
}

/** IA(i), pA(i) += what the shape of a body that deforms changes of them, turned to the world's axes. */
export function addShape(m: Model, d: Data, i: number): void {
  const n = m.modes.row[i]
  addTurnedRigid(d.IA, 21 * i, d.X_WB, 12 * i, d.dI, 10 * n)
  rotate6(h, 0, d.X_WB, 12 * i, d.hr, 6 * n)
  add6(d.pA, 6 * i, h, 0)
}

/**
 * The modes of a body that deforms, before its motion is known: with IA and pA of the children on moved frames, U ← Mrf, u ← τ − hf, and
 * Lf ← the factor of Mff, NaN where there is none.
 */
export function gatherModes(m: Model, d: Data, tau: Vec, i: number, more?: AddedInertia): void {
  const { row, start, iv, frameStart, column } = m.modes
  const n = row[i]
  const { X_WB, IA, pA, U, u, P, hf, Lf, TW, cTW } = d
  const first = start[n]
  const r = start[n + 1] - first
  const k = iv[first]
  for (let l = 0; l < r; l++) {
    rotate6(U, 6 * (k + l), X_WB, 12 * i, P, 6 * (first + l))
    u[k + l] = tau[k + l] - hf[first + l]
    if (more?.coupling === undefined) continue
    rotate6(h, 0, X_WB, 12 * i, more.coupling, 6 * (k + l))
    add6(U, 6 * (k + l), h, 0)
  }
  startModeMass(m, n, Lf, more?.modes)
  for (let e = frameStart[n]; e < frameStart[n + 1]; e++) {
    const child = m.nbody + e
    mulArticulated(h, 0, IA, 21 * child, cTW, 6 * e)
    add6(h, 0, pA, 6 * child)
    for (let l = 0; l < r; l++) subtractDot6(u, k + l, TW, 6 * (column[e] + l), h, 0)
    coupleFrame(m, n, e, TW, IA, U, Lf)
  }
  factorModes(m, n, Lf)
}

/** Reads AW(p), out at the modes of p. Writes AW of the frame that body i hangs on. */
export function accelerateFrame(m: Model, d: Data, out: Vec, i: number): void {
  const e = m.modes.frame[i]
  if (e < 0) return
  const b = 6 * m.base[i]
  const { AW, cTW } = d
  for (let r = 0; r < 6; r++) AW[b + r] = AW[6 * m.parent[i] + r] + cTW[6 * e + r]
  addFrameMotion(m, d.TW, e, out, 0, AW, b)
}

/** Reads AW(i), U, u. Writes out at the modes of body i: their accelerations. */
export function accelerateModes(m: Model, d: Data, out: Vec, i: number): void {
  const { row, start, iv } = m.modes
  const n = row[i]
  if (n < 0) return
  for (let l = start[n]; l < start[n + 1]; l++) {
    out[iv[l]] = d.u[iv[l]]
    subtractDot6(out, iv[l], d.U, 6 * iv[l], d.AW, 6 * i)
  }
}

/** For `tree/solve`, backward: out at the modes of body i ← Mff⁻¹ out, and F(i) += Mrf Mff⁻¹ out. */
export function solveModes(m: Model, d: Data, out: Vec, o: number, i: number): void {
  const { row, start, iv, block } = m.modes
  const n = row[i]
  if (n < 0) return
  const k = iv[start[n]]
  const r = start[n + 1] - start[n]
  for (let l = 0; l < r; l++) addScaled6(d.F, 6 * i, out, o + k + l, d.U, 6 * (k + l))
  choleskySolve(d.Lf, block[n], r, out, o + k, 1)
}

/** The same: F(p) += F(i) seen from there, and out at the modes of p −= what they feel of it. */
export function forceOnFrameInWorld(m: Model, d: Data, out: Vec, o: number, i: number): void {
  const p = m.parent[i]
  h.fill(0)
  shiftForce(h, 0, d.X_WB, 12 * i, d.X_WB, 12 * p, d.F, 6 * i)
  add6(d.F, 6 * p, h, 0)
  for (let r = 0; r < 6; r++) h[r] = -h[r]
  addFrameForce(m, d.TW, m.modes.frame[i], h, 0, out, o)
}

/** The same, forward: y(i) ← y(p) + T out, seen from i. */
export function motionOnFrameInWorld(m: Model, d: Data, out: Vec, o: number, i: number): void {
  const p = m.parent[i]
  for (let r = 0; r < 6; r++) h[r] = d.y[6 * p + r]
  addFrameMotion(m, d.TW, m.modes.frame[i], out, o, h, 0)
  shiftMotion(d.y, 6 * i, d.X_WB, 12 * i, d.X_WB, 12 * p, h, 0)
}
