/**
 * What needs Node: model files with their includes and meshes, read from disk; threads of batches.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, extname, isAbsolute, join, resolve as resolvePath } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { StartThread } from './batch/threads.js'
import type { ReadSpec } from './build/spec.js'
import { parseMjcf } from './io/mjcf/parse-mjcf.js'
import { parseScene } from './io/scene/parse-scene.js'
import { parseUrdf } from './io/urdf/parse-urdf.js'
import { ModelError } from './model/model-error.js'

/** Starts the threads of a batch: `createBatch(model, { count, threads: 4, startThread })`. A program may end without closing them. */
export const startThread: StartThread = (script, task) =>
  new Promise((resolve, reject) => {
    const source = `${script}\nconst { parentPort, workerData } = require('node:worker_threads')\nserve(workerData, () => parentPort.postMessage('ready'))`
    const worker = new Worker(source, { eval: true, workerData: task })
    let ended: string | undefined
    worker.once('error', (error) => {
      ended = error.message
      reject(error)
    })
    worker.once('exit', (code) => {
      ended ??= `exit code ${code}`
    })
    worker.once('message', () => {
      worker.unref()
      resolve({ stop: () => void worker.terminate(), ended: () => ended })
    })
  })

/** Reads a model file with all it refers to. Throws a ModelError where the file is missing, unreadable or wrong. */
export function loadSpec(path: string): ReadSpec {
  return parseSpec(readText(path), path)
}

/**
 * The text of a model as if it stood in the file `path`: MJCF or URDF by its root element, scene JSON where the suffix is `.json` or `.jsonc` or
 * another one and the text begins with a brace. Includes and meshes are looked for beside `path`.
 */
export function parseSpec(text: string, path: string): ReadSpec {
  const suffix = extname(path).toLowerCase()
  const options = { file: path, resolve: fileResolver(dirname(path)) }
  if (suffix === '.json' || suffix === '.jsonc') return parseScene(text, options)
  const root = rootElement(text)
  if (root === 'robot') return parseUrdf(text, options)
  if (root === 'mujoco' || root === 'mujocoinclude' || suffix === '.mjcf') return parseMjcf(text, options)
  if (suffix === '.urdf') return parseUrdf(text, options)
  if (suffix === '.xml') {
    // neither root is there: the parser says what is wrong with the text, or that the root is unknown
    return parseMjcf(text, options)
  }
  if (/^\uFEFF?\s*(\/[/*]|\{)/.test(text)) return parseScene(text, options)
  throw refused(
    path,
    `expected a model file (.xml, .mjcf, .urdf, .json, .jsonc) or the text of one, got '${suffix || basename(path)}'; rename it, or convert it`,
  )
}

/**
 * Files beside a model: relative to its folder; `package://name/rest` below the nearest enclosing folder `name`, else below
 * a folder `name` beside one of the enclosing ones, else in ROS_PACKAGE_PATH, else in AMENT_PREFIX_PATH, else `rest` below an
 * enclosing folder, for a package is often kept in a folder of another name.
 */
export function fileResolver(folder: string): (path: string) => Uint8Array | undefined {
  return (path) => {
    for (const candidate of candidates(folder, path)) {
      if (existsSync(candidate) && statSync(candidate).isFile()) return readFileSync(candidate)
    }
    return undefined
  }
}

function* candidates(folder: string, path: string): Iterable<string> {
  if (path.startsWith('package://')) {
    const [name, ...rest] = path.slice('package://'.length).split('/')
    for (const root of packageRoots(folder, name)) yield join(root, ...rest)
    return
  }
  if (path.startsWith('file://')) {
    const local = localPath(path)
    if (local !== undefined) yield local
    return
  }
  yield isAbsolute(path) ? path : join(folder, path)
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

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT') throw refused(path, 'no such file; check the path')
    if (code === 'EISDIR') throw refused(path, 'expected a file, got a folder; name the model file in it')
    throw refused(path, `cannot be read (${code ?? String(error)})`)
  }
}

/** Name of the first element, past comments and declarations. */
function rootElement(text: string): string {
  return /<([A-Za-z_][\w.-]*)/.exec(text.replace(/<!--[\s\S]*?-->/g, ''))?.[1] ?? ''
}

function refused(path: string, message: string): ModelError {
  return new ModelError([{ path, message }])
}
