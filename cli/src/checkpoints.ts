/**
 * The checkpoints of one run: one file, replaced as the run goes on, with the frames of the recording so far beside it.
 */
import { dirname, relative, resolve } from 'node:path'
import type { RecordingExtra } from 'limber'
import { type Checkpoint, replacedCheckpoint, writeCheckpoint } from './checkpoint.js'
import { type FramesFile, openFrames, otherLetter, readFrames, removeFrames } from './frames-file.js'
import { type Output, short } from './output.js'

export interface CheckpointPlan {
  readonly file: string
  /** simulated seconds from one to the next */
  readonly every: number
  /** `stride`: numbers of a frame */
  readonly recording?: { readonly out: string; readonly fps: number; readonly include?: readonly RecordingExtra[]; readonly stride: number }
  /** the run that goes on, and the file that tells of it */
  readonly resume?: { readonly file: string; readonly from: Checkpoint }
}

export interface Checkpoints {
  /** the newest on the disk, undefined before the first */
  readonly newest: string | undefined
  /** The frames so far, for more of them; undefined where nothing is recorded. */
  open(): FramesFile | undefined
  /** Writes the first one, unless there is one to go on from. */
  begin(): void
  /** Writes one if its time has come: this many seconds of the run are done. */
  pass(done: number): void
  /** Writes one in any case: the run is left here. */
  leave(): void
  /** Writes the last one: all steps are made, or (`finished`) all is done. */
  end(finished: boolean): void
  close(): void
}

/** What the run itself knows. */
export type Standing = Omit<Checkpoint, 'every' | 'finished' | 'recording'>

/** `stand` tells where the run stands, with all frames handed over; at its end it is asked for all there is to tell. */
export function createCheckpoints(
  { file, every, recording, resume }: CheckpointPlan,
  stand: (ended: boolean) => Standing,
  output: Output,
): Checkpoints {
  // the frames that are there already belong to this file, or they are written anew
  const goesOn = resume !== undefined && resolve(resume.file) === resolve(file) ? resume.from : undefined
  const replaced = goesOn ? undefined : replacedCheckpoint(file)
  const letter = goesOn?.recording?.letter ?? otherLetter(replaced?.recording?.letter)
  const step = (done: number) => (Math.floor(done / every + 1e-9) + 1) * every
  let due = resume ? step(resume.from.time - resume.from.setup.start) : every
  let newest = resume?.file
  let frames: FramesFile | undefined

  const write = (ended: boolean, finished: boolean) => {
    const standing = stand(ended)
    // frames first: a checkpoint never counts what is not there
    const extent = frames?.sync()
    const { fps = 0, out: to = '', include = [] } = recording ?? {}
    const kept = include.length > 0 ? { include } : {}
    const out = recording && { fps, out: relative(resolve(dirname(file)), resolve(to)), ...kept }
    writeCheckpoint(file, { ...standing, every, finished, ...(extent && out ? { recording: { ...extent, ...out } } : {}) })
    newest = file
  }
  /** Runs `action`; where it fails, no checkpoint tells of these frames. */
  const orRemove = <T>(action: () => T): T => {
    try {
      return action()
    } catch (error) {
      if (!goesOn) removeFrames(file, otherLetter(letter))
      throw error
    }
  }
  return {
    get newest() {
      return newest
    },
    open() {
      if (!recording) return undefined
      const before = resume?.from.recording && readFrames(resume.file, resume.from.recording)
      if (goesOn) {
        // looked through before anything is written
        for (const rows of before ?? []) void rows
        frames = openFrames(file, letter, recording.stride, goesOn.recording)
      } else {
        orRemove(() => {
          frames = openFrames(file, letter, recording.stride)
          for (const rows of before ?? []) frames.append(rows)
        })
      }
      return frames
    },
    begin() {
      if (!goesOn) orRemove(() => write(false, false))
      removeFrames(file, recording && letter)
      if (replaced && !replaced.finished) {
        output.note(`limber: ${file}: replaced; it was of a run that had come to t = ${short(replaced.time)} s, which --resume continues`)
      }
    },
    pass(done) {
      if (done < due) return
      write(false, false)
      due = step(done)
    },
    leave: () => write(false, false),
    end(finished) {
      write(true, finished)
      if (finished) removeFrames(file)
    },
    close: () => frames?.close(),
  }
}
