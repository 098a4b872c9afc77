/**
 * Frames → a file of one of five formats, with little memory whatever their number: the bytes are those of `writeCsv`, `writeTrajectoryJson`,
 * `writeNpy`, `writeMcap` and `writeGlb`.
 */
import type { Spec } from '../../build/spec.js'
import { writeGlbFrames } from '../gltf/write-glb.js'
import { csvHeader, csvRows } from './csv.js'
import { type ByteSink, type FrameSource, recordingBlocks, rowLayout } from './frames.js'
import { writeMcapBlocks } from './mcap.js'
import { npyHeader, npyRows } from './npy.js'
import { badTrajectory, type RecordedModel, recordedSize } from './recording.js'
import { trajectoryJsonParts } from './trajectory-json.js'

export type RecordingFormat = 'csv' | 'json' | 'npy' | 'mcap' | 'glb'
export const recordingFormats: readonly RecordingFormat[] = ['csv', 'json', 'npy', 'mcap', 'glb']

const encoder = new TextEncoder()

/** Writes the file; returns its length. `spec` has the shapes, which only glb needs. */
export async function writeFrames(format: RecordingFormat, source: FrameSource, sink: ByteSink, spec?: Spec): Promise<number> {
  if (format === 'mcap') return writeMcapBlocks(source.model, true, recordingBlocks(source), sink)
  if (format === 'glb') return writeGlbFrames(spec ?? missingSpec(), source, sink)
  let length = 0
  // used again for each part: sinks keep no array
  let room = new Uint8Array(1 << 16)
  const encode = (text: string): Uint8Array => {
    if (3 * text.length > room.length) room = new Uint8Array(3 * text.length)
    return room.subarray(0, encoder.encodeInto(text, room).written)
  }
  for (const part of format === 'csv' ? csvParts(source) : format === 'json' ? trajectoryJsonParts(source) : npyParts(source)) {
    const bytes = typeof part === 'string' ? encode(part) : part
    sink.write(bytes, length)
    length += bytes.length
  }
  return length
}

/** How many bytes of a file a row makes, or a few more. */
export function bytesOfRow(format: RecordingFormat, model: RecordedModel): (row: Float64Array) => number {
  const { nq, nv, nbody } = recordedSize(model)
  const { iPose, iEnergy, extras, stride } = rowLayout(model)
  if (format === 'npy') return () => 8 * (1 + nq + nv + stride - iEnergy - 2)
  if (format === 'glb') return () => 4 * (1 + nq + 7 * nbody)
  const text = (row: Float64Array, from: number, to: number): number => {
    let length = 0
    // null, a sign of zero, and what stands between
    for (let k = from; k < to; k++) length += Math.max(4, String(row[k]).length) + 2
    return length
  }
  if (format === 'csv') return (row) => text(row, 0, iPose) + text(row, iEnergy, stride)
  if (format === 'json') return (row) => text(row, 0, stride) + 40 + 10 * extras.length
  // keys, time stamps, names and indices of the messages
  let fixed = 400 + 20 * extras.length
  for (const name of model.bodies) fixed += 250 + encoder.encode(JSON.stringify([name, model.bodies[0]])).length
  return (row) => text(row, 0, stride) + fixed
}

function* csvParts(source: FrameSource): Generator<string> {
  yield csvHeader(source.model, true)
  for (const block of recordingBlocks(source)) yield csvRows(block)
}

function* npyParts(source: FrameSource): Generator<Uint8Array> {
  yield npyHeader(source.model, source.frames)
  for (const block of recordingBlocks(source)) yield npyRows(block)
}

function missingSpec(): never {
  throw badTrajectory('a recording as .glb draws the shapes of the model: give the spec that it was built from, { spec }', 'spec')
}
