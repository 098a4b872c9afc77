/**
 * What is kept of the limits and contacts of an earlier configuration.
 */
import type { Vec } from '../../../math/types.js'

/** Limits and contacts of some earlier configuration: key, gap, and force in N (a limit's, or that of a contact in the world) */
export interface Memory {
  count: number
  keys: Vec
  gap: Vec
  force: Vec
}

export const createMemory = (): Memory => ({ count: 0, keys: new Float64Array(0), gap: new Float64Array(0), force: new Float64Array(0) })
