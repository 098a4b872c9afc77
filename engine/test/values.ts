/** Values out of arrays and back, for tests. */
import { mat3From, vec3From } from '../src/math/values/arrays.js'
import type { Articulated, Force, Sym3 } from '../src/math/values/spatial.js'

type Value = number | readonly Value[] | { readonly [name: string]: Value }

/** The numbers of a value in their order in memory. */
export const numbersOf = (value: Value): number[] => (typeof value === 'number' ? [value] : Object.values(value).flatMap(numbersOf))

export const forceFrom = (x: ArrayLike<number>, i = 0): Force => ({ n: vec3From(x, i), f: vec3From(x, i + 3) })
const sym3From = (x: ArrayLike<number>, i: number): Sym3 => [x[i], x[i + 1], x[i + 2], x[i + 3], x[i + 4], x[i + 5]]
export const articulatedFrom = (x: ArrayLike<number>, i = 0): Articulated => ({
  A: sym3From(x, i),
  B: mat3From(x, i + 6),
  C: sym3From(x, i + 15),
})
