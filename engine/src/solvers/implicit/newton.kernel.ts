/**
 * Newton's method on the convex problem of a step, one elimination of the tree an iteration:
 *
 *   min over a   ½ (a − a₀)ᵀ A (a − a₀) + Σ ℓ(ω),   ω = J (v/h + a),  f = −ℓ'(ω)
 * A full step is taken where the slope at its end is at most a quarter of that at its start; else the line is searched (regula falsi with the
 * Illinois rule). Lanes that have converged keep their accelerations while others of their group go on.
 */
import { any } from '../../math/values/columns.js'
import type { Tree, Work } from '../../model/tables.js'
import { accelerate, eliminate } from './eliminate.kernel.js'
import type { Kind } from './kinds.kernel.js'
import { type Line, respond, slope, update } from './respond.kernel.js'
import type { Ground, GroundStep } from './tables.js'

/** Contacts that couple two bodies, or nothing. */
export interface Coupling {
  readonly respond: (g: Ground, s: GroundStep) => void
  /** adds to aNew, AW what the couplings do */
  readonly solve: (m: Tree, d: Work, g: Ground, s: GroundStep) => void
  readonly update: (d: Work, g: Ground, s: GroundStep, line: Line) => Line
  readonly slope: (g: Ground, s: GroundStep) => number
}

export const uncoupled: Coupling = { respond: () => {}, solve: () => {}, update: (_d, _g, _s, line) => line, slope: () => 0 }

/** share of the first slope that the slope at the end of a full step may have */
const ENOUGH = 0.25

/** alpha = about the zero of the slope, in the lanes that are far from it at 1. */
function search(kind: Kind, coupling: Coupling, g: Ground, s: GroundStep): void {
  const isFar = s.far[0] > 0
  let low = 0
  let high = 1
  let atLow = s.slope0[0]
  let atHigh = s.slope1[0]
  let alpha = 1
  for (let n = 0; n < g.maxSearches; n++) {
    const secant = high - (atHigh * (high - low)) / (atHigh - atLow)
    alpha = isFar && secant > low && secant < high ? secant : 0.5 * (low + high)
    s.trial[0] = alpha
    const at = slope(kind, g, s) + coupling.slope(g, s)
    const isBelow = at < 0
    // the end that stays counts half
    const nextLow = isBelow ? at : 0.5 * atLow
    atHigh = isBelow ? 0.5 * atHigh : at
    atLow = nextLow
    low = isBelow ? alpha : low
    high = isBelow ? high : alpha
  }
  s.alpha[0] = isFar ? alpha : 1
}

/** Reads qf, diag, rows, and rateNew at the accelerations of the last step. Writes a. */
export function newton(kind: Kind, coupling: Coupling, m: Tree, d: Work, g: Ground, s: GroundStep): void {
  for (let i = 1; i < m.nbody; i++) s.dirty[i] = 1
  s.live[0] = 1
  s.alpha[0] = 1
  g.iterations[0] = 0
  for (let iteration = 0; iteration < g.maxIterations && any(s.live[0] > 0); iteration++) {
    respond(kind, m, g, s)
    coupling.respond(g, s)
    eliminate(m, d, g, s)
    accelerate(m, d, g, s)
    coupling.solve(m, d, g, s)
    const line = coupling.update(d, g, s, update(kind, d, g, s))
    const isLive = s.live[0] > 0
    const isDone = line.residual <= g.tolerance[0]
    s.alpha[0] = 1
    s.slope0[0] = line.start
    s.slope1[0] = line.end
    // the first point has no line that leads to it
    if (iteration > 0) {
      const isFar = isLive && !isDone && line.end > -ENOUGH * line.start
      s.far[0] = isFar ? 1 : 0
      if (any(isFar)) search(kind, coupling, g, s)
    }
    const alpha = s.alpha[0]
    for (let k = 0; k < g.nv; k++) {
      const a = g.a[k]
      const next = alpha === 1 ? s.aNew[k] : a + alpha * (s.aNew[k] - a)
      g.a[k] = isLive ? next : a
    }
    g.iterations[0] = g.iterations[0] + (isLive ? 1 : 0)
    s.live[0] = isLive && !isDone ? 1 : 0
  }
}
