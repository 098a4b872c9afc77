/**
 * Actuators as compiled: what they do even without control (armature, damping) goes to their joints and tendons; the rest
 * becomes an `ActuatorSpec`, or an entry in the list of what was left out.
 */
import type { ActuatorSpec, DynamicsSpec, MuscleCurveSpec, MuscleSpec, Vec3 } from '../../../build/spec.js'
import { addProblem, markUsed } from '../../xml.js'
import type { MjcfActuator } from '../elements/actuators.js'
import { isLimited, type MjcfJoint } from '../elements/joints.js'
import type { MjcfTendon } from '../elements/tendons.js'
import { ACTUATION_ONLY, ignoreOf, LACKS_MOTION } from '../syntax/context.js'
import { lookUp } from '../syntax/references.js'
import { diagonalOf, type ReferenceInertia, referenceInertia } from './reference-pose.js'
import type { MjcfSite, Tree } from './tree.js'

interface Target {
  readonly joint: MjcfJoint | undefined
  readonly tendon: MjcfTendon | undefined
  readonly site: MjcfSite | undefined
  readonly inParent: boolean
}

function targetOf(tree: Tree, actuator: MjcfActuator): Target {
  const { element: e, scope } = actuator
  const joint = (attribute: string): MjcfJoint | undefined =>
    lookUp<{ joint: MjcfJoint }>(tree, scope, 'joint', e, attribute, scope.suffix)?.joint
  const inParent = joint('jointinparent')
  return {
    joint: joint('joint') ?? inParent,
    tendon: lookUp<MjcfTendon>(tree, scope, 'tendon', e, 'tendon', scope.suffix),
    site: lookUp<MjcfSite>(tree, scope, 'site', e, 'site', scope.suffix),
    inParent: inParent !== undefined,
  }
}

/**
 * Adds the armature, or the damping, of actuators to what they drive, reflected by the gear: MuJoCo counts both with actuation off,
 * too. Armature comes first: springs and dampers given by time constants depend on it, and replace the joint's own damping.
 */
export function addPassivePart(tree: Tree, actuators: readonly MjcfActuator[], part: 'armature' | 'damping'): void {
  for (const actuator of actuators) {
    const { raw, element: e, scope } = actuator
    if (part === 'damping' && raw.damping.slice(1).some((c) => c !== 0)) {
      ignoreOf(scope.shared, e, kindOf(actuator), nameOf(actuator), 'terms of damping beyond the linear one', LACKS_MOTION)
    }
    const value = part === 'armature' ? raw.armature : (raw.damping[0] as number)
    if (value === 0) continue
    const { joint, tendon } = targetOf(tree, actuator)
    const g = raw.gear[0] as number
    const driven = joint && (joint.type === 'hinge' || joint.type === 'slide') ? joint : tendon
    if (driven) driven[part] += g * g * value
    else {
      const what = `${part} of an actuator that drives neither a scalar joint nor a tendon`
      ignoreOf(scope.shared, e, kindOf(actuator), nameOf(actuator), what, LACKS_MOTION)
    }
  }
}

function kindOf(actuator: MjcfActuator): string {
  return `actuator ${actuator.element.name}`
}

function nameOf(actuator: MjcfActuator): string {
  return actuator.name ?? ''
}

/** One entry per actuator of the file; undefined where it was left out. */
export function makeActuatorSpecs(
  tree: Tree,
  actuators: readonly MjcfActuator[],
  tendons: readonly MjcfTendon[],
): (ActuatorSpec | undefined)[] {
  let reference: ReferenceInertia | undefined
  const inertia = (): ReferenceInertia => {
    reference ??= referenceInertia(tree, tendons)
    return reference
  }
  return actuators.map((actuator) => makeSpec(tree, actuator, inertia))
}

function makeSpec(tree: Tree, actuator: MjcfActuator, inertia: () => ReferenceInertia): ActuatorSpec | undefined {
  const { element: e, raw, scope } = actuator
  const { shared } = scope
  const { reader } = shared
  const drop = (what: string): undefined => {
    for (const name of Object.keys(e.attributes)) markUsed(reader, e, name)
    shared.skipped.add(e)
    ignoreOf(shared, e, kindOf(actuator), nameOf(actuator), what, ACTUATION_ONLY)
    return undefined
  }
  if (e.name === 'adhesion' || e.name === 'plugin') return drop('')
  const supported =
    raw.dyntype in DYNAMICS && ['fixed', 'affine', 'muscle'].includes(raw.gaintype) && ['none', 'affine', 'muscle'].includes(raw.biastype)
  if (!supported) return drop('its law of force')
  for (const attribute of ['refsite', 'cranksite', 'body']) {
    if (e.attributes[attribute] !== undefined) return drop(`transmission by ${attribute}`)
  }
  const target = targetOf(tree, actuator)
  const gear = gearOf(target, raw.gear)
  if (!gear) return drop('force on this kind of joint')

  // limits, perhaps those of the joint
  let { ctrlrange, actrange } = raw
  if (raw.inheritrange > 0) {
    // of a joint that it does not limit, too
    const range = target.joint ? target.joint.range : target.tendon?.raw.range
    if (!range || range[0] === range[1]) addProblem(reader, e, 'inheritrange needs a joint or tendon with a range', 'inheritrange')
    else {
      const middle = (range[0] + range[1]) / 2
      const half = (raw.inheritrange * (range[1] - range[0])) / 2
      if (e.name === 'intvelocity') actrange = [middle - half, middle + half]
      else ctrlrange = [middle - half, middle + half]
    }
  }
  const controls = isLimited(scope, e, raw.ctrllimited, ctrlrange, 'ctrlrange')
  const forces = isLimited(scope, e, raw.forcelimited, raw.forcerange, 'forcerange')
  const acts = isLimited(scope, e, raw.actlimited, actrange, 'actrange')
  for (const [on, range, attribute] of [
    [controls, ctrlrange, 'ctrlrange'],
    [forces, raw.forcerange, 'forcerange'],
    [acts, actrange, 'actrange'],
  ] as const) {
    if (on && range[0] >= range[1]) addProblem(reader, e, `expected a lower bound below the upper one, got '${range.join(' ')}'`, attribute)
  }

  const [g0, g1, g2] = raw.gainprm as [number, number, number]
  const gain: Vec3 = raw.gaintype === 'fixed' ? [g0, 0, 0] : [g0, g1, g2]
  let bias: Vec3 = [0, 0, 0]
  if (raw.biastype === 'affine') {
    bias = [raw.biasprm[0] as number, raw.biasprm[1] as number, raw.biasprm[2] as number]
    // a positive rate of a position servo is a damping ratio
    if (bias[2] > 0 && raw.gaintype === 'fixed' && g0 === -bias[1]) {
      const mass = reflectedMass(target, raw.gear[0] as number, inertia)
      if (mass === undefined) return drop('damping ratio over a spatial tendon')
      bias = [bias[0], bias[1], -bias[2] * 2 * Math.sqrt(g0 * mass)]
    }
  }
  const type = DYNAMICS[raw.dyntype]
  const dynamics: DynamicsSpec | undefined = type && {
    type,
    ...(type === 'integrator' ? {} : { time: type === 'muscle' ? (raw.dynprm.slice(0, 3) as unknown as Vec3) : (raw.dynprm[0] as number) }),
    ...(acts ? { range: actrange } : {}),
    ...(raw.actearly ? { early: true } : {}),
  }
  const pulls = raw.gaintype === 'muscle' || raw.biastype === 'muscle'
  const lengthRange = pulls ? lengthRangeOf(actuator, target) : undefined
  if (pulls && !lengthRange) return drop('a muscle without lengthrange, on something without limits')
  const muscle: MuscleSpec | undefined = lengthRange && {
    lengthRange,
    ...(raw.gaintype === 'muscle' ? { active: curveOf(raw.gainprm) } : {}),
    ...(raw.biastype === 'muscle' ? { passive: curveOf(raw.biasprm) } : {}),
  }
  return {
    ...(actuator.name === undefined ? {} : { name: actuator.name }),
    ...(target.joint ? { joint: target.joint.name } : {}),
    ...(target.tendon ? { tendon: target.tendon.name } : {}),
    ...(target.site ? { site: target.site.name } : {}),
    ...(gear.length === 1 && gear[0] === 1 ? {} : { gear }),
    ...(muscle?.active ? {} : { gain }),
    ...(muscle ? { muscle } : {}),
    ...(bias.some((x) => x !== 0) ? { bias } : {}),
    ...(dynamics ? { dynamics } : {}),
    ...(controls ? { controlRange: ctrlrange } : {}),
    ...(forces ? { forceRange: raw.forcerange } : {}),
  }
}

const DYNAMICS: Readonly<Record<string, DynamicsSpec['type'] | undefined>> = {
  none: undefined,
  integrator: 'integrator',
  filter: 'filter',
  filterexact: 'filterexact',
  muscle: 'muscle',
}

/** As written; else between the limits of what the muscle pulls at, near which MuJoCo's own search ends. */
function lengthRangeOf({ raw, element: e, scope, name }: MjcfActuator, { joint, tendon }: Target): readonly [number, number] | undefined {
  if (raw.lengthrange[0] < raw.lengthrange[1]) return raw.lengthrange
  const limits = joint ? joint.limits : tendon?.limits
  if (!limits) return undefined
  const why = 'MuJoCo finds it by pulling at the model; here it is that of the limits: write lengthrange="…" for the same numbers'
  ignoreOf(scope.shared, e, 'actuator muscle', name ?? '', 'its range of lengths', why)
  const ends = [limits[0] * (raw.gear[0] as number), limits[1] * (raw.gear[0] as number)]
  return [Math.min(...ends), Math.max(...ends)]
}

function curveOf(prm: readonly number[]): MuscleCurveSpec {
  const [low, high, force, scale, lmin, lmax, vmax, fpmax, fvmax] = prm as [number, number, ...number[]]
  return { range: [low, high], force, scale, lmin, lmax, vmax, fpmax, fvmax } as MuscleCurveSpec
}

/** Gear in the order of the target's own velocities; undefined where none says the same. */
function gearOf(target: Target, gear: readonly number[]): number[] | undefined {
  if (target.site) return [...gear]
  if (target.tendon) return [gear[0] as number]
  switch (target.joint?.type) {
    case 'hinge':
    case 'slide':
      return [gear[0] as number]
    case 'ball':
      return target.inParent ? undefined : gear.slice(0, 3)
    case 'free': {
      // forces along world axes have no constant counterpart in body axes
      const torque = gear.slice(3)
      if (gear.slice(0, 3).some((x) => x !== 0) || (target.inParent && torque.some((x) => x !== 0))) return undefined
      return [...torque, 0, 0, 0]
    }
    default:
      return undefined
  }
}

/** Inertia that a servo feels: Σ over its degrees of freedom of M_kk / moment². */
function reflectedMass(target: Target, gear: number, inertia: () => ReferenceInertia): number | undefined {
  const parts = target.joint ? [{ joint: target.joint, coefficient: 1 }] : target.tendon?.joints
  if (!parts) return undefined
  let mass = 0
  for (const { joint, coefficient } of parts) {
    const moment = gear * coefficient
    if (Math.abs(moment) < 1e-15) continue
    for (const m of diagonalOf(inertia(), joint)) mass += m / (moment * moment)
  }
  return mass
}
