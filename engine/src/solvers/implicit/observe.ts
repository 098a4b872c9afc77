/**
 * Observations by name: what `observe` of a batch asks for, as columns of the kernel and as a description of the rows.
 */
import { hintAt } from '../../build/problems.js'
import type { Columns } from '../../kernels/lane-layout.js'
import { norm } from '../../math/own.js'
import type { Model } from '../../model/model.js'
import { ModelError } from '../../model/model-error.js'
import { sensorKinds } from '../../model/sensors.js'
import { starts } from './arrays.js'
import * as codes from './observe-codes.js'

/** A part of the state, a frame, contact, or the ground around a body; the sentences of `observe` in the docs say what each is. */
export type Observation =
  | 'q'
  | 'v'
  | 'a'
  | 'control'
  | 'act'
  | 'time'
  | `${'q' | 'v'} of ${string}`
  | `${FrameQuantity} of ${string}`
  | `${'contact force' | 'touch' | 'jacobian'} of ${string}`
  | `sensor ${string}`
  | HeightSamples
  | RayFan

/** height of a body or site above points around it, which turn with its heading */
export type HeightSamples = { readonly heights: string; readonly at: readonly (readonly [number, number])[] }
/** distances from a body or site to the ground, in directions along its axes; −1 where there is none */
export type RayFan = { readonly rays: string; readonly along: readonly (readonly [number, number, number])[] }

export type FrameQuantity =
  | ('position' | 'quaternion' | 'velocity' | 'angular velocity' | 'local velocity' | 'local angular velocity')
  | ('gravity' | 'acceleration')

const FRAMES = {
  position: codes.POSITION,
  quaternion: codes.QUATERNION,
  velocity: codes.LINEAR,
  'angular velocity': codes.ANGULAR,
  'local velocity': codes.LOCAL_LINEAR,
  'local angular velocity': codes.LOCAL_ANGULAR,
  gravity: codes.GRAVITY,
  acceleration: codes.ACCELERATION,
} as const satisfies Record<FrameQuantity, number>

const CONTACTS = { 'contact force': codes.CONTACT_FORCE, touch: codes.TOUCH } as const

/** Sensors of MJCF that are frames under another name. */
const SENSORS: Readonly<Record<string, number>> = {
  framepos: codes.POSITION,
  framequat: codes.QUATERNION,
  framelinvel: codes.LINEAR,
  frameangvel: codes.ANGULAR,
  velocimeter: codes.LOCAL_LINEAR,
  gyro: codes.LOCAL_ANGULAR,
  accelerometer: codes.ACCELERATION,
}

/** A part of a row of observations. */
export interface ObservedPart {
  readonly name: string
  readonly start: number
  readonly length: number
}

interface Item {
  readonly code: number
  /** body, or first number of a vector */
  readonly from: number
  readonly length: number
  readonly frame?: ArrayLike<number>
  readonly samples?: readonly (readonly [number, number])[]
  /** unit vectors */
  readonly rays?: readonly (readonly number[])[]
  /** velocities that move it */
  readonly movers?: readonly number[]
}

export interface Observations {
  readonly columns: Columns
  readonly parts: readonly ObservedPart[]
  readonly size: number
  readonly storesForces: boolean
}

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]

/** Throws a ModelError that lists everything that is not in the model. */
export function planObservations(m: Model, wanted: readonly Observation[]): Observations {
  const problems: { path: string; message: string }[] = []
  const items: Item[] = []
  const parts: ObservedPart[] = []
  let size = 0
  for (const [k, one] of wanted.entries()) {
    const found = itemOf(m, one)
    if (typeof found === 'string') {
      problems.push({ path: `observe/${k}`, message: found })
      continue
    }
    items.push(found)
    parts.push({ name: nameOf(one), start: size, length: found.length })
    size += found.length
  }
  if (problems.length > 0) throw new ModelError(problems)
  const samples = items.map(({ samples: list = [] }) => list)
  const rays = items.map(({ rays: list = [] }) => list)
  const movers = items.map(({ movers: list = [] }) => list)
  return {
    ...{ parts, size, storesForces: items.some(({ code }) => code === codes.CONTACT_FORCE || code === codes.TOUCH) },
    columns: {
      observeCount: items.length,
      observeCode: Int32Array.from(items, ({ code }) => code),
      observeFrom: Int32Array.from(items, ({ from }) => from),
      observeStart: Int32Array.from(parts, ({ start }) => start),
      observeLength: Int32Array.from(items, ({ length }) => length),
      observeFrame: Float64Array.from(items.flatMap(({ frame = IDENTITY }) => Array.from(frame))),
      sampleStart: starts(samples),
      sample: Float64Array.from(samples.flat(2)),
      rayStart: starts(rays),
      ray: Float64Array.from(rays.flat(2)),
      moverStart: starts(movers),
      mover: Int32Array.from(movers.flat()),
    },
  }
}

function nameOf(wanted: Observation): string {
  if (typeof wanted === 'string') return wanted
  return 'rays' in wanted ? `rays from ${wanted.rays}` : `heights around ${wanted.heights}`
}

/** What is observed, or why it cannot be. */
function itemOf(m: Model, wanted: Observation): Item | string {
  if (typeof wanted === 'object') return 'rays' in wanted ? raysOf(m, wanted) : heightsOf(m, wanted)
  if (wanted.startsWith('sensor ')) return sensorOf(m, wanted.slice('sensor '.length))
  const whole: Readonly<Record<string, Item>> = {
    q: { code: codes.Q, from: 0, length: m.nq },
    v: { code: codes.V, from: 0, length: m.nv },
    a: { code: codes.A, from: 0, length: m.nv },
    control: { code: codes.CONTROL, from: 0, length: m.nu },
    act: { code: codes.ACT, from: 0, length: m.na },
    time: { code: codes.TIME, from: 0, length: 1 },
  }
  if (Object.hasOwn(whole, wanted)) return whole[wanted]
  const [what, name] = split(wanted)
  if (name !== undefined && (what === 'q' || what === 'v')) return jointPart(m, what, name)
  if (name !== undefined && Object.hasOwn(FRAMES, what)) {
    const frame = frameOf(m, name)
    if (typeof frame === 'string') return frame
    return { code: FRAMES[what as FrameQuantity], ...frame, length: what === 'quaternion' ? 4 : 3 }
  }
  if (name !== undefined && what === 'jacobian') return jacobianOf(m, name)
  if (name !== undefined && Object.hasOwn(CONTACTS, what)) {
    const body = m.bodies.findIndex((b) => b.name === name)
    if (body <= 0) return `expected a body, got '${name}'${hintAt(name, bodyNames(m))}`
    return { code: CONTACTS[what as keyof typeof CONTACTS], from: body, length: what === 'touch' ? 1 : 3 }
  }
  const list = [
    ...Object.keys(whole),
    'q of JOINT',
    'v of JOINT',
    ...[...Object.keys({ ...FRAMES, ...CONTACTS }), 'jacobian'].map((x) => `${x} of BODY`),
    'sensor NAME',
  ]
  return `expected one of ${list.join(', ')}, or { heights: BODY, at: [[x, y], …] }, or { rays: BODY, along: [[x, y, z], …] }, got '${wanted}'`
}

/** Names of all bodies but the world. */
const bodyNames = (m: Model): string[] => m.bodies.slice(1).map(({ name }) => name)

/** 'position of left foot' → position, left foot. */
function split(text: string): [string, string | undefined] {
  const at = text.indexOf(' of ')
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + ' of '.length)]
}

function jointPart(m: Model, what: 'q' | 'v', name: string): Item | string {
  const joint = m.joints.find((j) => j.name === name)
  if (!joint)
    return `expected a joint, got '${name}'${hintAt(
      name,
      m.joints.map((j) => j.name),
    )}`
  return what === 'q' ? { code: codes.Q, from: joint.iq, length: joint.nq } : { code: codes.V, from: joint.iv, length: joint.nv }
}

/** A body, or the frame of a site. */
function frameOf(m: Model, name: string): { from: number; frame: ArrayLike<number> } | string {
  const body = m.bodies.findIndex((b) => b.name === name)
  if (body > 0) return { from: body, frame: IDENTITY }
  const site = m.sites.names.indexOf(name)
  if (site >= 0) return { from: m.sites.body[site], frame: m.sites.X_BS.subarray(12 * site, 12 * site + 12) }
  return `expected a body or a site, got '${name}'${hintAt(name, [...bodyNames(m), ...m.sites.names])}`
}

function sensorOf(m: Model, name: string): Item | string {
  const { names, kind, target, pose, reference, cutoff } = m.sensors
  const k = names.indexOf(name)
  if (k < 0) return `expected a sensor of the model, got '${name}'${hintAt(name, names)}`
  const type = sensorKinds[kind[k]].name
  if ((type === 'jointpos' || type === 'jointvel') && cutoff[k] === 0)
    return jointPart(m, type === 'jointpos' ? 'q' : 'v', m.joints[target[k]].name)
  const isPlain = reference[k] < 0 && cutoff[k] === 0
  if (Object.hasOwn(SENSORS, type) && isPlain)
    return { code: SENSORS[type], from: target[k], frame: pose.subarray(12 * k, 12 * k + 12), length: type === 'framequat' ? 4 : 3 }
  return `sensor '${name}' is a ${type}${isPlain ? '' : ' with a reference frame or a cutoff'}, which batches do not observe; they observe jointpos, jointvel, ${Object.keys(SENSORS).join(', ')}`
}

function heightsOf(m: Model, { heights, at }: HeightSamples): Item | string {
  const frame = frameOf(m, heights)
  if (typeof frame === 'string') return frame
  return { code: codes.HEIGHTS, ...frame, length: at.length, samples: at }
}

function raysOf(m: Model, { rays, along }: RayFan): Item | string {
  const frame = frameOf(m, rays)
  if (typeof frame === 'string') return frame
  const lengths = along.map((ray) => norm(ray))
  const bad = lengths.findIndex((length) => !(length > 0 && length < Number.POSITIVE_INFINITY))
  if (bad >= 0) return `expected directions that are not zero, got [${along[bad].join(', ')}]`
  return { code: codes.RAYS, ...frame, length: along.length, rays: along.map((ray, k) => ray.map((x) => x / lengths[k])) }
}

/** 6 × nv by rows, of a frame's velocity along the axes of the world. */
function jacobianOf(m: Model, name: string): Item | string {
  const frame = frameOf(m, name)
  if (typeof frame === 'string') return frame
  const movers: number[] = []
  for (let i = frame.from; i > 0; i = m.parent[i]) for (let k = m.iv[i]; k < m.iv[i + 1]; k++) movers.push(k)
  return { code: codes.JACOBIAN, ...frame, length: 6 * m.nv, movers }
}
