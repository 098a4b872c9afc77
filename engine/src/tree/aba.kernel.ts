/**
 * Forward dynamics, the articulated-body algorithm: O(n).
 *
 * [RBDA] Table 7.1, gravity as an upward acceleration of the world. Departure: every quantity is at the body's origin but along the world's
 * axes, so that going from body to parent is a mere shift by r = p(i) − p(p): rotating each rigid inertia once costs less than rotating each
 * articulated one. Freedoms of a body go one after another, as if the others were massless bodies at the same place.
 */
import { forBody, placeJoints, type Velocities } from '../joints/place.kernel.js'
import { add, type Int, type Lanes, scale, sub } from '../math/values/columns.js'
import {
  type Articulated,
  articulated,
  crossForce,
  crossMotion,
  type Force,
  type Motion,
  mul,
  mulArticulated,
  mulRigid,
  outer,
  power,
  REST,
  rotate,
  rotateForce,
  rotateMotion,
  rotateRigid,
  shiftForce,
  shiftInertia,
  shiftMotion,
  type Vec3,
} from '../math/values/spatial.js'
import type { Tree, Work } from '../model/tables.js'

const fromParent = (m: Tree, d: Work, i: Int): Vec3 => sub(d.X_WB[i].p, d.X_WB[m.parent[i]].p)

/** V = shifted V(p) + S v,  c = Ṡ v + V × S v;  own inertia I and bias force V ×* I V − f. */
function sweepBody(m: Tree, d: Work, v: Lanes<number>, loaded: Int, i: Int, velocities: Velocities): void {
  const P = d.X_WB[m.parent[i]]
  const r = rotate(P.R, d.X_PB[i].p)
  const X = { R: mul(P.R, d.X_PB[i].R), p: add(r, P.p) }
  d.X_WB[i] = X
  const start = shiftMotion(d.VW[m.base[i]], r)
  const { V, c } = velocities.up(m, i, d.S, { V: start, before: start, c: REST }, ({ V, before, c }, k, axis) => {
    const S = rotateMotion(X.R, axis)
    d.SW[k] = S
    const rate = scale(v[k], S)
    const at = m.together[k] === 1 ? before : V
    return { V: add(V, rate), before: at, c: add(c, crossMotion(at, rate)) }
  })
  d.VW[i] = V
  d.cW[i] = c

  const I = rotateRigid(X.R, m.inertia[i])
  const bias = crossForce(V, mulRigid(I, V))
  d.IA[i] = articulated(I)
  d.pA[i] = loaded === 1 ? sub(bias, rotateForce(X.R, d.f[i])) : bias
}

/** One velocity along S goes: U = IA S, D = 1/(Sᵀ U + armature), u = τ − Sᵀ pA; what is left of IA and pA. */
export const eliminateVelocity = (IA: Articulated, pA: Force, S: Motion, tau: number, armature: number) => {
  const U = mulArticulated(IA, S)
  const D = 1 / (power(S, U) + armature)
  const u = tau - power(S, pA)
  const G = scale(D, U)
  return { U, D, u, IA: sub(IA, outer(G, U)), pA: add(pA, scale(u, G)) }
}

/** pA += IA c;  U = IA S,  D = 1/(Sᵀ U + armature),  u = τ − Sᵀ pA,   IA −= U D Uᵀ,  pA += U D u;  what is left, shifted, is the parent's. */
function eliminateBody(m: Tree, d: Work, tau: Lanes<number>, top: Int, i: Int, velocities: Velocities): void {
  const own = d.IA[i]
  const start = { IA: own, pA: add(d.pA[i], mulArticulated(own, d.cW[i])) }
  const { IA, pA } = velocities.down(m, i, d.SW, start, ({ IA, pA }, k, S) => {
    const gone = eliminateVelocity(IA, pA, S, tau[k], m.armature[k])
    d.U[k] = gone.U
    d.D[k] = gone.D
    d.u[k] = gone.u
    return { IA: gone.IA, pA: gone.pA }
  })
  const p = m.parent[i]
  if (p === 0) return
  if (p < top) {
    d.IA[i] = IA
    d.pA[i] = pA
    return
  }
  const b = m.base[i]
  const r = fromParent(m, d, i)
  d.IA[b] = add(d.IA[b], shiftInertia(IA, r))
  d.pA[b] = add(d.pA[b], shiftForce(pA, r))
}

/** a' = shifted A(p);  a = D (u − Uᵀ a'),  a' += S a;   A = a' + c. */
function accelerateBody(m: Tree, d: Work, out: Lanes<number>, i: Int, velocities: Velocities): void {
  const start = shiftMotion(d.AW[m.base[i]], fromParent(m, d, i))
  const A = velocities.up(m, i, d.SW, start, (A, k, S) => {
    const a = (d.u[k] - power(A, d.U[k])) * d.D[k]
    out[k] = a
    return add(A, scale(a, S))
  })
  d.AW[i] = add(A, d.cW[i])
}

/** Root to leaves. Reads X_PB, S, v, and f where `loaded` is 1. Writes X_WB, SW, VW, cW, IA, pA of the bodies from … to − 1. @kernel */
export function sweepTree(m: Tree, d: Work, v: Lanes<number>, loaded: Int, from: Int, to: Int): void {
  for (let i = from; i < to; i++) forBody(m, i, (velocities) => sweepBody(m, d, v, loaded, i, velocities))
}

/**
 * Leaves to root, after `sweepTree`. Reads tau. Writes U, D, u of the bodies from … to − 1, and adds to IA and pA of their parents. Bodies whose
 * parents are before `top` keep what is left, at their origins: `joinToParents` carries it on.
 * @kernel
 */
export function eliminateTree(m: Tree, d: Work, tau: Lanes<number>, top: Int, from: Int, to: Int): void {
  for (let i = to - 1; i >= from; i--) forBody(m, i, (velocities) => eliminateBody(m, d, tau, top, i, velocities))
}

/**
 * What `eliminateTree` left at the bodies from … to − 1 whose parents are outside of this range, shifted and added to them. The last child
 * comes first, so that a tree in parts has the bits of a tree in one piece.
 * @kernel
 */
export function joinToParents(m: Tree, d: Work, from: Int, to: Int): void {
  for (let i = to - 1; i >= from; i--) {
    const p = m.parent[i]
    if (p === 0) continue
    if (p >= from) continue
    const b = m.base[i]
    const r = fromParent(m, d, i)
    d.IA[b] = add(d.IA[b], shiftInertia(d.IA[i], r))
    d.pA[b] = add(d.pA[b], shiftForce(d.pA[i], r))
  }
}

/** Root to leaves. Writes out, the accelerations, and AW of the bodies from … to − 1. @kernel */
export function accelerateTree(m: Tree, d: Work, out: Lanes<number>, from: Int, to: Int): void {
  for (let i = from; i < to; i++) forBody(m, i, (velocities) => accelerateBody(m, d, out, i, velocities))
}

/** All passes over all bodies. Reads X_PB, S, v, tau, f. Writes every other column of the algorithm, and the accelerations out. @kernel */
export function articulatedBodies(m: Tree, d: Work, v: Lanes<number>, tau: Lanes<number>, out: Lanes<number>, loaded: Int): void {
  sweepTree(m, d, v, loaded, 1, m.nbody)
  eliminateTree(m, d, tau, 1, 1, m.nbody)
  accelerateTree(m, d, out, 1, m.nbody)
}

/** From coordinates to accelerations in one call, where no force acts on bodies. @kernel */
export function unloadedBodies(m: Tree, d: Work, q: Lanes<number>, v: Lanes<number>, tau: Lanes<number>, out: Lanes<number>): void {
  placeJoints(m, d, q, 1, m.nbody)
  articulatedBodies(m, d, v, tau, out, 0)
}
