/**
 * Checks done by the usual tools, each reduced to its list of complaints.
 */
import { at, capture, tool } from '../lib.mjs'

/** what is published */
const packages = ['engine', 'scenes', 'bench', 'cli', 'studio']

export async function checkTestTypes() {
  const projects = ['scripts/tsconfig.tests.json', 'studio']
  return (await Promise.all(projects.map((path) => use('typescript', 'bin/tsc', ['--noEmit', '-p', path])))).flat()
}

export function checkLint() {
  return use('oxlint', 'bin/oxlint', ['--type-aware', '--deny-warnings', '--format=unix'])
}

export async function checkFormat() {
  const lines = await use('@biomejs/biome', 'bin/biome', ['format', '--colors=off', '--max-diagnostics=200'])
  const files = lines.filter((line) => line.includes(' format ━')).map((line) => line.split(' format ━')[0])
  return files.length > 0 ? files.map((file) => `${file}: not formatted; run npm run format`) : lines
}

export function checkUnused() {
  return use('knip', 'bin/knip.js', ['--no-progress'])
}

export function checkPackage() {
  return Promise.all(packages.map((name) => use('publint', 'src/cli.js', ['--strict'], { cwd: at(name) }))).then((lists) => lists.flat())
}

/** Every type the public names speak of is public too; warnings count. */
export function checkApiReference() {
  return use('typedoc', 'bin/typedoc', ['--emit', 'none'])
}

/** Lines the tool printed when it failed; none when it was content. */
async function use(name, script, args, options) {
  const start = tool(name, script)
  if (!start) return [`${name} is not installed; run npm ci`]
  const { status, output } = await capture(process.execPath, [...start, ...args], { ...options, env: { ...process.env, NO_COLOR: '1' } })
  if (status === 0) return []
  const lines = output.split('\n').filter((line) => line.trim())
  return lines.length > 0 ? lines.slice(0, 200) : [`${name} failed with exit code ${status}`]
}
