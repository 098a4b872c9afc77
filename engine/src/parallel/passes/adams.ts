/**
 * Gear's method over several processors: the four passes of an evaluation, with the method's own phases folded in [Jung, Fig. 6].
 *
 *   1  from the root: preparation, poses and velocities
 *   2  from the leaves: articulated inertias
 *   3  from the root: accelerations
 *   4  from the leaves: follow-up, and the sums by which processor 0 controls order and step
 * A few numbers from processor 0, the *order*, begin each evaluation and tell what became of the one before. What is at the control of one processor only,
 * the history, stays where it is: it is collected when somebody asks.
 */
import type { LoopOptions } from '../../constraints/loops/loops.js'
import type { Vec } from '../../math/types.js'
import { createData } from '../../model/data.js'
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import { memoryViews } from '../../solvers/memory-layout.js'
import { adamsMemory } from '../../solvers/ode/adams.js'
import { type AdamsHistory, createAdamsHistory, ORDER_NOW, STEP_NOW, SUMS } from '../../solvers/ode/adams-history.js'
import { ADAMS_ORDER, adamsCoefficients } from '../../solvers/ode/coefficients.js'
import { createModelProblem, type ModelProblem } from '../../solvers/ode/model-problem.js'
import type { MultistepOptions } from '../../solvers/ode/multistep.js'
import { TRANSITION } from '../../solvers/ode/step-control.js'
import type { Link } from '../link.js'
import { dynamicsRoom, rows, scheduleDynamics } from './dynamics.js'
import { createProcessor, type Processor, WHAT } from './orders.js'
import { createSchedule, type Message, type Step, type UpPass } from './schedule.js'
import type { Unit, Units } from './units.js'
import { wholeMessage } from './whole.js'

// what an order tells to do
export const EVALUATE = 0
/** the first evaluation, or that of a restart: z₁ ← f */
export const START = 1
/** another correction of the same step */
export const AGAIN = 2
/** y at a time goes to processor 0 */
export const DENSE = 3
/** the history goes to processor 0, or comes from there */
export const SAVE = 4
export const LOAD = 5
/** coordinates, velocities, joint forces and controls come from processor 0: a new beginning */
export const READ = 6

// numbers of an order, after what it tells to do
/** 1: the transition that follows is to be applied first */
export const SETTLE = 1
/** 1: a new step, with new weights and charts */
export const FRESH = 2
/** time of the evaluation, or what DENSE asks for, in steps after the front */
export const WHEN = 3
/** step and order from now on */
export const STEP = 4
export const ORDER = 5
/** the transition of the step control */
export const CHANGE = 6
export const ORDER_SIZE = CHANGE + TRANSITION

export interface AdamsProcessor extends Processor {
  readonly problem: ModelProblem
  readonly history: AdamsHistory
  readonly memory: Vec
  /** where the corrector's own number lies in it */
  readonly corrector: number
  /** numbers of the largest message between two processors, but for whole states */
  readonly capacity: number
  /** messages that it sends in an evaluation, and their numbers */
  readonly sent: Readonly<{ numbers: number; messages: number }>
  /** joint moves of charts in the last evaluation */
  moves(): number
}

export function createAdamsProcessor(
  model: Model,
  units: Units,
  link: Link,
  options: MultistepOptions & LoopOptions,
  forces: readonly Force[] = [],
): AdamsProcessor {
  const { nv } = model
  const n = 2 * nv
  const me = link.rank
  const data = createData(model, { forces, numbers: dynamicsRoom(model, units) })
  // accelerations come from the passes
  const problem = createModelProblem(model, forces, data, () => {})
  const { chart, state, kinematic } = problem
  const maxOrder = Math.min(ADAMS_ORDER, options.maxOrder ?? ADAMS_ORDER)
  const layout = adamsMemory(n, chart.size, maxOrder)
  const memory = new Float64Array(layout.length)
  const { base, z, eBefore } = memoryViews(layout, memory)
  chart.bind(base)
  const plain = options.corrector === 'plain'
  const history = createAdamsHistory(problem, adamsCoefficients(), { z, eBefore }, { rtol: options.rtol, atol: options.atol, plain })
  const { y, f, sums, now } = history
  const order = new Float64Array(ORDER_SIZE)
  const change = order.subarray(CHANGE)
  const mine = units.units.filter((u) => u.rank === me)
  const at = new Float64Array(1)
  let moves = 0

  const settle = (): void => {
    if (order[SETTLE] === 0) return
    for (let k = 0; k < mine.length; k++) history.settle(change, mine[k].from, mine[k].to)
  }
  const beginEvaluation = (): void => {
    now[ORDER_NOW] = order[ORDER]
    now[STEP_NOW] = order[STEP]
    problem.clock[0] = order[WHEN]
    state.t = order[WHEN]
  }

  const begin = (): void => {
    settle()
    beginEvaluation()
    moves = 0
  }
  /** Pass 1, what needs no other processor: the history's transition and prediction, joints. */
  const prepare = ({ from, to }: Unit): void => {
    if (order[FRESH] === 1) moves += history.weigh(from, to)
    if (order[WHAT] === EVALUATE) history.predict(from, to)
    else if (order[WHAT] === START) history.reset(from, to)
    else history.moveOn(from, to)
    problem.place(y, from, to)
    data.kernels.placeJoints(data.tree, data.work, state.q.byteOffset, from, to)
  }

  const nodeSums = new Float64Array(SUMS * units.nodes.length)
  const unitSums = rows(SUMS, [sums, SUMS])
  const follow: UpPass = {
    // the place is empty again for the next evaluation
    body: {
      ...unitSums,
      write(out, o, key) {
        unitSums.write(out, o, key)
        sums.fill(0, SUMS * key, SUMS * key + SUMS)
      },
    },
    node: rows(SUMS, [nodeSums, SUMS]),
    tail: rows(SUMS, [nodeSums, SUMS]),
    visit({ from, to }) {
      for (let i = from; i < to; i++) for (let k = model.iv[i]; k < model.ivEnd[i]; k++) f[kinematic + k] = data.a[k]
      if (order[WHAT] === START) history.followStart(from, to)
      else history.followUp(from, to)
    },
    enterNode({ from, node }) {
      for (let k = 0; k < SUMS; k++) {
        nodeSums[SUMS * node + k] = sums[SUMS * from + k]
        sums[SUMS * from + k] = 0
      }
    },
    join(node) {
      const { left, right } = units.nodes[node]
      for (let k = 0; k < SUMS; k++) nodeSums[SUMS * node + k] = nodeSums[SUMS * left + k] + nodeSums[SUMS * right + k]
    },
    leaveGroup(node) {
      const { from } = units.units[units.nodes[node].first]
      for (let k = 0; k < SUMS; k++) sums[SUMS * from + k] = nodeSums[SUMS * node + k]
    },
    add: (body) => history.joinSums(body),
  }

  const evaluation = createSchedule(units, link)
  evaluation.at(me, begin)
  evaluation.at(0, () => sums.fill(0, 0, SUMS))
  scheduleDynamics(evaluation, model, data, state, units, { ...options, prepare, after: follow })
  evaluation.at(0, () => void data.evaluations++)

  const whole = (r: number, byVelocity: readonly Vec[], byCoordinate: readonly Vec[], extra?: Vec): Message =>
    wholeMessage(model, units, r, byVelocity, byCoordinate, extra)
  const halves = (x: Vec): Vec[] => Array.from({ length: x.length / nv }, (_, k) => x.subarray(k * nv, (k + 1) * nv))
  const others = Array.from({ length: link.processors }, (_, r) => r).filter((r) => r > 0)

  const dense = createSchedule(units, link)
  dense.at(me, () => {
    settle()
    beginEvaluation()
    at[0] = order[WHEN]
    for (const { from, to } of mine) history.evaluate(y, at, 0, from, to)
  })
  for (const r of others) dense.exchange(r, 0, [0], whole(r, halves(y), [base]))

  const save = createSchedule(units, link)
  save.at(me, settle)
  for (const r of others) save.exchange(r, 0, [0], whole(r, [...halves(z), ...halves(eBefore)], [base]))

  const load = createSchedule(units, link)
  for (const r of others) load.exchange(0, r, [0], whole(r, [...halves(z), ...halves(eBefore), state.tau], [base], state.control))

  const read = createSchedule(units, link)
  for (const r of others) read.exchange(0, r, [0], whole(r, [...halves(y), state.tau], [base], state.control))
  read.at(me, () => {
    for (const { from, to } of mine) history.begin(from, to)
  })

  const programs: Readonly<Record<number, readonly Step[]>> = {
    ...{ [EVALUATE]: evaluation.steps, [START]: evaluation.steps, [AGAIN]: evaluation.steps },
    ...{ [DENSE]: dense.steps, [SAVE]: save.steps, [LOAD]: load.steps, [READ]: read.steps },
  }

  return {
    problem,
    history,
    memory,
    corrector: layout.at.corrector,
    capacity: Math.max(ORDER_SIZE, evaluation.capacity()),
    sent: evaluation.sent,
    moves: () => moves,
    ...createProcessor(link, order, programs),
  }
}
