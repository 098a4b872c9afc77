/**
 * Solves with the panels of a plan by parts (`factor/panel`): the last `count` of w numbers go, row after row from the end. Rows are w − 1,
 * w − 2, … long. Two at a time, so that what stays is read and written half as often.
 */
import type { Factor } from '../factor/factor.js'
import { AT } from '../plan/operations.js'

/** y ← y − Hᵀ β; z ← β/d */
export function forwardPanel({ H, y, z, dinv, plan: { ops } }: Factor, p: number): void {
  const v = ops[p + AT.vector]
  const w = ops[p + AT.width]
  const count = ops[p + AT.count]
  const pivot = ops[p + AT.pivot]
  let first = ops[p + AT.kept]
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
export function backwardPanel({ H, y, z, plan: { ops } }: Factor, p: number): void {
  const v = ops[p + AT.vector]
  const w = ops[p + AT.width]
  const count = ops[p + AT.count]
  const pivot = ops[p + AT.pivot]
  // where the row behind the last one would begin
  let h = ops[p + AT.kept] + count * w - (count * (count + 1)) / 2
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
