/**
 * What to do about what the page tells.
 */
import type { LaneSettings, Loaded } from '../worker/protocol.js'
import type { Remedy } from './messages.js'

/** After a step that failed, from the start: with an implicit solver where the explicit one gave up, a shorter step, or as it was. */
export function waysOut(loaded: Loaded | undefined, again: (settings?: LaneSettings) => void): Remedy[] {
  const lane = loaded?.lanes[0]
  const explicit = lane?.solver === 'ode' && loaded?.refusals['redmax'] === null
  const shorter = (lane?.timestep ?? 0) / 2
  return [
    ...(explicit ? [{ text: 'Again with redmax, which is implicit', act: () => again({ solver: 'redmax' }) }] : []),
    ...(lane
      ? [
          {
            text: `Again with steps of ${Number(shorter.toPrecision(3))} s`,
            act: () => again({ solver: lane.solver, timestep: shorter, options: lane.options }),
          },
        ]
      : []),
    { text: 'Reset', act: () => again() },
  ]
}

/** Adds what to do about files that were not dropped, after the first line, which names one of them. */
export function withRemedy(lines: readonly string[]): string[] {
  const missing = lines.some((line) => /\bnot found\b/.test(line))
  const advice = 'Files that the model names are missing here: drop them together with it, or its whole folder, or a zip'
  return missing ? [lines[0], advice, ...lines.slice(1)] : [...lines]
}
