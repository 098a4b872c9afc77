/**
 * What needs Node: model files with their includes and meshes, read from disk; threads of batches, of the reduction of meshes and of
 * parallel runs; MPI.
 */
import { availableParallelism } from 'node:os'
import { basename, dirname, extname } from 'node:path'
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
import type { Recording } from './io/trajectory/recording.js'
import { readTrajectoryJson } from './io/trajectory/trajectory-json.js'
import { parseUrdf, type UrdfOptions } from './io/urdf/parse-urdf.js'
import { ModelError } from './model/model-error.js'
import { type FileResolver, fileResolver, readBytes, readPieces, refuse } from './model-files.js'

export { type FileOptions, type FileResolver, fileResolver } from './model-files.js'
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

export interface LoadOptions extends Pick<MjcfOptions, 'mocap'>, Pick<UrdfOptions, 'base' | 'floor' | 'actuators'> {
  /** true: the model may read files outside its folder and its project. Default false: such files are not read, and that is said */
  readonly outside?: boolean
}

/** Reads a model file with all it refers to. Throws a ModelError where the file is missing, unreadable or wrong. */
export function loadSpec(path: string, options: LoadOptions = {}): ReadSpec {
  return parseSpec(readText(path), path, options)
}

/**
 * The text of a model as if it stood in the file `path`: MJCF or URDF by its root element, scene JSON where the suffix is `.json` or `.jsonc` or
 * another one and the text begins with a brace. Includes and meshes are looked for beside `path`, and read where they are below its folder or project.
 */
export function parseSpec(text: string, path: string, { outside = false, ...given }: LoadOptions = {}): ReadSpec {
  const resolve = fileResolver(dirname(path), { outside, model: path })
  const told = () => refusals(resolve)
  try {
    const spec = parseKind(text, path, { ...given, file: path, resolve })
    const ignored = told().map(([file, why]) => ({ path, what: `file '${file}'`, why }))
    return ignored.length > 0 ? { ...spec, ignored: [...spec.ignored, ...ignored] } : spec
  } catch (error) {
    if (!(error instanceof ModelError) || resolve.refused.size === 0) throw error
    throw new ModelError([...error.problems, ...told().map(([file, why]) => ({ path, message: `'${file}': ${why}` }))])
  }
}

const ALLOW = 'where you trust the model, allow it: --allow-outside, loadSpec(path, { outside: true })'
const OUTSIDE = `outside the folder of the model, so it was not read; ${ALLOW}`

/** Files that were not read, with the reason; those of a package that is not marked as one together. */
function refusals({ refused, unmarked }: FileResolver): (readonly [string, string])[] {
  const packages = new Map<string, string[]>()
  for (const [file, folder] of unmarked) packages.set(folder, [...(packages.get(folder) ?? []), file])
  // a reader also tries the end of a path in a package as a path of its own
  const isEnd = (file: string): boolean => [...unmarked.keys()].some((one) => one.endsWith(`/${file.replace(/^(\.\.\/)+/, '')}`))
  const others = [...refused].filter((file) => !unmarked.has(file) && !isEnd(file))
  return [
    ...[...packages].map(([folder, [first, ...rest]]) => {
      const what = rest.length > 0 ? `this and ${rest.length} more files were not read` : 'it was not read'
      const why = `outside the folder of the model, and ${folder} has no package.xml, which marks a folder as a ROS package, so ${what}`
      return [first, `${why}; put a package.xml there, an empty one will do, or ${ALLOW}`] as const
    }),
    ...others.map((file) => [file, OUTSIDE] as const),
  ]
}

type KindOptions = MjcfOptions & UrdfOptions & { readonly file: string; readonly resolve: FileResolver }

function parseKind(text: string, path: string, { base, floor, actuators, ...options }: KindOptions): ReadSpec {
  const urdf = { base, floor, actuators }
  const kind = kindOf(text, path)
  if (kind === 'urdf') return parseUrdf(text, { ...options, ...defined(urdf) })
  const [option] = Object.keys(defined(urdf))
  if (option !== undefined)
    throw refuse(path, `option ${option}: expected a URDF, got ${NAMES[kind]}, ${REMEDIES[option as keyof typeof urdf]}`)
  return kind === 'scene' ? parseScene(text, options) : parseMjcf(text, options)
}

const NAMES = { scene: 'a scene file', mjcf: 'MJCF' } as const

const REMEDIES = {
  base: 'which says itself what is free; leave the option out, or add a free joint to the file',
  floor: 'which has a floor of its own or none; leave the option out, or add a plane to the file',
  actuators: 'which has actuators of its own or none; leave the option out, or add them to the file',
} as const

/** The options that are given; false is none. */
function defined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== false)) as Partial<T>
}

function kindOf(text: string, path: string): 'scene' | 'urdf' | 'mjcf' {
  const suffix = extname(path).toLowerCase()
  if (suffix === '.json' || suffix === '.jsonc') return 'scene'
  const root = rootElement(text)
  if (root === 'robot') return 'urdf'
  if (root === 'mujoco' || root === 'mujocoinclude' || suffix === '.mjcf') return 'mjcf'
  if (suffix === '.urdf') return 'urdf'
  // neither root is there: the parser says what is wrong with the text, or that the root is unknown
  if (suffix === '.xml') return 'mjcf'
  if (/^\uFEFF?\s*(\/[/*]|\{)/.test(text)) return 'scene'
  throw refuse(
    path,
    `expected a model file (.xml, .mjcf, .urdf, .json, .jsonc) or the text of one, got '${suffix || basename(path)}'; rename it, or convert it`,
  )
}

/** Reads a mesh of a volume, or makes voxels of a surface; TetGen's two files by the name of either. */
export function loadVolumeMesh(path: string, { voxels }: Pick<VolumeMeshOptions, 'voxels'> = {}): VolumeMesh {
  return parseVolumeMesh(readBytes(path), path, {
    resolve: fileResolver('.', { outside: true }),
    ...(voxels === undefined ? {} : { voxels }),
  })
}

/** Reads a recording from a file of JSON, however long: memory is taken for its numbers only. Throws a ModelError where it is none. */
export function loadTrajectoryJson(path: string): Recording {
  return readTrajectoryJson(readPieces(path))
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

function readText(path: string): string {
  return readBytes(path).toString('utf8')
}

/** Name of the first element, past comments and declarations. */
function rootElement(text: string): string {
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at + 4)
      if (end < 0) return ''
      at = end
      continue
    }
    const name = ELEMENT.exec(text.slice(at, at + 200))?.[1]
    if (name !== undefined) return name
  }
  return ''
}

const ELEMENT = /^<([A-Za-z_][\w.-]*)/
