/**
 * What a kernel sees of memory, and arithmetic number by number on values of any shape. `docs/kernels.md` tells how kernels are written.
 *
 * A value is a number, a tuple of values or a record of values; it never changes. Memory is made of columns of records: `d.V[i]` reads one,
 * `d.V[i] = …` writes one. Columns never overlap.
 */

/** A whole number: a counter, an index, a kind. */
export type Int = number
/** Whole numbers of the model. */
export type Ints = { readonly [i: number]: Int }
/** Constants of the model, the same in all lanes of a batch. */
export type Shared<T> = { readonly [i: number]: T }
/** Constants of the model that may differ from lane to lane of a batch: masses, dampers. */
export type Varied<T> = { readonly [i: number]: T }
/** State, work space and results: every lane has its own. */
export type Lanes<T> = { [i: number]: T }

type Shape = number | readonly Shape[] | { readonly [name: string]: Shape }

function zip(f: (x: number, y: number) => number, a: Shape, b: Shape): Shape {
  if (typeof a === 'number') return f(a, b as number)
  if (Array.isArray(a)) return a.map((x, k) => zip(f, x, (b as readonly Shape[])[k]))
  const [x, y] = [a, b] as { readonly [name: string]: Shape }[]
  return Object.fromEntries(Object.keys(x).map((name) => [name, zip(f, x[name], y[name])]))
}

/** The sum, from the left. */
export function add<T>(first: T, ...rest: T[]): T {
  return rest.reduce((sum, x) => zip((p, q) => p + q, sum as Shape, x as Shape) as T, first)
}

export function sub<T>(a: T, b: T): T {
  return zip((p, q) => p - q, a as Shape, b as Shape) as T
}

export function scale<T>(s: number, a: T): T {
  return zip((p) => s * p, a as Shape, a as Shape) as T
}

export function negate<T>(a: T): T {
  return zip((p) => -p, a as Shape, a as Shape) as T
}

/** True if the test holds in any lane: the way to branch on numbers that differ from lane to lane. */
export function any(test: boolean): boolean {
  return test
}

/** Number `at` of a column, where each lane may ask for another one: `at` is rounded down, and must lie inside the column. */
export function lookup(column: Shared<number>, at: number): number {
  return column[Math.floor(at)]
}
