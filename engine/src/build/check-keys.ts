/**
 * Whether a Spec that is given as an object has known keys only, and objects and lists where they belong; as files are checked by their schema.
 */
import { describeValue } from '../model/remedies.js'
import type { Problems } from './problems.js'
import { type Keys, type Nested, SPEC_KEYS } from './spec-keys.js'

/** Adds a problem for each unknown key. Throws at once where something is no object or no list, for nothing behind it can be read. */
export function checkKeys(spec: unknown, problems: Problems): void {
  if (checkObject(spec, SPEC_KEYS, '', problems)) return
  problems.finish()
}

/** Returns false where the structure is broken. */
function checkObject(value: unknown, keys: Keys, path: string, problems: Problems): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.add(path, `expected an object, got ${describeValue(value)}`)
    return false
  }
  const given = value as Readonly<Record<string, unknown>>
  let known = keys.known
  if (keys.by !== undefined) {
    const variant = keys.variants?.[String(given[keys.by])]
    // a shape or type that there is none of is reported by those who read it
    if (variant === undefined) return true
    known = variant.known
  }
  let good = true
  for (const key in given) {
    const nested = known.get(key)
    if (nested !== undefined) {
      if (given[key] !== undefined) good = checkNested(given[key], nested, path === '' ? key : `${path}/${key}`, problems) && good
    } else if (!known.has(key) && given[key] !== undefined) problems.add(path, problems.unknownKey(key, known.keys()))
  }
  return good
}

function checkNested(value: unknown, { keys, list, loose }: Nested, path: string, problems: Problems): boolean {
  if (!list) return loose && (typeof value !== 'object' || value === null) ? true : checkObject(value, keys, path, problems)
  if (!Array.isArray(value)) {
    problems.add(path, `expected a list, got ${describeValue(value)}; write [ … ]`)
    return false
  }
  let good = true
  for (let k = 0; k < value.length; k++) good = checkObject(value[k], keys, `${path}/${k}`, problems) && good
  return good
}
