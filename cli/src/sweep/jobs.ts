/**
 * The jobs of a sweep, numbered from 1: all combinations of the variations, the last one fastest, or random samples. Nothing is listed: the values of a
 * job follow from its number.
 */
import type { Value } from '../values.js'
import { isRange, type Variation } from './variation.js'

export interface Ensemble {
  readonly variations: readonly Variation[]
  /** samples instead of all combinations */
  readonly random?: { readonly count: number; readonly seed: number }
}

export function jobCount({ variations, random }: Ensemble): number {
  return random ? random.count : variations.reduce((product, variation) => product * (isRange(variation) ? 0 : variation.values.length), 1)
}

/** One value for each variation. */
export function valuesOf({ variations, random }: Ensemble, job: number): Value[] {
  if (random) return variations.map((variation, axis) => draw(variation, uniform(random.seed, job, axis)))
  const values: Value[] = []
  let rest = job - 1
  for (const variation of variations.toReversed()) {
    if (isRange(variation)) throw new RangeError(`${variation.key}: a range has no list of values`)
    const n = variation.values.length
    values.unshift(variation.values[rest % n] as Value)
    rest = Math.floor(rest / n)
  }
  return values
}

function draw(variation: Variation, u: number): Value {
  if (!isRange(variation)) return variation.values[Math.floor(u * variation.values.length)] as Value
  const { from: a, to: b, log, whole } = variation
  if (whole) {
    const [least, size] = [Math.ceil(Math.min(a, b)), Math.floor(Math.max(a, b)) - Math.ceil(Math.min(a, b)) + 1]
    return log ? Math.min(Math.max(Math.round(a * (b / a) ** u), least), least + size - 1) : least + Math.floor(u * size)
  }
  return log ? a * (b / a) ** u : a + (b - a) * u
}

/** A number from 0 to 1, 1 excluded, that depends on nothing but seed, job and axis. */
export function uniform(seed: number, job: number, axis: number): number {
  const high = word(seed, job, axis, 0x9e3779b9) >>> 5
  const low = word(seed, job, axis, 0x85ebca6b) >>> 6
  return (high * 2 ** 26 + low) / 2 ** 53
}

function word(seed: number, job: number, axis: number, salt: number): number {
  let h = salt
  for (const part of [seed, Math.floor(seed / 2 ** 32), job, axis]) h = mix((h ^ part) + 0x9e3779b9)
  return h >>> 0
}

/** The finaliser of MurmurHash3: every bit of x changes half of the bits. */
function mix(x: number): number {
  let h = x | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
