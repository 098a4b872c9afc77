/**
 * Factor and solve of implicit systems on the tree, O(n): Jᵀ (I + B) J + diag(armature + r); `tree/implicit-factor` says what for.
 *
 *   W = L⁻¹ (IA S)ᵀ with L Lᵀ = Sᵀ IA S + diag,   IA(p) += X⁻ᵀ (IA − Wᵀ W) X⁻¹
 *   backward  w = L⁻¹ (x − Sᵀ p),   p(parent) += X⁻ᵀ (p + Wᵀ w)
 *   forward   y = L⁻ᵀ (w − W a'),   a = a' + S y,   a' = X⁻¹ a(parent)
 * L is a lower triangle of velocities by velocities for each body, of which the diagonal is kept as its inverse. A body on a moved frame has a
 * row of its own for what it hangs on, in IA, p and a: `tree/implicit-factor-modes` takes it from there and puts it there.
 */
import { add, type Int, type Lanes, scale, sub } from '../math/values/columns.js'
import {
  type Articulated,
  articulated,
  type Force,
  forceToParent,
  inertiaToParent,
  type Motion,
  motionToChild,
  mulArticulated,
  NO_FORCE,
  outer,
  type Pose,
  power,
} from '../math/values/spatial.js'
import type { Tree } from '../model/tables.js'

export interface Factor {
  readonly X_PB: Lanes<Pose>
  readonly S: Lanes<Motion>
  readonly IA: Lanes<Articulated>
  /** rows of W */
  readonly W: Lanes<Force>
  readonly L: Lanes<number>
  /** r of each velocity */
  readonly r: Lanes<number>
  /** the smallest pivot: the matrix is positive definite where it is above zero */
  readonly least: Lanes<number>
  /** scratch: a force and a motion a body */
  readonly p: Lanes<Force>
  readonly a: Lanes<Motion>
}

/** Reads X_PB, S, r, and IA = B. Writes W, L, least; IA as it is when the body's velocities go. @kernel */
export function factorTree(m: Tree, f: Factor): void {
  startFactor(m, f)
  factorBodies(m, f, 1, 1, m.nbody)
}

/** IA of every body alone. @kernel */
export function startFactor(m: Tree, f: Factor): void {
  f.least[0] = 1e300
  startBodies(m, f, 1, m.nbody)
}

/** IA of the bodies from … to − 1 alone. @kernel */
export function startBodies(m: Tree, f: Factor, from: Int, to: Int): void {
  for (let i = from; i < to; i++) f.IA[i] = add(f.IA[i], articulated(m.inertia[i]))
}

/**
 * The bodies from … to − 1, the last first. Bodies whose parents are before `top` keep in IA what they would add there, in the parent's frame.
 * @kernel
 */
export function factorBodies(m: Tree, f: Factor, top: Int, from: Int, to: Int): void {
  let least = f.least[0]
  for (let i = to - 1; i >= from; i--) {
    const first = m.iv[i]
    const n = m.ivEnd[i] - first
    const block = m.id[i]
    let IA = f.IA[i]
    for (let r = 0; r < n; r++) {
      // row r of L, and of W = L⁻¹ (IA S)ᵀ: what the rows before it leave
      let U = mulArticulated(f.IA[i], f.S[first + r])
      for (let c = 0; c < r; c++) {
        const l = power(f.S[first + r], f.W[first + c])
        f.L[block + r * n + c] = l
        U = sub(U, scale(l, f.W[first + c]))
      }
      const pivot = power(f.S[first + r], U) + m.armature[first + r] + f.r[first + r]
      least = Math.min(least, pivot)
      const x = 1 / Math.sqrt(pivot)
      const W = scale(x, U)
      f.L[block + r * n + r] = x
      f.W[first + r] = W
      IA = sub(IA, outer(W, W))
    }
    const b = m.base[i]
    if (b >= top) f.IA[b] = add(f.IA[b], inertiaToParent(f.X_PB[i], IA))
    else if (b > 0) f.IA[i] = inertiaToParent(f.X_PB[i], IA)
  }
  f.least[0] = least
}

/** out = the inverse times x. @kernel */
export function solveFactored(m: Tree, f: Factor, out: Lanes<number>, x: Lanes<number>): void {
  for (let i = 1; i < m.nbody; i++) f.p[i] = NO_FORCE
  solveFactorUp(m, f, out, x, 1, 1, m.nbody)
  solveFactorDown(m, f, out, 1, m.nbody)
}

/** Backward over the bodies from … to − 1: out = w. Bodies whose parents are before `top` keep in p what they would add there. @kernel */
export function solveFactorUp(m: Tree, f: Factor, out: Lanes<number>, x: Lanes<number>, top: Int, from: Int, to: Int): void {
  for (let i = to - 1; i >= from; i--) {
    const first = m.iv[i]
    const n = m.ivEnd[i] - first
    const block = m.id[i]
    let p = f.p[i]
    const own = p
    for (let r = 0; r < n; r++) {
      let w = x[first + r] - power(f.S[first + r], own)
      for (let c = 0; c < r; c++) w = w - f.L[block + r * n + c] * out[first + c]
      w = w * f.L[block + r * n + r]
      out[first + r] = w
      p = add(p, scale(w, f.W[first + r]))
    }
    const b = m.base[i]
    if (b >= top) f.p[b] = add(f.p[b], forceToParent(f.X_PB[i], p))
    else if (b > 0) f.p[i] = forceToParent(f.X_PB[i], p)
  }
}

/** Forward over them: out = y, which holds w. @kernel */
export function solveFactorDown(m: Tree, f: Factor, out: Lanes<number>, from: Int, to: Int): void {
  for (let i = from; i < to; i++) {
    const first = m.iv[i]
    const n = m.ivEnd[i] - first
    const block = m.id[i]
    const start = motionToChild(f.X_PB[i], f.a[m.base[i]])
    let a = start
    for (let r = n - 1; r >= 0; r--) {
      let y = out[first + r] - power(start, f.W[first + r])
      for (let c = r + 1; c < n; c++) y = y - f.L[block + c * n + r] * out[first + c]
      y = y * f.L[block + r * n + r]
      out[first + r] = y
      a = add(a, scale(y, f.S[first + r]))
    }
    f.a[i] = a
  }
}
