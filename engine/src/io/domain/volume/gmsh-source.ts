/**
 * The numbers of a Gmsh file, one after another, be they text or bytes: sections of both have the same content in the same order.
 */
import { meshError } from '../../mesh/mesh-data.js'

export interface GmshSource {
  /** small integers: int32 in binary files */
  int(what: string): number
  /** counts and tags: 64 bits in binary files of version 4.1, 32 before */
  size(what: string): number
  double(what: string): number
  /** the next line that is not empty, undefined at the end */
  line(): string | undefined
  /** on to behind a line with this text */
  skipTo(text: string): void
  fail(message: string): never
}

/** Text of the bytes, one character each. */
function charactersOf(bytes: Uint8Array): string {
  let out = ''
  for (let o = 0; o < bytes.length; o += 8192) out += String.fromCharCode(...bytes.subarray(o, o + 8192))
  return out
}

export interface GmshFormat {
  readonly version: string
  readonly binary: boolean
}

export function createGmshSource(data: Uint8Array | string, file: string): GmshSource & { setFormat(format: GmshFormat): void } {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data
  const text = charactersOf(bytes)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  let little = true
  let format: GmshFormat = { version: '', binary: false }

  const fail = (message: string): never => {
    if (format.binary) throw meshError(file, `${message} (byte ${at})`)
    let line = 1
    for (let k = text.indexOf('\n'); k >= 0 && k < at; k = text.indexOf('\n', k + 1)) line++
    throw meshError(file, message, line)
  }
  const word = (what: string): number => {
    const found = /\S+/y
    while (at < text.length && text.charCodeAt(at) <= 32) at++
    found.lastIndex = at
    const token = found.exec(text)?.[0]
    if (token === undefined) return fail(`expected ${what}, got the end of the file; it is cut off`)
    const value = Number(token)
    if (!Number.isFinite(value)) fail(`expected ${what}, got '${token}'`)
    at += token.length
    return value
  }
  const raw = (what: string, length: number, read: () => number): number => {
    if (at + length > bytes.length) fail(`expected ${what}, got the end of the file; it is cut off`)
    const value = read()
    at += length
    return value
  }
  const int = (what: string): number => (format.binary ? raw(what, 4, () => view.getInt32(at, little)) : word(what))
  const line = (): string | undefined => {
    while (at < text.length) {
      const end = text.indexOf('\n', at)
      const found = text.slice(at, end < 0 ? text.length : end).trim()
      at = end < 0 ? text.length : end + 1
      if (found !== '') return found
    }
    return undefined
  }
  return {
    int,
    size: (what) => (format.binary && format.version === '4.1' ? raw(what, 8, () => Number(view.getBigUint64(at, little))) : int(what)),
    double: (what) => (format.binary ? raw(what, 8, () => view.getFloat64(at, little)) : word(what)),
    line,
    skipTo(wanted) {
      const found = text.indexOf(wanted, at)
      if (found < 0) fail(`expected ${wanted}, got the end of the file; it is cut off`)
      at = found
      line()
    },
    fail,
    setFormat(found) {
      format = found
      if (!format.binary) return
      // a one, which tells the order of the bytes
      if (at + 4 > bytes.length) fail('expected the number 1 behind the format, got the end of the file; it is cut off')
      const one = view.getInt32(at, true)
      if (one !== 1 && view.getInt32(at, false) !== 1) fail('expected the number 1 behind the format, got another; the file is damaged')
      little = one === 1
      at += 4
    },
  }
}
