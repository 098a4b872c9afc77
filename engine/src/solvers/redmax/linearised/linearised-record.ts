/**
 * What the linearised schemes share: the system of eq. 2.13, who solves it, the constrained solve, and the move to its end.
 */
import { integrate } from '../../../joints/index.js'
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import { createState, type State } from '../../../model/state.js'
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
  /** solution, and what it was before constraints; displacement; coordinates on trial */
  readonly x: Vec
  readonly free: Vec
  readonly move: Vec
  readonly q: Vec
}

// up to so many unknowns are solved to rounding at no cost, so that a run does not depend on which solver `auto` takes
const SMALL = 32
const ROUNDING = 1e-10
// rad, m, or a second of them: past this a motion has no digits left, and the next step would only overflow
const LARGEST = 1e12

/** Gaps of scheme linear close at a rate, as the authors run it; else loops are projected shut. */
export function createLinearised(model: Model, options: Options, forces: readonly Force[], work: Vec): Linearised {
  const { nv } = model
  const system = createSystem(model, forces, 0, work)
  const { data } = system
  const isSmall = options.linear === 'auto' && nv <= SMALL
  const tolerance = isSmall ? Math.min(ROUNDING, Number(options.tolerance)) : Number(options.tolerance)
  const linear = createLinear(system, String(options.linear), tolerance)
  planAhead(linear, system, createState(model))
  const rate = options.scheme === 'linear' ? Number(options.stabilization) : PROJECT
  return {
    model,
    data,
    system,
    linear,
    constraints: createConstraints(system, linear, options.contact === true, rate),
    report: createReport(),
    clock: new Float64Array(2),
    span: new Float64Array(1),
    x: new Float64Array(nv),
    free: new Float64Array(nv),
    move: new Float64Array(nv),
    q: new Float64Array(model.nq),
  }
}

/**
 * x ← the constrained solution of the system as assembled at the state p, `free` ← that before constraints; false, with the report, where it
 * failed. `ahead` as of `findLinearised`.
 */
export function solveConstrained(l: Linearised, p: State, x: Vec, ahead: boolean): boolean {
  const { model, system, linear, constraints, report, clock, free } = l
  if (constraints) findLinearised(constraints, p.q, p.v, clock, ahead)
  if (linear.prepare() && linear.solve(x, system.b)) {
    report.iterations += linear.iterations
    free.set(x)
    if (!constraints || constrainVelocity(constraints, x, undefined, p.v, clock)) return true
  }
  report.status = 'not-converged'
  report.message = constraints?.trouble || (linear.trouble ? explainMatrix(model, linear.trouble) : '')
  return false
}

/** Displaces the state by `move` onto its loops, with the velocity v at the end of span[0]; false, with the report, where that leads nowhere. */
export function moveState(l: Linearised, state: State, v: Vec, move: Vec): boolean {
  const { model, constraints, report, clock, span, q } = l
  q.set(state.q)
  integrate(model, q, move, 1)
  clock[TIME] = state.t + span[0]
  if (constraints) {
    projectPose(constraints, q, clock)
    if (constraints.trouble !== '') {
      report.status = 'not-converged'
      report.message = constraints.trouble
    }
  }
  findOverflow(model, q, v, report)
  if (report.status !== 'ok') return false
  state.q.set(q)
  state.v.set(v)
  state.t += span[0]
  return true
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
