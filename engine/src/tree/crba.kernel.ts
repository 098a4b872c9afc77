/**
 * Mass matrix, the composite-rigid-body algorithm.
 *
 * [RBDA] Table 6.2 in body coordinates: Ic(p) += X⁻ᵀ Ic(i) X⁻¹; column k of body i is F = Ic(i) S_k, carried up the tree:
 *   M(k, l) = S_lᵀ F for every l on the way to the root.
 */
import { add, type Int, type Lanes } from '../math/values/columns.js'
import { articulated, type Force, forceToParent, inertiaToParent, mulArticulated, power } from '../math/values/spatial.js'
import type { Tree, Work } from '../model/tables.js'

/** IA of each body alone. @kernel */
export function startComposites(m: Tree, d: Work, from: Int, to: Int): void {
  for (let i = from; i < to; i++) d.IA[i] = articulated(m.inertia[i])
}

/** IA with all that each body carries, as if the joints were locked. Bodies whose parents are before `from` keep theirs. Reads X_PB. @kernel */
export function sumComposites(m: Tree, d: Work, from: Int, to: Int): void {
  for (let i = to - 1; i >= from; i--) {
    const p = m.parent[i]
    if (p >= from) d.IA[p] = add(d.IA[p], inertiaToParent(d.X_PB[i], d.IA[i]))
  }
}

/** out[l] = S_lᵀ F for every velocity l of body i and of the bodies on the way to the root, F acting on body i. */
function climb(m: Tree, d: Work, out: Lanes<number>, i: Int, start: Force): void {
  let F = start
  for (let l = m.iv[i]; l < m.ivEnd[i]; l++) out[l] = power(d.S[l], F)
  for (let b = i; m.parent[b] > 0; b = m.parent[b]) {
    const p = m.parent[b]
    F = forceToParent(d.X_PB[b], F)
    for (let l = m.iv[p]; l < m.ivEnd[p]; l++) out[l] = power(d.S[l], F)
  }
}

/** Column k of M, armature left out, at the velocities of body i and of the bodies on the way to the root. Reads IA. @kernel */
export function massColumn(m: Tree, d: Work, out: Lanes<number>, i: Int, k: Int): void {
  climb(m, d, out, i, mulArticulated(d.IA[i], d.S[k]))
}
