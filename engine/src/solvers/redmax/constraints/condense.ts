/**
 * Equalities taken out of a step's rows: what is left are the unilateral ones, on bodies that move only as the equalities let them.
 *
 *   D_uu′ = D_uu − D_ue W,  r_u′ = r_u − Wᵀ r_e,   W = D_ee⁺ D_eu        then  λ_e = −D_ee⁺ (r_e + D_eu λ_u)
 * Without this, sweeps over the rows pass forces to and fro between a loop and what touches it, and hardly end. A row that the equalities
 * leave no freedom loses its diagonal: it holds, or no force can help it.
 */
import { type Complementarity, resetRows } from '../../../contact/solve/lcp.js'
import { type PivotedLdl, solvePivoted } from '../../../linalg/dense/pivoted-ldl.js'
import type { Vec } from '../../../math/types.js'

// of a row's diagonal: what the equalities left of it is rounding
const ROUNDING = 1e-10
// m/s or rad/s: what the equalities let such a row miss, as they are open themselves
const SLOW = 1e-3

/** Reads p, whose first rows are the equalities factored in ldl. Writes W (a row of `first` numbers each) and `out`, with λ as the start. */
export function condense(out: Complementarity, p: Complementarity, first: number, ldl: PivotedLdl, W: Vec): void {
  const { n, D, r } = p
  const m = n - first
  resetRows(out, m)
  for (let i = 0; i < m; i++) solvePivoted(ldl, W, i * first, D, (first + i) * n)
  for (let i = 0; i < m; i++) {
    for (let j = 0; j <= i; j++) {
      let value = D[(first + i) * n + first + j]
      for (let e = 0; e < first; e++) value -= D[(first + i) * n + e] * W[j * first + e]
      out.D[i * m + j] = value
      out.D[j * m + i] = value
    }
    let asked = r[first + i]
    for (let e = 0; e < first; e++) asked -= W[i * first + e] * r[e]
    out.r[i] = asked
    takeBounds(out, i, p, first)
  }
  for (let i = 0; i < m; i++) dropLockedRow(out, i, D, (first + i) * n + first + i)
}

/** Bounds, cone and force of row i, which follows `first` equalities in p. */
export function takeBounds(out: Complementarity, i: number, p: Complementarity, first: number): void {
  out.lo[i] = p.lo[first + i]
  out.hi[i] = p.hi[first + i]
  out.normal[i] = p.normal[first + i] < 0 ? -1 : p.normal[first + i] - first
  out.mu[i] = p.mu[first + i]
  out.lambda[i] = p.lambda[first + i]
}

/** Row i is dropped where the equalities left nothing of its diagonal, which was D[o]. */
export function dropLockedRow(out: Complementarity, i: number, D: Vec, o: number): void {
  const { n } = out
  if (out.D[i * n + i] > ROUNDING * D[o]) return
  for (let j = 0; j < n; j++) {
    out.D[i * n + j] = 0
    out.D[j * n + i] = 0
  }
  // friction has nothing to stop, a limit nothing to turn back
  if (out.hi[i] < Number.POSITIVE_INFINITY) {
    out.lo[i] = 0
    out.hi[i] = 0
  } else if (Math.abs(out.r[i]) < SLOW) out.r[i] = 0
}

/** λ of the unilateral rows, and r of the equalities as these forces leave it, into p. */
export function bringBack(p: Complementarity, first: number, from: Complementarity): void {
  const { n, D, r, lambda } = p
  for (let i = first; i < n; i++) {
    lambda[i] = from.lambda[i - first]
    if (lambda[i] !== 0) for (let e = 0; e < first; e++) r[e] += D[i * n + e] * lambda[i]
  }
}
