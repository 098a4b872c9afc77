/**
 * A recording on disk while it is made: frames go to a file beside the target, and room for the target is taken as they come; at the end, however it
 * comes, the target is written in that room and renamed. So a killed program leaves the old file or none, and a full disk one that ends earlier.
 */
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { Spec } from './build/spec.js'
import { specOf } from './build/spec-of.js'
import { type ByteSink, rowLayout } from './io/trajectory/frames.js'
import type { RecordedModel } from './io/trajectory/recording.js'
import { bytesOfRow, type RecordingFormat, writeFrames } from './io/trajectory/write-frames.js'
import { checkRecord, createSampler, type RecordOptions } from './record.js'
import type { Simulation } from './simulation.js'

/** Frames in a file that only grows. */
export interface Spool {
  append(rows: Float64Array): void
  /** this many rows from this one on */
  read(first: number, count: number): Float64Array
  /** drops what comes after these */
  truncate(frames: number): void
  close(): void
}

export interface RecordingFileOptions {
  /** shapes for .glb */
  readonly spec?: Spec | undefined
  /** keeps the frames; default: a file beside the target that is removed at the end */
  readonly spool?: Spool
  /** how many the spool holds already. Default 0 */
  readonly frames?: number
}

export interface RecordingFile {
  readonly frames: number
  /** Takes a frame. Throws where there is no space left for it: what came before can still be finished. */
  add(row: Float64Array): void
  /** Hands all frames to the spool. Throws as `add` does. */
  flush(): void
  /**
   * Writes the file and puts it in its place; returns how many frames it holds, fewer than there were where there is no space for all. Throws where not
   * even two find space, with `whole` where not all do.
   */
  finish(options?: { readonly whole?: boolean }): Promise<number>
  /** Leaves what was there before. Nothing to do after `finish`. */
  discard(): void
}

/** bytes of frames that are gathered before they are written, and of room that is taken at once */
const PIECE = 1 << 18
const zeros = new Uint8Array(1 << 16)
const host = hostname()
  .replace(/[^\w-]/g, '-')
  .slice(0, 40)
let opened = 0

/** The format that the suffix of a file asks for, in small letters. */
export function suffixOf(file: string): string {
  return extname(file).slice(1).toLowerCase()
}

/** Begins a recording; nothing under the name of the file changes before it is finished. */
export async function openRecordingFile(file: string, model: RecordedModel, options: RecordingFileOptions = {}): Promise<RecordingFile> {
  const format = suffixOf(file) as RecordingFormat
  const { spec } = options
  const before = statSync(file, { throwIfNoEntry: false })
  const target = before?.isFile() ? realpathSync(file) : file
  if (before) accessSync(target, constants.W_OK)
  // devices and pipes cannot be replaced: they get the bytes at the end
  const device = before !== undefined && !before.isFile()
  const stem = device ? join(tmpdir(), basename(file)) : target

  const [part, fd] = openPart(stem, 'w+')
  let spool: Spool | undefined = options.spool
  let frames = options.frames ?? 0
  let pending: Float64Array[] = []
  let waiting = 0
  let room = 0
  // bytes of the file with the frames in the spool
  let needed = 0
  let over = false
  const { stride } = rowLayout(model)
  const bytesOf = bytesOfRow(format, model)
  const discard = (): void => {
    if (over) return
    over = true
    closeSync(fd)
    rmSync(part, { force: true })
    spool?.close()
  }
  /** Takes room on the disk for the file as it will be. */
  const reserve = (bytes: number): void => {
    const before = room
    try {
      while (room < bytes) {
        const count = Math.min(zeros.length, bytes - room)
        writeFully(fd, zeros, count, room)
        room += count
      }
    } catch (error) {
      // what is left is for fewer frames
      ftruncateSync(fd, before)
      room = before
      throw error
    }
  }
  const flush = (): void => {
    if (waiting === 0) return
    const rows = new Float64Array(waiting * stride)
    let more = 0
    for (const [k, row] of pending.entries()) {
      rows.set(row, k * stride)
      more += bytesOf(row)
    }
    reserve(needed + more)
    spool?.append(rows)
    needed += more
    frames += waiting
    pending = []
    waiting = 0
  }
  /** What finds space of the frames that are left, one by one. */
  const flushSome = (): void => {
    const rows = pending
    spool?.truncate(frames)
    try {
      for (const row of rows) {
        pending = [row]
        waiting = 1
        flush()
      }
    } catch (error) {
      if (!isFull(error)) throw error
      spool?.truncate(frames)
    }
    pending = []
    waiting = 0
  }
  try {
    if (before?.isFile()) fchmodSync(fd, before.mode & 0o777)
    spool ??= openSpool(stem, stride)
    // a file without frames, and what each body adds to it
    const none = { model, frames: 0, read: () => new Float64Array() }
    const empty = await writeFrames(format, none, { write: () => undefined }, spec)
    needed = 2 * empty + 1000 * model.bodies.length + 8192
    for (let first = 0, many = Math.max(1, Math.floor(PIECE / 8 / stride)); first < frames; first += many) {
      const count = Math.min(many, frames - first)
      const rows = spool.read(first, count)
      for (let k = 0; k < count; k++) needed += bytesOf(rows.subarray(k * stride, (k + 1) * stride))
    }
  } catch (error) {
    discard()
    throw error
  }
  const kept = spool
  return {
    get frames() {
      return frames + waiting
    },
    add(row) {
      pending.push(row)
      waiting++
      if (8 * waiting * stride < PIECE) return
      flush()
    },
    flush,
    async finish({ whole = false } = {}) {
      if (over) return frames
      try {
        try {
          flush()
          reserve(needed)
        } catch (error) {
          if (whole || !isFull(error)) throw error
          flushSome()
          if (frames < 2) throw error
        }
        const sink: ByteSink = { write: (bytes, at) => writeFully(fd, bytes, bytes.length, at) }
        const length = await writeFrames(format, { model, frames, read: kept.read }, sink, spec)
        ftruncateSync(fd, length)
        fsyncSync(fd)
        if (device) copyInto(file, fd, length)
        else renameSync(part, target)
      } finally {
        discard()
      }
      if (!device) syncFolder(dirname(target))
      return frames
    },
    discard,
  }
}

/** A file of frames, which is removed when it is closed. */
function openSpool(stem: string, stride: number): Spool {
  const [file, fd] = openPart(stem, 'w+')
  let bytes = 0
  return {
    append(rows) {
      writeFully(fd, new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength), rows.byteLength, bytes)
      bytes += rows.byteLength
    },
    read: (first, count) => readRows(fd, first * stride, count * stride),
    truncate(frames) {
      bytes = 8 * frames * stride
      ftruncateSync(fd, bytes)
    },
    close() {
      closeSync(fd)
      rmSync(file, { force: true })
    },
  }
}

/** Numbers of a file, from this one on. */
export function readRows(fd: number, first: number, count: number): Float64Array {
  const rows = new Float64Array(count)
  const view = new Uint8Array(rows.buffer)
  for (let done = 0; done < view.length; ) {
    const got = readSync(fd, view, done, view.length - done, 8 * first + done)
    if (got === 0) throw new Error('the frames of the recording are cut short')
    done += got
  }
  return rows
}

/** Whether there is no space, or no more is allowed. */
export function isFull(error: unknown): boolean {
  return /^(ENOSPC|EDQUOT|EFBIG)$/.test((error as NodeJS.ErrnoException).code ?? '')
}

export interface Recorded {
  readonly file: string
  readonly frames: number
  /** of the last frame, s */
  readonly time: number
  /** empty, or why the recording ends early; it is whole up to there */
  readonly message: string
}

export interface RecordFileOptions extends RecordOptions {
  /** ends the recording early */
  readonly signal?: AbortSignal
}

/** milliseconds of steps between two looks at what else happens */
const TURN = 50
const signals = ['SIGINT', 'SIGTERM'] as const

/**
 * Runs the simulation and writes its motion to a file: .csv, .json, .npy, .mcap or .glb. Memory does not grow with its length. Ctrl-C and SIGTERM end the
 * recording, which is whole up to then, and then the program, as usual. Throws where the disk is full, and then leaves what fitted.
 */
export async function record(simulation: Simulation, file: string, options: RecordFileOptions): Promise<Recorded> {
  checkRecord(simulation, suffixOf(file), options)
  const { seconds, fps = 60, onStep, signal, include = [] } = options
  const { state, model } = simulation
  const sampler = createSampler(simulation, { fps, include })
  const output = await openRecordingFile(file, sampler.model, { spec: options.spec ?? specOf(model) })
  const start = state.t
  let steps = 0
  let asked = ''
  const stop = (name: NodeJS.Signals): void => {
    release()
    asked = name
  }
  const release = (): void => {
    for (const name of signals) process.removeListener(name, stop)
  }
  for (const name of signals) process.on(name, stop)
  const add = (row: Float64Array): void => output.add(row)
  let failure: unknown
  try {
    sampler.sample(add)
    for (let over = false; !over; ) {
      const turn = performance.now() + TURN
      const before = steps
      simulation.advance(
        seconds,
        () => {
          steps++
          sampler.sample(add)
          over = onStep?.(simulation) === false
          sampler.mark()
          return !over && performance.now() < turn
        },
        { t: start, steps },
      )
      // the clock is a sum of steps: where none was made, none is left
      over ||= simulation.report.status !== 'ok' || steps === before
      await new Promise((resolve) => setImmediate(resolve))
      over ||= asked !== '' || signal?.aborted === true
    }
  } catch (error) {
    failure = error
  } finally {
    release()
  }
  if (failure !== undefined && !isFull(failure)) {
    output.discard()
    throw failure
  }
  const taken = output.frames
  const frames = await output.finish()
  const time = start + (frames - 1) / fps
  const upTo = `${file} holds ${frames} frames up to t = ${Number(time.toPrecision(6))} s`
  if (frames < taken) throw new Error(`there is no space left; ${upTo}`, { cause: failure })
  if (asked !== '') {
    process.stderr.write(`limber: ${asked}; ${upTo}\n`)
    // who listens has heard it
    if (process.listenerCount(asked) === 0) process.kill(process.pid, asked)
  }
  const early = asked !== '' ? `${asked}; ${upTo}` : signal?.aborted ? `it was ended; ${upTo}` : simulation.report.message
  return { file, frames, time, message: early }
}

/** A write may take less than it was given. */
function writeFully(fd: number, bytes: Uint8Array, count: number, at: number): void {
  for (let done = 0; done < count; ) done += writeSync(fd, bytes, done, count - done, at + done)
}

/** A new file beside this one, named after it, this machine, process and thread. */
function openPart(file: string, flags: 'w+'): readonly [string, number] {
  const name = basename(file).slice(-100)
  for (;;) {
    const part = join(resolve(dirname(file)), `${name}.limber-${host}-${process.pid}-${threadId}-${1_000_000 + ++opened}.part`)
    try {
      return [part, openSync(part, `${flags.slice(0, 1)}x+`)]
    } catch (error) {
      // left by a process that had this number before
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

function copyInto(device: string, from: number, length: number): void {
  const fd = openSync(device, 'w')
  try {
    const bytes = new Uint8Array(PIECE)
    for (let at = 0; at < length; ) {
      const got = readSync(from, bytes, 0, Math.min(bytes.length, length - at), at)
      for (let done = 0; done < got; ) done += writeSync(fd, bytes, done, got - done)
      at += got
    }
  } finally {
    closeSync(fd)
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
