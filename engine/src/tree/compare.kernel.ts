/** Whether vectors hold the same numbers. */
import type { Int, Lanes } from '../math/values/columns.js'

/** out[0] = 1 where any of `count` numbers of a and b differ, or are none. @kernel */
export function compareNumbers(count: Int, out: Lanes<number>, a: Lanes<number>, b: Lanes<number>): void {
  let other = 0
  for (let k = 0; k < count; k++) other = a[k] !== b[k] ? 1 : other
  out[0] = other
}
