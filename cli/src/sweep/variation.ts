/**
 * `--vary`: the values that a key takes, listed, spaced over a range, or drawn from one.
 */
import { refuse } from '../problem.js'
import { readValue, type Value } from '../values.js'

/** Values to take in turn, or a range to draw from. */
export type Variation = Listed | Range

export interface Listed {
  readonly key: string
  readonly values: readonly Value[]
}

export interface Range {
  readonly key: string
  readonly from: number
  readonly to: number
  /** drawn evenly over the logarithm */
  readonly log: boolean
  /** whole numbers only */
  readonly whole: boolean
}

/** values of one variation: beyond this it is a slip */
const most = 1_000_000

export function isRange(variation: Variation): variation is Range {
  return 'from' in variation
}

/** Reads `key=v1,v2`, `key=a:b:n`, `key=a:b:n:log`, and for random samples `key=a:b` and `key=a:b:log`. */
export function parseVariation(text: string, random: boolean): Variation {
  const at = text.indexOf('=')
  const place = `--vary ${text}`
  if (at <= 0) return refuse(place, 'expected key=a:b:n or key=v1,v2,v3')
  const key = text.slice(0, at)
  const rest = text.slice(at + 1)
  if (!rest.includes(':')) {
    const values = rest.split(',').map(readValue).map(withoutMinusZero)
    if (values.some((value) => value === '')) refuse(place, 'expected a value before and after every comma')
    return { key, values }
  }
  const parts = rest.split(':')
  const log = parts.at(-1) === 'log'
  if (log) parts.pop()
  const [from = Number.NaN, to = Number.NaN, count] = parts.map((part) => (part.trim() === '' ? Number.NaN : Number(part) + 0))
  if (parts.length < 2 || parts.length > 3 || !Number.isFinite(from) || !Number.isFinite(to)) {
    refuse(place, 'expected two numbers and how many values between them, a:b:n or a:b:n:log')
  }
  if (log && !(from * to > 0)) refuse(place, 'expected two numbers above zero, or two below, for logarithmic steps')
  if (count === undefined) {
    if (!random)
      refuse(
        place,
        `expected how many values between ${from} and ${to}: ${key}=${rest.replace(/:log$/, '')}:10${log ? ':log' : ''}, or --random N`,
      )
    return { key, from, to, log, whole: false }
  }
  if (!Number.isInteger(count) || count < 1 || count > most)
    refuse(place, `expected a whole number of values from 1 to ${most}, got ${parts[2]}`)
  return { key, values: Array.from({ length: count }, (_, k) => between(from, to, count < 2 ? 0 : k / (count - 1), log, k, count - 1)) }
}

/** A sweep is told apart by what JSON says of its values, and JSON has one zero. */
function withoutMinusZero(value: Value): Value {
  return value === 0 ? 0 : value
}

/** k of n steps from a to b; both ends, and whole numbers on the way, come out exactly. */
function between(a: number, b: number, share: number, log: boolean, k: number, n: number): number {
  if (k === 0) return a
  if (k === n) return b
  return log ? a * (b / a) ** share : (a * (n - k) + b * k) / n
}
