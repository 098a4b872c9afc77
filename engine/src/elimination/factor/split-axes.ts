/**
 * A joint's axes S (n × nd, n six or in a plane three) split the relative motion of two bodies: the part along S, by its pseudo-inverse, and the rest, by
 * rows T with T S = 0. Both come from Householder reflections, Q S = ( R ; 0 ): S⁺ = R⁻¹ Q's first rows, T its last ones.
 */
import type { Vec } from '../../math/types.js'

const A = new Float64Array(36)
const Q = new Float64Array(36)
const u = new Float64Array(6)

/** Reads nd columns of S, n numbers each, from S[s]. Writes T[t …] (n − nd rows) and P[p …] = S⁺ (nd rows), n numbers a row. */
export function splitAxes(T: Vec, t: number, P: Vec, p: number, S: Vec, s: number, nd: number, n: number): void {
  for (let k = 0; k < n * n; k++) Q[k] = k % (n + 1) === 0 ? 1 : 0
  for (let k = 0; k < n * nd; k++) A[k] = S[s + k]

  for (let k = 0; k < nd; k++) {
    // reflect column k below row k onto its axis
    let norm = 0
    for (let r = k; r < n; r++) norm += A[n * k + r] * A[n * k + r]
    norm = Math.sqrt(norm)
    const alpha = A[n * k + k] > 0 ? -norm : norm
    let square = 0
    for (let r = k; r < n; r++) {
      u[r] = A[n * k + r] - (r === k ? alpha : 0)
      square += u[r] * u[r]
    }
    if (square === 0) continue
    for (let c = k; c < nd; c++) reflect(A, n * c, 1, n, k, square)
    for (let c = 0; c < n; c++) reflect(Q, c, n, n, k, square)
  }

  for (let r = nd; r < n; r++) for (let c = 0; c < n; c++) T[t + n * (r - nd) + c] = Q[n * r + c]
  // R X = first rows of Q, backwards
  for (let r = nd - 1; r >= 0; r--) {
    for (let c = 0; c < n; c++) {
      let sum = Q[n * r + c]
      for (let k = r + 1; k < nd; k++) sum -= A[n * k + r] * P[p + n * k + c]
      P[p + n * r + c] = sum / A[n * r + r]
    }
  }
}

/** x ← x − 2 u (uᵀ x)/|u|² on entries k … n − 1 of the vector at M[o], `stride` apart. */
function reflect(M: Vec, o: number, stride: number, n: number, k: number, square: number): void {
  let dot = 0
  for (let r = k; r < n; r++) dot += u[r] * M[o + r * stride]
  const w = (2 * dot) / square
  for (let r = k; r < n; r++) M[o + r * stride] -= w * u[r]
}
