/**
 * Solves with the panels of `direct` by parts (`part-factor`): the last `count` of w numbers go, row after row from the end. Rows are w − 1,
 * w − 2, … long. Two at a time, so that what stays is read and written half as often.
 */
import type { Vec } from '../../../math/types.js'

/** y ← y − Hᵀ β; z ← β/d */
export function forwardPanel(H: Vec, kept: number, y: Vec, v: number, w: number, count: number, dinv: Vec, z: Vec, pivot: number): void {
  let first = kept
  let k = 0
  for (; k + 1 < count; k += 2) {
    const end = w - 2 - k
    const second = first + end + 1
    const x0 = y[v + end + 1]
    const x1 = y[v + end] - H[first + end] * x0
    for (let j = 0; j < end; j++) y[v + j] -= H[first + j] * x0 + H[second + j] * x1
    z[pivot + k] = x0 * dinv[pivot + k]
    z[pivot + k + 1] = x1 * dinv[pivot + k + 1]
    first = second + end
  }
  if (k === count) return
  const end = w - 1 - k
  const x0 = y[v + end]
  for (let j = 0; j < end; j++) y[v + j] -= H[first + j] * x0
  z[pivot + k] = x0 * dinv[pivot + k]
}

/** y ← z − H y */
export function backwardPanel(H: Vec, kept: number, y: Vec, v: number, w: number, count: number, z: Vec, pivot: number): void {
  // where the row behind the last one would begin
  let h = kept + count * w - (count * (count + 1)) / 2
  let k = count - 1
  if ((count & 1) === 1) {
    const end = w - 1 - k
    h -= end
    let x0 = z[pivot + k]
    for (let j = 0; j < end; j++) x0 -= H[h + j] * y[v + j]
    y[v + end] = x0
    k--
  }
  for (; k > 0; k -= 2) {
    const end = w - 1 - k
    const second = h - end
    h = second - end - 1
    let x1 = z[pivot + k]
    let x0 = z[pivot + k - 1]
    for (let j = 0; j < end; j++) {
      x1 -= H[second + j] * y[v + j]
      x0 -= H[h + j] * y[v + j]
    }
    y[v + end] = x1
    y[v + end + 1] = x0 - H[h + end] * x1
  }
}
