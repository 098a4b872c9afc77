/**
 * Collects what is wrong with a Spec, so that one ModelError can list all of it.
 */
import { ModelError, type Place, type Problem } from '../model/model-error.js'
import { ownerOf, remedyFor } from '../model/remedies.js'
import type { Spec } from './spec.js'

export interface Problems {
  add(path: string, message: string): void
  /** Adds a problem unless x is finite (and, where asked, not negative or positive). Returns x, or 0 when it is unusable. */
  number(path: string, x: number, rule?: 'any' | 'non-negative' | 'positive'): number
  /** The same for n numbers, or undefined, which gives the fallback. */
  vector(path: string, x: readonly number[] | undefined, n: number, fallback: readonly number[]): readonly number[]
  /** Throws if anything was added. */
  finish(): void
}

export function createProblems(spec: Spec): Problems {
  const found: Problem[] = []
  const add = (path: string, message: string): void => {
    const place = findPlace(spec.places, path)
    found.push(place ? { path, message, place } : { path, message })
  }
  const number: Problems['number'] = (path, x, rule = 'any') => {
    const wanted = rule === 'any' ? 'a finite number' : `a ${rule} finite number`
    const good = typeof x === 'number' && Number.isFinite(x) && (rule === 'any' || x > 0 || (rule === 'non-negative' && x === 0))
    if (!good) add(path, `expected ${wanted}${ownerOf(spec, path)}, got ${String(x)}${remedyFor(path, x)}`)
    return good ? x : 0
  }
  return {
    add,
    number,
    vector(path, x, n, fallback) {
      if (x === undefined) return fallback
      if (!Array.isArray(x) || x.length !== n) {
        const found = Array.isArray(x) ? x.length : String(x)
        add(path, `expected ${n} number${n === 1 ? '' : 's'}, got ${found}; give ${n}, or leave it out`)
        return fallback
      }
      return x.map((value, k) => number(`${path}/${k}`, value))
    },
    finish() {
      if (found.length > 0) throw new ModelError(found)
    },
  }
}

/** The place of the longest known prefix of a path. */
function findPlace(places: Spec['places'], path: string): Place | undefined {
  if (!places) return undefined
  for (let key = path; key !== ''; key = key.slice(0, Math.max(0, key.lastIndexOf('/')))) {
    const place = places[key]
    if (place) return place
  }
  return undefined
}

/** The known name nearest to a misspelt one, as a hint; empty where nothing is near. */
export function suggest(name: string, known: Iterable<string>): string {
  let best = ''
  // one that begins alike, for want of a near one
  let longer = ''
  // a suggestion shares at least one letter
  let least = Math.min(name.length, Math.max(2, Math.floor(name.length / 3)) + 1)
  for (const candidate of known) {
    const distance = name.toLowerCase() === candidate.toLowerCase() ? 0 : editDistance(name, candidate, least)
    if (distance < least) {
      least = distance
      best = candidate
    }
    if (longer === '' && begins(name, candidate)) longer = candidate
  }
  const found = best || longer
  return found === '' ? '' : `; did you mean '${found}'?`
}

/** The same, or some of the names where nothing is near. */
export function hintAt(name: string, known: Iterable<string>): string {
  const names = [...known]
  const nearest = suggest(name, names)
  if (nearest !== '') return nearest
  if (names.length === 0) return '; the model has none'
  const shown = names.slice(0, MOST_SHOWN).map((known) => `'${known}'`)
  return `; there ${names.length === 1 ? 'is' : 'are'} ${shown.join(', ')}${names.length > MOST_SHOWN ? ` and ${names.length - MOST_SHOWN} more` : ''}`
}

// a longer list helps nobody
const MOST_SHOWN = 6

/** Whether one is the beginning of the other, as `position` and `pos`. */
function begins(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length > 2 && long.toLowerCase().startsWith(short.toLowerCase())
}

/** Levenshtein distance, or `limit` when it is at least that. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let row = Array.from({ length: b.length + 1 }, (_, k) => k)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return Math.min(row[b.length], limit)
}
