/**
 * Forward dynamics, the articulated-body algorithm: O(n).
 *
 * [RBDA] Table 7.1, gravity as an upward acceleration of the world. Departure: within this recursion every
 * quantity is at the body's origin but along the *world's* axes, so that going from body to parent is a mere shift by r = p(i) − p(p):
 * rotating each rigid inertia once costs less than rotating each articulated one.
 *   V = shifted V(p) + S v,  c = Ṡ v + V × S v
 *   IA = I + Σ children,  pA = V ×* I V − f + Σ children
 *   pA += IA c; then for each freedom of the body, the last first, as if the others were massless bodies at the same place:
 *   U = IA S,  D = 1/(Sᵀ U + armature),  u = τ − Sᵀ pA,   IA −= U D Uᵀ,  pA += U D u
 *   what is left, shifted to the parent:  C' = C,  B' = B + [r] C,  A' = A − B[r] + [r] B'ᵀ;   n' = n + r × f
 *   a' = shifted A(p); for each freedom, the first first:  a = D (u − Uᵀ a'),  a' += S a;   A(i) = a' + c
 * Straight-line code over locals, because nearly all time goes here.
 */
import { rotate6 } from '../math/spatial.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import { eliminate } from './aba-eliminate.js'
import { accelerateFrame, accelerateModes, clearFrames } from './aba-modes.js'
import { sweep } from './aba-sweep.js'

/**
 * Reads X_PB, S, f, v and tau (nv). Writes X_WB, SW, VW, cW, IA, pA, U, D, u, AW and out (nv): the
 * accelerations. A pivot that is not positive makes NaN of the accelerations it feeds.
 *
 * The passes over a range of bodies, for those who take a tree apart: `sweep` and `accelerate` need the bodies above, `eliminate` those below.
 */
export function aba(m: Model, d: Data, v: Vec, tau: Vec, out: Vec): void {
  sweep(m, d, v)
  startBias(m, d)
  eliminate(m, d, tau)
  accelerate(m, d, out)
}

/** IA = 0, pA = −f for the bodies from … to − 1; most have none. */
export function startBias(m: Model, d: Data, from = 1, to = m.nbody): void {
  const { IA, pA, f, X_WB } = d
  IA.fill(0, 21 * from, 21 * to)
  pA.fill(0, 6 * from, 6 * to)
  if (m.modes.count > 0) clearFrames(m, d, from, to)
  for (let i = from; i < to; i++) {
    const b = 6 * i
    if (f[b] === 0 && f[b + 1] === 0 && f[b + 2] === 0 && f[b + 3] === 0 && f[b + 4] === 0 && f[b + 5] === 0) continue
    rotate6(pA, b, X_WB, 12 * i, f, b)
    for (let r = 0; r < 6; r++) pA[b + r] = -pA[b + r]
  }
}

/** Root to leaves: accelerations of the joints, and of the bodies from … to − 1. */
export function accelerate(m: Model, d: Data, out: Vec, from = 1, to = m.nbody): void {
  const { X_WB: X, SW, U, D, u, cW: c, AW: A } = d
  const { parent, base, iv, ivEnd } = m
  const deforms = m.modes.count > 0
  for (let i = from; i < to; i++) {
    if (deforms) accelerateFrame(m, d, out, i)
    const b = 6 * i
    const x = 12 * i
    const p = parent[i]
    const q = 6 * base[i]
    const y = 12 * p
    const rx = X[x + 9] - X[y + 9]
    const ry = X[x + 10] - X[y + 10]
    const rz = X[x + 11] - X[y + 11]
    let a0 = A[q]
    let a1 = A[q + 1]
    let a2 = A[q + 2]
    let a3 = A[q + 3] + (a1 * rz - a2 * ry)
    let a4 = A[q + 4] + (a2 * rx - a0 * rz)
    let a5 = A[q + 5] + (a0 * ry - a1 * rx)
    const end = ivEnd[i]
    for (let k = iv[i]; k < end; k++) {
      const s = 6 * k
      const held = U[s] * a0 + U[s + 1] * a1 + U[s + 2] * a2 + (U[s + 3] * a3 + U[s + 4] * a4 + U[s + 5] * a5)
      const a = (u[k] - held) * D[k]
      out[k] = a
      a0 += SW[s] * a
      a1 += SW[s + 1] * a
      a2 += SW[s + 2] * a
      a3 += SW[s + 3] * a
      a4 += SW[s + 4] * a
      a5 += SW[s + 5] * a
    }
    A[b] = a0 + c[b]
    A[b + 1] = a1 + c[b + 1]
    A[b + 2] = a2 + c[b + 2]
    A[b + 3] = a3 + c[b + 3]
    A[b + 4] = a4 + c[b + 4]
    A[b + 5] = a5 + c[b + 5]
    if (deforms) accelerateModes(m, d, out, i)
  }
}
