/**
 * M y = x with the factor that the articulated-body algorithm left in U and D: O(n) for each vector.
 *
 * The recursion of `tree/aba`, along the world's axes, with no velocity, gravity or outside force; p starts at zero:
 *   backward  w = L⁻¹ (x − Sᵀ p),      p(parent) += shifted (p + Wᵀ w)
 *   forward   y = L⁻ᵀ (w − W a'),      a = a' + S y,   a' = shifted a(parent)
 * With one degree of freedom U is not divided by L and D is the inverse pivot, so that w = D (x − Sᵀ p) and y = w − D Uᵀ a'.
 */
import { backSubstitute, forwardSubstitute } from '../linalg/cholesky.js'
import { addScaled6, dot6, shiftForce, shiftMotion } from '../math/spatial.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'

/** Reads X_WB, and SW, U, D as `aba` wrote them. Writes out[o …] = M⁻¹ x[i …]; F and y of Data are scratch. out and x may be the same. */
export function solveInertia(m: Model, d: Data, out: Vec, o: number, x: Vec, i0: number): void {
  const { nbody, parent, iv } = m
  const { X_WB, SW: S, U, D, F, y } = d
  for (let k = 0; k < 6 * nbody; k++) F[k] = 0

  for (let i = nbody - 1; i > 0; i--) {
    const k = iv[i]
    const n = iv[i + 1] - k
    const b = 6 * i
    for (let r = 0; r < n; r++) out[o + k + r] = x[i0 + k + r] - dot6(S, 6 * (k + r), F, b)
    if (n === 1) out[o + k] *= D[m.id[i]]
    else if (n > 1) forwardSubstitute(D, m.id[i], n, out, o + k, 1)
    if (parent[i] === 0) continue
    for (let r = 0; r < n; r++) addScaled6(F, b, out, o + k + r, U, 6 * (k + r))
    shiftForce(F, 6 * parent[i], X_WB, 12 * i, 12 * parent[i], F, b)
  }

  for (let i = 1; i < nbody; i++) {
    const k = iv[i]
    const n = iv[i + 1] - k
    const b = 6 * i
    shiftMotion(y, b, X_WB, 12 * i, 12 * parent[i], y, 6 * parent[i])
    if (n === 1) {
      out[o + k] -= D[m.id[i]] * dot6(U, 6 * k, y, b)
    } else {
      for (let r = 0; r < n; r++) out[o + k + r] -= dot6(U, 6 * (k + r), y, b)
      backSubstitute(D, m.id[i], n, out, o + k, 1)
    }
    for (let r = 0; r < n; r++) addScaled6(y, b, out, o + k + r, S, 6 * (k + r))
  }
}
