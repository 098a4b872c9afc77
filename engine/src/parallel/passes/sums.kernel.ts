/**
 * Sums over the velocities in the order of the tree: a body adds its own to those of its children, the last child first. So they have the same bits however
 * the tree is cut.
 */
import type { Int, Lanes } from '../../math/values/columns.js'
import type { Tree } from '../../model/tables.js'

/** aᵀ b of the bodies from … to − 1 joins the sums of their parents; bodies whose parents are before `from` keep theirs. @kernel */
export function sumProducts(m: Tree, sums: Lanes<number>, a: Lanes<number>, b: Lanes<number>, from: Int, to: Int): void {
  for (let i = to - 1; i >= from; i--) {
    let sum = sums[i]
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) sum = sum + a[k] * b[k]
    const p = m.parent[i]
    if (p >= from) {
      sums[i] = 0
      sums[p] = sums[p] + sum
    } else sums[i] = sum
  }
}
