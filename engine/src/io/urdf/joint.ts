/**
 * Joints of a URDF. The child link's frame is the joint frame: its origin is the joint's, the axis is given in it.
 */
import type { ConstraintSpec, JointSpec, Vec3 } from '../../build/spec.js'
import { rotateVec, zAxisQuat } from '../mjcf/pose.js'
import { addProblem, hasAttribute, markUsed, suggest } from '../xml.js'
import { ignore, ignoreElement, onlyChild, readName, readScalar, readVector, type UrdfContext, type UrdfJoint } from './context.js'
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
    addProblem(context.reader, element, `expected type ${types.join(', ')}, got '${type}'${suggest(type, types)}`, 'type')
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
  const n = Math.hypot(...axis)
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
  const { reader } = context
  // "inf" is how some exporters say that there is no limit
  const read = (name: string): number | undefined => {
    const endless = /^\s*[+-]?inf(inity)?\s*$/i.test(element.attributes[name] ?? '')
    markUsed(reader, element, name)
    return endless ? undefined : readScalar(context, element, name)
  }
  const lower = read('lower')
  const upper = read('upper')
  const effort = Math.abs(read('effort') ?? 0)
  const velocity = Math.abs(read('velocity') ?? 0)
  markUsed(reader, element, 'acceleration')
  if (hasAttribute(element, 'acceleration')) ignore(context, element, 'limit acceleration', 'a wish of planners, no part of the mechanism')

  let limits: readonly [number, number] | undefined
  if (lower !== undefined || upper !== undefined) {
    const range = [lower ?? 0, upper ?? 0] as const
    const bounded = joint.type === 'revolute' || joint.type === 'prismatic'
    if (!bounded) {
      // zeros, or a turn and more, are what exporters write for "none"
      const none = (range[0] === 0 && range[1] === 0) || (joint.type === 'continuous' && range[1] - range[0] >= 6.28)
      if (!none) ignore(context, element, `limit lower and upper of joint '${joint.name}'`, `a ${joint.type} joint has no range`)
    } else if (range[0] < range[1] && extension.autolimits) limits = range
    else if (range[0] !== 0 || range[1] !== 0) {
      const why = extension.autolimits ? `expected lower below upper, got ${range.join(' and ')}` : 'compiler autolimits="false"'
      ignore(context, element, `range of joint '${joint.name}'`, `${why}; the joint moves freely`)
    }
  }
  return {
    ...(limits === undefined ? {} : { limits }),
    ...(effort > 0 ? { forceRange: [-effort, effort] as const } : {}),
    ...(velocity > 0 ? { velocityLimit: velocity } : {}),
  }
}

/** `<mimic>`: q = multiplier q(of) + offset. */
export function readMimic(context: UrdfContext, joint: UrdfJoint, joints: ReadonlyMap<string, UrdfJoint>): ConstraintSpec | undefined {
  if (joint.type === 'fixed') return undefined
  const element = onlyChild(context, joint.element, 'mimic')
  if (!element) return undefined
  const of = readName(context, element, 'joint')
  const multiplier = readScalar(context, element, 'multiplier') ?? 1
  const offset = readScalar(context, element, 'offset') ?? 0
  if (of === '') return undefined
  const leader = joints.get(of)
  const scalar = (type: string): boolean => ['revolute', 'continuous', 'prismatic'].includes(type)
  if (!leader) {
    const why = `affects motion: expected the name of a joint, got '${of}'${suggest(of, joints.keys())}; the joint moves by itself`
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
