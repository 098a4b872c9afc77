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
import { subtractOuter } from '../printed/arrays.js'

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
  addCarried(W, 6 * iv[start[n]], L, block[n], IA, 21 * (m.nbody + e), T, 6 * column[e], start[n + 1] - start[n])
}

/**
 * U[i …] += I T and L[o …] += Tᵀ I T for the r columns T[t …] of a frame, with I the inertia at IA[a …] of what hangs on it; of L the lower triangle
 * only, which is what the factor reads. Written out: on trees with many branches most of a step is spent here.
 */
function addCarried(U: Vec, i: number, L: Vec, o: number, IA: Vec, a: number, T: Vec, t: number, r: number): void {
  const xx = IA[a]
  const xy = IA[a + 1]
  const xz = IA[a + 2]
  const yy = IA[a + 3]
  const yz = IA[a + 4]
  const zz = IA[a + 5]
  const b0 = IA[a + 6]
  const b1 = IA[a + 7]
  const b2 = IA[a + 8]
  const b3 = IA[a + 9]
  const b4 = IA[a + 10]
  const b5 = IA[a + 11]
  const b6 = IA[a + 12]
  const b7 = IA[a + 13]
  const b8 = IA[a + 14]
  const c0 = IA[a + 15]
  const c1 = IA[a + 16]
  const c2 = IA[a + 17]
  const c3 = IA[a + 18]
  const c4 = IA[a + 19]
  const c5 = IA[a + 20]
  for (let l = 0, e = t, w = i; l < r; l++, e += 6, w += 6) {
    const t0 = T[e]
    const t1 = T[e + 1]
    const t2 = T[e + 2]
    const t3 = T[e + 3]
    const t4 = T[e + 4]
    const t5 = T[e + 5]
    const f0 = xx * t0 + xy * t1 + xz * t2 + b0 * t3 + b1 * t4 + b2 * t5
    const f1 = xy * t0 + yy * t1 + yz * t2 + b3 * t3 + b4 * t4 + b5 * t5
    const f2 = xz * t0 + yz * t1 + zz * t2 + b6 * t3 + b7 * t4 + b8 * t5
    const f3 = b0 * t0 + b3 * t1 + b6 * t2 + c0 * t3 + c1 * t4 + c2 * t5
    const f4 = b1 * t0 + b4 * t1 + b7 * t2 + c1 * t3 + c3 * t4 + c4 * t5
    const f5 = b2 * t0 + b5 * t1 + b8 * t2 + c2 * t3 + c4 * t4 + c5 * t5
    U[w] += f0
    U[w + 1] += f1
    U[w + 2] += f2
    U[w + 3] += f3
    U[w + 4] += f4
    U[w + 5] += f5
    for (let p = o + l * r, c = t; c <= e; p++, c += 6) {
      L[p] += f0 * T[c] + f1 * T[c + 1] + f2 * T[c + 2] + f3 * T[c + 3] + f4 * T[c + 4] + f5 * T[c + 5]
    }
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
