/**
 * What all jobs of a sweep share, as text that travels: to threads, to files, to other machines. Every number arrives with the same bits.
 */
import { createHash } from 'node:crypto'
import type { GivenState, Spec } from 'limber'
import type { Settings } from '../values.js'
import type { Ensemble } from './jobs.js'

export interface SweepTask {
  /** version of the program: another one may give other bits */
  readonly limber: string
  /** as the user wrote it, for messages */
  readonly file: string
  /** the built-in scene of this name, or a mechanism with all that its file refers to */
  readonly model: { readonly scene: string } | { readonly spec: Spec }
  /** keys that vary, in the order of a job's values */
  readonly keys: readonly string[]
  /** keys that do not */
  readonly fixed: Settings
  readonly keyframe?: string
  readonly state?: GivenState
}

/** Sixteen digits that tell sweeps apart: by what they compute, not by where or how. */
export function sweepId(taskText: string, ensemble: Ensemble): string {
  return createHash('sha256').update(taskText).update(encode(ensemble)).digest('hex').slice(0, 16)
}

const arrays = { Float64Array, Float32Array, Int32Array, Uint32Array, Int16Array, Uint16Array, Int8Array, Uint8Array }

/** JSON with typed arrays, and with the numbers that JSON does not have. */
export function encode(value: unknown): string {
  return JSON.stringify(value, (_, entry: unknown) => {
    if (typeof entry === 'number')
      return Object.is(entry, -0) || !Number.isFinite(entry) ? { $number: entry === 0 ? '-0' : String(entry) } : entry
    if (!ArrayBuffer.isView(entry)) return entry
    const name = entry.constructor.name
    if (!Object.hasOwn(arrays, name)) throw new TypeError(`a ${name} does not travel`)
    return { $array: name, data: Buffer.from(entry.buffer, entry.byteOffset, entry.byteLength).toString('base64') }
  })
}

export function decode(text: string): unknown {
  return JSON.parse(text, (_, entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return entry
    if ('$number' in entry) return Number(entry.$number)
    if (!('$array' in entry && 'data' in entry)) return entry
    const name = String(entry.$array)
    if (!Object.hasOwn(arrays, name)) throw new TypeError(`a ${name} does not travel`)
    // a copy of its own: the bytes of a Buffer need not begin at a multiple of their size
    return new arrays[name as keyof typeof arrays](Uint8Array.from(Buffer.from(String(entry.data), 'base64')).buffer)
  })
}
