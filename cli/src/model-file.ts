/**
 * MODEL arguments: a file, the name of a built-in scene, or `-` for what comes through a pipe.
 */
import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { text } from 'node:stream/consumers'
import { buildModel, type Model, type Spec, type UrdfOptions } from 'limber'
import { type LoadOptions, loadSpec, parseSpec } from 'limber/node'
import { buildScene, sceneNames } from './commands/scene.js'
import { inFile, refuse } from './problem.js'
import { nearest } from './suggest.js'

/** What every command with a model takes. */
export interface ModelOptions extends Pick<UrdfOptions, 'base' | 'floor' | 'actuators'> {
  readonly allowOutside?: boolean
}

export interface ModelFile {
  /** as the user wrote it */
  readonly file: string
  readonly spec: Spec
  readonly model: Model
}

export async function loadModel(file: string, options: ModelOptions = {}): Promise<ModelFile> {
  const spec = await readSpec(file, options)
  return { file, spec, model: await inFile(file, () => buildModel(spec)) }
}

/** What to call a model: its own name, else that of its file. */
export function nameOf({ file, spec }: ModelFile): string {
  return spec.name || basename(file, extname(file))
}

export async function readSpec(file: string, options: ModelOptions = {}): Promise<Spec> {
  if (file === '-') return readStdin(loadOptions(options))
  const info = await stat(file).catch((error: NodeJS.ErrnoException) => error)
  if (!(info instanceof Error)) {
    if (info.isDirectory() && sceneNames().includes(file)) return readScene(file, options)
    if (info.isDirectory()) return refuse(file, 'expected a model file, got a folder; name the file in it')
    return inFile(file, () => loadSpec(file, loadOptions(options)))
  }
  if (sceneNames().includes(file)) return readScene(file, options)
  if (info.code !== 'ENOENT' && info.code !== 'ENOTDIR') return refuse(file, `cannot be read: ${info.message}`)
  const near = nearest(file, sceneNames())
  return refuse(
    file,
    `no such file; check the path${near ? `, or did you mean the built-in scene ${near}?` : ' (limber scene lists the built-in scenes)'}`,
  )
}

/** The options of a URDF as they are given on the command line, to be given again. */
export function urdfArguments({ base, floor, actuators }: ModelOptions): string {
  return [...(base ? [` --base ${base}`] : []), ...(floor ? [' --floor'] : []), ...(actuators ? [` --actuators ${actuators}`] : [])].join(
    '',
  )
}

function loadOptions({ allowOutside: outside = false, base, floor, actuators }: ModelOptions): LoadOptions {
  return { outside, ...(base ? { base } : {}), ...(floor ? { floor } : {}), ...(actuators ? { actuators } : {}) }
}

function readScene(name: string, options: ModelOptions): Spec {
  checkSceneOptions(name, options)
  return buildScene(name)
}

/** Refuses options of a URDF for a built-in scene. */
export function checkSceneOptions(name: string, options: ModelOptions): void {
  const given = urdfArguments(options).trim()
  if (given !== '') refuse(given, `expected a URDF file, got the built-in scene ${name}; leave the option out`)
}

async function readStdin(options: LoadOptions): Promise<Spec> {
  const given = await text(process.stdin)
  if (given.trim() === '') return refuse('stdin', 'expected the text of a model, got nothing; did the command before the pipe fail?')
  if (!/^\s*[<{/]/.test(given)) {
    const start = given.trim().split('\n')[0]?.slice(0, 40)
    return refuse('stdin', `expected MJCF, URDF or scene JSON, got '${start}'; to read a file give its name in place of -`)
  }
  return inFile('stdin', () => parseSpec(given, 'stdin', options))
}
