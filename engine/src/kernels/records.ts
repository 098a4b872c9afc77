/**
 * Memory of routines: records in a room that a WebAssembly module sees.
 *
 * A record is an interface marked `@record`, of arrays, whole numbers and other records. In memory it is a table of words: the number itself, or the
 * byte address of the array, in front of which stands its length, or of the other record. In JavaScript it is an object with the same fields; arrays are views, whole numbers are read and
 * written in the table, so that both sides see the same. All records of a step lie in one arena. Where one needs more room than there is, the
 * arena moves to a larger one as a whole: addresses and views of all its records change. So `record.x` is looked up where it is used and never kept over a call that may
 * `resize`. A routine cannot make room: it tells how much is missing, and its caller does.
 */
import { type KernelModule, kernelsIn } from './instance.js'
import { type Block, createPool, type Pool, takeRoom } from './memory.js'

/** What `tools/kernels` prints of routines. */
export interface RoutineModule extends KernelModule {
  /** bytes of scratch arrays of modules, with which every block begins, and those that hold numbers: address, what, numbers */
  readonly statics: number
  readonly data: readonly (readonly [number, string, readonly number[]])[]
  readonly records: Readonly<Record<string, RecordType>>
}

interface RecordType {
  /** in the order of its words: name, and i whole number, I and F arrays, or the name of another record */
  readonly fields: readonly (readonly [string, string])[]
  make(): Placed
}

export interface Arena<R = object> {
  readonly module: RoutineModule
  /** the routines, where the arena is now */
  routines: R
  block: Block
  start: number
  size: number
  used: number
  readonly records: Placed[]
}

/** Where a record is: the first byte of its table. */
export interface InMemory {
  readonly at: number
}

/** The record as its arena sees it. */
interface Placed extends InMemory {
  at: number
  $I: Int32Array
  $arena: Arena
  readonly $name: string
  /** room of each array, by field */
  readonly $room: Record<string, number>
  [field: string]: unknown
}

const pools = new Map<string, Pool>()
const LEAST = 32 * 1024
// an arena that is full becomes twice as large, or larger by this
const MORE = 32 * 1024 * 1024
// several arenas share a block, for a browser allows some hundred of them; memory that nobody wrote to is not taken from the machine
const BLOCK = 8 * 1024 * 1024
/** bytes in front of an array, and of those the words at which its length stands before it */
const HEAD = 16
const LENGTH = 2
const align = (bytes: number): number => Math.ceil(bytes / 16) * 16
const sizeOf = (kind: string, length: number): number => HEAD + align((kind === 'F' ? 8 : 4) * length)

/** `bytes`: what its records are likely to need. */
export function createArena<R extends object>(module: RoutineModule, bytes: number = LEAST): Arena<R> {
  const size = align(Math.max(bytes, LEAST))
  const { block, start } = takePlace(module, size)
  return { module, routines: kernelsIn<R>(module, block), block, start, size, used: 0, records: [] }
}

function takePlace(module: RoutineModule, size: number): { block: Block; start: number } {
  let pool = pools.get(module.name)
  if (!pool) {
    pool = createPool(module.statics, BLOCK)
    pools.set(module.name, pool)
  }
  const room = takeRoom(size, pool)
  if (!room.block.instances.has(module.name)) {
    for (const [at, kind, numbers] of module.data) {
      if (kind === 'f') room.block.F.set(numbers, at / 8)
      else room.block.I.set(numbers, at / 4)
    }
  }
  return room
}

/** A record of zeros. Nested records are given. */
export function takeRecord<T extends object>(
  arena: Arena,
  name: string,
  lengths: Readonly<Record<string, number>>,
  nested: Readonly<Record<string, InMemory>> = {},
): T & InMemory {
  const type = arena.module.records[name]
  if (!type) throw new Error(`records: no routine takes a '${name}'`)
  const { fields } = type
  let bytes = align(4 * fields.length)
  for (const [field, kind] of fields) {
    if ((kind === 'F' || kind === 'I') && lengths[field] === undefined) throw new Error(`records: how long is ${name}.${field}?`)
    if (kind === 'F' || kind === 'I') bytes += sizeOf(kind, lengths[field])
    else if (kind !== 'i' && !nested[field]) throw new Error(`records: ${name}.${field} is missing`)
  }
  reserve(arena, bytes)
  const record = type.make()
  const { I } = arena.block
  record.at = arena.start + arena.used
  record.$I = I
  record.$arena = arena
  let end = record.at + align(4 * fields.length)
  for (const [slot, [field, kind]] of fields.entries()) {
    if (kind === 'i') continue
    const word = record.at / 4 + slot
    if (kind !== 'F' && kind !== 'I') {
      I[word] = nested[field].at
      record[field] = nested[field]
      continue
    }
    record.$room[field] = lengths[field]
    I[word] = end + HEAD
    setView(record, field, kind, end + HEAD)
    end += sizeOf(kind, lengths[field])
  }
  arena.used = end - arena.start
  arena.records.push(record)
  return record as unknown as T & InMemory
}

/** A record with the numbers of an object that has its fields; fields that routines do not see go along. */
export function copyRecord<T extends object>(
  arena: Arena,
  name: string,
  from: object,
  nested: Readonly<Record<string, InMemory>> = {},
): T & InMemory {
  const source = from as Readonly<Record<string, Float64Array | Int32Array | number>>
  const fields = arena.module.records[name]?.fields ?? []
  const lengths: Record<string, number> = {}
  for (const [field, kind] of fields) if (kind === 'F' || kind === 'I') lengths[field] = (source[field] as Float64Array).length
  const record = takeRecord<Record<string, number>>(arena, name, lengths, nested) as unknown as Record<string, Float64Array | number>
  for (const [field, value] of Object.entries(source)) {
    const kind = fields.find(([name]) => name === field)?.[1]
    if (kind === 'F' || kind === 'I') (record[field] as Float64Array).set(value as Float64Array)
    else if (kind === 'i' || kind === undefined) record[field] = value as number
  }
  return record as unknown as T & InMemory
}

/** Room for so many numbers of the arrays that are named; what they hold stays. Allocates where there is less, and only then. */
export function resize(record: InMemory, lengths: Readonly<Record<string, number>>): void {
  const r = record as Placed
  const arena = r.$arena
  const { fields } = arena.module.records[r.$name]
  let bytes = 0
  for (const [field, kind] of fields) if (lengths[field] > r.$room[field]) bytes += sizeOf(kind, lengths[field])
  if (bytes === 0) return
  reserve(arena, bytes)
  for (const [slot, [field, kind]] of fields.entries()) {
    if (!(lengths[field] > r.$room[field])) continue
    const old = r[field] as Float64Array
    const start = arena.start + arena.used + HEAD
    r.$room[field] = lengths[field]
    r.$I[(r.at >> 2) + slot] = start
    setView(r, field, kind, start)
    ;(r[field] as Float64Array).set(old)
    arena.used += sizeOf(kind, lengths[field])
  }
}

function setView(r: Placed, field: string, kind: string, start: number): void {
  const { buffer, I } = r.$arena.block
  I[(start >> 2) - LENGTH] = r.$room[field]
  r[field] = kind === 'F' ? new Float64Array(buffer, start, r.$room[field]) : new Int32Array(buffer, start, r.$room[field])
}

/** Moves the arena to a larger room where so many bytes find no place. */
function reserve(arena: Arena, bytes: number): void {
  if (arena.used + bytes <= arena.size) return
  const least = arena.used + bytes
  const size = align(least + Math.min(least, MORE))
  const { block, start } = takePlace(arena.module, size)
  const delta = start - arena.start
  new Uint8Array(block.buffer, start, arena.used).set(new Uint8Array(arena.block.buffer, arena.start, arena.used))
  arena.block = block
  arena.start = start
  arena.size = size
  arena.routines = kernelsIn(arena.module, block)
  for (const r of arena.records) {
    r.at += delta
    r.$I = block.I
    for (const [slot, [field, kind]] of arena.module.records[r.$name].fields.entries()) {
      if (kind === 'i') continue
      const word = (r.at >> 2) + slot
      block.I[word] += delta
      if (kind === 'F' || kind === 'I') setView(r, field, kind, block.I[word])
    }
  }
}
