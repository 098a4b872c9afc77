/**
 * Handles by name: bodies, joints, actuators, sites and shapes of a simulation. Each is made once, stays valid, and reads the state as it is when
 * it is asked.
 */
import { actuatorForce } from '../forces/actuators.js'
import type { Model } from '../model/model.js'
import type { State } from '../model/state.js'
import { type BodyContext, type BodyHandle, bodyHandle, type FrameHandle, frameHandle } from './body.js'
import { type JointHandle, jointHandle } from './joint.js'
import type { Look } from './look.js'
import { byName } from './numbers.js'

export interface ActuatorHandle {
  readonly name: string
  /** place in `state.control` */
  readonly number: number
  /** lowest and highest control; infinite where the file has none */
  readonly range: readonly [number, number]
  /** the control as it is set */
  readonly target: number
  /** N m or N, at the state as it is */
  readonly force: number
  /** Sets the control, held to its range; returns what was set. */
  setTarget(target: number): number
}

export interface SiteHandle extends FrameHandle {
  /** name of the body that it sits on */
  readonly body: string
}

export interface ShapeHandle extends SiteHandle {
  /** place in `model.geoms` */
  readonly number: number
  /** false: only to look at, or of a kind that does not touch */
  readonly touches: boolean
}

/** What a simulation has by name. Unknown names throw a RangeError that says which are near. */
export interface Handles {
  body(name: string): BodyHandle
  joint(name: string): JointHandle
  actuator(name: string): ActuatorHandle
  site(name: string): SiteHandle
  shape(name: string): ShapeHandle
}

export function createHandles(context: BodyContext): Handles {
  const { look } = context
  const { model, state } = look
  const { sites, geoms } = model
  const onBody = (name: string, i: number, X: Float64Array): SiteHandle => ({
    ...frameHandle(look, name, i, X),
    body: model.bodies[i].name,
  })
  return {
    body: byName(
      'body',
      () => model.bodies.map(({ name }) => name),
      (i, name) => bodyHandle(context, i, name),
    ),
    joint: byName(
      'joint',
      () => model.joints.map(({ name }) => name),
      (j) => jointHandle(model, state, j),
    ),
    actuator: byName(
      'actuator',
      () => model.actuators.names,
      (k, name) => actuatorHandle(model, state, look, k, name),
    ),
    site: byName(
      'site',
      () => sites.names,
      (k, name) => onBody(name, sites.body[k], sites.X_BS.slice(12 * k, 12 * k + 12)),
    ),
    shape: byName(
      'shape',
      () => geoms.names,
      (k, name) => ({
        ...onBody(name, geoms.body[k], geoms.X_BG.slice(12 * k, 12 * k + 12)),
        number: k,
        touches: geoms.touching[k] >= 0,
      }),
    ),
  }
}

const found = new Float64Array(1)

function actuatorHandle(m: Model, state: State, look: Look, k: number, name: string): ActuatorHandle {
  const { controlRange } = m.actuators
  const range = [controlRange[2 * k], controlRange[2 * k + 1]] as const
  return {
    name,
    number: k,
    range,
    get target() {
      return state.control[k]
    },
    get force() {
      actuatorForce(found, 0, m, look.data(), state, k)
      return found[0]
    },
    setTarget(target) {
      if (!Number.isFinite(target)) throw new RangeError(`target of actuator '${name}': expected a number, got ${target}`)
      state.control[k] = Math.min(Math.max(target, range[0]), range[1])
      return state.control[k]
    },
  }
}
