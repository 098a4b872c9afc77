/**
 * The equations of a step that takes velocity products implicitly: backward Euler in the space of points.
 *
 * Unknown is the configuration q at the end of the step. T(q) are the transforms of the bodies, T₀ those at the start, Y where they would
 * be without forces (`free-motion`). With Mt = ∫ρ (x;1)(x;1)ᵀ the step is the root of
 *   R(q) = Jᵀ (T − Y) Mt / h² − Q(q, (q ⊖ q₀)/h)
 * which is the gradient of ½|T − Y|²/h² + U where all forces have an energy. There is no velocity product in it.
 * Newton's matrix is A/h² of thesis eq. 2.13 at q, with one more term: what turning a body costs because its subtree pulls at it. With
 *   W = (W3 | w)   the gradient of a body's transform in body axes,  Wt = W3 + Σ_children (R wt) pᵀ  over the subtree
 * that is K = sym(Wt) − tr(Wt) 1, positive for a link under tension. Its positive part is kept, as a stiffness of that body.
 * Without it a taut chain needs steps below the period of its transversal waves.
 * Bodies that deform have more points to them than a transform says (`shape-motion`).
 */

import { addSumRows } from '../../../forces/actuators.js'
import { createJointForces, jointForcesRoom } from '../../../forces/in-joints.js'
import type { Table } from '../../../kernels/tables.js'
import { ROUNDS } from '../../../linalg/dense/clip-symmetric3.kernel.js'
import type { Vec } from '../../../math/types.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import type { State } from '../../../model/state.js'
import { plainTableRoom, roomFor, stateLengths, takeAll, takeState, takeTable } from '../../../model/work-space.js'
import { jacobianProduct, jacobianTransposeProduct } from '../../../tree/jacobian.js'
import { updatePoses } from '../../../tree/kinematics.js'
import { createMoments, MOMENTS } from '../../../tree/point-moments.js'
import { addPulls } from '../constraints/row-forces.js'
import type { StepConstraints } from '../constraints/step-constraints.js'
import { createSystem, linearizeForces, type System, weighTerms } from '../matrix/system.js'
import { addEvaluation } from '../work.js'
import { createFreeMotion } from './free-motion.js'
import { ENERGIES, INERTIAL, KINETIC, POTENTIAL, RESIDUAL } from './part.kernel.js'
import { addShapeKinetic, createShapeMotion, pullShapes, type ShapeMotion, updateMoments } from './shape-motion.js'
import { createTendonInertia, pullTendons, startTendons, type TendonInertia } from './tendon-inertia.js'

export interface PointSystem {
  /** A at the configuration on trial, and b = −h R(q) */
  readonly system: System
  /** the configuration on trial: q, v = (q ⊖ q₀)/h, time and control of the end of the step */
  readonly trial: State
  /** coordinates, velocity and poses at the start of the step */
  readonly q0: Vec
  readonly v0: Vec
  readonly X0: Vec
  readonly Y: Vec
  readonly W: Vec
  readonly moments: Vec
  /** share of its weight that each body feels: all of it, since compensation is a force of its own */
  readonly whole: Vec
  /** 1/h², and the energies of inertia and weight */
  readonly scale: Vec
  readonly sums: Vec
  /** where kernels find what `free-motion` needs, and what the stages of `trial.kernel` do */
  readonly free: number
  readonly table: number
  /** curvature of each body (6 each) */
  readonly K: Vec
  /** gradient of inertia and weight along modes (nv) */
  readonly pull: Vec
  /** bodies that deform; absent where there are none */
  readonly shapes: ShapeMotion | undefined
  /** armatures of tendons */
  readonly tendons: TendonInertia
  /** forces without an energy, and those with one; 1: one of the former acts on bodies, not on joints alone */
  readonly pushing: readonly Force[]
  readonly holding: readonly Force[]
  readonly pushed: number
  /** all of these, where they act in the joints alone and nothing deforms: they are then evaluated with the rest (`trial.kernel`) */
  readonly joints: Table | undefined
  /** energies of the step, and the sum of its residual: places are those of `part.kernel` */
  readonly E: Vec
}

const layout = ({ nbody, nq, nv }: Model) => ({
  ...{ q0: nq, v0: nv, X0: 12 * nbody, Y: 12 * nbody, W: 12 * nbody, K: 6 * nbody, pull: nv },
  ...{ moments: MOMENTS * nbody, whole: nbody, scale: 1, sums: 2, E: ENERGIES },
})

/** Columns of the table of `free-motion`, of which two whole numbers take the room of one number. */
const freeLayout = ({ nbody: n }: Model) => ({
  ...{ first: Math.ceil(n / 2), parent: Math.ceil(n / 2), turns: Math.ceil(n / 2) },
  ...{ mass: n, center: 3 * n, inertia: 6 * n, point: 3 * n },
})

/** `numbers` and `work` as of `createSystem`. */
export function createPointSystem(model: Model, forces: readonly Force[] = [], numbers = 0, work?: Vec): PointSystem {
  const tables = roomFor(freeLayout(model)) + plainTableRoom('FreeBodies') + plainTableRoom('Trial')
  const room = roomFor(layout(model)) + roomFor(stateLengths(model)) + jointForcesRoom(model) + tables
  const system = createSystem(model, forces, numbers + room, work)
  const { data } = system
  updatePoses(model, data, model.q0)
  const taken = takeAll(data, layout(model))
  taken.moments.set(createMoments(model))
  taken.whole.fill(1)
  const trial = takeState(data, model)
  const { q, v, tau } = trial
  const { step, F, b, y, forces: all, terms } = system
  const { jointStiffness, jointDamping, bodyDamping } = terms
  const { X_WB, V, f, qf } = data
  const pushing = all.filter((force) => force.energy === undefined)
  return {
    ...taken,
    system,
    trial,
    table: takeTable(data, 'Trial', {
      ...taken,
      ...{ nq: model.nq, step, q, v, tau, X_WB, V, f, qf, F, b, y, jointStiffness, jointDamping, bodyDamping },
    }),
    free: takeTable(data, 'FreeBodies', { ...createFreeMotion(model, data) }),
    shapes: model.modes.count > 0 ? createShapeMotion(model, data) : undefined,
    tendons: createTendonInertia(model),
    pushing,
    // of what is inertial all is done where inertia is
    holding: all.filter((force) => force.energy !== undefined && !force.inertial),
    pushed: pushing.some((force) => !force.jointsOnly) ? 1 : 0,
    joints: model.modes.count + model.tendons.armed.length > 0 ? undefined : createJointForces(model, data, all),
  }
}

/** Reads trial.q. Writes the kinematics and forces of data, W, the energies and system.b. */
export function evaluate(p: PointSystem): void {
  const { system: s, shapes, joints } = p
  const { model: m, data: d, kernels } = s
  addEvaluation(s.work, m)
  d.evaluations++
  if (joints) return kernels.evaluateTrial(d.tree, d.work, d.poses, p.table, joints.start, d.tables.actuators.start, d.tables.sums.start)
  if (shapes) placeShapes(p, shapes)
  else kernels.placeTrial(d.tree, d.work, d.poses, p.table)
  applyAll(p)
  if (m.tendons.armed.length > 0) pullTendons(m, d, p.tendons, p.trial.q, s.step, p.E, KINETIC, INERTIAL)
  if (shapes) finishShapes(p)
  else kernels.finishTrial(d.tree, d.poses, p.table)
}

/** The same of the guess of `guessTrial`, where forces act in the joints alone; `part`: the table of that. */
export function evaluateGuess({ system: s, table, free }: PointSystem, joints: Table, part: number): void {
  const { data: d } = s
  const { actuators, sums } = d.tables
  addEvaluation(s.work, s.model)
  d.evaluations++
  s.kernels.evaluateGuess(d.tree, d.work, d.poses, table, free, part, joints.start, actuators.start, sums.start)
}

/** The same of where the correction at hand leads, as `moveTrial` has it. */
export function evaluateMove({ system: s, table }: PointSystem, joints: Table, part: number): void {
  const { data: d } = s
  const { actuators, sums } = d.tables
  addEvaluation(s.work, s.model)
  d.evaluations++
  s.kernels.evaluateMove(d.tree, d.work, d.poses, table, part, joints.start, actuators.start, sums.start)
}

/** `placeTrial` where bodies deform. */
function placeShapes(p: PointSystem, shapes: ShapeMotion): void {
  const { system: s, trial, W, E } = p
  const { model: m, data: d, kernels } = s
  kernels.rateBetween(d.tree, trial.v.byteOffset, p.q0.byteOffset, trial.q.byteOffset, s.step.byteOffset)
  updatePoses(m, d, trial.q)
  jacobianProduct(m, d, d.V, trial.v)
  updateMoments(shapes, d, p.moments)
  kernels.startForces(d.tree, p.table, p.Y.byteOffset)
  p.pull.fill(0)
  pullShapes(shapes, d, trial.q, p.Y, p.scale, W, p.pull, E, INERTIAL)
}

/** `finishTrial` where bodies deform. */
function finishShapes({ system: s, trial, W, E, pull, v0 }: PointSystem): void {
  const { model: m, data: d, kernels, F, b, step } = s
  kernels.pullWrenches(m.nbody, d.f.byteOffset, W.byteOffset, F.byteOffset)
  jacobianTransposeProduct(m, d, b, F)
  for (let k = 0; k < m.nv; k++) b[k] += pull[k]
  const { byteOffset: v } = trial.v
  kernels.finishResidual(d.tree, b.byteOffset, E.byteOffset, d.qf.byteOffset, trial.tau.byteOffset, v, v0.byteOffset, step.byteOffset)
}

/** Reads the kinematics of data and v0, at the start of a run, and the rates of bodies then. Writes the energies, and rates of tendons. */
export function startEnergies(p: PointSystem, rates: Vec): void {
  const { system: s, v0, E } = p
  const { model: m, data: d } = s
  // any step: gravity's potential does not depend on it
  s.step[0] = 1
  if (p.shapes) updateMoments(p.shapes, d, p.moments)
  s.kernels.startForces(d.tree, p.table, d.X_WB.byteOffset)
  s.kernels.momentaOf(p.free, s.F.byteOffset, d.X_WB.byteOffset, rates.byteOffset, E.byteOffset + 8 * KINETIC)
  s.kernels.addArmatureEnergy(d.tree, E.byteOffset, v0.byteOffset)
  if (p.shapes) addShapeKinetic(p.shapes, d, rates, v0, E, KINETIC)
  startTendons(m, d, p.tendons, v0, E, KINETIC)
  addPotential(p)
}

/** E[POTENTIAL] += that of every force but gravity, which comes with inertia. */
function addPotential(p: PointSystem): void {
  const { holding } = p
  for (let k = 0; k < holding.length; k++) addEnergyOf(p, holding[k])
}

function addEnergyOf({ system: s, trial, E }: PointSystem, force: Force): void {
  if (force.addEnergy) force.addEnergy(s.model, s.data, trial, E, POTENTIAL)
  else if (force.energy) E[POTENTIAL] += force.energy(s.model, s.data, trial)
}

/** Forces without an energy first, so that their work is known by itself. The others add theirs to E[POTENTIAL]. */
function applyAll(p: PointSystem): void {
  const { system: s, trial, E, pushing, holding } = p
  const { model: m, data: d } = s
  for (let k = 0; k < pushing.length; k++) pushing[k].apply(m, d, trial)
  s.kernels.measurePower(d.tree, p.table, p.pushed)
  for (let k = 0; k < holding.length; k++) {
    const force = holding[k]
    if (force.applyWithEnergy) {
      force.applyWithEnergy(m, d, trial, E, POTENTIAL)
      continue
    }
    force.apply(m, d, trial)
    addEnergyOf(p, force)
  }
}

/** Whether the energies and the residual of the last evaluation are numbers. */
export function isFiniteResidual({ E }: PointSystem): boolean {
  return Math.abs(E[POTENTIAL] + E[INERTIAL] + E[RESIDUAL]) < Number.POSITIVE_INFINITY
}

/** First joint, or modes of a body, whose forces or residual are no numbers, −1 where there is none. */
export function brokenJoint({ system: { model: m, data: d, b } }: PointSystem): number {
  for (let j = 0; j < m.joints.length; j++) {
    const { iv, nv } = m.joints[j]
    for (let k = iv; k < iv + nv; k++) if (!Number.isFinite(d.qf[k]) || !Number.isFinite(b[k])) return j
  }
  return -1
}

/** Writes the matrix at the configuration evaluated last; constraints may pull at the bodies too. W is spoilt. */
export function linearizePoints(p: PointSystem, constraints: StepConstraints | undefined): void {
  const { model: m, data: d, armed } = p.system
  if (!p.joints) linearizeForces(p.system, p.trial)
  // the forces themselves are in w
  for (let k = 0; k < armed.length; k++) armed[k].addArms?.(m, d, p.trial, p.W, 'moments')
  if (constraints && constraints.equalities.rows.count > 0) addPulls(constraints, p.W)
  if (p.joints) linearizeJoints(p, p.joints)
  else addCurvature(p)
  weighTerms(p.system)
}

/** All terms, where forces act in the joints alone. */
function linearizeJoints({ system: s, table }: PointSystem, joints: Table): void {
  const { model: m, data: d, terms, kernels } = s
  const { actuators, sums } = d.tables
  kernels.linearizeTrial(d.tree, d.poses, table, joints.start, actuators.start, sums.start, ROUNDS)
  terms.count = 0
  addSumRows(m, d, terms)
  s.inertial = terms.count
}

/** Adds the positive part of each body's own curvature to the terms: as the damping that does the same, h D = h² K. W becomes Wt. */
function addCurvature({ system: s, W, K }: PointSystem): void {
  const { data: d, kernels, step, terms } = s
  const { byteOffset: damping } = terms.bodyDamping
  kernels.addTurning(d.tree, d.poses, W.byteOffset, K.byteOffset, damping, step.byteOffset, ROUNDS)
}
