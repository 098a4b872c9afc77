/**
 * Sets up, then runs every check and every test, and ends with one line that counts them all.
 *
 *   npm test [-- paths or vitest options]
 *   npm test -- --record    also writes down how long each file took, for the order of later runs
 *
 * Checks run beside the tests; files named `*.alone.test.ts` run last, one at a time (see vitest.config.ts).
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { at, root, run, say, vitest } from './lib.mjs'
import { setup } from './setup.mjs'

const total = { passed: 0, failed: 0, skipped: 0 }
const failures = []
const record = process.argv.includes('--record')
const options = process.argv.slice(2).filter((option) => option !== '--record')

function count(name, good) {
  if (good) total.passed++
  else {
    total.failed++
    failures.push(name)
  }
}

count('set-up and build', await setup())
const checked = runAllChecks()
// a full run has minutes of parallel tests before the first that wants the machine for itself; a run of some files may have none
if (options.length > 0) await checked
await Promise.all([checked, runTests()])

for (const name of failures) say(`failed: ${name}`)
const skipped = total.skipped ? `, ${total.skipped} skipped` : ''
process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`)
process.exitCode = total.failed === 0 ? 0 : 1

async function runAllChecks() {
  try {
    // the checks use packages that set-up installs
    const { runChecks } = await import('./check.mjs')
    for (const { name, problems } of await runChecks()) count(`check: ${name}`, problems.length === 0)
  } catch (error) {
    count(`checks: ${error.message}`, false)
  }
}

async function runTests() {
  const runner = vitest()
  if (!runner) return count('tests: vitest is not installed', false)
  const folder = mkdtempSync(join(tmpdir(), 'limber-test-'))
  const file = join(folder, 'result.json')
  const status = await run(process.execPath, [
    ...runner,
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...options,
  ])
  try {
    const result = JSON.parse(readFileSync(file, 'utf8'))
    if (record) writeDurations(result.testResults)
    total.passed += result.numPassedTests
    total.skipped += result.numPendingTests + (result.numTodoTests ?? 0)
    for (const suite of result.testResults) {
      const bad = suite.assertionResults.filter((test) => test.status === 'failed')
      for (const test of bad) count(`${suite.name.slice(root.length + 1)}: ${test.fullName}`, false)
      if (suite.status === 'failed' && bad.length === 0) count(`${suite.name}: the file could not be run`, false)
    }
    if (status !== 0 && total.failed === 0) count('tests: vitest reported an error outside the tests', false)
  } catch (error) {
    count(`tests: vitest gave no result (${error.message})`, false)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Seconds of every file that takes some: the longest begin first (see vitest.config.ts). */
function writeDurations(suites) {
  const seconds = suites.map(({ name, startTime, endTime }) => [name.slice(root.length + 1), Math.round((endTime - startTime) / 1000)])
  const long = seconds.filter(([, time]) => time > 1).sort(([, a], [, b]) => b - a)
  writeFileSync(at('scripts/test-seconds.json'), `${JSON.stringify(Object.fromEntries(long), null, 2)}\n`)
}
