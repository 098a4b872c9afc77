/**
 * File formats by suffix: what a model or a recording can be written as.
 */
import { constants, existsSync } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { InvalidArgumentError } from 'commander'
import {
  type Ignored,
  type RecordingExtra,
  recordingExtras,
  recordingFormats,
  type Spec,
  type Written as WrittenText,
  writeGlb,
  writeGltf,
  writeMjcf,
  writeScene,
  writeUrdf,
} from 'limber'
import { refuse } from './problem.js'
import { type Content, checkWritable } from './write-beside.js'

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

export const modelSuffixes = Object.keys(modelFormats)
export const recordingSuffixes = recordingFormats.map((format) => `.${format}`)

/** The format for this file name; refuses suffixes that have none. */
export function modelFormat(file: string): ModelFormat {
  return modelFormats[extname(file).toLowerCase()] ?? refuse(file, `expected a file name that ends in ${modelSuffixes.join(', ')}`)
}

/** Refuses suffixes that no recording has. */
export function checkRecordingSuffix(file: string): void {
  if (!recordingSuffixes.includes(extname(file).toLowerCase()))
    refuse(file, `expected a file name that ends in ${recordingSuffixes.join(', ')}`)
}

/** `sensors,controls` as a list; refuses other words. */
export function recordingList(text: string): RecordingExtra[] {
  const words: readonly string[] = recordingExtras
  return text.split(',').map((word) => {
    if (!words.includes(word)) throw new InvalidArgumentError(`expected some of ${words.join(', ')}, separated by commas, got '${word}'`)
    return word as RecordingExtra
  })
}

/** Refuses what a recording is to hold where there is none, or where its format cannot hold it. */
export function checkExtras(extras: readonly RecordingExtra[], out: string | undefined): void {
  const given = `--record ${extras.join(',')}`
  if (out === undefined) refuse(given, 'expected --out with a file to record to')
  if (extname(out).toLowerCase() === '.glb') refuse(given, 'a .glb holds shapes and their motion only; take .csv, .json, .npy or .mcap')
}

/** Refuses a file that cannot be written because its folder is not there, or may not be written to: before the work, not after. */
export function checkFolder(file: string): void {
  if (!existsSync(dirname(file))) refuse(file, `the folder ${dirname(file)} is not there; make it first`)
  checkWritable(file)
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
