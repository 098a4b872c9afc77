/**
 * A step of scheme linear: thesis eq. 2.13, as the authors run it.
 *
 *   A v⁺ = M v + h (Q + D v),  A = M + h D − h² K at q,   q⁺ = q ⊕ h v⁺
 * Constraints: gaps at the start of the step, motions at its end, velocities as given.
 *
 * Memory: the solution before constraints and its rate, from which the next solve may start. What is constrained is no good start: it differs
 * by all that the loops pull.
 */
import type { State } from '../../../model/state.js'
import { STEP, TIME } from '../constraints/constraint-work.js'
import { startLinearised } from '../constraints/find-rows.js'
import type { HeldPlaces } from '../constraints/step-constraints.js'
import { assemble, rightHandSide } from '../matrix/system.js'
import { type Linearised, moveState, solveConstrained } from './linearised-record.js'
import { addTurningStiffness } from './published-stiffness.js'

/** where State.s holds the history: numbers of the last step (nv), their rate (nv), and whether they are known */
export interface HistoryPlaces extends HeldPlaces {
  readonly history: number
  readonly historyRate: number
  readonly known: number
}

/** A step of span[0]; false, with the report, where it failed, and the state is as it was. `guess`: where iterations start. */
export function linearStep(l: Linearised, state: State, at: HistoryPlaces, guess: 'velocity' | 'solution'): boolean {
  const { system, constraints, clock, span, x } = l
  const h = span[0]
  const { nv } = l.model
  const { s } = state

  // A and b at the start
  system.step[0] = h
  assemble(system, state)
  rightHandSide(system, state, state.v)
  addTurningStiffness(system)

  // A v⁺ = b, constrained
  if (guess === 'solution' && s[at.known] > 0) for (let k = 0; k < nv; k++) x[k] = s[at.history + k] + h * s[at.historyRate + k]
  else x.set(state.v)
  clock[TIME] = state.t + h
  clock[STEP] = h
  if (constraints) startLinearised(constraints, s, at, state.q, clock)
  if (!solveConstrained(l, state, x, false)) return false

  // q⁺ = q ⊕ h v⁺
  if (!moveState(l, state, x, x, span)) return false
  rememberSolution(l, state, at)
  return true
}

function rememberSolution({ free, span }: Linearised, { s }: State, at: HistoryPlaces): void {
  for (let k = 0; k < free.length; k++) {
    s[at.historyRate + k] = s[at.known] > 0 ? (free[k] - s[at.history + k]) / span[0] : 0
    s[at.history + k] = free[k]
  }
  s[at.known] = 1
}
