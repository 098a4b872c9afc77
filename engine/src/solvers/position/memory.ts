/**
 * Work space of a step in the memory of its Data, where kernels see it.
 */
import type { Vec } from '../../math/types.js'
import { type Data, roomBeside } from '../../model/data.js'

/** Numbers to ask `createData` for, so that `takeAll` has room for arrays of these lengths. */
export const roomFor = (lengths: Readonly<Record<string, number>>): number =>
  Object.values(lengths).reduce((sum, n) => sum + 2 * Math.ceil(n / 2), 0)

/** Zeros in the memory of d, an array of each length. */
export function takeAll<K extends string>(d: Data, lengths: Readonly<Record<K, number>>): Record<K, Vec> {
  const take = ([name, n]: [string, unknown]): [string, Vec] => [
    name,
    new Float64Array(d.block.buffer, roomBeside(d, 8 * (n as number)).start, n as number),
  ]
  return Object.fromEntries(Object.entries(lengths).map(take)) as Record<K, Vec>
}
