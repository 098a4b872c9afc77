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
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import { type State, shareInputs } from '../../../model/state.js'
import { plainTableRoom, roomFor, stateLengths, takeAll, takeState, takeTable } from '../../../model/work-space.js'
import { totalMass } from '../../../tree/momentum.js'
import { STEP, TIME } from '../constraints/constraint-work.js'
import { isPushing } from '../constraints/step-constraints.js'
import { applyStiffness, applySystem, assemble, rightHandSide } from '../matrix/system.js'
import { areFinite, type Linearised, solveConstrained } from './linearised-record.js'

export const GAMMA = 1 - Math.SQRT1_2

/** How stages ended: well; a limit or a contact pushes; the linear solve failed, with a message; they do not converge. */
export const GOOD = 0
export const IMPACT = 1
export const UNSOLVED = 2
export const NOT_CONVERGED = 3

export interface Stages {
  /** where kernels find the columns */
  readonly table: number
  /** coordinates and velocity at the start */
  readonly q0: Vec
  readonly v0: Vec
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
  readonly z: Vec
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

const layout = ({ nq, nv }: Model) => ({
  ...{ q0: nq, v0: nv, v: nv, move: nv, a: nv, j: nv, bar: nv, delta: nv, first: nv, x: nv, y: nv, z: nv, square: 3 },
})

/** Numbers to ask `createLinearised` for. */
export const stagesRoom = (model: Model): number => roomFor(layout(model)) + roomFor(stateLengths(model)) + plainTableRoom('StageColumns')

export function createStages({ model, data, system, span }: Linearised, projection: Projection | undefined): Stages {
  const taken = takeAll(data, layout(model))
  const at = takeState(data, model)
  const table = takeTable(data, 'StageColumns', { ...taken, nq: model.nq, step: system.step, span, qp: at.q, vp: at.v })
  const slow = Float64Array.of(SLOW * SLOW * totalMass(model))
  return { ...taken, table, at, slow, projection, isEasy: true }
}

/** Both stages of a step of span[0] from the state, with a and j of the step before, if they are `known`. */
export function runStages(l: Linearised, g: Stages, state: State, known: boolean): number {
  const { at, table } = g
  const { clock, span, system } = l
  const { kernels } = system
  const { tree } = l.data
  const isKnown = known ? 1 : 0
  const h = span[0]
  system.step[0] = GAMMA * h
  clock[STEP] = system.step[0]
  clock[TIME] = state.t + clock[STEP]
  g.isEasy = true
  g.q0.set(state.q)
  g.v0.set(state.v)
  at.tau.set(state.tau)
  shareInputs(at, state)
  kernels.expectFirst(tree, table, isKnown)
  let status = solveStage(l, g, known)
  // what is not a number goes no further: the caller finds it, and says where it began
  if (status !== GOOD || !areFinite(l, g.q0, g.v)) return status

  clock[TIME] = state.t + h
  kernels.expectSecond(tree, table, isKnown)
  status = solveStage(l, g, known)
  if (status === GOOD) kernels.finishStages(tree, table)
  return status
}

/** v and move of the stage with v̄ in bar and δ, expected at `at`, at the time and with the step of the clock. */
function solveStage(l: Linearised, g: Stages, known: boolean): number {
  const { model, data, system, clock, constraints } = l
  const { table, v, bar, x, at, square, projection } = g
  const { kernels } = system
  const { tree } = data
  const slow = g.slow[0]
  at.t = clock[TIME]
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) kernels.expectSolution(tree, table)
    if (projection) projectPose(projection, model, data, at.q, clock)

    // b = A vᵖ + M (v̄ − vᵖ) + g Q; `rightHandSide` gives M v̄ + g (Q + D vᵖ), and A vᵖ − M vᵖ − g D vᵖ is the stiffness alone
    assemble(system, at)
    rightHandSide(system, at, bar)
    applyStiffness(system, x, at.v)
    kernels.addNumbers(tree, system.b.byteOffset, x.byteOffset)
    v.set(at.v)
    if (!solveConstrained(l, at, v, true)) return UNSOLVED
    if (constraints && isPushing(constraints)) return IMPACT
    measureCorrection(l, g)
    const share = round === 0 ? STRAY : STRAY_AGAIN
    const less = share * (round === 0 ? EASY : EASY_AGAIN)
    // of one correction to the next, squared
    const shrinks = round === 0 ? GUESSED * GUESSED : square[0] / square[1]
    if (round < 2 && square[0] > less * less * square[2] + slow) g.isEasy = false
    // what is not a number is let through: the caller finds it and says where
    if (round < 2 && known && square[0] > share * share * square[2] + slow) return NOT_CONVERGED
    if (round > 0 && shrinks > CONTRACTION * CONTRACTION) return NOT_CONVERGED
    if (!(square[0] * shrinks > LEFT * LEFT * square[2] + slow)) return GOOD
  }
  return NOT_CONVERGED
}

/** The displacement, and squares in the norm of A: kinetic energy, and what springs gain in a step. */
function measureCorrection({ data, system }: Linearised, { table, v, x, y, z, at }: Stages): void {
  system.kernels.subtractVelocities(data.tree, x.byteOffset, v.byteOffset, at.v.byteOffset)
  applySystem(system, y, x)
  applySystem(system, z, v)
  system.kernels.measureStage(data.tree, table)
}
