/**
 * Rows at the current accelerations: forces, tangents, and what they change in the elimination; then rates, multipliers and slopes of the cost
 * at the end of a Newton step.
 *
 * After a solve A a − b = Jᵀλ with λ = φ − G ω exactly, so that the slope of the cost along the line needs numbers of rows only:
 *   slope(α) = Σ p · (λ + α (λ' − λ) − f(ω + α p)),   p = ω' − ω
 */
import { add, any, type Int, scale, sub } from '../../math/values/columns.js'
import {
  type Articulated,
  dot,
  type Force,
  type Motion,
  mulArticulated,
  NO_FORCE,
  power,
  shiftForce,
  shiftInertia,
  ZERO,
} from '../../math/values/spatial.js'
import type { Tree, Work } from '../../model/tables.js'
import { lawOf } from './cones.kernel.js'
import { atPoint, forceOf, type Kind, motionOf, setForce, setMotion } from './kinds.kernel.js'
import type { Ground, GroundStep } from './tables.js'

const NO_INERTIA: Articulated = { A: [0, 0, 0, 0, 0, 0], B: [ZERO, ZERO, ZERO], C: [0, 0, 0, 0, 0, 0] }

const clampTo = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high)

/** Moves rates and multipliers of slot c by α along the line; writes force, G, φ there. Whether G or φ changed in lanes that iterate. */
export function respondSlot(kind: Kind, g: Ground, s: GroundStep, c: Int): boolean {
  const alpha = s.alpha[0]
  const from = motionOf(kind, s.rate, s.spinRate, c)
  const to = motionOf(kind, s.rateNew, s.spinRateNew, c)
  const w: Motion = alpha === 1 ? to : add(from, scale(alpha, sub(to, from)))
  const before = forceOf(kind, s.lambda, s.moment, c)
  const after = forceOf(kind, s.lambdaNew, s.momentNew, c)
  const lambda: Force = alpha === 1 ? after : add(before, scale(alpha, sub(after, before)))
  const { force, G, phi, branch, isCurved } = lawOf(kind, g, s, c, w)
  const changed = s.live[0] > 0 && s.spot[c].q > 0 && (branch !== s.branch[c] || isCurved)
  setMotion(kind, s.rate, s.spinRate, c, w)
  setForce(kind, s.lambda, s.moment, c, lambda)
  setForce(kind, s.force, s.spinForce, c, force)
  setForce(kind, s.phi, s.spinPhi, c, phi)
  kind.setTangent(s, c, G)
  s.branch[c] = branch
  return changed
}

function respondRow(m: Tree, g: Ground, s: GroundStep, n: Int): void {
  const alpha = s.alpha[0]
  const { hat, q, low, high } = s.row[n]
  const w = alpha === 1 ? s.rowRateNew[n] : s.rowRate[n] + alpha * (s.rowRateNew[n] - s.rowRate[n])
  s.rowRate[n] = w
  s.rowLambda[n] = alpha === 1 ? s.rowLambdaNew[n] : s.rowLambda[n] + alpha * (s.rowLambdaNew[n] - s.rowLambda[n])
  const y = q * (hat - w)
  const isInside = y > low && y < high
  const force = clampTo(y, low, high)
  const branch = y <= low ? 0 : isInside ? 1 : 2
  const changed = s.live[0] > 0 && branch !== s.rowBranch[n]
  if (any(changed)) {
    const [G, phi] = s.rowTangent[n]
    const nextG = isInside ? q : 0
    const nextPhi = isInside ? q * hat : force
    const k = g.rowV[n]
    // ω = ± (v/h + a): the part of G ω that v/h makes is a force
    const moreG = nextG - G
    s.rowG[k] = s.rowG[k] + (changed ? moreG : 0)
    s.rowPhi[k] = s.rowPhi[k] + (changed ? g.rowSign[n] * (nextPhi - phi) - moreG * (g.perStep[0] * g.v[k]) : 0)
    s.rowTangent[n] = [changed ? nextG : G, changed ? nextPhi : phi]
    const i = m.velocityBody[k]
    s.dirty[i] = changed ? 1 : s.dirty[i]
  }
  s.rowBranch[n] = s.live[0] > 0 ? branch : s.rowBranch[n]
  s.rowForce[n] = force
}

/** Moves all rows by α; K, F of the bodies on which any changed, which are marked. */
export function respond(kind: Kind, m: Tree, g: Ground, s: GroundStep): void {
  for (let n = 0; n < g.rowCount; n++) if (any(s.row[n].q > 0)) respondRow(m, g, s, n)
  for (let e = 0; e < g.touchCount; e++) {
    const i = g.touchBody[e]
    if (any(s.touch[i] > 0)) {
      let changed = 0
      for (let c = g.slotStart[i]; c < g.slotStart[i + 1] && any(s.grip[c] > 0); c++) changed = respondSlot(kind, g, s, c) ? 1 : changed
      if (any(changed > 0)) {
        let K: Articulated = NO_INERTIA
        let F: Force = NO_FORCE
        for (let c = g.slotStart[i]; c < g.slotStart[i + 1] && any(s.grip[c] > 0); c++) {
          const { r } = s.spot[c]
          K = add(K, shiftInertia(kind.tangent(s, c), r))
          F = add(F, shiftForce(forceOf(kind, s.phi, s.spinPhi, c), r))
        }
        s.K[i] = K
        s.F[i] = sub(mulArticulated(K, s.E[i]), F)
        s.dirty[i] = Math.max(s.dirty[i], changed)
      }
    }
  }
}

/** rateNew of the contacts at AW, where the iterations start. */
export function measure(kind: Kind, d: Work, g: Ground, s: GroundStep): void {
  for (let e = 0; e < g.touchCount; e++) {
    const i = g.touchBody[e]
    if (any(s.touch[i] > 0)) {
      const W = add(d.AW[i], s.E[i])
      for (let c = g.slotStart[i]; c < g.slotStart[i + 1] && any(s.grip[c] > 0); c++)
        setMotion(kind, s.rateNew, s.spinRateNew, c, atPoint(kind, W, s.spot[c].r))
    }
  }
}

/** Slopes at both ends of a line and Σ w (λ' − f')². */
export type Line = { readonly start: number; readonly end: number; readonly residual: number }
export const NO_LINE: Line = { start: 0, end: 0, residual: 0 }

/** |x|² of a force, its moments scaled as their rows are. */
export const normOf = (kind: Kind, s: GroundStep, c: Int, { n, f }: Force): number => {
  const { torsion, rolling } = kind.spin(s, c)
  const largest = Math.max(torsion, rolling)
  return dot(f, f) + (largest > 0 ? dot(n, n) / (largest > 0 ? largest * largest : 1) : 0)
}

/** Writes the rates w and the multipliers of slot c at the end of the step; adds its part of the line. */
export function updateSlot(kind: Kind, g: Ground, s: GroundStep, c: Int, w: Motion, lambda: Force, { start, end, residual }: Line): Line {
  const off = sub(lambda, lawOf(kind, g, s, c, w).force)
  const p = sub(w, motionOf(kind, s.rate, s.spinRate, c))
  const was = sub(forceOf(kind, s.lambda, s.moment, c), forceOf(kind, s.force, s.spinForce, c))
  setMotion(kind, s.rateNew, s.spinRateNew, c, w)
  setForce(kind, s.lambdaNew, s.momentNew, c, lambda)
  return { start: start + power(p, was), end: end + power(p, off), residual: residual + s.spot[c].w * normOf(kind, s, c, off) }
}

/** Reads aNew, AW. Writes rates and multipliers of all rows there. */
export function update(kind: Kind, d: Work, g: Ground, s: GroundStep): Line {
  const perStep = g.perStep[0]
  let line = NO_LINE
  for (let n = 0; n < g.rowCount; n++) {
    if (any(s.row[n].q > 0)) {
      const { hat, q, low, high } = s.row[n]
      const k = g.rowV[n]
      const w = g.rowSign[n] * (perStep * g.v[k] + s.aNew[k])
      const [G, phi] = s.rowTangent[n]
      const lambda = phi - G * w
      const off = lambda - clampTo(q * (hat - w), low, high)
      const p = w - s.rowRate[n]
      s.rowRateNew[n] = w
      s.rowLambdaNew[n] = lambda
      line = {
        start: line.start + p * (s.rowLambda[n] - s.rowForce[n]),
        end: line.end + p * off,
        residual: line.residual + g.rowSoft[n].w * (off * off),
      }
    }
  }
  for (let e = 0; e < g.touchCount; e++) {
    const i = g.touchBody[e]
    if (any(s.touch[i] > 0)) {
      const W = add(d.AW[i], s.E[i])
      for (let c = g.slotStart[i]; c < g.slotStart[i + 1] && any(s.grip[c] > 0); c++) {
        const w = atPoint(kind, W, s.spot[c].r)
        const lambda = sub(forceOf(kind, s.phi, s.spinPhi, c), mulArticulated(kind.tangent(s, c), w))
        line = updateSlot(kind, g, s, c, w, lambda, line)
      }
    }
  }
  return line
}

/** Part of slot c in the slope at s.trial. */
export function slopeOfSlot(kind: Kind, g: Ground, s: GroundStep, c: Int): number {
  const alpha = s.trial[0]
  const from = motionOf(kind, s.rate, s.spinRate, c)
  const p = sub(motionOf(kind, s.rateNew, s.spinRateNew, c), from)
  const before = forceOf(kind, s.lambda, s.moment, c)
  const lambda = add(before, scale(alpha, sub(forceOf(kind, s.lambdaNew, s.momentNew, c), before)))
  return power(p, sub(lambda, lawOf(kind, g, s, c, add(from, scale(alpha, p))).force))
}

/** Slope of the cost at s.trial. */
export function slope(kind: Kind, g: Ground, s: GroundStep): number {
  const alpha = s.trial[0]
  let sum = 0
  for (let n = 0; n < g.rowCount; n++) {
    if (any(s.row[n].q > 0)) {
      const { hat, q, low, high } = s.row[n]
      const p = s.rowRateNew[n] - s.rowRate[n]
      const force = clampTo(q * (hat - (s.rowRate[n] + alpha * p)), low, high)
      sum = sum + p * (s.rowLambda[n] + alpha * (s.rowLambdaNew[n] - s.rowLambda[n]) - force)
    }
  }
  for (let e = 0; e < g.touchCount; e++) {
    const i = g.touchBody[e]
    if (any(s.touch[i] > 0)) {
      for (let c = g.slotStart[i]; c < g.slotStart[i + 1] && any(s.grip[c] > 0); c++) sum = sum + slopeOfSlot(kind, g, s, c)
    }
  }
  return sum
}
