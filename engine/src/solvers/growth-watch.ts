/**
 * Finds runs of explicit steps whose energy grows without bound, and keeps the last good state.
 *
 * A run is never judged by how fast it is, but by two properties together:
 *   growth   the largest velocity has grown, in four turns (eight if they are long), each time by √10 (tenfold energy), not along a straight line: with the
 *            increments D of the last three steps and n steps in the turn, n √(|D₃ − 2 D₂ + D₁| / |D₂|) ≥ 1. A steady force has 0 there, an
 *            oscillation hω n, an unstable mode about |R − 1| n, R its factor a step. The first turn may be a kick from outside.
 *   error    the same time in smaller steps does not grow likewise: peak velocities from here differ by more than a factor of two.
 * Motors, falls, chaos and written states may grow, but smaller steps confirm them. Unconfirmed growth is the error of the steps, and as it was
 * repeated, nothing bounds it. A step costs one pass over the velocities; smaller steps are made after these turns only.
 */
import { beginActivations, endActivations } from '../forces/activation.js'
import type { Vec } from '../math/types.js'
import type { Model } from '../model/model.js'
import { copyState, createState, type State } from '../model/state.js'
import type { Stepper } from './solver.js'

export interface GrowthWatch {
  /** the state to return to */
  readonly good: State
  /** The run begins, or goes on from a state that was written. */
  restart(state: State): void
  /** After each step. True where the velocities have grown suspiciously: `isConfirmed` decides. */
  isSuspect(state: State): boolean
  /** Whether a step that ends in numbers that are none is the end of such growth. */
  isGrowing(): boolean
  /** Whether smaller steps from the state grow as those of h do. Makes both; the state stays as it is, the totals of the report go on. */
  isConfirmed(m: Model, stepper: Stepper, state: State, h: number): boolean
}

const TURN = Math.sqrt(10)
const TURNS = 4
/** turns of more steps than this are long: it takes more steps to judge them, so that there must be more of them */
const LONG_TURN = 16
const LONG_TURNS = 8
/** steps from one copy of the state to the next */
const COPY_EVERY = 16
/** slower growth is not judged: it would take as many steps again, and nine times as many in parts */
const LONGEST_TURN = 1024

export function createGrowthWatch(m: Model): GrowthWatch {
  const { nv } = m
  const good = createState(m)
  // velocities of the last four steps
  const past = [0, 1, 2, 3].map(() => new Float64Array(nv))
  // largest velocity at the last turn, and now; in arrays: numbers that cross a call or are kept by a closure would be boxed
  const base = new Float64Array(1)
  const speed = new Float64Array(1)
  let turns = 0
  let steps = 0
  let since = 0
  // steps of the last turn
  let last = 0
  let scratch: State | undefined

  const keep = (state: State): void => {
    copyState(good, state)
  }

  /** The largest velocity within `count` steps of h, each in `parts` parts, in units of that at the state; NaN where a step fails. */
  const peak = (model: Model, stepper: Stepper, state: State, h: number, count: number, parts: number): number => {
    scratch ??= createState(m)
    copyState(scratch, state)
    let most = 0
    for (let k = 0; k < count; k++) {
      for (let p = 0; p < parts; p++) {
        beginActivations(scratch, h / parts)
        const { status } = stepper.step(scratch, h / parts)
        endActivations(model, scratch)
        if (status !== 'ok') return Number.NaN
      }
      findLargest(speed, scratch.v)
      most = Math.max(most, speed[0])
    }
    return most
  }

  return {
    good,
    restart(state) {
      keep(state)
      findLargest(base, state.v)
      turns = 0
      steps = 0
      since = 0
      last = 0
      past[3].set(state.v)
    },
    isGrowing: () => turns > 1,
    isSuspect(state) {
      const { v } = state
      past[steps & 3].set(v)
      steps = (steps + 1) | 0
      since = (since + 1) | 0
      findLargest(speed, v)
      if (!(speed[0] > TURN * base[0])) {
        // growth that slows down to a quarter has a bound
        if (turns > 0 && since > 4 * (last + 4)) turns = 0
        if (turns === 0 && steps % COPY_EVERY === 0) keep(state)
        return false
      }
      const n = since
      const isFirst = base[0] === 0
      const straight = isFirst || (steps > 3 && n * n * curvature(past, steps) < 1)
      base[0] = speed[0]
      since = 0
      last = n
      turns = straight || n > LONGEST_TURN ? 0 : turns + 1
      if (turns === 0 && !isFirst) keep(state)
      return turns >= (n > LONG_TURN ? LONG_TURNS : TURNS)
    },
    isConfirmed(model, stepper, state, h) {
      const report = stepper.report as { steps: number; rejected: number }
      const { steps: made, rejected } = report
      // in as many steps as the last turn had, unstable ones grow by √10 again
      const count = Math.max(4, last)
      const whole = peak(model, stepper, state, h, count, 1)
      const fine = peak(model, stepper, state, h, count, count <= LONG_TURN ? 16 : 8)
      report.steps = made
      report.rejected = rejected
      const confirmed = whole < 2 * fine && fine < 2 * whole
      if (confirmed) turns = 0
      return confirmed
    },
  }
}

/** The motion of a state goes back to that of another one; joint forces and controls, which are the program's, stay. */
export function returnTo(state: State, good: State): void {
  state.t = good.t
  state.q.set(good.q)
  state.v.set(good.v)
  state.s.set(good.s)
  state.act.set(good.act)
  state.since[0] = Number.NaN
}

/** out[0] ← the largest velocity. */
function findLargest(out: Vec, v: Vec): void {
  let most = 0
  for (let k = 0; k < v.length; k++) {
    const x = Math.abs(v[k])
    if (x > most) most = x
  }
  out[0] = most
}

/** |D₃ − 2 D₂ + D₁| / |D₂| of the increments of the last three steps; past[(steps − 1) & 3] is the newest velocity. */
function curvature(past: readonly Vec[], steps: number): number {
  const v3 = past[(steps - 1) & 3]
  const v2 = past[(steps - 2) & 3]
  const v1 = past[(steps - 3) & 3]
  const v0 = past[(steps - 4) & 3]
  let bend = 0
  let size = 0
  for (let k = 0; k < v3.length; k++) {
    bend = Math.max(bend, Math.abs(v3[k] - 3 * v2[k] + 3 * v1[k] - v0[k]))
    size = Math.max(size, Math.abs(v2[k] - v1[k]))
  }
  return bend / size
}
