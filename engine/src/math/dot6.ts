import type { Vec } from './types.js'

/** a · b, six numbers each: a motion and a force. Where it is called often, `addDot6` of `math/arrays.kernel`: a number that is handed back may be boxed. */
export function dot6(a: Vec, i: number, b: Vec, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3] + a[i + 4] * b[j + 4] + a[i + 5] * b[j + 5]
}
