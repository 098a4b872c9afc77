/**
 * Places in JSON text: offsets to line and column, paths to nodes, and a bound on nesting.
 */
import { createScanner, type Node } from 'jsonc-parser'
import type { Place } from '../../model/model-error.js'

export type Locator = (offset: number) => Place

/** the parser recurses; this is far above what a scene needs and far below what the stack holds */
export const MAX_DEPTH = 100

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

/** Offset of the first bracket that nests too deep, or −1. */
export function checkDepth(text: string): number {
  const scanner = createScanner(text, true)
  let depth = 0
  for (;;) {
    const token: number = scanner.scan()
    if (token === END) return -1
    if (token === OPEN_BRACE || token === OPEN_BRACKET) depth++
    else if (token === CLOSE_BRACE || token === CLOSE_BRACKET) depth--
    if (depth > MAX_DEPTH) return scanner.getTokenOffset()
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
  const property = node.children?.find((child) => child.children?.[0]?.value === key)
  return property?.offset ?? node.offset
}

function childOf(node: Node, step: PropertyKey): Node | undefined {
  if (node.type === 'array') return node.children?.[Number(step)]
  if (node.type !== 'object') return undefined
  // of keys given twice the last one counts
  return node.children?.findLast((child) => child.children?.[0]?.value === step)?.children?.[1]
}
