/**
 * Step size and order of Gear's methods, chosen as Hindmarsh does [Gear; Odepack]: scalars only, from the norms of a step's corrections.
 *
 * Letters of [Odepack]: q order, z history, l coefficients, e correction (`acor`). What the history of every entry goes through follows from
 * a *transition*, a few numbers, so that whoever holds a part of the history needs nothing else.
 */
import type { Vec } from '../../math/types.js'
import type { OrderCoefficients } from './coefficients.js'
import { takeRoot } from './nth-root.js'
import { STEP, TIME } from './problem.js'

// scalars of the memory
const T = TIME
const H = STEP // the history is scaled to it
export const Q = 2
export const COUNTDOWN = 3 // steps until a change of order or step is considered
const GROWTH = 4 // largest factor of the next change
export const LAST = 5 // size of the last step
const CAP = 6 // steps are kept below this for a while after a failure
export const SCALARS = 7

// numbers of a transition
/** bits of what is to be done, as below */
export const CODE = 0
/** order of what was just tried, order from now on */
export const ORDER = 1
export const NEXT = 2
/** step from now on in units of the one before */
export const RATIO = 3
export const TRANSITION = 4

/** z_j += l_j e */
export const ACCEPT = 1
/** e is kept, for the change of e of the next step */
export const KEEP = 2
/** the next order's row of z begins: e l_q / (q + 1) */
export const RAISE = 4
/** the prediction is taken back */
export const RETRACT = 8

// norms of a step, in units of what is allowed
export const ERROR = 0 // of e
export const CHANGE = 1 // of e against that of the step before
export const HIGHEST = 2 // of the highest row of z
export const NORMS = 3

const HERE = 0 // factors of the step that this order and its neighbours suggest
const UP = 1
const DOWN = 2
const BEST = 3

const FIRST_GROWTH = 1e4
const USUAL_GROWTH = 10
const GROWTH_AFTER_FAILURE = 2
/**
 * A step of Adams' method that failed is not tried again at once: steps stay below this part of it, and are let go by this factor a
 * step. Without it a run at the bound of stability fails every third step; it is the one departure from Hindmarsh's control.
 */
const BELOW_FAILED = 0.85
const RELEASE = 1.1
/** changes that gain less are not worth the disturbance */
const WORTH = 1.1
export const MOST_FAILURES = 10

export interface StepControl {
  readonly transition: Vec
  /** norms that `accept` and `shorten` read; CHANGE and HIGHEST where `considers` says so */
  readonly norms: Vec
  begin(t: number): void
  /** Whether the step that is about to be accepted is one after which order and step are reconsidered. */
  considers(): boolean
  /** The step was good: clock, order and step size of the next one. */
  accept(): void
  /** The step's error was too large: a shorter one, perhaps of lower order. */
  shorten(): void
  /** Its equations were not solved: a step so many times as long. */
  retry(ratio: number): void
  /** The history is not to be trusted: first order, with a history for steps of one second, which `scale` then fits. */
  restart(): void
  scale(): void
}

export interface ControlOptions {
  readonly maxOrder: number
  readonly hmax: number
  /** steps stay below one that failed for a while */
  readonly cautious: boolean
  /** order and step never change */
  readonly fixed: boolean
}

export function createStepControl(
  memory: Vec,
  table: readonly OrderCoefficients[],
  { maxOrder, hmax, cautious, fixed }: ControlOptions,
): StepControl {
  const transition = new Float64Array(TRANSITION)
  const norms = new Float64Array(NORMS)
  const factors = new Float64Array(4)

  const order = (): number => memory[Q] | 0

  const set = (code: number): void => {
    transition[CODE] = code
    transition[ORDER] = memory[Q]
    transition[NEXT] = memory[Q]
    transition[RATIO] = 1
  }

  /** A step factors[BEST] times as long, within the bounds, at the order `next`. */
  const changeStep = (next: number): void => {
    const ratio = Math.min(factors[BEST], memory[GROWTH])
    transition[RATIO] = ratio / Math.max(1, (memory[H] * ratio) / Math.min(hmax, memory[CAP]))
    transition[NEXT] = next
    memory[H] *= transition[RATIO]
    memory[Q] = next
    memory[COUNTDOWN] = next + 1
  }

  /**
   * Step and order by the estimated errors of this order and its neighbours: factors[BEST], and the order that it belongs to. Done after every step, though
   * few make use of it: what is done seldom stays uncompiled, and boxes every number.
   */
  const suggest = (failed: boolean): number => {
    const q = order()
    factors[HERE] = norms[ERROR]
    takeRoot(factors, HERE, q + 1)
    factors[BEST] = 1 / (1.2 * factors[HERE] + 1.2e-6)
    factors[UP] = 0
    if (!failed && q < maxOrder) {
      factors[UP] = norms[CHANGE] / table[q].up
      takeRoot(factors, UP, q + 2)
      factors[UP] = 1 / (1.4 * factors[UP] + 1.4e-6)
    }
    factors[DOWN] = 0
    if (q > 1) {
      factors[DOWN] = norms[HIGHEST] / table[q].down
      takeRoot(factors, DOWN, q)
      factors[DOWN] = 1 / (1.3 * factors[DOWN] + 1.3e-6)
    }
    let next = q
    if (factors[UP] > factors[BEST] && factors[UP] > factors[DOWN]) {
      factors[BEST] = factors[UP]
      next = q + 1
    } else if (factors[DOWN] > factors[BEST]) {
      factors[BEST] = failed ? Math.min(1, factors[DOWN]) : factors[DOWN]
      next = q - 1
    }
    return next
  }

  const failed = (): void => {
    set(RETRACT)
    memory[GROWTH] = GROWTH_AFTER_FAILURE
    if (cautious) memory[CAP] = BELOW_FAILED * memory[H]
  }

  return {
    transition,
    norms,
    begin(t) {
      memory[T] = t
      memory[LAST] = 0
      memory[GROWTH] = FIRST_GROWTH
      memory[CAP] = Number.POSITIVE_INFINITY
    },
    considers: () => !fixed && memory[COUNTDOWN] === 1,
    accept() {
      set(ACCEPT)
      memory[T] += memory[H]
      memory[LAST] = memory[H]
      memory[CAP] *= RELEASE
      if (fixed) return
      memory[COUNTDOWN]--
      const next = suggest(false)
      if (memory[COUNTDOWN] > 0) {
        if (memory[COUNTDOWN] === 1 && order() < maxOrder) transition[CODE] += KEEP
      } else if (factors[BEST] < WORTH) {
        memory[COUNTDOWN] = 3
      } else {
        if (next > order()) transition[CODE] += RAISE
        changeStep(next)
      }
      memory[GROWTH] = USUAL_GROWTH
    },
    shorten() {
      failed()
      changeStep(suggest(true))
    },
    retry(ratio) {
      failed()
      factors[BEST] = ratio
      changeStep(order())
    },
    restart() {
      failed()
      memory[H] *= 0.1
      memory[Q] = 1
      memory[COUNTDOWN] = 5
      transition[NEXT] = 1
    },
    scale() {
      set(0)
      transition[RATIO] = memory[H]
    },
  }
}
