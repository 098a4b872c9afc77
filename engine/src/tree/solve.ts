/**
 * M y = x with the factor that the articulated-body algorithm left in SW, U and D: O(n) for each vector.
 *
 * The recursion of `tree/aba`, along the world's axes, with no velocity, gravity or outside force; p starts at zero:
 *   backward  for each freedom, the last first:   w = D (x − Sᵀ p),  p += U w;   p(parent) += shifted p
 *   forward   a = shifted a(parent); for each freedom, the first first:   y = w − D Uᵀ a,  a += S y
 */
import { addDot6, addScaled6, shiftForce, shiftMotion, subtractDot6 } from '../math/spatial.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import { forceOnFrameInWorld, motionOnFrameInWorld, solveModes } from './aba-modes.js'

const w = new Float64Array(1)

/** Reads X_WB, and SW, U, D as `aba` wrote them. Writes out[o …] = M⁻¹ x[i …]; F and y of Data are scratch. out and x may be the same. */
export function solveInertia(m: Model, d: Data, out: Vec, o: number, x: Vec, i0: number): void {
  const { nbody, parent, iv, ivEnd, modes } = m
  const { X_WB, SW, U, D, F, y } = d
  const { frame, count } = modes
  F.fill(0)
  for (let l = 0; l < count; l++) out[o + modes.iv[l]] = x[i0 + modes.iv[l]]

  for (let i = nbody - 1; i > 0; i--) {
    const b = 6 * i
    if (count > 0) solveModes(m, d, out, o, i)
    for (let k = ivEnd[i] - 1; k >= iv[i]; k--) {
      w[0] = 0
      addDot6(w, 0, SW, 6 * k, F, b)
      out[o + k] = D[k] * (x[i0 + k] - w[0])
      addScaled6(F, b, out, o + k, U, 6 * k)
    }
    if (frame[i] >= 0) forceOnFrameInWorld(m, d, out, o, i)
    else if (parent[i] > 0) shiftForce(F, 6 * parent[i], X_WB, 12 * i, 12 * parent[i], F, b)
  }

  for (let i = 1; i < nbody; i++) {
    const b = 6 * i
    if (frame[i] < 0) shiftMotion(y, b, X_WB, 12 * i, 12 * parent[i], y, 6 * parent[i])
    else motionOnFrameInWorld(m, d, out, o, i)
    for (let k = iv[i]; k < ivEnd[i]; k++) {
      w[0] = 0
      addDot6(w, 0, U, 6 * k, y, b)
      out[o + k] -= D[k] * w[0]
      addScaled6(y, b, out, o + k, SW, 6 * k)
    }
    if (modes.row[i] < 0) continue
    for (let l = modes.start[modes.row[i]]; l < modes.start[modes.row[i] + 1]; l++) {
      subtractDot6(out, o + modes.iv[l], U, 6 * modes.iv[l], y, b)
    }
  }
}
