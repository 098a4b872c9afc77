/**
 * What the linearised schemes share: the system of eq. 2.13, who solves it, the constrained solve, and the move to its end.
 */
import { NEWTON } from '../../../contact/solve/problem.js'
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import { createState, type State } from '../../../model/state.js'
import { roomFor, takeAll } from '../../../model/work-space.js'
import { createReport, type Options, type StepReport } from '../../solver.js'
import { TIME } from '../constraints/constraint-work.js'
import { explainMatrix } from '../constraints/explain-stop.js'
import { findLinearised } from '../constraints/find-rows.js'
import { constrainVelocity } from '../constraints/solve-forces.js'
import { createConstraints, PROJECT, projectPose, type StepConstraints } from '../constraints/step-constraints.js'
import { createLinear, type Linear, planAhead } from '../matrix/auto.js'
import { createSystem, type System } from '../matrix/system.js'

export interface Linearised {
  readonly model: Model
  readonly data: Data
  readonly system: System
  readonly linear: Linear
  readonly constraints: StepConstraints | undefined
  readonly report: StepReport
  /** time and step of the rows; span[0]: of the step. In arrays: numbers that are handed over are boxed */
  readonly clock: Vec
  readonly span: Vec
  /** solution, and what it was before constraints; coordinates on trial */
  readonly x: Vec
  readonly free: Vec
  readonly q: Vec
  /** unit[0]: 1, a displacement's share */
  readonly unit: Vec
  /** whether numbers are below the bound that comes second */
  readonly below: Vec
}

const layout = ({ nq, nv }: Model) => ({ span: 1, x: nv, free: nv, q: nq, unit: 1, below: 2 })

// up to so many unknowns are solved to rounding at no cost, so that a run does not depend on which solver `auto` takes
const SMALL = 32
const ROUNDING = 1e-10
// rad, m, or a second of them: past this a motion has no digits left, and the next step would only overflow
const LARGEST = 1e12

/** Gaps of scheme linear close at a rate, as the authors run it; else loops are projected shut. `numbers` and `work` as of `createSystem`. */
export function createLinearised(model: Model, options: Options, forces: readonly Force[], work: Vec, numbers: number): Linearised {
  const { nv } = model
  const system = createSystem(model, forces, numbers + roomFor(layout(model)), work)
  const { data } = system
  const taken = takeAll(data, layout(model))
  taken.unit[0] = 1
  const isSmall = options.linear === 'auto' && nv <= SMALL
  const tolerance = isSmall ? Math.min(ROUNDING, Number(options.tolerance)) : Number(options.tolerance)
  const linear = createLinear(system, String(options.linear), tolerance)
  planAhead(linear, system, createState(model))
  const rate = options.scheme === 'linear' ? Number(options.stabilization) : PROJECT
  return {
    ...taken,
    model,
    data,
    system,
    linear,
    constraints: createConstraints(system, linear, options.contact === true, rate),
    report: createReport(),
    clock: new Float64Array(2),
  }
}

/**
 * x, which holds a guess, ← the constrained solution of the system as assembled at the state p; false, with the report, where it failed. `ahead` as of
 * `findLinearised`; without, `free` ← the solution before constraints.
 */
export function solveConstrained(l: Linearised, p: State, x: Vec, ahead: boolean): boolean {
  const { model, system, linear, constraints, report, clock, free } = l
  if (constraints) findLinearised(constraints, p.q, p.v, clock, ahead)
  const isConvex = ahead && constraints?.isConvex === true
  if (isConvex || (linear.prepare() && linear.solve(x, system.b))) {
    if (!ahead) free.set(x)
    // before constraints ask for solutions of their own
    if (!isConvex) report.iterations += linear.iterations
    const solved = !constraints || constrainVelocity(constraints, x, undefined, p.v, clock)
    if (isConvex) report.iterations += constraints.convex.problem.counts[NEWTON]
    if (solved) return true
  }
  report.status = 'not-converged'
  report.message = constraints?.trouble || (linear.trouble ? explainMatrix(model, linear.trouble) : '')
  return false
}

/**
 * Displaces the state by share[0] · move onto its loops, with the velocity v at the end of span[0]; false, with the report, where that leads
 * nowhere. All are in the memory of the data.
 */
export function moveState(l: Linearised, state: State, v: Vec, move: Vec, share: Vec): boolean {
  const { model, data, system, constraints, report, clock, span, q } = l
  q.set(state.q)
  system.kernels.moveAlong(data.tree, q.byteOffset, move.byteOffset, share.byteOffset)
  clock[TIME] = state.t + span[0]
  if (constraints) {
    projectPose(constraints, q, clock)
    if (constraints.trouble !== '') {
      report.status = 'not-converged'
      report.message = constraints.trouble
    }
  }
  if (!areBelow(l, q, v, LARGEST)) findOverflow(model, q, v, report)
  if (report.status !== 'ok') return false
  state.q.set(q)
  state.v.set(v)
  state.t += span[0]
  return true
}

export const areFinite = (l: Linearised, q: Vec, v: Vec): boolean => areBelow(l, q, v, Number.POSITIVE_INFINITY)

/** Whether all of q and v, in the memory of the data, are numbers of less than `most`. */
function areBelow({ data, system, below }: Linearised, q: Vec, v: Vec, most: number): boolean {
  below[1] = most
  system.kernels.areBelow(data.tree, q.length, below.byteOffset, q.byteOffset, v.byteOffset)
  return below[0] === 1
}

/** Sets the status where a coordinate or a velocity is not finite. */
export function findOverflow(m: Model, q: Vec, v: Vec, report: StepReport): void {
  for (let j = 0; j < m.joints.length; j++) {
    const { iq, nq, iv, nv } = m.joints[j]
    let good = true
    for (let k = iv; k < iv + nv; k++) good &&= Math.abs(v[k]) < LARGEST
    for (let k = iq; k < iq + nq; k++) good &&= Math.abs(q[k]) < LARGEST
    if (good) continue
    report.status = 'diverged'
    report.joint = j
    return
  }
}
