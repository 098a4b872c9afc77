/**
 * Rows on one velocity: limits of joints (of balls: `balls.kernel`) and dry friction. The rate of a row over h at the end of the step is ω = ± (v/h + a).
 *
 *   f = q (ω̂ − ω) inside its bounds,   limit: ω̂ = u/h − b u − k d x, 0 ≤ f      dry friction: ω̂ = u/h − b u, |f| ≤ bound
 */
import { any } from '../../math/values/columns.js'
import { soften, softenAtZero } from './softness.kernel.js'
import { type Ground, type GroundStep, LIMIT } from './tables.js'

/** above every force */
const UNBOUNDED = 1e30

/** Reads q, v, a. Writes row, and rowRateNew at the accelerations of the last step. @kernel */
export function setRows(g: Ground, s: GroundStep): void {
  const perStep = g.perStep[0]
  for (let n = 0; n < g.rowCount; n++) {
    const k = g.rowV[n]
    const sign = g.rowSign[n]
    const u = sign * g.v[k]
    s.rowBranch[n] = -1
    s.rowTangent[n] = [0, 0]
    s.rowRateNew[n] = perStep * u + sign * g.a[k]
    if (g.rowKind[n] === LIMIT) {
      const value = g.rowBall[n] >= 0 ? s.ballAngle[g.rowBall[n]] : g.q[g.rowQ[n]]
      const x = sign * (value - g.rowBound[n]) - g.rowMargin[n]
      s.row[n] = { hat: 0, q: 0, low: 0, high: UNBOUNDED }
      if (any(x < 0)) {
        const { pull, b, q } = soften(g, g.rowSoft[n], x, 1)
        s.row[n] = { hat: (perStep - b) * u - pull, q: x < 0 ? q : 0, low: 0, high: UNBOUNDED }
      }
    } else {
      const { b, q } = softenAtZero(g.rowSoft, n)
      s.row[n] = { hat: (perStep - b) * u, q, low: -g.rowBound[n], high: g.rowBound[n] }
    }
  }
}
