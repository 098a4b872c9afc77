import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openJournal } from './journal.js'

const folder = mkdtempSync(join(tmpdir(), 'limber-journal-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const id = '0123456789abcdef'
const row = (job: number, status = 'ok') => ({ ok: status === 'ok', text: JSON.stringify({ job, status, name: 'Gelenk ä 関節' }) })

function write(name: string, jobs: readonly number[]): string {
  const path = join(folder, name)
  const journal = openJournal(path, id)
  for (const job of jobs) journal.append(job, row(job, job % 2 ? 'ok' : 'bad'))
  journal.close()
  return path
}

describe('a journal', () => {
  it('gives back what was written, and takes a job once', () => {
    const path = write('plain', [3, 1, 2])
    const journal = openJournal(path, id)
    expect([journal.count, journal.failed, journal.has(3), journal.has(4)]).toEqual([3, 1, true, false])
    expect(journal.append(3, row(3, 'other'))).toBe(false)
    expect(journal.append(4, row(4))).toBe(true)
    expect([1, 2, 3, 4].map((job) => JSON.parse(journal.read(job)) as object)).toMatchObject([
      { job: 1, status: 'ok' },
      { job: 2, status: 'bad' },
      { job: 3, status: 'ok' },
      { job: 4, name: 'Gelenk ä 関節' },
    ])
    journal.close()
  })

  it('torn at any byte keeps the lines before it and goes on with whole ones', () => {
    const path = write('torn', [1, 2, 3])
    const bytes = readFileSync(path)
    const ends = [...bytes.keys()].filter((k) => bytes[k] === 10)
    for (let length = 0; length <= bytes.length; length++) {
      writeFileSync(path, bytes)
      truncateSync(path, length)
      const whole = ends.filter((end) => end < length).length
      const journal = openJournal(path, id)
      expect(journal.count).toBe(whole)
      for (const job of [1, 2, 3, 4]) journal.append(job, row(job))
      journal.close()
      const again = openJournal(path, id)
      expect([again.count, JSON.parse(again.read(4))]).toMatchObject([4, { job: 4 }])
      again.close()
    }
  })

  it('passes over lines that were damaged or belong to another sweep', () => {
    const path = write('damaged', [1, 2, 3])
    const bytes = readFileSync(path)
    const at = bytes.indexOf(10) + 30
    bytes[at] = (bytes[at] ?? 0) ^ 1
    writeFileSync(path, bytes)
    appendFileSync(
      path,
      readFileSync(write('other', [4]))
        .toString()
        .replace(/^./, (c) => (c === '0' ? '1' : '0')),
    )
    const journal = openJournal(path, id)
    expect([1, 2, 3, 4].map((job) => journal.has(job))).toEqual([true, false, true, false])
    journal.close()
    const stranger = openJournal(path, 'fedcba9876543210')
    expect(stranger.count).toBe(0)
    stranger.close()
  })

  it('reads rows that are longer than what it reads at a time', () => {
    const path = join(folder, 'long')
    const long = { ok: true, text: JSON.stringify({ job: 1, status: 'ok', q: 'x'.repeat(3_000_000) }) }
    const journal = openJournal(path, id)
    journal.append(1, long)
    journal.append(2, row(2))
    journal.close()
    const again = openJournal(path, id)
    expect([again.count, again.read(1) === long.text, again.read(2)]).toEqual([2, true, row(2).text])
    again.close()
  })
})
