/**
 * Joints of a URDF. The child link's frame is the joint frame: its origin is the joint's, the axis is given in it.
 */

import type { ConstraintSpec, JointSpec, Vec3 } from '../../build/spec.js'
import { norm } from '../../math/own.js'
import { rotateVec, zAxisQuat } from '../pose.js'
import { addProblem, hasAttribute, markUsed, readString, suggestFor, type XmlElement } from '../xml.js'
import { ignore, ignoreElement, onlyChild, readScalar, readVector, type UrdfContext, type UrdfJoint } from './context.js'
import type { UrdfExtension } from './extension.js'

const types = ['revolute', 'continuous', 'prismatic', 'fixed', 'floating', 'planar', 'spherical']

/** The joint of the child body; undefined for fixed ones. */
export function readJoint(context: UrdfContext, joint: UrdfJoint, extension: UrdfExtension): JointSpec | undefined {
  const { element, type, name } = joint
  for (const [tag, why] of [
    ['safety_controller', 'limits of a controller, not of the mechanism'],
    ['calibration', 'for calibrating sensors, no part of the motion'],
    ['joint_properties', 'not part of URDF: damping and friction belong in <dynamics>'],
  ] as const) {
    for (const child of element.children) if (child.name === tag) ignoreElement(context, child, why)
  }
  if (!types.includes(type)) {
    addProblem(
      context.reader,
      element,
      `expected type ${types.join(', ')}, got '${type}'${suggestFor(context.reader, type, types)}`,
      'type',
    )
    return undefined
  }
  const axis = readAxis(context, joint)
  if (type === 'fixed') {
    for (const tag of ['limit', 'dynamics', 'mimic']) {
      const child = onlyChild(context, element, tag)
      if (child) ignoreElement(context, child, 'a fixed joint does not move')
    }
    return undefined
  }
  const common = { name, ...readDynamics(context, joint), ...readLimit(context, joint, extension) }
  switch (type) {
    case 'revolute':
    case 'continuous':
      return { ...common, type: 'revolute', axis }
    case 'prismatic':
      return { ...common, type: 'prismatic', axis }
    case 'planar': {
      // plane across the axis: x and y of the frame that the shortest turn of z onto the axis gives, as in MuJoCo
      const turn = zAxisQuat(axis)
      return { ...common, type: 'planar', axis: rotateVec(turn, [1, 0, 0]), axis2: rotateVec(turn, [0, 1, 0]) }
    }
    default:
      return { ...common, type: type === 'floating' ? 'free' : 'spherical' }
  }
}

/** Unit axis; x when none is given. */
function readAxis(context: UrdfContext, joint: UrdfJoint): Vec3 {
  const element = onlyChild(context, joint.element, 'axis')
  if (!element) return [1, 0, 0]
  const axis = readVector(context, element, 'xyz') ?? [1, 0, 0]
  const n = norm(axis)
  if (n > 1e-14) return [axis[0] / n, axis[1] / n, axis[2] / n]
  // fixed, floating and ball joints have no use for it
  if (['revolute', 'continuous', 'prismatic', 'planar'].includes(joint.type)) {
    addProblem(context.reader, element, `expected an axis of some length, got '${axis.join(' ')}'`, 'xyz')
  }
  return [1, 0, 0]
}

function readDynamics(context: UrdfContext, joint: UrdfJoint): Pick<JointSpec, 'damping' | 'friction'> {
  const element = onlyChild(context, joint.element, 'dynamics')
  if (!element) return {}
  const read = (name: string): number => {
    const value = readScalar(context, element, name) ?? 0
    if (value < 0) addProblem(context.reader, element, `expected a number of at least 0, got ${value}`, name)
    return value
  }
  const damping = read('damping')
  const friction = read('friction')
  return { ...(damping === 0 ? {} : { damping }), ...(friction === 0 ? {} : { friction }) }
}

function readLimit(
  context: UrdfContext,
  joint: UrdfJoint,
  extension: UrdfExtension,
): Pick<JointSpec, 'limits' | 'forceRange' | 'velocityLimit'> {
  const element = onlyChild(context, joint.element, 'limit')
  if (!element) return {}
  // "inf" is how some exporters say that there is no limit
  const read = (name: string): number | undefined => {
    const endless = /^\s*([+-]?)inf(inity)?\s*$/i.exec(element.attributes[name] ?? '')
    markUsed(context.reader, element, name)
    return endless ? (endless[1] === '-' ? -ENDLESS : ENDLESS) : readScalar(context, element, name)
  }
  const lower = read('lower')
  const upper = read('upper')
  const bound = (name: string): number => Math.abs(read(name) ?? 0) % ENDLESS
  const effort = bound('effort')
  const before = context.reader.problems.length
  let velocity = bound('velocity')
  const wrong = context.reader.problems[before]
  if (wrong) {
    // a speed binds no motion here, and MuJoCo does not look at it
    context.reader.problems.length = before
    velocity = 0
    ignore(context, element, `velocity limit of joint '${joint.name}'`, wrong.message)
  }
  markUsed(context.reader, element, 'acceleration')
  if (hasAttribute(element, 'acceleration')) ignore(context, element, 'limit acceleration', 'a wish of planners, no part of the mechanism')
  const limits = readRange(context, joint, element, lower, upper, extension)
  return {
    ...(limits === undefined ? {} : { limits }),
    ...(effort > 0 ? { forceRange: [-effort, effort] as const } : {}),
    ...(velocity > 0 ? { velocityLimit: velocity } : {}),
  }
}

/** stands for a side that is open, as in the reader of MJCF */
const ENDLESS = 1e10

/**
 * The range of a joint. One side alone makes the other 0, as the URDF specification has it; MuJoCo takes no range then, so it is listed.
 * So is whatever else MuJoCo holds a joint to and this does not.
 */
function readRange(
  context: UrdfContext,
  joint: UrdfJoint,
  element: XmlElement,
  lower: number | undefined,
  upper: number | undefined,
  extension: UrdfExtension,
): readonly [number, number] | undefined {
  if (lower === undefined && upper === undefined) return undefined
  const [low, high] = [lower ?? 0, upper ?? 0]
  const list = (why: string): void => ignore(context, element, `range of joint '${joint.name}'`, why)
  if (joint.type !== 'revolute' && joint.type !== 'prismatic') {
    // zeros and sides without end are what exporters write for "none"
    const none = (low === 0 && high === 0) || (low <= -ENDLESS && high >= ENDLESS)
    if (!none) list(`a ${joint.type} joint has no range in URDF: it moves freely${limitedByMujoco(joint, lower, upper)}`)
    return undefined
  }
  if (low <= -ENDLESS && high >= ENDLESS) return undefined
  if (!extension.autolimits) {
    list('compiler autolimits="false"; the joint moves freely')
    return undefined
  }
  if (!(low < high)) {
    list(`expected lower below upper, got ${low} and ${high}; the joint moves freely, as in MuJoCo`)
    return undefined
  }
  if (lower === undefined || upper === undefined) {
    const missing = lower === undefined ? 'lower' : 'upper'
    list(`${missing} is not given and counts as 0, as URDF says: held to ${low} … ${high}; MuJoCo holds the joint to nothing`)
  }
  return [Math.max(low, -ENDLESS), Math.min(high, ENDLESS)]
}

function limitedByMujoco(joint: UrdfJoint, lower: number | undefined, upper: number | undefined): string {
  const both = lower !== undefined && upper !== undefined && lower < upper
  if (!both || !['continuous', 'planar'].includes(joint.type)) return ''
  return joint.type === 'planar' ? '; MuJoCo holds its first coordinate to it' : '; MuJoCo holds it to the range all the same'
}

/** `<mimic>`: q = multiplier q(of) + offset. */
export function readMimic(context: UrdfContext, joint: UrdfJoint, joints: ReadonlyMap<string, UrdfJoint>): ConstraintSpec | undefined {
  if (joint.type === 'fixed') return undefined
  const element = onlyChild(context, joint.element, 'mimic')
  if (!element) return undefined
  const of = readString(context.reader, element, 'joint')?.trim() ?? ''
  const multiplier = readScalar(context, element, 'multiplier') ?? 1
  const offset = readScalar(context, element, 'offset') ?? 0
  if (of === '') {
    ignore(context, element, `mimic of joint '${joint.name}'`, 'affects motion: it names no joint to follow; the joint moves by itself')
    return undefined
  }
  const leader = joints.get(of)
  const scalar = (type: string): boolean => ['revolute', 'continuous', 'prismatic'].includes(type)
  if (!leader) {
    const why = `affects motion: expected the name of a joint, got '${of}'${suggestFor(context.reader, of, joints.keys())}; the joint moves by itself`
    ignore(context, element, `mimic of joint '${joint.name}'`, why)
  } else if (leader === joint) {
    addProblem(context.reader, element, `joint '${of}' cannot mimic itself`, 'joint')
  } else if (!scalar(joint.type) || !scalar(leader.type)) {
    const fixed = leader.type === 'fixed' ? leader : undefined
    ignore(
      context,
      element,
      `mimic of joint '${joint.name}'`,
      fixed ? `joint '${of}' is fixed` : 'only joints with one coordinate can follow each other',
    )
  } else {
    return { type: 'coupling', name: `${joint.name} mimics ${of}`, joint: joint.name, of, polynomial: [offset, multiplier] }
  }
  return undefined
}
