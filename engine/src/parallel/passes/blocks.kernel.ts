/**
 * Blocks of a long chain, which are worked on at the same time: divide and conquer [Featherstone99] over runs of bodies, each done by the
 * articulated-body algorithm.
 *
 * A block hangs on a body with acceleration A, and the rest of the chain pulls at its last body with the wrench f, at that body's origin. The bias
 * force that it leaves at its top is linear in f, pA + P f, and so is the acceleration of its last body,
 *   A_last = −Pᵀ A + Φ f + b
 * The columns of P start as −1 at the last body and go through the same eliminations as pA. With w = −Sᵀ P, what f adds to u:
 *   P += D U wᵀ,   Φ += D w wᵀ,   b += D u w − Pᵀ c
 * Everything is along the world's axes, as in `tree/aba.kernel`.
 */
import { forBody, type Velocities } from '../../joints/place.kernel.js'
import { add, type Int, type Lanes, negate, scale, sub } from '../../math/values/columns.js'
import {
  type Force,
  mulPose,
  ONE,
  power,
  REST,
  rotateForce,
  rotateMotion,
  shiftForce,
  shiftInertia,
  shiftMotion,
  ZERO,
} from '../../math/values/spatial.js'
import type { Tree, Work } from '../../model/tables.js'
import type { Blocks } from './tables.js'

const unitForce = (c: Index): Force => {
  const e = (k: number): number => (k === c ? 1 : 0)
  return { n: [e(0), e(1), e(2)], f: [e(3), e(4), e(5)] }
}

/** Reads X_PB, S, v. Writes X and V of the block from … to − 1. @kernel */
export function moveBlock(m: Tree, d: Work, x: Blocks, v: Lanes<number>, block: Int, from: Int, to: Int): void {
  let X = { R: ONE, p: ZERO }
  let V = REST
  for (let i = from; i < to; i++) {
    const next = mulPose(X, d.X_PB[i])
    V = shiftMotion(V, sub(next.p, X.p))
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) V = add(V, scale(v[k], rotateMotion(next.R, d.S[k])))
    X = next
  }
  x.X[block] = X
  x.V[block] = V
}

type Index = 0 | 1 | 2 | 3 | 4 | 5
type Six<T> = readonly [T, T, T, T, T, T]
const six = <T>(f: (c: Index) => T): Six<T> => [f(0), f(1), f(2), f(3), f(4), f(5)]

/** The columns P over body i: w of its velocities, what they add to Φ and b; P at the parent. */
function condenseBody(m: Tree, d: Work, x: Blocks, block: Int, i: Int, velocities: Velocities): void {
  const r = sub(d.X_WB[i].p, d.X_WB[m.parent[i]].p)
  const c = d.cW[i]
  const start = six((k) => x.P[6 * block + k])
  const own = six((k) => x.b[6 * block + k] - power(c, start[k]))
  const { P, b } = velocities.down(m, i, d.SW, { P: start, b: own }, ({ P, b }, k, S) => {
    const D = d.D[k]
    const U = d.U[k]
    const w = six((e) => -power(S, P[e]))
    const Dw = six((e) => D * w[e])
    const u = d.u[k]
    for (let e = 0; e < 6; e++) {
      x.u6[6 * k + e] = w[e as Index]
      for (let g = 0; g <= e; g++) {
        x.Phi[36 * block + 6 * e + g] = x.Phi[36 * block + 6 * e + g] + Dw[e as Index] * w[g as Index]
      }
    }
    return { P: six((e) => add(P[e], scale(Dw[e], U))), b: six((e) => b[e] + Dw[e] * u) }
  })
  for (let k = 0; k < 6; k++) {
    x.P[6 * block + k] = shiftForce(P[k as Index], r)
    x.b[6 * block + k] = b[k as Index]
  }
}

/** After `eliminateTree` over the block from … to − 1. Reads SW, cW, U, D, u. Writes P, Φ, b of the block, u6 of its velocities. @kernel */
export function condenseBlock(m: Tree, d: Work, x: Blocks, block: Int, from: Int, to: Int): void {
  for (let k = 0; k < 6; k++) {
    x.P[6 * block + k] = negate(unitForce(k as Index))
    x.b[6 * block + k] = 0
  }
  for (let e = 0; e < 36; e++) x.Phi[36 * block + e] = 0
  for (let i = to - 1; i >= from; i--) forBody(m, i, (velocities) => condenseBody(m, d, x, block, i, velocities))
  for (let e = 0; e < 6; e++) for (let g = 0; g < e; g++) x.Phi[36 * block + 6 * g + e] = x.Phi[36 * block + 6 * e + g]
}

/** u of the velocities of the bodies from … to − 1, with the six numbers of f. @kernel */
export function loadBlock(m: Tree, d: Work, x: Blocks, f: Lanes<number>, from: Int, to: Int): void {
  for (let i = from; i < to; i++) {
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) {
      let u = d.u[k]
      for (let c = 0; c < 6; c++) u = u + x.u6[6 * k + c] * f[c]
      d.u[k] = u
    }
  }
}

/** What `eliminateTree` left at body i, seen from its parent. @kernel */
export function shiftToParent(m: Tree, d: Work, i: Int): void {
  const r = sub(d.X_WB[i].p, d.X_WB[m.parent[i]].p)
  d.IA[i] = shiftInertia(d.IA[i], r)
  d.pA[i] = shiftForce(d.pA[i], r)
}

/** What `shiftToParent` left at body i is added to its parent. @kernel */
export function addToParent(m: Tree, d: Work, i: Int): void {
  const b = m.base[i]
  d.IA[b] = add(d.IA[b], d.IA[i])
  d.pA[b] = add(d.pA[b], d.pA[i])
}

/** Wrenches from outside on the bodies from … to − 1 join the bias forces that `sweepTree` found without them. @kernel */
export function loadBodies(d: Work, from: Int, to: Int): void {
  for (let i = from; i < to; i++) d.pA[i] = sub(d.pA[i], rotateForce(d.X_WB[i].R, d.f[i]))
}
