/**
 * Records a simulation at a steady rate for `--out`, to the disk.
 */
import { dirname, resolve } from 'node:path'
import { createSampler, type RecordingExtra, type Simulation, type Spec } from 'limber'
import { openRecordingFile, type Spool } from 'limber/node'
import { count, short } from './output.js'
import { removeLeftovers, writeFailure } from './write-beside.js'

export interface RecordingPlan {
  readonly out: string
  readonly fps: number
  /** besides the motion */
  readonly include?: readonly RecordingExtra[]
  /** time of the first frame */
  readonly start: number
  /** frames that were taken before, which the spool holds */
  readonly frames: number
  readonly spec: Spec
  readonly spool?: Spool
}

export interface SimulationRecorder {
  /** takes the frames whose time has come */
  sample(): void
  /** hands all frames to the spool */
  flush(): void
  /** Writes the file, with `whole` all of it or nothing; tells what it holds, and whether it was cut for want of space. */
  finish(whole: boolean): Promise<{ readonly text: string; readonly cut: boolean }>
  /** leaves what was there before, unless it is finished */
  discard(): void
}

/** Records from the state at hand on. Errors name the file. */
export async function recordSimulation(simulation: Simulation, plan: RecordingPlan): Promise<SimulationRecorder> {
  const { out, fps, start, frames, spec, spool, include = [] } = plan
  const sampler = createSampler(simulation, { fps, start, frames, include })
  removeLeftovers(resolve(dirname(out)))
  const attempt = async <T>(action: () => Promise<T>): Promise<T> => {
    try {
      return await action()
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === undefined ? error : writeFailure(out, error)
    }
  }
  // the frames beside a checkpoint are closed with it
  const kept = spool && { ...spool, close: () => undefined }
  const file = await attempt(() => openRecordingFile(out, sampler.model, { spec, frames, ...(kept ? { spool: kept } : {}) }))
  const add = (row: Float64Array): void => file.add(row)
  /** Without a checkpoint a full disk is no failure yet: what fitted is written. */
  const named = (action: () => void): void => {
    try {
      action()
    } catch (error) {
      throw spool && (error as NodeJS.ErrnoException).code !== undefined ? writeFailure(out, error) : error
    }
  }
  return {
    sample: () => named(() => sampler.sample(add)),
    flush: () => named(file.flush),
    async finish(whole) {
      const taken = file.frames
      const held = await attempt(() => file.finish({ whole }))
      const text = `${out} holds ${count(held, 'frame')}, up to t = ${short(start + (held - 1) / fps)} s`
      return { text, cut: held < taken }
    },
    discard: file.discard,
  }
}
