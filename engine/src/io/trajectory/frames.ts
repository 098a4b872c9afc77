/**
 * Frames of a recording wherever they are kept, in memory or in a file: rows of t, q, v, poses, energy and what else is asked for, read block by block, so that a
 * recording of any length is written with little memory.
 */
import { extraWidth, type RecordedModel, type Recording, type RecordingExtra, recordedSize, recordingExtras } from './recording.js'

/** Rows as `Recorder.rows` gives them: with poses and energy. */
export interface FrameSource {
  readonly model: RecordedModel
  readonly frames: number
  /** a copy of, or a view on, this many rows from this one on */
  read(first: number, count: number): Float64Array
}

/** Where bytes of a file go: in any order, each place once. The array is not kept. */
export interface ByteSink {
  write(bytes: Uint8Array, at: number): void
}

/** numbers of a block */
const BLOCK = 1 << 17

/** Numbers of a row, and where its parts begin; `extras` begin and end where they are recorded. */
export function rowLayout(model: RecordedModel): {
  iQ: number
  iV: number
  iPose: number
  iEnergy: number
  extras: readonly { readonly key: RecordingExtra; readonly from: number; readonly to: number }[]
  stride: number
} {
  const { nq, nv, nbody } = recordedSize(model)
  const iPose = 1 + nq + nv
  const iEnergy = iPose + 7 * nbody
  let stride = iEnergy + 2
  const extras = recordingExtras.flatMap((key) => {
    if (!model.extras?.[key]) return []
    const from = stride
    stride += extraWidth(model, key)
    return [{ key, from, to: stride }]
  })
  return { iQ: 1, iV: 1 + nq, iPose, iEnergy, extras, stride }
}

/** The frames as rows, some at a time. */
export function* rowBlocks(
  source: FrameSource,
): Generator<{ readonly first: number; readonly count: number; readonly rows: Float64Array }> {
  const { stride } = rowLayout(source.model)
  const most = Math.max(1, Math.floor(BLOCK / stride))
  for (let first = 0; first < source.frames; first += most) {
    const count = Math.min(most, source.frames - first)
    yield { first, count, rows: source.read(first, count) }
  }
}

/** The frames as recordings, some at a time. */
export function* recordingBlocks(source: FrameSource): Generator<Recording> {
  const { model } = source
  const { nq, nv, nbody } = recordedSize(model)
  const { iQ, iV, iPose, iEnergy, extras, stride } = rowLayout(model)
  for (const { count, rows } of rowBlocks(source)) {
    const part = (start: number, width: number): Float64Array => {
      const out = new Float64Array(count * width)
      for (let f = 0; f < count; f++) out.set(rows.subarray(f * stride + start, f * stride + start + width), f * width)
      return out
    }
    const more = Object.fromEntries(extras.map(({ key, from, to }) => [key, part(from, to - from)]))
    yield { model, times: part(0, 1), q: part(iQ, nq), v: part(iV, nv), poses: part(iPose, 7 * nbody), energy: part(iEnergy, 2), ...more }
  }
}

/** Bytes in memory that grow by doubling. */
export function createByteSink(): ByteSink & { bytes(length: number): Uint8Array<ArrayBuffer> } {
  let buffer = new Uint8Array(1 << 16)
  return {
    write(bytes, at) {
      if (at + bytes.length > buffer.length) {
        const larger = new Uint8Array(Math.max(2 * buffer.length, at + bytes.length))
        larger.set(buffer)
        buffer = larger
      }
      buffer.set(bytes, at)
    },
    bytes: (length) => buffer.slice(0, length),
  }
}
