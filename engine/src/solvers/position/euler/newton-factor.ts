/**
 * Gradient and exact Newton factor of a position-based step in O(n) [Pan and Manocha 2018].
 *
 * Per body the gradient wrench F = (axial(W3); w) and the symmetric matrix
 *   B = (1 + λ) scale I + ( sym(W3) − tr(W3) 1   −[w]/2 ; [w]/2   0 ) + what the forces add
 * Backward, F and B summed over the subtree before use:
 *   gradient = Sᵀ F,   u = B S + κ,  κ_k = −½ ad(S_k)ᵀ F,   D = Sᵀ B S + own + joint terms,   B(p) += X⁻ᵀ (B − u D⁻¹ uᵀ) X⁻¹
 *   own_kl = sym(F · ∂S_k/∂q_l): in a sequence of joints ∂S_k/∂q_l = −ad(S_l) S_k for l behind k; 0 within joints that move along
 *   the exponential (spherical, free), whose chart is symmetric at its origin.
 * Away from the minimum the exact matrix need not be positive definite. Its curvature is then taken link by link: with wt the sum of w
 * over the subtree, the turning ω of body i as a whole sees
 *   K = sym(Wt) − tr(Wt) 1,   Wt = W3 + Σ_children (R wt) pᵀ      (p: the child's origin in body i)
 * which is positive for a link under tension and negative for one under pressure; the positive part of K is kept, the rest left out.
 * Without the curvature terms (Gauss–Newton) B is the inertia and the factor that of the mass matrix: Levenberg–Marquardt.
 * The factor has the form of `tree/implicit-factor`, whose solve serves here too. `euler/newton-factor.kernel` has the recursions.
 */
import { kernelsIn } from '../../../kernels/instance.js'
import { ROUNDS } from '../../../linalg/dense/clip-symmetric3.kernel.js'
import type { Vec } from '../../../math/types.js'
import { type Data, deliver, placeFor } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { placeTable, tableRoom } from '../../../model/work-space.js'
import { clipSymmetric3 } from '../../../printed/linalg.js'
import { type PositionKernels, positionModule } from '../../../printed/position.js'
import type { ImplicitFactor } from '../../../tree/implicit-factor.js'
import { exponentialJoints } from './exponential.js'

export interface NewtonWork {
  readonly kernels: PositionKernels
  /** address of its table */
  readonly table: number
  /** summed gradient wrenches (6 a body) */
  readonly F: Vec
  /** of each velocity: the number of its joint for exponential ones, −1 for joints with plain coordinates */
  readonly exponential: Int32Array
  /** curvature of each link (6 a body) */
  readonly K: Vec
  /** scale of the inertia, λ */
  readonly scale: Vec
}

/** Which matrix: the inertia alone, the exact second derivative, or with the curvature clipped. */
export type Curvature = 'none' | 'exact' | 'clipped'

export const SCALE = 0
export const LAMBDA = 1

const tableOf = (m: Model) =>
  ({
    name: 'Newton',
    fields: { exponential: exponentialJoints(m) },
    own: { F: 6 * m.nbody, total: 12 * m.nbody, K: 6 * m.nbody, scale: 2 },
  }) as const

/** Numbers that a NewtonWork takes in the memory of data. */
export const newtonRoom = (m: Model): number => tableRoom(tableOf(m))

/** In the memory of d, where all that the functions below are given must lie too. */
export function createNewtonWork(m: Model, d: Data): NewtonWork {
  const kernels = kernelsIn<PositionKernels>(positionModule, d.block)
  return { ...placeTable(d, tableOf(m)), kernels, exponential: exponentialJoints(m) }
}

/** Reads X_PB, S of d, W and the joint part of the gradient (nv). Writes grad (nv) and w.F. */
export function gradientPass(_m: Model, d: Data, w: NewtonWork, W: Vec, joint: Vec, grad: Vec): void {
  const out = placeFor(d, d.z, grad)
  w.kernels.sumGradient(d.tree, d.poses, W.byteOffset, w.F.byteOffset, joint.byteOffset, out)
  deliver(d, d.z, grad)
}

/**
 * Reads X_PB, S, W, w.F as `gradientPass` left it, w.scale, the forces' matrices `bodies` (21 a body) and `joints` (nv).
 * Writes the factor; false where a pivot is not positive.
 */
export function factorNewton(
  m: Model,
  d: Data,
  w: NewtonWork,
  W: Vec,
  bodies: Vec,
  joints: Vec,
  kind: Curvature,
  out: ImplicitFactor,
): boolean {
  const { kernels, table } = w
  const exact = kind === 'exact' ? 1 : 0
  const IA = out.IA.byteOffset
  out.X_PB.set(d.X_PB)
  out.S.set(d.S)
  kernels.setBodyMatrices(d.tree, table, IA, bodies.byteOffset, W.byteOffset, exact)
  if (kind === 'clipped') {
    kernels.linkCurvature(d.tree, d.poses, table, W.byteOffset)
    for (let i = 1; i < m.nbody; i++) clipSymmetric3(w.K, 6 * i, ROUNDS)
    kernels.addLinkCurvature(d.tree, table, IA)
  }
  kernels.factorNewtonTree(d.tree, d.poses, out.factor, table, joints.byteOffset, exact)
  return out.least[0] > 0
}

/**
 * H[at …], with rows `stride` apart, += the exact matrix of `factorNewton` itself: a block of what collocation forms and factors. Uses IA of
 * out as scratch.
 */
export function addNewtonMatrix(
  d: Data,
  w: NewtonWork,
  W: Vec,
  bodies: Vec,
  joints: Vec,
  out: ImplicitFactor,
  H: Vec,
  at: number,
  stride: number,
): void {
  const { kernels, table } = w
  const IA = out.IA.byteOffset
  kernels.setBodyMatrices(d.tree, table, IA, bodies.byteOffset, W.byteOffset, 1)
  kernels.addNewtonMatrix(d.tree, d.poses, table, IA, joints.byteOffset, H.byteOffset, at, stride)
}
