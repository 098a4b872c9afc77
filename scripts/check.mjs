/**
 * Checks that need no test: who imports whom, forbidden calls, leaked paths, file sizes, sources, types of tests, lint, format, packaging, API reference.
 *
 *   npm run check [-- name ...]
 *
 * Each check is a name and a function that returns its problems as lines; none is good.
 */
import { fileURLToPath } from 'node:url'
import { checkImports } from './checks/imports.mjs'
import { checkReferences } from './checks/references.mjs'
import { checkForbidden, checkLeaks, checkLength, checkMathematics, checkOutside } from './checks/text.mjs'
import { checkApiReference, checkFormat, checkLint, checkPackage, checkTestTypes, checkUnused } from './checks/tools.mjs'

const checks = [
  ['imports', checkImports],
  ['forbidden calls', checkForbidden],
  ['mathematics', checkMathematics],
  ['hosts and machine paths', checkLeaks],
  ['references outside the repository', checkOutside],
  ['file length', checkLength],
  ['references', checkReferences],
  ['types of tests and studio', checkTestTypes],
  ['lint', checkLint],
  ['format', checkFormat],
  ['unused code', checkUnused],
  ['package', checkPackage],
  ['api reference', checkApiReference],
]

/** Runs the checks whose name starts with one of `names` (all without), prints each result, returns them. */
export async function runChecks(names = []) {
  const results = []
  for (const [name, check] of checks) {
    if (names.length > 0 && !names.some((given) => name.startsWith(given))) continue
    const problems = await check()
    process.stderr.write(`${problems.length === 0 ? 'ok    ' : 'FAILED'} check: ${name}\n`)
    for (const problem of problems) process.stderr.write(`  ${problem}\n`)
    results.push({ name, problems })
  }
  return results
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const results = await runChecks(process.argv.slice(2))
  const failed = results.filter((result) => result.problems.length > 0).length
  process.stdout.write(`${results.length - failed} checks passed, ${failed} failed\n`)
  process.exitCode = failed === 0 && results.length > 0 ? 0 : 1
}
