/**
 * Frames of a recording beside a checkpoint: a file that only grows. How much of it counts, the checkpoint tells; what a killed run wrote after that
 * is overwritten. Two names are taken in turn by the runs with one checkpoint, so that a new one spoils nothing before its first checkpoint is there.
 */
import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { readRows, type Spool } from 'limber/node'
import type { StoredFrames } from './checkpoint.js'
import { crc32 } from './crc32.js'
import { refuse } from './problem.js'
import { writeFailure } from './write-beside.js'

type Letter = StoredFrames['letter']

/** How much of a file of frames counts. */
export type Extent = Pick<StoredFrames, 'letter' | 'bytes' | 'crc'>

/** `close` leaves the file: only a checkpoint knows whether it is needed. */
export interface FramesFile extends Spool {
  /** All that was appended, on the disk. */
  sync(): Extent
}

const nameOf = (checkpoint: string, letter: Letter): string => `${checkpoint}.frames-${letter}`
/** bytes that are read at once */
const piece = 1 << 20

/** The letter that a run in place of this one takes. */
export function otherLetter(taken: Letter | undefined): Letter {
  return taken === 'a' ? 'b' : 'a'
}

/** Opens the file for what comes after `extent`; nothing of it counts where that is left out. `stride`: numbers of a frame. */
export function openFrames(checkpoint: string, letter: Letter, stride: number, extent?: Extent): FramesFile {
  const file = nameOf(checkpoint, letter)
  let { bytes, crc } = extent ?? { bytes: 0, crc: 0 }
  const attempt = <T>(action: () => T): T => {
    try {
      return action()
    } catch (error) {
      throw writeFailure(file, error)
    }
  }
  const fd = attempt(() => openSync(file, extent ? 'r+' : 'w+'))
  attempt(() => ftruncateSync(fd, bytes))
  return {
    append(rows) {
      const added = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength)
      attempt(() => {
        for (let done = 0; done < added.length; ) done += writeSync(fd, added, done, added.length - done, bytes + done)
      })
      bytes += added.length
      crc = crc32(added, crc)
    },
    sync() {
      attempt(() => fsyncSync(fd))
      return { letter, bytes, crc }
    },
    read: (first, count) => readRows(fd, first * stride, count * stride),
    truncate(frames) {
      // only what was never counted is dropped: the checksum is of what was
      attempt(() => ftruncateSync(fd, 8 * frames * stride))
    },
    close: () => closeSync(fd),
  }
}

/** The frames that count, piece by piece; refuses, at their end, where they are not what the checkpoint was written with. */
export function* readFrames(checkpoint: string, { letter, bytes, crc }: Extent): Generator<Float64Array> {
  const file = nameOf(checkpoint, letter)
  let done = 0
  let found = 0
  let fd: number | undefined
  try {
    fd = openSync(file, 'r')
    while (done < bytes) {
      const view = new Uint8Array(Math.min(piece, bytes - done))
      let got = 1
      let at = 0
      for (; at < view.length && got > 0; at += got) got = readSync(fd, view, at, view.length - at, done + at)
      if (at < view.length) break
      found = crc32(view, found)
      done += at
      yield new Float64Array(view.buffer)
    }
  } catch (error) {
    refuse(file, `the frames of the recording so far cannot be read: ${(error as Error).message}; they belong beside the checkpoint`)
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
  if (done < bytes || found !== crc) {
    refuse(file, `the frames of the recording so far are ${done < bytes ? 'cut short' : 'damaged'}; begin anew without --resume`)
  }
}

/** Removes the files of frames but the one with this letter. */
export function removeFrames(checkpoint: string, but?: Letter): void {
  for (const letter of ['a', 'b'] as const) if (letter !== but) rmSync(nameOf(checkpoint, letter), { force: true })
}
