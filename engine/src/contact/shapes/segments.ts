/**
 * Closest points of two segments p + s d, 0 ≤ s ≤ 1.
 *
 * The minimum lies either inside both (then along d_A × d_B, which keeps its digits for nearly parallel segments where the usual
 * a c − b² cancels) or at an end of one of them, projected onto the other; so it is the inner solution if there is one, else the best
 * of four projections.
 */
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'

/** d_A × d_B shorter than this times both lengths: parallel */
const PARALLEL = 1e-10

const cand = new Float64Array(2)

/**
 * Reads segment A at w[i] (start 3, direction 3) and B at w[j]. Writes s, t and the squared distance to out[o].
 * Returns which it was: 0 inside both; 1, 2 start, end of A; 3, 4 start, end of B.
 */
export function closestOnSegments(out: Vec, o: Int, w: Vec, i: Int, j: Int): Int {
  const ax = w[i + 3]
  const ay = w[i + 4]
  const az = w[i + 5]
  const bx = w[j + 3]
  const by = w[j + 4]
  const bz = w[j + 5]
  const rx = w[j] - w[i]
  const ry = w[j + 1] - w[i + 1]
  const rz = w[j + 2] - w[i + 2]
  const nx = ay * bz - az * by
  const ny = az * bx - ax * bz
  const nz = ax * by - ay * bx
  const nn = nx * nx + ny * ny + nz * nz
  const aa = ax * ax + ay * ay + az * az
  const bb = bx * bx + by * by + bz * bz
  if (nn > PARALLEL * PARALLEL * aa * bb && nn > 0) {
    // s = (r × d_B)·n / n², t = (r × d_A)·n / n²
    const s = ((ry * bz - rz * by) * nx + (rz * bx - rx * bz) * ny + (rx * by - ry * bx) * nz) / nn
    const t = ((ry * az - rz * ay) * nx + (rz * ax - rx * az) * ny + (rx * ay - ry * ax) * nz) / nn
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
      const along = rx * nx + ry * ny + rz * nz
      out[o] = s
      out[o + 1] = t
      out[o + 2] = (along * along) / nn
      return 0
    }
  }
  let best = 1
  out[o + 2] = Number.POSITIVE_INFINITY
  for (let k = 1; k <= 4; k++) {
    endOfSegment(cand, 0, w, i, j, k)
    const s = cand[0] < 0 ? 0 : cand[0] > 1 ? 1 : cand[0]
    const t = cand[1] < 0 ? 0 : cand[1] > 1 ? 1 : cand[1]
    const x = rx + t * bx - s * ax
    const y = ry + t * by - s * ay
    const z = rz + t * bz - s * az
    const d2 = x * x + y * y + z * z
    if (d2 < out[o + 2]) {
      best = k
      out[o] = s
      out[o + 1] = t
      out[o + 2] = d2
    }
  }
  return best
}

/** Writes s, t of end k (1, 2: start, end of A; 3, 4: of B) and its foot on the other line, which may lie outside of 0 … 1. */
export function endOfSegment(out: Vec, o: Int, w: Vec, i: Int, j: Int, k: Int): void {
  const own = k < 3 ? i : j
  const other = k < 3 ? j : i
  const end = k === 2 || k === 4 ? 1 : 0
  let dot = 0
  let square = 0
  for (let r = 0; r < 3; r++) {
    const d = w[other + 3 + r]
    dot += d * (w[own + r] + end * w[own + 3 + r] - w[other + r])
    square += d * d
  }
  const foot = square > 0 ? dot / square : 0
  out[o] = k < 3 ? end : foot
  out[o + 1] = k < 3 ? foot : end
}
