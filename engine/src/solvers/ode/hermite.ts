/**
 * Dense output of one-step methods: the polynomial of degree five through three values and their rates.
 *
 * Newton's form with every node taken twice: p(t) = d₀ + (t−t₀)(d₁ + (t−t₀)(d₂ + (t−t₁)(d₃ + (t−t₁)(d₄ + (t−t₂) d₅)))).
 */
import type { Vec } from '../../math/types.js'

export interface HermiteNode {
  readonly y: Vec
  readonly f: Vec
}

/** out ← p(times[3]) through a, b, c at times[0 … 2], which must differ from one another. */
export function hermite(out: Vec, times: Vec, a: HermiteNode, b: HermiteNode, c: HermiteNode): void {
  const t0 = times[0]
  const t1 = times[1]
  const t2 = times[2]
  const t = times[3]
  const h01 = t1 - t0
  const h12 = t2 - t1
  const h02 = t2 - t0
  const u = t - t0
  const v = t - t1
  const w = t - t2
  for (let k = 0; k < out.length; k++) {
    // divided differences over 0 0 1 1 2 2
    const s01 = (b.y[k] - a.y[k]) / h01
    const s12 = (c.y[k] - b.y[k]) / h12
    const a001 = (s01 - a.f[k]) / h01
    const a011 = (b.f[k] - s01) / h01
    const a112 = (s12 - b.f[k]) / h12
    const a122 = (c.f[k] - s12) / h12
    const b0011 = (a011 - a001) / h01
    const b0112 = (a112 - a011) / h02
    const b1122 = (a122 - a112) / h12
    const c00112 = (b0112 - b0011) / h02
    const c01122 = (b1122 - b0112) / h02
    const d = (c01122 - c00112) / h02
    out[k] = a.y[k] + u * (a.f[k] + u * (a001 + v * (b0011 + v * (c00112 + w * d))))
  }
}
