/**
 * Forces of loops in the passes of several processors (`constraints/loops`): rows whose bodies are on different processors.
 *
 *   after 1  poses and motions of what a row joins, to every processor that has one of its bodies: 18 numbers a body, 2 a joint
 *   2        the columns of rows that reach below an edge go over it
 *   after 2  processor 0 solves for the forces of the rows
 *   3        those of rows that reach below an edge go over it
 * Messages grow with the rows, never with the joints.
 */
import { COLUMN, createLoops, type LoopOptions } from '../../constraints/loops/loops.js'
import { CONSTRAINT_COUPLING, CONSTRAINT_MOTION } from '../../model/constraints.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { findHalo, ranksOf } from './halo.js'
import type { Message, Scheduler } from './schedule.js'
import type { Units } from './units.js'

/** What forward dynamics does for loops in its passes; nothing where the model has none. */
export interface LoopPasses {
  /** false: the model has none */
  readonly active: boolean
  /** Adds the steps before pass 2. */
  begin(): void
  /** Adds the steps before pass 3. */
  solve(): void
  /** What goes up an edge, key: the topmost body, and down, key: the last body above it. */
  withColumns(message: Message): Message
  withForces(message: Message): Message
  // as of `Loops`
  carry(from: number, to: number): void
  join(body: number): void
  load(from: number, to: number): void
}

const open: LoopPasses = {
  active: false,
  begin() {},
  solve() {},
  withColumns: (message) => message,
  withForces: (message) => message,
  carry() {},
  join() {},
  load() {},
}

export function createLoopPasses(s: Scheduler, m: Model, d: Data, state: State, plan: Units, options: LoopOptions): LoopPasses {
  const { units, nodes, roots } = plan
  const rank = ranksOf(plan, m.nbody)
  const { stabilization } = options
  const own = rank.map((r) => (r === s.rank ? 1 : 0))
  const loops = createLoops(m, d, { own, ...(stabilization !== undefined && { stabilization }) })
  if (!loops) return open
  if (nodes.length > 0) throw new RangeError('branches of a model with loops cannot be cut into blocks: take `branchesOf(model)` as it is')
  const { P, Phi, sums, lambda, columns } = loops
  const { run, start, row, triangle, count, at } = columns
  const mine = units.filter((u) => u.rank === s.rank)

  const body: Message = {
    size: 18,
    write(out, o, i) {
      for (let k = 0; k < 12; k++) out[o + k] = d.X_WB[12 * i + k]
      for (let k = 0; k < 6; k++) out[o + 12 + k] = d.VW[6 * i + k]
    },
    read(x, o, i) {
      for (let k = 0; k < 12; k++) d.X_WB[12 * i + k] = x[o + k]
      for (let k = 0; k < 6; k++) d.VW[6 * i + k] = x[o + 12 + k]
    },
  }
  const joint: Message = {
    size: 2,
    write(out, o, j) {
      out[o] = state.q[m.jointQ[j]]
      out[o + 1] = state.v[m.jointV[j]]
    },
    read(x, o, j) {
      state.q[m.jointQ[j]] = x[o]
      state.v[m.jointV[j]] = x[o + 1]
    },
  }
  const forces: Message = {
    size: 0,
    sizeOf: (i) => count[i],
    write(out, o, i) {
      for (let c = 0; c < count[i]; c++) out[o + c] = lambda[row[start[run[i]] + c]]
    },
    read(x, o, i) {
      for (let c = 0; c < count[i]; c++) lambda[row[start[run[i]] + c]] = x[o + c]
    },
  }
  /** Of a topmost body, which all columns of its run reach. */
  const top: Message = {
    size: 0,
    sizeOf: (i) => (6 + COLUMN) * count[i] + (count[i] * (count[i] + 1)) / 2,
    write(out, o, i) {
      let to = o
      for (let k = 6 * at[i]; k < 6 * at[i + 1]; k++) out[to++] = P[k]
      for (let k = COLUMN * start[run[i]]; k < COLUMN * start[run[i] + 1]; k++) out[to++] = sums[k]
      for (let k = triangle[run[i]]; k < triangle[run[i] + 1]; k++) out[to++] = Phi[k]
    },
    read(x, o, i) {
      let from = o
      for (let k = 6 * at[i]; k < 6 * at[i + 1]; k++) P[k] = x[from++]
      for (let k = COLUMN * start[run[i]]; k < COLUMN * start[run[i] + 1]; k++) sums[k] = x[from++]
      for (let k = triangle[run[i]]; k < triangle[run[i] + 1]; k++) Phi[k] = x[from++]
    },
  }

  return {
    active: true,
    begin() {
      const { bodies, joints } = joined(m)
      const rankOfJoint = m.jointV.map((v) => (v < m.nv ? rank[m.velocityBody[v]] : -1))
      for (const { from, to, bodies: keys } of findHalo(rank, bodies)) s.exchange(from, to, keys, body)
      for (const { from, to, bodies: keys } of findHalo(rankOfJoint, joints)) s.exchange(from, to, keys, joint)
      s.at(s.rank, () => {
        for (let k = 0; k < mine.length; k++) loops.clear(mine[k].from, mine[k].to)
        loops.begin(state)
      })
    },
    solve() {
      s.at(0, loops.solve)
      // what hangs on the world hears of it from nobody else
      for (let r = 1; r < plan.processors; r++) {
        const hanging = roots.filter((u) => units[u].rank === r).map((u) => units[u].from)
        if (hanging.length > 0) s.exchange(0, r, hanging, forces)
      }
    },
    withColumns: (message) => both(message, top),
    withForces: (message) => both(message, forces),
    carry: loops.carry,
    join: loops.join,
    load: loops.load,
  }
}

/** What the rows of each constraint join: bodies, or joints. */
function joined({ constraints: c }: Model): { bodies: number[][]; joints: number[][] } {
  const bodies: number[][] = []
  const joints: number[][] = []
  for (let k = 0; k < c.count; k++) {
    if (c.active[k] === 0) continue
    if (c.kind[k] === CONSTRAINT_COUPLING || c.kind[k] === CONSTRAINT_MOTION) joints.push([c.target[k], c.source[k]].filter((j) => j >= 0))
    else bodies.push([c.bodyA[k], c.bodyB[k]])
  }
  return { bodies, joints }
}

/** One message after another. */
function both(first: Message, second: Message): Message {
  const sizes = (key: number): number => first.size + (second.sizeOf?.(key) ?? second.size)
  return {
    size: first.size,
    sizeOf: sizes,
    write(out, o, key) {
      first.write(out, o, key)
      second.write(out, o + first.size, key)
    },
    read(x, o, key) {
      first.read(x, o, key)
      second.read(x, o + first.size, key)
    },
  }
}
