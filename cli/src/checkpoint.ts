/**
 * Checkpoints: where a run stands, in one file that is whole or is refused.
 *
 *   'limber checkpoint\n'   18 bytes
 *   format, length of the file, length of the header   three numbers of 8 bytes, little-endian
 *   header   JSON: how the run was set up, and what it counted
 *   snapshot   of the simulation
 *   CRC-32 of all before   4 bytes, little-endian
 */
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import type { GivenState, OptionValue, RecordingExtra } from 'limber'
import { crc32 } from './crc32.js'
import { stringify } from './output.js'
import { refuse } from './problem.js'
import { version } from './version.js'
import { writeBeside } from './write-beside.js'

const magic = 'limber checkpoint\n'
const format = 1
const fixed = magic.length + 24

/** What decides the bits of a run. */
export interface RunSetup {
  /** hash of the model */
  readonly model: number
  readonly solver: string
  /** every option of the solver, the ones that nobody set included */
  readonly set: Readonly<Record<string, OptionValue>>
  readonly timestep: number
  readonly duration: number
  /** time at the start */
  readonly start: number
  readonly keyframe?: string
  readonly state?: GivenState
  /** by number of the actuator */
  readonly control?: Readonly<Record<string, number>>
}

/** Totals of the report. */
export interface Totals {
  readonly steps: number
  readonly rejected: number
  readonly evaluations: number
  readonly iterations: number
}

/** Frames that were taken, in a file of their own beside the checkpoint: what follows them there does not count. */
export interface StoredFrames {
  /** the letter at the end of the file's name */
  readonly letter: 'a' | 'b'
  readonly bytes: number
  readonly crc: number
  readonly fps: number
  /** where the recording is to go, from the folder of the checkpoint */
  readonly out: string
  /** what it holds besides the motion */
  readonly include?: readonly RecordingExtra[]
}

export interface Checkpoint {
  readonly setup: RunSetup
  /** of simulated seconds between checkpoints */
  readonly every: number
  /** steps of the sequence that leads to the end, and the time they led to */
  readonly taken: number
  readonly time: number
  readonly totals: Totals
  /** at the end: no step follows that would find them again */
  readonly warnings?: readonly string[]
  /** seconds that the steps took */
  readonly wall: number
  /** nothing is left to do, the recording is written */
  readonly finished: boolean
  readonly recording?: StoredFrames
  readonly snapshot: Uint8Array
}

export function writeCheckpoint(file: string, { snapshot, ...rest }: Checkpoint): void {
  const header = Buffer.from(stringify({ version, ...rest }))
  const bytes = Buffer.alloc(fixed + header.length + snapshot.length + 4)
  bytes.write(magic)
  bytes.writeBigUInt64LE(BigInt(format), magic.length)
  bytes.writeBigUInt64LE(BigInt(bytes.length), magic.length + 8)
  bytes.writeBigUInt64LE(BigInt(header.length), magic.length + 16)
  header.copy(bytes, fixed)
  bytes.set(snapshot, fixed + header.length)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4)
  writeBeside(file, bytes)
}

/** Reads a checkpoint; refuses one that is absent, cut, damaged, or of another version. */
export function readCheckpoint(file: string): Checkpoint {
  const bytes = readBytes(file)
  const anew = 'take an earlier one, or begin anew without --resume'
  if (bytes.toString('latin1', 0, magic.length) !== magic) return refuse(file, 'expected a checkpoint that limber run --checkpoint wrote')
  if (bytes.length < fixed + 4) return refuse(file, `the checkpoint is cut short: ${bytes.length} bytes; ${anew}`)
  const [form = 0, length = 0, header = 0] = [0, 8, 16].map((at) => Number(bytes.readBigUInt64LE(magic.length + at)))
  if (length !== bytes.length) {
    return refuse(file, `the checkpoint is cut short or damaged: expected ${length} bytes, got ${bytes.length}; ${anew}`)
  }
  if (crc32(bytes.subarray(0, -4)) !== bytes.readUInt32LE(bytes.length - 4)) {
    return refuse(file, `the checkpoint is damaged: its checksum does not fit; ${anew}`)
  }
  if (form !== format)
    return refuse(file, `expected a checkpoint of format ${format}, got ${form}; continue with the version that wrote it`)
  const { version: by, ...rest } = JSON.parse(bytes.toString('utf8', fixed, fixed + header)) as Omit<Checkpoint, 'snapshot'> & {
    version: string
  }
  if (by !== version) {
    return refuse(file, `written by limber ${by}, this is ${version}, which may give other bits; continue with ${by}, or begin anew`)
  }
  return { ...rest, snapshot: bytes.subarray(fixed + header, -4) }
}

/** The checkpoint that a new run is about to replace, undefined where there is none that can be read; refuses to replace anything else. */
export function replacedCheckpoint(file: string): Checkpoint | undefined {
  if (!existsSync(file) || isEmpty(file)) return undefined
  if (!isCheckpoint(file))
    refuse(`--checkpoint ${file}`, 'a file of this name is there and is no checkpoint; give another name, or remove it')
  try {
    return readCheckpoint(file)
  } catch {
    return undefined
  }
}

/** What to do where a run cannot go on, but its checkpoint is there. */
export function howToContinue(model: string, checkpoint: string): string {
  const piped = model === '-' ? ', with the same model through the pipe' : ''
  return `the last checkpoint is ${checkpoint}; continue with: limber run ${quoted(model)} --resume ${quoted(checkpoint)}${piped}`
}

function quoted(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return refuse(file, code === 'ENOENT' ? 'no such checkpoint; check the path, or begin with --checkpoint' : `cannot be read: ${message}`)
  }
}

function isEmpty(file: string): boolean {
  return start(file, 1) === ''
}

function isCheckpoint(file: string): boolean {
  return start(file, magic.length) === magic
}

/** The first bytes of a file, as text. */
function start(file: string, count: number): string {
  try {
    const fd = openSync(file, 'r')
    try {
      const bytes = Buffer.alloc(count)
      return bytes.toString('latin1', 0, readSync(fd, bytes, 0, count, 0))
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    return refuse(`--checkpoint ${file}`, `cannot be read: ${(error as Error).message}`)
  }
}
