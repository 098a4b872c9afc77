/**
 * From the order of the handles to a list of operations on dense fronts (`operations`), all places fixed.
 *
 * A front is a symmetric matrix over a few handles. Along a chain of the elimination tree one front serves in place: a body's handle
 * becomes its neighbour's without moving. Side branches work in the space behind it and are added in.
 */
import type { Model } from '../../model/model.js'
import type { Coupling } from './coupling.js'
import { bodiesOf, type HandleGraph, isEager, makeGraph, type PlanChoice } from './graph.js'
import {
  ADD,
  BASE,
  BODY,
  COUPLE,
  DROP,
  FOLD,
  type FrontPlace,
  JOINT,
  type Kind,
  MOVE,
  NEW,
  type OperandsOf,
  PIVOT,
  RECORD,
  ROWS,
  SHIFT,
  UNIT,
  writeOperation,
} from './operations.js'
import { type HandleOrder, orderHandles } from './order.js'
import { type Plan } from './plan.js'

/** Nanoseconds, about: a product of one, two, or more rows taken out together, and numbers moved or added to others. */
const TIME = { product: [0, 1.5, 1.1, 0.5], move: 2, add: 10, rows: 100 }

/** A new point of reference after so many bodies: nearer ones cost time, farther ones digits. */
const REACH = 8

/** Undefined where it would take more than `limit` multiplications. `handle`: numbers of a handle. */
export function planHandles(m: Model, c: Coupling, choice: PlanChoice, limit = Infinity, handle = 6): Plan | undefined {
  const graph = makeGraph(m, c, choice, handle)
  const order = orderHandles(graph, limit)
  // the order's own count is a rough one
  const plan = order && emit(m, c, choice, graph, order, handle)
  return plan && plan.flops <= limit ? plan : undefined
}

/** Points of reference of bodies and of their axes. */
export function anchorBodies({ nbody, parent, iv, ivEnd }: Model): { anchor: Int32Array; axisAnchor: Int32Array } {
  const anchor = new Int32Array(nbody)
  const depth = new Int32Array(nbody)
  for (let i = 1; i < nbody; i++) {
    depth[i] = depth[parent[i]] + 1
    anchor[i] = parent[i] === 0 || depth[i] % REACH === 0 || ivEnd[i] - iv[i] > 2 ? i : anchor[parent[i]]
  }
  return { anchor, axisAnchor: anchor.slice() }
}

interface Slot {
  node: number
  at: number
  readonly size: number
}

/** Where a chain of fronts ended. */
interface Front extends FrontPlace {
  readonly slots: readonly Slot[]
}

/** Appends an operation on the front at hand. */
type Write = <K extends Kind>(kind: K, fields: OperandsOf<K>) => void

function emit(m: Model, c: Coupling, choice: PlanChoice, graph: HandleGraph, { order, front }: HandleOrder, handle: number): Plan {
  const { nbody, parent, iv, ivEnd } = m
  const { n, weight, cut, base } = graph
  const position = new Int32Array(n)
  order.forEach((node, k) => (position[node] = k))
  const up = new Int32Array(n).fill(-1)
  const below: number[][] = Array.from({ length: n }, () => [])
  const size = new Int32Array(n).fill(1)
  const width = new Int32Array(n)
  for (const x of order) {
    width[x] = weight[x]
    for (const y of front[x]) {
      width[x] += weight[y]
      if (up[x] < 0 || position[y] < position[up[x]]) up[x] = y
    }
    if (up[x] < 0) continue
    below[up[x]].push(x)
    size[up[x]] += size[x]
  }

  const { anchor, axisAnchor } = anchorBodies(m)
  const axisSign = new Int8Array(nbody).fill(1)

  // groups by body, and which of their bodies goes first
  const groupsOf: number[][] = Array.from({ length: nbody }, () => [])
  const eager = new Uint8Array(c.groups)
  const firstOf = new Int32Array(c.groups)
  for (let g = 0; g < c.groups; g++) {
    eager[g] = isEager(c, g, choice) ? 1 : 0
    for (const b of bodiesOf(m, c, g)) {
      groupsOf[b].push(g)
      if (firstOf[g] === 0 || position[b] < position[firstOf[g]]) firstOf[g] = b
    }
  }
  const holding = new Map<number, number>()
  for (let i = nbody + c.groups; i < n; i++) holding.set(graph.edges[i][0], i)

  const ops: number[] = []
  const lists: number[] = []
  let space = 0
  let vectors = 0
  let kept = 0
  let pivots = 0
  let flops = 0
  let solveFlops = 0
  let widest = 0

  const chain = (top: number, matrix: number, vector: number): Front => {
    // the way down along the largest subtrees
    const path = [top]
    for (let x = top; below[x].length > 0; ) {
      x = below[x].reduce((a, b) => (size[b] > size[a] ? b : a))
      path.push(x)
    }
    path.reverse()
    let stride = 1
    for (const x of path) stride = Math.max(stride, width[x])
    widest = Math.max(widest, stride)
    space = Math.max(space, matrix + stride * stride)
    vectors = Math.max(vectors, vector + stride)
    const slots: Slot[] = []
    const slotOf = new Map<number, Slot>()
    let used = 0
    const op: Write = (kind, fields) => writeOperation(ops, kind, { matrix, stride, vector, width: used }, fields)
    const open = (node: number): void => {
      if (slotOf.has(node)) return
      op(NEW, { slot: used, count: weight[node] })
      flops += (weight[node] * used) / 4
      const slot = { node, at: used, size: weight[node] }
      slots.push(slot)
      slotOf.set(node, slot)
      used += slot.size
    }
    const at = (node: number): number => (slotOf.get(node) as Slot).at
    const close = (slot: Slot): void => {
      slots.splice(slots.indexOf(slot), 1)
      if (slotOf.get(slot.node) === slot) slotOf.delete(slot.node)
      // fill the gap with the slots at the end, if they fit, else close ranks
      let tail = 0
      let count = 0
      while (count < slots.length && tail < slot.size && slots[slots.length - 1 - count].at > slot.at)
        tail += slots[slots.length - 1 - count++].size
      if (tail === slot.size) {
        let to = slot.at
        const moved = slots.splice(slots.length - count, count)
        for (const s of moved) {
          op(MOVE, { slot: s.at, count: s.size, to })
          flops += TIME.move * s.size * used
          s.at = to
          to += s.size
        }
        slots.push(...moved)
        slots.sort((a, b) => a.at - b.at)
      } else {
        for (const s of slots) {
          if (s.at < slot.at) continue
          op(MOVE, { slot: s.at, count: s.size, to: s.at - slot.size })
          flops += TIME.move * s.size * used
          s.at -= slot.size
        }
      }
      used -= slot.size
    }

    path.forEach((x, k) => {
      for (const side of below[x]) {
        if (k > 0 && side === path[k - 1]) continue
        const branch = chain(side, matrix + stride * stride, vector + stride)
        for (const s of branch.slots) open(s.node)
        const list = lists.length
        const to = new Array<number>(branch.width)
        for (const s of branch.slots) for (let r = 0; r < s.size; r++) to[s.at + r] = at(s.node) + r
        lists.push(...to)
        op(ADD, { branch: branch.matrix, branchStride: branch.stride, branchVector: branch.vector, count: branch.width, list })
        flops += (TIME.add * branch.width * branch.width) / 2
      }
      open(x)
      const next = x < nbody ? neighbour(x) : -1
      for (const y of front[x]) if (y !== next) open(y)
      if (x < nbody) body(x, next)
      else forces(x)
    })
    return { matrix, stride, vector, slots, width: used }

    /** Who takes the handle of body x over: a body, 0 the ground, −1 nobody is left. */
    function neighbour(x: number): number {
      if (!cut[base[x]]) return parent[x]
      if (parent[x] > 0 && position[parent[x]] > position[x]) return parent[x]
      for (const y of front[x]) if (y < nbody && parent[y] === x) return y
      return -1
    }

    function body(x: number, next: number): void {
      op(BODY, { slot: at(x), body: x })
      for (const g of groupsOf[x]) {
        const node = nbody + g
        if (eager[g]) {
          if (firstOf[g] !== x) continue
          for (let e = c.start[g]; e < c.start[g + 1]; e++) open(c.entry[e])
          op(ROWS, { group: g, list: lists.length })
          for (let e = c.start[g]; e < c.start[g + 1]; e++) lists.push(at(c.entry[e]))
          flops += TIME.rows * c.room[g]
        } else if (position[node] > position[x]) couple(g, x)
      }
      const held = holding.get(x)
      if (held !== undefined) op(BASE, { slot: at(x), body: x, forces: at(held) })

      if (next < 0) {
        pivot(x, 1, -1)
        return
      }
      const joint = next > 0 && parent[next] === x ? next : x
      axisSign[joint] = joint === x ? 1 : -1
      axisAnchor[joint] = next > 0 ? anchor[next] : anchor[x]
      if (next > 0 && anchor[next] !== anchor[x]) op(SHIFT, { slot: at(x), oldAnchor: anchor[x], newAnchor: anchor[next] })
      const nd = ivEnd[joint] - iv[joint]
      if (nd > 0) {
        const extra: number[] = []
        for (const g of groupsOf[x]) {
          for (let e = c.start[g]; e < c.start[g + 1]; e++) {
            const k = -1 - c.entry[e] - iv[x]
            if (c.entry[e] < 0 && k >= 0 && k < nd) extra.push(k, at(nbody + g), g, e - c.start[g])
          }
        }
        const list = extra.length > 0 ? lists.length : -1
        if (extra.length > 0) lists.push(extra.length / 4, ...extra)
        op(JOINT, { slot: at(x), count: nd, dof: iv[joint], kept, list, pivot: pivots })
        count(nd)
      }
      const slot = slotOf.get(x) as Slot
      slotOf.delete(x)
      if (next === 0) {
        op(DROP, { slot: slot.at })
        close(slot)
      } else if (slotOf.has(next)) {
        op(FOLD, { slot: slot.at, to: at(next) })
        close(slot)
      } else {
        slot.node = next
        slotOf.set(next, slot)
      }
    }

    function forces(x: number): void {
      const g = x - nbody
      if (g < c.groups) {
        if (c.rigid[g] === 0) op(UNIT, { slot: at(x), count: weight[x] })
        for (const b of bodiesOf(m, c, g)) if (position[b] > position[x]) couple(g, b)
      }
      pivot(x, -1, g < c.groups ? g : -1)
    }

    function couple(g: number, b: number): void {
      for (let e = c.start[g]; e < c.start[g + 1]; e++) {
        if (c.entry[e] === b) op(COUPLE, { slot: at(b), group: g, forces: at(nbody + g), entry: e - c.start[g] })
      }
      flops += handle * c.room[g]
    }

    function pivot(x: number, sign: number, g: number): void {
      op(PIVOT, { slot: at(x), count: weight[x], group: g, kept, sign, pivot: pivots })
      count(weight[x])
      close(slotOf.get(x) as Slot)
    }

    function count(k: number): void {
      flops += k * (TIME.product[Math.min(k, 3)] * used * used * 0.5 + 8 * used)
      solveFlops += 2 * k * used
      kept += k * used
      pivots += k
    }
  }

  // a group that acts at once has no node of its own
  const absent = (x: number): boolean => x >= nbody && x < nbody + c.groups && eager[x - nbody] === 1
  for (const x of order) if (up[x] < 0 && !absent(x)) chain(x, 0, 0)
  const shape = { space, vectors, kept, pivots, flops, solveFlops, widest }
  return {
    choice,
    handle,
    ops: Int32Array.from(ops),
    operations: ops.length / RECORD,
    lists: Int32Array.from(lists),
    anchor,
    axisAnchor,
    axisSign,
    eager,
    ...shape,
  }
}
