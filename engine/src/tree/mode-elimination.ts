/**
 * Elimination of the modes of a body that deforms, before its joints: the same in `tree/aba-modes` and `tree/implicit-factor-modes`, whatever
 * axes inertias and motions are along.
 *
 * With children on moved frames, seen at the body's origin:
 *   ( Mrr Mrf ; Mrfᵀ Mff ) = ( I + dI, P ; Pᵀ, tr C ) + Σ ( 1 T )ᵀ IA(e) ( 1 T )
 *   L Lᵀ = Mff,  W = L⁻¹ Mrfᵀ,  IA = Mrr − Wᵀ W
 */
import { cholesky, forwardSubstitute } from '../linalg/dense/cholesky.js'
import type { Vec } from '../math/types.js'
import type { Model } from '../model/model.js'
import { add6, addDot6, mulArticulated, subtractOuter } from '../printed/arrays.js'
import { modeMass } from './modes.js'

const g = new Float64Array(6)

/** L ← Mff of body bodies[n] alone: tr C and armature. */
export function startModeMass(m: Model, n: number, L: Vec): void {
  const { start, iv, block } = m.modes
  const first = start[n]
  const r = start[n + 1] - first
  const o = block[n]
  for (let l = 0; l < r; l++) {
    for (let p = 0; p < r; p++) L[o + l * r + p] = modeMass(m, n, first + l, first + p)
    L[o + l * r + l] += m.armature[iv[first] + l]
  }
}

/** Adds a child, whose inertia is in the row of its frame e: to IA(i), to rows W = Mrfᵀ of the modes, and to L = Mff. */
export function joinFrame(m: Model, n: number, e: number, T: Vec, IA: Vec, W: Vec, L: Vec): void {
  const { bodies, start, iv, block, column } = m.modes
  const r = start[n + 1] - start[n]
  const o = block[n]
  const k = iv[start[n]]
  const from = 21 * (m.nbody + e)
  const to = 21 * bodies[n]
  for (let s = 0; s < 21; s++) IA[to + s] += IA[from + s]
  for (let l = 0; l < r; l++) {
    mulArticulated(g, 0, IA, from, T, 6 * (column[e] + l))
    add6(W, 6 * (k + l), g, 0)
    for (let p = 0; p < r; p++) addDot6(L, o + l * r + p, T, 6 * (column[e] + p), g, 0)
  }
}

/** L, W and IA(i) as above, from Mff, Mrfᵀ and Mrr in their place. False, with NaN in L, where Mff is not positive definite. */
export function eliminateModes(m: Model, n: number, IA: Vec, W: Vec, L: Vec): boolean {
  const { bodies, start, iv, block } = m.modes
  const r = start[n + 1] - start[n]
  const o = block[n]
  const k = iv[start[n]]
  const isDefinite = cholesky(L, o, r)
  if (!isDefinite) L.fill(Number.NaN, o, o + r * r)
  for (let s = 0; s < 6; s++) forwardSubstitute(L, o, r, W, 6 * k + s, 6)
  for (let l = 0; l < r; l++) subtractOuter(IA, 21 * bodies[n], W, 6 * (k + l))
  return isDefinite
}
