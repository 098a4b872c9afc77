/**
 * The schedule of a pass over a tree that is cut among processors: from the root to the leaves, or back.
 *
 * It is written once, for all processors, and each of them keeps the steps that are its own. All keep them in the order in which they stand here, in which
 * whatever is needed comes before what needs it; so none waits for another that waits for it. What others wait for comes first.
 */
import type { Vec } from '../../math/types.js'
import type { Link } from '../link.js'
import type { Halo } from './halo.js'
import type { Node, Unit, Units } from './units.js'

/** A step: what to do, once the next message of processor `wait` is there (−1: at once). */
export interface Step {
  readonly wait: number
  act(): void
}

/** What goes over the edges of the cut: so many numbers, from and to where they belong. */
export interface Message {
  readonly size: number
  /** of this key, where keys differ; `size` is then not read */
  sizeOf?(key: number): number
  write(out: Vec, o: number, key: number): void
  read(x: Vec, o: number, key: number): void
}

/** From the root to the leaves. */
export interface DownPass {
  /** of a body whose children are elsewhere; key: the body */
  readonly body: Message
  /** of a node of a group: what its right part hangs on; key: the right node */
  readonly node: Message
  /** the last unit of the left part is told as well */
  readonly tellsLeft?: boolean
  /** What the first unit of a group hangs on is known: root node n. */
  enterGroup(n: number): void
  /** From node n to its parts. */
  split(n: number): void
  visit(u: Unit): void
}

/** From the leaves to the root. */
export interface UpPass {
  /** of a unit, or of a whole group by its first unit, to what it hangs on; key: its topmost body */
  readonly body: Message
  /** of a node, to where it is joined with its left neighbour; key: the node */
  readonly node: Message
  /** of a node that nothing pulls at */
  readonly tail: Message
  visit(u: Unit): void
  /** What unit u left becomes that of its node. */
  enterNode(u: Unit): void
  join(n: number): void
  /** What node n, the root of its group, found becomes that of the topmost body. */
  leaveGroup(n: number): void
  /** What is known of the topmost body of a unit or group is added to what it hangs on. */
  add(body: number): void
}

/** Over the groups alone, but for what ends them, before a pass from the root: how each part moves by itself. */
export interface GroupPass {
  readonly node: Message
  join(n: number): void
}

export interface Schedule {
  readonly steps: Step[]
  /** Numbers of the largest message. */
  capacity(): number
  /** Numbers that this processor sends in these steps, and messages. */
  readonly sent: { numbers: number; messages: number }
}

export interface Scheduler {
  /** the processor whose steps are kept */
  readonly rank: number
  /** A step of one processor. */
  at(rank: number, act: () => void): void
  down(pass: DownPass): void
  up(pass: UpPass): void
  /** The one after the other, in one go where nothing hangs on a unit: what it reads and writes is then still at hand. */
  turn(there: DownPass, back: UpPass): void
  groups(pass: GroupPass): void
  /** The same message over several keys, sent and received in one. */
  exchange(from: number, to: number, keys: readonly number[], message: Message): void
  /** The same among any of them, all at once. */
  share(list: readonly Halo[], message: Message): void
}

/** numbers of a message that two processors may both send before either receives */
const AT_ONCE = 1024

/** Where the numbers of each key begin in a message, and how many there are. */
function placesOf(keys: readonly number[], { size, sizeOf }: Message): { places: number[]; n: number } {
  let n = 0
  const places = keys.map((key) => {
    const at = n
    n += sizeOf?.(key) ?? size
    return at
  })
  return { places, n }
}

export function createSchedule({ units, nodes, groups, roots }: Units, link: Link): Schedule & Scheduler {
  const me = link.rank
  const steps: Step[] = []
  const sent = { numbers: 0, messages: 0 }
  let largest = 1

  const at = (rank: number, act: () => void): void => {
    if (rank === me) steps.push({ wait: -1, act })
  }
  const send = (from: number, to: number, keys: readonly number[], message: Message): void => {
    const { places, n } = placesOf(keys, message)
    largest = Math.max(largest, n)
    if (from !== me || to === me || n === 0) return
    const out = new Float64Array(n)
    sent.numbers += n
    sent.messages++
    steps.push({
      wait: -1,
      act() {
        for (let k = 0; k < keys.length; k++) message.write(out, places[k], keys[k])
        link.send(to, out, 0, n)
      },
    })
  }
  const receive = (from: number, to: number, keys: readonly number[], message: Message): void => {
    const { places, n } = placesOf(keys, message)
    if (to !== me || from === me || n === 0) return
    const got = new Float64Array(n)
    steps.push({
      wait: from,
      act() {
        link.receive(from, got, 0, n)
        for (let k = 0; k < keys.length; k++) message.read(got, places[k], keys[k])
      },
    })
  }
  const exchange = (from: number, to: number, keys: readonly number[], message: Message): void => {
    if (from === to) return
    send(from, to, keys, message)
    receive(from, to, keys, message)
  }

  const share = (list: readonly Halo[], message: Message): void => {
    const short = list.filter(({ bodies }) => bodies.length * message.size <= AT_ONCE)
    for (const { from, to, bodies } of short) send(from, to, bodies, message)
    for (const { from, to, bodies } of short) receive(from, to, bodies, message)
    for (const halo of list) if (!short.includes(halo)) exchange(halo.from, halo.to, halo.bodies, message)
  }

  /** Unit or group that begins with unit u: the processor that deals with what it hangs on. */
  const head = (u: number): Unit | Node => (units[u].condensed ? nodes[rootOf(u)] : units[u])
  const rootOf = (u: number): number => groups[nodes[units[u].node].group]
  const isHead = (u: number): boolean => units[u].node < 0 || nodes[rootOf(u)].first === u
  /** processors of what hangs on unit u, each once */
  const below = (u: number): number[] => [...new Set(units[u].children.map((c) => head(c).rank))]
  /** nodes of the group with root n: parts before the whole */
  const nodesOf = (n: number): number[] => (nodes[n].left < 0 ? [n] : [...nodesOf(nodes[n].left), ...nodesOf(nodes[n].right), n])

  const splitGroup = (pass: DownPass, root: number): void => {
    at(nodes[root].rank, () => pass.enterGroup(root))
    for (const n of nodesOf(root).reverse()) {
      const { left, right, rank } = nodes[n]
      if (left < 0) continue
      at(rank, () => pass.split(n))
      exchange(rank, nodes[right].rank, [right], pass.node)
      const end = units[nodes[left].last].rank
      if (pass.tellsLeft && end !== nodes[right].rank) exchange(rank, end, [right], pass.node)
    }
  }

  const joinGroup = (pass: UpPass, root: number): void => {
    for (const n of nodesOf(root)) {
      const { left, right, rank } = nodes[n]
      if (left < 0) continue
      exchange(nodes[right].rank, rank, [right], nodes[right].tail ? pass.tail : pass.node)
      at(rank, () => pass.join(n))
    }
    at(nodes[root].rank, () => pass.leaveGroup(root))
  }

  const downTrunks = (pass: DownPass): void => {
    for (const [u, unit] of units.entries()) {
      if (unit.condensed && isHead(u)) splitGroup(pass, rootOf(u))
      if (unit.whole || unit.condensed) continue
      at(unit.rank, () => pass.visit(unit))
      for (const rank of below(u)) exchange(unit.rank, rank, [unit.to - 1], pass.body)
    }
  }

  const visitUp = (pass: UpPass, unit: Unit): void => {
    pass.visit(unit)
    if (unit.node >= 0) pass.enterNode(unit)
  }
  const rankAbove = (u: number): number => (units[u].node >= 0 ? -1 : units[u].parent < 0 ? 0 : units[units[u].parent].rank)

  /** Units on which nothing hangs, or nothing that they need: those that others wait for first, then, with what they found on its way, the others. */
  const upLeaves = (visit: (u: number) => void, pass: UpPass): void => {
    const waited = (u: number): boolean => units[u].condensed || units[u].rank !== rankAbove(u)
    const leaves = units.flatMap(({ whole, condensed }, u) => (whole || condensed ? [u] : [])).reverse()
    const edges = new Map<string, { from: number; to: number; bodies: number[] }>()
    for (const u of leaves) {
      const { rank: from, whole, node } = units[u]
      const to = rankAbove(u)
      if (!whole || node >= 0 || from === to) continue
      const edge = edges.get(`${from} ${to}`) ?? { from, to, bodies: [] }
      edge.bodies.push(units[u].from)
      edges.set(`${from} ${to}`, edge)
    }
    for (const u of leaves) if (waited(u)) visit(u)
    for (const { from, to, bodies } of edges.values()) send(from, to, bodies, pass.body)
    for (const u of leaves) if (!waited(u)) visit(u)
    for (const { from, to, bodies } of edges.values()) receive(from, to, bodies, pass.body)
  }

  /** Trunks and groups, from the last to the first, once all that hangs on them is there. */
  const upTrunks = (pass: UpPass): void => {
    const addAll = (list: readonly number[], rank: number): void => {
      for (const c of [...list].reverse()) at(rank, () => pass.add(units[c].from))
    }
    for (let u = units.length - 1; u >= 0; u--) {
      const { whole, condensed, node, children, rank, from, parent } = units[u]
      if (!whole && !condensed) {
        addAll(children, rank)
        at(rank, () => visitUp(pass, units[u]))
      }
      if (node >= 0 && nodes[node].tail) joinGroup(pass, rootOf(u))
      if (isHead(u) && !whole) exchange(head(u).rank, parent < 0 ? 0 : units[parent].rank, [from], pass.body)
    }
    addAll(roots, 0)
  }

  return {
    rank: me,
    steps,
    sent,
    capacity: () => largest,
    at,
    exchange,
    share,

    down(pass) {
      downTrunks(pass)
      for (const unit of units) if (unit.whole || unit.condensed) at(unit.rank, () => pass.visit(unit))
    },

    up(pass) {
      upLeaves((u) => at(units[u].rank, () => visitUp(pass, units[u])), pass)
      upTrunks(pass)
    },

    turn(there, back) {
      downTrunks(there)
      upLeaves(
        (u) =>
          at(units[u].rank, () => {
            there.visit(units[u])
            visitUp(back, units[u])
          }),
        back,
      )
      upTrunks(back)
    },

    groups(pass) {
      for (const n of groups.flatMap(nodesOf)) {
        const { left, right, rank, tail } = nodes[n]
        if (left < 0 || tail) continue
        exchange(nodes[right].rank, rank, [right], pass.node)
        at(rank, () => pass.join(n))
      }
    },
  }
}
