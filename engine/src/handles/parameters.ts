/**
 * What a program changes of a model while it is simulated, checked and collected; `build/parameters` makes the model with it.
 */
import {
  changeFriction,
  changeGains,
  changeGravity,
  changeMass,
  frictionOf,
  gainsOf,
  type Parameters,
  packParameters,
  unpackParameters,
  withParameters,
} from '../build/parameters.js'
import { specOf } from '../build/spec-of.js'
import type { Vec } from '../math/types.js'
import type { Model } from '../model/model.js'
import { takeNumbers } from './numbers.js'

/** Gains of a servo, or gain and bias of any actuator: force = (gain · [1, length, velocity]) control + bias · [1, length, velocity]. */
export interface GivenGains {
  /** N m/rad or N/m: of a position servo */
  readonly kp?: number
  /** N m s/rad or N s/m: damping of a position servo, or gain of a velocity servo */
  readonly kv?: number
  readonly gain?: ArrayLike<number>
  readonly bias?: ArrayLike<number>
}

export interface RunParameters {
  setGravity(gravity: ArrayLike<number>): void
  /** of an entry of `model.geoms` */
  setFriction(geom: number, friction: number | ArrayLike<number>): void
  setMass(body: number, mass: number): void
  setGains(actuator: number, gains: GivenGains): void
  /** Takes over what is set within `changes` at its end; nothing where it throws. */
  together(changes: () => void): void
  /** All changes as numbers; empty where there are none. */
  pack(): Vec
  /** Whether such numbers are of this model. */
  fits(numbers: Vec): boolean
  /** Takes over packed changes in place of those there are; returns whether they are others. */
  unpack(numbers: Vec): boolean
}

/** `base`: the model as built. `follow` gets the model with each change, and may throw: then nothing has changed. */
export function createParameters(base: Model, follow: (model: Model) => void): RunParameters {
  let parameters: Parameters = new Map()
  let isCollecting = false
  const change = (next: Parameters): void => {
    if (!isCollecting) follow(withParameters(base, next))
    parameters = next
  }

  return {
    setGravity(given) {
      const gravity = new Float64Array(3)
      takeNumbers('setGravity', gravity, 0, given, 3)
      change(changeGravity(base, parameters, gravity))
    },

    setFriction(k, given) {
      const what = `setFriction of ${called(base.geoms.names[k])}`
      const at = base.geoms.touching[k]
      if (at < 0) throw new RangeError(`${what}: it touches nothing; leave out collide: false, or use another shape`)
      const friction = frictionOf(base, parameters, k).slice()
      // a number alone is sliding friction
      if (typeof given === 'number') takeNumbers(what, friction, 0, [given], 1)
      else takeNumbers(what, friction, 0, given, 3)
      const bad = friction.find((x) => x < 0)
      if (bad !== undefined) throw new RangeError(`${what}: expected no negative coefficient, got ${bad}`)
      change(changeFriction(base, parameters, k, friction))
    },

    setMass(i, mass) {
      const what = `setMass of body '${base.bodies[i].name}'`
      if (!(mass > 0 && Number.isFinite(mass))) throw new RangeError(`${what}: expected a positive number of kilograms, got ${mass}`)
      if (i === 0) throw new RangeError(`${what}: the world has no mass; name another body`)
      if (base.modes.row[i] >= 0)
        throw new RangeError(`${what}: it deforms, and its modes belong to its mass; build a model with another one`)
      if (!(base.inertia[10 * i] > 0))
        throw new RangeError(`${what}: it has no mass, so its shape is not known; give it an inertia, or a geom with a mass, in the spec`)
      const { pullsActive, pullsPassive } = base.actuators
      if (!specOf(base) && (pullsActive.includes(1) || pullsPassive.includes(1)))
        throw new RangeError(
          `${what}: forces of muscles depend on it, and this model is a copy that has lost its spec; use the model of buildModel`,
        )
      change(changeMass(base, parameters, i, mass))
    },

    setGains(k, given) {
      const gains = gainsOf(base, parameters, k).slice()
      takeGains(base, k, gains, given)
      change(changeGains(base, parameters, k, gains))
    },

    together(changes) {
      if (isCollecting) return changes()
      const before = parameters
      isCollecting = true
      try {
        changes()
        isCollecting = false
        if (parameters !== before) change(parameters)
      } catch (error) {
        parameters = before
        throw error
      } finally {
        isCollecting = false
      }
    },

    pack: () => packParameters(parameters),

    fits: (numbers) => unpackParameters(base, numbers) !== undefined,

    unpack(numbers) {
      const before = packParameters(parameters)
      const next = unpackParameters(base, numbers)
      if (next === undefined || (before.length === numbers.length && before.every((x, k) => Object.is(x, numbers[k])))) return false
      change(next)
      return true
    },
  }
}

/** Shapes without a name of their own are called what they are: `box 1 of body 'crate'`. */
function called(name: string): string {
  return name.includes("'") ? name : `shape '${name}'`
}

const KEYS: readonly string[] = ['kp', 'kv', 'gain', 'bias'] satisfies (keyof GivenGains)[]

/** gains (gain, bias) ← what is given; kp and kv by what the actuator is as built. */
function takeGains({ actuators }: Model, k: number, gains: Vec, given: GivenGains): void {
  const what = `setGains of actuator '${actuators.names[k]}'`
  const { kp, kv, gain, bias } = given
  const unknown = Object.keys(given).find((key) => !KEYS.includes(key))
  if (unknown !== undefined) throw new RangeError(`${what}: expected kp, kv, gain or bias, got '${unknown}'`)
  if (actuators.pullsActive[k] === 1 || actuators.pullsPassive[k] === 1)
    throw new RangeError(`${what}: it is a muscle, whose curves stand in place of gains; build a model with other curves`)
  const [g0, , , , b1, b2] = [...actuators.gain.subarray(3 * k, 3 * k + 3), ...actuators.bias.subarray(3 * k, 3 * k + 3)]
  const isPosition = b1 !== 0 && g0 === -b1
  const isVelocity = b1 === 0 && b2 !== 0 && g0 === -b2
  const take = (key: 'kp' | 'kv', x: number): number => {
    if (!Number.isFinite(x)) throw new RangeError(`${what}: expected a finite number for ${key}, got ${x}`)
    return x
  }
  if (kp !== undefined) {
    if (!isPosition) throw new RangeError(`${what}: kp is of position servos, and it is none; give gain and bias`)
    gains[0] = take('kp', kp)
    gains[4] = -kp
  }
  if (kv !== undefined) {
    if (!isPosition && !isVelocity)
      throw new RangeError(`${what}: kv is of position and velocity servos, and it is neither; give gain and bias`)
    gains[5] = -take('kv', kv)
    if (isVelocity) gains[0] = kv
  }
  if (gain !== undefined) takeNumbers(`gain in ${what}`, gains, 0, gain, 3)
  if (bias !== undefined) takeNumbers(`bias in ${what}`, gains, 3, bias, 3)
}
