/**
 * Root to leaves: poses, velocities, inertias and bias forces of the bodies, along world axes at their origins.
 *
 *   E(i) = V(i)/h − bias acceleration,   E(i) = shift E(p) + (V(i) − shift V(p))/h − c(i),   E(world) = g
 * and E(i) += (0; w × u) of a free joint, whose velocity (w; u) is along axes that turn: rates of velocities along fixed axes count,
 * so that the rate of a contact over h at the end of the step is J (A + E), A the acceleration of its body in `tree/aba`.
 */
import { forBody, type Velocities } from '../../joints/place.kernel.js'
import { add, type Int, negate, scale, sub } from '../../math/values/columns.js'
import {
  cross,
  crossForce,
  crossMotion,
  type Force,
  mul,
  mulRigid,
  REST,
  type Rigid,
  rotate,
  rotateMotion,
  rotateRigid,
  shiftMotion,
  ZERO,
} from '../../math/values/spatial.js'
import type { Tree, Work } from '../../model/tables.js'
import type { Ground, GroundStep } from './tables.js'

/** Forces on body i that do not depend on the step: gravity compensation, and pushes at the centre of mass. */
function outsideForce(g: Ground, I: Rigid, i: Int): Force {
  const { n, f } = g.push[i]
  const lifted = scale(g.gravityCompensation[i], g.gravity[0])
  const compensation: Force = { n: negate(cross(I.h, lifted)), f: negate(scale(I.m, lifted)) }
  const arm = scale(1 / Math.max(I.m, 1e-12), I.h)
  const push: Force = { n: add(n, cross(arm, f)), f }
  return add(compensation, push)
}

function placeBody(m: Tree, d: Work, g: Ground, s: GroundStep, i: Int, velocities: Velocities): void {
  const b = m.base[i]
  const P = d.X_WB[m.parent[i]]
  const r = rotate(P.R, d.X_PB[i].p)
  const X = { R: mul(P.R, d.X_PB[i].R), p: add(r, P.p) }
  d.X_WB[i] = X
  const start = shiftMotion(d.VW[b], r)
  const { V, c, Y } = velocities.up(m, i, d.S, { V: start, before: start, c: REST, Y: REST }, ({ V, before, c, Y }, k, axis) => {
    const S = rotateMotion(X.R, axis)
    d.SW[k] = S
    const rate = scale(g.v[k], S)
    const at = m.together[k] === 1 ? before : V
    return { V: add(V, rate), before: at, c: add(c, crossMotion(at, rate)), Y: add(Y, scale(g.a[k], S)) }
  })
  d.VW[i] = V
  d.cW[i] = c
  // acceleration of the last step: where the iterations start
  d.AW[i] = add(shiftMotion(d.AW[b], r), Y, c)
  const own = sub(V, start)
  const E = sub(add(shiftMotion(s.E[b], r), scale(g.perStep[0], own)), c)
  if (g.freeBody[i] > 0) s.E[i] = { w: E.w, v: add(E.v, cross(own.w, own.v)) }
  else s.E[i] = E
  const I = rotateRigid(X.R, m.inertia[i])
  s.I[i] = I
  const bias = crossForce(V, mulRigid(I, V))
  if (g.compensated === 1 || g.pushed === 1) s.bias[i] = sub(bias, outsideForce(g, I, i))
  else s.bias[i] = bias
}

/** Reads q, v, a, X_PB, S. Writes X_WB, SW, VW, cW, AW of the accelerations of the last step, E, I, bias. @kernel */
export function placeBodies(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  d.AW[0] = { w: ZERO, v: negate(g.gravity[0]) }
  s.E[0] = { w: ZERO, v: g.gravity[0] }
  for (let i = 1; i < m.nbody; i++) forBody(m, i, (velocities) => placeBody(m, d, g, s, i, velocities))
}
