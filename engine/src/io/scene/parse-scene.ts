/**
 * Scene JSON → Spec. JSON with comments and trailing commas; every problem in one ModelError, with line and column.
 */

import type { ReadSpec } from '../../build/spec.js'
import { LIMITS } from '../../model/limits.js'
import type { Problem } from '../../model/model-error.js'
import { ownerOf, remedyFor, withNames } from '../../model/remedies.js'
import { checkedResolve } from '../checked-resolve.js'
import { checkSize, guarded } from '../guarded.js'
import { failJson, readJson } from './read-json.js'
import { readDomains } from './scene-domains.js'
import { explainIssues } from './scene-problems.js'
import { sceneSchema } from './scene-schema.js'

export interface SceneOptions {
  /** named in error messages and places */
  readonly file?: string
  /** gives the bytes of files that the scene names: domains */
  readonly resolve?: (path: string) => Uint8Array | undefined
}

/** Reads a scene file. Throws `ModelError` with every problem found. `spec.places` tells where each part stood. */
export function parseScene(text: string, options: SceneOptions = {}): ReadSpec {
  checkSize(options.file, text)
  return guarded(options.file, () => readScene(text, options))
}

function readScene(text: string, options: SceneOptions): ReadSpec {
  const { value, places, locate, problems } = readJson(text, options.file)
  if (problems.length > LIMITS.problems) failJson(problems)

  // shape, types and ranges
  const result = sceneSchema.safeParse(value, { error: explainIssues, reportInput: true })
  for (const issue of result.error?.issues ?? []) {
    if (problems.length > LIMITS.problems) {
      problems.push(UNTOLD)
      continue
    }
    for (const { path, message, key } of flattenIssue(issue)) {
      problems.push({
        path: path.join('/'),
        message: withNames(value, path.join('/'), withRemedy(value, path.join('/'), message)),
        place: locate(path, key),
      })
    }
  }
  if (problems.length > 0 || !result.success) failJson(problems)
  const { $schema: _, domains, ...spec } = result.data as NonNullable<typeof result.data>
  const read = domains && readDomains(domains, checkedResolve(options.resolve), (k) => locate(['domains', k]), problems)
  if (problems.length > 0) failJson(problems)
  return { ...spec, ...(read ? { domains: read } : {}), ignored: spec.ignored ?? [], places }
}

/** counts, and is not told */
const UNTOLD: Problem = { path: '', message: '', place: { line: Number.MAX_SAFE_INTEGER, column: 1 } }

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

/** Whose number it is and what to do about it, where the message does not say yet. */
function withRemedy(document: unknown, path: string, message: string): string {
  if (/^expected a number\b.*, got the string /.test(message)) return `${message}; write a number, without quotes`
  const got = /, got (\S+)$/.exec(message)?.[1]
  if (got === undefined || message.includes(';')) return message
  if (got === 'nothing' || got === 'null') return `${message}; give one`
  if (!Number.isFinite(Number(got))) return message
  if (/^expected a list\b/.test(message)) return `${message}; write [${got}]`
  return `${message.slice(0, message.lastIndexOf(', got'))}${ownerOf(document, path)}, got ${got}${remedyFor(path, Number(got))}`
}

/** One problem a key for unknown keys; for a union the branch that came closest. */
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
