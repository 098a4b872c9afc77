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
import { integrate } from '../../../joints/index.js'
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import { createState, type State } from '../../../model/state.js'
import { STEP, TIME } from '../constraints/constraint-work.js'
import { applyStiffness, applySystem, assemble, rightHandSide, type System } from '../matrix/system.js'

export const GAMMA = 1 - Math.SQRT1_2

/** How a step ended: well; struck a limit or a contact on the way; the linear solve failed, with a message; stages do not converge. */
export const GOOD = 0
export const STRUCK = 1
export const BROKEN = 2
export const LOOSE = 3

export interface Stages {
  /** velocity at the end, and displacement from the start */
  readonly v: Vec
  readonly move: Vec
  /** acceleration at the end, and its rate */
  readonly a: Vec
  readonly j: Vec
  /** Steps from the state with a and j of the step before, if they are `known`; span[0] is the step. */
  run(state: State, known: boolean): number
  /** whether stages came so near to what was expected that a step twice as long would do */
  readonly easy: boolean
}

export interface StageTools {
  /** time and step of the rows that `solve` constrains */
  readonly clock: Vec
  /** Moves a pose onto the loops at the time of the clock. */
  close(q: Vec): void
  /** x ← the constrained velocity of the system as assembled at p; false where that failed. */
  solve(p: State, x: Vec): boolean
  /** whether a limit or a contact pushed in the last solve */
  pushes(): boolean
}

// shares of the motion: by which a stage may stray from what was expected, and by which it may again where it is linearised anew, there because
// of forces that K does not know; what of these becomes as much in twice the step
const STRAY = 0.004
const AGAIN = 1e-4
const EASY = 1 / 8
const EASY_AGAIN = 1 / 16
// of a correction, what the next one may be; what it is taken for where there is only one
const CONTRACTION = 0.25
const GUESSED = 0.125
// share of the motion that further corrections may be
const LEFT = 3e-5
const ROUNDS = 6
// m/s: slower motion is not worth a shorter step
const SLOW = 1e-6

export function createStages(model: Model, system: System, span: Vec, tools: StageTools): Stages {
  const { nv } = model
  const { clock } = tools
  const [v, move, a, j, bar, delta, first, x, y] = Array.from({ length: 9 }, () => new Float64Array(nv))
  const at = createState(model)
  // squares: of a correction, of the one before, of the motion
  const square = new Float64Array(3)
  let easy = true
  let mass = 0
  for (let i = 1; i < model.nbody; i++) mass += model.inertia[10 * i]

  /** v and move of the stage with v̄ in bar and δ, expected at at.v, at the time and with the step of the clock. */
  const stage = (state: State, known: boolean): number => {
    const g = clock[STEP]
    at.t = clock[TIME]
    at.tau.set(state.tau)
    at.control = state.control
    for (let round = 0; round < ROUNDS; round++) {
      for (let k = 0; k < nv; k++) move[k] = delta[k] + g * at.v[k]
      at.q.set(state.q)
      integrate(model, at.q, move, 1)
      tools.close(at.q)

      // b = A vᵖ + M (v̄ − vᵖ) + g Q; `rightHandSide` gives M v̄ + g (Q + D vᵖ), and A vᵖ − M vᵖ − g D vᵖ is the stiffness alone
      system.h = g
      assemble(system, at)
      rightHandSide(system, at, bar)
      applyStiffness(system, x, at.v)
      for (let k = 0; k < nv; k++) system.b[k] += x[k]
      v.set(at.v)
      if (!tools.solve(at, v)) return BROKEN
      for (let k = 0; k < nv; k++) move[k] = delta[k] + g * v[k]
      if (tools.pushes()) return STRUCK
      measure(round)
      const slow = SLOW * SLOW * mass
      const share = round === 0 ? STRAY : AGAIN
      const less = share * (round === 0 ? EASY : EASY_AGAIN)
      // of one correction to the next, squared
      const shrinks = round === 0 ? GUESSED * GUESSED : square[0] / square[1]
      if (round < 2 && square[0] > less * less * square[2] + slow) easy = false
      // what is not a number is let through: the caller finds it and says where
      if (round < 2 && known && square[0] > share * share * square[2] + slow) return LOOSE
      if (round > 0 && shrinks > CONTRACTION * CONTRACTION) return LOOSE
      if (!(square[0] * shrinks > LEFT * LEFT * square[2] + slow)) return GOOD
      at.v.set(v)
    }
    return LOOSE
  }

  /** Squares in the norm of A: kinetic energy, and what springs gain in a step. */
  const measure = (round: number): void => {
    square[1] = round === 0 ? 0 : square[0]
    for (let k = 0; k < nv; k++) x[k] = v[k] - at.v[k]
    applySystem(system, y, x)
    let sum = 0
    for (let k = 0; k < nv; k++) sum += x[k] * y[k]
    square[0] = sum
    applySystem(system, y, v)
    sum = 0
    for (let k = 0; k < nv; k++) sum += v[k] * y[k]
    square[2] = sum
  }

  return {
    v,
    move,
    a,
    j,
    get easy() {
      return easy
    },
    run(state, known) {
      const h = span[0]
      easy = true
      const g = GAMMA * h
      clock[STEP] = g
      clock[TIME] = state.t + g
      for (let k = 0; k < nv; k++) {
        bar[k] = state.v[k]
        delta[k] = 0
        at.v[k] = known ? state.v[k] + g * (a[k] + g * j[k]) : state.v[k]
      }
      let status = stage(state, known)
      if (status !== GOOD) return status

      clock[STEP] = g
      clock[TIME] = state.t + h
      for (let k = 0; k < nv; k++) {
        first[k] = (v[k] - bar[k]) / g
        bar[k] += (h - g) * first[k]
        delta[k] = (h - g) * v[k]
        at.v[k] = bar[k] + g * first[k] + (known ? (h - g) * (first[k] - a[k]) : 0)
      }
      status = stage(state, known)
      if (status !== GOOD) return status
      for (let k = 0; k < nv; k++) {
        a[k] = (v[k] - bar[k]) / g
        j[k] = (a[k] - first[k]) / (h - g)
      }
      return GOOD
    },
  }
}
