/**
 * Option values: numbers, and `key=value` pairs.
 */
import { InvalidArgumentError } from 'commander'

export type Value = string | number | boolean
export type Settings = Readonly<Record<string, Value>>

export function positiveNumber(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('Expected a positive number.')
  return value
}

export function positiveOrZero(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!(value >= 0) || !Number.isFinite(value)) throw new InvalidArgumentError('Expected a positive number or 0.')
  return value
}

/** A whole number from `least` on. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    if (!Number.isInteger(value) || value < least) throw new InvalidArgumentError(`Expected a whole number from ${least} on.`)
    return value
  }
}

export function portNumber(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isInteger(value) || value < 0 || value > 65_535) throw new InvalidArgumentError('Expected a whole number from 0 to 65535.')
  return value
}

/** For `--set`, given any number of times; numbers and true or false are taken as such. */
export function collectSetting(text: string, before: Settings = {}): Settings {
  const at = text.indexOf('=')
  if (at <= 0) throw new InvalidArgumentError('Expected key=value.')
  const key = text.slice(0, at)
  if (Object.hasOwn(before, key)) throw new InvalidArgumentError(`The key ${key} was given twice.`)
  return { ...before, [key]: readValue(text.slice(at + 1)) }
}

/** A number, true or false where the text is one. */
export function readValue(text: string): Value {
  if (text === 'true') return true
  if (text === 'false') return false
  const value = Number(text)
  return text.trim() !== '' && Number.isFinite(value) ? value : text
}
