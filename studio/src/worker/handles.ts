/**
 * What of a mechanism can be commanded and plotted, by name, with ranges and units.
 */
import { createData, forwardKinematics, type Model, sensorKinds } from 'limber'
import type { ActuatorInfo, ChannelGroup, CoordinateInfo, Handles } from './protocol.js'
import type { Setup } from './setup.js'

/** `kind` of an actuator that acts on a joint */
const onJoint = 0
/** what an actuator may be told where the file states no range */
const usual = { turn: Math.PI, slide: 1, other: 1 }

export function describeHandles({ model, start, epoch }: Setup): Omit<Handles, 'driven'> {
  const coordinates = listCoordinates(model)
  const actuators = listActuators(model, coordinates)
  return {
    epoch,
    start,
    keyframes: model.keyframes.map(({ name }, k) => name || `keyframe ${k + 1}`),
    actuators,
    coordinates,
    channels: listChannels(model, coordinates, actuators),
  }
}

/** Coordinates whose rate is a velocity; those of balls and free joints are no numbers to set one by one. */
export function listCoordinates(model: Model): CoordinateInfo[] {
  const data = createData(model)
  forwardKinematics(model, data, model.q0, new Float64Array(model.nv))
  const servos = servoByVelocity(model)
  return model.joints.slice(0, model.njoint).flatMap(({ name, body, iv, nv }) =>
    Array.from({ length: nv }, (_, r) => iv + r)
      .filter((k) => model.coordinate[k] >= 0)
      .map((k) => ({
        name: nv > 1 ? `${name}.${k - iv + 1}` : name,
        body,
        iq: model.coordinate[k],
        iv: k,
        unit: turns(data.S, k) ? 'rad' : 'm',
        low: model.limits[2 * k],
        high: model.limits[2 * k + 1],
        servo: servos.get(k) ?? -1,
      })),
  )
}

function turns(S: Float64Array, k: number): boolean {
  return Math.hypot(S[6 * k], S[6 * k + 1], S[6 * k + 2]) > 1e-9
}

/** Actuators that are told where a coordinate should be: force = gain (u − q) − …, through a gear of one. */
function servoByVelocity(model: Model): Map<number, number> {
  const { count, kind, target, gear, gain, bias } = model.actuators
  const found = new Map<number, number>()
  for (let a = 0; a < count; a++) {
    const joint = kind[a] === onJoint ? model.joints[target[a]] : undefined
    const holds = gain[3 * a] > 0 && Math.abs(bias[3 * a + 1] + gain[3 * a]) < 1e-9 * gain[3 * a]
    if (joint?.nv === 1 && holds && gear[6 * a] === 1) found.set(joint.iv, a)
  }
  return found
}

function listActuators(model: Model, coordinates: readonly CoordinateInfo[]): ActuatorInfo[] {
  const { count, names, kind, target, gear, gain, bias, controlRange, forceRange } = model.actuators
  return Array.from({ length: count }, (_, a) => {
    const joint = kind[a] === onJoint ? model.joints[target[a]] : undefined
    const moved = joint && coordinates.find(({ iv }) => iv === joint.iv)
    const turning = moved?.unit === 'rad'
    const plain = gear[6 * a] === 1
    const motor = bias[3 * a + 1] === 0 && bias[3 * a + 2] === 0 && gain[3 * a + 1] === 0
    const speeds = bias[3 * a + 1] === 0 && bias[3 * a + 2] === -gain[3 * a] && gain[3 * a] > 0
    const servo = moved !== undefined && moved.servo === a
    const unit = servo
      ? moved.unit
      : moved && plain && speeds
        ? `${moved.unit}/s`
        : moved && plain && motor && gain[3 * a] === 1
          ? turning
            ? 'N m'
            : 'N'
          : ''
    let [low, high] = [controlRange[2 * a], controlRange[2 * a + 1]]
    const stated = Number.isFinite(low) && Number.isFinite(high)
    if (!stated && servo && Number.isFinite(moved.low + moved.high)) [low, high] = [moved.low, moved.high]
    else if (!stated && motor && Number.isFinite(forceRange[2 * a] + forceRange[2 * a + 1]) && gain[3 * a] > 0)
      [low, high] = [forceRange[2 * a] / gain[3 * a], forceRange[2 * a + 1] / gain[3 * a]]
    else if (!stated) {
      const reach = servo ? (turning ? usual.turn : usual.slide) : usual.other
      ;[low, high] = [-reach, reach]
    }
    const moves = joint
      ? `joint ${joint.name}`
      : kind[a] === 1
        ? `tendon ${model.tendons.names[target[a]]}`
        : `body ${model.bodies[target[a]].name}`
    return { name: names[a] || `actuator ${a + 1}`, unit, low, high, stated, moves, force: joint?.nv === 1 ? (turning ? 'N m' : 'N') : '' }
  })
}

/** A number that a sensor shows. */
export interface SensorNumber {
  readonly name: string
  readonly unit: string
  /** its place among the numbers of all sensors */
  readonly at: number
  /** whether it depends on the last step, of which a kept moment knows nothing */
  readonly passing: boolean
}

const axes: Readonly<Record<number, readonly string[]>> = { 1: [''], 3: ['.x', '.y', '.z'], 4: ['.w', '.x', '.y', '.z'] }
/** where the kind alone says it */
const sensorUnits: Readonly<Record<string, string>> = {
  ...{ touch: 'N', force: 'N', torque: 'N m', accelerometer: 'm/s²', velocimeter: 'm/s', gyro: 'rad/s', rangefinder: 'm' },
  ...{ ballangvel: 'rad/s', tendonpos: 'm', tendonvel: 'm/s', tendonactuatorfrc: 'N' },
  ...{ framepos: 'm', framelinvel: 'm/s', frameangvel: 'rad/s', framelinacc: 'm/s²', frameangacc: 'rad/s²' },
  ...{ subtreecom: 'm', subtreelinvel: 'm/s', subtreeangmom: 'kg m²/s', e_potential: 'J', e_kinetic: 'J', clock: 's' },
}
/** of a joint, by whether it turns */
const jointUnits: Readonly<Record<string, readonly [turns: string, slides: string]>> = {
  jointpos: ['rad', 'm'],
  jointvel: ['rad/s', 'm/s'],
  jointactuatorfrc: ['N m', 'N'],
  jointlimitpos: ['rad', 'm'],
  jointlimitvel: ['rad/s', 'm/s'],
  jointlimitfrc: ['N m', 'N'],
}

/** The numbers of all sensors of the file; a sensor of several numbers has an entry for each. */
export function listSensors(model: Model, coordinates: readonly CoordinateInfo[]): SensorNumber[] {
  const { count, names, start, kind, target } = model.sensors
  return Array.from({ length: count }, (_, k) => {
    const { name, size, on, accelerated } = sensorKinds[kind[k]]
    const turning = on === 'joint' && coordinates.find(({ iv }) => iv === model.joints[target[k]].iv)?.unit !== 'm'
    const unit = jointUnits[name]?.[turning ? 0 : 1] ?? sensorUnits[name] ?? ''
    const own = names[k] || `${name} ${k + 1}`
    const parts = axes[size] ?? Array.from({ length: size }, (__, r) => `.${r + 1}`)
    return parts.map((part, r) => ({ name: own + part, unit, at: start[k] + r, passing: accelerated || name === 'touch' }))
  }).flat()
}

function listChannels(model: Model, coordinates: readonly CoordinateInfo[], actuators: readonly ActuatorInfo[]): ChannelGroup[] {
  const bodies = Array.from(model.bodyOrder).filter((i) => i > 0)
  const name = (i: number) => model.bodies[i].name
  const touching = touchable(model)
  const groups: ChannelGroup[] = [
    { title: 'Joint position', channels: coordinates.map(({ name: one, unit }) => ({ id: `q:${one}`, name: one, unit })) },
    { title: 'Joint velocity', channels: coordinates.map(({ name: one, unit }) => ({ id: `v:${one}`, name: one, unit: `${unit}/s` })) },
    { title: 'Actuator control', channels: actuators.map(({ name: one, unit }) => ({ id: `u:${one}`, name: one, unit })) },
    {
      title: 'Actuator force',
      channels: actuators.filter(({ force }) => force !== '').map(({ name: one, force }) => ({ id: `f:${one}`, name: one, unit: force })),
    },
    {
      title: 'Contact force',
      channels: [
        ...(touching.size > 0 ? [{ id: 'c:', name: 'all on the world', unit: 'N' }] : []),
        ...bodies.filter((i) => touching.has(i)).map((i) => ({ id: `c:${name(i)}`, name: name(i), unit: 'N' })),
      ],
    },
    { title: 'Sensor', channels: listSensors(model, coordinates).map(({ name: one, unit }) => ({ id: `s:${one}`, name: one, unit })) },
    { title: 'Height of body', channels: bodies.map((i) => ({ id: `z:${name(i)}`, name: name(i), unit: 'm' })) },
  ]
  return groups.filter(({ channels }) => channels.length > 0)
}

/** Bodies with something that may touch. */
function touchable({ shapes, penalty }: Model): Set<number> {
  return new Set([...shapes.body.subarray(0, shapes.count), ...penalty.body.subarray(0, penalty.count)].filter((i) => i > 0))
}
