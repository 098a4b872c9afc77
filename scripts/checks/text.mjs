/**
 * Checks on the text of files: calls the engine must not make, hosts and paths of one machine, references to what is elsewhere, length.
 */

import { lineOf, listFiles, listTracked, read, withoutComments } from './files.mjs'
import { nodeFiles } from './imports.mjs'

const longest = 600

/** Clock, randomness and printing make runs differ or talk: none inside the engine. */
export function checkForbidden() {
  const calls = /\b(Date\.now|new Date\(|performance\.now|Math\.random|crypto\.|console\.|process\.(?:stdout|stderr|env|argv|exit))/g
  // how long a GPU works decides how much it is given at a time, and nothing that it computes
  const files = listFiles(/^engine\/src\/.*(?<!\.test)\.ts$/).filter(
    (path) => !nodeFiles.test(path) && path !== 'engine/src/batch/gpu/pace.ts',
  )
  return search(files, calls, (found) => `${found} is not for the engine`, withoutComments)
}

/**
 * Functions that the language leaves to each engine give other last digits in other browsers: `math/own` has ours. Powers too, but for those of two that are
 * constants.
 */
export function checkMathematics() {
  const calls =
    /\bMath\.(?:a?(?:sin|cos|tan)h?|atan2|pow|exp|expm1|log|log2|log10|log1p|hypot|cbrt)\b|(?<!\b2) \*\* |\b2 \*\* (?!-?\d+\b|[A-Z]+\b)/g
  const files = listFiles(/^(engine|scenes)\/src\/(?!math\/|printed\/).*(?<!\.test)\.ts$/)
  return search(files, calls, (found) => `${found.trim()} gives other bits elsewhere; take that of math/own`, withoutComments)
}

/** Nothing tracked may name a package registry or a path of the machine it was written on. */
export function checkLeaks() {
  const host = /https?:\/\/(?:[\w-]+\.)*(?:registry|npm|artifactory|nexus|verdaccio)[\w.-]*[^\s"']*/gi
  const path = /(?<=^|[\s"'`(=:,])\/(?:work|root|tmp|home|Users)\/[\w.-]+/gm
  const resolved = /"resolved": "https?:[^"]*"/g
  const files = listTracked(/\.(ts|mts|js|mjs|json|jsonc|md|html|css|svg|xml|urdf|yml|yaml|sh|npmrc)$|^\.ci\/|^\.npmrc$/)
  return [
    ...search(files, host, (found) => `${found} names a package registry`),
    ...search(files, path, (found) => `${found} is a path of one machine`),
    ...search(files, resolved, () => 'resolved address in a lockfile; .npmrc has omit-lockfile-registry-resolved'),
  ]
}

/** What is needed to read the repository is in it: no working notes, no folder beside it. */
export function checkOutside() {
  const outside = /\bnotes? \d\d\b|\.\.\/shared\b/gi
  const files = listTracked(/\.(ts|mts|js|mjs|json|jsonc|md|html|css|xml|urdf|sh)$/)
  return search(
    files,
    outside,
    (found) => `'${found}' is not in this repository; state the equation, or cite a paper by its key in docs/references.md`,
  )
}

/** A file that outgrows this wants to be two. */
export function checkLength() {
  const problems = []
  for (const path of listFiles(/\.(ts|mts|js|mjs)$/)) {
    const lines = read(path).split('\n').length - 1
    if (lines > longest) problems.push(`${path}: ${lines} lines, at most ${longest}; split it by concern`)
  }
  return problems
}

function search(files, pattern, describe, prepare = (text) => text) {
  const problems = []
  for (const path of files) {
    const text = prepare(read(path))
    for (const match of text.matchAll(pattern)) problems.push(`${path}:${lineOf(text, match.index)}: ${describe(match[0])}`)
  }
  return problems
}
