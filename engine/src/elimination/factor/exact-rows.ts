/**
 * Elimination of rows that hold exactly (loops): their forces f are unknowns without a compliance of their own,
 *
 *   (Q  Rᵀ) (y)   (b)
 *   (R  0 ) (f) = (c),      R the rows, each divided by the root of its mobility, so that numbers about 1 are met
 *
 * and may go when joints that move the rows have gone: what has come to stand on the diagonal then is −R Q⁻¹ Rᵀ, and with the rows before
 * taken out, the share of a row that these do not tell. A row without a share, which moves with nothing that is left either, says nothing
 * new and is left out; a small share is no ground to build on, and the factorisation says no.
 */
import { AT } from '../plan/operations.js'
import type { Factor } from './factor.js'
import { subtractRank1 } from './front.js'

// shares of a row: enough to go by, and none; what such a row may still have to do with others
const PLAIN = 1e-12
const NONE = 1e-13
const ALOOF = 1e-5
// of `alike`, which is stated for shares of the true mobility: that is less
const OPEN = 0.1

/**
 * As `eliminatePanel`, for the forces of k rows at `slot`, from row `first` on. Writes `spare`. False where a share is below alike[0] or too
 * small to go by, or rows depend on what is not yet taken out.
 */
export function eliminateRigid(f: Factor, p: number, k: number, slot: number, first: number): boolean {
  const { Q, H, dinv, g, own: C } = f
  const { spare, alike } = f.exact
  const { ops } = f.plan
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  const w = ops[p + AT.width]
  const kept = ops[p + AT.kept]
  const pivot = ops[p + AT.pivot]
  const plain = Math.max(PLAIN, OPEN * alike[0])
  for (let a = 0; a < k; a++) {
    const row = a * w
    const share = -C[a * k + a]
    for (let c = slot; c <= slot + a; c++) g[row + c] = 0
    if (!(share > plain)) {
      if (!(share < NONE)) return false
      for (let j = 0; j < w; j++) {
        if (!(Math.abs(g[row + j]) < ALOOF)) return false
        g[row + j] = 0
        H[kept + row + j] = 0
      }
      spare[first + a] = 1
      dinv[pivot + a] = 0
      continue
    }
    spare[first + a] = 0
    const inverse = -1 / share
    dinv[pivot + a] = inverse
    for (let j = 0; j < w; j++) H[kept + row + j] = g[row + j] * inverse
    for (let b = a + 1; b < k; b++) {
      const mixed = C[b * k + a]
      if (mixed === 0) continue
      for (let j = 0; j < w; j++) g[b * w + j] -= mixed * H[kept + row + j]
      for (let c = a + 1; c <= b; c++) C[b * k + c] -= mixed * C[c * k + a] * inverse
    }
  }
  for (let a = 0; a < k; a++) subtractRank1(Q, base, st, w, g, a * w, H, kept + a * w)
  return true
}
