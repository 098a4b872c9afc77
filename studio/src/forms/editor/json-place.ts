/**
 * Where the caret stands in a JSON text that is being written and need not be complete: the path of keys and indices, and whether
 * a key or a value is expected there.
 */
export interface JsonPlace {
  readonly path: readonly (string | number)[]
  /** a key is being written, or a value */
  readonly expects: 'key' | 'value'
  /** what stands before the caret of the word being written, without its quote */
  readonly prefix: string
  /** where that word begins, its quote included */
  readonly start: number
  /** keys that the object around the caret has already, as far as read */
  readonly taken: readonly string[]
}

interface Level {
  readonly kind: '{' | '['
  key: string | undefined
  index: number
  expects: 'key' | 'value'
  readonly keys: string[]
}

export function placeAt(text: string, caret: number): JsonPlace {
  const levels: Level[] = []
  const top = () => levels[levels.length - 1]
  let word = { start: caret, text: '' }
  let i = 0
  while (i < caret) {
    const c = text[i]
    if (c === '"') {
      const end = endOfString(text, i)
      const content = text.slice(i + 1, Math.min(end, caret))
      if (end >= caret) {
        word = { start: i, text: content }
        break
      }
      const level = top()
      if (level?.kind === '{' && level.expects === 'key') {
        level.key = content
        level.keys.push(content)
      }
      i = end + 1
      continue
    }
    if (c === '/' && text[i + 1] === '/') {
      const end = text.indexOf('\n', i)
      i = end < 0 ? caret : end
      continue
    }
    if (c === '{' || c === '[') levels.push({ kind: c, key: undefined, index: 0, expects: c === '{' ? 'key' : 'value', keys: [] })
    else if (c === '}' || c === ']') levels.pop()
    else if (c === ':') {
      const level = top()
      if (level) level.expects = 'value'
    } else if (c === ',') {
      const level = top()
      if (level?.kind === '{') Object.assign(level, { expects: 'key', key: undefined })
      else if (level) level.index++
    } else if (/[\w.+-]/.test(c)) {
      let end = i
      while (end < text.length && /[\w.+-]/.test(text[end])) end++
      if (end >= caret) {
        word = { start: i, text: text.slice(i, caret) }
        break
      }
      i = end
      continue
    }
    i++
  }
  const path: (string | number)[] = []
  for (const [k, level] of levels.entries()) {
    const last = k === levels.length - 1
    if (level.kind === '[') path.push(level.index)
    else if (!last || level.expects === 'value') path.push(level.key ?? '')
  }
  const level = top()
  return { path, expects: level?.expects ?? 'value', prefix: word.text, start: word.start, taken: level?.keys ?? [] }
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '"' || text[i] === '\n') return i
  }
  return text.length
}
