/**
 * Polar decomposition A = R S of a 3 × 3 matrix, row-major, with its first and second derivatives along a motion A(t) [Barbic].
 *
 *   Ṙ = [ω] R,   ω = R H⁻¹ vec(Rᵀ Ȧ),   H = tr(S) 1 − S
 *   ω̇ = R H⁻¹ (vec(Rᵀ (Ä − [ω] Ȧ)) − (tr(Ṡ) 1 − Ṡ) Rᵀ ω),   Ṡ = Rᵀ (Ȧ − [ω] A)
 * where vec(X) = (X₃₂ − X₂₃, X₁₃ − X₃₁, X₂₁ − X₁₂), and ω is along the axes in which A is given.
 */
import type { Vec } from './types.js'

// Newton's iteration converges quadratically: a change this small leaves an error of its square
const NEAR = 1e-8
const ROUNDS = 60

// the last: the determinant that goes with cofactors; a number that a call hands back is an allocation
const B = new Float64Array(10)
const S = new Float64Array(9)
const w = new Float64Array(9)

/**
 * R[r …] ← the rotation of A[a …], W[o …] ← R H⁻¹. By Newton's iteration R ← (R + R⁻ᵀ)/2. NaN where det A is not positive: a matrix turned
 * inside out has no rotation that follows it smoothly.
 */
export function polarRotation(R: Vec, r: number, W: Vec, o: number, A: Vec, a: number): void {
  for (let k = 0; k < 9; k++) R[r + k] = A[a + k]
  let change = 1
  for (let n = 0; n < ROUNDS && change > NEAR; n++) {
    cofactors(B, R, r)
    const det = B[9]
    if (!(det > 0)) {
      for (let k = 0; k < 9; k++) {
        R[r + k] = Number.NaN
        W[o + k] = Number.NaN
      }
      return
    }
    change = 0
    for (let k = 0; k < 9; k++) {
      const next = 0.5 * (R[r + k] + B[k] / det)
      const moved = Math.abs(next - R[r + k])
      if (moved > change) change = moved
      R[r + k] = next
    }
  }
  // S = Rᵀ A, H = tr(S) 1 − S
  mulTransposed(S, R, r, A, a)
  const trace = S[0] + S[4] + S[8]
  for (let k = 0; k < 9; k++) S[k] = -S[k]
  S[0] += trace
  S[4] += trace
  S[8] += trace
  // H is symmetric: its inverse is its cofactors over its determinant
  cofactors(B, S, 0)
  const det = B[9]
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      W[o + 3 * i + j] = (R[r + 3 * i] * B[j] + R[r + 3 * i + 1] * B[3 + j] + R[r + 3 * i + 2] * B[6 + j]) / det
    }
  }
}

/**
 * L[o …] ← the three 3 × 3 matrices by which the columns of Ȧ turn R: ω = L₁ Ȧ₁ + L₂ Ȧ₂ + L₃ Ȧ₃. With m and r the columns of W = R H⁻¹ and R:
 *   L₁ = m₃ r₂ᵀ − m₂ r₃ᵀ,   L₂ = m₁ r₃ᵀ − m₃ r₁ᵀ,   L₃ = m₂ r₁ᵀ − m₁ r₂ᵀ
 */
export function turnByColumns(L: Vec, o: number, R: Vec, r: number, W: Vec, m: number): void {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      const at = o + 3 * i + j
      const w = m + 3 * i
      const c = r + 3 * j
      L[at] = W[w + 2] * R[c + 1] - W[w + 1] * R[c + 2]
      L[at + 9] = W[w] * R[c + 2] - W[w + 2] * R[c]
      L[at + 18] = W[w + 1] * R[c] - W[w] * R[c + 1]
    }
  }
}

/** out[o …] ← ω̇. `rate` and `rate2` are Ȧ and Ä, 9 each from 0 on; `omega` is ω. */
export function polarAcceleration(
  out: Vec,
  o: number,
  A: Vec,
  a: number,
  R: Vec,
  r: number,
  W: Vec,
  m: number,
  rate: Vec,
  rate2: Vec,
  omega: Vec,
): void {
  const x = omega[0]
  const y = omega[1]
  const z = omega[2]
  // Ṡ = Rᵀ (Ȧ − [ω] A)
  for (let j = 0; j < 3; j++) {
    B[j] = rate[j] - (y * A[a + 6 + j] - z * A[a + 3 + j])
    B[3 + j] = rate[3 + j] - (z * A[a + j] - x * A[a + 6 + j])
    B[6 + j] = rate[6 + j] - (x * A[a + 3 + j] - y * A[a + j])
  }
  mulTransposed(S, R, r, B, 0)
  const trace = S[0] + S[4] + S[8]
  for (let k = 0; k < 3; k++) w[3 + k] = R[r + k] * x + R[r + 3 + k] * y + R[r + 6 + k] * z
  for (let i = 0; i < 3; i++) w[i] = S[3 * i] * w[3] + S[3 * i + 1] * w[4] + S[3 * i + 2] * w[5] - trace * w[3 + i]
  // vec(Rᵀ (Ä − [ω] Ȧ))
  for (let j = 0; j < 3; j++) {
    B[j] = rate2[j] - (y * rate[6 + j] - z * rate[3 + j])
    B[3 + j] = rate2[3 + j] - (z * rate[j] - x * rate[6 + j])
    B[6 + j] = rate2[6 + j] - (x * rate[3 + j] - y * rate[j])
  }
  mulTransposed(S, R, r, B, 0)
  w[0] += S[7] - S[5]
  w[1] += S[2] - S[6]
  w[2] += S[3] - S[1]
  for (let i = 0; i < 3; i++) out[o + i] = W[m + 3 * i] * w[0] + W[m + 3 * i + 1] * w[1] + W[m + 3 * i + 2] * w[2]
}

/** out ← Rᵀ X */
function mulTransposed(out: Vec, R: Vec, r: number, X: Vec, x: number): void {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) out[3 * i + j] = R[r + i] * X[x + j] + R[r + 3 + i] * X[x + 3 + j] + R[r + 6 + i] * X[x + 6 + j]
  }
}

/** out[0 … 8] ← the cofactors of X, which are det X times X⁻ᵀ; out[9] ← det X. */
function cofactors(out: Vec, X: Vec, x: number): void {
  out[0] = X[x + 4] * X[x + 8] - X[x + 5] * X[x + 7]
  out[1] = X[x + 5] * X[x + 6] - X[x + 3] * X[x + 8]
  out[2] = X[x + 3] * X[x + 7] - X[x + 4] * X[x + 6]
  out[3] = X[x + 2] * X[x + 7] - X[x + 1] * X[x + 8]
  out[4] = X[x] * X[x + 8] - X[x + 2] * X[x + 6]
  out[5] = X[x + 1] * X[x + 6] - X[x] * X[x + 7]
  out[6] = X[x + 1] * X[x + 5] - X[x + 2] * X[x + 4]
  out[7] = X[x + 2] * X[x + 3] - X[x] * X[x + 5]
  out[8] = X[x] * X[x + 4] - X[x + 1] * X[x + 3]
  out[9] = X[x] * out[0] + X[x + 1] * out[1] + X[x + 2] * out[2]
}
