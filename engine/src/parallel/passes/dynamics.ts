/**
 * Forward dynamics of a tree that is cut among processors: the articulated-body algorithm in three passes, with messages of constant size over the
 * edges of the cut [Jung, Table IX].
 *
 *   1  from the root: poses and velocities                        24 numbers an edge, and for springs a body that it pulls at from elsewhere
 *   2  from the leaves: articulated inertias and bias forces      27
 *   3  from the root: accelerations                                6
 * With m rows of loops that reach below an edge, passes 2 and 3 take 11 m + m (m + 1)/2 and m more, and what rows join is exchanged after pass 1 (`loops`).
 * Blocks of long chains (`blocks.kernel`, `nodes`) have three exchanges of their own, of 18, 90 and 12 numbers a node. A tree without such blocks has the bits of
 * `tree/aba` in one piece; with them, bits depend on the blocks, not on the processors.
 */
import type { LoopOptions } from '../../constraints/loops/loops.js'
import { applyForces, applyJointForces } from '../../forces/dynamics.js'
import { kernelsIn } from '../../kernels/instance.js'
import type { Vec } from '../../math/types.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { placeTable, tableRoom } from '../../model/work-space.js'
import { rotateBack } from '../../printed/arrays.js'
import { type ParallelKernels, parallelModule } from '../../printed/parallel.js'
import { updateVelocities } from '../../tree/kinematics.js'
import { findHalo, ranksOf } from './halo.js'
import { createLoopPasses } from './loops.js'
import { BASE, joinMotion, joinNode, nodeLengths, placeEnd, splitNode } from './nodes.js'
import type { DownPass, GroupPass, Message, Scheduler, UpPass } from './schedule.js'
import type { Unit, Units } from './units.js'

/** pose, motion along the world's axes, motion along the body's */
const BODY = 24
const INERTIA = 27
/** IA, pA, P, the lower half of Φ, b */
const NODE = 21 + 6 + 36 + 21 + 6

const blocksTable = (nv: number, { nodes }: Units) =>
  ({ name: 'Blocks', fields: {}, own: { ...nodeLengths(nodes.length), u6: nodes.length === 0 ? 0 : 6 * nv, wrench: 6, pull: nv } }) as const

/** Numbers to ask `createData` for. */
export const dynamicsRoom = ({ nv }: Model, units: Units): number => tableRoom(blocksTable(nv, units))

/** Rows of several columns of data, one after another in a message. */
export function rows(size: number, ...columns: readonly (readonly [Vec, number])[]): Message {
  return {
    size,
    write(out, o, key) {
      let at = o
      for (let c = 0; c < columns.length; c++) {
        const [x, width] = columns[c]
        for (let k = 0; k < width; k++) out[at++] = x[width * key + k]
      }
    },
    read(x, o, key) {
      let at = o
      for (let c = 0; c < columns.length; c++) {
        const [out, width] = columns[c]
        for (let k = 0; k < width; k++) out[width * key + k] = x[at++]
      }
    },
  }
}

/**
 * Adds the three passes to the schedule, and those around them: `prepare` writes coordinates and velocities of a unit to the state and places its joints,
 * `after` is a pass back that finds accelerations in data.a.
 */
export function scheduleDynamics(
  s: Scheduler,
  m: Model,
  d: Data,
  state: State,
  plan: Units,
  { prepare, after, ...options }: LoopOptions & { readonly prepare: (unit: Unit) => void; readonly after: UpPass },
): void {
  const { units, nodes } = plan
  const { parent } = m
  const { kernels, tree, work, loaded, qf, a } = d
  const x = placeTable(d, blocksTable(m.nv, plan))
  const own = kernelsIn<ParallelKernels>(parallelModule, d.block)
  const { IA, pA } = x
  const loops = createLoopPasses(s, m, d, state, plan, options)
  // of each single block but the last of a group: the node whose base its last body is
  const next = new Int32Array(nodes.length).fill(-1)
  for (const { left, right } of nodes) if (left >= 0) next[units[nodes[left].last].node] = right

  /** Rows of body p ← base of node n. */
  const placeBase = (p: number, n: number): void => {
    for (let k = 0; k < 12; k++) d.X_WB[12 * p + k] = x.base[BASE * n + k]
    for (let k = 0; k < 6; k++) d.VW[6 * p + k] = x.base[BASE * n + 12 + k]
    for (let o = 0; o < 6; o += 3) rotateBack(d.V, 6 * p + o, d.X_WB, 12 * p, d.VW, 6 * p + o)
  }

  const alone: GroupPass = {
    node: rows(18, [x.X, 12], [x.V, 6]),
    join: (n) => joinMotion(x, n, nodes[n].left, nodes[n].right),
  }

  const motions: DownPass = {
    body: rows(BODY, [d.X_WB, 12], [d.VW, 6], [d.V, 6]),
    node: rows(BASE, [x.base, BASE]),
    tellsLeft: true,
    enterGroup(n) {
      const p = parent[units[nodes[n].first].from]
      for (let k = 0; k < 12; k++) x.base[BASE * n + k] = d.X_WB[12 * p + k]
      for (let k = 0; k < 6; k++) x.base[BASE * n + 12 + k] = d.VW[6 * p + k]
    },
    split: (n) => placeEnd(x, n, nodes[n].left, nodes[n].right),
    visit({ from, to, node }) {
      if (node >= 0) placeBase(parent[from], node)
      kernels.sweepTree(tree, work, state.v.byteOffset, 0, from, to)
      if (loaded) updateVelocities(m, d, state.v, from, to)
      if (node >= 0 && next[node] >= 0) placeBase(to - 1, next[node])
    },
  }

  /** What acts on a unit. */
  const pull = ({ from, to }: Unit): void => {
    if (loaded) {
      applyForces(m, d, state, from, to)
      own.loadBodies(work, from, to)
    } else applyJointForces(m, d, state, from, to)
    // kept apart: a user's force may add to the joints of other units, too
    for (let i = from; i < to; i++) for (let k = m.iv[i]; k < m.ivEnd[i]; k++) x.pull[k] = qf[k] + state.tau[k]
  }

  const inertias: UpPass = {
    body: loops.withColumns(rows(INERTIA, [d.IA, 21], [d.pA, 6])),
    node: nodeMessage(x),
    tail: rows(INERTIA, [IA, 21], [pA, 6]),
    visit({ from, to, node, condensed }) {
      kernels.eliminateTree(tree, work, x.pull.byteOffset, from, from, to)
      if (condensed) own.condenseBlock(tree, work, x.table, node, from, to)
      loops.carry(from, to)
      if (parent[from] > 0 || node >= 0) own.shiftToParent(tree, work, from)
    },
    enterNode({ from, node }) {
      for (let k = 0; k < 21; k++) IA[21 * node + k] = d.IA[21 * from + k]
      for (let k = 0; k < 6; k++) pA[6 * node + k] = d.pA[6 * from + k]
    },
    join: (n) => joinNode(x, n, nodes[n].left, nodes[n].right, nodes[n].tail),
    leaveGroup(n) {
      const { from } = units[nodes[n].first]
      for (let k = 0; k < 21; k++) d.IA[21 * from + k] = IA[21 * n + k]
      for (let k = 0; k < 6; k++) d.pA[6 * from + k] = pA[6 * n + k]
    },
    add(body) {
      if (parent[body] > 0) own.addToParent(tree, work, body)
      loops.join(body)
    },
  }

  const accelerations: DownPass = {
    body: loops.withForces(rows(6, [d.AW, 6])),
    node: rows(12, [x.A, 6], [x.f, 6]),
    enterGroup(n) {
      const p = parent[units[nodes[n].first].from]
      for (let k = 0; k < 6; k++) x.A[6 * n + k] = d.AW[6 * p + k]
    },
    split: (n) => splitNode(x, n, nodes[n].left, nodes[n].right, nodes[n].tail),
    visit({ from, to, node, condensed }) {
      if (node >= 0) for (let k = 0; k < 6; k++) d.AW[6 * parent[from] + k] = x.A[6 * node + k]
      if (condensed) {
        for (let k = 0; k < 6; k++) x.wrench[k] = x.f[6 * node + k]
        own.loadBlock(tree, work, x.table, x.wrench.byteOffset, from, to)
      }
      loops.load(from, to)
      kernels.accelerateTree(tree, work, a.byteOffset, from, to)
    },
  }

  for (const unit of units)
    s.at(unit.rank, () => {
      prepare(unit)
      if (unit.condensed) own.moveBlock(tree, work, x.table, state.v.byteOffset, unit.node, unit.from, unit.to)
    })
  if (nodes.length > 0) s.groups(alone)
  // these read bodies of several units, or use columns of other units as scratch
  if (m.springs.count + m.tendons.count + m.actuators.count > 0 || d.own.length > 0 || loops.active) {
    s.down(motions)
    for (const { from, to, bodies } of findHalo(ranksOf(plan, m.nbody), springEnds(m))) s.exchange(from, to, bodies, motions.body)
    for (const unit of units) s.at(unit.rank, () => pull(unit))
    loops.begin()
    s.up(inertias)
    loops.solve()
  } else {
    s.turn(
      {
        ...motions,
        visit(unit) {
          motions.visit(unit)
          pull(unit)
        },
      },
      inertias,
    )
  }
  s.turn(accelerations, after)
}

function* springEnds({ springs: { count, bodyA, bodyB } }: Model): Generator<readonly number[]> {
  for (let k = 0; k < count; k++) yield [bodyA[k], bodyB[k]]
}

function nodeMessage({ IA, pA, P, Phi, b }: { IA: Vec; pA: Vec; P: Vec; Phi: Vec; b: Vec }): Message {
  const plain = rows(21 + 6 + 36 + 6, [IA, 21], [pA, 6], [P, 36], [b, 6])
  return {
    size: NODE,
    write(out, o, n) {
      plain.write(out, o, n)
      let at = o + plain.size
      for (let r = 0; r < 6; r++) for (let c = 0; c <= r; c++) out[at++] = Phi[36 * n + 6 * r + c]
    },
    read(got, o, n) {
      plain.read(got, o, n)
      let at = o + plain.size
      for (let r = 0; r < 6; r++) {
        for (let c = 0; c <= r; c++) {
          const value = got[at++]
          Phi[36 * n + 6 * r + c] = value
          Phi[36 * n + 6 * c + r] = value
        }
      }
    },
  }
}
