/**
 * `option`: gravity, medium, time step, and the flags that switch forces off.
 */
import type { SoftFrictionSpec, Vec3 } from '../../../build/spec.js'
import { addProblem, readEnum, readNumber, readVec3, type XmlElement } from '../../xml.js'
import { ACTUATION_ONLY, CONTACT_ONLY, ignore, LACKS_MOTION, type Shared, SOLVER_ONLY, STEPPING_ONLY } from '../syntax/context.js'

export interface Options {
  gravity: Vec3
  wind: Vec3
  density: number
  viscosity: number
  magnetic: Vec3
  timestep: number | undefined
  softFriction: SoftFrictionSpec
  readonly off: Set<string>
}

export function defaultOptions(): Options {
  return {
    ...{ gravity: [0, 0, -9.81], wind: [0, 0, 0], density: 0, viscosity: 0, magnetic: [0, -0.5, 0] },
    ...{ timestep: undefined, softFriction: {}, off: new Set() },
  }
}

/** flags that the result takes over */
const FLAGS = ['constraint', 'equality', 'frictionloss', 'limit', 'contact', 'spring', 'damper', 'gravity', 'actuation'] as const

/** the other flags, by what they are about */
const FLAGS_LEFT: readonly (readonly [why: string, names: readonly string[]])[] = [
  [SOLVER_ONLY, ['warmstart', 'refsafe', 'island', 'diagexact']],
  [CONTACT_ONLY, ['filterparent', 'midphase', 'nativeccd', 'multiccd', 'override', 'ipc']],
  [STEPPING_ONLY, ['sensor', 'eulerdamp', 'autoreset', 'energy', 'fwdinv', 'invdiscrete', 'sleep']],
  [ACTUATION_ONLY, ['clampctrl']],
]

const SWITCH = ['enable', 'disable'] as const
const CONES = ['pyramidal', 'elliptic'] as const
const INTEGRATORS = ['Euler', 'RK4', 'implicit', 'implicitfast', 'discrete'] as const

export function readOption(shared: Shared, e: XmlElement, o: Options): void {
  const { reader } = shared
  o.gravity = readVec3(reader, e, 'gravity') ?? o.gravity
  o.wind = readVec3(reader, e, 'wind') ?? o.wind
  o.magnetic = readVec3(reader, e, 'magnetic') ?? o.magnetic
  o.density = readNumber(reader, e, 'density') ?? o.density
  o.viscosity = readNumber(reader, e, 'viscosity') ?? o.viscosity
  const timestep = readNumber(reader, e, 'timestep')
  if (timestep !== undefined) {
    if (timestep > 0) o.timestep = timestep
    else addProblem(reader, e, `expected a positive time step, got '${timestep}'`, 'timestep')
  }
  o.softFriction = readSoftFriction(shared, e, o.softFriction)
  const integrator = readEnum(reader, e, 'integrator', INTEGRATORS)
  if (integrator === 'discrete') {
    const why = `${LACKS_MOTION}: MuJoCo's accelerations are then means over one implicit step, here they are those of the instant`
    ignore(shared, e, "option integrator='discrete'", why)
  } else if (integrator) ignore(shared, e, `option integrator='${integrator}'`, STEPPING_ONLY)
  for (const name of ['density', 'viscosity'] as const) {
    if (o[name] < 0) addProblem(reader, e, `expected a ${name} that is not negative, got '${o[name]}'`, name)
  }
  for (const flag of e.children) {
    if (!shared.known.has(flag)) continue
    for (const name of FLAGS) {
      const word = readEnum(reader, flag, name, SWITCH)
      if (word === 'disable') o.off.add(name)
      else if (word === 'enable') o.off.delete(name)
    }
    for (const [why, names] of FLAGS_LEFT) {
      for (const name of names) if (readEnum(reader, flag, name, SWITCH)) ignore(shared, flag, `option flag ${name}`, why)
    }
  }
}

function readSoftFriction({ reader }: Shared, e: XmlElement, before: SoftFrictionSpec): SoftFrictionSpec {
  const cone = readEnum(reader, e, 'cone', CONES)
  const impratio = readNumber(reader, e, 'impratio')
  const noslip = readNumber(reader, e, 'noslip_iterations')
  if (impratio !== undefined && !(impratio > 0)) addProblem(reader, e, `expected a positive ratio, got '${impratio}'`, 'impratio')
  return {
    ...before,
    ...(cone && { cone }),
    ...(impratio !== undefined && impratio > 0 && { impratio }),
    ...(noslip !== undefined && { noslip: noslip > 0 }),
  }
}

/** With springs and dampers both off MuJoCo computes no passive force at all: no medium, no gravity compensation. */
export function passiveOff(o: Options): boolean {
  return o.off.has('spring') && o.off.has('damper')
}

export function hasMedium(o: Options): boolean {
  return !passiveOff(o) && (o.density > 0 || o.viscosity > 0)
}
