/**
 * x^(1/k) with + − · / alone: step sizes, and with them every bit of a run, are then the same in every JavaScript engine,
 * which Math.pow does not promise.
 */

/** The k-th root of x ≥ 0; infinite or not a number where x is. */
export function nthRoot(x: number, k: number): number {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return x
  // bring x into [1, 2^k) by powers of 2^k, each of which halves or doubles the root
  let scale = 1
  let y = x
  const base = 2 ** k
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
  for (let i = 0; i < 100; i++) {
    let power = 1
    for (let j = 1; j < k; j++) power *= r
    const next = ((k - 1) * r + y / power) / k
    if (!(next < r)) break
    r = next
  }
  return r * scale
}
