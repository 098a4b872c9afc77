/**
 * The journal of a sweep: a line for every job that is done, in the order in which they end. Lines carry a checksum, so that one that a crash tore is
 * recognised and its job done again. Rows stay on disk; the memory holds where they are.
 */
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, ftruncateSync, openSync, readSync } from 'node:fs'
import { writeAll } from '../write-beside.js'
import type { Result } from './run-job.js'

export interface Journal {
  readonly count: number
  readonly failed: number
  has(job: number): boolean
  /** Keeps a row; false if the job has one already. */
  append(job: number, result: Result): boolean
  /** The row of a job as it was given. */
  read(job: number): string
  /** Waits until all is on the disk. */
  flush(): void
  close(): void
}

interface Entry {
  readonly offset: number
  readonly length: number
}

const CHECK = 16
const NEWLINE = 10
const block = 1 << 20

/** Opens the journal of the sweep `id`, with the rows that an earlier run left. */
export function openJournal(path: string, id: string): Journal {
  const fd = openSync(path, 'a+')
  const entries = new Map<number, Entry>()
  let failed = 0
  let size = 0
  const keep = (job: number, entry: Entry, ok: boolean): void => {
    entries.set(job, entry)
    if (!ok) failed++
  }
  for (const { offset, bytes } of lines(fd)) {
    size = offset + bytes.length + 1
    const row = readLine(bytes, id)
    if (row && !entries.has(row.job)) keep(row.job, { offset: offset + CHECK + 1, length: bytes.length - CHECK - 1 }, row.ok)
  }
  // a line that was not finished
  ftruncateSync(fd, size)

  return {
    get count() {
      return entries.size
    },
    get failed() {
      return failed
    },
    has: (job) => entries.has(job),
    append(job, { ok, text }) {
      if (entries.has(job)) return false
      const bytes = Buffer.from(`${checksum(id, text)} ${text}\n`)
      writeAll(fd, bytes)
      keep(job, { offset: size + CHECK + 1, length: bytes.length - CHECK - 2 }, ok)
      size += bytes.length
      return true
    },
    read(job) {
      const entry = entries.get(job)
      if (!entry) throw new RangeError(`job ${job} has no row yet`)
      const bytes = Buffer.alloc(entry.length)
      readFully(fd, bytes, entry.offset)
      return bytes.toString('utf8')
    },
    flush: () => fsyncSync(fd),
    close: () => closeSync(fd),
  }
}

/** Lines that end, with where they begin. */
function* lines(fd: number): Iterable<{ readonly offset: number; readonly bytes: Buffer }> {
  let rest = Buffer.alloc(0)
  let offset = 0
  for (;;) {
    const more = Buffer.alloc(block)
    const read = readSync(fd, more, 0, block, offset + rest.length)
    if (read === 0) return
    rest = Buffer.concat([rest, more.subarray(0, read)])
    let start = 0
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE, start)) {
      yield { offset: offset + start, bytes: rest.subarray(start, end) }
      start = end + 1
    }
    offset += start
    rest = rest.subarray(start)
  }
}

/** Undefined for what is no line of this sweep, or not as it was written. */
function readLine(bytes: Buffer, id: string): { readonly job: number; readonly ok: boolean } | undefined {
  const line = bytes.toString('utf8')
  const text = line.slice(CHECK + 1)
  if (line.slice(0, CHECK + 1) !== `${checksum(id, text)} `) return undefined
  const { job, status } = JSON.parse(text) as { readonly job: number; readonly status: string }
  return { job, ok: status === 'ok' }
}

function checksum(id: string, text: string): string {
  return createHash('sha256').update(id).update(text).digest('hex').slice(0, CHECK)
}

function readFully(fd: number, bytes: Buffer, offset: number): void {
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(fd, bytes, at, bytes.length - at, offset + at)
    if (read === 0) throw new Error('the journal is shorter than it was; was it changed by another program?')
    at += read
  }
}
