/**
 * Limits and contacts of some earlier configuration, known again by their keys.
 */
import type { Vec } from '../../math/types.js'

/** Limits and contacts of some earlier configuration: key, gap, and force in N (a limit's, or that of a contact in the world) */
export interface Memory {
  count: number
  keys: Vec
  gap: Vec
  force: Vec
}

export const createMemory = (): Memory => ({ count: 0, keys: new Float64Array(0), gap: new Float64Array(0), force: new Float64Array(0) })

/** Entry with key keys[i], looked for from `near` on; −1 if there is none. Orders differ little, so that it is found at once. */
export function findKey({ count, keys: known }: Memory, keys: Vec, i: number, near: number): number {
  for (let e = near; e < count; e++) if (known[e] === keys[i]) return e
  for (let e = Math.min(near, count) - 1; e >= 0; e--) if (known[e] === keys[i]) return e
  return -1
}
