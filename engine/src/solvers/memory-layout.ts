/**
 * Layout of a stepper's memory in State.s: one table, name → how many numbers. Places, the length of the whole and views follow from it.
 */
import type { Vec } from '../math/types.js'

export interface MemoryLayout<T extends Readonly<Record<string, number>>> {
  /** where each part begins */
  readonly at: { readonly [name in keyof T]: number }
  /** how many numbers it has */
  readonly size: T
  /** of all */
  readonly length: number
}

/** Parts follow each other as the table lists them. */
export function memoryLayout<T extends Readonly<Record<string, number>>>(table: T): MemoryLayout<T> {
  const at: Record<string, number> = {}
  let length = 0
  for (const [name, size] of Object.entries(table)) {
    at[name] = length
    length += size
  }
  return { at: at as { [name in keyof T]: number }, size: table, length }
}

/** out ← as many numbers as it has, of s from o on; the other way is `s.set(x, o)`. */
export function loadMemory(out: Vec, s: Vec, o: number): void {
  for (let k = 0; k < out.length; k++) out[k] = s[o + k]
}

/** Every part as a view of a buffer that stays, by its name. */
export function memoryViews<T extends Readonly<Record<string, number>>>(
  layout: MemoryLayout<T>,
  buffer: Vec,
): { readonly [name in keyof T]: Vec } {
  const views: Record<string, Vec> = {}
  for (const name of Object.keys(layout.size)) views[name] = buffer.subarray(layout.at[name], layout.at[name] + layout.size[name])
  return views as { [name in keyof T]: Vec }
}
