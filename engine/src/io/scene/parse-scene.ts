/**
 * Scene JSON → Spec. JSON with comments and trailing commas; every problem in one ModelError, with line and column.
 */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { ReadSpec } from '../../build/spec.js'
import { ModelError, type Place, type Problem } from '../../model/model-error.js'
import { ownerOf, remedyFor } from '../../model/remedies.js'
import { checkDepth, createLocator, findNode, type Locator } from './json-source.js'
import { explainIssues } from './scene-problems.js'
import { sceneSchema } from './scene-schema.js'

export interface SceneOptions {
  /** named in error messages and places */
  readonly file?: string
}

/** more than this is noise: the first ones say what is wrong */
const MAX_PROBLEMS = 200

/** Reads a scene file. Throws `ModelError` with every problem found. `spec.places` tells where each part stood. */
export function parseScene(text: string, options: SceneOptions = {}): ReadSpec {
  const source = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text
  const locate = createLocator(source, options.file)

  // syntax
  const tooDeep = checkDepth(source)
  if (tooDeep >= 0) fail([{ path: '', message: 'expected fewer nested brackets; a scene needs ten at most', place: locate(tooDeep) }])
  const errors: ParseError[] = []
  const root = parseTree(source, errors, { allowTrailingComma: true, disallowComments: false })
  if (errors.length > 0 || !root) fail(errors.map((error) => syntaxProblem(error, source, locate)))

  // plain value, and the place of every object
  const places: Record<string, Place> = {}
  const problems: Problem[] = []
  const value = readValue(root as Node, [], locate, places, problems)

  // shape, types and ranges
  const result = sceneSchema.safeParse(value, { error: explainIssues, reportInput: true })
  for (const issue of result.error?.issues ?? []) {
    for (const { path, message, key } of flattenIssue(issue)) {
      problems.push({
        path: path.join('/'),
        message: withRemedy(value, path.join('/'), message),
        place: locate(findNode(root as Node, path, key)),
      })
    }
  }
  if (problems.length > 0 || !result.success) fail(problems)
  const { $schema: _, ...spec } = result.data as NonNullable<typeof result.data>
  return { ...spec, ignored: spec.ignored ?? [], places }
}

interface FlatIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
  /** point at this key of the object, not at the object */
  readonly key?: string
}

interface Issue {
  readonly code?: string
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly keys?: readonly string[]
  readonly errors?: readonly (readonly Issue[])[]
}

/** One problem a key for unknown keys; for a union the branch that came closest. */
/** Whose number it is and what to do about it, where the message does not say yet. */
function withRemedy(document: unknown, path: string, message: string): string {
  const got = /, got (\S+)$/.exec(message)?.[1]
  if (got === undefined || message.includes(';')) return message
  if (got === 'nothing' || got === 'null') return `${message}; give one`
  if (!Number.isFinite(Number(got))) return message
  return `${message.slice(0, message.lastIndexOf(', got'))}${ownerOf(document, path)}, got ${got}${remedyFor(path, Number(got))}`
}

function flattenIssue(issue: Issue): FlatIssue[] {
  if (issue.code === 'unrecognized_keys' && issue.keys) {
    const messages = issue.message.split('\n')
    return issue.keys.map((key, k) => ({ path: issue.path, key, message: messages[k] ?? issue.message }))
  }
  if (issue.code === 'invalid_union' && issue.errors && issue.errors.length > 0) {
    // a branch that failed at its root had the wrong type altogether; one that failed deeper is what was meant
    const deeper = issue.errors.filter((branch) => branch.every((inner) => inner.path.length > 0 || inner.code === 'unrecognized_keys'))
    const sorted = deeper.toSorted((a, b) => a.length - b.length)
    const best = sorted[0]
    if (best) return best.flatMap((inner) => flattenIssue({ ...inner, path: [...issue.path, ...inner.path] }))
  }
  return [{ path: issue.path, message: issue.message }]
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

function syntaxProblem(error: ParseError, source: string, locate: Locator): Problem {
  const code = printParseErrorCode(error.error)
  const found = source.slice(error.offset, error.offset + Math.min(error.length, 20))
  const got = found === '' ? 'the end of the file' : `'${found}'`
  return { path: '', message: `${SYNTAX[code] ?? code}, got ${got}`, place: locate(error.offset) }
}

function fail(problems: readonly Problem[]): never {
  const sorted = problems.toSorted(byPlace)
  if (sorted.length <= MAX_PROBLEMS) throw new ModelError(sorted)
  const more = { path: '', message: `and ${sorted.length - MAX_PROBLEMS} more problems` }
  throw new ModelError([...sorted.slice(0, MAX_PROBLEMS), more])
}

function byPlace(a: Problem, b: Problem): number {
  return (a.place?.line ?? 0) - (b.place?.line ?? 0) || (a.place?.column ?? 0) - (b.place?.column ?? 0)
}
