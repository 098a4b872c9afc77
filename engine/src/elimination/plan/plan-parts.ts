/**
 * A plan by parts: one dense front for each part of a nested dissection (`dissect`), and the separators between them last.
 *
 * A front holds the forces of rows and the motion of bodies that it shares with the rest. A motion is stated by six velocities, the
 * body's handle, or, where that is shorter, by the velocities of joints on the way up: V(c) = V(p) + S v. Which, is found from
 * the leaves to the ground for each front: handles for a few bodies far apart, joints for many close together. What a part holds
 * whole is eliminated in one panel at the end of its front, so that nothing has to move and large fronts go by blocks.
 */
import type { Vec } from '../../math/types.js'
import type { Model } from '../../model/model.js'
import { SPACE as HANDLE } from '../coupled-tree.js'
import type { Coupling } from './coupling.js'
import { dissect } from './dissect.js'
import { bodiesOf, type PlanChoice } from './graph.js'
import {
  BODY,
  COUPLE,
  type FrontPlace,
  JOIN,
  type Kind,
  LIFT,
  NEW,
  type OperandsOf,
  PANEL,
  RECORD,
  SHIFT,
  UNIT,
  writeOperation,
} from './operations.js'
import { type Plan } from './plan.js'
import { anchorBodies } from './plan-handles.js'

/** What a part shares with those above: groups of rows, bodies by their handles, bodies by the velocities of their joints. */
interface Border {
  readonly groups: readonly number[]
  readonly handles: readonly number[]
  readonly rates: readonly number[]
}

/** Where the scalars of a front are when its part is done. */
interface Front extends FrontPlace {
  readonly group: ReadonlyMap<number, number>
  readonly handle: ReadonlyMap<number, number>
  readonly rate: ReadonlyMap<number, number>
}

/** Nanoseconds, about: a number of a front cleared, one added to another front, a scalar that feels a lift, a product in a panel. */
const TIME = { clear: 0.6, join: 4, lift: 10, product: 0.72 }

/** Undefined where rows act on joint velocities. `places`: poses of the bodies, by which they are told apart. */
export function planParts(m: Model, c: Coupling, places: Vec, choice: PlanChoice): Plan | undefined {
  const { nbody, parent, iv, ivEnd } = m
  for (let e = 0; e < c.entry.length; e++) if (c.entry[e] < 0) return undefined
  const dofs = (i: number): number => ivEnd[i] - iv[i]
  const tied = Array.from({ length: c.groups }, (_, g) => bodiesOf(m, c, g))
  const parts = dissect(m, tied, c.room, places)
  const n = parts.above.length
  const below: number[][] = Array.from({ length: n }, () => [])
  for (let p = 1; p < n; p++) below[parts.above[p]].push(p)
  const own: number[][] = Array.from({ length: n }, () => [])
  for (let i = 1; i < nbody; i++) own[parts.ofBody[i]].push(i)
  const ownGroups: number[][] = Array.from({ length: n }, () => [])
  for (let g = 0; g < c.groups; g++) ownGroups[parts.ofGroup[g]].push(g)
  const groupsOf: number[][] = Array.from({ length: nbody }, () => [])
  for (let g = 0; g < c.groups; g++) for (const b of tied[g]) groupsOf[b].push(g)

  const borders: Border[] = new Array<Border>(n)
  for (let p = n - 1; p > 0; p--) borders[p] = borderOf(p)

  const { anchor, axisAnchor } = anchorBodies(m)
  for (let i = 1; i < nbody; i++) if (parent[i] > 0) axisAnchor[i] = anchor[parent[i]]
  const ops: number[] = []
  const lists: number[] = []
  let space = 0
  let vectors = 0
  let kept = 0
  let pivots = 0
  let flops = 0
  let solveFlops = 0
  let widest = 0
  // bodies whose inertia and joint have been counted in
  const begun = new Uint8Array(nbody)
  const none = new Set<number>()
  for (const top of below[0]) emit(top, 0, 0, none)
  return {
    choice,
    handle: HANDLE,
    ops: Int32Array.from(ops),
    operations: ops.length / RECORD,
    lists: Int32Array.from(lists),
    space,
    vectors,
    kept,
    pivots,
    anchor,
    axisAnchor,
    axisSign: new Int8Array(nbody).fill(1),
    eager: new Uint8Array(c.groups),
    flops,
    solveFlops,
    widest,
  }

  function borderOf(p: number): Border {
    const groups = new Set<number>()
    const handles = new Set<number>()
    const rates = new Set<number>()
    for (const q of below[p]) {
      for (const g of borders[q].groups) groups.add(g)
      for (const i of borders[q].handles) handles.add(i)
      for (const i of borders[q].rates) rates.add(i)
    }
    for (const i of own[p]) {
      for (const g of groupsOf[i]) groups.add(g)
      if (parent[i] > 0) handles.add(parent[i])
    }
    const foreign = (i: number): boolean => parts.ofBody[i] !== p
    const { handles: first, rates: second } = shortest(m, new Set([...handles].filter(foreign)), new Set([...rates].filter(foreign)))
    return { groups: [...groups].filter((g) => parts.ofGroup[g] !== p), handles: first, rates: second }
  }

  /** `wanted`: bodies that the front above knows by their handles; the others it wants by their joints. */
  function emit(p: number, matrix: number, vector: number, wanted: ReadonlySet<number>): Front {
    const border = borders[p]
    const group = new Map<number, number>()
    const handle = new Map<number, number>()
    const rate = new Map<number, number>()
    let used = 0
    const open = (places: Map<number, number>, node: number, size: number): void => {
      places.set(node, used)
      used += size
    }
    // what stays longest comes first, so that fronts agree on the order and join by long runs
    const shared = [
      ...border.groups.map((node) => ({ places: group, node, owner: parts.ofGroup[node], size: c.room[node] })),
      ...border.handles.map((node) => ({ places: handle, node, owner: parts.ofBody[node], size: HANDLE })),
      ...border.rates.map((node) => ({ places: rate, node, owner: parts.ofBody[node], size: dofs(node) })),
    ]
    shared.sort((a, b) => a.owner - b.owner)
    for (const { places, node, size } of shared) open(places, node, size)
    const rest = used
    // eliminated from the end: the joints farthest from the ground first, forces after the joints they act on
    for (const g of ownGroups[p]) open(group, g, c.room[g])
    const forces = used - rest
    for (const i of own[p]) open(rate, i, dofs(i))
    const full = used
    const known = new Set(border.handles)
    const delivered = new Set(below[p].flatMap((q) => [...borders[q].handles, ...borders[q].rates]))
    const fresh = upTo(
      own[p].filter((i) => groupsOf[i].length > 0 || !delivered.has(i)),
      known,
    )
    for (const i of fresh.toReversed()) open(handle, i, HANDLE)
    const leaving = upTo(border.handles, wanted)

    const room = Math.max(used, rest + leaving.reduce((sum, i) => sum + dofs(i), 0))
    widest = Math.max(widest, room)
    space = Math.max(space, matrix + room * room)
    vectors = Math.max(vectors, vector + room)
    const op = <K extends Kind>(kind: K, fields: OperandsOf<K>): void =>
      writeOperation(ops, kind, { matrix, stride: room, vector, width: used }, fields)

    op(NEW, { slot: 0, count: used })
    flops += TIME.clear * used * used
    for (const q of below[p]) {
      const front = emit(q, matrix + room * room, vector + room, known)
      const runs: number[][] = []
      const join = (from: ReadonlyMap<number, number>, to: ReadonlyMap<number, number>, size: (node: number) => number): void => {
        for (const [node, at] of from) runs.push([at, placeOf(to, node), size(node)])
      }
      join(front.group, group, (g) => c.room[g])
      join(front.handle, handle, () => HANDLE)
      join(front.rate, rate, dofs)
      runs.sort((a, b) => a[0] - b[0])
      const list = lists.length
      lists.push(0)
      for (const [from, to, length] of runs) {
        const end = lists.length - 3
        if (end > list && lists[end] + lists[end + 2] === from && lists[end + 1] + lists[end + 2] === to) lists[end + 2] += length
        else if (length > 0) {
          lists.push(from, to, length)
          lists[list]++
        }
      }
      op(JOIN, { branch: front.matrix, branchStride: front.stride, branchVector: front.vector, list })
      flops += (TIME.join * front.width * front.width) / 2
    }
    for (const i of fresh) {
      if (parts.ofBody[i] !== p) continue
      for (const g of groupsOf[i]) {
        for (let e = c.start[g]; e < c.start[g + 1]; e++) {
          if (c.entry[e] === i) op(COUPLE, { slot: placeOf(handle, i), group: g, forces: placeOf(group, g), entry: e - c.start[g] })
        }
        flops += HANDLE * c.room[g]
      }
    }
    for (const g of ownGroups[p]) op(UNIT, { slot: placeOf(group, g), count: c.room[g] })
    for (const i of fresh) {
      lift(i)
      used -= HANDLE
    }
    op(PANEL, { count: full - rest, positive: full - rest - forces, kept, pivot: pivots })
    for (let w = full - 1; w >= rest; w--) {
      flops += (TIME.product * w * w) / 2
      solveFlops += 2 * w
      kept += w
    }
    pivots += full - rest
    used = rest
    for (const g of ownGroups[p]) group.delete(g)
    for (const i of own[p]) rate.delete(i)
    for (const i of leaving) lift(i)
    return { matrix, stride: room, vector, width: used, group, handle, rate }

    /** Bodies from these up to ones of `known` or the ground, farthest first. */
    function upTo(bodies: readonly number[], known: ReadonlySet<number>): number[] {
      const found = new Set<number>()
      for (const i of bodies) for (let k = i; k > 0 && !known.has(k) && !found.has(k); k = parent[k]) found.add(k)
      return [...found].sort((a, b) => b - a)
    }

    /** The handle of i gives way to its joint and to the handle of its parent, whose slot it takes over where there is none yet. */
    function lift(i: number): void {
      const slot = placeOf(handle, i)
      const first = !begun[i]
      begun[i] = 1
      if (first) op(BODY, { slot, body: i })
      handle.delete(i)
      let to = -1
      if (parent[i] > 0) {
        if (anchor[parent[i]] !== anchor[i]) op(SHIFT, { slot, oldAnchor: anchor[i], newAnchor: anchor[parent[i]] })
        if (!handle.has(parent[i])) handle.set(parent[i], slot)
        to = placeOf(handle, parent[i])
      }
      if (!rate.has(i)) {
        op(NEW, { slot: used, count: dofs(i) })
        open(rate, i, dofs(i))
      }
      op(LIFT, { slot, count: dofs(i), dof: iv[i], to, rate: placeOf(rate, i), fresh: first ? 1 : 0 })
      flops += TIME.lift * used
      solveFlops += 2 * HANDLE
    }
  }
}

function placeOf(places: ReadonlyMap<number, number>, node: number): number {
  const found = places.get(node)
  if (found === undefined) throw new Error('a part lacks what it shares with another')
  return found
}

/**
 * The fewest scalars that state the motion of some bodies, with the joints of others already among them. From the leaves: what the bodies at
 * and below i take where the motion of i is known (`known`), and where it is not (`unknown`: then i's own handle, or each branch on its own).
 */
function shortest(m: Model, handles: ReadonlySet<number>, rates: ReadonlySet<number>): Pick<Border, 'handles' | 'rates'> {
  const { parent, iv, ivEnd } = m
  const known = new Map<number, number>()
  const apart = new Map<number, number>()
  for (const i of [...handles, ...rates]) {
    for (let k = i; k > 0 && !known.has(k); k = parent[k]) {
      known.set(k, 0)
      apart.set(k, 0)
    }
  }
  const bodies = [...known.keys()].sort((a, b) => a - b)
  const get = (map: ReadonlyMap<number, number>, i: number): number => map.get(i) ?? 0
  const byJoint = (i: number): number => ivEnd[i] - iv[i] + get(known, i)
  const takesHandle = (i: number): boolean => handles.has(i) || HANDLE + get(known, i) <= get(apart, i)
  const unknown = (i: number): number => (rates.has(i) ? Number.POSITIVE_INFINITY : takesHandle(i) ? HANDLE + get(known, i) : get(apart, i))
  for (const i of bodies.toReversed()) {
    const p = parent[i]
    if (p === 0) continue
    known.set(p, get(known, p) + Math.min(byJoint(i), unknown(i)))
    apart.set(p, get(apart, p) + unknown(i))
  }
  const stated = new Set([0])
  const found = { handles: [] as number[], rates: [] as number[] }
  for (const i of bodies) {
    if (stated.has(parent[i]) && byJoint(i) < unknown(i)) found.rates.push(i)
    else if (takesHandle(i)) found.handles.push(i)
    else continue
    stated.add(i)
  }
  return found
}
