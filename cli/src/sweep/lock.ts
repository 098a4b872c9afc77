/**
 * One process at a time in a folder. A lock that a process left when it was killed is taken over.
 */
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { refuse } from '../problem.js'
import { writeAll } from '../write-beside.js'

interface Owner {
  readonly host: string
  readonly pid: number
  /** tells a process from a later one of the same number; empty where the system does not say */
  readonly started: string
}

/** Locks the folder and returns what unlocks it; refuses where another process is at work. */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock')
  const own: Owner = { host: hostname(), pid: process.pid, started: startOf(process.pid) }
  for (let attempt = 0; attempt < 3; attempt++) {
    if (create(path, JSON.stringify(own))) return () => rmSync(path, { force: true })
    const owner = readOwner(path)
    if (owner && owner.host !== own.host) {
      refuse(`--out ${folder}`, `process ${owner.pid} on ${owner.host} works on it; if that one is gone, remove ${path} and try again`)
    }
    if (owner && isRunning(owner) && owner.pid !== own.pid)
      refuse(`--out ${folder}`, `another sweep, process ${owner.pid}, works on it; wait for it or stop it`)
    rmSync(path, { force: true })
  }
  return refuse(`--out ${folder}`, 'another sweep begins in it at this moment; try again')
}

function create(path: string, text: string): boolean {
  try {
    const fd = openSync(path, 'wx')
    writeAll(fd, Buffer.from(text))
    closeSync(fd)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Undefined where the owner was killed before it could write, or has gone meanwhile. */
function readOwner(path: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Owner
  } catch {
    return undefined
  }
}

function isRunning({ pid, started }: Owner): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return started === '' || startOf(pid) === started
}

/** The time at which a process began, in ticks of the system; empty where there is no /proc. */
function startOf(pid: number): string {
  try {
    // the second field is the name of the program in brackets, which may hold spaces
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
