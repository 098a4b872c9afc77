/**
 * What the stages of a backward Euler step share: the equations, who solves them, and where the step stands. And its memory: what of a state the
 * first part starts from, and what the last one leaves there.
 */
import { takeJointForces } from '../../../forces/in-joints.js'
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import { type State, shareInputs } from '../../../model/state.js'
import { plainTableRoom, roomFor, takeAll, takeTable } from '../../../model/work-space.js'
import { createImplicitFactor, factorImplicit, factorSize, type ImplicitFactor, solveImplicit } from '../../../tree/implicit-factor.js'
import { jacobianProduct, jacobianTransposeProduct } from '../../../tree/jacobian.js'
import { updatePoses } from '../../../tree/kinematics.js'
import { memoryLayout, memoryViews } from '../../memory-layout.js'
import { createReport, type Options, type StepReport } from '../../solver.js'
import { STEP, TIME } from '../constraints/constraint-work.js'
import { startStep } from '../constraints/find-rows.js'
import {
  constraintMemory,
  createConstraints,
  isSettling,
  PROJECT,
  type StepConstraints,
  saveConstraints,
} from '../constraints/step-constraints.js'
import { createLinear, LINEAR_MEMORY, type Linear, planAhead } from '../matrix/auto.js'
import { KINETIC, POTENTIAL } from './part.kernel.js'
import { createPointSystem, type PointSystem } from './point-system.js'
import { createResidual, measureKinetic, type Residual, residualRoom } from './residual.js'
import { addShapeMomenta, startShapes } from './shape-motion.js'
import { measureTendons } from './tendon-inertia.js'

/** a step is made in up to so many parts, a power of two */
export const PARTS = 256

// relative tolerance of a step that need not be exact, and of the linear solves in it: energy is checked besides, so that it is safe
const ROUGH = 1e-2
// m/s or rad/s: slower is at rest, less than the size of an atom in the age of the universe
const NOTHING = 1e-30
// a velocity that shows so much more energy than the bodies have is projected
const EXCESS = 1e-3

/** Memory of a step in State.s: name, and how many numbers. */
function stepMemory({ nbody, nv, tendons, modes }: Model, constraints: StepConstraints | undefined) {
  return memoryLayout({
    /** 1: the start was refused, and no step is made */
    refused: 1,
    /** rates of every body (`free-motion`), and of every coordinate, (q ⊖ q₀)/h */
    rates: 6 * nbody,
    velocity: nv,
    /** how long the parts of the last step were, in 1/PARTS of it */
    partSize: 1,
    kinetic: 1,
    potential: 1,
    ...constraintMemory(constraints),
    /** what the choice of the linear solver depends on */
    choice: LINEAR_MEMORY,
    /** rates of tendons with armature */
    tendonRates: tendons.armed.length,
    /** forces that hold modes of bodies that deform */
    modeForces: modes.count,
    /** the last change of velocity, 1/s, from which the next is guessed */
    change: nv,
  })
}

const partsOf = (memory: ReturnType<typeof stepMemory>, s: Vec) => memoryViews(memory, s)

export interface BackwardEuler {
  readonly model: Model
  readonly p: PointSystem
  readonly d: Data
  readonly linear: Linear
  readonly constraints: StepConstraints | undefined
  readonly residual: Residual
  readonly factor: ImplicitFactor
  readonly memory: ReturnType<typeof stepMemory>
  /** State.s of the last step, and its parts */
  kept: Vec
  parts: ReturnType<typeof partsOf>
  readonly report: StepReport
  /** where kernels find what is listed here and what is left of the equations (`trial.kernel`) */
  readonly part: number
  /** the correction at hand, as a velocity; length[0]: time for which it is followed, or another time; coordinates before a correction */
  readonly x: Vec
  readonly length: Vec
  readonly q: Vec
  /** rates of bodies and change of velocity at the start of the part; rates in the part on trial, and their kinetic energy */
  readonly rates: Vec
  readonly change: Vec
  readonly trialRates: Vec
  readonly trialKinetic: Vec
  /** energies at the start of the part; work of constraints in it */
  readonly before: Vec
  readonly push: Vec
  /** time and step of the part's constraints; time and step of the whole */
  readonly clock: Vec
  readonly whole: Vec
  /** the last part took few iterations: the next may be twice as long */
  isEasy: boolean
  /** what still overlaps after so many iterations does because bodies are jammed: the same contacts are kept */
  isSettled: boolean
  /** energy is compared strictly: what rolls would gain a little in every step */
  isStrict: boolean
  /** the part at hand is one of many */
  isShort: boolean
  /** the current step uses the last solution found, because its work is spent */
  isBounded: boolean
  /** data and X0 belong to q0 */
  isPlaced: boolean
}

const layout = ({ nbody, nq, nv }: Model) => ({
  ...{ x: nv, length: 1, q: nq, change: nv, before: 2, push: 1 },
  ...{ rates: 6 * nbody, trialRates: 6 * nbody, trialKinetic: 1 },
})

export function createStepRecord(model: Model, options: Options, forces: readonly Force[], work: Vec): BackwardEuler {
  const room = roomFor(layout(model)) + residualRoom(model) + plainTableRoom('Part') + factorSize(model) / 8
  const p = createPointSystem(model, forces, room, work)
  const { system, trial } = p
  const exact = options.scheme === 'newton'
  const tolerance = exact ? Number(options.tolerance) : ROUGH
  const linear = createLinear(system, String(options.linear), tolerance)
  planAhead(linear, system, trial)
  const constraints = createConstraints(system, linear, options.contact === true, PROJECT)
  const factor = createImplicitFactor(model, system.data)
  const memory = stepMemory(model, constraints)
  const kept = new Float64Array(memory.length)
  const residual = createResidual(p, linear, constraints, factor, Math.min(ROUGH, tolerance), exact)
  const taken = takeAll(system.data, layout(model))
  const { z, left, size, rounding, share } = residual
  return {
    ...taken,
    part: takeTable(system.data, 'Part', { ...taken, z, left, size, rounding, share }),
    model,
    p,
    d: system.data,
    linear,
    constraints,
    residual,
    factor,
    memory,
    kept,
    parts: partsOf(memory, kept),
    report: createReport(),
    clock: new Float64Array(2),
    whole: new Float64Array(2),
    isEasy: true,
    isSettled: false,
    isStrict: false,
    isShort: false,
    isBounded: false,
    isPlaced: false,
  }
}

/** Reads the state, and the step whole[STEP]. Writes where the first part starts; poses are still there when the last step ended here. */
export function loadStep(w: BackwardEuler, state: State): void {
  const { d, p, constraints, clock, whole, before } = w
  const { at } = w.memory
  const { s } = state
  const { trial, q0 } = p
  // as long as it is the memory of the same state
  if (w.kept !== s) {
    w.kept = s
    w.parts = partsOf(w.memory, s)
  }
  const { parts } = w
  trial.q.set(state.q)
  trial.v.set(parts.velocity)
  p.system.kernels.compareStart(d.tree, p.table, w.part)
  const moved = !w.isPlaced || w.length[0] === 1
  w.rates.set(parts.rates)
  w.change.set(parts.change)
  if (w.memory.size.tendonRates > 0) p.tendons.rate0.set(parts.tendonRates)
  if (p.shapes) p.shapes.held.set(parts.modeForces)
  before[KINETIC] = s[at.kinetic]
  before[POTENTIAL] = s[at.potential]
  p.trial.tau.set(state.tau)
  if (constraints) constraints.unilateral.tau.set(state.tau)
  shareInputs(p.trial, state)
  if (p.joints) takeJointForces(p.joints, w.model, d, state.control)
  if (moved) {
    q0.set(state.q)
    placeStart(w)
  }
  w.isPlaced = false
  whole[TIME] = state.t
  clock[TIME] = state.t
  clock[STEP] = whole[STEP]
  if (constraints) startStep(constraints, s, at, p.q0, clock)
  w.linear.load(s, at.choice)
}

/** Reads q0, v0. Writes kinematics and X0. */
export function placeStart({ model: m, d, p }: BackwardEuler): void {
  p.trial.q.set(p.q0)
  p.trial.v.set(p.v0)
  updatePoses(m, d, p.q0)
  jacobianProduct(m, d, d.V, p.v0)
  p.X0.set(d.X_WB)
  if (p.shapes) startShapes(p.shapes, d)
  measureTendons(m, d, p.tendons.length0, p.q0)
}

/** Writes the state where the last part ended, whose parts were of this size. */
export function storeStep(w: BackwardEuler, state: State, size: number): void {
  const { p, constraints, before } = w
  const { at } = w.memory
  const { s } = state
  const isStill = rests(p.v0)
  const isSettled = constraints !== undefined && isSettling(constraints, p.v0)
  if (isStill) stayThere(w, state)
  else if (isSettled) layDown(w, constraints)
  state.q.set(p.q0)
  s.set(w.rates, at.rates)
  s.set(p.v0, at.velocity)
  s.set(w.change, at.change)
  if (w.memory.size.tendonRates > 0) s.set(p.tendons.rate0, at.tendonRates)
  if (p.shapes) s.set(p.shapes.held, at.modeForces)
  showVelocity(w, state.v)
  s[at.partSize] = size
  s[at.kinetic] = before[KINETIC]
  s[at.potential] = before[POTENTIAL]
  if (constraints) saveConstraints(constraints, s, at)
  w.linear.save(s, at.choice)
  state.t += w.whole[STEP]
  // the kinematics at hand are those of where the step led
  w.isPlaced = !isStill && !isSettled
}

/** Whether nothing moves. Near zero, numbers as small as you like remain of what has come to rest, and it would never be seen to rest. */
function rests(v: Vec): boolean {
  for (let k = 0; k < v.length; k++) if (!(Math.abs(v[k]) < NOTHING)) return false
  return true
}

/** The step ends at the pose of the state, at rest. */
function stayThere(w: BackwardEuler, state: State): void {
  const { p, rates, change, before } = w
  p.q0.set(state.q)
  p.v0.fill(0)
  rates.fill(0)
  change.fill(0)
  before[KINETIC] = 0
}

/** What has come to rest stays where it is. */
function layDown({ model: m, p, rates, change }: BackwardEuler, { unilateral: u }: StepConstraints): void {
  for (let i = 1; i < m.nbody; i++) {
    if (u.treeOf[i] < 0 || u.contacts.still[i] === 0) continue
    p.v0.fill(0, m.iv[i], m.ivEnd[i])
    change.fill(0, m.iv[i], m.ivEnd[i])
    rates.fill(0, 6 * i, 6 * i + 6)
  }
}

/**
 * v ← the velocity that a step shows: that of the joints, or, where bodies turn so far in a step that it would have more kinetic energy than the
 * rates of the bodies hold, the projection of those on the motions that the joints allow, v = M⁻¹ (Jᵀ P + armature · v₀), P momenta.
 */
function showVelocity(w: BackwardEuler, v: Vec): void {
  const { d, p, before } = w
  const { system, v0, sums } = p
  const { kernels } = system
  v.set(v0)
  if (p.shapes) measureKinetic(system, d.V, v0, sums, 0)
  else kernels.measureStart(d.tree, p.table)
  if (0.5 * sums[0] > (1 + EXCESS) * before[KINETIC]) projectVelocity(w, v)
}

/** v ← that projection. */
function projectVelocity({ model: m, d, p, rates, factor }: BackwardEuler, v: Vec): void {
  const { system, v0, sums } = p
  const { F, b, kernels } = system
  kernels.momentaOf(p.free, F.byteOffset, d.X_WB.byteOffset, rates.byteOffset, sums.byteOffset)
  p.pull.fill(0)
  if (p.shapes) addShapeMomenta(p.shapes, d, rates, v0, F, p.pull)
  jacobianTransposeProduct(m, d, b, F)
  for (let k = 0; k < m.nv; k++) b[k] += m.armature[k] * v0[k] + p.pull[k]
  if (factorImplicit(m, d, factor, undefined, undefined)) solveImplicit(m, factor, v, 0, b, 0)
}
