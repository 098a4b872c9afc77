/**
 * What a schema issue means, in words: `expected …, got …`, with the nearest known key or the allowed tags.
 */

import type * as z from 'zod'
import { suggest, unknownKey } from '../../build/problems.js'
import { ownOf } from '../own-of.js'

type RawIssue = Parameters<z.core.$ZodErrorMap>[0]

/** Message of a raw zod issue; one line a key for unknown keys. */
export function explainIssues(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${typeWord(issue.expected)}, got ${describe(issue.input)}`
    case 'too_small':
    case 'too_big':
      return `expected ${boundWords(issue)}, got ${describe(issue.input)}`
    case 'invalid_value':
      return wrongWord(issue.values.map(String), issue.input)
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(key, knownKeys(issue.inst))).join('\n')
    case 'invalid_union':
      return unionWords(issue)
    default:
      return undefined
  }
}

function unionWords(issue: Extract<RawIssue, { code: 'invalid_union' }>): string {
  const { discriminator, options } = issue as { readonly discriminator?: string; readonly options?: readonly unknown[] }
  if (discriminator !== undefined) {
    const input = issue.input as Record<string, unknown> | undefined
    return wrongWord((options ?? []).map(String), input?.[discriminator])
  }
  const words = new Set<string>()
  for (const branch of issue.errors ?? []) {
    for (const inner of branch) {
      const word = /^expected (.+?), got /.exec(inner.message)?.[1]
      if (word !== undefined && inner.path.length === 0) words.add(word)
    }
  }
  return `expected ${[...words].join(' or ') || 'another value'}, got ${describe(issue.input)}`
}

/** words of MJCF, URDF and other programs */
const ELSEWHERE: Readonly<Record<string, string>> = {
  hinge: 'revolute',
  continuous: 'revolute',
  slide: 'prismatic',
  ball: 'spherical',
  floating: 'free',
  freejoint: 'free',
  weld: 'fixed',
  cube: 'box',
  hfield: 'heightfield',
  connect: 'point',
  pin: 'point',
  joint: 'coupling',
}

function suggestWord(input: unknown, allowed: readonly string[]): string {
  return typeof input === 'string' ? suggest(input, allowed) : ''
}

function wrongWord(allowed: readonly string[], input: unknown): string {
  const other = typeof input === 'string' ? ownOf(ELSEWHERE, input.toLowerCase()) : undefined
  const hint = other !== undefined && allowed.includes(other) ? `; that is '${other}' here` : suggestWord(input, allowed)
  const list = allowed.length === 1 ? `'${allowed[0]}'` : `one of ${allowed.join(', ')}`
  return `expected ${list}, got ${describe(input)}${hint}`
}

function boundWords(issue: Extract<RawIssue, { code: 'too_small' | 'too_big' }>): string {
  const [bound, words] =
    issue.code === 'too_small'
      ? [issue.minimum, issue.inclusive === false ? 'more than' : 'at least']
      : [issue.maximum, issue.inclusive === false ? 'less than' : 'at most']
  if (issue.origin === 'array') return tupleLength(issue.inst) ?? `a list of ${words} ${bound}`
  if (issue.origin === 'string') return 'a string that is not empty'
  return `a number ${words} ${bound}`
}

/** `a list of 3 numbers` when the issue comes from a tuple. */
function tupleLength(inst: unknown): string | undefined {
  const { _zod, description } = (inst ?? {}) as { readonly _zod?: { def?: { items?: unknown } }; readonly description?: string }
  const items = _zod?.def?.items
  // what the numbers are: six of a tensor have an order
  return Array.isArray(items) ? `a list of ${items.length}${description === undefined ? '' : ` (${description})`}` : undefined
}

function knownKeys(inst: unknown): string[] {
  const shape = (inst as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def?.shape
  return shape ? Object.keys(shape) : []
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
}

function typeWord(expected: string): string {
  return TYPE_WORDS[expected] ?? expected
}

/** A value in a few words. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (typeof value === 'string') return `the string "${clip(value)}"`
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'a number too large for double precision'
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  return 'an object'
}

function clip(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 37)}…`
}
