/**
 * Recording chosen environments of a batch: the frames of each are those of a simulation of its own, at k / fps seconds from the start, and every
 * writer accepts them.
 */
import type { Batch } from './batch/batch.js'
import type { Spec } from './build/spec.js'
import { specOf } from './build/spec-of.js'
import { createByteSink, type FrameSource } from './io/trajectory/frames.js'
import { type RecordingFormat, writeFrames } from './io/trajectory/write-frames.js'
import { createState, type State } from './model/state.js'
import { checkRecord, createSampler, framesOf, type Sampler } from './record.js'

export interface RecordBatchOptions {
  /** frames a second. Default 60 */
  readonly fps?: number
}

export interface BatchRecording {
  readonly environments: readonly number[]
  /** Frames so far of an environment, for `writeFrames`. */
  frames(e: number): FrameSource
  /** The bytes of a file; `spec`: shapes for .glb, default those that the model was built from. */
  bytes(e: number, format: RecordingFormat, spec?: Spec): Promise<Uint8Array<ArrayBuffer>>
  /** No further frames; the batch makes several steps at once again. */
  stop(): void
}

interface Track {
  readonly state: State
  readonly sampler: Sampler
  readonly rows: Float64Array[]
}

/**
 * Records these environments from now on. The clock of a recording goes on where an environment is reset, and while one has failed. Energies are
 * those of the model: parameters that vary do not count.
 */
export function recordBatch(batch: Batch, environments: readonly number[], options: RecordBatchOptions = {}): BatchRecording {
  const { model, timestep } = batch
  const tracks = new Map<number, Track>()
  const read = (e: number, { state }: Track): void => {
    batch.q(e).read(state.q)
    batch.v(e).read(state.v)
  }
  const sample = ({ sampler, rows }: Track): void => sampler.sample((row) => void rows.push(row))
  for (const e of environments) {
    const state = createState(model)
    state.t = batch.time(e)
    // batches record states; what else a recording may include belongs to simulations
    const nothing = { forces: [], step: () => undefined, sensors: () => new Float64Array(model.sensors.size), contacts: () => [] }
    const track = { state, sampler: createSampler({ ...nothing, model, state, timestep }, options), rows: [] }
    read(e, track)
    sample(track)
    tracks.set(e, track)
  }
  const times = new Map(environments.map((e) => [e, batch.time(e)]))
  const stop = batch.onStep(() => {
    for (const [e, track] of tracks) {
      const now = batch.time(e)
      read(e, track)
      // it was reset, or has failed: no line is drawn from where it was
      if (now < (times.get(e) ?? 0) + timestep / 2) track.sampler.mark()
      times.set(e, now)
      track.state.t += timestep
      sample(track)
    }
  })
  const trackOf = (e: number): Track => {
    const track = tracks.get(e)
    if (!track) throw new RangeError(`record: environment ${e} is not among those that are recorded: ${[...tracks.keys()].join(', ')}`)
    return track
  }
  const frames = (e: number): FrameSource => {
    const { sampler, rows } = trackOf(e)
    return framesOf(sampler.model, [...rows])
  }
  return {
    environments: [...tracks.keys()],
    frames,
    async bytes(e, format, spec) {
      checkRecord({ model }, format, { seconds: 1, ...(spec ? { spec } : {}) })
      const sink = createByteSink()
      return sink.bytes(await writeFrames(format, frames(e), sink, spec ?? specOf(model)))
    },
    stop,
  }
}
