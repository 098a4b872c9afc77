/**
 * JSON without comments, as programs write it, with the place of each of its parts: the value by the platform's own parser, the places by one walk
 * over the text. Long files are read several times faster than through a tree of nodes.
 */
import { LIMITS } from '../../model/limits.js'
import type { Place } from '../../model/model-error.js'
import type { Locator } from './json-source.js'

const QUOTE = 34
const COMMA = 44
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
const SPACE = 32

export interface PlainJson {
  readonly value: unknown
  readonly places: Record<string, Place>
}

/** Undefined where the text has comments or mistakes, keys given twice, or more brackets than it should: another reader says what is wrong. */
export function readPlainJson(text: string, locate: Locator): PlainJson | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const places: Record<string, Place> = {}
  return findPlaces(text, locate, places) ? { value, places } : undefined
}

/** Fills `places` of a text that is known to be JSON; false where it is not to be read this way. */
function findPlaces(text: string, locate: Locator, places: Record<string, Place>): boolean {
  let i = 0
  const skipSpace = (): void => {
    while (text.charCodeAt(i) <= SPACE) i++
  }
  /** Leaves i after the string that begins there. */
  const skipString = (): void => {
    i++
    for (let c = text.charCodeAt(i); c !== QUOTE; c = text.charCodeAt(i)) i += c === BACKSLASH ? 2 : 1
    i++
  }
  const isEnd = (c: number): boolean => c === COMMA || c === CLOSE_BRACKET || c === CLOSE_BRACE || c <= SPACE || Number.isNaN(c)
  const skipScalar = (): void => {
    if (text.charCodeAt(i) === QUOTE) return skipString()
    while (!isEnd(text.charCodeAt(i))) i++
  }
  const readKey = (): string => {
    const start = i
    skipString()
    const raw = text.slice(start + 1, i - 1)
    return raw.includes('\\') ? (JSON.parse(text.slice(start, i)) as string) : raw
  }
  const readObject = (path: string | undefined, depth: number): boolean => {
    if (path !== undefined) places[path] = locate(i)
    i++
    skipSpace()
    if (text.charCodeAt(i) === CLOSE_BRACE) {
      i++
      return true
    }
    for (;;) {
      const key = readKey()
      const at = path === undefined ? key : `${path}/${key}`
      // too long for paths that repeat it, given twice, or a name that every object has
      if (key.length > LIMITS.key || key === '__proto__' || places[at] !== undefined) return false
      skipSpace()
      // the colon
      i++
      skipSpace()
      places[at] = locate(i)
      if (!readValue(at, depth)) return false
      skipSpace()
      if (text.charCodeAt(i++) === CLOSE_BRACE) return true
      skipSpace()
    }
  }
  const readArray = (path: string | undefined, depth: number): boolean => {
    i++
    skipSpace()
    if (text.charCodeAt(i) === CLOSE_BRACKET) {
      i++
      return true
    }
    for (let k = 0; ; k++) {
      const c = text.charCodeAt(i)
      // lists of numbers can be long: no path for their elements
      if (c !== OPEN_BRACE && c !== OPEN_BRACKET) skipScalar()
      else if (!readValue(path === undefined ? String(k) : `${path}/${k}`, depth)) return false
      skipSpace()
      if (text.charCodeAt(i++) === CLOSE_BRACKET) return true
      skipSpace()
    }
  }
  const readValue = (path: string | undefined, depth: number): boolean => {
    const c = text.charCodeAt(i)
    if (c === OPEN_BRACE) return depth < LIMITS.depth && readObject(path, depth + 1)
    if (c === OPEN_BRACKET) return depth < LIMITS.depth && readArray(path, depth + 1)
    skipScalar()
    return true
  }
  skipSpace()
  return readValue(undefined, 0)
}
