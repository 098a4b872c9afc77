/** Numbers of environments, read and written from outside: one environment's as a vector, those of all as rows of a flat array. */
import type { Field, LaneLayout } from '../kernels/lane-layout.js'
import type { BatchArray } from './layout.js'

/** Some numbers of one environment, where they lie: what is written counts in the next step. */
export interface EnvironmentVector {
  readonly length: number
  get(k: number): number
  set(k: number, value: number): void
  /** Copies all of them to `out`, from its beginning, and returns it. */
  read<T extends BatchArray | number[]>(out: T): T
  /** Sets all of them. */
  write(values: ArrayLike<number>): void
}

/** Where number k of an environment lies among all numbers of the memory: first + lanes · k. */
export function firstOf({ form, states, stateStride }: LaneLayout, { offset }: Field, e: number): number {
  const group = Math.floor(e / form.lanes)
  return (states + group * stateStride + offset) / form.bytes + (e - group * form.lanes)
}

export function environmentVector(F: BatchArray, layout: LaneLayout, field: Field, e: number, name: string): EnvironmentVector {
  return vectorAt(F, firstOf(layout, field, e), layout.form.lanes, field.length, name)
}

/** Numbers of an array at steady distances; `written` is called after each change. */
export function vectorAt(
  F: BatchArray,
  first: number,
  stride: number,
  length: number,
  name: string,
  written?: () => void,
): EnvironmentVector {
  const place = (k: number): number => {
    if (!(Number.isInteger(k) && k >= 0 && k < length)) throw new RangeError(`${name}: expected a number 0 … ${length - 1}, got ${k}`)
    return first + stride * k
  }
  return {
    length,
    get: (k) => F[place(k)],
    set: (k, value) => {
      F[place(k)] = value
      written?.()
    },
    read(out) {
      checkLength(name, out, length)
      for (let k = 0; k < length; k++) out[k] = F[first + stride * k]
      return out
    },
    write(values) {
      checkLength(name, values, length)
      for (let k = 0; k < length; k++) F[first + stride * k] = values[k]
      written?.()
    },
  }
}

/** Rows of `width` numbers, one an environment, between a flat array and a field; the field's numbers begin at `column` of a row. */
export function gather(
  F: BatchArray,
  layout: LaneLayout,
  field: Field,
  out: BatchArray,
  count: number,
  width: number,
  column: number,
): void {
  const { lanes } = layout.form
  for (let e = 0; e < count; e++) {
    const first = firstOf(layout, field, e)
    const row = width * e + column
    for (let k = 0; k < field.length; k++) out[row + k] = F[first + lanes * k]
  }
}

export function scatter(
  F: BatchArray,
  layout: LaneLayout,
  field: Field,
  from: BatchArray,
  count: number,
  width: number,
  column: number,
): void {
  const { lanes } = layout.form
  for (let e = 0; e < count; e++) {
    const first = firstOf(layout, field, e)
    const row = width * e + column
    for (let k = 0; k < field.length; k++) F[first + lanes * k] = from[row + k]
  }
}

export function checkLength(name: string, values: ArrayLike<number>, length: number): void {
  if (values.length !== length) throw new RangeError(`${name}: expected ${length} numbers, got ${values.length}`)
}
