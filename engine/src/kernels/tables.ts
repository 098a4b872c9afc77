/**
 * Tables in memory, as printed kernels read them: a word for each field, a whole number or the byte address of a column.
 */
import { tables } from '../printed/tables.js'
import type { Block } from './memory.js'

export type TableName = keyof typeof tables

/** What a table is filled from: numbers, and arrays of whole numbers or numbers. */
export type Fields = Readonly<Record<string, number | Int32Array | Float64Array | undefined>>

/** A table that was written: its first byte and its room, what it was filled from, columns of numbers that were copied, and the copies. */
export interface Table {
  readonly name: string
  readonly block: Block
  readonly start: number
  readonly bytes: number
  readonly source: object
  readonly from: readonly Float64Array[]
  readonly to: readonly Float64Array[]
}

const align = (bytes: number): number => Math.ceil(bytes / 16) * 16

/** Bytes of a table, and of copies of the columns of the model that it points to; those that lie in the block stay where they are. */
export function tableSize(name: TableName, fields: Fields, block?: Block): number {
  let bytes = align(4 * tables[name].length)
  for (const [field, kind] of tables[name]) {
    const value = fields[field]
    if (typeof value === 'object' && kind !== 'Lanes' && value.buffer !== block?.buffer) bytes += align(value.byteLength)
  }
  return bytes
}

/**
 * Writes a table at byte `start` of a block. Columns of the model are copied behind it, unless they lie in the block already, where those of
 * Lanes must. A field that is missing is 0: kernels that use it must not be called.
 */
export function writeTable(name: TableName, fields: Fields, block: Block, start: number): Table {
  const { I, F } = block
  const from: Float64Array[] = []
  const to: Float64Array[] = []
  let end = start + align(4 * tables[name].length)
  for (const [slot, [field, kind]] of tables[name].entries()) {
    const value = fields[field]
    const word = start / 4 + slot
    if (value === undefined) I[word] = 0
    else if (typeof value === 'number') I[word] = value
    else if (kind === 'Lanes' || value.buffer === block.buffer) I[word] = value.byteOffset
    else {
      I[word] = end
      if (value instanceof Int32Array) I.set(value, end / 4)
      else {
        F.set(value, end / 8)
        // columns without numbers need not be looked at again
        if (value.length > 0) {
          from.push(value)
          to.push(F.subarray(end / 8, end / 8 + value.length))
        }
      }
      end += align(value.byteLength)
    }
  }
  return { name, block, start, bytes: end - start, source: fields, from, to }
}

/** Address of the table, filled from what `source` holds now: the same as before, or one that takes no more room. */
export function current(table: Table, source: object): number {
  // data may be used with another model of the same shape
  if (table.source !== source) rewrite(table, source as Fields)
  const { from, to } = table
  for (let k = 0; k < from.length; k++) to[k].set(from[k])
  return table.start
}

/** Fills `to`. */
export function copyNumbers(to: Float64Array, from: Float64Array): void {
  // a call is dearer than a short loop
  if (to.length > 8 && from.length === to.length) to.set(from)
  else for (let k = 0; k < to.length; k++) to[k] = from[k]
}

function rewrite(table: Table, source: Fields): void {
  const { block, start, bytes } = table
  const name = table.name as TableName
  if (tableSize(name, source) > bytes) throw new RangeError(`data: made for another model, with less room for ${name}`)
  Object.assign(table, writeTable(name, source, block, start), { bytes })
}
