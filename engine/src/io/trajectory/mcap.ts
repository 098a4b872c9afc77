/**
 * Trajectories as MCAP, for Foxglove: `/tf` with the poses of all bodies (`foxglove.FrameTransforms`) and `/state` with q, v and energies
 * (`limber.State`), both JSON. Chunked, indexed, not compressed; time stamps are the simulation's, so that equal runs give equal bytes.
 *
 * Field names of FrameTransforms: Foxglove's documentation of its message schemas.
 */
import { McapIndexedReader, McapWriter } from '@mcap/core'
import { ModelError } from '../../model/model-error.js'
import { type ByteSink, createByteSink } from './frames.js'
import { STATE_SCHEMA, TRANSFORMS_SCHEMA } from './mcap-schemas.js'
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

const NANOSECONDS = 1e9
const METADATA = 'limber'
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Bytes of an MCAP file. Times before zero cannot be stamped and are a `ModelError`. */
export async function writeMcap(recording: Recording): Promise<Uint8Array> {
  checkRecording(recording)
  const sink = createByteSink()
  return sink.bytes(await writeMcapBlocks(recording.model, recording.poses !== undefined, [recording], sink))
}

/** The same, of a recording that comes in parts; returns the length of the file. */
export async function writeMcapBlocks(
  model: RecordedModel,
  withPoses: boolean,
  blocks: Iterable<Recording>,
  sink: ByteSink,
): Promise<number> {
  let length = 0
  const writable = {
    async write(data: Uint8Array): Promise<void> {
      sink.write(data, length)
      length += data.length
    },
    position: () => BigInt(length),
  }
  const writer = new McapWriter({ writable, useChunks: true, useStatistics: true, useSummaryOffsets: true })
  await writer.start({ profile: '', library: 'limber' })
  await writer.addMetadata({ name: METADATA, metadata: new Map([['model', JSON.stringify(model)]]) })
  const state = await channel(writer, '/state', 'limber.State', STATE_SCHEMA)
  const transforms = withPoses ? await channel(writer, '/tf', 'foxglove.FrameTransforms', TRANSFORMS_SCHEMA) : -1

  let sequence = 0
  for (const recording of blocks) {
    const { times, poses } = recording
    const bad = times.findIndex((t) => !(t >= 0 && t < 1e9))
    if (bad >= 0) throw badTrajectory(`expected a time from 0 to 1e9 s, got ${times[bad]}`, `times/${sequence + bad}`)
    for (let f = 0; f < times.length; f++) {
      const time = BigInt(Math.round(times[f] * NANOSECONDS))
      const stamp = { sequence: sequence++, logTime: time, publishTime: time }
      await writer.addMessage({ channelId: state, ...stamp, data: encode(stateMessage(recording, f)) })
      if (poses) await writer.addMessage({ channelId: transforms, ...stamp, data: encode(transformsMessage(model, poses, f, time)) })
    }
  }
  await writer.end()
  return length
}

/** Reads `/state`, and the poses from `/tf`, of a file written by `writeMcap`. Throws `ModelError` on anything else. */
export async function readMcap(bytes: Uint8Array): Promise<Recording> {
  try {
    return await readIndexed(bytes)
  } catch (error) {
    if (error instanceof ModelError) throw error
    throw badTrajectory(`expected an MCAP file with an index, got: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function readIndexed(bytes: Uint8Array): Promise<Recording> {
  const reader = await McapIndexedReader.Initialize({ readable: createSource(bytes) })
  let model: RecordedModel | undefined
  for await (const { metadata } of reader.readMetadata({ name: METADATA })) model = parse(metadata.get('model')) as RecordedModel
  if (!model || !Array.isArray(model.joints) || !Array.isArray(model.bodies)) {
    throw badTrajectory("expected a metadata record 'limber' with the model, got none; was the file written by Limber?")
  }
  const { nq, nv, nbody } = recordedSize(model)
  const times: number[] = []
  const q: number[] = []
  const v: number[] = []
  const energy: number[] = []
  const poses: number[] = []
  const extras = recordingExtras.flatMap((key) =>
    model?.extras?.[key] ? [{ key, width: extraWidth(model, key), values: [] as number[] }] : [],
  )
  const bodyNumbers = new Map(model.bodies.map((name, i) => [name, i]))
  const states = new Set<number>()
  for (const { id, topic } of reader.channelsById.values()) if (topic === '/state') states.add(id)

  for await (const message of reader.readMessages({ topics: ['/state', '/tf'] })) {
    const value = parse(decoder.decode(message.data)) as StateMessage & TransformsMessage
    if (states.has(message.channelId)) {
      const path = `/state message ${times.length}`
      times.push(finite(value.t, path))
      for (const x of numbers(value.q, nq, path)) q.push(x)
      for (const x of numbers(value.v, nv, path)) v.push(x)
      for (const { key, width, values } of extras) for (const x of numbers(value[key], width, path)) values.push(x)
      if (value.kinetic !== undefined) energy.push(value.kinetic ?? Number.NaN, value.potential ?? Number.NaN)
    } else {
      for (const x of readPoses(value, bodyNumbers, nbody)) poses.push(x)
    }
  }
  const frames = times.length
  return {
    model,
    times: Float64Array.from(times),
    q: Float64Array.from(q),
    v: Float64Array.from(v),
    ...(frames > 0 && poses.length === 7 * nbody * frames ? { poses: Float64Array.from(poses) } : {}),
    ...(frames > 0 && energy.length === 2 * frames ? { energy: Float64Array.from(energy) } : {}),
    ...Object.fromEntries(extras.map(({ key, values }) => [key, Float64Array.from(values)])),
  }
}

interface StateMessage extends Partial<Record<RecordingExtra, readonly number[]>> {
  readonly t: number
  readonly q: readonly number[]
  readonly v: readonly number[]
  readonly kinetic?: number | null
  readonly potential?: number | null
}

interface TransformsMessage {
  readonly transforms: readonly {
    readonly child_frame_id: string
    readonly translation: { readonly x: number; readonly y: number; readonly z: number }
    readonly rotation: { readonly x: number; readonly y: number; readonly z: number; readonly w: number }
  }[]
}

function stateMessage(recording: Recording, f: number): StateMessage {
  const { nq, nv } = recordedSize(recording.model)
  const { times, q, v, energy } = recording
  return {
    t: times[f],
    q: Array.from(q.subarray(f * nq, (f + 1) * nq)),
    v: Array.from(v.subarray(f * nv, (f + 1) * nv)),
    ...(energy ? { kinetic: energy[2 * f], potential: energy[2 * f + 1] } : {}),
    ...Object.fromEntries(recordingExtras.flatMap((key) => extraOf(recording, key, f))),
  }
}

/** What is recorded on request, as key and numbers of one frame. */
function extraOf(recording: Recording, key: RecordingExtra, f: number): [string, number[]][] {
  const width = extraWidth(recording.model, key)
  const values = recording[key]
  return values ? [[key, Array.from(values.subarray(f * width, (f + 1) * width))]] : []
}

function transformsMessage(model: RecordedModel, poses: Float64Array, f: number, time: bigint): object {
  const timestamp = { sec: Number(time / 1_000_000_000n), nsec: Number(time % 1_000_000_000n) }
  const nbody = model.bodies.length
  const transforms = []
  for (let i = 1; i < nbody; i++) {
    const [x, y, z, qw, qx, qy, qz] = poses.subarray(7 * (f * nbody + i), 7 * (f * nbody + i + 1))
    transforms.push({
      timestamp,
      parent_frame_id: model.bodies[0],
      child_frame_id: model.bodies[i],
      translation: { x, y, z },
      rotation: { x: qx, y: qy, z: qz, w: qw },
    })
  }
  return { transforms }
}

function readPoses(message: TransformsMessage, bodyNumbers: ReadonlyMap<string, number>, nbody: number): Float64Array {
  const poses = new Float64Array(7 * nbody)
  for (let i = 0; i < nbody; i++) poses[7 * i + 3] = 1
  for (const { child_frame_id, translation: p, rotation: r } of message.transforms) {
    const i = bodyNumbers.get(child_frame_id)
    if (i !== undefined) poses.set([p.x, p.y, p.z, r.w, r.x, r.y, r.z], 7 * i)
  }
  return poses
}

async function channel(writer: McapWriter, topic: string, name: string, schema: object): Promise<number> {
  const schemaId = await writer.registerSchema({ name, encoding: 'jsonschema', data: encode(schema) })
  return writer.registerChannel({ schemaId, topic, messageEncoding: 'json', metadata: new Map() })
}

function encode(value: object): Uint8Array {
  return encoder.encode(JSON.stringify(value))
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    throw badTrajectory(`expected JSON in the file's messages, got ${JSON.stringify((text ?? '').slice(0, 40))}`)
  }
}

function finite(value: unknown, path: string): number {
  if (typeof value !== 'number') throw badTrajectory(`expected a number t, got ${JSON.stringify(value)}`, path)
  return value
}

/** JSON has null where the number was not finite. */
function numbers(list: unknown, count: number, path: string): number[] {
  if (!Array.isArray(list) || list.length !== count) throw badTrajectory(`expected lists of ${count} numbers`, path)
  return list.map((x) => (typeof x === 'number' ? x : Number.NaN))
}

function createSource(bytes: Uint8Array) {
  return {
    size: async () => BigInt(bytes.length),
    read: async (offset: bigint, size: bigint) => bytes.subarray(Number(offset), Number(offset + size)),
  }
}
