/**
 * The assembly tree: how a mechanism is put together from its bodies, two parts at a time, in O(log n) levels.
 *
 * A node is a connected set of bodies. A leaf is one body; an inner node joins `first`, which holds the parent side of its principal joint, and
 * `second`, which holds the child side. The joints that cross the boundary of a node are its *handles*: handle 0 is the joint of its topmost
 * body, unless the node holds the ground, the others lead to bodies below it. A node is felt by the rest of the mechanism through its handles
 * only, as six accelerations each [Featherstone99].
 *
 * Work and memory of a node go with the square of its handles. Parts are therefore cut where both halves are about equal and neither has
 * more than three handles, which is always possible if no body has more than three neighbours: one with more is split into *pieces* that are
 * welded together and share its mass.
 *
 * Every tree of a model has a ground of its own, for trees do not feel each other through the ground. A tree that floats is joined to it last, by its free
 * joint; one that stands takes the ground as one more body.
 */
import { squared } from '../../math/own.js'
import type { Model } from '../../model/model.js'

/** most handles of a node, where the cuts allow it */
const HANDLES = 3

export interface Assembly {
  /** nodes are numbered with children before their parents */
  readonly nodes: number
  /** roots, one a tree, and the tree of each node */
  readonly roots: Int32Array
  readonly treeOf: Int32Array
  /** the parts of a node; −1 for leaves */
  readonly first: Int32Array
  readonly second: Int32Array
  /** the node that a node is part of; −1 for roots */
  readonly whole: Int32Array
  /** the body whose joint is the principal one; 0, whose pose in its parent is the identity, for the weld between two pieces. Leaves: −1 */
  readonly joint: Int32Array
  /** place of the principal joint among the handles of `first`; in `second` it is handle 0 */
  readonly slot: Int32Array
  /** body of a leaf, 0 for the ground; −1 for inner nodes. Into how many pieces this body is split */
  readonly body: Int32Array
  readonly pieces: Int32Array
  /** 1 for nodes that hold the ground */
  readonly grounded: Int32Array
  /** number of handles; the first row of a node in columns of handles; the first number in columns of 36 a pair of handles */
  readonly handles: Int32Array
  readonly row: Int32Array
  readonly square: Int32Array
  /** the same in columns of inner nodes only; leaves share the first rows and numbers, which are zeros */
  readonly innerRow: Int32Array
  readonly innerSquare: Int32Array
  readonly innerRows: number
  readonly innerSquares: number
  /** of each handle: the piece below the joint */
  readonly edge: Int32Array
  /** of each piece: the node whose principal joint leads to it; −1 for grounds */
  readonly above: Int32Array
  /** leaf of the first piece of each body; the node whose principal joint is that of the body */
  readonly leafOf: Int32Array
  readonly nodeOf: Int32Array
  /** levels of inner nodes */
  readonly depth: number
}

/** Pieces in depth-first order: parent piece, the body of which it is, the body whose joint leads to it (0: a weld). */
interface Pieces {
  readonly parent: number[]
  readonly body: number[]
  readonly joint: number[]
}

export function createAssembly(m: Model): Assembly {
  const pieces = splitBodies(m)
  const count = pieces.parent.length
  const nodes = 2 * count - pieces.parent.filter((p) => p < 0).length
  const ints = (n: number, value = 0): Int32Array => new Int32Array(n).fill(value)
  const a = {
    treeOf: ints(nodes),
    first: ints(nodes, -1),
    second: ints(nodes, -1),
    whole: ints(nodes, -1),
    joint: ints(nodes, -1),
    slot: ints(nodes),
    body: ints(nodes, -1),
    pieces: ints(nodes, 1),
    grounded: ints(nodes),
    handles: ints(nodes),
    row: ints(nodes),
    square: ints(nodes),
    innerRow: ints(nodes),
    innerSquare: ints(nodes),
    above: ints(count, -1),
    leafOf: ints(m.nbody, -1),
    nodeOf: ints(m.nbody, -1),
  }
  const roots: number[] = []
  const edge: number[] = []
  const split = new Map<number, number>()
  for (const body of pieces.body) split.set(body, (split.get(body) ?? 0) + 1)
  const order = Int32Array.from(pieces.parent.keys())
  const size = ints(count)
  const cutsBelow = ints(count)
  /** cut joints that lead down from each piece, in the order of the cuts */
  const cuts: number[][] = Array.from({ length: count }, () => [])
  let next = 0
  let squares = 0
  // what leaves share
  let innerRows = HANDLES
  let innerSquares = 36 * squared(HANDLES)

  const place = (node: number, handles: readonly number[]): void => {
    const square = 36 * squared(handles.length)
    a.handles[node] = handles.length
    a.row[node] = edge.length
    a.square[node] = squares
    squares += square
    edge.push(...handles)
    if (a.first[node] < 0) return
    a.innerRow[node] = innerRows
    a.innerSquare[node] = innerSquares
    innerRows += handles.length
    innerSquares += square
  }

  /** The node of the pieces order[lo … hi − 1]; `top`: whether their first piece hangs on a handle. Returns its level. */
  const assemble = (lo: number, hi: number, top: boolean, tree: number): { node: number; level: number } => {
    if (hi - lo === 1) {
      const node = next++
      const piece = order[lo]
      const body = pieces.body[piece]
      a.treeOf[node] = tree
      a.body[node] = body
      a.pieces[node] = split.get(body) as number
      a.grounded[node] = body === 0 ? 1 : 0
      if (body > 0 && a.leafOf[body] < 0) a.leafOf[body] = node
      if (body === 0) a.pieces[node] = 1
      place(node, [...(top ? [piece] : []), ...cuts[piece]])
      return { node, level: 0 }
    }
    const at = chooseCut(lo, hi, top)
    const piece = order[at]
    const inside = size[piece]
    const moved = order.slice(at, at + inside)
    order.copyWithin(at, at + inside, hi)
    order.set(moved, hi - inside)
    cuts[pieces.parent[piece]].push(piece)
    const A = assemble(lo, hi - inside, top, tree)
    const B = assemble(hi - inside, hi, true, tree)
    const node = next++
    const outer = handlesOf(A.node)
    a.treeOf[node] = tree
    a.first[node] = A.node
    a.second[node] = B.node
    a.whole[A.node] = node
    a.whole[B.node] = node
    a.joint[node] = pieces.joint[piece]
    if (pieces.joint[piece] > 0) a.nodeOf[pieces.joint[piece]] = node
    a.above[piece] = node
    a.slot[node] = outer.indexOf(piece)
    a.grounded[node] = a.grounded[A.node]
    outer.splice(a.slot[node], 1)
    place(node, [...outer, ...handlesOf(B.node).slice(1)])
    return { node, level: 1 + Math.max(A.level, B.level) }
  }

  const handlesOf = (node: number): number[] => edge.slice(a.row[node], a.row[node] + a.handles[node])

  /** The place in `order` of the piece whose joint divides the part best. */
  const chooseCut = (lo: number, hi: number, top: boolean): number => {
    // joined last: a tree that floats is felt by nothing
    if (pieces.body[order[lo]] === 0 && isFree(m, pieces.body[order[lo + 1]])) {
      size[order[lo + 1]] = hi - lo - 1
      return lo + 1
    }
    for (let k = lo; k < hi; k++) {
      size[order[k]] = 1
      cutsBelow[order[k]] = cuts[order[k]].length
    }
    for (let k = hi - 1; k > lo; k--) {
      const p = pieces.parent[order[k]]
      size[p] += size[order[k]]
      cutsBelow[p] += cutsBelow[order[k]]
    }
    const total = cutsBelow[order[lo]] + (top ? 1 : 0)
    let best = -1
    let least = Number.POSITIVE_INFINITY
    for (let k = lo + 1; k < hi; k++) {
      const piece = order[k]
      const below = 1 + cutsBelow[piece]
      const handles = Math.max(below, total - cutsBelow[piece] + 1)
      const larger = Math.max(size[piece], hi - lo - size[piece])
      // more handles than three only where no cut avoids it; a third handle is worth a somewhat less even cut
      const cost = larger * (1 + 0.1 * handles) + (handles > HANDLES ? 4 * (hi - lo) * handles : 0)
      if (cost < least) {
        least = cost
        best = k
      }
    }
    return best
  }

  let depth = 0
  for (let lo = 0, tree = 0; lo < count; tree++) {
    let hi = lo + 1
    while (hi < count && pieces.parent[hi] >= 0) hi++
    const { node, level } = assemble(lo, hi, false, tree)
    roots.push(node)
    depth = Math.max(depth, level)
    lo = hi
  }
  return { nodes, roots: Int32Array.from(roots), edge: Int32Array.from(edge), depth, innerRows, innerSquares, ...a }
}

/** True if the body's joints are one free joint. */
export function isFree(m: Model, body: number): boolean {
  return m.ivEnd[body] - m.iv[body] === 6 && m.ijEnd[body] - m.ij[body] === 1 && m.joints[m.ij[body]].type === 'free'
}

/** A ground for every tree, then its bodies, each with at most two neighbours below it. */
function splitBodies(m: Model): Pieces {
  const pieces: Pieces = { parent: [], body: [], joint: [] }
  const children: number[][] = Array.from({ length: m.nbody }, () => [])
  for (let i = 1; i < m.nbody; i++) children[m.parent[i]].push(i)
  const add = (parent: number, body: number, joint: number): number => {
    pieces.parent.push(parent)
    pieces.body.push(body)
    pieces.joint.push(joint)
    return pieces.parent.length - 1
  }
  for (const base of children[0]) {
    // what is still to be done: a body below a piece, or the children of a body from `from` on, below its next piece
    const stack: { parent: number; body: number; joint: number; from: number }[] = []
    stack.push({ parent: add(-1, 0, -1), body: base, joint: base, from: 0 })
    while (stack.length > 0) {
      const { parent, body, joint, from } = stack.pop() as (typeof stack)[number]
      const piece = add(parent, body, joint)
      const below = children[body]
      const to = below.length - from > 2 ? from + 1 : below.length
      if (to < below.length) stack.push({ parent: piece, body, joint: 0, from: to })
      for (let k = to - 1; k >= from; k--) stack.push({ parent: piece, body: below[k], joint: below[k], from: 0 })
    }
  }
  return pieces
}
