/**
 * Collects what is wrong with a Spec, so that one ModelError can list all of it.
 */
import { ModelError, type Place, type Problem } from '../model/model-error.js'
import { describeValue, ownerOf, remedyFor, withNames } from '../model/remedies.js'
import type { Spec } from './spec.js'

export interface Problems {
  /** The message is given the names of body, joint and so on that the path leads through, where it has them not. */
  add(path: string, message: string): void
  /** Adds a problem unless x is finite (and, where asked, not negative or positive). Returns x, or 0 when it is unusable. */
  number(path: string, x: number, rule?: 'any' | 'non-negative' | 'positive'): number
  /** The same for n numbers, or undefined, which gives the fallback. */
  vector(path: string, x: readonly number[] | undefined, n: number, fallback: readonly number[]): readonly number[]
  /** The known name nearest to a misspelt one, or some of the names; nothing once so much is wrong that nobody reads on. */
  hintAt(name: string, known: Iterable<string>): string
  suggest(name: string, known: Iterable<string>): string
  /** Message about a key that an object should not have. */
  unknownKey(key: string, known: Iterable<string>): string
  /** Throws if anything was added. */
  finish(): void
}

/** looking for the nearest of thousands of names takes its time: for the first problems only */
export const MOST_HINTS = 20

export function createProblems(spec: Spec): Problems {
  const found: Problem[] = []
  const add = (path: string, text: string): void => {
    const place = findPlace(spec?.places, path)
    const message = withNames(spec, path, text)
    found.push(place ? { path, message, place } : { path, message })
  }
  const number: Problems['number'] = (path, x, rule = 'any') => {
    const wanted = rule === 'any' ? 'a finite number' : `a ${rule} finite number`
    const good = typeof x === 'number' && Number.isFinite(x) && (rule === 'any' || x > 0 || (rule === 'non-negative' && x === 0))
    if (!good) add(path, `expected ${wanted}${ownerOf(spec, path)}, got ${describeValue(x)}${remedyFor(path, x)}`)
    return good ? x : 0
  }
  return {
    add,
    number,
    vector(path, x, n, fallback) {
      if (x === undefined) return fallback
      if (!Array.isArray(x) || x.length !== n) {
        const found = Array.isArray(x) ? x.length : describeValue(x)
        add(path, `expected ${n} number${n === 1 ? '' : 's'}, got ${found}; give ${n}, or leave it out`)
        return fallback
      }
      return x.map((value, k) => number(`${path}/${k}`, value))
    },
    hintAt: (name, known) => (found.length < MOST_HINTS ? hintAt(name, known) : ''),
    suggest: (name, known) => (found.length < MOST_HINTS ? suggest(name, known) : ''),
    unknownKey: (key, known) => (found.length < MOST_HINTS ? unknownKey(key, known) : `unknown key '${clip(key)}'`),
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

/** words for keys in other programs, and the keys here that may be meant */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  dt: ['timestep'],
  h: ['timestep'],
  step: ['timestep'],
  pos: ['position'],
  quat: ['quaternion'],
  rotation: ['quaternion'],
  orientation: ['quaternion'],
  type: ['shape'],
  shape: ['type'],
  kind: ['type', 'shape'],
  rgba: ['color'],
  range: ['limits'],
  mass: ['inertia'],
  links: ['bodies'],
  motors: ['actuators'],
}

/** `unknown key 'dt'; did you mean 'timestep'?`, or with the keys there are. */
export function unknownKey(key: string, known: Iterable<string>): string {
  const names = [...known]
  return `unknown key '${clip(key)}'${suggestKey(key, names) || `; known keys are ${names.join(', ')}`}`
}

/** As `suggest`, with the words that other programs have for a key. */
export function suggestKey(key: string, names: readonly string[]): string {
  const meant = Object.hasOwn(ELSEWHERE, key) ? ELSEWHERE[key].find((name) => names.includes(name)) : undefined
  return meant === undefined ? suggest(key, names) : `; did you mean '${meant}'?`
}

const clip = (text: string): string => (text.length <= 40 ? text : `${text.slice(0, 37)}…`)

/** The known name nearest to a misspelt one, as a hint; empty where nothing is near. */
export function suggest(name: string, known: Iterable<string>): string {
  if (name.length > LONGEST_NAME) return ''
  const lower = name.toLowerCase()
  let best = ''
  // one that begins alike, for want of a near one
  let longer = ''
  // a suggestion shares at least one letter
  let least = Math.min(name.length, Math.max(2, Math.floor(name.length / 3)) + 1)
  for (const candidate of known) {
    if (candidate.length > LONGEST_NAME) continue
    const distance = lower === candidate.toLowerCase() ? 0 : editDistance(name, candidate, least)
    if (distance < least) {
      least = distance
      best = candidate
    }
    if (longer === '' && begins(name, candidate)) longer = candidate
  }
  const found = best || longer
  return found === '' ? '' : `; did you mean '${found}'?`
}

// nobody types a longer one
const LONGEST_NAME = 100

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

/** Levenshtein distance, or `limit` when it is at least that: only entries nearer to the diagonal than that are looked at. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  for (let j = 0; j <= b.length; j++) row[j] = j
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - limit + 1)
    const to = Math.min(b.length, i + limit - 1)
    const c = a.charCodeAt(i - 1)
    let corner = row[from - 1]
    let least = from === 1 ? i : limit
    row[from - 1] = least
    for (let j = from; j <= to; j++) {
      const above = j === i + limit - 1 ? limit : row[j]
      const next = Math.min(above + 1, row[j - 1] + 1, corner + (c === b.charCodeAt(j - 1) ? 0 : 1))
      corner = row[j]
      row[j] = next
      if (next < least) least = next
    }
    if (least >= limit) return limit
  }
  return Math.min(row[b.length], limit)
}

// of the last call
const row = new Uint16Array(LONGEST_NAME + 2)
