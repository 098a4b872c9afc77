/**
 * Rows and contacts known again by their keys, from one configuration to the next.
 */
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'

/** Where keys[i] stands among the first `count` known ones, looked for from `near` on; −1 if nowhere. Orders differ little, so that it is found at once. */
export function findKey(known: Vec, count: Int, keys: Vec, i: Int, near: Int): Int {
  for (let e = near; e < count; e++) if (known[e] === keys[i]) return e
  for (let e = Math.min(near, count) - 1; e >= 0; e--) if (known[e] === keys[i]) return e
  return -1
}
