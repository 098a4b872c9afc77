/**
 * Numbers of the first lane that the page wants to see with the frames, by their names: coordinates, controls, forces, heights.
 *
 * A name is a letter and that of the part: `q:` position and `v:` velocity of a joint, `u:` control and `f:` force of an actuator, `c:` contact
 * force on a body (without a name: on the world), `s:` what a sensor shows, `z:` height of a body's origin.
 */
import { type Contact, type Data, forwardKinematics, type Model, type State } from 'limber'
import { listCoordinates, listSensors } from './handles.js'
import type { Moment } from './history.js'
import { posesAt, type Reply, type WatchTopic } from './protocol.js'
import type { Setup } from './setup.js'

/** milliseconds between numbers for sliders */
const sometimes = 90
/** moments of the past that are looked up for a number that is new */
const pastMost = 900

interface Moving {
  readonly model: Model
  readonly state: Pick<State, 't' | 'q' | 'v' | 'control'>
  readonly data: Data
  /** undefined where they are not known any more */
  contacts(): readonly Contact[] | undefined
  /** of all sensors */
  sensors(): Float64Array
  /** a kept moment: what the last step left behind is not known */
  readonly past: boolean
}
type Channel = (now: Moving) => number

export interface Watch {
  set(topic: WatchTopic, channels: readonly string[], version: number, setup: Setup | undefined, moments: readonly Moment<Setup>[]): void
  tell(setup: Setup): void
}

export function createWatch(reply: (message: Reply) => void, isPlaying: () => boolean): Watch {
  const wanted = new Map<
    WatchTopic,
    { readonly ids: readonly string[]; channels: readonly Channel[]; model: Model | undefined; last: number; version: number }
  >()
  const measure = (ids: readonly string[], channels: readonly Channel[], now: Moving) => ids.map((_, k) => channels[k]?.(now) ?? Number.NaN)
  const watch: Watch = {
    set(topic, ids, version, setup, moments) {
      if (ids.length === 0) return void wanted.delete(topic)
      const entry = { ids, channels: setup ? ids.map((id) => findChannel(setup.model, id)) : [], model: setup?.model, last: 0, version }
      wanted.set(topic, entry)
      if (!setup) return
      if (topic === 'control') return watch.tell(setup)
      const { times, rows } = lookBack(setup, moments, (now) => measure(ids, entry.channels, now))
      reply({ type: 'watched', topic, version, whole: true, playing: false, times, rows })
    },
    tell(setup) {
      const now = performance.now()
      for (const [topic, entry] of wanted) {
        // of a mechanism that stands there may be no later frame to make up for one that is left out
        if (topic === 'control' && isPlaying() && now - entry.last < sometimes) continue
        entry.last = now
        if (entry.model !== setup.model) {
          entry.model = setup.model
          entry.channels = entry.ids.map((id) => findChannel(setup.model, id))
        }
        const [{ simulation, data }] = setup.lanes
        const { state } = simulation
        forwardKinematics(setup.model, data, state.q, state.v)
        const [contacts, sensors] = [once(() => simulation.contacts()), once(() => simulation.sensors())]
        const row = measure(entry.ids, entry.channels, { model: setup.model, state, data, contacts, sensors, past: false })
        reply({ type: 'watched', topic, version: entry.version, whole: false, playing: isPlaying(), times: [state.t], rows: [row] })
      }
    },
  }
  return watch
}

/** The kept moments of this model; contact forces were kept only while they were shown. */
function lookBack(
  setup: Setup,
  moments: readonly Moment<Setup>[],
  measure: (now: Moving) => number[],
): { times: number[]; rows: number[][] } {
  const { model, lanes, source } = setup
  const [{ simulation, data }] = lanes
  const times: number[] = []
  const rows: number[][] = []
  if (source.recording) return { times, rows }
  const present = simulation.snapshot()
  for (const moment of moments.slice(-pastMost)) {
    if (moment.setup.model !== model || moment.snapshots.length === 0) continue
    const other = moment.setup.lanes[0].simulation
    if (other !== simulation) continue
    simulation.restore(moment.snapshots[0])
    // heights are those of the frame
    const start = posesAt(0, moment.setup.lanes.length, model.nbody)
    for (let i = 0; i < model.nbody; i++) data.X_WB[12 * i + 11] = moment.block[start + 7 * i + 2]
    times.push(moment.t)
    const sensors = once(() => simulation.sensors())
    rows.push(measure({ model, state: simulation.state, data, contacts: () => undefined, sensors, past: true }))
  }
  simulation.restore(present)
  forwardKinematics(model, data, simulation.state.q, simulation.state.v)
  return { times, rows }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

const nothing: Channel = () => Number.NaN

function findChannel(model: Model, id: string): Channel {
  const kind = id.slice(0, 1)
  const name = id.slice(2)
  const body = () => model.bodies.findIndex((one) => one.name === name)
  const actuator = () => Array.from({ length: model.nu }, (_, a) => model.actuators.names[a] || `actuator ${a + 1}`).indexOf(name)
  switch (kind) {
    case 'q':
    case 'v': {
      const found = listCoordinates(model).find((one) => one.name === name)
      if (!found) return nothing
      return kind === 'q' ? ({ state }) => state.q[found.iq] : ({ state }) => state.v[found.iv]
    }
    case 'u': {
      const a = actuator()
      return a < 0 ? nothing : ({ state }) => state.control[a]
    }
    case 'f': {
      const a = actuator()
      return a < 0 ? nothing : (now) => forceOf(now, a)
    }
    case 's': {
      const found = listSensors(model, listCoordinates(model)).find((one) => one.name === name)
      if (!found) return nothing
      return ({ sensors, past }) => (past && found.passing ? Number.NaN : sensors()[found.at])
    }
    case 'z': {
      const i = body()
      return i < 0 ? nothing : ({ data }) => data.X_WB[12 * i + 11]
    }
    case 'c': {
      const i = name === '' ? 0 : body()
      return i < 0 ? nothing : ({ contacts }) => contactForce(contacts(), i)
    }
    default:
      return nothing
  }
}

/** Of an actuator on a joint of one degree of freedom: gain · u + bias inside its range. */
function forceOf({ model, state }: Moving, a: number): number {
  const { target, gear, gain, bias, controlRange, forceRange } = model.actuators
  const { iq, iv } = model.joints[target[a]]
  const u = clamp(state.control[a], controlRange[2 * a], controlRange[2 * a + 1])
  const measured = [1, gear[6 * a] * state.q[iq], gear[6 * a] * state.v[iv]]
  const force = measured.reduce((sum, x, r) => sum + (gain[3 * a + r] * u + bias[3 * a + r]) * x, 0)
  return clamp(force, forceRange[2 * a], forceRange[2 * a + 1])
}

/** Size of the sum of the forces on a body. */
function contactForce(contacts: readonly Contact[] | undefined, body: number): number {
  if (!contacts) return Number.NaN
  const sum = [0, 0, 0]
  for (const { bodyA, bodyB, force } of contacts) {
    const sign = bodyB === body ? 1 : bodyA === body ? -1 : 0
    for (let r = 0; r < 3; r++) sum[r] += sign * force[r]
  }
  return Math.hypot(...sum)
}

function clamp(x: number, low: number, high: number): number {
  return Math.min(Math.max(x, low), high)
}
