/**
 * How far a model's constraints are from being met.
 */
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { createRows, updateRows } from './rows.js'

/** Largest |g| of all rows, metres or radians. Reads X_WB of the state, q and t. */
export type Residual = (data: Data, state: State) => number

/** Of every active constraint: points, hinges, planes, distances, welds, couplings of joints and tendons, motions. Undefined without any. */
export function createResidual(model: Model): Residual | undefined {
  const rows = createRows(model)
  if (rows.count === 0) return undefined
  const t = new Float64Array(1)
  return (data, state) => {
    t[0] = state.t
    updateRows(rows, model, data, state.q, t)
    let most = 0
    for (let r = 0; r < rows.count; r++) {
      const size = Math.abs(rows.g[r])
      // a residual that is not a number must not hide behind the others
      if (!(size <= most)) most = size
    }
    return most
  }
}
