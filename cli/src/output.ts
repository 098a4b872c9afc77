/**
 * Where results, messages and progress go: results on stdout, the rest on stderr, colour and progress only on a terminal.
 */
import { styleText } from 'node:util'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** One command's way to talk; the tests of the commands pass their own. */
export interface Output {
  readonly json: boolean
  /** a line of the human result; silent with --json */
  line(text?: string): void
  /** the result as one JSON document; silent without --json */
  document(value: unknown): void
  /** a line on stderr */
  note(text: string): void
  /** a progress line that overwrites itself, on a terminal only; empty clears it */
  progress(text: string): void
  style(style: Style, text: string): string
}

export function createOutput(json: boolean): Output {
  const colored = process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined && process.env['TERM'] !== 'dumb'
  const live = process.stderr.isTTY === true && process.env['TERM'] !== 'dumb'
  let shown = false
  const clear = () => {
    if (shown) process.stderr.write('\r\x1b[K')
    shown = false
  }
  return {
    json,
    line(text = '') {
      if (json) return
      clear()
      process.stdout.write(`${text}\n`)
    },
    document(value) {
      if (json) process.stdout.write(`${stringify(value)}\n`)
    },
    note(text) {
      clear()
      process.stderr.write(`${text}\n`)
    },
    progress(text) {
      if (!live) return
      clear()
      if (text) process.stderr.write(text)
      shown = text !== ''
    },
    style: (style, text) => (colored ? styleText(style, text) : text),
  }
}

/**
 * JSON for people and programs: typed arrays as arrays, lists of plain values on one line, and numbers JSON cannot hold as
 * strings, so that no value turns into null unseen.
 */
export function stringify(value: unknown, indent = ''): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return `"${value}"`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const inner = `${indent}  `
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const items = Array.from(value as unknown as ArrayLike<unknown>, (item) => stringify(item, inner))
    const plain = !Array.isArray(value) || value.every((item) => typeof item !== 'object' || item === null)
    return plain ? `[${items.join(', ')}]` : `[\n${inner}${items.join(`,\n${inner}`)}\n${indent}]`
  }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  if (entries.length === 0) return '{}'
  return `{\n${inner}${entries.map(([key, item]) => `${JSON.stringify(key)}: ${stringify(item, inner)}`).join(`,\n${inner}`)}\n${indent}}`
}

/** Rows as aligned columns, numbers to the right; the first row is the heading. */
export function table(rows: readonly (readonly (string | number)[])[]): string[] {
  const text = rows.map((row) => row.map(String))
  const columns = Math.max(...text.map((row) => row.length))
  const width = Array.from({ length: columns }, (_, c) => Math.max(...text.map((row) => row[c]?.length ?? 0)))
  const right = Array.from({ length: columns }, (_, c) => rows.slice(1).every((row) => typeof (row[c] ?? 0) === 'number'))
  return text.map((row) =>
    row
      .map((cell, c) => (right[c] ? cell.padStart(width[c] ?? 0) : cell.padEnd(width[c] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

/** A number for reading: six digits, no trailing zeros. */
export function short(x: number): string {
  // without an exponent nobody counts so many zeros
  return Math.abs(x) >= 1e9 ? Number(x.toPrecision(6)).toExponential().replace('e+', 'e') : String(Number(x.toPrecision(6)))
}

/** An energy; one that overflows is not a number of joules. */
export const joules = (x: number): string => (Number.isFinite(x) ? `${short(x)} J` : 'not finite')

/** `1 joint`, `2 joints`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`
}
