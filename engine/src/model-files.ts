/**
 * Files of a model on disk, and which of them it may read: those below its folder, or below the project that its folder is in, and those of packages that the
 * environment names. A file that somebody was sent can so not read what it was not sent with, by `..`, an absolute path, `file://`, `package://` or a link.
 */
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve as resolvePath, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LIMITS } from './model/limits.js'
import { ModelError } from './model/model-error.js'

export interface FileOptions {
  /** true: files anywhere on this machine may be read. Default false */
  readonly outside?: boolean
  /** the file that names the others; a link to it brings the folder of its target along */
  readonly model?: string
}

/** A resolver, and which paths it refused. */
export interface FileResolver {
  (path: string): Uint8Array | undefined
  /** as the model names them: they are there, and outside */
  readonly refused: ReadonlySet<string>
  /** of those, the ones of `package://`, each with its package's folder, which has no package.xml */
  readonly unmarked: ReadonlyMap<string, string>
}

/** files that tell where a project begins, whose parts refer to each other: of ROS, of Gazebo, and the licence of what is published */
const MARKS = ['package.xml', 'manifest.xml', 'model.config', 'LICENSE', 'LICENSE.md', 'LICENSE.txt', 'COPYING']
/** folders above that of the model in which they are looked for */
const STEPS_UP = 4

/**
 * Files beside a model: relative to its folder; `package://name/rest` below the nearest enclosing folder `name`, else below
 * a folder `name` beside one of the enclosing ones, else in ROS_PACKAGE_PATH, else in AMENT_PREFIX_PATH, else `rest` below an
 * enclosing folder, for a package is often kept in a folder of another name. Throws a ModelError where a file cannot be read or is too large.
 */
export function fileResolver(folder: string, { outside = false, model }: FileOptions = {}): FileResolver {
  const allowed = outside ? undefined : allowedFolders(folder, model)
  const refused = new Set<string>()
  const unmarked = new Map<string, string>()
  const read = new Set<string>()
  let total = 0
  const resolve = (path: string): Uint8Array | undefined => {
    for (const { file: candidate, root } of candidates(folder, path)) {
      if (!isFile(candidate)) continue
      const real = realpathSync(candidate)
      if (allowed && !allowed.some((root) => isBelow(root, real)) && !isInPackage(real)) {
        refused.add(path)
        if (root !== undefined && !unmarked.has(path)) unmarked.set(path, root)
        continue
      }
      const bytes = readBytes(candidate)
      if (!read.has(real)) total += bytes.length
      read.add(real)
      if (total > LIMITS.totalBytes) throw refuse(path, `expected at most ${LIMITS.totalBytes} bytes in all files of a model`)
      refused.delete(path)
      unmarked.delete(path)
      return bytes
    }
    return undefined
  }
  return Object.assign(resolve, { refused, unmarked })
}

/** The folder of the model and the project around it, also of the file that a link leads to. */
function allowedFolders(folder: string, model: string | undefined): string[] {
  const folders = [folder]
  if (model !== undefined && isFile(model)) folders.push(dirname(realpathSync(model)))
  return folders.filter((at) => existsSync(at)).map((at) => projectOf(realpathSync(at)))
}

/** The nearest enclosing folder that is marked as a project, else the folder itself. The home of a user is none, nor what is above it. */
function projectOf(folder: string): string {
  const home = resolvePath(homedir())
  let at = folder
  for (let k = 0; k <= STEPS_UP && dirname(at) !== at && !isBelow(at, home); k++) {
    if (MARKS.some((name) => isFile(join(at, name)))) return at
    at = dirname(at)
  }
  return folder
}

/** Whether a file is in a package of ROS: one that the environment names, or a folder with a manifest. */
function isInPackage(file: string): boolean {
  const named = [...foldersOf('ROS_PACKAGE_PATH'), ...foldersOf('AMENT_PREFIX_PATH')].filter((root) => existsSync(root))
  if (named.some((root) => isBelow(realpathSync(root), file))) return true
  const home = resolvePath(homedir())
  for (let at = dirname(file); dirname(at) !== at && !isBelow(at, home); at = dirname(at)) if (isFile(join(at, 'package.xml'))) return true
  return false
}

function isBelow(root: string, file: string): boolean {
  const way = relative(root, file)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  } catch {
    return false
  }
}

/** Files that a path may mean; `root` is the folder of the package, where the path names one. */
function* candidates(folder: string, path: string): Iterable<{ readonly file: string; readonly root?: string }> {
  if (path.includes('\0')) return
  if (path.startsWith('package://')) {
    const [name, ...rest] = path.slice('package://'.length).split('/')
    for (const root of packageRoots(folder, name)) yield { file: join(root, ...rest), root }
    return
  }
  if (path.startsWith('file://')) {
    const local = localPath(path)
    if (local !== undefined) yield { file: local }
    return
  }
  yield { file: isAbsolute(path) ? path : join(folder, path) }
}

/** Undefined for what is no path here: another host, a wrong escape. */
function localPath(url: string): string | undefined {
  try {
    return fileURLToPath(url)
  } catch {
    return undefined
  }
}

function* packageRoots(folder: string, name: string): Iterable<string> {
  for (const at of enclosing(folder)) {
    if (basename(at) === name) yield at
    yield join(at, name)
  }
  for (const root of foldersOf('ROS_PACKAGE_PATH')) yield join(root, name)
  for (const root of foldersOf('AMENT_PREFIX_PATH')) yield join(root, 'share', name)
  yield* enclosing(folder)
}

function* enclosing(folder: string): Iterable<string> {
  let at = resolvePath(folder)
  while (true) {
    yield at
    if (dirname(at) === at) return
    at = dirname(at)
  }
}

function foldersOf(variable: string): string[] {
  return (process.env[variable] ?? '').split(delimiter).filter((root) => root !== '')
}

/** A whole file, or what comes through a pipe; refuses what is too long before it fills the memory. */
export function readBytes(path: string): Buffer {
  try {
    const fd = openSync(path, 'r')
    try {
      const info = fstatSync(fd)
      if (info.isFile() && info.size > LIMITS.bytes) throw tooLong(path)
      return info.isFile() ? readFileSync(fd) : readPipe(fd, path)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    throw error instanceof ModelError ? error : unreadable(path, error)
  }
}

function unreadable(path: string, error: unknown): ModelError {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOENT') return refuse(path, 'no such file; check the path')
  if (code === 'EISDIR') return refuse(path, 'expected a file, got a folder; name the file in it')
  return refuse(path, `cannot be read (${code ?? String(error)})`)
}

/** The bytes of a file, some at a time: of one that may be larger than memory. The array is used again. */
export function* readPieces(path: string): Generator<Uint8Array> {
  const piece = new Uint8Array(1 << 16)
  let fd: number | undefined
  try {
    fd = openSync(path, 'r')
    for (;;) {
      const length = readSync(fd, piece)
      if (length === 0) return
      yield piece.subarray(0, length)
    }
  } catch (error) {
    throw error instanceof ModelError ? error : unreadable(path, error)
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

function readPipe(fd: number, path: string): Buffer {
  const parts: Buffer[] = []
  let total = 0
  for (;;) {
    const part = Buffer.alloc(1 << 16)
    const length = readSync(fd, part)
    if (length === 0) return Buffer.concat(parts)
    total += length
    if (total > LIMITS.bytes) throw tooLong(path)
    parts.push(part.subarray(0, length))
  }
}

function tooLong(path: string): ModelError {
  return refuse(path, `expected at most ${LIMITS.bytes} bytes, got more; split the file, or simplify it`)
}

export function refuse(path: string, message: string): ModelError {
  return new ModelError([{ path, message }])
}
