/**
 * Recording a simulation at a steady rate: frame k is the state at k / fps seconds from the start, exactly, whatever the step. Where no step ends there the
 * frame lies between two: a cubic in the coordinates of each joint that has the positions and velocities of both ends, or a straight line where those do not
 * fit each other (an impact, a step of first order). The steps are those of a run that is not recorded.
 */
import { hintAt } from './build/problems.js'
import type { Spec } from './build/spec.js'
import { specOf } from './build/spec-of.js'
import { energy } from './forces/dynamics.js'
import { createByteSink, type FrameSource, rowLayout } from './io/trajectory/frames.js'
import { createRecorder } from './io/trajectory/recorder.js'
import { type RecordedModel, type RecordingExtra, recordedModel, recordingExtras } from './io/trajectory/recording.js'
import { type RecordingFormat, recordingFormats, writeFrames } from './io/trajectory/write-frames.js'
import { difference, integrate } from './joints/index.js'
import { createData } from './model/data.js'
import type { Model } from './model/model.js'
import { createState } from './model/state.js'
import type { Simulation } from './simulation.js'

export interface SamplerOptions {
  /** frames a second. Default 60 */
  readonly fps?: number
  /** time of frame 0. Default: that of the state at hand */
  readonly start?: number
  /** how many were taken before. Default 0 */
  readonly frames?: number
  /**
   * What to record besides: `sensors`, `controls`, `contacts` (the sum of the contact forces on each body that can touch). A frame between two steps has those
   * of the step that it lies in. Default none
   */
  readonly include?: readonly RecordingExtra[]
}

export interface Sampler {
  /** what the rows are of */
  readonly model: RecordedModel
  /** taken so far */
  readonly frames: number
  /** To be called at the start and after every step: hands over the frames whose time has come, as rows of t, q, v, poses and energy. */
  sample(take: (row: Float64Array) => void): void
  /** To be called where the state was written from outside: the next frames begin from it. */
  mark(): void
}

/** what a step may miss a frame by, as a share of the step: the clock is a sum of steps */
const NEAR = 1e-6
/** how far a step may be from the mean of its velocities, as a share of their difference, to be drawn as a curve */
const SMOOTH = 1 / 8

/** What is sampled of a simulation. */
export type Sampled = Pick<Simulation, 'model' | 'state' | 'forces' | 'timestep' | 'sensors' | 'contacts'> & { step(n: number): unknown }

export function createSampler(simulation: Sampled, { fps = 60, start, frames = 0, include = [] }: SamplerOptions = {}): Sampler {
  checkInclude(include)
  if (!(fps > 0 && Number.isFinite(fps))) throw new RangeError(`fps: expected a positive number of frames a second, got ${fps}`)
  const { state, forces } = simulation
  let { model } = simulation
  const { name, joints, bodies } = recordedModel(model)
  const touching = bodiesThatTouch(model)
  const recorded: RecordedModel = {
    name,
    joints: joints.map((joint) => ({ name: joint.name, type: joint.type, iq: joint.iq, nq: joint.nq, iv: joint.iv, nv: joint.nv })),
    bodies,
    ...(include.length > 0 ? { extras: extrasOf(model, include, touching) } : {}),
  }
  const { extras, stride } = rowLayout(recorded)
  /** The row with what is asked for at its end, as it is now. */
  const extend = (row: Float64Array): Float64Array => {
    if (extras.length === 0) return row
    const out = new Float64Array(stride)
    out.set(row)
    for (const { key, from } of extras) out.set(key === 'contacts' ? contactForces(simulation, touching) : valuesOf(simulation, key), from)
    return out
  }
  let data = createData(model, { forces })
  const recorder = createRecorder(recordedModel(model))
  const at = createState(model)
  const q0 = new Float64Array(model.nq)
  const v0 = new Float64Array(model.nv)
  const d = new Float64Array(model.nv)
  let t0 = state.t
  const begin = start ?? t0
  let taken = frames

  const mark = (): void => {
    t0 = state.t
    q0.set(state.q)
    v0.set(state.v)
  }
  /** Into `at`: the state at the share s of the step from the one that was marked. */
  const interpolate = (s: number, h: number): void => {
    difference(model, d, q0, state.q)
    for (let k = 0; k < d.length; k++) {
      const a = h * v0[k]
      const b = h * state.v[k]
      const whole = d[k]
      if (Math.abs(whole - (a + b) / 2) <= SMOOTH * Math.abs(b - a)) {
        // cubic with these values and slopes at both ends
        d[k] = whole * s * s * (3 - 2 * s) + a * s * (1 - s) * (1 - s) - b * s * s * (1 - s)
        at.v[k] = (whole * 6 * s * (1 - s) + a * (1 - s) * (1 - 3 * s) + b * s * (3 * s - 2)) / h
      } else {
        d[k] = whole * s
        at.v[k] = v0[k] + s * (state.v[k] - v0[k])
      }
    }
    at.q.set(q0)
    integrate(model, at.q, d, 1)
  }
  mark()
  return {
    model: recorded,
    get frames() {
      return taken
    },
    mark,
    sample(take) {
      // a simulation closes the loops of its state before its first step: frame 0 shows them closed
      if (taken === 0) simulation.step(0)
      const near = NEAR * simulation.timestep
      for (;;) {
        const due = begin + taken / fps
        if (due > state.t + near) break
        const h = state.t - t0
        if (due >= state.t - near || !(h > 0) || due <= t0) {
          at.q.set(state.q)
          at.v.set(state.v)
        } else interpolate((due - t0) / h, h)
        at.t = due
        // parameters were set
        if (simulation.model !== model) {
          model = simulation.model
          data = createData(model, { forces })
        }
        // energy leaves the poses of this state behind
        recorder.record({ t: due, q: at.q, v: at.v, energy: energy(model, data, at), X_WB: data.X_WB })
        taken++
        take(extend(recorder.rows(0)))
        recorder.clear()
      }
      mark()
    },
  }
}

export interface RecordOptions extends Pick<SamplerOptions, 'include'> {
  /** simulated seconds to record */
  readonly seconds: number
  /** frames a second, from the state at hand on. Default 60 */
  readonly fps?: number
  /** called after every step, to drive the simulation; false ends the recording */
  readonly onStep?: (simulation: Simulation) => boolean | undefined | void
  /** shapes for .glb; default: those of the spec that the model was built from */
  readonly spec?: Spec
}

/** Runs the simulation and gives the bytes of a file: for pages, which have no disk. `record` of limber/node writes to one while it goes on. */
export async function recordBytes(
  simulation: Simulation,
  format: RecordingFormat,
  options: RecordOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  checkRecord(simulation, format, options)
  const sampler = createSampler(simulation, options)
  const rows: Float64Array[] = []
  const sample = (): void => sampler.sample((row) => void rows.push(row))
  sample()
  simulation.advance(options.seconds, () => {
    sample()
    const goesOn = options.onStep?.(simulation) !== false
    sampler.mark()
    return goesOn
  })
  const sink = createByteSink()
  return sink.bytes(await writeFrames(format, framesOf(sampler.model, rows), sink, options.spec ?? specOf(simulation.model)))
}

/** Throws, before the work and not after it, where the options are not what they must be. */
export function checkRecord(
  { model }: Pick<Simulation, 'model'>,
  format: string,
  { seconds, spec, include = [] }: Partial<RecordOptions> = {},
): void {
  if (!recordingFormats.some((name) => name === format))
    throw new RangeError(`record: expected one of the formats ${recordingFormats.join(', ')}, got '${format}'`)
  if (seconds === undefined) throw new RangeError('record: expected how many seconds to record, got none; give { seconds: 5 }, say')
  if (!(seconds > 0 && Number.isFinite(seconds))) throw new RangeError(`record: expected a positive number of seconds, got ${seconds}`)
  checkInclude(include)
  if (format === 'glb' && include.length > 0)
    throw new RangeError(`record: glb holds shapes and their motion, and no ${include.join(' or ')}; take csv, json, npy or mcap`)
  if (format === 'glb' && !spec && !specOf(model))
    throw new RangeError('record: glb draws shapes, and this model is a copy that has none; give the spec that it was built from, { spec }')
}

/** Throws RangeError on anything but the words there are. */
function checkInclude(include: readonly string[]): void {
  const words: readonly string[] = recordingExtras
  const wrong = include.find((word) => !words.includes(word))
  if (wrong !== undefined) throw new RangeError(`include: expected ${words.join(', ')}, got '${wrong}'${hintAt(wrong, words)}`)
}

/** Bodies with shapes that may touch, or with points that touch by the penalty of `contact`. */
function bodiesThatTouch({ shapes, penalty, bodyOrder }: Model): number[] {
  const able = new Set([...shapes.body, ...(penalty.count > 0 ? penalty.body : [])])
  return Array.from(bodyOrder).filter((i) => i > 0 && able.has(i))
}

function extrasOf(model: Model, include: readonly RecordingExtra[], touching: readonly number[]): NonNullable<RecordedModel['extras']> {
  const { names, start } = model.sensors
  const columns = {
    sensors: names.map((name, k) => ({ name, size: start[k + 1] - start[k] })),
    controls: model.actuators.names.map((name) => ({ name, size: 1 })),
    contacts: touching.map((i) => ({ name: model.bodies[i].name, size: 3 })),
  }
  return Object.fromEntries(recordingExtras.filter((key) => include.includes(key)).map((key) => [key, columns[key]]))
}

const valuesOf = (simulation: Sampled, key: 'sensors' | 'controls'): Float64Array =>
  key === 'sensors' ? simulation.sensors() : simulation.state.control.slice(0, simulation.model.nu)

/** The sum of the contact forces of the last step on each of these bodies. */
function contactForces(simulation: Sampled, bodies: readonly number[]): Float64Array {
  const place = new Map(bodies.map((i, k) => [i, 3 * k]))
  const out = new Float64Array(3 * bodies.length)
  for (const { bodyA, bodyB, force } of simulation.contacts({ touching: true })) {
    for (const [body, sign] of [
      [bodyB, 1],
      [bodyA, -1],
    ]) {
      const o = place.get(body)
      if (o !== undefined) for (let r = 0; r < 3; r++) out[o + r] += sign * force[r]
    }
  }
  return out
}

/** Rows in memory, for the writers. */
export function framesOf(model: RecordedModel, rows: readonly Float64Array[]): FrameSource {
  const { stride } = rowLayout(model)
  return {
    model,
    frames: rows.length,
    read(first, count) {
      const out = new Float64Array(count * stride)
      for (let f = 0; f < count; f++) out.set(rows[first + f], f * stride)
      return out
    },
  }
}
