/**
 * Places in JSON text: offsets to line and column, paths to nodes, and bounds on nesting and length.
 */
import { createScanner, type Node } from 'jsonc-parser'
import { grouped, LIMITS } from '../../model/limits.js'
import type { Place } from '../../model/model-error.js'

export type Locator = (offset: number) => Place

/** Token kinds of jsonc-parser's `SyntaxKind`, whose const enum `isolatedModules` cannot read. */
const OPEN_BRACE = 1
const CLOSE_BRACE = 2
const OPEN_BRACKET = 3
const CLOSE_BRACKET = 4
const END = 17

/** Line and column, from 1, of an offset. */
export function createLocator(text: string, file: string | undefined): Locator {
  const starts = [0]
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1)
  let last = 0
  return (offset) => {
    // mostly on the line of the question before, or on the next
    let low = last
    let high = Math.min(last + 1, starts.length - 1)
    if (offset < starts[low] || (high + 1 < starts.length && offset >= starts[high + 1])) {
      low = 0
      high = starts.length - 1
    }
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle] <= offset) low = middle
      else high = middle - 1
    }
    last = low
    const place = { line: low + 1, column: offset - starts[low] + 1 }
    return file === undefined ? place : { file, ...place }
  }
}

/** The first place where text nests too deep or holds too much, and what to say about it; undefined where there is none. */
export function checkExtent(text: string): { readonly offset: number; readonly message: string } | undefined {
  const scanner = createScanner(text, true)
  let depth = 0
  let groups = 0
  let values = 0
  for (;;) {
    const token: number = scanner.scan()
    if (token === END) return undefined
    values++
    if (token === OPEN_BRACE || token === OPEN_BRACKET) {
      depth++
      groups++
    } else if (token === CLOSE_BRACE || token === CLOSE_BRACKET) depth--
    const message =
      depth > LIMITS.brackets
        ? 'expected fewer nested brackets; a scene needs ten at most'
        : groups > LIMITS.groups
          ? `expected at most ${grouped(LIMITS.groups)} lists and objects; split the file, or simplify it`
          : values > 2 * LIMITS.values
            ? `expected at most ${grouped(LIMITS.values)} values; split the file, or simplify it`
            : undefined
    if (message !== undefined) return { offset: scanner.getTokenOffset(), message }
  }
}

/** Offset of the value at a path, of its key `key` when given, or of the nearest enclosing value when it is absent. */
export function findNode(root: Node, path: readonly PropertyKey[], key?: string): number {
  let node = root
  for (const step of path) {
    const next = childOf(node, step)
    if (!next) return node.offset
    node = next
  }
  if (key === undefined) return node.offset
  return propertiesOf(node).get(key)?.first.offset ?? node.offset
}

interface Property {
  readonly first: Node
  last: Node
}

/** of objects that were looked into: thousands of problems may be in one */
const properties = new WeakMap<Node, ReadonlyMap<unknown, Property>>()

function propertiesOf(node: Node): ReadonlyMap<unknown, Property> {
  const known = properties.get(node)
  if (known) return known
  const found = new Map<unknown, Property>()
  for (const child of node.children ?? []) {
    const key: unknown = child.children?.[0]?.value
    const entry = found.get(key)
    if (entry) entry.last = child
    else found.set(key, { first: child, last: child })
  }
  properties.set(node, found)
  return found
}

function childOf(node: Node, step: PropertyKey): Node | undefined {
  if (node.type === 'array') return node.children?.[Number(step)]
  if (node.type !== 'object') return undefined
  // of keys given twice the last one counts
  return propertiesOf(node).get(step)?.last.children?.[1]
}
