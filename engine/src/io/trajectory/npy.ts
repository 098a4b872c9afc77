/**
 * Trajectories as a NumPy array, format version 1.0: float64, little endian, C order, shape (frames, 1 + nq + nv), or more.
 *
 * Columns: time, then q, then v, in the order of the model, then sensors, controls and contact forces where they are recorded. In Python: `a = numpy.load('run.npy'); t, q = a[:, 0], a[:, 1:1+nq]`.
 * The header is `\x93NUMPY`, 1, 0, its length as uint16, a Python dictionary, spaces and a line feed up to a multiple of 64 bytes.
 */
import { guarded } from '../guarded.js'
import {
  badTrajectory,
  checkRecording,
  extraWidth,
  type RecordedModel,
  type Recording,
  type RecordingExtra,
  recordedSize,
  recordingExtras,
} from './recording.js'

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]
const ALIGNMENT = 64

export function writeNpy(recording: Recording): Uint8Array {
  checkRecording(recording)
  const header = npyHeader(recording.model, recording.times.length)
  const rows = npyRows(recording)
  const bytes = new Uint8Array(header.length + rows.length)
  bytes.set(header)
  bytes.set(rows, header.length)
  return bytes
}

export function npyHeader(model: RecordedModel, frames: number): Uint8Array {
  const dictionary = `{'descr': '<f8', 'fortran_order': False, 'shape': (${frames}, ${columnCount(model)}), }`
  const start = Math.ceil((10 + dictionary.length + 1) / ALIGNMENT) * ALIGNMENT
  const bytes = new Uint8Array(start)
  const view = new DataView(bytes.buffer)
  bytes.set(MAGIC)
  bytes[6] = 1
  view.setUint16(8, start - 10, true)
  bytes.set(new TextEncoder().encode(`${dictionary.padEnd(start - 11)}\n`), 10)
  return bytes
}

/** Columns of the array. */
function columnCount(model: RecordedModel): number {
  const { nq, nv } = recordedSize(model)
  return recordingExtras.reduce((sum, key) => sum + extraWidth(model, key), 1 + nq + nv)
}

export function npyRows(recording: Recording): Uint8Array {
  const { model, times, q, v } = recording
  const { nq, nv } = recordedSize(model)
  const bytes = new Uint8Array(8 * times.length * columnCount(model))
  const view = new DataView(bytes.buffer)
  let o = 0
  const put = (x: number) => {
    view.setFloat64(o, x, true)
    o += 8
  }
  for (let f = 0; f < times.length; f++) {
    put(times[f])
    for (let k = 0; k < nq; k++) put(q[f * nq + k])
    for (let k = 0; k < nv; k++) put(v[f * nv + k])
    for (const key of recordingExtras) {
      const width = extraWidth(model, key)
      for (let k = 0; k < width; k++) put(recording[key]?.[f * width + k] ?? Number.NaN)
    }
  }
  return bytes
}

/** Reads float arrays of shape (frames, 1 + nq + nv), and more where the model has `extras`; it says where q ends. Throws `ModelError` on anything else. */
export function readNpy(bytes: Uint8Array, model: RecordedModel): Recording {
  return guarded(undefined, () => readArray(bytes, model))
}

function readArray(bytes: Uint8Array, model: RecordedModel): Recording {
  const { nq, nv } = recordedSize(model)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 12 || MAGIC.some((byte, i) => bytes[i] !== byte)) throw badTrajectory('expected a NumPy array, got other bytes')
  const long = bytes[6] >= 2
  const headerStart = long ? 12 : 10
  const start = headerStart + (long ? view.getUint32(8, true) : view.getUint16(8, true))
  const header = new TextDecoder().decode(bytes.subarray(headerStart, start))
  const descr = /'descr'\s*:\s*'([^']*)'/.exec(header)?.[1] ?? 'none'
  const shape = /'shape'\s*:\s*\(([^)]*)\)/.exec(header)?.[1].match(/\d+/g)?.map(Number) ?? []
  const fortran = /'fortran_order'\s*:\s*True/.test(header)

  const match = /^([<>=])f([48])$/.exec(descr)
  if (!match) throw badTrajectory(`expected numbers of type <f8 or <f4, got ${descr}`, 'descr')
  const [frames, columns] = shape
  const wanted = columnCount(model)
  if (shape.length !== 2 || columns !== wanted) {
    const more = wanted - 1 - nq - nv
    throw badTrajectory(
      `expected shape (frames, 1 + ${nq} + ${nv}${more > 0 ? ` + ${more}` : ''}) for this model, got (${shape.join(', ')})`,
      'shape',
    )
  }
  const little = match[1] !== '>'
  const size = Number(match[2])
  if (bytes.length < start + size * frames * columns) {
    throw badTrajectory(`expected ${size * frames * columns} bytes of numbers, got ${bytes.length - start}; the file is cut short`)
  }

  const at = (f: number, c: number) => {
    const o = start + size * (fortran ? c * frames + f : f * columns + c)
    return size === 8 ? view.getFloat64(o, little) : view.getFloat32(o, little)
  }
  const times = new Float64Array(frames)
  const q = new Float64Array(frames * nq)
  const v = new Float64Array(frames * nv)
  for (let f = 0; f < frames; f++) {
    times[f] = at(f, 0)
    for (let k = 0; k < nq; k++) q[f * nq + k] = at(f, 1 + k)
    for (let k = 0; k < nv; k++) v[f * nv + k] = at(f, 1 + nq + k)
  }
  const extras: { -readonly [K in RecordingExtra]?: Float64Array } = {}
  let first = 1 + nq + nv
  for (const key of recordingExtras) {
    if (!model.extras?.[key]) continue
    const width = extraWidth(model, key)
    extras[key] = Float64Array.from({ length: frames * width }, (_, k) => at(Math.floor(k / width), first + (k % width)))
    first += width
  }
  return { model, times, q, v, ...extras }
}
