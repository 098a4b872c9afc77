/**
 * M y = x with the factor that the articulated-body algorithm left in SW, U and D: O(n) for each vector. `tree/solve.kernel` has the
 * recursion, `tree/aba-modes` what bodies that deform add to it.
 */

import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import { subtractDot6 } from '../printed/arrays.js'
import { forceOnFrameInWorld, motionOnFrameInWorld, solveModes } from './aba-modes.js'

/** Reads X_WB, and SW, U, D as `aba` wrote them. Writes out[o …] = M⁻¹ x[i …]; F and y of Data are scratch. out and x may be the same. */
export function solveInertia(m: Model, d: Data, out: Vec, o: number, x: Vec, i0: number): void {
  const { x: given, z } = d
  for (let k = 0; k < m.nv; k++) given[k] = x[i0 + k]
  if (m.modes.count === 0) d.kernels.solveTree(d.tree, d.work, z.byteOffset, given.byteOffset)
  else solveDeforming(m, d)
  for (let k = 0; k < m.nv; k++) out[o + k] = z[k]
}

function solveDeforming(m: Model, d: Data): void {
  const { nbody, modes } = m
  const { kernels, tree, work, U, F, y, x, z } = d
  F.fill(0)
  for (let l = 0; l < modes.count; l++) z[modes.iv[l]] = x[modes.iv[l]]
  for (let i = nbody - 1; i > 0; i--) {
    solveModes(m, d, z, 0, i)
    kernels.solveUp(tree, work, z.byteOffset, x.byteOffset, i, i + 1)
    if (modes.frame[i] >= 0) forceOnFrameInWorld(m, d, z, 0, i)
  }
  for (let i = 1; i < nbody; i++) {
    if (modes.frame[i] >= 0) motionOnFrameInWorld(m, d, z, 0, i)
    kernels.solveDown(tree, work, z.byteOffset, i, i + 1)
    const n = modes.row[i]
    if (n < 0) continue
    for (let l = modes.start[n]; l < modes.start[n + 1]; l++) subtractDot6(z, modes.iv[l], U, 6 * modes.iv[l], y, 6 * i)
  }
}
