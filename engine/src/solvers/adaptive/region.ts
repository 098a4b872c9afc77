/**
 * The active region: the nodes of the assembly tree whose principal joints move, a connected piece of the tree around its roots. The roots of
 * what is left, the fronts, are rigid groups; the joints of the region connect them, and groups and joints are a mechanism of their own,
 * with the passes over a tree that every mechanism has (`tree/aba`).
 */
import type { AdaptiveWork } from './work.js'

export interface Region {
  /** of each node: 1 where its principal joint moves */
  readonly active: Uint8Array
  /** active nodes, fronts, rows of groups with the world, in the lists of the work space */
  count: number
  fronts: number
  groups: number
  /** how many of the active nodes have a joint, and are not welds between pieces of a body */
  joints: number
}

export function createRegion({ assembly: { nodes } }: AdaptiveWork): Region {
  return { active: new Uint8Array(nodes), count: 0, fronts: 0, groups: 1, joints: 0 }
}

/** A function that lists the region anew from its flags, and forms its groups. Writes the row of each front to rowOf. */
export function createLists(w: AdaptiveWork, region: Region, rowOf: Int32Array): () => void {
  const { model: m, assembly: a, lists, held, columns } = w
  const stack = new Int32Array(2 * a.depth + 2)
  /** of each piece that hangs on a handle: the row of the group that holds it, and where in `place` */
  const holder = new Int32Array(a.above.length)
  const handle = new Int32Array(a.above.length)

  /** A front becomes a group; its parent group came before. */
  const formGroup = (front: number): void => {
    const grounded = a.grounded[front] === 1
    const row = grounded ? 0 : region.groups++
    const first = a.row[front]
    rowOf[front] = row
    if (!grounded) {
      const edge = a.edge[first]
      const body = a.joint[a.above[edge]]
      lists.node[row] = front
      lists.body[row] = body
      lists.parent[row] = holder[edge]
      lists.iv[row] = m.iv[body]
      lists.ivEnd[row] = m.ivEnd[body]
      lists.hinge[row] = m.steps.hinge[body]
      const from = 12 * handle[edge]
      for (let k = 0; k < 12; k++) columns.offset[12 * row + k] = held.place[from + k]
      for (let k = 0; k < 10; k++) columns.inertia[10 * row + k] = held.inertia[10 * front + k]
    }
    for (let g = grounded ? 0 : 1; g < a.handles[front]; g++) {
      const below = a.edge[first + g]
      holder[below] = row
      handle[below] = first + g
    }
  }

  return () => {
    region.count = 0
    region.fronts = 0
    region.groups = 1
    region.joints = 0
    for (let tree = 0; tree < a.roots.length; tree++) {
      let top = 0
      stack[top++] = a.roots[tree]
      while (top > 0) {
        const n = stack[--top]
        if (region.active[n] === 0) {
          lists.fronts[region.fronts++] = n
          formGroup(n)
        } else {
          lists.active[region.count++] = n
          if (a.joint[n] > 0 && m.ivEnd[a.joint[n]] > m.iv[a.joint[n]]) region.joints++
          stack[top++] = a.second[n]
          stack[top++] = a.first[n]
        }
      }
    }
  }
}

/** The row of the group of a body; writes its pose in the group to out[o …]. */
export function findGroup(w: AdaptiveWork, region: Region, rowOf: Int32Array, body: number, out: Float64Array, o: number): number {
  const { assembly: a, held } = w
  let n = a.leafOf[body]
  out.fill(0, o, o + 12)
  for (let r = 0; r < 3; r++) out[o + 4 * r] = 1
  for (; a.whole[n] >= 0 && region.active[a.whole[n]] === 0; n = a.whole[n]) {
    if (a.second[a.whole[n]] === n) mulPoseBefore(held.second, 12 * a.whole[n], out, o)
  }
  return rowOf[n]
}

/** X ← E X */
function mulPoseBefore(E: Float64Array, e: number, X: Float64Array, x: number): void {
  for (let c = 0; c < 4; c++) {
    // columns of the rotation, then the position
    const i = c < 3 ? x + c : x + 9
    const step = c < 3 ? 3 : 1
    const p = X[i]
    const q = X[i + step]
    const r = X[i + 2 * step]
    for (let k = 0; k < 3; k++) {
      const turned = E[e + 3 * k] * p + E[e + 3 * k + 1] * q + E[e + 3 * k + 2] * r
      X[i + k * step] = c < 3 ? turned : turned + E[e + 9 + k]
    }
  }
}
