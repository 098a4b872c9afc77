/**
 * Poses at the trial, and how far they are from where the step began, without cancellation:
 *
 *   T = T(p) L,   ΔT = ΔT(p) L + T₀(p) ΔL,   in sequences ΔL ← ΔL Q + L₀ ΔQ
 * with ΔQ of a turn from Δsin = s (cos δ − 1) + c sin δ, Δcos = c (cos δ − 1) − s sin δ, cos δ − 1 = −2 sin²(δ/2), and of a ball R₀ (R(z) − 1) from
 * the vector part of its quaternion. The rounding of ΔT is a share of ΔT, not of T: the inertial force, of second differences over h², then has a
 * relative error of ε |V|/h instead of ε |T|/h².
 */
import { motionAt, placeAt, quatAt, shifted, turned as turnedQuat } from '../../../joints/curved.kernel.js'
import { integrateBall } from '../../../joints/integrate.kernel.js'
import { ball, setAxes, slide, turn, turned } from '../../../joints/place.kernel.js'
import { add, type Int, type Lanes, scale, sub } from '../../../math/values/columns.js'
import { halfTurn, type Quat, quatRotation } from '../../../math/values/rotation.js'
import { type Mat3, motionToChild, mul, mulPose, type Pose, rotate, rotateBack, ZERO } from '../../../math/values/spatial.js'
import { type SinCos, sincos } from '../../../math/values/trig.js'
import { type Axis, BALL, FREE, SLIDE, type Tree, TURN, type Work } from '../../../model/tables.js'
import type { Trajectories, TrajectoryStep } from './tables.js'

const NO_TURN: Mat3 = [ZERO, ZERO, ZERO]
const STILL: Pose = { R: NO_TURN, p: ZERO }

/** Sine and cosine at a + δ less those at a. */
function increase(at: SinCos, delta: number): SinCos {
  const { s, c } = sincos(0.5 * delta)
  const sine = 2 * s * c
  const less = -2 * s * s
  return { s: at.s * less + at.c * sine, c: at.c * less - at.s * sine }
}

const change = ({ K1, K2 }: Axis, { s, c }: SinCos): Mat3 => add(scale(c, K1), scale(s, K2))

/** R(q) − 1 of a quaternion. */
const turnOf = ([w, x, y, z]: Quat): Mat3 => {
  const s = 2 / (w * w + x * x + y * y + z * z)
  return scale(s, [
    [-(y * y + z * z), x * y - w * z, x * z + w * y],
    [x * y + w * z, -(x * x + z * z), y * z - w * x],
    [x * z - w * y, y * z + w * x, -(x * x + y * y)],
  ])
}

/** Pose of a step now and at the start, and their difference. */
type Moved = { readonly X: Pose; readonly X0: Pose; readonly D: Pose }

function movedStep(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep, n: Int): Moved {
  const kind = m.stepKind[n]
  const axis = m.axis[n]
  const k = m.stepQ[n]
  if (kind === TURN) {
    const at = g.q[k] - axis.reference
    const R = change(axis, s.dsc[n])
    return {
      X: turn(axis, d.sc[n], at + s.z[k]),
      X0: turn(axis, g.sc0[n], at),
      D: { R, p: sub(scale(axis.pitch * s.z[k], axis.along), rotate(R, axis.anchor)) },
    }
  }
  if (kind === SLIDE) {
    const at = g.q[k] - axis.reference
    return { X: slide(axis, at + s.z[k]), X0: slide(axis, at), D: { R: NO_TURN, p: scale(s.z[k], axis.along) } }
  }
  if (kind === BALL) {
    const R0 = quatRotation(quatAt(g.q, k))
    const R = mul(R0, turnOf(quatAt(s.z, k)))
    return {
      X: ball(add(R0, R), axis.anchor),
      X0: ball(R0, axis.anchor),
      D: { R, p: scale(-1, rotate(R, axis.anchor)) },
    }
  }
  const start = placeAt(g.q, k)
  const moved = placeAt(s.z, k)
  const X0: Pose = { R: quatRotation(start.turn), p: start.p }
  const D: Pose = { R: mul(X0.R, turnOf(moved.turn)), p: rotate(X0.R, moved.p) }
  return { X: add(X0, D), X0, D }
}

/** X: pose of the body in its parent; D: how far it is from that of the start. */
function placeBody(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep, i: Int, X: Pose, D: Pose): void {
  const p = m.parent[i]
  const P = d.X_WB[p]
  const U = s.dX[p]
  const R0 = g.X0[p].R
  d.X_WB[i] = mulPose(P, X)
  s.dX[i] = { R: add(mul(U.R, X.R), mul(R0, D.R)), p: add(rotate(U.R, X.p), U.p, rotate(R0, D.p)) }
}

function placeHinge(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep, i: Int): void {
  const n = m.firstStep[i]
  const axis = m.axis[n]
  placeBody(m, d, g, s, i, { R: turned(axis, d.sc[n]), p: axis.base }, { R: change(axis, s.dsc[n]), p: ZERO })
}

/** Several turns about axes through one point. */
function placeHinges(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep, i: Int): void {
  const first = m.firstStep[i]
  const k = m.iv[i]
  const start = m.axis[first]
  let R = turned(start, d.sc[first])
  let R0 = turned(start, g.sc0[first])
  let D = change(start, s.dsc[first])
  d.S[k] = start.screw
  for (let n = first + 1; n < m.stepEnd[i]; n++) {
    const axis = m.axis[n]
    const Q = turned(axis, d.sc[n])
    // most have two: the start of the last turn is not needed
    if (n > first + 1) R0 = mul(R0, turned(m.axis[n - 1], g.sc0[n - 1]))
    D = add(mul(D, Q), mul(R0, change(axis, s.dsc[n])))
    R = mul(R, Q)
    for (let l = k; l < m.stepV[n]; l++) d.S[l] = { w: rotateBack(Q, d.S[l].w), v: ZERO }
    d.S[m.stepV[n]] = axis.screw
  }
  placeBody(m, d, g, s, i, { R, p: start.base }, { R: D, p: ZERO })
}

function placeSteps(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep, i: Int): void {
  const first = m.firstStep[i]
  const several = m.ivEnd[i] - m.iv[i] > 1
  let X = d.X_PJ[i]
  let X0 = X
  let D = STILL
  for (let n = first; n < m.stepEnd[i]; n++) {
    const Q = movedStep(m, d, g, s, n)
    // a first step has its frame in its constants, but for balls
    const isFramed = n === first && m.stepKind[n] !== BALL
    D = isFramed ? Q.D : { R: add(mul(D.R, Q.X.R), mul(X0.R, Q.D.R)), p: add(rotate(D.R, Q.X.p), D.p, rotate(X0.R, Q.D.p)) }
    X = isFramed ? Q.X : mulPose(X, Q.X)
    X0 = isFramed ? Q.X0 : mulPose(X0, Q.X0)
    if (several) {
      for (let k = m.iv[i]; k < m.stepV[n]; k++) d.S[k] = motionToChild(Q.X, d.S[k])
      setAxes(m, d, n)
    }
  }
  placeBody(m, d, g, s, i, X, D)
}

/** Reads z, and where the step began. Writes sc, dsc, S, X_WB, dX. @kernel */
export function placeTrajectories(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep): void {
  for (let e = m.turnStart[1]; e < m.turnStart[m.nbody]; e++) {
    const n = m.turns[e]
    const change = increase(g.sc0[n], s.z[m.stepQ[n]])
    s.dsc[n] = change
    d.sc[n] = add(g.sc0[n], change)
  }
  for (let i = 1; i < m.nbody; i++) {
    if (m.hinge[i] === 1) placeHinge(m, d, g, s, i)
    else if (m.hinge[i] > 1) placeHinges(m, d, g, s, i)
    else placeSteps(m, d, g, s, i)
  }
}

/** out ← from ⊕ share · along, for every joint. */
export function moveJoints(m: Tree, out: Lanes<number>, from: Lanes<number>, along: Lanes<number>, share: number): void {
  for (let k = 0; k < m.nv; k++) {
    const c = m.coordinate[k]
    if (c >= 0) out[c] = from[c] + share * along[k]
  }
  for (let e = 0; e < m.curvedCount; e++) {
    const n = m.curved[e]
    if (m.stepKind[n] === FREE) {
      const k = m.stepQ[n]
      const x = scale(share, motionAt(along, m.stepV[n]))
      const half = halfTurn(x.w)
      const place = placeAt(from, k)
      const p = shifted(place, x, half)
      const turn = turnedQuat(place.turn, x.w, half)
      for (let r = 0; r < 3; r++) out[k + r] = p[r]
      for (let r = 0; r < 4; r++) out[k + 3 + r] = turn[r]
    } else integrateBall(m, out, from, along, share, n)
  }
}

/** Reads from, dq, share. Writes z, and all that `placeTrajectories` does. */
export function tryShare(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep): void {
  moveJoints(m, s.z, g.from, g.dq, s.share[0])
  placeTrajectories(m, d, g, s)
}
