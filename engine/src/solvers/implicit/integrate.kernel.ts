/**
 * The end of a step: v⁺ = v + h a, q⁺ = q ⊕ h v⁺, activations. An environment whose next state would not be finite stays where it is.
 *
 * The linear velocity u of a free joint is along axes of its body, which turn. It is integrated along fixed axes, as in MuJoCo: in the frame at
 * the start of the step
 *   u⁺ = u + h (a + w × u),   p⁺ = p + h R u⁺,   then u⁺ ← exp(h w⁺)ᵀ u⁺
 * u + h a alone would grow by (h w)² / 2 a step: by half in a second of flight at 20 rad/s and h = 2 ms.
 */
import { motionAt, placeAt, turned } from '../../joints/curved.kernel.js'
import { integrateBall } from '../../joints/integrate.kernel.js'
import { add, type Int, scale } from '../../math/values/columns.js'
import { isFinite } from '../../math/values/form.js'
import { expQuat, halfTurn, quatRotation } from '../../math/values/rotation.js'
import { cross, rotate, rotateBack } from '../../math/values/spatial.js'
import { FREE, type Tree } from '../../model/tables.js'
import { nextActivation } from './linearise.kernel.js'
import type { Ground, GroundStep } from './tables.js'

/** The free joint of step n: place, and velocity along the axes of its body at the end. */
function moveFree(m: Tree, g: Ground, s: GroundStep, n: Int): void {
  const h = g.h[0]
  const k = m.stepQ[n]
  const j = m.stepV[n]
  const start = motionAt(g.v, j)
  const end = motionAt(s.vNext, j)
  const u = add(end.v, scale(h, cross(start.w, start.v)))
  const r = scale(h, end.w)
  const half = halfTurn(r)
  const place = placeAt(g.q, k)
  const p = add(place.p, rotate(quatRotation(place.turn), scale(h, u)))
  const turn = turned(place.turn, r, half)
  const v = rotateBack(quatRotation(expQuat(r, half)), u)
  for (let e = 0; e < 3; e++) s.qNext[k + e] = p[e]
  for (let e = 0; e < 4; e++) s.qNext[k + 3 + e] = turn[e]
  for (let e = 0; e < 3; e++) s.vNext[j + 3 + e] = v[e]
}

/** Reads a. Writes q, v, act, steps, failed. @kernel */
export function advance(m: Tree, g: Ground, s: GroundStep): void {
  const h = g.h[0]
  // poses of driven bodies have no velocity
  for (let k = 0; k < g.nq; k++) s.qNext[k] = g.q[k]
  for (let k = 0; k < g.nv; k++) {
    s.vNext[k] = g.v[k] + h * g.a[k]
    const c = m.coordinate[k]
    if (c >= 0) s.qNext[c] = g.q[c] + h * s.vNext[k]
  }
  for (let n = 0; n < m.curvedCount; n++) {
    const c = m.curved[n]
    if (m.stepKind[c] === FREE) moveFree(m, g, s, c)
    else integrateBall(m, s.qNext, g.q, s.vNext, h, c)
  }
  let isGood = true
  for (let k = 0; k < g.nv; k++) isGood = isGood && isFinite(s.vNext[k])
  for (let k = 0; k < g.nq; k++) isGood = isGood && isFinite(s.qNext[k])
  for (let n = 0; n < g.actuatorCount; n++) {
    const w = g.activation[n]
    if (w >= 0) g.act[w] = isGood ? nextActivation(g, n) : g.act[w]
  }
  for (let k = 0; k < g.nv; k++) {
    g.v[k] = isGood ? s.vNext[k] : g.v[k]
    // what could not be used is no start for the next step
    g.a[k] = isGood ? g.a[k] : 0
  }
  for (let k = 0; k < g.nq; k++) g.q[k] = isGood ? s.qNext[k] : g.q[k]
  g.steps[0] = isGood ? g.steps[0] + 1 : g.steps[0]
  g.failed[0] = isGood ? 0 : 1
}
