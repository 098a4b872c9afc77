/**
 * Where joints put their bodies: X_PB and S from coordinates; and how the passes over the tree go over a body's velocities.
 *
 * The joints of a body are steps in sequence: turns, slides, balls, or one free motion. With Q the displacement of a step and s its axis:
 *   X_PB ← X_PB Q,   S_k ← Q⁻¹ S_k for the columns before,   S_new = s
 * Each s is constant in its own frame, so that with the columns in the final frame Ṡ v = Σ_{l<k} S_l v_l × S_k v_k.
 */
import { add, type Int, type Lanes, scale, sub } from '../math/values/columns.js'
import { quatRotation } from '../math/values/rotation.js'
import {
  cross,
  type Mat3,
  type Motion,
  motionToChild,
  mul,
  mulPose,
  ONE,
  type Pose,
  rotate,
  rotateBack,
  type Vec3,
  ZERO,
} from '../math/values/spatial.js'
import { type SinCos, sincos } from '../math/values/trig.js'
import { type Axis, BALL, FREE, SLIDE, type Tree, TURN, type Work } from '../model/tables.js'

export const turned = ({ K0, K1, K2 }: Axis, { s, c }: SinCos): Mat3 => add(K0, scale(c, K1), scale(s, K2))

export const turn = (axis: Axis, sc: SinCos, angle: number): Pose => {
  const R = turned(axis, sc)
  return { R, p: add(sub(axis.base, rotate(R, axis.anchor)), scale(axis.pitch * angle, axis.along)) }
}

export const slide = (axis: Axis, x: number): Pose => {
  const R = add(axis.K0, axis.K1)
  return { R, p: add(sub(axis.base, rotate(R, axis.anchor)), scale(x, axis.along)) }
}

const rotationAt = (q: Lanes<number>, k: Int): Mat3 => quatRotation([q[k], q[k + 1], q[k + 2], q[k + 3]])

export const ball = (R: Mat3, anchor: Vec3): Pose => ({ R, p: sub(anchor, rotate(R, anchor)) })

/** Displacement of step s. */
function stepPose(m: Tree, d: Work, q: Lanes<number>, s: Int): Pose {
  const kind = m.stepKind[s]
  const axis = m.axis[s]
  const k = m.stepQ[s]
  if (kind === TURN) return turn(axis, d.sc[s], q[k] - axis.reference)
  if (kind === SLIDE) return slide(axis, q[k] - axis.reference)
  if (kind === BALL) return ball(rotationAt(q, k), axis.anchor)
  return { R: rotationAt(q, k + 3), p: [q[k], q[k + 1], q[k + 2]] }
}

/** Columns of step s. */
export function setAxes(m: Tree, d: Work, s: Int): void {
  const k = m.stepV[s]
  const { screw, anchor } = m.axis[s]
  if (m.stepKind[s] < BALL) d.S[k] = screw
  else for (let r = 0; r < 3; r++) d.S[k + r] = { w: ONE[r], v: cross(anchor, ONE[r]) }
  if (m.stepKind[s] === FREE) for (let r = 0; r < 3; r++) d.S[k + 3 + r] = { w: ZERO, v: ONE[r] }
}

/** X_PB of any body, and S where it has several velocities: the axis of a single one never changes. */
function placeSteps(m: Tree, d: Work, q: Lanes<number>, i: Int): void {
  const first = m.firstStep[i]
  const several = m.ivEnd[i] - m.iv[i] > 1
  let X = d.X_PJ[i]
  for (let s = first; s < m.stepEnd[i]; s++) {
    const Q = stepPose(m, d, q, s)
    // a first step has its frame in its constants, but for balls and on moved frames
    X = s === first && m.moved[i] === 0 && m.stepKind[s] !== BALL ? Q : mulPose(X, Q)
    if (several) {
      for (let k = m.iv[i]; k < m.stepV[s]; k++) d.S[k] = motionToChild(Q, d.S[k])
      setAxes(m, d, s)
    }
  }
  d.X_PB[i] = X
}

function placeHinge(m: Tree, d: Work, i: Int): void {
  const s = m.firstStep[i]
  const axis = m.axis[s]
  d.X_PB[i] = { R: turned(axis, d.sc[s]), p: axis.base }
}

/** The same of several turns about axes through one point: rotations alone. */
function placeHinges(m: Tree, d: Work, i: Int): void {
  const first = m.firstStep[i]
  const k = m.iv[i]
  let R = turned(m.axis[first], d.sc[first])
  d.S[k] = m.axis[first].screw
  for (let s = first + 1; s < m.stepEnd[i]; s++) {
    const Q = turned(m.axis[s], d.sc[s])
    R = mul(R, Q)
    for (let l = k; l < m.stepV[s]; l++) d.S[l] = { w: rotateBack(Q, d.S[l].w), v: ZERO }
    d.S[m.stepV[s]] = m.axis[s].screw
  }
  d.X_PB[i] = { R, p: m.axis[first].base }
}

/**
 * Reads q, and X_PJ of the joint frames. Writes X_PB of the bodies from … to − 1, and S of those with several velocities. Sines and cosines come
 * first, in a loop of their own, where none waits for another.
 * @kernel
 */
export function placeJoints(m: Tree, d: Work, q: Lanes<number>, from: Int, to: Int): void {
  for (let n = m.turnStart[from]; n < m.turnStart[to]; n++) {
    const s = m.turns[n]
    d.sc[s] = sincos(q[m.stepQ[s]] - m.axis[s].reference)
  }
  for (let i = from; i < to; i++) {
    if (m.hinge[i] === 1) placeHinge(m, d, i)
    else if (m.hinge[i] > 1) placeHinges(m, d, i)
    else placeSteps(m, d, q, i)
  }
}

type Fold = <T>(m: Tree, i: Int, S: Lanes<Motion>, start: T, step: (state: T, k: Int, S: Motion) => T) => T

/** How to go over a body's velocities, the first or the last first: `step` is done with each one's axis S[k]. */
export type Velocities = { readonly up: Fold; readonly down: Fold }

/** An axis through the origin has zeros that the compiler sees. */
const throughOrigin = (S: Motion): Motion => ({ w: S.w, v: ZERO })

const one: Fold = (m, i, S, start, step) => step(start, m.iv[i], throughOrigin(S[m.iv[i]]))

const ofHinge: Velocities = { up: one, down: one }

const ofHinges: Velocities = {
  up: (m, i, S, start, step) => {
    let state = start
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) state = step(state, k, throughOrigin(S[k]))
    return state
  },
  down: (m, i, S, start, step) => {
    let state = start
    for (let k = m.ivEnd[i] - 1; k >= m.iv[i]; k--) state = step(state, k, throughOrigin(S[k]))
    return state
  },
}

const ofAny: Velocities = {
  up: (m, i, S, start, step) => {
    let state = start
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) state = step(state, k, S[k])
    return state
  },
  down: (m, i, S, start, step) => {
    let state = start
    for (let k = m.ivEnd[i] - 1; k >= m.iv[i]; k--) state = step(state, k, S[k])
    return state
  },
}

/** `work` printed three times: for a hinge, which carries most bodies, for several through one point, as in limbs, and for everything else. */
export function forBody(m: Tree, i: Int, work: (velocities: Velocities) => void): void {
  if (m.hinge[i] === 1) work(ofHinge)
  else if (m.hinge[i] > 1) work(ofHinges)
  else work(ofAny)
}
