/**
 * Work of the rows over the last step: what contacts, limits and dry friction took out of the mechanism, stored or turned into heat.
 *
 * A force λ of a row acts along its rate at the end of the step, h² ω, so that   taken = −h² Σ λ · ω.
 */
import { any } from '../../math/values/columns.js'
import { power } from '../../math/values/spatial.js'
import { forceOf, full, type Kind, motionOf, slanted } from './kinds.kernel.js'
import type { Ground, GroundStep } from './tables.js'

function workOf(kind: Kind, g: Ground, s: GroundStep): void {
  let sum = 0
  for (let n = 0; n < g.rowCount; n++) if (any(s.row[n].q > 0)) sum = sum + s.rowLambdaNew[n] * s.rowRateNew[n]
  for (let e = 0; e < g.touchCount; e++) {
    const i = g.touchBody[e]
    if (any(s.touch[i] > 0)) {
      for (let c = g.slotStart[i]; c < g.slotStart[i + 1] && any(s.grip[c] > 0); c++)
        sum = sum + power(motionOf(kind, s.rateNew, s.spinRateNew, c), forceOf(kind, s.lambdaNew, s.momentNew, c))
    }
  }
  for (let c = g.pairSlot; c < g.pairSlot + g.pairCount; c++) {
    if (any(s.grip[c] > 0)) sum = sum + power(motionOf(kind, s.rateNew, s.spinRateNew, c), forceOf(kind, s.lambdaNew, s.momentNew, c))
  }
  g.taken[0] = g.taken[0] - g.h[0] * g.h[0] * sum
}

/** Reads rates and multipliers at the end of a step. Adds to taken. @kernel */
export function watchRows(g: Ground, s: GroundStep): void {
  workOf(slanted, g, s)
}

/** The same with torsional and rolling friction. @kernel */
export function watchSpinningRows(g: Ground, s: GroundStep): void {
  workOf(full, g, s)
}
