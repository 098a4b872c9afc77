/**
 * What a model measures, as flat arrays. Made by `buildSensors`, never changed afterwards.
 */
import type { Vec } from '../math/types.js'

/** What a sensor hangs on: a frame fixed to a body, or a part of the model by its number. */
type On = 'frame' | 'joint' | 'tendon' | 'actuator' | 'body' | 'nothing'

/** How a cutoff c acts: every number between −c and c, at most c, or not at all (directions). */
type Cut = 'both' | 'above' | 'never'

export interface SensorKind {
  readonly name: string
  /** how many numbers it shows */
  readonly size: number
  readonly on: On
  readonly cut: Cut
  /** true if it asks for accelerations */
  readonly accelerated: boolean
}

const kind = (name: string, size: number, on: On, accelerated = false, cut: Cut = 'both'): SensorKind => ({
  name,
  size,
  on,
  cut,
  accelerated,
})

/** By code; the names are those of MJCF. */
export const sensorKinds: readonly SensorKind[] = [
  kind('touch', 1, 'frame', false, 'above'),
  kind('accelerometer', 3, 'frame', true),
  kind('velocimeter', 3, 'frame'),
  kind('gyro', 3, 'frame'),
  kind('force', 3, 'frame', true),
  kind('torque', 3, 'frame', true),
  kind('magnetometer', 3, 'frame'),
  kind('rangefinder', 1, 'frame'),
  kind('jointpos', 1, 'joint'),
  kind('jointvel', 1, 'joint'),
  kind('jointactuatorfrc', 1, 'joint'),
  kind('ballquat', 4, 'joint', false, 'never'),
  kind('ballangvel', 3, 'joint'),
  kind('jointlimitpos', 1, 'joint'),
  kind('jointlimitvel', 1, 'joint'),
  kind('jointlimitfrc', 1, 'joint', true),
  kind('tendonpos', 1, 'tendon'),
  kind('tendonvel', 1, 'tendon'),
  kind('tendonactuatorfrc', 1, 'tendon'),
  kind('tendonlimitpos', 1, 'tendon'),
  kind('tendonlimitvel', 1, 'tendon'),
  kind('actuatorpos', 1, 'actuator'),
  kind('actuatorvel', 1, 'actuator'),
  kind('actuatorfrc', 1, 'actuator'),
  kind('framepos', 3, 'frame'),
  kind('framequat', 4, 'frame', false, 'never'),
  kind('framexaxis', 3, 'frame', false, 'never'),
  kind('frameyaxis', 3, 'frame', false, 'never'),
  kind('framezaxis', 3, 'frame', false, 'never'),
  kind('framelinvel', 3, 'frame'),
  kind('frameangvel', 3, 'frame'),
  kind('framelinacc', 3, 'frame', true),
  kind('frameangacc', 3, 'frame', true),
  kind('subtreecom', 3, 'body'),
  kind('subtreelinvel', 3, 'body'),
  kind('subtreeangmom', 3, 'body'),
  kind('e_potential', 1, 'nothing'),
  kind('e_kinetic', 1, 'nothing'),
  kind('clock', 1, 'nothing'),
]

/** Code of the kind of this name; −1 where there is none. */
export const sensorCode = (name: string): number => sensorKinds.findIndex((one) => one.name === name)

export interface Sensors {
  readonly count: number
  readonly names: readonly string[]
  /** numbers of all sensors together */
  readonly size: number
  /** numbers of sensor k: start[k] … start[k+1]−1 */
  readonly start: Int32Array
  /** codes, see `sensorKinds` */
  readonly kind: Int32Array
  /** joint, tendon, actuator or body */
  readonly target: Int32Array
  /** pose of its frame in the body (12 each) */
  readonly pose: Vec
  /** body and pose of the frame that it is seen from; −1: the world */
  readonly reference: Int32Array
  readonly referencePose: Vec
  /** 0: none */
  readonly cutoff: Vec
  /** magnetic field of a magnetometer, size of the zone of a touch sensor (3 each) */
  readonly numbers: Vec
  /** shape of that zone; −1 elsewhere */
  readonly zone: Int32Array
  /** whether any of them asks for accelerations */
  readonly accelerated: boolean
  /** what rangefinders see */
  readonly targets: RayTargets
}

/** Shapes that rays meet: numbers among `Geoms`. */
export interface RayTargets {
  readonly count: number
  readonly geom: Int32Array
}
