/**
 * Motion along velocities, q ← q ⊕ h v, the way back, v ← b ⊖ a, and rates of local coordinates: turns and slides have plain ones, others come
 * from `joints/curved.kernel`.
 */
import { type Int, type Lanes, type Shared, scale } from '../math/values/columns.js'
import { halfTurn } from '../math/values/rotation.js'
import type { Vec3 } from '../math/values/spatial.js'
import { BALL, type Tree } from '../model/tables.js'
import { between, motionAt, placeAt, quatAt, shifted, slideBetween, slidingRate, turned, turningRate } from './curved.kernel.js'

/** The joints of body i. */
export function integrateBody(m: Tree, q: Lanes<number>, v: Lanes<number>, h: number, i: Int): void {
  for (let s = m.firstStep[i]; s < m.stepEnd[i]; s++) {
    const k = m.stepQ[s]
    if (m.stepKind[s] < BALL) q[k] = q[k] + h * v[m.stepV[s]]
    else integrateCurved(m, q, v, h, s)
  }
}

/** The ball or free joint of step s. */
function integrateCurved(m: Tree, q: Lanes<number>, v: Lanes<number>, h: number, s: Int): void {
  const k = m.stepQ[s]
  const j = m.stepV[s]
  if (m.stepKind[s] === BALL) {
    integrateBall(m, q, q, v, h, s)
  } else {
    const x = scale(h, motionAt(v, j))
    const half = halfTurn(x.w)
    const place = placeAt(q, k)
    const p = shifted(place, x, half)
    const turn = turned(place.turn, x.w, half)
    for (let r = 0; r < 3; r++) q[k + r] = p[r]
    for (let r = 0; r < 4; r++) q[k + 3 + r] = turn[r]
  }
}

/** out ← q ⊕ h v of the ball of step s. */
export function integrateBall(m: Tree, out: Lanes<number>, q: Lanes<number>, v: Lanes<number>, h: number, s: Int): void {
  const k = m.stepQ[s]
  const j = m.stepV[s]
  const r: Vec3 = [h * v[j], h * v[j + 1], h * v[j + 2]]
  const turn = turned(quatAt(q, k), r, halfTurn(r))
  for (let e = 0; e < 4; e++) out[k + e] = turn[e]
}

/** q ← q ⊕ h v for every joint and mode. */
export function integrateAll(m: Tree, q: Lanes<number>, v: Lanes<number>, h: number): void {
  for (let k = 0; k < m.nv; k++) {
    const c = m.coordinate[k]
    if (c >= 0) q[c] = q[c] + h * v[k]
  }
  for (let n = 0; n < m.curvedCount; n++) integrateCurved(m, q, v, h, m.curved[n])
}

/** v ← b ⊖ a for every joint and mode, so that a ⊕ v = b. */
export function differenceAll(m: Tree, v: Lanes<number>, a: Lanes<number>, b: Lanes<number>): void {
  for (let k = 0; k < m.nv; k++) {
    const c = m.coordinate[k]
    if (c >= 0) v[k] = b[c] - a[c]
  }
  for (let n = 0; n < m.curvedCount; n++) {
    const s = m.curved[n]
    const k = m.stepQ[s]
    const j = m.stepV[s]
    if (m.stepKind[s] === BALL) {
      const { r } = between(quatAt(a, k), quatAt(b, k))
      for (let e = 0; e < 3; e++) v[j + e] = r[e]
    } else {
      const from = placeAt(a, k)
      const to = placeAt(b, k)
      const turn = between(from.turn, to.turn)
      const slide = slideBetween(from, to, turn)
      for (let e = 0; e < 3; e++) v[j + e] = turn.r[e]
      for (let e = 0; e < 3; e++) v[j + 3 + e] = slide[e]
    }
  }
}

/** q ← q ⊕ h[0] v for every joint. @kernel */
export function integrateJoints(m: Tree, q: Lanes<number>, v: Lanes<number>, h: Shared<number>): void {
  for (let i = 1; i < m.nbody; i++) integrateBody(m, q, v, h[0], i)
}

/** out[at + k] ← rate of the local coordinates xi of q₀ ⊕ xi at velocity v, for every joint. */
export function localRate(m: Tree, out: Lanes<number>, at: Int, xi: Lanes<number>, v: Lanes<number>): void {
  for (let i = 1; i < m.nbody; i++) {
    for (let s = m.firstStep[i]; s < m.stepEnd[i]; s++) {
      const kind = m.stepKind[s]
      const j = m.stepV[s]
      if (kind < BALL) out[at + j] = v[j]
      else if (kind === BALL) {
        const r: Vec3 = [xi[j], xi[j + 1], xi[j + 2]]
        const w = turningRate(r, [v[j], v[j + 1], v[j + 2]], halfTurn(r))
        for (let r = 0; r < 3; r++) out[at + j + r] = w[r]
      } else {
        const x = motionAt(xi, j)
        const V = motionAt(v, j)
        const half = halfTurn(x.w)
        const w = turningRate(x.w, V.w, half)
        const u = slidingRate(x, V, half)
        for (let r = 0; r < 3; r++) out[at + j + r] = w[r]
        for (let r = 0; r < 3; r++) out[at + j + 3 + r] = u[r]
      }
    }
  }
}
