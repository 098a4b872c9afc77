/**
 * Lines of numbers, as in TetGen's files and in `.veg`: blanks or commas between them, `#` begins a comment.
 */
import { meshError, textOf } from '../../mesh/mesh-data.js'

export interface TableLine {
  readonly words: readonly string[]
  /** from 1 */
  readonly line: number
}

/** Lines with something on them. */
export function tableLines(data: Uint8Array | string): TableLine[] {
  const out: TableLine[] = []
  textOf(data)
    .split(/\r?\n/)
    .forEach((text, k) => {
      const words = text
        .replace(/#.*/, '')
        .split(/[\s,]+/)
        .filter((word) => word !== '')
      if (words.length > 0) out.push({ words, line: k + 1 })
    })
  return out
}

/** A cursor over lines that asks for what it needs and says where it is not. */
export interface TableReader {
  /** the next line without taking it */
  peek(): TableLine | undefined
  take(what: string): TableLine
  /** numbers of a line, at least `least` of them */
  numbers(what: string, least: number): { readonly values: readonly number[]; readonly line: number }
  fail(message: string, line?: number): never
}

export function createTableReader(data: Uint8Array | string, file: string): TableReader {
  const lines = tableLines(data)
  let at = 0
  const fail = (message: string, line?: number): never => {
    throw meshError(file, message, line)
  }
  const reader: TableReader = {
    peek: () => lines[at],
    take: (what) => lines[at++] ?? fail(`expected ${what}, got the end of the file; it is cut off`),
    numbers(what, least) {
      const { words, line } = reader.take(what)
      const values = words.map(Number)
      if (values.length < least || !values.slice(0, least).every(Number.isFinite)) fail(`expected ${what}, got '${words.join(' ')}'`, line)
      return { values, line }
    },
    fail,
  }
  return reader
}

/** Rows `number x y z …`, numbered from 0 or 1 on; returns the first number. */
export function readVertices(reader: TableReader, count: number, out: number[]): number {
  let first = 0
  for (let k = 0; k < count; k++) {
    const { values, line } = reader.numbers('a vertex number and three coordinates', 4)
    if (k === 0) first = values[0]
    if (values[0] !== first + k || (first !== 0 && first !== 1)) {
      reader.fail(`expected vertices numbered from 0 or 1 on without gaps, got number ${values[0]}`, line)
    }
    out.push(values[1], values[2], values[3])
  }
  return first
}

/** Rows `number v₁ v₂ …`, of which the first `corners` vertices count. */
export function readElements(reader: TableReader, count: number, corners: number, first: number, vertices: number, out: number[]): void {
  for (let k = 0; k < count; k++) {
    const { values, line } = reader.numbers(`an element number and ${corners} vertices`, 1 + corners)
    for (let c = 1; c <= corners; c++) {
      const v = values[c] - first
      if (!Number.isInteger(v) || v < 0 || v >= vertices) {
        reader.fail(`element ${values[0]}: expected vertex numbers from ${first} to ${first + vertices - 1}, got ${values[c]}`, line)
      }
      out.push(v)
    }
  }
}

/** A count at the head of a table. */
export function countOf(reader: TableReader, value: number, line: number, what: string): number {
  if (!Number.isInteger(value) || value < 0) reader.fail(`expected a number of ${what}, got ${value}`, line)
  return value
}
