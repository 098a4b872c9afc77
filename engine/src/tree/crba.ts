/**
 * Mass matrix, the composite-rigid-body algorithm.
 *
 * [RBDA] Table 6.2 in body coordinates: Ic(p) += X⁻ᵀ Ic(i) X⁻¹; column k of body i is F = Ic(i) S_k, carried up the tree:
 *   M(k, l) = S_lᵀ F for every l on the way to the root.
 */
import { addInertiaToParent, addRigid, mulArticulated } from '../math/inertia.js'
import { addForceToParent, dot6 } from '../math/spatial.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'

const F = new Float64Array(12)

/** Reads the kinematics. Writes IA (composite inertias) and M, dense nv × nv, row-major. */
export function crba(m: Model, d: Data, M: Vec): void {
  const { nbody, nv, parent, iv, ivEnd, inertia, armature } = m
  const { X_PB, S, IA } = d

  for (let k = 0; k < nv * nv; k++) M[k] = 0
  IA.fill(0)

  for (let i = nbody - 1; i > 0; i--) {
    addRigid(IA, 21 * i, inertia, 10 * i)
    if (parent[i] > 0) addInertiaToParent(IA, 21 * parent[i], X_PB, 12 * i, IA, 21 * i)

    for (let k = iv[i]; k < ivEnd[i]; k++) {
      mulArticulated(F, 0, IA, 21 * i, S, 6 * k)

      // own block, then every ancestor with the force moved up to it
      for (let l = iv[i]; l <= k; l++) setBoth(M, nv, k, l, dot6(S, 6 * l, F, 0))
      let at = 0
      for (let b = i; parent[b] > 0; b = parent[b]) {
        const to = 6 - at
        for (let r = 0; r < 6; r++) F[to + r] = 0
        addForceToParent(F, to, X_PB, 12 * b, F, at)
        at = to
        const p = parent[b]
        for (let l = iv[p]; l < ivEnd[p]; l++) setBoth(M, nv, k, l, dot6(S, 6 * l, F, at))
      }
      M[k * nv + k] += armature[k]
    }
  }
}

function setBoth(M: Vec, n: number, k: number, l: number, value: number): void {
  M[k * n + l] = value
  M[l * n + k] = value
}
