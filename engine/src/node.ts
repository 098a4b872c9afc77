/**
 * What needs Node: model files with their includes and meshes, read from disk; threads of batches, of the reduction of meshes and of
 * parallel runs; MPI.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, delimiter, dirname, extname, isAbsolute, join, resolve as resolvePath } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { StartThread } from './batch/threads.js'
import type { ReadSpec } from './build/spec.js'
import { energyFromGrams, energyGram } from './deformable/energy.js'
import type { Mesh } from './deformable/mesh.js'
import { energyProgress, type ReduceOptions, reduceBasis } from './deformable/reduce.js'
import type { Reduced } from './deformable/reduced.js'
import { parseVolumeMesh, type VolumeMeshOptions } from './io/domain/parse-volume-mesh.js'
import type { VolumeMesh } from './io/domain/volume/volume-data.js'
import { type MjcfOptions, parseMjcf } from './io/mjcf/parse-mjcf.js'
import { parseScene } from './io/scene/parse-scene.js'
import { parseUrdf } from './io/urdf/parse-urdf.js'
import { ModelError } from './model/model-error.js'

export { type Mpi, type MpiOptions, openMpi } from './parallel/mpi.js'
export { crewOnThreads, startProcessors } from './parallel/node-processors.js'
export { startThreads } from './parallel/node-threads.js'
export type { CrewOnThreadsOptions, StartProcessorsOptions } from './parallel/start-processors.js'
export {
  isFull,
  openRecordingFile,
  type Recorded,
  type RecordFileOptions,
  type RecordingFile,
  type RecordingFileOptions,
  readRows,
  record,
  type Spool,
  suffixOf,
} from './record-file.js'

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
export function loadSpec(path: string, options: Pick<MjcfOptions, 'mocap'> = {}): ReadSpec {
  return parseSpec(readText(path), path, options)
}

/**
 * The text of a model as if it stood in the file `path`: MJCF or URDF by its root element, scene JSON where the suffix is `.json` or `.jsonc` or
 * another one and the text begins with a brace. Includes and meshes are looked for beside `path`.
 */
export function parseSpec(text: string, path: string, given: Pick<MjcfOptions, 'mocap'> = {}): ReadSpec {
  const suffix = extname(path).toLowerCase()
  const options = { ...given, file: path, resolve: fileResolver(dirname(path)) }
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

/** Reads a mesh of a volume, or makes voxels of a surface; TetGen's two files by the name of either. */
export function loadVolumeMesh(path: string, { voxels }: Pick<VolumeMeshOptions, 'voxels'> = {}): VolumeMesh {
  return parseVolumeMesh(readBytes(path), path, { resolve: fileResolver('.'), ...(voxels === undefined ? {} : { voxels }) })
}

/** `reduce` with the elements on several threads; the bits are the same for any number of them. */
export async function reduceOnThreads(mesh: Mesh, options: ReduceOptions, threads = availableParallelism()): Promise<Reduced> {
  const { domain, energy } = reduceBasis(mesh, options)
  const count = energy.parts.length - 1
  const grams: Float64Array[] = []
  let begun = 0
  let done = 0
  const keep = (part: number, gram: Float64Array): void => {
    grams[part] = gram
    done++
    options.progress?.(energyProgress(done, count), 'elastic energy')
  }
  const serve = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(energyScript, {
        eval: true,
        workerData: { module: new URL('./deformable/energy.js', import.meta.url).href, energy },
      })
      worker.on('message', (message: { part: number; gram: Float64Array } | undefined) => {
        if (message) keep(message.part, message.gram)
        const part = begun++
        if (part < count) worker.postMessage(part)
        else worker.terminate().then(() => resolve(), reject)
      })
      worker.once('error', reject)
    })
  const workers = Math.min(threads, count)
  if (workers > 1) await Promise.all(Array.from({ length: workers }, serve))
  else for (let part = 0; part < count; part++) keep(part, energyGram(energy, part))
  return { ...domain, ...energyFromGrams(grams, domain.modes) }
}

/** Asks for parts of the elements until there are no more. */
const energyScript = `
const { parentPort, workerData: { module, energy } } = require('node:worker_threads')
import(module).then(({ energyGram }) => {
  parentPort.on('message', (part) => {
    const gram = energyGram(energy, part)
    parentPort.postMessage({ part, gram }, [gram.buffer])
  })
  parentPort.postMessage(undefined)
})`

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
  return readBytes(path).toString('utf8')
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT') throw refused(path, 'no such file; check the path')
    if (code === 'EISDIR') throw refused(path, 'expected a file, got a folder; name the file in it')
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
