/** What a kernel works on while it is run on symbols, and the scopes that hold it. */
import { Column, Node } from './graph.mjs'
import { Table } from './shapes.mjs'

export class Closure {
  constructor(declaration, scope) {
    Object.assign(this, { declaration, scope })
  }
}

/** Variables by their declaration, so that a name that hides another is another variable. */
export class Scope {
  constructor(parent, isFunction = false) {
    Object.assign(this, { parent, isFunction, cells: new Map() })
  }
}

export const isLeaf = (v) => v instanceof Node
export const isData = (v) => v !== undefined && !(v instanceof Closure || v instanceof Table || v instanceof Column)

/** True if the value is made of numbers only. */
export const isPlain = (v) => isData(v) && (isLeaf(v) || Object.values(v).every(isPlain))

const sameParts = (a, b) =>
  isLeaf(a) === isLeaf(b) &&
  Array.isArray(a) === Array.isArray(b) &&
  (isLeaf(a) || `${Object.keys(a).sort()}` === `${Object.keys(b).sort()}`)

/** f of the numbers at the same place of all values. Parts go by name: records may be written in any order. */
export function zip(f, a, ...others) {
  if (![a, ...others].every(isData)) throw new Error('numbers, tuples and records only: a function or a column is no value')
  if (!others.every((o) => sameParts(a, o))) throw new Error('values of one and the same shape are wanted: give each the same parts')
  if (isLeaf(a)) return f(a, ...others)
  const part = (k) => zip(f, a[k], ...others.map((o) => o[k]))
  return Array.isArray(a) ? a.map((_, k) => part(k)) : Object.fromEntries(Object.keys(a).map((k) => [k, part(k)]))
}
