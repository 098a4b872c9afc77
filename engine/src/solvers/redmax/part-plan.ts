/**
 * Symbolic phase of `direct` by parts: one dense front for each part of a nested dissection (`handle-dissect`).
 *
 * A front holds the forces of rows and the motion of bodies that it shares with the rest. A motion is stated by six velocities, the
 * body's handle, or, where that is shorter, by the velocities of joints on the way up: V(c) = V(p) + S v. Which, is found from
 * the leaves to the ground for each front: handles for a few bodies far apart, joints for many close together. What a part holds
 * whole is eliminated in one panel at the end of its front, so that nothing has to move and large fronts go by blocks.
 */
import type { Vec } from '../../math/types.js'
import type { Model } from '../../model/model.js'
import type { Coupling } from './coupling.js'
import { dissect } from './handle-dissect.js'
import { bodiesOf, type PlanChoice } from './handle-graph.js'
import { ADD, anchorBodies, BODY, COUPLE, type HandlePlan, LIFT, NEW, PANEL, RECORD, SHIFT, UNIT } from './handle-plan.js'

/** What a part shares with those above: groups of rows, bodies by their handles, bodies by the velocities of their joints. */
interface Border {
  readonly groups: readonly number[]
  readonly handles: readonly number[]
  readonly rates: readonly number[]
}

/** Where the scalars of a front are. */
interface Places {
  readonly group: Map<number, number>
  readonly handle: Map<number, number>
  readonly rate: Map<number, number>
}

interface Front {
  readonly base: number
  readonly stride: number
  readonly vec: number
  readonly size: number
}

const HANDLE = 6
/** kernels work on blocks and may write this far past a front */
const MARGIN = 4

/** Undefined where it would take more than `limit` multiplications, or where rows act on joint velocities. */
export function planParts(m: Model, c: Coupling, places: Vec, choice: PlanChoice, limit = Infinity): HandlePlan | undefined {
  const { nbody, parent, iv } = m
  for (let e = 0; e < c.entry.length; e++) if (c.entry[e] < 0) return undefined
  const dofs = (i: number): number => iv[i + 1] - iv[i]
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
  for (const top of below[0]) emit(top, 0, 0)
  if (flops > limit) return undefined
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
    return {
      groups: [...groups].filter((g) => parts.ofGroup[g] !== p),
      ...shortest(m, new Set([...handles].filter(foreign)), new Set([...rates].filter(foreign))),
    }
  }

  function emit(p: number, base: number, vec: number): Front {
    const border = borders[p]
    const at: Places = { group: new Map(), handle: new Map(), rate: new Map() }
    let used = 0
    const open = (places: Map<number, number>, node: number, size: number): void => {
      places.set(node, used)
      used += size
    }
    for (const g of border.groups) open(at.group, g, c.room[g])
    for (const i of border.handles) open(at.handle, i, HANDLE)
    for (const i of border.rates) open(at.rate, i, dofs(i))
    const rest = used
    // eliminated from the end: the joints farthest from the ground first, forces after the joints they act on
    for (const g of ownGroups[p]) open(at.group, g, c.room[g])
    const forces = used - rest
    for (const i of own[p]) open(at.rate, i, dofs(i))
    const full = used
    // handles that are replaced by joints
    const lifted = new Set<number>(own[p])
    for (const q of below[p]) for (const i of borders[q].handles) if (!at.handle.has(i)) lifted.add(i)
    for (const i of lifted) if (parent[i] > 0 && !at.handle.has(parent[i])) lifted.add(parent[i])
    const up = [...lifted].sort((a, b) => a - b)
    for (const i of up) open(at.handle, i, HANDLE)

    const stride = used + MARGIN
    widest = Math.max(widest, full)
    space = Math.max(space, base + stride * (used + MARGIN))
    vectors = Math.max(vectors, vec + used)
    const op = (kind: number, ...rest: number[]): void => {
      ops.push(kind, base, stride, vec, used, ...rest)
      for (let k = rest.length; k < RECORD - 5; k++) ops.push(-1)
    }
    const place = (places: Map<number, number>, node: number): number => {
      const found = places.get(node)
      if (found === undefined) throw new Error('a part lacks what it shares with another')
      return found
    }

    op(NEW, 0, used)
    flops += (used * used) / 8
    for (const q of below[p]) {
      const front = emit(q, base + stride * (used + MARGIN), vec + used)
      const { groups, handles, rates } = borders[q]
      const list = lists.length
      const push = (from: number, size: number): void => {
        for (let k = 0; k < size; k++) lists.push(from + k)
      }
      for (const g of groups) push(place(at.group, g), c.room[g])
      for (const i of handles) push(place(at.handle, i), HANDLE)
      for (const i of rates) push(place(at.rate, i), dofs(i))
      op(ADD, front.base, front.stride, front.size, list, front.vec)
      flops += (front.size * front.size) / 2
    }
    for (const i of own[p]) {
      op(BODY, place(at.handle, i), i)
      for (const g of groupsOf[i]) {
        for (let e = c.start[g]; e < c.start[g + 1]; e++) {
          if (c.entry[e] === i) op(COUPLE, place(at.group, g), place(at.handle, i), g, e - c.start[g])
        }
        flops += HANDLE * c.room[g]
      }
    }
    for (const g of ownGroups[p]) op(UNIT, place(at.group, g), c.room[g])
    for (const i of up.toReversed()) {
      const slot = place(at.handle, i)
      if (parent[i] > 0 && anchor[parent[i]] !== anchor[i]) op(SHIFT, slot, anchor[i], anchor[parent[i]])
      const to = parent[i] > 0 ? place(at.handle, parent[i]) : -1
      op(LIFT, slot, iv[i], dofs(i), to, place(at.rate, i), parts.ofBody[i] === p ? 1 : 0)
      flops += 2 * HANDLE * used
      solveFlops += 2 * HANDLE
      used -= HANDLE
    }
    op(PANEL, full - rest, full - rest - forces, -1, kept, -1, pivots)
    for (let w = full - 1; w >= rest; w--) {
      flops += (w * w) / 2
      solveFlops += 2 * w
      kept += w
    }
    pivots += full - rest
    return { base, stride, vec, size: rest }
  }
}

/**
 * The fewest scalars that state the motion of some bodies, with the joints of others already among them. From the leaves: what the bodies at
 * and below i take where the motion of i is known (`known`), and where it is not (`unknown`: then i's own handle, or each branch on its own).
 */
function shortest(m: Model, handles: ReadonlySet<number>, rates: ReadonlySet<number>): Pick<Border, 'handles' | 'rates'> {
  const { parent, iv } = m
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
  const byJoint = (i: number): number => iv[i + 1] - iv[i] + get(known, i)
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
