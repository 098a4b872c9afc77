/**
 * The solver `redmax` with scheme=linear and linear=pcg on a crew of processors. The same motion for any number of them, to the last bit; that of one processor without a crew
 * to the tolerance of the iterations, for sums are in the order of the tree (`passes/redmax`). Where nothing joins bodies across the tree the preconditioner is exact and
 * one iteration does, so that there is no linear=recursive.
 */
import { mayMeet } from '../contact/reach.js'
import type { Vec } from '../math/types.js'
import type { Force } from '../model/force.js'
import { ACTUATOR_JOINT, type Model } from '../model/model.js'
import type { State } from '../model/state.js'
import { findOverflow } from '../solvers/redmax/linearised/linearised-record.js'
import { linearisedMemory } from '../solvers/redmax/linearised/stepper.js'
import { redmax } from '../solvers/redmax/redmax.js'
import { createReport, type Options, resetReport, type Solver, type Stepper, type StepReport } from '../solvers/solver.js'
import { type Crew, forcesOn, sendOptions, uncutUnits } from './crew.js'
import { isLinkError } from './link.js'
import { ranksOf } from './passes/halo.js'
import { tendonBodies } from './passes/local.js'
import { END, WHAT } from './passes/orders.js'
import { BEGIN, createRedmaxProcessor, FACTOR, FINISH, PRODUCT, READ, type RedmaxProcessor, STEP, UPDATE, WHEN } from './passes/redmax.js'
import type { Units } from './passes/units.js'

/** Why the model cannot be divided like this; null if it can. */
export function undividedRedmax(m: Model, units: Units): string | null {
  const found: string[] = []
  const say = (what: string, names: readonly string[]): void => {
    if (names.length > 0) found.push(`${what} (${names.slice(0, 3).join(', ')}${names.length > 3 ? `, and ${names.length - 3} more` : ''})`)
  }
  const joints = (has: (k: number) => boolean): string[] =>
    m.joints.filter(({ iv, nv }) => Array.from({ length: nv }, (_, e) => iv + e).some(has)).map(({ name }) => name)
  const rank = ranksOf(units, m.nbody)
  const apart = (k: number): boolean => new Set(tendonBodies(m, k).map((i) => rank[i])).size > 1
  const { tendons, actuators } = m
  const motors = Array.from(actuators.names.keys())

  say(
    'bodies that deform',
    Array.from(m.modes.bodies, (i) => m.bodies[i].name),
  )
  say('activations of actuators', m.actuators.names.slice(0, m.na))
  say(
    'constraints',
    m.constraints.names.filter((_, k) => m.constraints.active[k] === 1),
  )
  say(
    'joint limits',
    joints((k) => Number.isFinite(m.limits[2 * k]) || Number.isFinite(m.limits[2 * k + 1])),
  )
  say(
    'dry friction of joints',
    joints((k) => m.friction[k] > 0),
  )
  say(
    'tendons with armature',
    Array.from(tendons.armed, (k) => tendons.names[k]),
  )
  say(
    'tendons over bodies of different processors',
    tendons.names.filter((_, k) => apart(k)),
  )
  if (actuators.dofRange.some((x) => Number.isFinite(x)))
    say(
      'motors that pull at bodies through joints with a force range',
      motors.filter((k) => actuators.kind[k] !== ACTUATOR_JOINT).map((k) => actuators.names[k]),
    )
  if (found.length === 0) return null
  return `several processors do not divide ${found.join(', ')}; take them out of the model, or run redmax on one processor`
}

/** `createSimulation(model, { solver: parallelRedmax(crew) })`. One simulation at a time; `close` of it ends the crew. */
export function parallelRedmax(crew: Crew): Solver {
  let busy = false
  let units: Units | undefined
  const unitsOf = (): Units => (units ??= uncutUnits(crew.model, crew.link, crew.costs))
  const { scheme, linear, guess, tolerance, contact } = redmax.options
  return {
    ...redmax,
    // processors begin to work, or are busy, when a simulation is created
    check: undefined,
    description: `${redmax.description}, by ${crew.link.processors} processors`,
    options: {
      scheme: { ...scheme, default: 'linear', choices: ['linear'] },
      linear: { ...linear, default: 'pcg', choices: ['pcg'] },
      guess: { ...guess, choices: ['velocity'] },
      contact: { ...contact, description: 'of several processors: only false where shapes may touch' },
      tolerance,
    },
    holds: ['constraints', 'limits', 'friction', 'contact'],
    order: () => 1,
    refuses: (model) =>
      model === crew.model
        ? undividedRedmax(model, unitsOf())
        : `these processors work on model '${crew.model.name}'; start others for this one`,
    create(model, options, given = []) {
      const forces = forcesOn(crew, given)
      checkAsked(model, options, forces)
      if (busy) throw new RangeError('these processors work on a simulation already; close it, or start others')
      busy = true
      sendOptions(crew.link, 'redmax')
      const processor = createRedmaxProcessor(model, unitsOf(), crew.link, forces)
      const complete = (): void => {
        processor.begin()
        processor.run()
      }
      return redmaxStepper(model, processor, complete, Number(options.tolerance), (lost) => {
        if (!lost) sendOptions(crew.link, undefined)
        busy = false
        crew.close()
      })
    },
  }
}

function checkAsked(model: Model, options: Options, forces: readonly Force[]): void {
  if (options.contact === true && mayMeet(model))
    throw new RangeError(
      `contact of solver redmax on several processors: shapes of '${model.name}' may touch; set contact=false to let them pass through each other, or run it on one processor`,
    )
  const free = forces.find((force) => force.jacobianProduct)
  if (free)
    throw new RangeError(
      `force '${free.name}' gives its Jacobian as a product, which solver redmax on several processors has no place for; give \`linearize\`, or run it on one processor`,
    )
}

// less cannot be divided by
const TINY = 1e-300

/** `processor` is that of number 0; `complete` carries out its order, and those of the others where they run in the same thread. */
export function redmaxStepper(
  model: Model,
  processor: RedmaxProcessor,
  complete: () => void,
  tolerance: number,
  close: (lost: boolean) => void,
): Stepper {
  const { state: own, order, products } = processor
  const { nv } = model
  const report = createReport()
  const memory = linearisedMemory(model, undefined, 0)
  const most = Math.max(1000, 2 * nv)
  let start = 0
  let lost = ''
  // whether the others have the joint forces, controls and state of processor 0
  let told = false

  const give = (what: number): void => {
    order[WHAT] = what
    complete()
  }

  /** What was written from outside, or not taken over at the last step, goes to all. */
  const handOut = ({ q, v, tau, control }: State): void => {
    if (told && same(own.q, q) && same(own.v, v) && same(own.tau, tau) && same(own.control, control)) return
    own.q.set(q)
    own.v.set(v)
    own.tau.set(tau)
    own.control.set(control)
    told = true
    give(READ)
  }

  const advance = (state: State, h: number): void => {
    handOut(state)
    order[STEP] = h
    order[WHEN] = state.t
    give(BEGIN)
    report.evaluations = products.system.data.evaluations - start
    const found = iterate(processor, give, report, tolerance, most)
    if (found === NONE) {
      report.status = 'not-converged'
      return
    }
    order[FACTOR] = found === ZERO ? 0 : 1
    give(FINISH)
    findOverflow(model, own.q, own.v, report)
    if (report.status !== 'ok') return
    state.q.set(own.q)
    state.v.set(own.v)
    state.t += h
  }

  return {
    ns: memory.length,
    report,
    init(state) {
      state.s = new Float64Array(memory.length)
      start = products.system.data.evaluations
      told = false
      resetReport(report)
    },
    enter: () => undefined,
    step(state, h) {
      report.h = h
      report.joint = -1
      report.message = lost
      report.status = lost !== '' ? 'lost' : h > 0 && h < Number.POSITIVE_INFINITY ? 'ok' : 'bad-step'
      if (report.status !== 'ok') return report
      try {
        advance(state, h)
      } catch (error) {
        if (!isLinkError(error)) throw error
        lost = error.message
        report.status = 'lost'
        report.message = lost
      }
      if (report.status === 'ok') report.steps++
      else report.rejected++
      return report
    },
    close() {
      if (lost === '') give(END)
      close(lost !== '')
    },
  }
}

// what iterations lead to: no solution, zero, or one that processors have
const NONE = 0
const ZERO = 1
const FOUND = 2

/** Conjugate gradients as of `linalg/iterative/pcg`, by the sums of BEGIN. */
function iterate(
  { order, sum, reference }: RedmaxProcessor,
  give: (what: number) => void,
  report: StepReport,
  tolerance: number,
  most: number,
): number {
  const bz = reference[0]
  let rz = sum[0]
  if (!(bz >= 0 && bz < Number.POSITIVE_INFINITY)) return NONE
  if (bz === 0) return ZERO
  order[FACTOR] = 0
  for (let iterations = 0; ; iterations++) {
    if (!(rz >= 0 && rz < Number.POSITIVE_INFINITY)) return NONE
    if (Math.sqrt(rz) / Math.sqrt(bz) <= tolerance && (iterations > 0 || rz < TINY)) return FOUND
    if (iterations >= most) return NONE
    // β stands in the order; then α = rᵀ z / pᵀ A p
    give(PRODUCT)
    if (!(sum[0] > 0 && sum[0] < Number.POSITIVE_INFINITY)) return NONE
    order[FACTOR] = rz / sum[0]
    give(UPDATE)
    order[FACTOR] = sum[0] / rz
    rz = sum[0]
    report.iterations++
  }
}

function same(a: Vec, b: Vec): boolean {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false
  return true
}
