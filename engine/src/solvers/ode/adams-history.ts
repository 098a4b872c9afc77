/**
 * What Adams' method does with each entry of y by itself: all but the evaluation of the forces and the choice of order and step [Jung, section
 * III D: preparation and follow-up].
 *
 *   preparation  the transition that was decided, weights, prediction, and a first correction of positions
 *   follow-up    the correction e = h f − z₁ of y, and its squares for the norms
 * Functions take the groups (bodies) from … to − 1, so that every processor can do it for its own.
 */
import type { Vec } from '../../math/types.js'
import type { OrderCoefficients } from './coefficients.js'
import { correct, createMove, evaluate, predict, rescale, retract } from './nordsieck.js'
import { type Groups, groupsOf, kinematicCount, type OdeProblem } from './problem.js'
import { ACCEPT, CODE, KEEP, NEXT, ORDER, RAISE, RATIO, RETRACT } from './step-control.js'

/**
 * Part of the correction that positions get before the forces are evaluated; entry q belongs to order q. At each order it is the value, to
 * a twentieth, for which oscillations ẍ = −ω² x stay bounded over the widest range of steps: without it ωh ≤ 1.2, 1.0, 0.7, 0.5, 0.3 at
 * orders 2 to 6, with it 1.7, 1.6, 1.2, 0.9, 0.7 (the test of the same name finds both).
 */
export const EARLY = Float64Array.of(0, 0, 0.35, 0.5, 0.6, 0.75, 0.8, 0.85, 0.9, 0.95, 1, 1, 1)

/** Sums of squares, in units of the weights, that the choice of order and step may ask for; each evaluation gives all of them. */
export const CORRECTION = 0 // latest change of e
export const E = 1
export const E_CHANGE = 2 // of e against that of the step before
export const ROW_BEFORE = 3 // of the highest row of z, if the step fails
export const ROW_AFTER = 4 // if it is accepted
export const SUMS = 5

export interface AdamsHistory {
  readonly groups: Groups
  readonly y: Vec
  readonly f: Vec
  readonly e: Vec
  /** reciprocals of the error weights */
  readonly iw: Vec
  /** SUMS a group: those of the group and of what is below it, as far as they were joined; of group 0 those of all */
  readonly sums: Vec
  /** order and step of the evaluation at hand: ORDER_NOW, STEP_NOW */
  readonly now: Vec
  /** A new beginning at y: z₀ ← y, no history. */
  begin(from: number, to: number): void
  /** Applies a transition of the step control. */
  settle(transition: Vec, from: number, to: number): void
  /** Weights of a new step; how many charts were moved. */
  weigh(from: number, to: number): number
  /** y ← the prediction; positions are corrected early, or their rates known, before the forces are. */
  predict(from: number, to: number): void
  /** y ← z₀: for a start. */
  reset(from: number, to: number): void
  /** Rates of positions at y, which another correction needs. */
  moveOn(from: number, to: number): void
  /** After the forces: e, y and the sums. Groups whose parents are before `from` keep theirs. */
  followUp(from: number, to: number): void
  /** z₁ ← f, the sums E of it, from rates of velocities that are known. */
  followStart(from: number, to: number): void
  /** The sums of a group that kept them join those of its parent; children of one parent in decreasing order. */
  joinSums(group: number): void
  /** out ← y at s steps after the front, s = at[k] */
  evaluate(out: Vec, at: Vec, k: number, from: number, to: number): void
}

/** entries of `now` */
export const ORDER_NOW = 0
export const STEP_NOW = 1

export interface HistoryMemory {
  /** rows of the Nordsieck history, and e of the step before */
  readonly z: Vec
  readonly eBefore: Vec
}

export interface HistoryOptions {
  readonly rtol: number
  readonly atol: number
  /** iterate on positions and velocities at once, as the literature does */
  readonly plain: boolean
}

export function createAdamsHistory(
  problem: OdeProblem,
  table: readonly OrderCoefficients[],
  { z, eBefore }: HistoryMemory,
  { rtol, atol, plain }: HistoryOptions,
): AdamsHistory {
  const { n, absolute, chart } = problem
  const groups = groupsOf(problem)
  const { first, end, parent } = groups
  const nk = kinematicCount(problem)
  const maxOrder = z.length / n - 2
  const y = new Float64Array(n)
  const f = new Float64Array(n)
  const e = new Float64Array(n)
  const iw = new Float64Array(n)
  const sums = new Float64Array(SUMS * groups.count)
  const now = new Float64Array(2)
  const move = chart && chart.patches > 0 ? createMove(chart, n, maxOrder, nk, true) : undefined

  /** Runs of entries that follow each other, of the groups from … to − 1: calls `act` with each. */
  const forRuns = (from: number, to: number, act: (a: number, b: number) => void): void => {
    let i = from
    while (i < to) {
      const a = first[i]
      let b = end[i++]
      while (i < to && first[i] === b) b = end[i++]
      if (a === b) continue
      act(a, b)
      if (nk > 0) act(nk + a, nk + b)
    }
  }

  let given: Vec = now
  const settleRun = (a: number, b: number): void => {
    const code = given[CODE]
    const q = given[ORDER] | 0
    const { l } = table[q]
    if ((code & ACCEPT) !== 0) correct(z, n, q, l, e, a, b)
    if ((code & KEEP) !== 0) for (let i = a; i < b; i++) eBefore[i] = e[i]
    if ((code & RETRACT) !== 0) retract(z, n, q, a, b)
    if ((code & RAISE) !== 0) for (let i = a; i < b; i++) z[(q + 1) * n + i] = (e[i] * l[q]) / (q + 1)
    if (given[RATIO] !== 1) rescale(z, n, given[NEXT] | 0, given, RATIO, a, b)
  }

  const weighRun = (a: number, b: number): void => {
    for (let i = a; i < b; i++) iw[i] = 1 / ((absolute !== undefined && absolute[i] === 1 ? 1 : Math.abs(z[i])) * rtol + atol)
  }

  const predictRun = (a: number, b: number): void => {
    predict(z, n, now[ORDER_NOW] | 0, a, b)
    copyEntries(y, z, a, b)
    if (plain) e.fill(0, a, b)
  }

  const beginRun = (a: number, b: number): void => {
    for (let i = a; i < b; i++) {
      for (let o = i; o < z.length; o += n) z[o] = 0
      z[i] = y[i]
      eBefore[i] = 0
    }
  }

  const resetRun = (a: number, b: number): void => copyEntries(y, z, a, b)

  /** One correction of the velocities (all entries, where none are known to be positions), then of the positions with the corrected velocities. */
  const correctStaggered = (from: number, to: number): void => {
    correctEntries(groups, nk, from, to, table[now[ORDER_NOW] | 0].l, now, z, f, e, y)
    if (nk === 0) return
    problem.kinematicRate?.(f, y, from, to)
    correctEntries(groups, 0, from, to, table[now[ORDER_NOW] | 0].l, now, z, f, e, y)
  }

  /** One correction of all entries with the rates at y; each group begins its sum with the squares of how e changed. */
  const correctAtOnce = (from: number, to: number, h: number, l0: number): void => {
    const halves = nk > 0 ? 2 : 1
    for (let i = from; i < to; i++) {
      let sum = sums[SUMS * i + CORRECTION]
      for (let half = 0, a = first[i], b = end[i]; half < halves; half++, a += nk, b += nk) {
        for (let k = a; k < b; k++) {
          const r = h * f[k] - z[n + k]
          const d = (r - e[k]) * iw[k]
          sum += d * d
          e[k] = r
          y[k] = z[k] + l0 * r
        }
      }
      sums[SUMS * i + CORRECTION] = sum
    }
  }

  return {
    groups,
    y,
    f,
    e,
    iw,
    sums,
    now,

    begin: (from, to) => forRuns(from, to, beginRun),

    settle(transition, from, to) {
      given = transition
      forRuns(from, to, settleRun)
    },

    weigh(from, to) {
      const moves = move === undefined ? 0 : move(z, now[ORDER_NOW] | 0, now, STEP_NOW, from, to)
      forRuns(from, to, weighRun)
      return moves
    },

    predict(from, to) {
      forRuns(from, to, predictRun)
      if (nk === 0) return
      const q = now[ORDER_NOW] | 0
      if (!plain && EARLY[q] === 0) return
      problem.kinematicRate?.(f, y, from, to)
      if (plain) return
      correctEarly(groups, from, to, q, table[q].l, now, z, f, y)
    },

    reset: (from, to) => forRuns(from, to, resetRun),

    moveOn: (from, to) => problem.kinematicRate?.(f, y, from, to),

    followUp(from, to) {
      const q = now[ORDER_NOW] | 0
      if (plain) correctAtOnce(from, to, now[STEP_NOW], table[q].l[0])
      else correctStaggered(from, to)
      sumSquares(groups, nk, from, to, q, table[q].l, z, e, eBefore, iw, sums)
    },

    followStart(from, to) {
      if (nk > 0) problem.kinematicRate?.(f, y, from, to)
      const halves = nk > 0 ? 2 : 1
      for (let i = to - 1; i >= from; i--) {
        const o = SUMS * i
        let sum = sums[o + E]
        for (let half = 0, a = first[i], b = end[i]; half < halves; half++, a += nk, b += nk) {
          for (let k = a; k < b; k++) {
            z[n + k] = f[k]
            const x = f[k] * iw[k]
            sum += x * x
          }
        }
        if (parent[i] < from) sums[o + E] = sum
        else {
          sums[o + E] = 0
          sums[SUMS * parent[i] + E] += sum
        }
      }
    },

    joinSums(group) {
      const o = SUMS * group
      const to = SUMS * parent[group]
      for (let k = 0; k < SUMS; k++) {
        sums[to + k] += sums[o + k]
        sums[o + k] = 0
      }
    },

    evaluate(out, at, k, from, to) {
      const q = now[ORDER_NOW] | 0
      for (let i = from; i < to; i++) {
        evaluate(out, z, n, q, at, k, first[i], end[i])
        if (nk > 0) evaluate(out, z, n, q, at, k, nk + first[i], nk + end[i])
      }
    },
  }
}

// the loops by themselves, over arrays that are handed over: in closures of which there are several the compiler reads their places anew

/** e = h f − z₁, y = z₀ + l₀ e, of the entries of groups, each `shift` further on */
function correctEntries(
  { first, end }: Groups,
  shift: number,
  from: number,
  to: number,
  l: Vec,
  now: Vec,
  z: Vec,
  f: Vec,
  e: Vec,
  y: Vec,
): void {
  const n = e.length
  const h = now[STEP_NOW]
  const l0 = l[0]
  for (let i = from; i < to; i++) {
    for (let k = shift + first[i], last = shift + end[i]; k < last; k++) {
      const r = h * f[k] - z[n + k]
      e[k] = r
      y[k] = z[k] + l0 * r
    }
  }
}

/** y += part of l₀ (h f − z₁) */
function correctEarly({ first, end }: Groups, from: number, to: number, q: number, l: Vec, now: Vec, z: Vec, f: Vec, y: Vec): void {
  const n = y.length
  const h = now[STEP_NOW]
  const part = EARLY[q] * l[0]
  for (let i = from; i < to; i++) for (let k = first[i]; k < end[i]; k++) y[k] += part * (h * f[k] - z[n + k])
}

/** The sums of the groups from … to − 1, from the last on; those whose parents are before `from` keep theirs. */
function sumSquares(
  { first, end, parent }: Groups,
  nk: number,
  from: number,
  to: number,
  q: number,
  l: Vec,
  z: Vec,
  e: Vec,
  eBefore: Vec,
  iw: Vec,
  sums: Vec,
): void {
  const qn = q * e.length
  const lq = l[q]
  const halves = nk > 0 ? 2 : 1
  for (let i = to - 1; i >= from; i--) {
    const o = SUMS * i
    const correction = sums[o + CORRECTION]
    let s1 = sums[o + E]
    let s2 = sums[o + E_CHANGE]
    let s3 = sums[o + ROW_BEFORE]
    let s4 = sums[o + ROW_AFTER]
    // positions, then velocities
    for (let half = 0, a = first[i], b = end[i]; half < halves; half++, a += nk, b += nk) {
      for (let k = a; k < b; k++) {
        const scale = iw[k]
        const x = e[k]
        const highest = z[qn + k]
        const x1 = x * scale
        const x2 = (x - eBefore[k]) * scale
        const x3 = highest * scale
        const x4 = (highest + lq * x) * scale
        s1 += x1 * x1
        s2 += x2 * x2
        s3 += x3 * x3
        s4 += x4 * x4
      }
    }
    const p = parent[i]
    if (p < from) {
      sums[o + CORRECTION] = correction
      sums[o + E] = s1
      sums[o + E_CHANGE] = s2
      sums[o + ROW_BEFORE] = s3
      sums[o + ROW_AFTER] = s4
      continue
    }
    // its own place is empty for the next time
    for (let k = o; k < o + SUMS; k++) sums[k] = 0
    const on = SUMS * p
    sums[on + CORRECTION] += correction
    sums[on + E] += s1
    sums[on + E_CHANGE] += s2
    sums[on + ROW_BEFORE] += s3
    sums[on + ROW_AFTER] += s4
  }
}

/** out[a] … out[b − 1] ← those of x */
function copyEntries(out: Vec, x: Vec, a: number, b: number): void {
  for (let k = a; k < b; k++) out[k] = x[k]
}
