/** Values out of arrays and back, for tests. */
import { sym3From, vec3From } from '../src/math/values/arrays.js'
import type { Force, Rigid } from '../src/math/values/spatial.js'

type Value = number | readonly Value[] | { readonly [name: string]: Value }

/** The numbers of a value in their order in memory. */
export const numbersOf = (value: Value): number[] => (typeof value === 'number' ? [value] : Object.values(value).flatMap(numbersOf))

export const forceFrom = (x: ArrayLike<number>, i = 0): Force => ({ n: vec3From(x, i), f: vec3From(x, i + 3) })
export const rigidFrom = (x: ArrayLike<number>, i = 0): Rigid => ({ m: x[i], h: vec3From(x, i + 1), J: sym3From(x, i + 4) })
