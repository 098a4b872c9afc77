/**
 * The files of the repository.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { at, root } from '../lib.mjs'

/** Paths from the repository root that git tracks. */
export function listTracked(pattern) {
  return list(pattern, ['--cached'])
}

/** Those that git tracks or would track; ignored files left out. */
export function listFiles(pattern) {
  return list(pattern, ['--cached', '--others', '--exclude-standard'])
}

function list(pattern, options) {
  const output = execFileSync('git', ['ls-files', ...options], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
  return output.split('\n').filter((path) => path && pattern.test(path) && existsSync(at(path)))
}

export function read(path) {
  return readFileSync(at(path), 'utf8')
}

/** Line number of an offset, from 1. */
export function lineOf(text, offset) {
  let line = 1
  for (let i = 0; i < offset; i++) if (text.charCodeAt(i) === 10) line++
  return line
}

/** The text with comments blanked out, offsets kept. Good enough for searching: strings stay as they are. */
export function withoutComments(text) {
  const blank = (match) => match.replace(/[^\n]/g, ' ')
  return text
    .replace(/\/\*[\s\S]*?\*\//g, blank)
    .replace(/(^|[^:'"`\\/])\/\/[^\n]*/g, (match, before) => before + blank(match.slice(before.length)))
}
