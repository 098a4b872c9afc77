/**
 * The articulated-body elimination of A + Σ JᵀGJ, and the accelerations that follow from it [RBDA, table 7.1], along world axes.
 *
 *   IA = I + K + Σ children,  pA = V ×* I V + K E − Jᵀφ + Σ children      K = Σ JᵀGJ of the contacts with the world
 *   D = SᵀU + diag + G of the rows,  u = qf + φ of the rows − Sᵀ pA
 * Bodies below which no row has changed keep their last elimination. A body on a free joint, whose axes S are an orthonormal basis, is solved
 * for its acceleration at once: (IA + S diag Sᵀ) X = S u, by blocks of three.
 */
import { forBody, type Velocities } from '../../joints/place.kernel.js'
import { add, any, type Int, type Lanes, scale, sub } from '../../math/values/columns.js'
import {
  type Articulated,
  articulated,
  type Force,
  full,
  type Mat3,
  type Motion,
  mul,
  mulArticulated,
  outer,
  power,
  rotate,
  rotateBack,
  type Sym3,
  shiftForce,
  shiftInertia,
  shiftMotion,
  transpose,
  turnSym,
  upper,
  type Vec3,
} from '../../math/values/spatial.js'
import type { Tree, Work } from '../../model/tables.js'
import type { Ground, GroundStep, RootFactor } from './tables.js'

/** Articulated inertia and bias force of body i. */
function assemble(d: Work, g: Ground, s: GroundStep, i: Int): { readonly IA: Articulated; readonly pA: Force } {
  let IA = articulated(s.I[i])
  let pA = s.bias[i]
  if (any(s.touch[i] > 0)) {
    IA = add(IA, s.K[i])
    pA = add(pA, s.F[i])
  }
  for (let e = g.childStart[i]; e < g.childStart[i + 1]; e++) {
    const c = g.child[e]
    IA = add(IA, s.up[c])
    pA = add(pA, s.upForce[c])
  }
  return { IA, pA: add(pA, mulArticulated(IA, d.cW[i])) }
}

function eliminateBody(m: Tree, d: Work, g: Ground, s: GroundStep, i: Int, velocities: Velocities): void {
  const last = velocities.down(m, i, d.SW, assemble(d, g, s, i), ({ IA, pA }, k, S) => {
    const U = mulArticulated(IA, S)
    const D = 1 / (power(S, U) + (s.diag[k] + s.rowG[k]))
    const u = s.qf[k] + s.rowPhi[k] - power(S, pA)
    const W = scale(D, U)
    d.U[k] = U
    d.D[k] = D
    d.u[k] = u
    return { IA: sub(IA, outer(W, U)), pA: add(pA, scale(u, W)) }
  })
  const p = m.parent[i]
  if (p === 0) return
  const r = sub(d.X_WB[i].p, d.X_WB[p].p)
  s.up[i] = shiftInertia(last.IA, r)
  s.upForce[i] = shiftForce(last.pA, r)
  s.dirty[p] = Math.max(s.dirty[p], s.dirty[i])
}

/** Inverse of a symmetric matrix, by cofactors. */
function inverse([a, b, c, d, e, f]: Sym3): Sym3 {
  const [A, B, C] = [d * f - e * e, c * e - b * f, b * e - c * d]
  return scale(1 / (a * A + b * B + c * C), [A, B, C, a * f - c * c, b * c - a * e, a * d - b * b])
}

const at3 = (x: Lanes<number>, k: Int): Vec3 => [x[k], x[k + 1], x[k + 2]]
const diagonalOf = (x: Vec3): Sym3 => [x[0], 0, 0, x[1], 0, x[2]]

/** X with inertia · X = F. */
export function solveRoot({ P, Q, R }: RootFactor, { n, f }: Force): Motion {
  const y = rotate(full(P), f)
  const w = rotate(full(R), sub(n, rotate(Q, f)))
  return { w, v: sub(y, rotateBack(Q, w)) }
}

/** Factor of a free body, and its force u along world axes. */
function eliminateRoot(m: Tree, d: Work, g: Ground, s: GroundStep, i: Int): void {
  const k = m.iv[i]
  const X = d.X_WB[i].R
  const { IA, pA } = assemble(d, g, s, i)
  const turning = add(at3(s.diag, k), at3(s.rowG, k))
  const moving = add(at3(s.diag, k + 3), at3(s.rowG, k + 3))
  let A = IA.A
  let C = IA.C
  if (any(turning[0] + turning[1] + turning[2] + (moving[0] + moving[1] + moving[2]) > 0)) {
    A = add(A, turnSym(X, diagonalOf(turning)))
    C = add(C, turnSym(X, diagonalOf(moving)))
  }
  // ( A B ; Bᵀ C )⁻¹ by P = C⁻¹, Q = B P, R = (A − Q Bᵀ)⁻¹
  const P = inverse(C)
  const Q: Mat3 = mul(IA.B, full(P))
  s.root[i] = { P, Q, R: inverse(sub(A, upper(mul(Q, transpose(IA.B))))) }
  const torque = rotate(X, add(at3(s.qf, k), at3(s.rowPhi, k)))
  const force = rotate(X, add(at3(s.qf, k + 3), at3(s.rowPhi, k + 3)))
  // less what the acceleration of the world, which is gravity, takes
  s.upForce[i] = sub({ n: torque, f: force }, add(pA, mulArticulated(IA, d.AW[0])))
}

/** Leaves to root: U, D, u of the bodies that are marked and of those above them. @kernel */
export function eliminate(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  for (let i = m.nbody - 1; i > 0; i--) {
    if (any(s.dirty[i] > 0)) {
      if (g.freeBody[i] === 1) eliminateRoot(m, d, g, s, i)
      else forBody(m, i, (velocities) => eliminateBody(m, d, g, s, i, velocities))
      s.dirty[i] = 0
    }
  }
}

function accelerateBody(m: Tree, d: Work, s: GroundStep, i: Int, velocities: Velocities): void {
  const start = shiftMotion(d.AW[m.base[i]], sub(d.X_WB[i].p, d.X_WB[m.parent[i]].p))
  const A = velocities.up(m, i, d.SW, start, (A, k, S) => {
    const a = (d.u[k] - power(A, d.U[k])) * d.D[k]
    s.aNew[k] = a
    return add(A, scale(a, S))
  })
  d.AW[i] = add(A, d.cW[i])
}

/** out = components of X along the axes of the free joint of body i. */
export function alongAxes(m: Tree, d: Work, out: Lanes<number>, i: Int, X: Motion): void {
  const k = m.iv[i]
  const w = rotateBack(d.X_WB[i].R, X.w)
  const v = rotateBack(d.X_WB[i].R, X.v)
  for (let r = 0; r < 3; r++) out[k + r] = w[r]
  for (let r = 0; r < 3; r++) out[k + 3 + r] = v[r]
}

function accelerateRoot(m: Tree, d: Work, s: GroundStep, i: Int): void {
  const X = solveRoot(s.root[i], s.upForce[i])
  alongAxes(m, d, s.aNew, i, X)
  d.AW[i] = add(shiftMotion(d.AW[0], d.X_WB[i].p), X, d.cW[i])
}

/** Root to leaves: aNew, AW. @kernel */
export function accelerate(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  for (let i = 1; i < m.nbody; i++) {
    if (g.freeBody[i] === 1) accelerateRoot(m, d, s, i)
    else forBody(m, i, (velocities) => accelerateBody(m, d, s, i, velocities))
  }
}
