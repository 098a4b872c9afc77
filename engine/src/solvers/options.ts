/**
 * Checks solver options by the solver's own table, and fills in the defaults.
 */
import { suggestKey } from '../build/problems.js'
import { describeValue } from '../model/remedies.js'
import type { Options, OptionValue, Solver } from './solver.js'

/** options that every simulation has, whichever its solver */
const COMMON = ['solver', 'timestep', 'forces']

/** Throws a RangeError that names the option, what is expected and what it got. */
export function completeOptions(solver: Solver, given: Readonly<Record<string, unknown>>): Options {
  const result: Record<string, OptionValue> = {}
  for (const [name, info] of Object.entries(solver.options)) result[name] = info.default
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const info = Object.hasOwn(solver.options, name) ? solver.options[name] : undefined
    if (!info) {
      const known = Object.keys(solver.options)
      const hint = suggestKey(name, [...known, ...COMMON]) || `; its options are ${known.join(', ') || 'none'}`
      throw new RangeError(`solver ${solver.name} has no option '${name}'${hint}`)
    }
    result[name] = convert(solver.name, name, info.default, value)
    const x = result[name]
    if (info.choices && !info.choices.includes(String(x))) {
      throw new RangeError(`option ${name} of solver ${solver.name}: expected one of ${info.choices.join(', ')}, got '${x}'`)
    }
    if (typeof x === 'number' && (!(x >= (info.min ?? Number.NEGATIVE_INFINITY)) || x > (info.max ?? Number.POSITIVE_INFINITY))) {
      throw new RangeError(`option ${name} of solver ${solver.name}: expected a number ${bounds(info.min, info.max)}, got ${x}`)
    }
  }
  return result
}

/** Text from a command line becomes the type of the default. */
function convert(solver: string, name: string, like: OptionValue, value: unknown): OptionValue {
  if (typeof like === 'number') {
    const x = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof x === 'number' && !Number.isNaN(x)) return x
    throw new RangeError(`option ${name} of solver ${solver}: expected a number, got ${describeValue(value)}`)
  }
  if (typeof like === 'boolean') {
    if (value === true || value === 'true') return true
    if (value === false || value === 'false') return false
    throw new RangeError(`option ${name} of solver ${solver}: expected true or false, got ${describeValue(value)}`)
  }
  return String(value)
}

function bounds(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return `from ${min} to ${max}`
  return min !== undefined ? `of at least ${min}` : `of at most ${max}`
}
