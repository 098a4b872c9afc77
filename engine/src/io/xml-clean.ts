/**
 * XML as it is found, made into XML as it should be, without losing a place: what `xml.ts` does before it parses.
 */
import { grouped, LIMITS } from '../model/limits.js'

/** stand-ins for characters that XML does not allow bare where files have them: private use, one unit like the original */
const STAND_INS: readonly (readonly [string, string])[] = [
  ['&', '\uE0F1'],
  ['<', '\uE0F2'],
]
const BARE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)/g

const DOUBLE = 34
const AMPERSAND = 38
const SINGLE = 39
const LESS = 60
const GREATER = 62

const standIn = (text: string): string => (text.includes('&') ? text.replace(BARE_AMPERSAND, '\uE0F1') : text)

/** The characters back in place of their stand-ins. */
export function restoreText(text: string): string {
  let out = text
  for (const [original, stand] of STAND_INS) if (out.includes(stand)) out = out.replaceAll(stand, original)
  return out
}

/**
 * The text as the strict parser takes it: byte order mark, declarations, comments and zero bytes at the end blanked, stand-ins for stray characters, a space
 * where attributes touch. Offsets stay, but for the spaces put in, whose places (in the cleaned text) are returned. Counts depth.
 */
export function cleanText(text: string, fail: (offset: number, message: string) => never): { cleaned: string; inserted: number[] } {
  const parts: string[] = []
  const inserted: number[] = []
  let kept = 0
  let depth = 0
  let elements = 0
  let i = 0
  const copyTo = (to: number): void => {
    parts.push(standIn(text.slice(kept, to)))
    kept = to
  }
  const blankTo = (from: number, to: number): void => {
    copyTo(from)
    parts.push(text.slice(from, to).replace(/[^\r\n]/g, ' '))
    kept = to
  }
  if (text.charCodeAt(0) === 0xfeff) blankTo(0, 1)
  while ((i = text.indexOf('<', i)) !== -1) {
    if (text.startsWith('<!--', i)) {
      const end = text.indexOf('-->', i + 4)
      if (end === -1) return fail(i, 'malformed XML: comment without an end, expected `-->`')
      blankTo(i, end + 3)
      i = end + 3
    } else if (text.startsWith('<?', i)) {
      const end = text.indexOf('?>', i + 2)
      if (end === -1) return fail(i, 'malformed XML: declaration without an end, expected `?>`')
      blankTo(i, end + 2)
      i = end + 2
    } else if (text.startsWith('<![CDATA[', i)) {
      const end = text.indexOf(']]>', i)
      if (end === -1) return fail(i, 'malformed XML: CDATA without an end, expected `]]>`')
      copyTo(i)
      parts.push(text.slice(i, end + 3))
      kept = end + 3
      i = end + 3
    } else if (text[i + 1] === '!') {
      i = findTagEnd(text, i) + 1
    } else {
      const end = findTagEnd(text, i)
      // what is as it should be is copied with what comes after it
      if (isStray(text, i, end)) {
        copyTo(i)
        cleanTag(text, i, end, parts, (at) => inserted.push(at + inserted.length))
        kept = end
      }
      if (text[i + 1] === '/') depth--
      else {
        if (text[end - 1] !== '/') depth++
        elements++
      }
      if (elements > LIMITS.elements) return fail(i, `more than ${grouped(LIMITS.elements)} elements: split the file, or simplify it`)
      if (depth > LIMITS.depth) return fail(i, `elements nested deeper than ${LIMITS.depth}: expected a flatter document`)
      i = end + 1
    }
  }
  // some exporters end the file with the zero byte of a C string
  let end = text.length
  while (end > kept && text.charCodeAt(end - 1) === 0) end--
  copyTo(end)
  blankTo(end, text.length)
  return { cleaned: parts.join(''), inserted }
}

/** Whether a tag has what `cleanTag` changes, or would leave where the rest is changed: `&`, `<` inside quotes, a name after a quote. */
function isStray(text: string, start: number, end: number): boolean {
  let quote = 0
  for (let i = start + 1; i < end; i++) {
    const c = text.charCodeAt(i)
    if (c === AMPERSAND) return true
    if (quote === 0) {
      if (c === DOUBLE || c === SINGLE) quote = c
    } else if (c === quote) {
      quote = 0
      const next = text.charCodeAt(i + 1) | 32
      if ((next >= 97 && next <= 122) || text[i + 1] === '_' || text[i + 1] === ':') return true
    } else if (c === LESS) return true
  }
  return false
}

/** A start tag up to its `>`: stand-ins inside quotes, a space after a quote that a name follows. */
function cleanTag(text: string, start: number, end: number, parts: string[], note: (at: number) => void): void {
  let quote = ''
  let from = start
  for (let i = start; i < end; i++) {
    const c = text[i] as string
    if (quote === '') {
      if (c === '"' || c === "'") {
        parts.push(text.slice(from, i + 1))
        from = i + 1
        quote = c
      }
    } else if (c === quote) {
      parts.push(standIn(text.slice(from, i)).replaceAll('<', '\uE0F2'), c)
      from = i + 1
      quote = ''
      if (/[A-Za-z_:]/.test(text[i + 1] ?? '')) {
        parts.push(' ')
        note(i + 1)
      }
    }
  }
  parts.push(text.slice(from, end))
}

/** offset of the `>` that ends the tag at `start`, quotes respected; the end of the text if there is none */
export function findTagEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === GREATER) return i
    if (c !== DOUBLE && c !== SINGLE) continue
    i = text.indexOf(c === DOUBLE ? '"' : "'", i + 1)
    if (i < 0) break
  }
  return text.length
}

/** An offset in the cleaned text, back in the original. */
export function originalOffset(offset: number, inserted: readonly number[]): number {
  let low = 0
  let high = inserted.length
  while (low < high) {
    const mid = (low + high) >> 1
    if ((inserted[mid] as number) < offset) low = mid + 1
    else high = mid
  }
  return offset - low
}
