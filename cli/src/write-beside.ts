/**
 * Files are written beside their target and renamed: whoever reads the target, also after the program was killed, finds the old file or the new one, whole.
 */
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { threadId } from 'node:worker_threads'
import { crc32 } from './crc32.js'

/** the parts of a text may be made while it is written */
export type Content = string | Uint8Array | Iterable<string>

/** characters of such parts that are gathered before they are written */
const piece = 1 << 16

/** a folder may be shared by machines: the processes of others cannot be asked whether they live */
const host = hostname()
  .replace(/[^\w-]/g, '-')
  .slice(0, 40)
const leftover = /\.limber-([\w-]+)-(\d+)-\d+-\d+\.part$/
/** bytes of a name beyond which there is no room for what is added to it */
const longestName = 150
/** folders that were looked through: once is enough, for a folder may hold as many files as there are results */
const tidied = new Set<string>()
let written = 0

/** Writes a file, all of it or nothing; makes its folder. Throws an Error that names the file, and then leaves what was there as it was. */
export function writeBeside(file: string, content: Content): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    const before = statSync(file, { throwIfNoEntry: false })
    // devices and pipes cannot be replaced
    if (before && !before.isFile()) return writeDevice(file, content)
    // a link goes on to point at its file
    replace(before ? realpathSync(file) : file, content, before)
  } catch (error) {
    throw writeFailure(file, error)
  }
}

/** Throws, before the work and not after it, where `writeBeside` could not write this file. */
export function checkWritable(file: string): void {
  try {
    const there = statSync(file, { throwIfNoEntry: false })
    if (there) accessSync(file, constants.W_OK)
    if (!there || there.isFile()) accessSync(dirname(file), constants.W_OK)
  } catch (error) {
    throw writeFailure(file, error)
  }
}

/** What to say where a file cannot be written. */
export function writeFailure(file: string, error: unknown): Error {
  const { code = '', message } = error as NodeJS.ErrnoException
  const why = /^(ENOSPC|EDQUOT|EFBIG)$/.test(code)
    ? `there is no space left for it (${code}); make room, or write elsewhere`
    : /^(EACCES|EPERM|EROFS)$/.test(code)
      ? `there is no right to write there (${code}); change that, or write elsewhere`
      : message
  return new Error(`${file}: cannot be written: ${why}. What was there before is as it was`, { cause: error })
}

function replace(file: string, content: Content, before: Stats | undefined): void {
  // a file that is protected is not replaced either, though its folder would allow it
  if (before) accessSync(file, constants.W_OK)
  const folder = resolve(dirname(file))
  removeLeftovers(folder)
  const [part, fd] = openPart(file)
  try {
    try {
      if (before) fchmodSync(fd, before.mode & 0o777)
      writeContent(fd, content)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
  syncFolder(folder)
}

function writeDevice(file: string, content: Content): void {
  const fd = openSync(file, 'w')
  try {
    writeContent(fd, content)
  } finally {
    closeSync(fd)
  }
}

function writeContent(fd: number, content: Content): void {
  if (typeof content === 'string' || content instanceof Uint8Array) return writeFileSync(fd, content)
  let text = ''
  for (const more of content) {
    text += more
    if (text.length < piece) continue
    writeAll(fd, Buffer.from(text))
    text = ''
  }
  writeAll(fd, Buffer.from(text))
}

/** A write may take less than it was given. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
}

/** A new file beside `file`, named after it, this machine, process and thread. */
function openPart(file: string): readonly [string, number] {
  const name = basename(file)
  const stem = Buffer.byteLength(name) > longestName ? crc32(Buffer.from(name)).toString(16) : name
  for (;;) {
    const part = join(dirname(file), `${stem}.limber-${host}-${process.pid}-${threadId}-${++written}.part`)
    try {
      return [part, openSync(part, 'wx')]
    } catch (error) {
      // left by a process that had this number before
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Removes what killed processes of this machine were writing in this folder. */
export function removeLeftovers(folder: string): void {
  if (tidied.has(folder)) return
  tidied.add(folder)
  for (const name of readdirSync(folder)) {
    const [, where, process] = leftover.exec(name) ?? []
    if (where === host && isOver(Number(process), join(folder, name))) rmSync(join(folder, name), { force: true })
  }
}

/** Whether the process that wrote this file is no more. */
function isOver(id: number, file: string): boolean {
  // numbers are given again: what is older than this process is not its own
  if (id === process.pid) return (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < performance.timeOrigin
  try {
    process.kill(id, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** A new name survives a crash of the machine only when its folder is on the disk; systems that cannot say so are left alone. */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch {
    // the file is there and whole
  }
}
