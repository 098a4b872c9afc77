/**
 * JSON with comments and trailing commas → a plain value, with the place of each of its parts. What every file that people write is read with.
 */

import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { LIMITS } from '../../model/limits.js'
import { ModelError, type Place, type Problem } from '../../model/model-error.js'
import { ownOf } from '../own-of.js'
import { checkExtent, createLocator, findNode, type Locator } from './json-source.js'
import { readPlainJson } from './plain-json.js'

export interface JsonText {
  readonly value: unknown
  /** of every object, and of what objects hold, by path: `bodies/0/inertia` */
  readonly places: Record<string, Place>
  /** of the value at a path, of its key `key` when given, or of the nearest value around it */
  locate(path: readonly PropertyKey[], key?: string): Place
  /** keys given twice; `failJson` tells them with others found later */
  readonly problems: Problem[]
}

/** Reads JSON text. Throws `ModelError` with every problem of its syntax. */
export function readJson(text: string, file: string | undefined): JsonText {
  const source = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text
  const at = createLocator(source, file)
  const beyond = checkExtent(source)
  if (beyond) failJson([{ path: '', message: beyond.message, place: at(beyond.offset) }])
  const plain = readPlainJson(source, at)
  if (plain) {
    let tree: Node | undefined
    const locate = (path: readonly PropertyKey[], key?: string): Place => at(findNode((tree ??= parseTree(source) as Node), path, key))
    return { ...plain, locate, problems: [] }
  }
  const errors: ParseError[] = []
  const root = parseTree(source, errors, { allowTrailingComma: true, disallowComments: false })
  if (errors.length > 0 || !root) failJson(syntaxProblems(errors, source, at))

  const places: Record<string, Place> = {}
  const problems: Problem[] = []
  const value = readValue(root as Node, [], at, places, problems)
  return { value, places, locate: (path, key) => at(findNode(root as Node, path, key)), problems }
}

/** The value of a node, without prototype tricks; records places of objects and of what they hold, and reports keys given twice. */
function readValue(node: Node, path: readonly string[], locate: Locator, places: Record<string, Place>, problems: Problem[]): unknown {
  if (node.type === 'array') {
    return (node.children ?? []).map((child, i) => {
      // lists of numbers can be long: no path for their elements
      if (child.type !== 'object' && child.type !== 'array') return child.value as unknown
      return readValue(child, [...path, String(i)], locate, places, problems)
    })
  }
  if (node.type !== 'object') return node.value as unknown

  const entries = new Map<string, unknown>()
  if (path.length > 0) places[path.join('/')] = locate(node.offset)
  for (const property of node.children ?? []) {
    const [keyNode, valueNode] = property.children ?? []
    if (!keyNode || !valueNode) continue
    const key = String(keyNode.value)
    // paths repeat their keys
    if (key.length > LIMITS.key) {
      problems.push({
        path: path.join('/'),
        message: `expected keys of at most ${LIMITS.key} characters, got ${key.length}`,
        place: locate(keyNode.offset),
      })
      continue
    }
    const at = [...path, key]
    if (entries.has(key))
      problems.push({ path: at.join('/'), message: 'expected each key once, got it twice', place: locate(keyNode.offset) })
    if (key === '__proto__') problems.push({ path: at.join('/'), message: "unknown key '__proto__'", place: locate(keyNode.offset) })
    else {
      places[at.join('/')] = locate(valueNode.offset)
      entries.set(key, readValue(valueNode, at, locate, places, problems))
    }
  }
  return Object.fromEntries(entries)
}

const SYNTAX: Readonly<Record<string, string>> = {
  InvalidSymbol: 'expected a value (number, string in double quotes, true, false, list or object)',
  InvalidNumberFormat: 'expected a number',
  PropertyNameExpected: 'expected a key in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: "expected ':' after the key",
  CommaExpected: "expected ','",
  CloseBraceExpected: "expected '}'",
  CloseBracketExpected: "expected ']'",
  EndOfFileExpected: 'expected the end of the file',
  InvalidCommentToken: 'expected a comment // … or /* … */',
  UnexpectedEndOfComment: "expected '*/'",
  UnexpectedEndOfString: "expected '\"' at the end of the string",
  UnexpectedEndOfNumber: 'expected digits',
  InvalidUnicode: 'expected four hexadecimal digits after \\u',
  InvalidEscapeCharacter: 'expected one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u in a string',
  InvalidCharacter: 'expected no control characters in a string',
}

/** One problem a line: what follows on it, and an end that is not there, mostly follow from the first. */
function syntaxProblems(errors: readonly ParseError[], source: string, locate: Locator): Problem[] {
  const lines = new Set<number>()
  return errors.flatMap((error) => {
    const place = locate(error.offset)
    if (lines.has(place.line) || (lines.size > 0 && error.offset >= source.trimEnd().length)) return []
    lines.add(place.line)
    return [{ path: '', message: explainSyntax(error, source), place }]
  })
}

function explainSyntax({ error, offset, length }: ParseError, source: string): string {
  const code = printParseErrorCode(error)
  const rest = source.slice(offset, offset + length + 20)
  // the scanner gives the sign of -.5 by itself
  const found = (rest.startsWith('-') ? /^-[.\w]*/.exec(rest)?.[0] : undefined) ?? rest.slice(0, Math.min(length, 20))
  const got = found === '' ? 'the end of the file' : `'${found}'`
  const endless = /^-?(nan|inf(inity)?)\b/i.exec(rest)?.[0]
  if (endless !== undefined) return `expected a finite number, got '${endless}'; check what it was computed from`
  if (code === 'InvalidSymbol' && /^\s*:/.test(source.slice(offset + length, offset + length + 20))) {
    return `${SYNTAX['PropertyNameExpected']}, got ${got}; write "${found.replaceAll("'", '')}"`
  }
  // an end where another one is due: the list or object before it is open
  if (code === 'CommaExpected' && (found === '}' || found === ']')) return `expected ',' or '${found === '}' ? ']' : '}'}', got ${got}`
  if (code !== 'InvalidSymbol') return `${SYNTAX[code] ?? code}, got ${got}`
  const number = /^([+-]?)(\.?\d.*)$/.exec(found)
  const plain = number
    ? `${number[1] === '-' ? '-' : ''}${number[2].startsWith('.') ? '0' : ''}${number[2]}`
    : ownOf(WORDS, found.toLowerCase())
  return `${SYNTAX[code]}, got ${got}${plain === undefined ? '' : `; write ${plain}`}`
}

const WORDS: Readonly<Record<string, string>> = { true: 'true', false: 'false', null: 'null', none: 'null' }

/** Throws them in the order of the file. */
export function failJson(problems: readonly Problem[]): never {
  throw new ModelError(problems.toSorted(byPlace))
}

function byPlace(a: Problem, b: Problem): number {
  return (a.place?.line ?? 0) - (b.place?.line ?? 0) || (a.place?.column ?? 0) - (b.place?.column ?? 0)
}
