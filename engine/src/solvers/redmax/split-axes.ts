/**
 * A joint's axes S (6 × nd) split the relative motion of two bodies: the part along S, by its pseudo-inverse, and the rest, by
 * rows T with T S = 0. Both come from Householder reflections, Q S = ( R ; 0 ): S⁺ = R⁻¹ Q's first rows, T its last ones.
 */
import type { Vec } from '../../math/types.js'

const A = new Float64Array(36)
const Q = new Float64Array(36)
const u = new Float64Array(6)

/** Reads nd columns of S, six numbers each, from S[s]. Writes T[t …] (6 − nd rows) and P[p …] = S⁺ (nd rows), six numbers a row. */
export function splitAxes(T: Vec, t: number, P: Vec, p: number, S: Vec, s: number, nd: number): void {
  for (let k = 0; k < 36; k++) Q[k] = k % 7 === 0 ? 1 : 0
  for (let k = 0; k < 6 * nd; k++) A[k] = S[s + k]

  for (let k = 0; k < nd; k++) {
    // reflect column k below row k onto its axis
    let norm = 0
    for (let r = k; r < 6; r++) norm += A[6 * k + r] * A[6 * k + r]
    norm = Math.sqrt(norm)
    const alpha = A[6 * k + k] > 0 ? -norm : norm
    let square = 0
    for (let r = k; r < 6; r++) {
      u[r] = A[6 * k + r] - (r === k ? alpha : 0)
      square += u[r] * u[r]
    }
    if (square === 0) continue
    for (let c = k; c < nd; c++) reflect(A, 6 * c, 1, k, square)
    for (let c = 0; c < 6; c++) reflect(Q, c, 6, k, square)
  }

  for (let r = nd; r < 6; r++) for (let c = 0; c < 6; c++) T[t + 6 * (r - nd) + c] = Q[6 * r + c]
  // R X = first rows of Q, backwards
  for (let r = nd - 1; r >= 0; r--) {
    for (let c = 0; c < 6; c++) {
      let sum = Q[6 * r + c]
      for (let k = r + 1; k < nd; k++) sum -= A[6 * k + r] * P[p + 6 * k + c]
      P[p + 6 * r + c] = sum / A[6 * r + r]
    }
  }
}

/** x ← x − 2 u (uᵀ x)/|u|² on entries k … 5 of the vector at M[o], `stride` apart. */
function reflect(M: Vec, o: number, stride: number, k: number, square: number): void {
  let dot = 0
  for (let r = k; r < 6; r++) dot += u[r] * M[o + r * stride]
  const w = (2 * dot) / square
  for (let r = k; r < 6; r++) M[o + r * stride] -= w * u[r]
}
