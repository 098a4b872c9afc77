/**
 * What was to be shown, line by line, and whether the runs show it.
 */
import { type Block, table } from './report.js'

export interface Verdict {
  readonly line: string
  readonly holds: boolean
  readonly measured: string
}

export function verdictTable(verdicts: readonly Verdict[]): Block {
  return table(
    'Line by line',
    ['line', 'holds', 'measured'],
    verdicts.map(({ line, holds, measured }) => [line, holds ? 'yes' : 'NO', measured]),
  )
}
