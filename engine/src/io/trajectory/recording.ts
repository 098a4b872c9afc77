/**
 * Recording: states of one model over time, as flat arrays. What trajectory files hold, and what the studio plays.
 */
import type { Model } from '../../model/model.js'
import { ModelError } from '../../model/model-error.js'

/** What recordings hold on request: readings of sensors, controls of actuators, net contact forces on bodies. */
export const recordingExtras = ['sensors', 'controls', 'contacts'] as const
export type RecordingExtra = (typeof recordingExtras)[number]

/** Numbers of one sensor, actuator or body. */
export interface RecordedColumns {
  readonly name: string
  readonly size: number
}

export interface RecordedJoint {
  readonly name: string
  readonly type: string
  readonly iq: number
  readonly nq: number
  readonly iv: number
  readonly nv: number
}

/** What is needed to name the columns; `recordedModel` makes one. */
export interface RecordedModel {
  readonly name: string
  readonly joints: readonly RecordedJoint[]
  /** names in the order of the file, the world first */
  readonly bodies: readonly string[]
  /** the rows of X_WB in which they stand; absent: in this order */
  readonly rows?: ArrayLike<number>
  /** what is recorded on request, in the order of the columns */
  readonly extras?: { readonly [K in RecordingExtra]?: readonly RecordedColumns[] }
}

export interface Recording {
  readonly model: RecordedModel
  /** seconds, one a frame */
  readonly times: Float64Array
  /** frames × nq */
  readonly q: Float64Array
  /** frames × nv */
  readonly v: Float64Array
  /** frames × nbody × 7: position x y z and quaternion w x y z of every body in the world, the world itself included */
  readonly poses?: Float64Array
  /** frames × 2: kinetic, potential, J */
  readonly energy?: Float64Array
  /** frames × the numbers of all sensors (`model.extras.sensors`) */
  readonly sensors?: Float64Array
  /** frames × one control an actuator */
  readonly controls?: Float64Array
  /** frames × 3 for each body of `model.extras.contacts`: the sum of the contact forces on it, N, along the axes of the world */
  readonly contacts?: Float64Array
}

export function recordedModel({ name, joints, bodies, bodyOrder }: Model): RecordedModel {
  return { name, joints, bodies: Array.from(bodyOrder, (i) => bodies[i].name), rows: bodyOrder }
}

/** Numbers of coordinates, velocities and bodies of a recorded model. */
export function recordedSize(model: RecordedModel): { nq: number; nv: number; nbody: number } {
  let nq = 0
  let nv = 0
  for (const joint of model.joints) {
    nq = Math.max(nq, joint.iq + joint.nq)
    nv = Math.max(nv, joint.iv + joint.nv)
  }
  return { nq, nv, nbody: model.bodies.length }
}

/** Numbers a frame of what is recorded on request; 0 where it is not. */
export function extraWidth({ extras }: RecordedModel, key: RecordingExtra): number {
  return (extras?.[key] ?? []).reduce((sum, { size }) => sum + size, 0)
}

/** Labels of these columns: `imu.sensor0 imu.sensor1 …`, `elbow.control`, `hand.contact0 …`. */
export function extraLabels({ extras }: RecordedModel, key: RecordingExtra): string[] {
  const word = key.slice(0, -1)
  return (extras?.[key] ?? []).flatMap(({ name, size }) => Array.from({ length: size }, (_, k) => `${name}.${word}${size === 1 ? '' : k}`))
}

/** Throws `ModelError` unless every array has the length that the model and the number of frames ask for. */
export function checkRecording(recording: Recording): void {
  const { nq, nv, nbody } = recordedSize(recording.model)
  const frames = recording.times.length
  const extras = Object.fromEntries(recordingExtras.map((key) => [key, extraWidth(recording.model, key)]))
  const wanted = { q: nq, v: nv, poses: 7 * nbody, energy: 2, ...(extras as Record<RecordingExtra, number>) }
  const problems = []
  for (const [key, columns] of Object.entries(wanted) as [keyof typeof wanted, number][]) {
    const found = recording[key]?.length
    if (found === undefined || found === frames * columns) continue
    problems.push({ path: key, message: `expected ${frames} frames × ${columns} = ${frames * columns} numbers, got ${found}` })
  }
  if (problems.length > 0) throw new ModelError(problems)
}

/** Labels of the coordinates: `knee.q`, or `root.q0 root.q1 …` for joints with several; likewise with `v`. In order of the columns. */
export function columnLabels(model: RecordedModel, letter: 'q' | 'v'): string[] {
  const { nq, nv } = recordedSize(model)
  const labels = Array.from({ length: letter === 'q' ? nq : nv }, (_, i) => `${letter}${i}`)
  for (const joint of model.joints) {
    const [start, count] = letter === 'q' ? [joint.iq, joint.nq] : [joint.iv, joint.nv]
    for (let k = 0; k < count; k++) labels[start + k] = `${joint.name}.${letter}${count === 1 ? '' : k}`
  }
  return labels
}

/** The one problem of a file that is not what its reader expects. */
export function badTrajectory(message: string, path = ''): ModelError {
  return new ModelError([{ path, message }])
}
