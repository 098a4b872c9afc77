/** Columns of constants from lists. */
import type { Vec } from '../../math/types.js'

export const ints = (x: readonly number[]): Int32Array => Int32Array.from(x)
export const reals = (x: readonly number[]): Vec => Float64Array.from(x)
/** starts of consecutive lists */
export const starts = (lists: readonly (readonly unknown[])[]): Int32Array => {
  const out = new Int32Array(lists.length + 1)
  for (const [k, list] of lists.entries()) out[k + 1] = out[k] + list.length
  return out
}
