/**
 * JSON that may be too large for one string, token by token from pieces of text: numbers go to where the caller puts them, and nothing else is kept. Takes what
 * `JSON.parse` takes, and refuses the rest with the character at which it stands.
 */
import { LIMITS } from '../../model/limits.js'
import { badTrajectory } from './recording.js'

export interface JsonScanner {
  /** Code of the next character that is no blank, which stays; −1 at the end. */
  peek(): number
  /** Takes this character, and refuses any other. */
  take(code: number, path: string): void
  /** Takes a number, or null as NaN. */
  number(path: string): number
  /** Takes a string. */
  string(path: string): string
  /** Takes a value of any kind; its text, where that is asked for. */
  value(path: string, keeps: boolean): string
}

export const OPEN_LIST = 91
export const CLOSE_LIST = 93
export const OPEN_OBJECT = 123
export const CLOSE_OBJECT = 125
export const COMMA = 44
export const COLON = 58
const QUOTE = 34
const BACKSLASH = 92
const MINUS = 45
const PLUS = 43
const POINT = 46
const ZERO = 48
const WORDS: Readonly<Record<number, string>> = { 110: 'null', 116: 'true', 102: 'false' }

const isDigit = (code: number): boolean => code >= ZERO && code <= 57
const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

export function createJsonScanner(pieces: Iterator<string>): JsonScanner {
  let text = ''
  let at = 0
  // characters before `text`
  let before = 0

  /** Appends a piece, and drops what comes before `from`; false at the end. */
  function more(from: number): boolean {
    for (;;) {
      const { done, value } = pieces.next()
      if (done) return false
      if (value === '') continue
      text = text.slice(from) + value
      before += from
      at -= from
      return true
    }
  }

  function refuse(expected: string, path: string): never {
    const got = at < text.length ? JSON.stringify(text.slice(at, at + 20)) : 'the end of the file'
    throw badTrajectory(`expected ${expected}, got ${got} at character ${before + at + 1}`, path)
  }

  /** The code at this place from `at` on, −1 beyond the end. */
  function codeAt(offset: number): number {
    while (at + offset >= text.length) if (!more(at)) return -1
    return text.charCodeAt(at + offset)
  }

  function peek(): number {
    for (;;) {
      for (; at < text.length; at++) {
        const code = text.charCodeAt(at)
        if (!isBlank(code)) return code
      }
      if (!more(at)) return -1
    }
  }

  function take(code: number, path: string): void {
    if (peek() !== code) refuse(`'${String.fromCharCode(code)}'`, path)
    at++
  }

  function word(path: string): string {
    const wanted = WORDS[peek()] ?? refuse('a value', path)
    while (text.length - at < wanted.length && more(at));
    if (!text.startsWith(wanted, at)) refuse('a value', path)
    at += wanted.length
    return wanted
  }

  /** The length of the digits from here on, at least one. */
  function digits(from: number, path: string): number {
    let n = from
    while (isDigit(codeAt(n))) n++
    if (n === from) refuse('a number', path)
    return n
  }

  function numeral(path: string): string {
    let n = peek() === MINUS ? 1 : 0
    // no zeros in front
    n = codeAt(n) === ZERO ? n + 1 : digits(n, path)
    if (codeAt(n) === POINT) n = digits(n + 1, path)
    if ((codeAt(n) | 32) === 101) {
      const sign = codeAt(n + 1)
      n = digits(n + (sign === PLUS || sign === MINUS ? 2 : 1), path)
    }
    const found = text.slice(at, at + n)
    at += n
    return found
  }

  function number(path: string): number {
    if (peek() === 110) {
      word(path)
      return Number.NaN
    }
    return Number(numeral(path))
  }

  /** The text of a string, with its quotes. */
  function quoted(path: string): string {
    if (peek() !== QUOTE) refuse('a string', path)
    let n = 1
    for (;;) {
      const code = codeAt(n)
      if (code < 0) refuse("'\"' at the end of a string", path)
      if (n > LIMITS.string) refuse(`at most ${LIMITS.string} characters in a string`, path)
      n += code === BACKSLASH ? 2 : 1
      if (code === QUOTE) break
    }
    const found = text.slice(at, at + n)
    at += n
    return found
  }

  function string(path: string): string {
    const found = quoted(path)
    try {
      return JSON.parse(found) as string
    } catch {
      at -= found.length
      return refuse('a string', path)
    }
  }

  function value(path: string, keeps: boolean): string {
    const parts: string[] = []
    let length = 0
    const keep = (part: string): void => {
      if (!keeps) return
      length += part.length
      if (length > LIMITS.bytes) refuse(`at most ${LIMITS.bytes} characters`, path)
      parts.push(part)
    }
    // closing brackets that are waited for
    const open: number[] = []
    // whether a value may begin here, and whether a key must
    let wants = true
    for (;;) {
      const code = peek()
      const inObject = open.at(-1) === CLOSE_OBJECT
      if (!wants) {
        // after a value
        if (open.length === 0) return parts.join('')
        if (code === open.at(-1)) open.pop()
        else if (code === COMMA) wants = true
        else refuse(`',' or '${String.fromCharCode(open.at(-1) ?? 0)}'`, path)
        keep(text[at])
        at++
        if (wants && inObject) key()
        continue
      }
      if (code === OPEN_LIST || code === OPEN_OBJECT) {
        if (open.length >= LIMITS.brackets) refuse(`at most ${LIMITS.brackets} brackets inside one another`, path)
        const close = code + 2
        open.push(close)
        keep(text[at])
        at++
        // an empty one ends like a value
        if (peek() === close) wants = false
        else if (code === OPEN_OBJECT) key()
        continue
      }
      keep(code === QUOTE ? quoted(path) : code === MINUS || isDigit(code) ? numeral(path) : word(path))
      wants = false
    }

    function key(): void {
      keep(quoted(path))
      take(COLON, path)
      keep(':')
    }
  }

  return { peek, take, number, string, value }
}
