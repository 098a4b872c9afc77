/**
 * Checks of what users hand over: vectors of so many finite numbers, names of things.
 */

import { hintAt } from '../build/problems.js'
import { hypot } from '../math/own.js'
import type { Vec } from '../math/types.js'
import { describeValue } from '../model/remedies.js'

/** Copies `count` finite numbers to out[o …]. Throws RangeError on anything else, and then leaves `out` as it is. */
export function takeNumbers(what: string, out: Vec, o: number, given: ArrayLike<number>, count: number): void {
  if (given?.length !== count || typeof given === 'string') {
    const got = typeof given?.length === 'number' && typeof given !== 'string' ? given.length : describeValue(given)
    throw new RangeError(`${what}: expected ${count} numbers, got ${got}`)
  }
  for (let r = 0; r < count; r++)
    if (!Number.isFinite(given[r])) throw new RangeError(`${what}: expected finite numbers, got ${given[r]} at place ${r}`)
  for (let r = 0; r < count; r++) out[o + r] = given[r]
}

const quaternion = new Float64Array(4)

/** The same for a quaternion w x y z, which is brought to length one. */
export function takeQuaternion(what: string, out: Vec, o: number, given: ArrayLike<number>): void {
  takeNumbers(what, quaternion, 0, given, 4)
  const length = hypot(quaternion[0], quaternion[1], quaternion[2], quaternion[3])
  if (!(length > 1e-9)) throw new RangeError(`${what}: expected a quaternion w x y z of length one, got zero; no turn is 1 0 0 0`)
  for (let r = 0; r < 4; r++) out[o + r] = quaternion[r] / length
}

/** An array to write to: the given one, if it is long enough. */
export function roomFor(what: string, out: Vec | undefined, count: number): Vec {
  if (out === undefined) return new Float64Array(count)
  if (out.length < count) throw new RangeError(`${what}: expected room for ${count} numbers, got ${out.length}`)
  return out
}

/** Handles of one kind by name, each made when it is first asked for. */
export function byName<T>(kind: string, names: () => readonly string[], make: (number: number, name: string) => T): (name: string) => T {
  const made = new Map<string, T>()
  let numbers: Map<string, number> | undefined
  return (name) => {
    const known = made.get(name)
    if (known !== undefined) return known
    if (numbers === undefined) {
      numbers = new Map()
      // of several with one name the first
      for (const [k, each] of names().entries()) if (!numbers.has(each)) numbers.set(each, k)
    }
    const k = numbers.get(name)
    if (k === undefined)
      throw new RangeError(
        `expected the name of ${kind === 'actuator' ? 'an' : 'a'} ${kind}, got '${name}'${hintAt(String(name), numbers.keys())}`,
      )
    const handle = make(k, name)
    made.set(name, handle)
    return handle
  }
}
