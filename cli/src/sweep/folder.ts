/**
 * The folder of a sweep: what was asked, what is done so far, the tables at the end. Belongs to one sweep, and to one process at a time.
 *
 *   sweep.json     what was asked; there before the first job
 *   task.json      the model and all else that jobs need; until the tables are complete
 *   journal.jsonl  a line for every job that is done; until the tables are complete
 *   lock           the process that works on it
 */
import { createReadStream, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { makeFolder } from '../formats.js'
import { stringify } from '../output.js'
import { refuse } from '../problem.js'
import { writeBeside } from '../write-beside.js'
import type { Ensemble } from './jobs.js'
import { type Journal, openJournal } from './journal.js'
import { lockFolder } from './lock.js'
import { tableNames, writeTables } from './tables.js'
import { decode, encode, type SweepTask, sweepId } from './task.js'

/** What `sweep.json` holds. */
export interface Description {
  readonly id: string
  readonly limber: string
  readonly model: string
  /** of the model and all it refers to */
  readonly content: string
  readonly jobs: number
  readonly keys: readonly string[]
  readonly ensemble: Ensemble
  readonly options: object
}

export interface SweepFolder {
  readonly path: string
  /** undefined once the tables are complete */
  readonly journal: Journal | undefined
  /** Writes the tables from the journal. */
  writeTables(): void
  /** Removes what only an unfinished sweep needs. */
  finish(): void
  /** Lets another process work on it. */
  close(): void
}

const name = { description: 'sweep.json', task: 'task.json', journal: 'journal.jsonl' }

/** Takes the folder for this sweep: a new one, or one that holds a part of it. */
export async function openFolder(path: string, description: Description, taskText: string): Promise<SweepFolder> {
  await makeFolder(path)
  const unlock = lockFolder(path)
  try {
    const before = readDescription(path)
    if (before) checkSame(path, before, description)
    else {
      const foreign = [...tableNames, name.journal].find((file) => existsSync(join(path, file)))
      if (foreign) refuse(path, `holds ${foreign} but no ${name.description}: it is not known what they belong to; take another folder`)
      writeBeside(join(path, name.task), [taskText])
      writeBeside(join(path, name.description), [`${stringify(description)}\n`])
    }
    const complete =
      before !== undefined && !existsSync(join(path, name.journal)) && tableNames.every((file) => existsSync(join(path, file)))
    const journal = complete ? undefined : openJournal(join(path, name.journal), description.id)
    let open = journal !== undefined
    const end = (): void => {
      if (open) journal?.close()
      open = false
    }
    return {
      path,
      journal,
      writeTables() {
        if (journal) writeTables(path, description.jobs, description.keys, (job) => journal.read(job))
      },
      finish() {
        end()
        // as long as there is a journal the sweep counts as unfinished, so it goes last
        for (const file of [name.task, name.journal]) rmSync(join(path, file), { force: true })
      },
      close() {
        end()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** What an earlier run left, to go on without its command line. */
export function readFolder(path: string): { readonly description: Description; readonly task: SweepTask; readonly taskText: string } {
  const description =
    readDescription(path) ?? refuse(`--out ${path}`, `holds no ${name.description}, so there is no sweep to resume; check the folder`)
  const file = join(path, name.task)
  if (!existsSync(file)) {
    // complete: nothing will be run
    const { model, limber, keys } = description
    return { description, taskText: '', task: { limber, file: model, model: { scene: model }, keys, fixed: {} } }
  }
  const taskText = readFileSync(file, 'utf8')
  if (sweepId(taskText, description.ensemble) !== description.id)
    refuse(file, 'is not as it was written; start the sweep again with its model')
  return { description, taskText, task: decode(taskText) as SweepTask }
}

/** Rows that failed in tables that are complete. */
export async function countFailed(path: string): Promise<number> {
  let failed = 0
  for await (const line of createInterface({ input: createReadStream(join(path, tableNames[0])) })) {
    if ((JSON.parse(line) as { status: string }).status !== 'ok') failed++
  }
  return failed
}

function readDescription(path: string): Description | undefined {
  const file = join(path, name.description)
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Description
  } catch (error) {
    return refuse(file, `cannot be read: ${(error as Error).message}; take another folder`)
  }
}

function checkSame(path: string, before: Description, now: Description): void {
  if (before.id === now.id) return
  const parts: readonly (readonly [string, (d: Description) => unknown])[] = [
    ['the version of limber', (d) => d.limber],
    ['the model', (d) => [d.model, d.content]],
    ['what varies', (d) => d.ensemble],
    ['the options', (d) => d.options],
  ]
  const other = parts.filter(([, of]) => encode(of(before)) !== encode(of(now))).map(([what]) => what)
  refuse(
    `--out ${path}`,
    `holds another sweep: ${other.join(' and ') || 'something in it'} ${other.length > 1 ? 'differ' : 'differs'}; take another folder, or remove this one`,
  )
}
