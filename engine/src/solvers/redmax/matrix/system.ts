/**
 * The linear system of one step ([Baxter] eq. 2.13):
 *
 *   A v⁺ = b,   A = Jᵀ (I + h D − h² K) J + armature + h Dr − h² Kr
 *   b = M v + h (Q(q, v) + D v)
 * with Q all forces at the present state, velocity products and gravity included; D v takes back the dampers, which A holds in full.
 * A is never formed: products and the preconditioner are recursions over the tree. Modes of bodies that deform are velocities as others are
 * (`system-modes`).
 */
import { atStart, planeOf } from '../../../elimination/coupled-tree.js'
import { applyForces } from '../../../forces/dynamics.js'
import { forcesOf } from '../../../forces/index.js'
import { addRow, linearizeAll, rate, rowRate } from '../../../forces/stiff-rows.js'
import { tendonBias } from '../../../forces/tendon-armature.js'
import { addTendonForce, addTendonRow } from '../../../forces/tendons.js'
import { kernelsIn } from '../../../kernels/instance.js'
import type { Vec } from '../../../math/types.js'
import { createData, type Data, deliver, given, placeFor, takeNumbers } from '../../../model/data.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import type { State } from '../../../model/state.js'
import { createStiffTerms, type StiffTerms, stiffLengths } from '../../../model/stiff-terms.js'
import { plainTableRoom, roomFor, takeAll, takeTable } from '../../../model/work-space.js'
import { type RedmaxKernels, redmaxModule } from '../../../printed/redmax.js'
import { jacobianProduct, sumForces } from '../../../tree/jacobian.js'
import { forwardKinematics } from '../../../tree/kinematics.js'
import { addEvaluation, addProduct, createWork } from '../work.js'
import { addShapeStiffness, meetShapes, pushShapes, weighModes } from './system-modes.js'

export interface System {
  readonly model: Model
  readonly data: Data
  /** kernels in the memory of data, and where the table of the terms is */
  readonly kernels: RedmaxKernels
  readonly table: number
  /** step[0]: step of the matrix, h of the scheme times its implicit share. In an array: a field of a record may box it whenever it is set */
  readonly step: Vec
  /** all that act: the model's and the user's own */
  readonly forces: readonly Force[]
  /** those of them that have terms, and those whose arms count */
  readonly stiff: readonly Force[]
  readonly armed: readonly Force[]
  readonly terms: StiffTerms
  /** rows from here on are armatures of tendons: what stands for damping there is inertia */
  inertial: number
  /** rows from here on are kept exactly, with forces of their own: loops (`loops`) */
  rigid: number
  /** weight h² k + h d of each row */
  readonly weight: Vec
  /** h Dr − h² Kr, and h D with the rows' own blocks (21 a body): what `tree/implicit-factor` adds */
  readonly joints: Vec
  readonly bodies: Vec
  /** h D + h² K over the modes of each body that deforms */
  readonly modes: Vec
  readonly b: Vec
  /** scratch: a motion and a force a body */
  readonly y: Vec
  readonly F: Vec
  readonly wrench: Vec
  /** scratch: forces of a body with their arms (12 a body) */
  readonly arms: Vec
  /** forces that give their Jacobian as a product, the state they are taken at, and what they are handed */
  readonly free: readonly Force[]
  at: State | undefined
  readonly motion: { V: Vec; v: Vec }
  readonly product: { f: Vec; qf: Vec }
  /** h and h² as such forces are handed them. Numbers in an array with something else in it stay boxed: only a new step boxes them anew */
  readonly handed: [null, number, number]
  /** of the step at hand (`work`) */
  readonly work: Vec
}

/** beyond all rows */
const NO_ROW = 2 ** 30

const layout = ({ nbody, nv, modes: { block, bodies } }: Model, rows: number) => ({
  ...{ step: 1, weight: rows, joints: nv, bodies: 21 * nbody, b: nv, modes: block[bodies.length] },
  ...{ y: 6 * nbody, F: 6 * nbody, wrench: 6, arms: 12 * nbody },
})

/** `numbers`: how many more there is to be room for in the memory of its data (`takeNumbers`). */
export function createSystem(model: Model, own: readonly Force[] = [], numbers = 0, work = createWork(model, 0)): System {
  const lengths = stiffLengths(model, own)
  const arrays = layout(model, lengths.stiffness)
  const data = createData(model, { forces: own, numbers: numbers + roomFor(lengths) + roomFor(arrays) + plainTableRoom('Terms') })
  const forces = forcesOf(model, data)
  const terms = createStiffTerms(model, own, stillAxis(model), (n) => takeNumbers(data, n))
  const taken = takeAll(data, arrays)
  const { jointStiffness, jointDamping, bodyDamping, start, body, J, damping } = terms
  return {
    ...taken,
    model,
    data,
    kernels: kernelsIn<RedmaxKernels>(redmaxModule, data.block),
    table: takeTable(data, 'Terms', { ...taken, jointStiffness, jointDamping, bodyDamping, start, body, J, damping, qf: data.qf }),
    forces,
    stiff: forces.filter((force) => force.linearize),
    armed: forces.filter((force) => force.addArms),
    terms,
    inertial: 0,
    rigid: NO_ROW,
    free: forces.filter((force) => force.jacobianProduct),
    at: undefined,
    motion: { V: new Float64Array(0), v: new Float64Array(0) },
    product: { f: new Float64Array(0), qf: new Float64Array(0) },
    handed: [null, 0, 0],
    work,
  }
}

/** Numbers to ask `createSystem` for, for `tableWith`. */
export const termsRoom = plainTableRoom('Terms')

/** A table of the same terms with other forces of the bodies. */
export function tableWith(s: System, F: Vec): number {
  const { step, weight, joints, bodies, b, y } = s
  const { jointStiffness, jointDamping, bodyDamping, start, body, J, damping } = s.terms
  const own = { jointStiffness, jointDamping, bodyDamping, start, body, J, damping, qf: s.data.qf }
  return takeTable(s.data, 'Terms', { step, weight, joints, bodies, b, y, F, ...own })
}

/** The axis of the world along which nothing moves, by the joints; what deforms may move along any. */
const stillAxis = (m: Model): number => (m.modes.count > 0 ? -1 : planeOf(m, atStart(m)))

/** Reads the state. Writes the kinematics and forces of data, and everything that A needs at step h. */
export function assemble(s: System, state: State): void {
  const { model: m, data: d } = s
  forwardKinematics(m, d, state.q, state.v)
  applyForces(m, d, state)
  addEvaluation(s.work, m)
  d.evaluations++
  s.kernels.addNumbers(d.tree, d.qf.byteOffset, given(d, d.x, state.tau))
  linearizeForces(s, state)
  weighTerms(s)
}

/** Reads the kinematics of data. Writes the terms: stiffness and damping of every force, and the inertia of tendons. */
export function linearizeForces(s: System, state: State): void {
  const { model: m, data: d, stiff, terms } = s
  s.at = state
  linearizeAll(stiff, m, d, state, terms)
  s.inertial = terms.count
  const { armed, armature } = m.tendons
  for (let r = 0; r < armed.length; r++) terms.damping[addTendonRow(m, d, terms, armed[r])] = armature[armed[r]] / s.step[0]
}

/** Reads the terms. Writes the weight of every row at step h. */
export function weighTerms({ terms, weight, step }: System): void {
  const h = step[0]
  for (let r = 0; r < terms.count; r++) weight[r] = h * h * terms.stiffness[r] + h * terms.damping[r]
}

/** Reads the terms and their weights. Writes what they add to each joint and body: all of A that the tree's own recursion can take. */
export function weighBlocks(s: System): void {
  s.kernels.weighOwnBlocks(s.data.tree, s.table, s.terms.count)
  weighModes(s)
}

/**
 * b ← M v + h · scale (Q + D v), all at the state of `assemble`; v is the velocity the momentum belongs to, which multistep schemes
 * take from their history.
 */
export function rightHandSide(s: System, state: State, v: Vec): void {
  const { model: m, data: d, b, y, F } = s
  const before = given(d, d.v, state.v)
  if (isPlain(s) && m.tendons.armed.length === 0) {
    s.kernels.rightHandSide(d.tree, d.work, d.poses, s.table, before, given(d, d.x, v), s.terms.count, s.inertial)
    return
  }
  jacobianProduct(m, d, y, v)
  if (m.modes.count > 0) pushShapes(s, state.v, v)
  else s.kernels.rightHandForces(d.tree, d.work, s.table, before, given(d, d.x, v), s.terms.count, s.inertial)
  if (m.tendons.armed.length > 0) addTendonBias(s, F, b)
  if (s.free.length > 0) addProducts(s, d.V, state.v, DAMPING, F, b)
  sumForces(m, d, b, F)
}

/** −h α Jᵀ (J̇ v) of tendons with armature. */
function addTendonBias({ model: m, data: d, step, wrench }: System, F: Vec, b: Vec): void {
  const { armed, armature } = m.tendons
  const o = armed.length * armed.length
  tendonBias(m, d, d.tendonG, o)
  for (let r = 0; r < armed.length; r++) {
    wrench[0] = -step[0] * armature[armed[r]] * d.tendonG[o + r]
    addTendonForce(m, d, armed[r], wrench, 0, F, b)
  }
}

/** Whether nothing comes between the passes over the tree, which are then one kernel. */
const isPlain = ({ model, free }: System): boolean => model.modes.count === 0 && free.length === 0

/** out ← A x */
export function applySystem(s: System, out: Vec, x: Vec): void {
  const { model: m, data: d } = s
  addProduct(s.work, m)
  if (isPlain(s)) {
    s.kernels.multiplySystem(d.tree, d.poses, s.table, given(d, d.x, x), placeFor(d, d.z, out), s.terms.count)
    deliver(d, d.z, out)
    return
  }
  jacobianProduct(m, d, s.y, x)
  s.kernels.meetTerms(d.tree, s.table, given(d, d.x, x), placeFor(d, d.z, out), s.terms.count)
  deliver(d, d.z, out)
  if (m.modes.count > 0) meetShapes(s, x, out)
  if (s.free.length > 0) addProducts(s, s.y, x, STIFFNESS | DAMPING, s.F, out)
  sumForces(m, d, out, s.F)
}

/** out ← −h² K x: the stiffness alone */
export function applyStiffness(s: System, out: Vec, x: Vec): void {
  const { model: m, data: d, terms, y, F } = s
  const h = s.step[0]
  jacobianProduct(m, d, y, x)
  F.fill(0)
  s.kernels.meetStiffness(d.tree, s.table, given(d, d.x, x), placeFor(d, d.z, out))
  deliver(d, d.z, out)
  for (let r = 0; r < terms.count; r++) {
    if (terms.stiffness[r] === 0) continue
    rowRate(terms, r, y, x)
    rate[0] *= h * h * terms.stiffness[r]
    addRow(terms, r, F, out)
  }
  if (m.modes.count > 0) addShapeStiffness(s, x, out)
  if (s.free.length > 0) addProducts(s, y, x, STIFFNESS, F, out)
  sumForces(m, d, out, F)
}

const STIFFNESS = 1
const DAMPING = 2

/** Adds the products of forces without rows, with a motion of bodies V and velocities v, to wrenches f and joint forces qf. */
function addProducts(s: System, V: Vec, v: Vec, parts: number, f: Vec, qf: Vec): void {
  const { model: m, data: d, free, at, motion, product, handed } = s
  if (!at) return
  const h = s.step[0]
  if (handed[1] !== h) {
    handed[1] = h
    handed[2] = h * h
  }
  const stiffness = parts & STIFFNESS ? handed[2] : 0
  const damping = parts & DAMPING ? handed[1] : 0
  motion.V = V
  motion.v = v
  product.f = f
  product.qf = qf
  for (let k = 0; k < free.length; k++) free[k].jacobianProduct?.(m, d, at, motion, stiffness, damping, product)
}

/** True when some row joins two moving parts: the tree's own recursion is then no longer exact. */
export function isCoupled(s: System): boolean {
  const { terms, weight } = s
  for (let r = 0; r < terms.count; r++) if (weight[r] !== 0 && terms.start[r + 1] - terms.start[r] > 1) return true
  return false
}
