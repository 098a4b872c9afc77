/**
 * Factor and solve of implicit systems on the tree, O(n): Jᵀ (I + B) J + diag(armature + r), with I the rigid inertias, B a symmetric
 * 6 × 6 matrix a body (forces that act on one body), r a number a velocity (forces in the joints).
 * `tree/implicit-factor.kernel` has the recursions, `tree/implicit-factor-modes` what bodies that deform add to them.
 *
 * The factor keeps its own copy of poses and axes, so that it stays good while Data moves on.
 */
import { kernelsIn } from '../kernels/instance.js'
import { takeRoom } from '../kernels/memory.js'
import { copyNumbers, tableSize, writeTable } from '../kernels/tables.js'
import type { Vec } from '../math/types.js'
import { type Data, roomBeside, treeFields } from '../model/data.js'
import type { Model } from '../model/model.js'
import { plainTableRoom, takeTable } from '../model/work-space.js'
import { type TreeKernels, treeModule } from '../printed/tree.js'
import { factorDeforming, solveDeforming } from './implicit-factor-modes.js'
import { deformingProduct, deformingSums } from './jacobian.js'
import { addModeInertia } from './modes.js'

export interface ImplicitFactor {
  readonly X_PB: Vec
  readonly S: Vec
  readonly IA: Vec
  /** W row by row, and L, of which the diagonal is kept as its inverse */
  readonly W: Vec
  readonly L: Vec
  readonly r: Vec
  readonly least: Vec
  /** of bodies that deform: motions of moved frames, shapes, and L of the modes, row-major */
  readonly T: Vec
  readonly P: Vec
  readonly dI: Vec
  readonly Lf: Vec
  /** scratch: a force and a motion a body, and a moved frame */
  readonly p: Vec
  readonly a: Vec
  /** room for vectors from outside, while kernels work with them */
  readonly x: Vec
  readonly y: Vec
  readonly motions: Vec
  readonly kernels: TreeKernels
  readonly tree: number
  readonly factor: number
  readonly poses: number
}

const layout = ({ nbody, nv, id, modes: { frames, column, count, bodies, block } }: Model) => ({
  ...{ X_PB: 12 * nbody, S: 6 * nv, IA: 21 * (nbody + frames), W: 6 * nv, L: id[nbody], r: nv, least: 1 },
  ...{ p: 6 * (nbody + frames), a: 6 * (nbody + frames), x: nv, y: nv, motions: 6 * nbody },
  ...{ T: 6 * column[frames], P: 6 * count, dI: 10 * bodies.length, Lf: block[bodies.length] },
})

const tablesSize = tableSize('Factor', {}) + tableSize('Poses', {})

/** Bytes of a factor in the memory of data. */
export function factorSize(m: Model): number {
  return Object.values(layout(m)).reduce((sum, n) => sum + 16 * Math.ceil(n / 2), tablesSize)
}

/** In memory of its own, or in that of data that was made with room for it (`factorSize`), so that kernels see both. */
export function createImplicitFactor(m: Model, beside?: Data): ImplicitFactor {
  const sizes = layout(m)
  const fields = treeFields(m)
  const size = factorSize(m)
  const { block, start } = beside ? roomBeside(beside, size) : takeRoom(size + tableSize('Tree', fields))
  const views: Record<string, Vec> = {}
  let at = start
  for (const [name, n] of Object.entries(sizes)) {
    views[name] = new Float64Array(block.buffer, at, n)
    at += 16 * Math.ceil(n / 2)
  }
  const poses = at + tableSize('Factor', {})
  writeTable('Factor', views, block, at)
  writeTable('Poses', views, block, poses)
  if (!beside) writeTable('Tree', fields, block, start + size)
  // not spread: the records of two simulations would then be of two kinds to compilers
  return Object.assign(views as Record<keyof typeof sizes, Vec>, {
    kernels: kernelsIn<TreeKernels>(treeModule, block),
    factor: at,
    poses,
    tree: beside?.tree ?? start + size,
  })
}

/** A table of the same factor with other forces p, in the memory of the data that it is beside; `factorTableRoom` numbers. */
export function factorWith(f: ImplicitFactor, d: Data, p: Vec): number {
  const { X_PB, S, IA, W, L, r, least, a } = f
  return takeTable(d, 'Factor', { X_PB, S, IA, W, L, r, least, a, p })
}

export const factorTableRoom = plainTableRoom('Factor')

/** Reads the kinematics of d. Writes what `factorBodies` needs of the bodies from … to − 1, none of which deforms. */
export function startFactorBodies(m: Model, d: Data, f: ImplicitFactor, bodies: Vec, joints: Vec, from: number, to: number): void {
  for (let k = 12 * from; k < 12 * to; k++) f.X_PB[k] = d.X_PB[k]
  for (let k = 21 * from; k < 21 * to; k++) f.IA[k] = bodies[k]
  for (let i = from; i < to; i++) {
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) {
      for (let r = 6 * k; r < 6 * k + 6; r++) f.S[r] = d.S[r]
      f.r[k] = joints[k]
    }
  }
  f.kernels.startBodies(f.tree, f.factor, from, to)
}

/**
 * Reads the kinematics of d. Writes the factor. `bodies` holds 21 numbers a body (`math/inertia`), `joints` a number a velocity; either
 * may be left out, and so may `modes`: symmetric matrices over the modes of each body that deforms, where `model/stiff-terms` has them. False
 * where the matrix is not positive definite.
 */
export function factorImplicit(
  m: Model,
  d: Data,
  out: ImplicitFactor,
  bodies: Vec | undefined,
  joints: Vec | undefined,
  modes?: Vec,
): boolean {
  out.X_PB.set(d.X_PB)
  out.S.set(d.S)
  if (bodies === undefined) out.IA.fill(0)
  else out.IA.set(bodies)
  if (joints === undefined) out.r.fill(0)
  else out.r.set(joints)
  if (m.modes.count > 0) return factorDeforming(m, d, out, modes)
  out.kernels.factorTree(out.tree, out.factor)
  return out.least[0] > 0
}

/** out[o …] ← the inverse times x[i0 …]; out and x may be the same. */
export function solveImplicit(m: Model, factor: ImplicitFactor, out: Vec, o: number, x: Vec, i0: number): void {
  const { x: given, y } = factor
  for (let k = 0; k < m.nv; k++) given[k] = x[i0 + k]
  if (m.modes.count > 0) solveDeforming(m, factor)
  else factor.kernels.solveFactored(factor.tree, factor.factor, y.byteOffset, given.byteOffset)
  out.set(y, o)
}

/** y (6 a body) ← J x at the factor's pose. */
export function implicitMotions(m: Model, factor: ImplicitFactor, y: Vec, x: Vec): void {
  copyNumbers(factor.x, x)
  moveBodies(m, factor)
  copyNumbers(y, factor.motions)
}

/**
 * out[o …] ← M x[i0 …] with the rigid inertias and armatures at the factor's pose, without B and r, plus Jᵀ of `wrenches` (6 a body)
 * where there are some; out and x may be the same.
 */
export function multiplyInertia(m: Model, factor: ImplicitFactor, out: Vec, o: number, x: Vec, i0: number, wrenches?: Vec): void {
  const { kernels, tree, poses, x: given, y, motions, p } = factor
  for (let k = 0; k < m.nv; k++) given[k] = x[i0 + k]
  moveBodies(m, factor)
  kernels.inertiaForces(tree, motions.byteOffset, given.byteOffset, p.byteOffset, y.byteOffset)
  if (wrenches !== undefined) for (let k = 6; k < 6 * m.nbody; k++) p[k] += wrenches[k]
  if (m.modes.count > 0) {
    addModeInertia(m, factor, motions, given, p, y)
    deformingSums(m, factor, y, p, 1, m.nbody)
  } else kernels.sumForcesUp(tree, poses, y.byteOffset, p.byteOffset, 1, 1, m.nbody)
  out.set(y, o)
}

/** motions ← J x of the factor */
function moveBodies(m: Model, f: ImplicitFactor): void {
  if (m.modes.count > 0) deformingProduct(m, f, f.motions, f.x, 1, m.nbody)
  else f.kernels.addMotions(f.tree, f.poses, f.motions.byteOffset, f.x.byteOffset, 1, m.nbody)
}
