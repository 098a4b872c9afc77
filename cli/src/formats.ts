/**
 * File formats by suffix: what a model or a recording can be written as.
 */
import { constants, existsSync } from 'node:fs'
import { access, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import {
  type Ignored,
  type Recording,
  type Spec,
  type Written as WrittenText,
  writeCsv,
  writeGlb,
  writeGltf,
  writeMcap,
  writeMjcf,
  writeNpy,
  writeScene,
  writeTrajectoryJson,
  writeUrdf,
} from 'limber'
import { refuse } from './problem.js'

type Content = string | Uint8Array

/** What a writer made, the files it refers to, and what its format cannot express. */
interface Written {
  readonly content: Content
  readonly files: readonly { readonly path: string; readonly text: string }[]
  readonly dropped: readonly Ignored[]
}

interface ModelFormat {
  readonly name: string
  write(spec: Spec): Written | Promise<Written>
}

interface RecordingFormat {
  readonly name: string
  write(recording: Recording, spec: Spec): Content | Promise<Content>
}

const fromText = ({ text, files, ignored }: WrittenText): Written => ({ content: text, files, dropped: ignored })
const mjcf: ModelFormat = { name: 'MJCF', write: (spec) => fromText(writeMjcf(spec)) }
const scene: ModelFormat = { name: 'scene JSON', write: (spec) => ({ content: writeScene(spec), files: [], dropped: [] }) }

const modelFormats: Readonly<Record<string, ModelFormat>> = {
  '.xml': mjcf,
  '.mjcf': mjcf,
  '.urdf': { name: 'URDF', write: (spec) => fromText(writeUrdf(spec)) },
  '.json': scene,
  '.jsonc': scene,
  '.glb': { name: 'binary glTF', write: (spec) => ({ content: writeGlb(spec), files: [], dropped: [] }) },
  '.gltf': { name: 'glTF', write: (spec) => ({ content: writeGltf(spec), files: [], dropped: [] }) },
}

const recordingFormats: Readonly<Record<string, RecordingFormat>> = {
  '.csv': { name: 'comma-separated values', write: writeCsv },
  '.json': { name: 'JSON', write: writeTrajectoryJson },
  '.npy': { name: 'NumPy array', write: writeNpy },
  '.mcap': { name: 'MCAP log', write: writeMcap },
  '.glb': { name: 'animated glTF', write: (recording, spec) => writeGlb(spec, recording) },
}

export const modelSuffixes = Object.keys(modelFormats)
export const recordingSuffixes = Object.keys(recordingFormats)

/** The format for this file name; refuses suffixes that have none. */
export function modelFormat(file: string): ModelFormat {
  return modelFormats[extname(file).toLowerCase()] ?? refuse(file, `expected a file name that ends in ${modelSuffixes.join(', ')}`)
}

export function recordingFormat(file: string): RecordingFormat {
  return recordingFormats[extname(file).toLowerCase()] ?? refuse(file, `expected a file name that ends in ${recordingSuffixes.join(', ')}`)
}

/** Refuses a file that cannot be written because its folder is not there: before the work, not after. */
export function checkFolder(file: string): void {
  if (!existsSync(dirname(file))) refuse(file, `the folder ${dirname(file)} is not there; make it first`)
}

/** Makes a folder for results, so that a long run does not find at its end that it cannot be. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (error) {
    refuse(`--out ${folder}`, `expected a folder to write to: ${(error as Error).message}`)
  }
}

/** As `save`, all of it or nothing: whoever reads the file meanwhile, or after the program was stopped, finds the old one or the new one. */
export async function saveWhole(file: string, content: Content): Promise<void> {
  // devices and pipes cannot be replaced
  if (existsSync(file) && !(await stat(file)).isFile()) return save(file, content)
  const part = `${file}.${process.pid}.part`
  await save(part, content)
  try {
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    refuse(file, `cannot be written: ${(error as Error).message}`)
  }
}

export async function save(file: string, content: Content): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  } catch (error) {
    refuse(file, `cannot be written: ${(error as Error).message}`)
  }
}
