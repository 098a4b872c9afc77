/**
 * Runs of trajectories: memory of the step before, searches until every lane has made its steps, velocities at the end.
 *
 * The memory of a step is how poses and joints moved over the step before; of a state from outside, h times its velocities. The velocities of the
 * state are the projection of ΔT/h on the motions that the joints allow, M⁻¹ Jᵀ (ΔT Mt)/h, as in `euler/euler-stepper`; no step needs them.
 */

import { stretchCurved } from '../../../forces/joint-forces.kernel.js'
import { add, any, type Int, type Lanes, scale, sub } from '../../../math/values/columns.js'
import { mul, type Pose, REST, rotateMotion, shiftMotion, skew, transpose } from '../../../math/values/spatial.js'
import { sincos } from '../../../math/values/trig.js'
import type { Tree, Work } from '../../../model/tables.js'
import { timesMoments } from './inertia.kernel.js'
import { iterateTrajectories } from './iterate.kernel.js'
import { moveJoints, placeTrajectories } from './place.kernel.js'
import { solveTrajectories } from './solve.kernel.js'
import { BASE, FAILED, IDLE, type Trajectories, type TrajectoryStep } from './tables.js'

/** Poses where the joints are. */
function placeStart(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep): void {
  for (let k = 0; k < g.nq; k++) s.z[k] = g.still[k]
  placeTrajectories(m, d, g, s)
}

/** Rate of the pose of body i under these velocities: T [V]. Writes VW, along the axes of the world at the origin of the body. */
function rateOf(m: Tree, d: Work, v: Lanes<number>, i: Int): Pose {
  const p = m.parent[i]
  const { R } = d.X_WB[i]
  let V = shiftMotion(d.VW[p], sub(d.X_WB[i].p, d.X_WB[p].p))
  for (let k = m.iv[i]; k < m.ivEnd[i]; k++) V = add(V, scale(v[k], rotateMotion(R, d.S[k])))
  d.VW[i] = V
  return { R: mul(skew(V.w), R), p: V.v }
}

/** Memory of lanes whose state came from outside. */
function renew(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep): void {
  const isNew = s.renewed[0] > 0
  for (let e = m.turnStart[1]; e < m.turnStart[m.nbody]; e++) {
    const n = m.turns[e]
    const now = sincos(g.q[m.stepQ[n]] - m.axis[n].reference)
    const before = g.sc0[n]
    g.sc0[n] = isNew ? now : before
  }
  placeStart(m, d, g, s)
  d.VW[0] = REST
  const world = g.X0[0]
  g.X0[0] = isNew ? d.X_WB[0] : world
  for (let i = 1; i < m.nbody; i++) {
    const X = d.X_WB[i]
    const moved = scale(g.h[0], rateOf(m, d, g.v, i))
    const Y = g.Y[i]
    const X0 = g.X0[i]
    g.Y[i] = isNew ? moved : Y
    g.X0[i] = isNew ? X : X0
  }
  moveJoints(m, s.qNow, g.still, g.v, g.h[0])
  for (let k = 0; k < g.nq; k++) g.last[k] = isNew ? s.qNow[k] : g.last[k]
}

/** Before a run: reads goal. @kernel */
export function beginTrajectories(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep): void {
  let isNew = g.fresh[0] > 0
  for (let k = 0; k < g.nq; k++) isNew = isNew || g.q[k] !== g.qKept[k]
  for (let k = 0; k < g.nv; k++) isNew = isNew || g.v[k] !== g.vKept[k]
  s.renewed[0] = isNew ? 1 : 0
  if (any(isNew)) renew(m, d, g, s)
  g.fresh[0] = 0
  for (let k = 0; k < g.nq; k++) g.from[k] = g.last[k]
  for (let k = 0; k < g.nv; k++) g.dq[k] = 0
  const { clips } = g.search[0]
  g.search[0] = {
    phase: g.goal[0] > 0 ? BASE : IDLE,
    clips: isNew ? 0 : clips,
    ...{ value: 0, slope: 0, length: 0, size: 0, lambda: 0, exact: 0, refused: 0, tries: 0, made: 0 },
  }
}

/**
 * Velocities of lanes that have made a step: the rates r of the joints over the step, and what the projection of V − T[r] adds to them. Of V itself
 * it would lose digits in single precision, since M⁻¹ of long chains is large.
 * @kernel
 */
export function finishTrajectories(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep): void {
  placeStart(m, d, g, s)
  for (let k = 0; k < g.nv; k++) {
    const c = m.coordinate[k]
    s.x[k] = 0
    if (c >= 0) s.x[k] = g.last[c]
    s.xStart[k] = 1
  }
  for (let e = 0; e < m.curvedCount; e++) stretchCurved(m, s.x, s.xStart, g.still, g.last, m.curved[e])
  for (let k = 0; k < g.nv; k++) {
    s.x[k] = g.perStep[0] * s.x[k]
    s.joint[k] = 0
    s.joints[k] = 0
  }
  d.VW[0] = REST
  for (let i = 1; i < m.nbody; i++) {
    const M = timesMoments(m.inertia, i, sub(scale(g.perStep[0], g.Y[i]), rateOf(m, d, s.x, i)))
    s.W[i] = { W3: mul(M.R, transpose(d.X_WB[i].R)), w: M.p }
  }
  s.weight[0] = { inertia: 1, curved: 0, clips: 0 }
  solveTrajectories(m, d, g, s, 0, 0)
  const c = g.search[0]
  const isMoved = c.made > 0
  for (let k = 0; k < g.nv; k++) {
    g.v[k] = isMoved ? s.x[k] - s.direction[k] : g.v[k]
    g.vKept[k] = g.v[k]
  }
  for (let k = 0; k < g.nq; k++) g.qKept[k] = g.q[k]
  g.failed[0] = c.phase === FAILED ? 1 : 0
}

/** A whole run. @kernel */
export function stepTrajectories(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep): void {
  beginTrajectories(m, d, g, s)
  for (let n = 0; n < g.maxCalls && any(g.search[0].phase < IDLE); n++) iterateTrajectories(m, d, g, s)
  finishTrajectories(m, d, g, s)
}
