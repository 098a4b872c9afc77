/**
 * The two stages of scheme second-order: SDIRK2, L-stable, on the matrix of eq. 2.13 [Alexander].
 *
 *   v₁ = v + g a₁,              q₁ = q ⊕ g v₁                      γ = 1 − 1/√2,  g = γ h
 *   v⁺ = v + (h − g) a₁ + g a₂, q⁺ = q ⊕ ((h − g) v₁ + g v⁺)       aᵢ: acceleration at stage i
 * A stage v = v̄ + g a, q = q₀ ⊕ (δ + g v) is linearised where it is expected, at vᵖ and qᵖ = q₀ ⊕ (δ + g vᵖ):
 *   A (v − vᵖ) = M (v̄ − vᵖ) + g Q(qᵖ, vᵖ),   A = M + g D − g² K at qᵖ
 * Expected accelerations go on as those before did: a₁ᵖ = a + g j, a₂ᵖ = a₁ + (h − g)/g (a₁ − a), with the acceleration a at the end of the
 * last step and its rate j there. They are right to second order, so that one solve a stage keeps the order of the scheme.
 *
 * K knows nothing of velocity products and of weight, which are therefore those of what was expected. Left at that, what they are off by is no
 * error of truncation but pushes one way, and a whip gains energy. So a stage that strays is linearised anew at its own solution until
 * the next correction would be nothing; one that strays far, or whose corrections do not shrink, is too long.
 */
import { type Projection, projectPose } from '../../../constraints/assembly/projection.js'
import { integrate } from '../../../joints/index.js'
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import { createState, type State, shareInputs } from '../../../model/state.js'
import { totalMass } from '../../../tree/momentum.js'
import { STEP, TIME } from '../constraints/constraint-work.js'
import { isPushing } from '../constraints/step-constraints.js'
import { applyStiffness, applySystem, assemble, rightHandSide } from '../matrix/system.js'
import { type Linearised, solveConstrained } from './linearised-record.js'

export const GAMMA = 1 - Math.SQRT1_2

/** How stages ended: well; a limit or a contact pushes; the linear solve failed, with a message; they do not converge. */
export const GOOD = 0
export const IMPACT = 1
export const UNSOLVED = 2
export const NOT_CONVERGED = 3

export interface Stages {
  /** velocity at the end, and displacement from the start */
  readonly v: Vec
  readonly move: Vec
  /** acceleration at the end, and its rate */
  readonly a: Vec
  readonly j: Vec
  /** v̄ and δ of the stage at hand; acceleration of the first; scratch */
  readonly bar: Vec
  readonly delta: Vec
  readonly first: Vec
  readonly x: Vec
  readonly y: Vec
  /** where the stage is linearised */
  readonly at: State
  /** squares: of a correction, of the one before, of the motion */
  readonly square: Vec
  /** of the kinetic energy, twice: slower motion is not worth a shorter step */
  readonly slow: Vec
  /** moves poses onto the loops; absent where there are none */
  readonly projection: Projection | undefined
  /** whether stages came so near to what was expected that a step twice as long would do */
  isEasy: boolean
}

// shares of the motion: by which a stage may stray from what was expected, and by which it may again where it is linearised anew, there because
// of forces that K does not know; what of these becomes as much in twice the step
const STRAY = 0.004
const STRAY_AGAIN = 1e-4
const EASY = 1 / 8
const EASY_AGAIN = 1 / 16
// of a correction, what the next one may be; what it is taken for where there is only one
const CONTRACTION = 0.25
const GUESSED = 0.125
// share of the motion that further corrections may be: what they leave pushes one way
const LEFT = 3e-5
const ROUNDS = 6
// m/s: slower motion is not worth a shorter step
const SLOW = 1e-6

export function createStages(model: Model, projection: Projection | undefined): Stages {
  const [v, move, a, j, bar, delta, first, x, y] = Array.from({ length: 9 }, () => new Float64Array(model.nv))
  const slow = Float64Array.of(SLOW * SLOW * totalMass(model))
  return { v, move, a, j, bar, delta, first, x, y, at: createState(model), square: new Float64Array(3), slow, projection, isEasy: true }
}

/** Both stages of a step of span[0] from the state, with a and j of the step before, if they are `known`. */
export function runStages(l: Linearised, g: Stages, state: State, known: boolean): number {
  const { v, a, j, bar, delta, first, at } = g
  const { clock, span } = l
  const { nv } = l.model
  const h = span[0]
  const step = GAMMA * h
  g.isEasy = true
  clock[STEP] = step
  clock[TIME] = state.t + step
  for (let k = 0; k < nv; k++) {
    bar[k] = state.v[k]
    delta[k] = 0
    at.v[k] = known ? state.v[k] + step * (a[k] + step * j[k]) : state.v[k]
  }
  let status = solveStage(l, g, state, known)
  // what is not a number goes no further: the caller finds it, and says where it began
  if (status !== GOOD || !isNumber(v)) return status

  clock[STEP] = step
  clock[TIME] = state.t + h
  for (let k = 0; k < nv; k++) {
    first[k] = (v[k] - bar[k]) / step
    bar[k] += (h - step) * first[k]
    delta[k] = (h - step) * v[k]
    at.v[k] = bar[k] + step * first[k] + (known ? (h - step) * (first[k] - a[k]) : 0)
  }
  status = solveStage(l, g, state, known)
  if (status !== GOOD) return status
  for (let k = 0; k < nv; k++) {
    a[k] = (v[k] - bar[k]) / step
    j[k] = (a[k] - first[k]) / (h - step)
  }
  return GOOD
}

function isNumber(v: Vec): boolean {
  for (let k = 0; k < v.length; k++) if (!(Math.abs(v[k]) < Number.POSITIVE_INFINITY)) return false
  return true
}

/** v and move of the stage with v̄ in bar and δ, expected at at.v, at the time and with the step of the clock. */
function solveStage(l: Linearised, g: Stages, state: State, known: boolean): number {
  const { model, data, system, clock, constraints } = l
  const { v, move, bar, delta, x, at, square, projection } = g
  const { nv } = model
  const h = clock[STEP]
  const slow = g.slow[0]
  at.t = clock[TIME]
  at.tau.set(state.tau)
  shareInputs(at, state)
  for (let round = 0; round < ROUNDS; round++) {
    for (let k = 0; k < nv; k++) move[k] = delta[k] + h * at.v[k]
    at.q.set(state.q)
    integrate(model, at.q, move, 1)
    if (projection) projectPose(projection, model, data, at.q, clock)

    // b = A vᵖ + M (v̄ − vᵖ) + g Q; `rightHandSide` gives M v̄ + g (Q + D vᵖ), and A vᵖ − M vᵖ − g D vᵖ is the stiffness alone
    system.step[0] = h
    assemble(system, at)
    rightHandSide(system, at, bar)
    applyStiffness(system, x, at.v)
    for (let k = 0; k < nv; k++) system.b[k] += x[k]
    v.set(at.v)
    if (!solveConstrained(l, at, v, true)) return UNSOLVED
    for (let k = 0; k < nv; k++) move[k] = delta[k] + h * v[k]
    if (constraints && isPushing(constraints)) return IMPACT
    measureCorrection(l, g, round)
    const share = round === 0 ? STRAY : STRAY_AGAIN
    const less = share * (round === 0 ? EASY : EASY_AGAIN)
    // of one correction to the next, squared
    const shrinks = round === 0 ? GUESSED * GUESSED : square[0] / square[1]
    if (round < 2 && square[0] > less * less * square[2] + slow) g.isEasy = false
    // what is not a number is let through: the caller finds it and says where
    if (round < 2 && known && square[0] > share * share * square[2] + slow) return NOT_CONVERGED
    if (round > 0 && shrinks > CONTRACTION * CONTRACTION) return NOT_CONVERGED
    if (!(square[0] * shrinks > LEFT * LEFT * square[2] + slow)) return GOOD
    at.v.set(v)
  }
  return NOT_CONVERGED
}

/** Squares in the norm of A: kinetic energy, and what springs gain in a step. */
function measureCorrection({ system }: Linearised, { v, x, y, at, square }: Stages, round: number): void {
  square[1] = round === 0 ? 0 : square[0]
  for (let k = 0; k < v.length; k++) x[k] = v[k] - at.v[k]
  applySystem(system, y, x)
  let sum = 0
  for (let k = 0; k < v.length; k++) sum += x[k] * y[k]
  square[0] = sum
  applySystem(system, y, v)
  sum = 0
  for (let k = 0; k < v.length; k++) sum += v[k] * y[k]
  square[2] = sum
}
