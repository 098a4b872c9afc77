/**
 * What to do about what the page tells.
 */
import type { Loaded } from '../worker/protocol.js'

/** What an explicit solver cannot do another one may. */
export function wayOut(loaded: Loaded | undefined): string[] {
  const explicit = loaded?.lanes[0]?.solver === 'ode' && loaded.refusals['redmax'] === null
  return explicit ? ['The solver redmax is implicit and takes larger steps.'] : []
}

/** Adds what to do about files that were not dropped. */
export function withRemedy(lines: readonly string[]): string[] {
  const missing = lines.some((line) => /\bnot found\b/.test(line))
  return missing
    ? [...lines, 'Files that the model names are missing here: drop them together with it, or its whole folder, or a zip']
    : [...lines]
}
