/**
 * The linear system of a step of redmax (`solvers/redmax/matrix/system`) over several processors: A x, the right-hand side, and the factor that preconditions it.
 *
 * Terms in the joints and on single bodies are where their bodies are. A row that joins bodies of different processors is on each of them: they tell each
 * other how these bodies move (`halo`), 6 numbers a body, and each adds the row's force to its own ends, in the order of the rows.
 */
import { applyForces } from '../../forces/dynamics.js'
import type { Vec } from '../../math/types.js'
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { roomFor, stateLengths, takeAll, takeState } from '../../model/work-space.js'
import { findArms, turnBodies } from '../../solvers/redmax/linearised/published-stiffness.js'
import { createSystem, linearizeForces, type System, tableWith, termsRoom, weighTerms } from '../../solvers/redmax/matrix/system.js'
import {
  createImplicitFactor,
  factorSize,
  factorTableRoom,
  factorWith,
  type ImplicitFactor,
  startFactorBodies,
} from '../../tree/implicit-factor.js'
import { rows } from './dynamics.js'
import { findHalo, type Halo, ranksOf } from './halo.js'
import { localModel, type Range, rangesOf } from './local.js'
import { type DownPart, downPass, forcePart, motionPart, type UpPart, upPass } from './parts.js'
import type { Scheduler } from './schedule.js'
import type { Units } from './units.js'
import { numbersOf } from './whole.js'

export interface Products {
  /** with what acts on bodies of this processor only */
  readonly model: Model
  readonly system: System
  readonly factor: ImplicitFactor
  /** a table of the factor with forces of its own, for two solves at once */
  readonly other: number
  readonly state: State
  /** bodies of this processor, the velocities of each range of them, and all of its velocities */
  readonly bodies: readonly OwnBodies[]
  readonly velocities: readonly Range[]
  /** bodies that rows join with those of other processors, all of them and those that this one is told of */
  readonly halo: readonly Halo[]
  readonly told: readonly number[]
  /** of each body: 1 where its motion is known */
  readonly known: Uint8Array
  /** whether some force has arms that turn with bodies (`published-stiffness`) */
  readonly turns: boolean
  /** vectors over the velocities, in the memory of the kernels */
  readonly x: Vec
  readonly r: Vec
  readonly z: Vec
  readonly p: Vec
  readonly Ap: Vec
  /** forces of the other solve; wrenches of another product, and the table of the terms with these */
  readonly p2: Vec
  readonly F2: Vec
  readonly table2: number
  /** of sums over the tree, two at once */
  readonly sums: Vec
  readonly sums2: Vec
}

interface OwnBodies extends Range {
  readonly velocities: readonly Range[]
}

/** `rank`: this processor's; `forces`: the user's own. */
export function createProducts(whole: Model, plan: Units, rank: number, forces: readonly Force[] = []): Products {
  const { nbody, nv, springs } = whole
  const ranks = ranksOf(plan, nbody)
  const model = localModel(whole, ranks, rank)
  const lengths = { x: nv, r: nv, z: nv, p: nv, Ap: nv, p2: 6 * nbody, F2: 6 * nbody, sums: nbody, sums2: nbody }
  const room = roomFor(lengths) + roomFor(stateLengths(model)) + factorSize(model) / 8 + factorTableRoom + termsRoom
  const system = createSystem(model, forces, room)
  const { data } = system
  const factor = createImplicitFactor(model, data)
  const vectors = takeAll(data, lengths)
  const halo = findHalo(
    ranks,
    Array.from({ length: springs.count }, (_, k) => [springs.bodyA[k], springs.bodyB[k]]),
  )
  const told = halo.flatMap(({ to, bodies }) => (to === rank ? bodies : []))
  const own = plan.units.flatMap(({ from, to, rank: r }) => (r === rank ? Array.from({ length: to - from }, (_, k) => from + k) : []))
  const known = new Uint8Array(nbody)
  for (const i of [...own, ...told]) known[i] = 1
  return {
    ...vectors,
    model,
    system,
    factor,
    other: factorWith(factor, data, vectors.p2),
    table2: tableWith(system, vectors.F2),
    state: takeState(data, model),
    bodies: rangesOf(own).map(({ from, to }) => ({ from, to, velocities: velocitiesOf(model, from, to) })),
    velocities: rangesOf(numbersOf(model, plan, rank).velocities),
    halo,
    told,
    known,
    turns: model.springs.rest.includes(0) || forces.some((force) => force.addArms),
  }
}

const velocitiesOf = ({ iv, ivEnd }: Model, from: number, to: number): Range[] => {
  const list: number[] = []
  for (let i = from; i < to; i++) for (let k = iv[i]; k < ivEnd[i]; k++) list.push(k)
  return rangesOf(list)
}

/**
 * out ← A x, with `before` and `after` in the same passes: x may be what `before` finds, and `after` sees out. Messages of 6 numbers an edge down, 6 a body that rows
 * join with another processor, 6 an edge up, and those of the others.
 */
export function scheduleProduct(
  s: Scheduler,
  me: number,
  products: Products,
  out: Vec,
  x: Vec,
  before: readonly DownPart[] = [],
  after: readonly UpPart[] = [],
): void {
  const { model, system, halo } = products
  const { data, y, F } = system
  s.down(downPass(...before, motionPart(data, y, x)))
  s.share(halo, rows(6, [y, 6]))
  s.at(me, () => meetOwn(products, system.table, out, x))
  s.up(upPass(forcePart(model, data, out, F), ...after))
}

/** Reads y. Writes what it meets: F of the table and out, of the bodies of this processor. */
export function meetOwn({ system, bodies, velocities }: Products, table: number, out: Vec, x: Vec): void {
  const { kernels, data, terms } = system
  for (let k = 0; k < bodies.length; k++) kernels.meetBodies(data.tree, table, bodies[k].from, bodies[k].to)
  for (let k = 0; k < velocities.length; k++)
    kernels.meetJoints(data.tree, table, x.byteOffset, out.byteOffset, velocities[k].from, velocities[k].to)
  kernels.meetRows(table, x.byteOffset, out.byteOffset, terms.count)
}

/**
 * Reads the state and the kinematics of all bodies that are known. Writes the terms, b and F of the right-hand side before the sums over the tree,
 * and y = J v.
 */
export function assembleOwn(products: Products): void {
  const { model: m, system: s, state, bodies, velocities, told } = products
  const { kernels, data: d, table, terms } = s
  const { tree, work, V } = d
  const v = state.v.byteOffset
  linearizeForces(s, state)
  if (d.own.length > 0) checkRows(products)
  weighTerms(s)
  for (let e = 0; e < told.length; e++) for (let k = 6 * told[e]; k < 6 * told[e] + 6; k++) s.y[k] = V[k]
  for (let e = 0; e < bodies.length; e++) {
    const { from, to, velocities: ofThese } = bodies[e]
    for (let k = 6 * from; k < 6 * to; k++) s.y[k] = V[k]
    applyForces(m, d, state, from, to)
    // at once: a user's force may add to other bodies and joints, too
    kernels.rightHandBodies(tree, work, table, from, to)
    for (let n = 0; n < ofThese.length; n++) {
      for (let k = ofThese[n].from; k < ofThese[n].to; k++) d.qf[k] += state.tau[k]
      kernels.rightHandJoints(tree, table, v, v, ofThese[n].from, ofThese[n].to)
    }
  }
  kernels.addRightHandRows(work, table, v, v, terms.count, terms.count)
  if (products.turns) findArms(s)
  for (let e = 0; e < bodies.length; e++) {
    if (products.turns) turnBodies(s, bodies[e].from, bodies[e].to)
    kernels.weighBodies(table, bodies[e].from, bodies[e].to)
  }
  for (let e = 0; e < velocities.length; e++) kernels.weighJoints(table, velocities[e].from, velocities[e].to)
  kernels.weighRows(table, terms.count)
}

/** Reads the terms. Writes the factor's poses, axes, r and IA of each body alone, and no forces. */
export function startOwnFactor({ model, system, factor, bodies, p2 }: Products): void {
  factor.least[0] = Number.POSITIVE_INFINITY
  for (let e = 0; e < bodies.length; e++) {
    const { from, to } = bodies[e]
    startFactorBodies(model, system.data, factor, system.bodies, system.joints, from, to)
    factor.p.fill(0, 6 * from, 6 * to)
    p2.fill(0, 6 * from, 6 * to)
  }
}

/** A row of a user's force that joins what is here with what is not known here would be wrong in silence. */
function checkRows({ model: m, system: { terms, forces }, known, bodies }: Products): void {
  const { start, body } = terms
  const isOwn = (i: number): boolean => bodies.some(({ from, to }) => i >= from && i < to)
  for (let r = 0; r < terms.count; r++) {
    let own = false
    let unknown = false
    for (let e = start[r]; e < start[r + 1]; e++) {
      const i = body[e] < 0 ? m.velocityBody[-1 - body[e]] : body[e]
      const here = isOwn(i)
      own ||= here
      unknown ||= body[e] < 0 ? !here : known[i] === 0
    }
    if (own && unknown) {
      const names = forces.flatMap(({ name, linearize }) => (linearize ? [`'${name}'`] : []))
      throw new RangeError(
        `a force of your own (one of ${names.join(', ')}) joins bodies of different processors by a row of \`linearize\`; make it a spring of the model, or run on one processor`,
      )
    }
  }
}
