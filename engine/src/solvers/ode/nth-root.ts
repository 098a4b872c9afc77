/**
 * x^(1/k) with + − · / alone: step sizes, and with them every bit of a run, are then the same in every JavaScript engine,
 * which Math.pow does not promise.
 */
import { pow } from '../../math/own.js'
import type { Vec } from '../../math/types.js'

/** v[i] ← the k-th root of v[i] ≥ 0; infinite or not a number where it is. In place, so that nothing is boxed. */
export function takeRoot(v: Vec, i: number, k: number): void {
  const x = v[i]
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return
  // bring x into [1, 2^k) by powers of 2^k, each of which halves or doubles the root
  let scale = 1
  let y = x
  const base = pow(2, k)
  while (y >= base) {
    y /= base
    scale *= 2
  }
  while (y < 1) {
    y *= base
    scale /= 2
  }
  // Newton from above decreases until rounding stops it
  let r = 2
  for (let n = 0; n < 100; n++) {
    let power = 1
    for (let j = 1; j < k; j++) power *= r
    const next = ((k - 1) * r + y / power) / k
    if (!(next < r)) break
    r = next
  }
  v[i] = r * scale
}
