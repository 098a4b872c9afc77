/**
 * Forward dynamics by divide and conquer over an assembly tree: O(n) work, O(log n) levels. `tree/dca/dca.kernel` has the equations.
 *
 * Slower than `tree/aba` by a factor, as every node has two sides. It pays where parts of a mechanism are kept from step to step
 * (`solvers/adaptive`).
 */

import { kernelsIn } from '../../kernels/instance.js'
import { squared } from '../../math/own.js'
import type { Vec } from '../../math/types.js'
import { type Data, deliver, given, placeFor } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { placeTable, tableRoom } from '../../model/work-space.js'
import { type AdaptiveKernels, adaptiveModule } from '../../printed/adaptive.js'
import type { Assembly } from './assembly.js'

const partsTable = ({ nv }: Model, a: Assembly) => {
  const rows = a.edge.length
  const last = a.nodes - 1
  const squares = a.nodes === 0 ? 0 : a.square[last] + 36 * squared(a.handles[last])
  return {
    name: 'Parts',
    fields: { ...a, pieces: Float64Array.from(a.pieces) } as never,
    own: {
      ...{ Phi: squares, b: 6 * rows, f: 6 * rows, G: 36 * a.innerRows, WG: 36 * a.innerRows },
      ...{ W: 21 * a.nodes, gamma: 6 * a.nodes, beta: 6 * a.nodes },
      ...{ UJ: 6 * nv, DJ: nv, uJ: nv, ground: 6 },
    },
  } as const
}

/** Numbers to ask `createData` for, so that `createParts` has room. */
export const partsRoom = (m: Model, assembly: Assembly): number => tableRoom(partsTable(m, assembly))

export type Parts = ReturnType<typeof createParts>

/** The assembly with its work space in the memory of d, and Φ of its leaves. */
export function createParts(m: Model, d: Data, assembly: Assembly) {
  const parts = placeTable(d, partsTable(m, assembly))
  const kernels = kernelsIn<AdaptiveKernels>(adaptiveModule, d.block)
  for (let r = 0; r < 3; r++) parts.ground[3 + r] = -m.gravity[r]
  kernels.answerLeaves(d.tree, parts.table, 0, assembly.nodes)
  return { ...parts, assembly, kernels }
}

/** Reads X_PB, S, V, c, tau (nv), and f unless `loaded` is false. Writes the accelerations to out (nv). Bodies that deform are not for it. */
export function dca(d: Data, { kernels, table, assembly: { nodes } }: Parts, tau: Vec, out: Vec, loaded = true): void {
  kernels.moveLeaves(d.tree, d.work, table, loaded ? 1 : 0, 0, nodes)
  kernels.assembleNodes(d.tree, d.work, table, given(d, d.x, tau), 0, nodes)
  kernels.distributeNodes(d.tree, d.work, table, placeFor(d, d.z, out), 0, nodes)
  deliver(d, d.z, out)
}
