/**
 * Reading and writing of files, loaded when the first file is dropped, edited or taken away.
 */
import {
  createRecorder,
  formatProblem,
  forwardKinematics,
  ModelError,
  type Problem,
  parseScene,
  type Recording,
  readCsv,
  readMcap,
  readNpy,
  readTrajectoryJson,
  recordedModel,
  writeCsv,
  writeGlb,
  writeMcap,
  writeScene,
  writeTrajectoryJson,
} from 'limber'
import type { Moment } from './history.js'
import { header, posesAt, type SourceFile, statistic, statisticsAt, type TableFormat, type TextProblem } from './protocol.js'
import { createSetup, type Setup, type Source } from './setup.js'

export { parseScene, sceneJsonSchema } from 'limber'
export { readModel } from './read-model.js'

/** A trajectory among the files, read for the model that is shown; undefined when there is none. */
export async function readTrajectory(files: readonly SourceFile[], setup: Setup | undefined): Promise<Source | undefined> {
  const file = files.find(isTrajectory)
  if (!file) return undefined
  if (!setup) throw refusal(file.name, 'open the model first, then drop its trajectory')
  const { model } = setup
  const recorded = recordedModel(model)
  const text = () => new TextDecoder().decode(file.bytes)
  let recording: Recording
  if (/\.csv$/i.test(file.name)) recording = readCsv(text(), recorded)
  else if (/\.mcap$/i.test(file.name)) recording = await readMcap(file.bytes)
  else if (/\.npy$/i.test(file.name)) recording = readNpy(file.bytes, recorded)
  else recording = readTrajectoryJson(file.bytes)
  const frames = recording.times.length
  if (frames === 0) throw refusal(file.name, 'holds no frame')
  if (recording.q.length !== frames * model.nq || recording.v.length !== frames * model.nv) {
    const found = `${recording.q.length / frames} coordinates and ${recording.v.length / frames} velocities`
    throw refusal(
      file.name,
      `has ${found} a frame, but the model '${model.name}' has ${model.nq} and ${model.nv}; open the model it was recorded from first`,
    )
  }
  return { ...setup.source, title: `${setup.source.title}: ${file.name}`, origin: 'trajectory', recording }
}

function isTrajectory({ name, bytes }: SourceFile): boolean {
  if (/\.(csv|mcap|npy)$/i.test(name)) return true
  return /\.json$/i.test(name) && new TextDecoder().decode(bytes.subarray(0, 200)).includes('limber-trajectory')
}

function refusal(path: string, message: string): ModelError {
  return new ModelError([{ path, message }])
}

/** Problems of a scene text with their lines; none when a model can be built from it. */
export function checkScene(text: string): TextProblem[] {
  try {
    createSetup({ spec: parseScene(text), title: '', origin: 'editor' }, [])
    return []
  } catch (error) {
    if (!(error instanceof ModelError)) return [{ line: 1, column: 1, message: error instanceof Error ? error.message : String(error) }]
    return error.problems.map((problem: Problem) => ({
      line: problem.place?.line ?? 1,
      column: problem.place?.column ?? 1,
      message: formatProblem({ path: problem.path, message: problem.message }),
    }))
  }
}

/** The kept moments as one recording of the first lane. */
export function recordingOf(setup: Setup, moments: readonly Moment<Setup>[]): Recording {
  const { model, lanes } = setup
  const { nq, nv } = model
  const recorder = createRecorder(recordedModel(model))
  const { data, simulation } = lanes[0]
  const { recording } = setup.source
  const present = simulation.snapshot()
  for (const [f, moment] of moments.entries()) {
    // moments of another mechanism have no place in this file
    if (moment.setup.model.nq !== nq || moment.setup.model.nv !== nv) continue
    const state = recording
      ? { q: recording.q.subarray(f * nq, (f + 1) * nq), v: recording.v.subarray(f * nv, (f + 1) * nv) }
      : stateOf(moment)
    forwardKinematics(model, data, state.q, state.v)
    const o = statisticsAt(0)
    const energy = { kinetic: moment.block[o + statistic.kinetic], potential: moment.block[o + statistic.potential] }
    recorder.record({ t: moment.t, q: state.q, v: state.v, X_WB: data.X_WB, energy })
  }
  simulation.restore(present)
  return recorder.recording()
}

function stateOf({ setup, snapshots }: Moment<Setup>): { q: Float64Array; v: Float64Array } {
  const { simulation } = setup.lanes[0]
  const before = simulation.snapshot()
  simulation.restore(snapshots[0])
  const { q, v } = simulation.state
  const copy = { q: q.slice(), v: v.slice() }
  simulation.restore(before)
  return copy
}

export async function writeFile(
  setup: Setup,
  moments: readonly Moment<Setup>[],
  format: TableFormat,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; name: string }> {
  const name = `${(setup.source.spec.name ?? setup.model.name).replace(/[^\w-]+/g, '-') || 'model'}`
  const { spec } = setup.source
  if (format === 'scene') return { bytes: encode(writeScene(spec)), name: `${name}.json` }
  const recording = recordingOf(setup, moments)
  switch (format) {
    case 'csv':
      return { bytes: encode(writeCsv(recording)), name: `${name}.csv` }
    case 'json':
      return { bytes: encode(writeTrajectoryJson(recording)), name: `${name}.trajectory.json` }
    case 'mcap':
      return { bytes: own(await writeMcap(recording)), name: `${name}.mcap` }
    case 'glb':
      return { bytes: own(writeGlb(spec, recording)), name: `${name}.glb` }
  }
}

/** Poses of the first lane at every kept moment. */
export function motionOf(setup: Setup, moments: readonly Moment<Setup>[]): { times: Float64Array; poses: Float32Array; nbody: number } {
  const { nbody } = setup.model
  const kept = moments.filter((moment) => moment.setup.model.nbody === nbody)
  const times = Float64Array.from(kept, ({ block }) => block[header.t])
  const poses = new Float32Array(kept.length * 7 * nbody)
  for (const [f, { block, setup: made }] of kept.entries()) {
    const start = posesAt(0, made.lanes.length, nbody)
    poses.set(block.subarray(start, start + 7 * nbody), 7 * nbody * f)
  }
  return { times, poses, nbody }
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return own(new TextEncoder().encode(text))
}

function own(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
