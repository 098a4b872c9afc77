/**
 * What the runs of a session leave behind.
 */
import { bestRun, type Run } from './gear-runs.js'
import { columns, type Row, type SessionTable } from './gear-tables.js'

/** All runs of one row of a table. */
export interface RowResult {
  readonly session: string
  readonly row: Row
  readonly runs: readonly Run[]
  /** Gear with the paper's corrector, in which positions and velocities are corrected at once */
  readonly plain: readonly Run[]
}

export interface SessionResult {
  readonly session: SessionTable
  /** A, B, C, D, or B* for the reading with p = 0.3 */
  readonly name: string
  readonly title: string
  readonly rows: readonly RowResult[]
}

/** The stable run with the fewest evaluations, of each method. */
export function bestRuns(runs: readonly Run[]): Record<string, Run | undefined> {
  return Object.fromEntries(columns.map((method) => [method, bestRun(runs.filter((run) => run.method === method))]))
}
