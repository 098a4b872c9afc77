/**
 * Energy of a force as a number, from the one that it adds up in place.
 */
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import type { State } from '../model/state.js'

const sum = new Float64Array(1)

export function sumOf(force: Force, m: Model, d: Data, s: State): number {
  sum[0] = 0
  force.addEnergy?.(m, d, s, sum, 0)
  return sum[0]
}
