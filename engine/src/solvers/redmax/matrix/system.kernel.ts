/**
 * Products with the matrix of a step and its right-hand side; `matrix/system` says what they are. A row r measures a rate
 * e = Σ J·V(body) + Σ c·v(dof), and its force acts along the same row.
 */
import { add, type Int, type Ints, type Lanes, scale, sub } from '../../../math/values/columns.js'
import {
  type Articulated,
  crossForce,
  type Force,
  type Motion,
  motionToChild,
  mulArticulated,
  mulRigid,
  outer,
  power,
} from '../../../math/values/spatial.js'
import type { Poses, Tree, Work } from '../../../model/tables.js'
import { startComposites, sumComposites } from '../../../tree/crba.kernel.js'
import type { Factor } from '../../../tree/implicit-factor.kernel.js'
import { addMotions, sumForcesUp } from '../../../tree/jacobian.kernel.js'

/** The terms of `model/stiff-terms`, weights of rows, and what acts on single joints and bodies. */
export interface Terms {
  /** one number: the step of the matrix */
  readonly step: Lanes<number>
  readonly jointStiffness: Lanes<number>
  readonly jointDamping: Lanes<number>
  readonly bodyDamping: Lanes<Articulated>
  readonly start: Ints
  readonly body: Ints
  readonly J: Lanes<Force>
  readonly damping: Lanes<number>
  readonly weight: Lanes<number>
  readonly joints: Lanes<number>
  readonly bodies: Lanes<Articulated>
  /** joint forces at hand; the right-hand side; a motion and a force a body */
  readonly qf: Lanes<number>
  readonly b: Lanes<number>
  readonly y: Lanes<Motion>
  readonly F: Lanes<Force>
}

function rowRate(s: Terms, r: Int, V: Lanes<Motion>, v: Lanes<number>): number {
  let rate = 0
  for (let e = s.start[r]; e < s.start[r + 1]; e++) {
    const i = s.body[e]
    if (i < 0) rate = rate + s.J[e].n[0] * v[-1 - i]
    else rate = rate + power(V[i], s.J[e])
  }
  return rate
}

/** Adds x times row r: wrenches to F, joint forces to q. */
function addRow(s: Terms, r: Int, x: number, F: Lanes<Force>, q: Lanes<number>): void {
  for (let e = s.start[r]; e < s.start[r + 1]; e++) {
    const i = s.body[e]
    if (i < 0) q[-1 - i] = q[-1 - i] + x * s.J[e].n[0]
    else F[i] = add(F[i], scale(x, s.J[e]))
  }
}

/** out = A x: what motions y = J x meet, summed over the tree. @kernel */
export function multiplySystem(m: Tree, d: Poses, s: Terms, x: Lanes<number>, out: Lanes<number>, rows: Int): void {
  addMotions(m, d, s.y, x, 1, m.nbody)
  meetTerms(m, s, x, out, rows)
  sumForcesUp(m, d, out, s.F, 1, 1, m.nbody)
}

/** What motions y = J x meet: wrenches F = (I + h D) y and joint forces, with those of the rows. @kernel */
export function meetTerms(m: Tree, s: Terms, x: Lanes<number>, out: Lanes<number>, rows: Int): void {
  meetBodies(m, s, 1, m.nbody)
  meetJoints(m, s, x, out, 0, m.nv)
  meetRows(s, x, out, rows)
}

/** F of the bodies from … to − 1 alone. @kernel */
export function meetBodies(m: Tree, s: Terms, from: Int, to: Int): void {
  const h = s.step[0]
  for (let i = from; i < to; i++) s.F[i] = add(mulRigid(m.inertia[i], s.y[i]), scale(h, mulArticulated(s.bodyDamping[i], s.y[i])))
}

/** Joint forces of the velocities from … to − 1 alone. @kernel */
export function meetJoints(m: Tree, s: Terms, x: Lanes<number>, out: Lanes<number>, from: Int, to: Int): void {
  const h = s.step[0]
  for (let k = from; k < to; k++) out[k] = (m.armature[k] + h * s.jointDamping[k] + h * h * s.jointStiffness[k]) * x[k]
}

/** Joint forces h² k x of the stiffness alone. @kernel */
export function meetStiffness(m: Tree, s: Terms, x: Lanes<number>, out: Lanes<number>): void {
  const h = s.step[0]
  for (let k = 0; k < m.nv; k++) out[k] = h * h * s.jointStiffness[k] * x[k]
}

/** out += x, a number a velocity. @kernel */
export function addNumbers(m: Tree, out: Lanes<number>, x: Lanes<number>): void {
  for (let k = 0; k < m.nv; k++) out[k] = out[k] + x[k]
}

/** What the rows add to both. @kernel */
export function meetRows(s: Terms, x: Lanes<number>, out: Lanes<number>, rows: Int): void {
  for (let r = 0; r < rows; r++) addRow(s, r, rowRate(s, r, s.y, x) * s.weight[r], s.F, out)
}

/**
 * b = armature v + h (qf + d v₀) and F = I y + h (f − I A − V ×* I V + D V), y = J v, A = J̇ v with gravity as an upward acceleration; D v₀ of
 * the rows, v₀ the velocity of the bodies' motions V. Rows from `inertial` on are inertia, and go by v. @kernel
 */
export function rightHandForces(m: Tree, d: Work, s: Terms, vBefore: Lanes<number>, v: Lanes<number>, rows: Int, inertial: Int): void {
  rightHandBodies(m, d, s, 1, m.nbody)
  rightHandRows(m, d, s, vBefore, v, rows, inertial)
}

/** The same with y = J v, and b with the sums of F over the tree: the whole right-hand side. @kernel */
export function rightHandSide(
  m: Tree,
  d: Work,
  x: Poses,
  s: Terms,
  vBefore: Lanes<number>,
  v: Lanes<number>,
  rows: Int,
  inertial: Int,
): void {
  addMotions(m, x, s.y, v, 1, m.nbody)
  rightHandForces(m, d, s, vBefore, v, rows, inertial)
  sumForcesUp(m, x, s.b, s.F, 1, 1, m.nbody)
}

/** F of the bodies from … to − 1; A of one on a moved frame holds the acceleration of that frame before. @kernel */
export function rightHandBodies(m: Tree, d: Work, s: Terms, from: Int, to: Int): void {
  const h = s.step[0]
  for (let i = from; i < to; i++) {
    const I = m.inertia[i]
    const V = d.V[i]
    const start = m.moved[i] === 1 ? d.A[i] : motionToChild(d.X_PB[i], d.A[m.parent[i]])
    const A = add(start, d.c[i])
    d.A[i] = A
    const forces = sub(sub(d.f[i], crossForce(V, mulRigid(I, V))), mulRigid(I, A))
    s.F[i] = add(mulRigid(I, s.y[i]), scale(h, add(forces, mulArticulated(s.bodyDamping[i], V))))
  }
}

/** b, and what rows add to b and F. @kernel */
export function rightHandRows(m: Tree, d: Work, s: Terms, vBefore: Lanes<number>, v: Lanes<number>, rows: Int, inertial: Int): void {
  rightHandJoints(m, s, vBefore, v, 0, m.nv)
  addRightHandRows(d, s, vBefore, v, rows, inertial)
}

/** b of the velocities from … to − 1 alone. @kernel */
export function rightHandJoints(m: Tree, s: Terms, vBefore: Lanes<number>, v: Lanes<number>, from: Int, to: Int): void {
  const h = s.step[0]
  for (let k = from; k < to; k++) s.b[k] = m.armature[k] * v[k] + h * (s.qf[k] + s.jointDamping[k] * vBefore[k])
}

/** What the rows add to b and F. @kernel */
export function addRightHandRows(d: Work, s: Terms, vBefore: Lanes<number>, v: Lanes<number>, rows: Int, inertial: Int): void {
  const h = s.step[0]
  for (let r = 0; r < rows; r++) {
    const share = h * s.damping[r]
    if (r < inertial) addRow(s, r, share * rowRate(s, r, d.V, vBefore), s.F, s.b)
    else addRow(s, r, share * rowRate(s, r, s.y, v), s.F, s.b)
  }
}

/** joints = h d + h² k, bodies = h D, and each row's own blocks: c² and J Jᵀ by its weight. @kernel */
export function weighOwnBlocks(m: Tree, s: Terms, rows: Int): void {
  weighJoints(s, 0, m.nv)
  weighBodies(s, 0, m.nbody)
  weighRows(s, rows)
}

/** joints of the velocities from … to − 1 alone. @kernel */
export function weighJoints(s: Terms, from: Int, to: Int): void {
  const h = s.step[0]
  for (let k = from; k < to; k++) s.joints[k] = h * s.jointDamping[k] + h * h * s.jointStiffness[k]
}

/** bodies from … to − 1 alone. @kernel */
export function weighBodies(s: Terms, from: Int, to: Int): void {
  const h = s.step[0]
  for (let i = from; i < to; i++) s.bodies[i] = scale(h, s.bodyDamping[i])
}

/** The rows' own blocks. @kernel */
export function weighRows(s: Terms, rows: Int): void {
  for (let r = 0; r < rows; r++) weighRow(s, r)
}

function weighRow(s: Terms, r: Int): void {
  const w = s.weight[r]
  for (let e = s.start[r]; e < s.start[r + 1]; e++) {
    const i = s.body[e]
    const J = s.J[e]
    if (i < 0) s.joints[-1 - i] = s.joints[-1 - i] + w * J.n[0] * J.n[0]
    else s.bodies[i] = add(s.bodies[i], outer(scale(w, J), J))
  }
}

/** As `weighOwnBlocks`, of rows with one entry only. */
function weighLoneRows(m: Tree, s: Terms, rows: Int): void {
  weighJoints(s, 0, m.nv)
  weighBodies(s, 0, m.nbody)
  for (let r = 0; r < rows; r++) if (s.start[r + 1] - s.start[r] === 1) weighRow(s, r)
}

/** What terms with one entry add to joints and bodies; IA of each body with that, and with all that it carries. Reads X_PB. @kernel */
export function sumWeighted(m: Tree, d: Work, s: Terms, rows: Int): void {
  weighLoneRows(m, s, rows)
  startComposites(m, d, 1, m.nbody)
  for (let i = 1; i < m.nbody; i++) d.IA[i] = add(d.IA[i], s.bodies[i])
  sumComposites(m, d, 1, m.nbody)
}

/** What a factor of A is made from: the poses of d, and what `weighOwnBlocks` or `sumWeighted` wrote. @kernel */
export function copyTerms(m: Tree, d: Poses, s: Terms, f: Factor): void {
  for (let i = 0; i < m.nbody; i++) {
    f.X_PB[i] = d.X_PB[i]
    f.IA[i] = s.bodies[i]
  }
  for (let k = 0; k < m.nv; k++) {
    f.S[k] = d.S[k]
    f.r[k] = s.joints[k]
  }
}

/** out[place] = twice the kinetic energy of motions V of the bodies and velocities v of the joints. @kernel */
export function twiceKineticEnergy(m: Tree, V: Lanes<Motion>, v: Lanes<number>, out: Lanes<number>, place: Int): void {
  let sum = 0
  for (let i = 1; i < m.nbody; i++) sum = sum + power(V[i], mulRigid(m.inertia[i], V[i]))
  for (let k = 0; k < m.nv; k++) sum = sum + m.armature[k] * v[k] * v[k]
  out[place] = sum
}
