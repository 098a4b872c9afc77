/**
 * Work space of a step in the memory of its Data, where kernels see it. What will be taken there is asked for when the Data is made.
 */
import { type Fields, type TableName, tableSize, writeTable } from '../kernels/tables.js'
import type { Vec } from '../math/types.js'
import { type Data, roomBeside } from './data.js'
import type { Model } from './model.js'
import { type State, stateOf } from './state.js'

type Lengths<K extends string = string> = Readonly<Record<K, number>>

/** Numbers to ask `createData` for, so that `takeAll` has room for arrays of these lengths. */
export const roomFor = (lengths: Lengths): number => Object.values(lengths).reduce((sum, n) => sum + 2 * Math.ceil(n / 2), 0)

/** Zeros in the memory of d, an array of each length. */
export function takeAll<K extends string>(d: Data, lengths: Lengths<K>): Record<K, Vec> {
  const take = (n: number): Vec => new Float64Array(d.block.buffer, roomBeside(d, 8 * n).start, n)
  return Object.fromEntries(Object.entries<number>(lengths).map(([name, n]) => [name, take(n)])) as Record<K, Vec>
}

/** A table of kernels: columns that are there, of the model or in the memory of the data, and lengths of columns of its own. */
export interface Table<K extends string = string> {
  readonly name: TableName
  readonly fields: Fields
  readonly own: Lengths<K>
}

export const tableRoom = ({ name, fields, own }: Table): number => tableSize(name, fields) / 8 + roomFor(own)

/** Numbers to ask `createData` for, for a table of columns that are in its memory already. */
export const plainTableRoom = (name: TableName): number => tableSize(name, {}) / 8

/** Address of a new table in the memory of d, with copies of columns that are not there. */
export function takeTable(d: Data, name: TableName, fields: Fields): number {
  const { start } = roomBeside(d, tableSize(name, fields, d.block))
  writeTable(name, fields, d.block, start)
  return start
}

/** Writes the table into the memory of d. Its address, and its own columns. */
export function placeTable<K extends string>(d: Data, { name, fields, own }: Table<K>): Record<K, Vec> & { readonly table: number } {
  const columns = takeAll(d, own)
  const { block, start } = roomBeside(d, tableSize(name, fields, d.block))
  writeTable(name, { ...fields, ...columns }, block, start)
  return { ...columns, table: start }
}

/** A state in the memory of d. */
export function takeState(d: Data, m: Model): State {
  const { q, v, tau } = takeAll(d, stateLengths(m))
  q.set(m.q0)
  return stateOf(m, q, v, tau)
}

export const stateLengths = ({ nq, nv }: Model) => ({ q: nq, v: nv, tau: nv })
