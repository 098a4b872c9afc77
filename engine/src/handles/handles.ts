/**
 * Handles by name: bodies, joints, actuators, sites and shapes of a simulation. Each is made once, stays valid, and reads the state as it is when
 * it is asked.
 */
import { actuatorForce } from '../forces/actuators.js'
import type { Vec } from '../math/types.js'
import { ACTUATOR_JOINT } from '../model/model.js'
import { type BodyContext, type BodyHandle, bodyHandle, type FrameHandle, frameHandle } from './body.js'
import { type JointHandle, jointHandle } from './joint.js'
import type { Look } from './look.js'
import { byName, roomFor } from './numbers.js'
import type { GivenGains, RunParameters } from './parameters.js'

export interface ActuatorHandle {
  readonly name: string
  /** place in `state.control` */
  readonly number: number
  /** lowest and highest control; infinite where the file has none */
  readonly range: readonly [number, number]
  /** name of the joint that it drives; undefined where it drives a tendon or pushes at a site */
  readonly joint: string | undefined
  /** the control as it is set */
  readonly target: number
  /** N m or N, at the state as it is */
  readonly force: number
  /** Sets the control, held to its range; returns what was set. */
  setTarget(target: number): number
  /** force = (gain · [1, length, velocity]) control + bias · [1, length, velocity]: 3 numbers each, to `out` where one is given */
  gain(out?: Vec): Vec
  bias(out?: Vec): Vec
  /**
   * Sets `{ kp, kv }` of a position servo, `{ kv }` of a velocity servo, or `{ gain, bias }` of any actuator but muscles; what is left out stays.
   * Allocates.
   */
  setGains(gains: GivenGains): void
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
  /** coefficients of sliding, torsional (m) and rolling (m) friction: 3 numbers, to `out` where one is given; of shapes that touch */
  friction(out?: Vec): Vec
  /**
   * Sets the coefficient of sliding friction, or all three. Of two shapes that touch the larger coefficient counts, unless one has the higher priority;
   * contact pairs have their own. Allocates.
   */
  setFriction(friction: number | ArrayLike<number>): void
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
  const { look, parameters } = context
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
      (j) => jointHandle(model, state, context.applied, j),
    ),
    actuator: byName(
      'actuator',
      () => model.actuators.names,
      (k, name) => actuatorHandle(look, parameters, k, name),
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
        friction(out) {
          const at = geoms.touching[k]
          if (at < 0) throw new RangeError(`friction of shape '${name}': it touches nothing`)
          return copied('friction', out, look.model.shapes.friction, 3 * at)
        },
        setFriction: (friction) => parameters.setFriction(k, friction),
      }),
    ),
  }
}

const found = new Float64Array(1)

/** out ← three numbers from[o …]. */
function copied(what: string, given: Vec | undefined, from: Vec, o: number): Vec {
  const out = roomFor(what, given, 3)
  for (let r = 0; r < 3; r++) out[r] = from[o + r]
  return out
}

function actuatorHandle(look: Look, parameters: RunParameters, k: number, name: string): ActuatorHandle {
  const { model: m, state } = look
  const { controlRange, kind, target } = m.actuators
  const range = [controlRange[2 * k], controlRange[2 * k + 1]] as const
  return {
    name,
    number: k,
    range,
    joint: kind[k] === ACTUATOR_JOINT ? m.joints[target[k]].name : undefined,
    get target() {
      return state.control[k]
    },
    get force() {
      actuatorForce(found, 0, look.model, look.data(), state, k)
      return found[0]
    },
    setTarget(target) {
      if (!Number.isFinite(target)) throw new RangeError(`target of actuator '${name}': expected a number, got ${target}`)
      state.control[k] = Math.min(Math.max(target, range[0]), range[1])
      return state.control[k]
    },
    gain: (out) => copied('gain', out, look.model.actuators.gain, 3 * k),
    bias: (out) => copied('bias', out, look.model.actuators.bias, 3 * k),
    setGains: (gains) => parameters.setGains(k, gains),
  }
}
