/**
 * One evaluation of every trajectory of a group, and what follows from it in each lane: a new direction where the value fell enough, half the way
 * where it did not, another matrix where that of the base was not positive definite, the next time step where the search has converged
 * [Pan and Manocha 2018, section 5.2]. No lane waits for another.
 */
import { any } from '../../../math/values/columns.js'
import { sincos } from '../../../math/values/trig.js'
import type { Tree, Work } from '../../../model/tables.js'
import { addBodyEnergies } from './bodies.kernel.js'
import { clearBlocks, startEnergy } from './inertia.kernel.js'
import { addJointEnergies, moveCurved } from './joints.kernel.js'
import { tryShare } from './place.kernel.js'
import { solveTrajectories } from './solve.kernel.js'
import { BASE, FAILED, IDLE, type Search, TRIAL, type Trajectories, type TrajectoryStep } from './tables.js'

const INFINITY = 1 / 0
const ARMIJO = 1e-4
// of λ: what it begins with, below which it is dropped, above which nothing helps
const FIRST_LAMBDA = 1e-3
const LEAST_LAMBDA = 1e-6
const LARGEST_LAMBDA = 1e8
// of the step before, and of the tolerance
const SHRUNK = 0.9
const NEARLY = 10
/** of the noise of the value: a slope below it cannot be told from a minimum */
const FLAT = 1e2

/** Value and gradient at the trial. */
function evaluate(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep): void {
  tryShare(m, d, g, s)
  startEnergy(m, d, g, s)
  addJointEnergies(m, g, s)
  if (g.hasBlocks === 1) {
    clearBlocks(m, s.bodies)
    addBodyEnergies(m, d, g, s)
  }
}

/** Joint forces on balls and free joints turn with the joint: they have no energy that a line search could watch. */
function turns(m: Tree, g: Trajectories): boolean {
  let sum = 0
  if (m.curvedCount > 0) for (let k = 0; k < g.nv; k++) if (m.coordinate[k] < 0) sum = sum + Math.abs(g.tau[k])
  return sum > 0
}

/** The step of lanes that have ended: where they are is where the next one begins, with the same motion as its first guess. */
function endStep(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep): void {
  tryShare(m, d, g, s)
  const isEnded = s.ended[0] > 0
  for (let i = 1; i < m.nbody; i++) {
    const Y = g.Y[i]
    const X0 = g.X0[i]
    g.Y[i] = isEnded ? s.dX[i] : Y
    g.X0[i] = isEnded ? d.X_WB[i] : X0
  }
  for (let k = 0; k < g.nv; k++) {
    const c = m.coordinate[k]
    if (c >= 0) s.qNow[c] = g.q[c] + s.z[c]
  }
  for (let e = 0; e < m.curvedCount; e++) moveCurved(m, s.qNow, g.q, s.z, m.curved[e])
  for (let k = 0; k < g.nq; k++) {
    g.q[k] = isEnded ? s.qNow[k] : g.q[k]
    g.last[k] = isEnded ? s.z[k] : g.last[k]
    g.from[k] = isEnded ? s.z[k] : g.from[k]
  }
  for (let e = m.turnStart[1]; e < m.turnStart[m.nbody]; e++) {
    const n = m.turns[e]
    // not what was summed up, so that sines and cosines stay those of q
    const now = sincos(g.q[m.stepQ[n]] - m.axis[n].reference)
    const before = g.sc0[n]
    g.sc0[n] = isEnded ? now : before
  }
  const steps = g.steps[0]
  g.steps[0] = isEnded ? steps + 1 : steps
}

/** One evaluation, and what follows from it. @kernel */
export function iterateTrajectories(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep): void {
  const c: Search = g.search[0]
  const isOpen = c.phase < IDLE
  const isBase = c.phase === BASE
  s.share[0] = isBase ? 0 : c.size
  evaluate(m, d, g, s)
  const { inertial, potential, size } = s.E[0]
  const E = inertial + potential
  const isFinite = Math.abs(E) < INFINITY
  const noise = g.noise[0] * size
  const isFallen = E <= c.value + ARMIJO * c.size * c.slope + noise
  const isTaken = isOpen && isFinite && (isBase || isFallen || turns(m, g))

  // where the trial is taken: gradient, matrix, direction
  const isFull = c.phase === TRIAL && c.size === 1
  const lessLambda = c.lambda > LEAST_LAMBDA ? 0.25 * c.lambda : 0
  const lambda = isFull ? lessLambda : c.lambda
  const clips = g.clipsAlways === 1 ? 1 : c.clips
  s.weight[0] = { inertia: g.perSquare[0] * (1 + lambda), curved: 1 - clips, clips }
  if (any(isTaken)) {
    if (any(isTaken && clips > 0)) solveTrajectories(m, d, g, s, 1, g.hasBlocks)
    else solveTrajectories(m, d, g, s, 0, g.hasBlocks)
  }
  let slope = 0
  let length = 0
  let sum = 0
  for (let k = 0; k < g.nv; k++) {
    const size = Math.abs(s.direction[k])
    slope = slope + s.gradient[k] * s.direction[k]
    length = Math.max(length, size)
    sum = sum + size
  }
  const isSolved = s.least[0] > 0 && sum < INFINITY
  const isGood = isTaken && isSolved
  const isRefused = isTaken && !isSolved
  // Newton's steps shrink quadratically: the size of the next one is known before it is made
  const next = (length * length * length) / (c.length * c.length)
  const isQuadratic = isFull && clips === 0 && c.exact > 0 && next <= 0.1 * g.tolerance[0] && length < 0.1 * c.length
  // full steps that are this short and shrink no more are rounding
  const isRounding = isFull && length > SHRUNK * c.length && length <= NEARLY * g.tolerance[0]
  const isConverged = isGood && (length <= g.tolerance[0] || isRounding || (g.exact === 1 ? isQuadratic : false))

  // the trial is not taken: halve the way, end at a minimum to rounding, or raise λ
  const isRejected = isOpen && !isTaken && !isBase
  const isShort = isRejected && 0.5 * c.size < g.shortest[0]
  const isFlat = isShort && -c.slope <= FLAT * noise
  const isEnded = isConverged || isFlat

  for (let k = 0; k < g.nq; k++) g.from[k] = isTaken ? s.z[k] : g.from[k]
  for (let k = 0; k < g.nv; k++) g.dq[k] = isGood ? s.direction[k] : g.dq[k]
  s.ended[0] = isEnded ? 1 : 0
  s.share[0] = isConverged ? 1 : 0
  if (any(isEnded)) endStep(m, d, g, s)

  const isStuck = isShort && !isFlat
  // the exact matrix is clipped before it gets more inertia
  const moreLambda = isStuck ? Math.max(FIRST_LAMBDA, 10 * lambda) : Math.max(FIRST_LAMBDA, 4 * lambda)
  const raised = isStuck || (isRefused && clips > 0) ? moreLambda : lambda
  const tries = c.tries + (isTaken || isStuck ? 1 : 0)
  const isLost = (isOpen && isBase && !isFinite) || raised > LARGEST_LAMBDA || (tries > g.maxTries[0] && !isEnded)
  const made = c.made + (isEnded ? 1 : 0)
  const isDone = isEnded && made >= g.goal[0]
  const going = isGood || (isRejected && !isShort) ? TRIAL : BASE
  const phase = isLost ? FAILED : isDone ? IDLE : isEnded ? BASE : going
  const now: Search = {
    phase,
    value: isGood ? E : c.value,
    slope: isGood ? slope : c.slope,
    length: isGood ? length : c.length,
    size: isGood ? 1 : 0.5 * c.size,
    lambda: isEnded ? 0 : raised,
    clips: isEnded ? c.refused : isRefused ? 1 : isGood ? 0 : c.clips,
    refused: isEnded ? 0 : isRefused ? 1 : c.refused,
    exact: isGood && clips === 0 ? 1 : 0,
    tries: isEnded ? 0 : tries,
    made,
  }
  g.search[0] = isOpen ? now : c
  const n = g.counts[0]
  g.counts[0] = {
    evaluations: n.evaluations + (isOpen ? 1 : 0),
    iterations: n.iterations + (isGood ? 1 : 0),
    halvings: n.halvings + (isRejected ? 1 : 0),
    refused: n.refused + (isRefused ? 1 : 0),
  }
}
