/**
 * Trajectories as JSON: `{ format, version, model, times, q, v, poses?, energy? }`, a line a frame. Numbers that are not finite are null.
 */
import * as z from 'zod'
import { ModelError } from '../../model/model-error.js'
import { guarded } from '../guarded.js'
import { type FrameSource, recordingBlocks } from './frames.js'
import { badTrajectory, checkRecording, type Recording, recordedSize } from './recording.js'

const FORMAT = 'limber-trajectory'

const count = z.int().nonnegative()
const row = z.array(z.number().nullable())
const schema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  model: z.object({
    name: z.string(),
    joints: z.array(z.object({ name: z.string(), type: z.string(), iq: count, nq: count, iv: count, nv: count })),
    bodies: z.array(z.string()),
  }),
  times: row,
  q: z.array(row),
  v: z.array(row),
  poses: z.exactOptional(z.array(row)),
  energy: z.exactOptional(z.array(row)),
})

export function writeTrajectoryJson(recording: Recording): string {
  checkRecording(recording)
  const { model, times, q, v, poses, energy } = recording
  const { nq, nv, nbody } = recordedSize(model)
  const frames = times.length
  const parts = [
    `"format": "${FORMAT}"`,
    '"version": 1',
    `"model": ${JSON.stringify(model)}`,
    `"times": [${Array.from(times, number).join(', ')}]`,
    `"q": ${rows(q, frames, nq)}`,
    `"v": ${rows(v, frames, nv)}`,
  ]
  if (poses) parts.push(`"poses": ${rows(poses, frames, 7 * nbody)}`)
  if (energy) parts.push(`"energy": ${rows(energy, frames, 2)}`)
  return `{\n${parts.join(',\n')}\n}\n`
}

/** Throws `ModelError` when the text is not what `writeTrajectoryJson` writes. */
export function readTrajectoryJson(text: string): Recording {
  return guarded(undefined, () => readRecording(text))
}

function readRecording(text: string): Recording {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw badTrajectory(`expected JSON, got ${(error as Error).message}`)
  }
  const result = schema.safeParse(value)
  if (!result.success) {
    throw new ModelError(result.error.issues.slice(0, 50).map(({ path, message }) => ({ path: path.join('/'), message })))
  }
  const { model, times, q, v, poses, energy } = result.data
  const { nq, nv, nbody } = recordedSize(model)
  const recording: Recording = {
    model,
    times: Float64Array.from(times, (x) => x ?? Number.NaN),
    q: flatten(q, nq, 'q'),
    v: flatten(v, nv, 'v'),
    ...(poses ? { poses: flatten(poses, 7 * nbody, 'poses') } : {}),
    ...(energy ? { energy: flatten(energy, 2, 'energy') } : {}),
  }
  checkRecording(recording)
  return recording
}

/** The same text, piece by piece, of frames that may be too many for memory: read once for each part of the file. */
export function* trajectoryJsonParts(source: FrameSource): Generator<string> {
  const { model } = source
  const { nq, nv, nbody } = recordedSize(model)
  yield `{\n"format": "${FORMAT}",\n"version": 1,\n"model": ${JSON.stringify(model)},\n"times": [`
  let first = true
  for (const { times } of recordingBlocks(source)) {
    yield `${first ? '' : ', '}${Array.from(times, number).join(', ')}`
    first = false
  }
  yield ']'
  for (const [name, columns] of [
    ['q', nq],
    ['v', nv],
    ['poses', 7 * nbody],
    ['energy', 2],
  ] as const) {
    yield `,\n"${name}": [`
    first = true
    for (const block of recordingBlocks(source)) {
      yield `${first ? '' : ','}\n${lines(block[name] ?? new Float64Array(), block.times.length, columns)}`
      first = false
    }
    yield first ? ']' : '\n]'
  }
  yield '\n}\n'
}

function rows(values: Float64Array, frames: number, columns: number): string {
  return frames === 0 ? '[]' : `[\n${lines(values, frames, columns)}\n]`
}

function lines(values: Float64Array, frames: number, columns: number): string {
  const list: string[] = []
  for (let f = 0; f < frames; f++) list.push(`  [${Array.from(values.subarray(f * columns, (f + 1) * columns), number).join(', ')}]`)
  return list.join(',\n')
}

function number(x: number): string {
  return Number.isFinite(x) ? (Object.is(x, -0) ? '-0' : String(x)) : 'null'
}

function flatten(list: readonly (readonly (number | null)[])[], columns: number, path: string): Float64Array {
  // before memory is taken for what the header states
  for (const [f, values] of list.entries()) {
    if (values.length !== columns) throw badTrajectory(`expected ${columns} numbers, got ${values.length}`, `${path}/${f}`)
  }
  const out = new Float64Array(list.length * columns)
  for (const [f, values] of list.entries()) {
    for (const [k, x] of values.entries()) out[f * columns + k] = x ?? Number.NaN
  }
  return out
}
