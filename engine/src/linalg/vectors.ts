/**
 * Copies and zeros by loops: of the few numbers that a small mechanism has, calls of `set` and `fill` take longer than all arithmetic on them.
 */
import type { Vec } from '../math/types.js'

/** to[start … end − 1] ← from, at the same places. */
export function copy(to: Vec, from: Vec, start = 0, end = to.length): void {
  for (let k = start; k < end; k++) to[k] = from[k]
}

export function clear(x: Vec): void {
  for (let k = 0; k < x.length; k++) x[k] = 0
}
