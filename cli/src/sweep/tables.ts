/**
 * The tables of a sweep, in the order of the jobs: `results.jsonl` with all of every row, `results.csv` with its numbers but not its states.
 */
import { join } from 'node:path'
import { writeBeside } from '../write-beside.js'
import type { Row } from './run-job.js'

export const tableNames = ['results.jsonl', 'results.csv'] as const

/** Writes both; `read` gives the row of a job as a line of JSON. */
export function writeTables(folder: string, jobs: number, keys: readonly string[], read: (job: number) => string): void {
  const [lines, columns] = tableNames
  writeBeside(
    join(folder, lines),
    each(jobs, (job) => `${read(job)}\n`),
  )
  writeBeside(join(folder, columns), csv(jobs, keys, read))
}

function* each(jobs: number, line: (job: number) => string): Iterable<string> {
  for (let job = 1; job <= jobs; job++) yield line(job)
}

const columns: readonly (readonly [name: string, of: (row: Row) => string | number | undefined])[] = [
  ['status', (row) => row.status],
  ['solver', (row) => row.solver],
  ['timestep', (row) => row.timestep],
  ['time', (row) => row.time],
  ['kinetic_initial', (row) => row.energy?.initial.kinetic],
  ['potential_initial', (row) => row.energy?.initial.potential],
  ['kinetic_final', (row) => row.energy?.final.kinetic],
  ['potential_final', (row) => row.energy?.final.potential],
  ['evaluations', (row) => row.statistics?.evaluations],
  ['steps', (row) => row.statistics?.steps],
  ['rejected', (row) => row.statistics?.rejected],
  ['iterations', (row) => row.statistics?.iterations],
  ['wall', (row) => row.wall],
  ['hash', (row) => row.hash],
]

function* csv(jobs: number, keys: readonly string[], read: (job: number) => string): Iterable<string> {
  // a key that is also the name of a column comes out only once
  const others = columns.filter(([name]) => !keys.includes(name))
  yield `${['job', ...keys, ...others.map(([name]) => name)].map(cell).join(',')}\n`
  for (let job = 1; job <= jobs; job++) {
    const row = JSON.parse(read(job)) as Row
    const values = [row.job, ...keys.map((key) => row.values[key]), ...others.map(([, of]) => of(row))]
    yield `${values.map(cell).join(',')}\n`
  }
}

/** Quoted where a reader would take it apart. */
function cell(value: string | number | boolean | undefined): string {
  const text = value === undefined ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
