/**
 * Vectors, rotations, poses, motions, forces and inertias as values.
 *
 * Motions are (angular; linear), forces (moment; force) [RBDA, chapter 2]; their parts have different names, so that one is never taken for
 * the other. Written for reading: the kernel compiler leaves out the zeros of `skew` and `diagonal`, the halves that `upper` drops, and
 * whatever nobody asks for.
 */
import { add, scale, sub } from './columns.js'

export type Vec3 = readonly [number, number, number]
/** row by row */
export type Mat3 = readonly [Vec3, Vec3, Vec3]
/** xx xy xz yy yz zz */
export type Sym3 = readonly [number, number, number, number, number, number]
/** x_A = R x_B + p */
export type Pose = { readonly R: Mat3; readonly p: Vec3 }
export type Motion = { readonly w: Vec3; readonly v: Vec3 }
export type Force = { readonly n: Vec3; readonly f: Vec3 }
/** mass, mass times centre, inertia about the origin */
export type Rigid = { readonly m: number; readonly h: Vec3; readonly J: Sym3 }
/** ( A B ; Bᵀ C ) */
export type Articulated = { readonly A: Sym3; readonly B: Mat3; readonly C: Sym3 }

export const ZERO: Vec3 = [0, 0, 0]
export const ONE: Mat3 = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]
export const REST: Motion = { w: ZERO, v: ZERO }
export const NO_FORCE: Force = { n: ZERO, f: ZERO }

// vectors and matrices

export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
export const cross = (a: Vec3, b: Vec3): Vec3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
/** a bᵀ */
export const tensor = (a: Vec3, b: Vec3): Mat3 => [scale(a[0], b), scale(a[1], b), scale(a[2], b)]

export const transpose = (M: Mat3): Mat3 => [
  [M[0][0], M[1][0], M[2][0]],
  [M[0][1], M[1][1], M[2][1]],
  [M[0][2], M[1][2], M[2][2]],
]
/** M a, and Mᵀ a */
export const rotate = (M: Mat3, a: Vec3): Vec3 => [dot(M[0], a), dot(M[1], a), dot(M[2], a)]
export const rotateBack = (M: Mat3, a: Vec3): Vec3 => rotate(transpose(M), a)
export const mul = (A: Mat3, B: Mat3): Mat3 => [rotateBack(B, A[0]), rotateBack(B, A[1]), rotateBack(B, A[2])]
/** [a], so that [a] b = a × b */
export const skew = (a: Vec3): Mat3 => [
  [0, -a[2], a[1]],
  [a[2], 0, -a[0]],
  [-a[1], a[0], 0],
]
export const diagonal = (x: number): Sym3 => [x, 0, 0, x, 0, x]
export const full = (S: Sym3): Mat3 => [
  [S[0], S[1], S[2]],
  [S[1], S[3], S[4]],
  [S[2], S[4], S[5]],
]
export const upper = (M: Mat3): Sym3 => [M[0][0], M[0][1], M[0][2], M[1][1], M[1][2], M[2][2]]
/** R S Rᵀ */
export const turnSym = (R: Mat3, S: Sym3): Sym3 => upper(mul(mul(R, full(S)), transpose(R)))

// poses, motions, forces

export const transformPoint = (X: Pose, x: Vec3): Vec3 => add(rotate(X.R, x), X.p)
export const mulPose = (a: Pose, b: Pose): Pose => ({ R: mul(a.R, b.R), p: transformPoint(a, b.p) })

/** The power of a force along a motion. */
export const power = (a: Motion, f: Force): number => dot(a.w, f.n) + dot(a.v, f.f)
/** a × b of motions, a ×* f of a motion and a force */
export const crossMotion = (a: Motion, b: Motion): Motion => ({ w: cross(a.w, b.w), v: add(cross(a.v, b.w), cross(a.w, b.v)) })
export const crossForce = (a: Motion, f: Force): Force => ({ n: add(cross(a.w, f.n), cross(a.v, f.f)), f: cross(a.w, f.f) })

/** Along axes turned by R, at the same origin. */
export const rotateMotion = (R: Mat3, a: Motion): Motion => ({ w: rotate(R, a.w), v: rotate(R, a.v) })
export const rotateForce = (R: Mat3, f: Force): Force => ({ n: rotate(R, f.n), f: rotate(R, f.f) })
/** A motion seen at a point r further on; a force, acting r further on, seen from here. */
export const shiftMotion = (a: Motion, r: Vec3): Motion => ({ w: a.w, v: add(a.v, cross(a.w, r)) })
export const shiftForce = (f: Force, r: Vec3): Force => ({ n: add(f.n, cross(r, f.f)), f: f.f })
/** X⁻¹ a and X⁻ᵀ f, X the pose of a body in its parent. */
export const motionToChild = (X: Pose, a: Motion): Motion => rotateMotion(transpose(X.R), shiftMotion(a, X.p))
export const forceToParent = (X: Pose, f: Force): Force => shiftForce(rotateForce(X.R, f), X.p)

// inertias

export const rotateRigid = (R: Mat3, I: Rigid): Rigid => ({ m: I.m, h: rotate(R, I.h), J: turnSym(R, I.J) })
export const mulRigid = (I: Rigid, a: Motion): Force => ({
  n: add(rotate(full(I.J), a.w), cross(I.h, a.v)),
  f: sub(scale(I.m, a.v), cross(I.h, a.w)),
})
export const articulated = (I: Rigid): Articulated => ({ A: I.J, B: skew(I.h), C: diagonal(I.m) })
export const mulArticulated = (I: Articulated, a: Motion): Force => ({
  n: add(rotate(full(I.A), a.w), rotate(I.B, a.v)),
  f: add(rotateBack(I.B, a.w), rotate(full(I.C), a.v)),
})
/** U Wᵀ of which the blocks on the diagonal are symmetric */
export const outer = (U: Force, W: Force): Articulated => ({ A: upper(tensor(U.n, W.n)), B: tensor(U.n, W.f), C: upper(tensor(U.f, W.f)) })
/** An inertia, r further on, seen from here: B' = B + [r] C, A' = A − B [r] + [r] B'ᵀ, of which the two products are alike on the diagonal. */
export const shiftInertia = ({ A, B, C }: Articulated, r: Vec3): Articulated => {
  const K = skew(r)
  const D = add(B, mul(K, full(C)))
  const off = upper(add(sub(full(A), mul(B, K)), mul(K, transpose(D))))
  const on = mul(K, transpose(add(B, D)))
  return { A: [A[0] + on[0][0], off[1], off[2], A[3] + on[1][1], off[4], A[5] + on[2][2]], B: D, C }
}
export const turnInertia = (R: Mat3, { A, B, C }: Articulated): Articulated => ({
  A: turnSym(R, A),
  B: mul(mul(R, B), transpose(R)),
  C: turnSym(R, C),
})
/** X⁻ᵀ I X⁻¹ */
export const inertiaToParent = (X: Pose, I: Articulated): Articulated => shiftInertia(turnInertia(X.R, I), X.p)
