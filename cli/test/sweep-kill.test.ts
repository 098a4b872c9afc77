import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './limber.js'
import { csvOf, journalOf, type Row, rowsOf, sleep, start, timeless } from './sweeps.js'

const folder = temporaryFolder()
const jobs = 60
const sweep = [
  'limber',
  'sweep',
  'chain',
  '--vary',
  'links=2:6:5',
  '--vary',
  'angle=0.1:1.2:12',
  '--duration',
  '0.5',
  '--threads',
  '2',
  '--out',
]
const KILLS = 50

/** The same numbers for the same seed: where to kill. */
function moments(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Resolves at the moment of a kill: any time from the start, or a little after so many more rows, or while the tables are written. */
async function momentOf(path: string, random: () => number, time: number): Promise<void> {
  const kind = random()
  if (kind < 0.3) return sleep(random() * time)
  const journal = join(path, 'journal.jsonl')
  const size = (): number => statSync(journal, { throwIfNoEntry: false })?.size ?? 0
  const least = size() + (kind < 0.8 ? random() * 8000 : Number.POSITIVE_INFINITY)
  // tables are written beside their names, which begin alike
  const isWriting = (): boolean => existsSync(path) && readdirSync(path).some((name) => name.startsWith('results.'))
  const isTime = (): boolean => size() > least || isWriting()
  while (!isTime()) await sleep(1)
  if (kind < 0.9) await sleep(random() * 20)
}

/** All that is in the folder is whole: no file that says less than it should. */
function checkFiles(path: string, whole: { readonly rows: object[]; readonly csv: string[][] }): void {
  if (existsSync(join(path, 'sweep.json'))) expect(JSON.parse(readFileSync(join(path, 'sweep.json'), 'utf8'))).toMatchObject({ jobs })
  if (existsSync(join(path, 'results.jsonl'))) expect(timeless(rowsOf(path))).toEqual(whole.rows)
  if (existsSync(join(path, 'results.csv'))) expect(csvOf(path)).toEqual(whole.csv)
}

describe('a sweep that is killed', () => {
  it(`${KILLS} times at random moments (seed 17) ends with the table of one that was not, and does no job again`, {
    timeout: 300_000,
  }, async () => {
    const calm = join(folder.path, 'calm')
    const begin = performance.now()
    expect(await start([...sweep, calm]).ended).toBe(0)
    const time = performance.now() - begin
    const whole = { rows: timeless(rowsOf(calm)), csv: csvOf(calm) }
    expect(whole.rows).toHaveLength(jobs)

    const random = moments(17)
    let kills = 0
    let inside = 0
    let late = 0
    // on, where none has met the tables yet
    const more = (): boolean => kills < KILLS || (late === 0 && kills < 3 * KILLS)
    for (let k = 0; more(); k++) {
      const path = join(folder.path, `killed-${k}`)
      const seen = new Map<number, Row>()
      for (let complete = false; !complete; ) {
        const { child, ended } = start([...sweep, path])
        // once the kills are made the last sweep is left to end
        const killed = more() && momentOf(path, random, time).then(() => child.kill('SIGKILL'))
        const code = await ended
        complete = code === 0
        checkFiles(path, whole)
        if (complete) break
        await killed
        expect(code).toBe(null)
        kills++
        // killed after all was done, when the journal was no longer needed
        if (seen.size > 0 && !existsSync(join(path, 'journal.jsonl'))) {
          expect([timeless(rowsOf(path)), csvOf(path)]).toEqual([whole.rows, whole.csv])
          continue
        }
        const rows = journalOf(path)
        if (rows.length > seen.size) inside++
        if (rows.length === jobs) late++
        // no row is lost and none is twice
        expect(new Set(rows.map(({ job }) => job)).size).toBe(rows.length)
        expect(rows.slice(0, seen.size)).toEqual([...seen.values()])
        for (const row of rows) seen.set(row.job, row)
      }
      const rows = rowsOf(path)
      expect(timeless(rows)).toEqual(whole.rows)
      expect(csvOf(path)).toEqual(whole.csv)
      // rows from before a kill have the clock of then: their jobs were not run again
      for (const [job, row] of seen) expect(rows[job - 1]).toEqual(row)
    }
    // otherwise the moments were not where they hurt
    expect(inside).toBeGreaterThan(KILLS / 5)
    expect(late).toBeGreaterThan(0)
  })
})
