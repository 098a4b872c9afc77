/**
 * Forward dynamics by divide and conquer [Featherstone99].
 *
 * A node of the assembly tree answers wrenches f at its handles with the accelerations a = Φ f + b. Two parts A and B are joined by the principal
 * joint, B being the child: with f₁ the wrench on B there, S its axes, X from the frame of A's handle to that of B's, r armature,
 *   V⁻¹ = Φ_B + X Φ_A Xᵀ,   G = (X Φ_A,o , −Φ_B,o),   β₀ = X b_A − b_B + c
 *   f₁ = V (G f + β₀ + S q̈),   Sᵀ f₁ + r q̈ = τ
 * so that, with the velocities of the joint eliminated from V one after another as in `tree/aba`, which leaves W,
 *   f₁ = W G f + γ,   γ = W β₀ + what τ adds,   Φ ← Φ_o − Gᵀ W G,   b ← b_o − Gᵀ γ
 * where o are the handles that stay. From the root down, f of a node gives f₁ and q̈, and with them f of its parts.
 *
 * Gravity is an upward acceleration of the ground.
 */
import { forBody, type Velocities } from '../../joints/place.kernel.js'
import { add, type Int, type Lanes, negate, scale, sub } from '../../math/values/columns.js'
import {
  type Articulated,
  articulated,
  crossForce,
  dot,
  type Force,
  forceToParent,
  full,
  type Mat3,
  type Motion,
  motionToChild,
  mul,
  mulArticulated,
  mulRigid,
  NO_FORCE,
  power,
  type Rigid,
  type Sym3,
  shiftInertia,
  transpose,
  turnInertia,
  upper,
} from '../../math/values/spatial.js'
import type { Tree, Work } from '../../model/tables.js'
import { eliminateVelocity } from '../aba.kernel.js'
import type { Parts } from './tables.js'

// six numbers in memory

export const motionAt = (x: Lanes<number>, k: Int): Motion => ({ w: [x[k], x[k + 1], x[k + 2]], v: [x[k + 3], x[k + 4], x[k + 5]] })
export const forceAt = (x: Lanes<number>, k: Int): Force => ({ n: [x[k], x[k + 1], x[k + 2]], f: [x[k + 3], x[k + 4], x[k + 5]] })

export function setMotion(x: Lanes<number>, k: Int, { w, v }: Motion): void {
  for (let r = 0; r < 3; r++) x[k + r] = w[r]
  for (let r = 0; r < 3; r++) x[k + 3 + r] = v[r]
}

export function setForce(x: Lanes<number>, k: Int, { n, f }: Force): void {
  for (let r = 0; r < 3; r++) x[k + r] = n[r]
  for (let r = 0; r < 3; r++) x[k + 3 + r] = f[r]
}

// compliances: ( A B ; Bᵀ C ) from (force; moment) to (linear; angular), which change frames as inertias do

/** The symmetric block of six rows from k on, `st` numbers a row: angular and moment come first there. */
const complianceAt = (x: Lanes<number>, k: Int, st: Int): Articulated => {
  const entry = (r: Int, c: Int): number => x[k + r * st + c]
  const block = (r: Int, c: Int): Mat3 => [
    [entry(r, c), entry(r, c + 1), entry(r, c + 2)],
    [entry(r + 1, c), entry(r + 1, c + 1), entry(r + 1, c + 2)],
    [entry(r + 2, c), entry(r + 2, c + 1), entry(r + 2, c + 2)],
  ]
  return { A: upper(block(3, 3)), B: block(3, 0), C: upper(block(0, 0)) }
}

/** X Φ Xᵀ, X from the parent to the child. */
const complianceToChild = (X: { readonly R: Mat3; readonly p: readonly [number, number, number] }, phi: Articulated): Articulated =>
  turnInertia(transpose(X.R), shiftInertia(phi, negate(X.p)))

const inverseSym = ([xx, xy, xz, yy, yz, zz]: Sym3): Sym3 => {
  const [a, b, c] = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy]
  const s = 1 / (xx * a + xy * b + xz * c)
  return [s * a, s * b, s * c, s * (xx * zz - xz * xz), s * (xy * xz - xx * yz), s * (xx * yy - xy * xy)]
}

/** ( A B ; Bᵀ C )⁻¹, by the complement of C. The inverse of an inertia is a compliance and the other way round: blocks change places. */
export const inverse = ({ A, B, C }: Articulated): Articulated => {
  const Ci = full(inverseSym(C))
  const K = mul(B, Ci)
  const P = inverseSym(sub(A, upper(mul(K, transpose(B)))))
  const Q = negate(mul(full(P), K))
  return { A: P, B: Q, C: sub(upper(Ci), upper(mul(transpose(K), Q))) }
}

/** A compliance as an inertia and back: (linear; angular) ↔ (angular; linear). */
const swapped = ({ A, B, C }: Articulated): Articulated => ({ A: C, B: transpose(B), C: A })

/** The rigid inertia of a leaf: its share of the body's. */
export const inertiaOf = (m: Tree, a: Parts, n: Int): Rigid => scale(1 / a.pieces[n], m.inertia[a.body[n]])

/** Φ of a leaf: all handles are in the body's frame, so that every block is M⁻¹; 0 of the ground. */
function answerLeaf(m: Tree, a: Parts, n: Int): void {
  const st = 6 * a.handles[n]
  if (a.body[n] === 0) {
    for (let k = 0; k < st * st; k++) a.Phi[a.square[n] + k] = 0
  } else {
    const { A, B, C } = inverse(articulated(inertiaOf(m, a, n)))
    const [over, under] = [full(A), full(C)]
    const back = transpose(B)
    for (let h = 0; h < a.handles[n]; h++) {
      for (let g = 0; g < a.handles[n]; g++) {
        const at = a.square[n] + 6 * h * st + 6 * g
        for (let r = 0; r < 3; r++) setForce(a.Phi, at + r * st, { n: over[r], f: B[r] })
        for (let r = 0; r < 3; r++) setForce(a.Phi, at + (3 + r) * st, { n: back[r], f: under[r] })
      }
    }
  }
}

/** Φ of the leaves from … to − 1, which never changes. @kernel */
export function answerLeaves(m: Tree, a: Parts, from: Int, to: Int): void {
  for (let n = from; n < to; n++) {
    if (a.body[n] >= 0) answerLeaf(m, a, n)
  }
}

/** b = M⁻¹ (f − V ×* M V) of a leaf that moves at V, and −g of the ground; the same at all handles. */
export function moveLeaf(m: Tree, a: Parts, n: Int, V: Motion, pull: Force): void {
  const first = 6 * a.row[n]
  if (a.body[n] === 0) {
    for (let h = 0; h < a.handles[n]; h++) setMotion(a.b, first + 6 * h, a.ground[0])
  } else {
    const st = 6 * a.handles[n]
    const force = sub(scale(1 / a.pieces[n], pull), crossForce(V, mulRigid(inertiaOf(m, a, n), V)))
    for (let r = 0; r < 6; r++) {
      const { n: x, f: y } = forceAt(a.Phi, a.square[n] + r * st)
      const rate = dot(x, force.n) + dot(y, force.f)
      for (let h = 0; h < a.handles[n]; h++) a.b[first + 6 * h + r] = rate
    }
  }
}

/** Reads V, and f where `loaded` is 1. Writes b of the leaves from … to − 1. @kernel */
export function moveLeaves(m: Tree, d: Work, a: Parts, loaded: Int, from: Int, to: Int): void {
  for (let n = from; n < to; n++) {
    if (a.body[n] >= 0) moveLeaf(m, a, n, d.V[a.body[n]], loaded === 1 ? d.f[a.body[n]] : NO_FORCE)
  }
}

/** Row r of the handles that stay, as a row of the part it belongs to: those of A without the principal joint, then those of B behind its handle 0. */
export const rowInFirst = (r: Int, slot: Int): Int => (r < 6 * slot ? r : r + 6)

/** W, γ from τ, and U, D, u of the principal joint's velocities. */
function eliminatePrincipal(m: Tree, d: Work, a: Parts, tau: Lanes<number>, j: Int, V: Articulated, velocities: Velocities) {
  return velocities.down(m, j, d.S, { W: V, gamma: NO_FORCE as Force }, ({ W, gamma }, k, S) => {
    const { U, D, u, IA, pA } = eliminateVelocity(W, gamma, S, tau[k], m.armature[k])
    a.UJ[k] = U
    a.DJ[k] = D
    a.uJ[k] = u
    return { W: IA, gamma: pA }
  })
}

/** The accelerations of the principal joint, where without it the parts would move apart at A: q̈ into out. */
export function acceleratePrincipal(m: Tree, d: Work, a: Parts, out: Lanes<number>, j: Int, start: Motion): void {
  forBody(m, j, (velocities) => {
    velocities.up(m, j, d.S, start, (A, k, S) => {
      const x = a.DJ[k] * (a.uJ[k] - power(A, a.UJ[k]))
      out[k] = x
      return add(A, scale(x, S))
    })
  })
}

/** Joins the two parts of node n. Reads Φ and b of the parts, X_PB, S and c of the joint. @kernel */
export function assemble(m: Tree, d: Work, a: Parts, tau: Lanes<number>, n: Int): void {
  const [A, B, j] = [a.first[n], a.second[n], a.joint[n]]
  const slot = a.slot[n]
  const [inA, inB, size] = [6 * a.handles[A], 6 * a.handles[B], 6 * a.handles[n]]
  const [phiA, phiB, phi] = [a.square[A], a.square[B], a.square[n]]
  const X = d.X_PB[j]
  const stay = inA - 6

  const V = inverse(
    swapped(add(complianceAt(a.Phi, phiB, inB), complianceToChild(X, complianceAt(a.Phi, phiA + 6 * slot * (inA + 1), inA)))),
  )
  const beta = add(sub(motionToChild(X, motionAt(a.b, 6 * (a.row[A] + slot))), motionAt(a.b, 6 * a.row[B])), d.c[j])
  forBody(m, j, (velocities) => {
    const { W, gamma } = eliminatePrincipal(m, d, a, tau, j, V, velocities)
    a.W[n] = W
    a.gamma[n] = add(gamma, mulArticulated(W, beta))
  })
  a.beta[n] = beta
  const W = a.W[n]
  const gamma = a.gamma[n]

  // G and W G row by row, and b
  const row = 6 * a.innerRow[n]
  const b = 6 * a.row[n]
  for (let r = 0; r < size; r++) {
    if (r < stay) {
      const i = rowInFirst(r, slot)
      const g = motionToChild(X, motionAt(a.Phi, phiA + i * inA + 6 * slot))
      a.G[row + r] = g
      a.WG[row + r] = mulArticulated(W, g)
      a.b[b + r] = a.b[6 * a.row[A] + i] - power(g, gamma)
    } else {
      const i = r - stay + 6
      const g = negate(motionAt(a.Phi, phiB + i * inB))
      a.G[row + r] = g
      a.WG[row + r] = mulArticulated(W, g)
      a.b[b + r] = a.b[6 * a.row[B] + i] - power(g, gamma)
    }
  }

  // Φ, the lower half mirrored
  for (let r = 0; r < size; r++) {
    const g = a.G[row + r]
    for (let s = 0; s <= r; s++) {
      let own = 0
      if (r < stay) own = a.Phi[phiA + rowInFirst(r, slot) * inA + rowInFirst(s, slot)]
      else if (s >= stay) own = a.Phi[phiB + (r - stay + 6) * inB + (s - stay + 6)]
      const x = own - power(g, a.WG[row + s])
      a.Phi[phi + r * size + s] = x
      a.Phi[phi + s * size + r] = x
    }
  }
}

/** From f of node n: accelerations of its principal joint, and f of its parts. Reads what `assemble` wrote. @kernel */
export function distribute(m: Tree, d: Work, a: Parts, out: Lanes<number>, n: Int): void {
  const [A, B, j] = [a.first[n], a.second[n], a.joint[n]]
  const slot = a.slot[n]
  const stay = 6 * a.handles[A] - 6
  const row = 6 * a.innerRow[n]
  const f = 6 * a.row[n]
  const [toA, toB] = [6 * a.row[A], 6 * a.row[B]]
  let apart = a.beta[n]
  let wrench = a.gamma[n]
  for (let r = 0; r < 6 * a.handles[n]; r++) {
    const x = a.f[f + r]
    apart = add(apart, scale(x, a.G[row + r]))
    wrench = add(wrench, scale(x, a.WG[row + r]))
    if (r < stay) a.f[toA + rowInFirst(r, slot)] = x
    else a.f[toB + r - stay + 6] = x
  }
  setForce(a.f, toB, wrench)
  setForce(a.f, toA + 6 * slot, negate(forceToParent(d.X_PB[j], wrench)))
  acceleratePrincipal(m, d, a, out, j, apart)
}

/** Leaves to root, over the inner nodes from … to − 1. @kernel */
export function assembleNodes(m: Tree, d: Work, a: Parts, tau: Lanes<number>, from: Int, to: Int): void {
  for (let n = from; n < to; n++) {
    if (a.body[n] < 0) assemble(m, d, a, tau, n)
  }
}

/** Root to leaves, after `assembleNodes`: the accelerations, into out. @kernel */
export function distributeNodes(m: Tree, d: Work, a: Parts, out: Lanes<number>, from: Int, to: Int): void {
  for (let n = to - 1; n >= from; n--) {
    if (a.body[n] < 0) distribute(m, d, a, out, n)
  }
}
