/**
 * Elimination of the modes of a body that deforms, before its joints: the same in `tree/aba-modes` and `tree/implicit-factor-modes`, whatever
 * axes inertias and motions are along.
 *
 * With children on moved frames, seen at the body's origin:
 *   ( Mrr Mrf ; Mrfᵀ Mff ) = ( I + dI, P ; Pᵀ, tr C ) + Σ ( 1 T )ᵀ IA(e) ( 1 T )
 *   L Lᵀ = Mff,  W = L⁻¹ Mrfᵀ,  IA = Mrr − Wᵀ W
 */
import { cholesky, forwardSubstitute6 } from '../linalg/dense/cholesky.js'
import type { Vec } from '../math/types.js'
import type { Model } from '../model/model.js'
import { add6, mulArticulated, subtractOuter } from '../printed/arrays.js'

const g = new Float64Array(6)

/** L ← Mff of body bodies[n] alone: tr C and armature, and `more` at its block where there is any. */
export function startModeMass(m: Model, n: number, L: Vec, more?: Vec): void {
  const { start, iv, block, basis, scale, bases } = m.modes
  const r = start[n + 1] - start[n]
  const o = block[n]
  const k = iv[start[n]]
  const at = bases.block[basis[n]]
  const s3 = scale[n] * scale[n] * scale[n]
  for (let e = 0; e < r * r; e++) L[o + e] = s3 * bases.mass[at + e]
  if (more) for (let e = 0; e < r * r; e++) L[o + e] += more[o + e]
  for (let l = 0; l < r; l++) L[o + l * r + l] += m.armature[k + l]
}

/** IA(i) += the inertia in the row of frame e of body bodies[n]. */
export function joinInertia(m: Model, n: number, e: number, IA: Vec): void {
  const from = 21 * (m.nbody + e)
  const to = 21 * m.modes.bodies[n]
  for (let s = 0; s < 21; s++) IA[to + s] += IA[from + s]
}

/** What a child with its inertia in the row of frame e means to the modes: added to rows W = Mrfᵀ, and to the lower triangle of L = Mff. */
export function coupleFrame(m: Model, n: number, e: number, T: Vec, IA: Vec, W: Vec, L: Vec): void {
  const { start, iv, block, column } = m.modes
  const r = start[n + 1] - start[n]
  const k = iv[start[n]]
  const from = 21 * (m.nbody + e)
  for (let l = 0; l < r; l++) {
    mulArticulated(g, 0, IA, from, T, 6 * (column[e] + l))
    add6(W, 6 * (k + l), g, 0)
    addProducts(L, block[n] + l * r, g, T, 6 * column[e], l + 1)
  }
}

function addProducts(out: Vec, o: number, f: Vec, T: Vec, t: number, count: number): void {
  const f0 = f[0]
  const f1 = f[1]
  const f2 = f[2]
  const f3 = f[3]
  const f4 = f[4]
  const f5 = f[5]
  for (let p = 0, c = t; p < count; p++, c += 6) {
    out[o + p] += f0 * T[c] + f1 * T[c + 1] + f2 * T[c + 2] + f3 * T[c + 3] + f4 * T[c + 4] + f5 * T[c + 5]
  }
}

/** L from the lower triangle of Mff in its place. False, with NaN in it, where Mff is not positive definite. */
export function factorModes(m: Model, n: number, L: Vec): boolean {
  const { start, block } = m.modes
  if (cholesky(L, block[n], start[n + 1] - start[n])) return true
  L.fill(Number.NaN, block[n], block[n + 1])
  return false
}

/** After `factorModes`: W and IA(i) as above, from Mrfᵀ and Mrr in their place. */
export function eliminateModes(m: Model, n: number, IA: Vec, W: Vec, L: Vec): void {
  const { bodies, start, iv, block } = m.modes
  const r = start[n + 1] - start[n]
  const k = iv[start[n]]
  forwardSubstitute6(L, block[n], r, W, 6 * k)
  for (let l = 0; l < r; l++) subtractOuter(IA, 21 * bodies[n], W, 6 * (k + l))
}
