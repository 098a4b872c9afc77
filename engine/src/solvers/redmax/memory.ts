/**
 * Work space of a step in the memory of its Data, where kernels see it: arrays, and tables that tell kernels where these are.
 */
import { type Fields, type TableName, tableSize, writeTable } from '../../kernels/tables.js'
import type { Vec } from '../../math/types.js'
import { type Data, takeNumbers } from '../../model/data.js'

/** Numbers to ask `createData` for, for arrays of these lengths. */
export const roomOf = (lengths: Readonly<Record<string, number>>): number =>
  Object.values(lengths).reduce((sum, n) => sum + 2 * Math.ceil(n / 2), 0)

/** Zeros in the memory of d. Throws RangeError where there is no room. */
function take(d: Data, count: number): Vec {
  const numbers = takeNumbers(d, count)
  if (numbers.buffer !== d.block.buffer) throw new RangeError(`no room for ${count} numbers in the memory of the data`)
  return numbers
}

/** An array of each length. */
export function takeArrays<K extends string>(d: Data, lengths: Readonly<Record<K, number>>): Record<K, Vec> {
  return Object.fromEntries(Object.entries(lengths).map(([name, n]) => [name, take(d, n as number)])) as Record<K, Vec>
}

/** Numbers to ask `createData` for, for a table of arrays that are in its memory already. */
export const roomOfTable = (name: TableName): number => tableSize(name, {}) / 8

/** Address of a new table in the memory of d, with copies of columns that are not there. */
export function takeTable(d: Data, name: TableName, fields: Fields): number {
  const { byteOffset } = take(d, tableSize(name, fields, d.block) / 8)
  writeTable(name, fields, d.block, byteOffset)
  return byteOffset
}
