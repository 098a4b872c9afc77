/**
 * The solver redmax with scheme=linear and linear=pcg over several processors: the system of a step, its preconditioner, and conjugate gradients led by processor 0.
 *
 *   BEGIN    down  kinematics                                                    24 numbers an edge
 *            halo  poses and motions of bodies that rows join                    18 a body
 *            up    b, A v, the factor, and half a solve with both b and r = b − A v,
 *                  bᵀ P⁻¹ b and rᵀ P⁻¹ r                                         47
 *   PRODUCT  down  the other half, p ← z + β p, J p                              12
 *            halo  J p                                                            6 a body
 *            up    A p, pᵀ A p                                                    7
 *   UPDATE   up    x += α p, r −= α A p, half a solve, rᵀ P⁻¹ r                   7
 *   FINISH   velocities and coordinates; whole vectors go to processor 0
 * so that an iteration takes three passes. rᵀ P⁻¹ r is the sum of squares of w = L⁻¹ r, which the way up finds already. Sums are in the order of the tree: bits do not
 * depend on the number of processors. Without rows that join bodies P = A, and one iteration does.
 */
import { integrateBodies, updateJoints } from '../../joints/index.js'
import type { Vec } from '../../math/types.js'
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { updateVelocities } from '../../tree/kinematics.js'
import type { Link } from '../link.js'
import { rows } from './dynamics.js'
import { createProcessor, type Processor } from './orders.js'
import { type DownPart, downPass, factorPart, forcePart, inUnits, solveDownPart, solveUpPart, sumPart, upPass } from './parts.js'
import { assembleOwn, createProducts, meetOwn, type Products, scheduleProduct, startOwnFactor } from './products.js'
import { createSchedule } from './schedule.js'
import type { Units } from './units.js'
import { wholeMessage } from './whole.js'

// what an order tells to do
/** coordinates, velocities, joint forces and controls come from processor 0 */
export const READ = 0
export const BEGIN = 1
export const PRODUCT = 2
export const UPDATE = 3
export const FINISH = 4

// numbers of an order, after what it tells to do: step and time of BEGIN, the factor of PRODUCT (β), UPDATE (α) and FINISH (0: the solution is zero)
export const STEP = 1
export const WHEN = 2
export const FACTOR = 3
export const ORDER_SIZE = 4

export interface RedmaxProcessor extends Processor {
  readonly products: Products
  /** on processor 0 with all coordinates and velocities; it takes joint forces and controls for READ */
  readonly state: State
  /** on processor 0, in the first place: rᵀ P⁻¹ r of BEGIN and UPDATE, pᵀ A p of PRODUCT; bᵀ P⁻¹ b of BEGIN */
  readonly sum: Vec
  readonly reference: Vec
  /** numbers of the largest message between two processors, but for whole states and what rows join */
  readonly capacity: number
  /** messages that it sends by order, and their numbers */
  readonly sent: Readonly<Record<'begin' | 'product' | 'update', Readonly<{ numbers: number; messages: number }>>>
}

export function createRedmaxProcessor(whole: Model, plan: Units, link: Link, forces: readonly Force[] = []): RedmaxProcessor {
  const me = link.rank
  const products = createProducts(whole, plan, me, forces)
  const { model: m, system, factor, state, bodies, velocities, halo, x, r, z, p, Ap, p2, F2 } = products
  const { data: d, b, F } = system
  const { kernels, tree, work } = d
  const order = new Float64Array(ORDER_SIZE)
  const { sums: sum, sums2: reference } = products
  const motions: DownPart = {
    columns: [
      [d.X_WB, 12],
      [d.V, 6],
      [d.A, 6],
    ],
    visit({ from, to }) {
      updateJoints(m, d, state.q, from, to)
      kernels.placeInWorld(tree, work, from, to)
      updateVelocities(m, d, state.v, from, to)
      kernels.addMotionRates(tree, d.poses, d.A.byteOffset, d.c.byteOffset, from, to)
    },
  }
  const begin = createSchedule(plan, link)
  begin.at(me, () => {
    system.step[0] = order[STEP]
    state.t = order[WHEN]
  })
  begin.down(downPass(motions))
  begin.share(halo, rows(18, [d.X_WB, 12], [d.V, 6]))
  begin.at(me, () => {
    assembleOwn(products)
    startOwnFactor(products)
    meetOwn(products, products.table2, Ap, state.v)
    for (let e = 0; e < velocities.length; e++) for (let k = velocities[e].from; k < velocities[e].to; k++) x[k] = state.v[k]
  })
  begin.at(0, () => {
    sum[0] = 0
    reference[0] = 0
    d.evaluations++
  })
  begin.up(
    upPass(
      forcePart(m, d, b, F),
      forcePart(m, d, Ap, F2),
      inUnits(({ from, to }) => {
        for (let i = from; i < to; i++) for (let k = m.iv[i]; k < m.ivEnd[i]; k++) r[k] = b[k] - Ap[k]
      }),
      factorPart(m, factor),
      solveUpPart(m, factor, products.other, p2, p, b),
      solveUpPart(m, factor, factor.factor, factor.p, z, r),
      sumPart(m, d, reference, p, p),
      sumPart(m, d, sum, z, z),
    ),
  )

  const clear = (): void => {
    sum[0] = 0
  }
  const product = createSchedule(plan, link)
  product.at(0, clear)
  const turn = inUnits(({ from, to }) => {
    const beta = order[FACTOR]
    for (let i = from; i < to; i++) for (let k = m.iv[i]; k < m.ivEnd[i]; k++) p[k] = beta === 0 ? z[k] : z[k] + beta * p[k]
  })
  scheduleProduct(product, me, products, Ap, p, [solveDownPart(factor, z), turn], [sumPart(m, d, sum, p, Ap)])

  const update = createSchedule(plan, link)
  update.at(me, () => {
    for (let e = 0; e < bodies.length; e++) factor.p.fill(0, 6 * bodies[e].from, 6 * bodies[e].to)
    const alpha = order[FACTOR]
    for (let e = 0; e < velocities.length; e++) {
      for (let k = velocities[e].from; k < velocities[e].to; k++) {
        x[k] += alpha * p[k]
        r[k] -= alpha * Ap[k]
      }
    }
  })
  update.at(0, clear)
  update.up(upPass(solveUpPart(m, factor, factor.factor, factor.p, z, r), sumPart(m, d, sum, z, z)))

  const others = Array.from({ length: link.processors - 1 }, (_, k) => k + 1)
  const finish = createSchedule(plan, link)
  finish.at(me, () => {
    const h = system.step[0]
    for (let e = 0; e < velocities.length; e++) {
      for (let k = velocities[e].from; k < velocities[e].to; k++) {
        state.v[k] = order[FACTOR] === 0 ? 0 : x[k]
        x[k] = h * state.v[k]
      }
    }
    for (let e = 0; e < bodies.length; e++) integrateBodies(m, state.q, x, 1, bodies[e].from, bodies[e].to)
  })
  for (const rank of others) finish.exchange(rank, 0, [0], wholeMessage(m, plan, rank, [state.v], [state.q]))

  const read = createSchedule(plan, link)
  for (const rank of others) read.exchange(0, rank, [0], wholeMessage(m, plan, rank, [state.v, state.tau], [state.q], state.control))

  return {
    products,
    state,
    sum,
    reference,
    capacity: Math.max(ORDER_SIZE, begin.capacity(), product.capacity(), update.capacity()),
    sent: { begin: begin.sent, product: product.sent, update: update.sent },
    ...createProcessor(link, order, {
      ...{ [READ]: read.steps, [BEGIN]: begin.steps, [PRODUCT]: product.steps, [UPDATE]: update.steps, [FINISH]: finish.steps },
    }),
  }
}
