/**
 * Recorder: collects frames while a simulation runs, in buffers that grow by doubling.
 *
 * Memory is bounded by `maxFrames`: when the buffers are full every second frame is dropped and from then on only every second
 * (fourth, …) one is taken, so that the whole time stays covered evenly.
 */
import { mat3From } from '../../math/values/arrays.js'
import { matrixQuat } from '../../math/values/rotation.js'
import { type RecordedModel, type Recording, recordedSize } from './recording.js'

export interface RecorderOptions {
  /** keep the poses of all bodies. Default true */
  readonly poses?: boolean
  /** keep kinetic and potential energy. Default true */
  readonly energy?: boolean
  /** least time between frames, s. Default 0: every call */
  readonly interval?: number
  /** Default: no bound */
  readonly maxFrames?: number
}

/** One frame: the state, and what is to be kept beside it. */
export interface Frame {
  readonly t: number
  readonly q: ArrayLike<number>
  readonly v: ArrayLike<number>
  /** 12 numbers a body: R row by row, then p */
  readonly X_WB?: ArrayLike<number>
  readonly energy?: { readonly kinetic: number; readonly potential: number }
}

export interface Recorder {
  /** takes the frame, or skips it when it comes too early. True when taken */
  record(frame: Frame): boolean
  readonly frames: number
  /** a copy of what was recorded so far */
  recording(): Recording
  /** a copy of the frames from this one on, for `append`: t, q, v, poses, energy of one after those of the other */
  rows(first: number): Float64Array
  /** takes the frames that a recorder of the same model and options gave with `rows`. Not with `maxFrames` */
  append(rows: Float64Array): void
  clear(): void
}

/** shares of an interval by which a frame may come early: accumulated times are rarely exact */
const EARLY = 1e-6

export function createRecorder(model: RecordedModel, options: RecorderOptions = {}): Recorder {
  const { nq, nv, nbody } = recordedSize(model)
  const { poses = true, energy = true, interval = 0, maxFrames = Number.POSITIVE_INFINITY } = options
  const limit = Math.max(2, Math.floor(maxFrames))
  // t, q, v, poses, energy side by side
  const iPose = 1 + nq + nv
  const iEnergy = iPose + (poses ? 7 * nbody : 0)
  const stride = iEnergy + (energy ? 2 : 0)
  let buffer = new Float64Array(64 * stride)
  let frames = 0
  let calls = 0
  let skip = 1
  let next = Number.NEGATIVE_INFINITY

  function reserve(): void {
    if (frames >= limit) {
      // keep frames 0, 2, 4, …
      const kept = Math.ceil(frames / 2)
      for (let k = 1; k < kept; k++) buffer.copyWithin(k * stride, 2 * k * stride, (2 * k + 1) * stride)
      frames = kept
      skip *= 2
    }
    makeRoom(frames + 1)
  }

  function makeRoom(count: number): void {
    if (count * stride <= buffer.length) return
    const larger = new Float64Array(Math.max(2 * buffer.length, count * stride))
    larger.set(buffer)
    buffer = larger
  }

  function append(rows: Float64Array): void {
    if (limit < Number.POSITIVE_INFINITY) throw new RangeError('append: a recorder with maxFrames drops frames; make one without')
    const count = rows.length / stride
    if (!Number.isInteger(count)) throw new RangeError(`append: expected frames of ${stride} numbers, got ${rows.length} numbers`)
    makeRoom(frames + count)
    buffer.set(rows, frames * stride)
    frames += count
    calls += count
    if (interval > 0 && count > 0) next = buffer[(frames - 1) * stride] + interval * (1 - EARLY)
  }

  function record(frame: Frame): boolean {
    if (frame.t < next) return false
    const take = calls++ % skip === 0
    if (interval > 0) next = frame.t + interval * (1 - EARLY)
    if (!take) return false
    reserve()
    if ((calls - 1) % skip !== 0) return false

    const o = frames * stride
    buffer[o] = frame.t
    for (let k = 0; k < nq; k++) buffer[o + 1 + k] = frame.q[k]
    for (let k = 0; k < nv; k++) buffer[o + 1 + nq + k] = frame.v[k]
    if (poses) writePoses(o + iPose, frame.X_WB)
    if (energy) {
      buffer[o + iEnergy] = frame.energy?.kinetic ?? Number.NaN
      buffer[o + iEnergy + 1] = frame.energy?.potential ?? Number.NaN
    }
    frames++
    return true
  }

  function writePoses(o: number, X_WB: ArrayLike<number> | undefined): void {
    if (!X_WB || X_WB.length < 12 * nbody)
      throw new Error(`record: expected X_WB with ${12 * nbody} numbers, got ${X_WB?.length ?? 'none'}`)
    for (let i = 0; i < nbody; i++) {
      const x = 12 * (model.rows?.[i] ?? i)
      for (let k = 0; k < 3; k++) buffer[o + 7 * i + k] = X_WB[x + 9 + k]
      buffer.set(matrixQuat(mat3From(X_WB, x)), o + 7 * i + 3)
    }
  }

  function slice(start: number, count: number): Float64Array {
    const out = new Float64Array(frames * count)
    for (let k = 0; k < frames; k++) out.set(buffer.subarray(k * stride + start, k * stride + start + count), k * count)
    return out
  }

  return {
    record,
    get frames() {
      return frames
    },
    recording: () => ({
      model: { name: model.name, joints: model.joints.map(copyJoint), bodies: [...model.bodies] },
      times: slice(0, 1),
      q: slice(1, nq),
      v: slice(1 + nq, nv),
      ...(poses ? { poses: slice(iPose, 7 * nbody) } : {}),
      ...(energy ? { energy: slice(iEnergy, 2) } : {}),
    }),
    rows: (first) => buffer.slice(first * stride, frames * stride),
    append,
    clear() {
      frames = 0
      calls = 0
      skip = 1
      next = Number.NEGATIVE_INFINITY
    },
  }
}

/** Only what a recording needs: a model's joints may hold more. */
function copyJoint({ name, type, iq, nq, iv, nv }: RecordedModel['joints'][number]): RecordedModel['joints'][number] {
  return { name, type, iq, nq, iv, nv }
}
