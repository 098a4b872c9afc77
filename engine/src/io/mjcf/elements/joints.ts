/**
 * `joint` and `freejoint`. Angles follow `compiler angle`; limits follow `limited`, or the presence of a range (autolimits).
 */

import type { JointSpec, Vec3 } from '../../../build/spec.js'
import { norm } from '../../../math/own.js'
import { type Pose, rotateVec, scaleVec, transformPoint } from '../../pose.js'
import {
  addProblem,
  hasAttribute,
  readBoolean,
  readEnum,
  readNumber,
  readNumbers,
  readString,
  readVec3,
  type XmlElement,
} from '../../xml.js'
import { ignore, ignoreOf, LACKS_MOTION, type Scope } from '../syntax/context.js'
import { applySoftness, createRawSoftness, overlay, type RawSoftness, toSoftnessSpec } from './softness.js'

export type Tristate = 'false' | 'true' | 'auto'
export const TRISTATE: readonly Tristate[] = ['false', 'true', 'auto']

export interface RawJoint {
  type: 'free' | 'ball' | 'slide' | 'hinge'
  pos: Vec3
  axis: Vec3
  springdamper: [number, number]
  limited: Tristate
  range: [number, number]
  actfrclimited: Tristate
  actfrcrange: [number, number]
  actgravcomp: boolean
  /** linear, and MuJoCo's two polynomial coefficients */
  stiffness: number[]
  damping: number[]
  ref: number
  springref: number
  armature: number
  frictionloss: number
  margin: number
  limitSoftness: RawSoftness
  frictionSoftness: RawSoftness
}

/** A joint as compiled: in body axes, radians. */
export interface MjcfJoint {
  readonly name: string
  readonly named: boolean
  readonly element: XmlElement
  /** of names, in an attached model: a file that is attached twice has each element twice */
  readonly prefix: string
  readonly type: RawJoint['type']
  readonly pos: Vec3
  readonly axis: Vec3
  readonly ref: number
  readonly springref: number
  /** time constant and damping ratio, to be turned into the next two when the inertia is known; zero: not given */
  readonly springdamper: readonly [number, number]
  stiffness: number
  damping: number
  armature: number
  readonly limits: readonly [number, number] | undefined
  /** as written, whether it limits the joint or not; equal sides: none */
  readonly range: readonly [number, number]
  readonly forceRange: readonly [number, number] | undefined
  readonly friction: number
  readonly margin: number
  readonly limitSoftness: RawSoftness
  readonly frictionSoftness: RawSoftness
  readonly align: Tristate
  /** gravity compensation counts as actuation */
  readonly actgravcomp: boolean
}

/** the numbers of values in q and v */
export const JOINT_NQ = { free: 7, ball: 4, slide: 1, hinge: 1 } as const
export const JOINT_NV = { free: 6, ball: 3, slide: 1, hinge: 1 } as const

export function createRawJoint(): RawJoint {
  return {
    type: 'hinge',
    pos: [0, 0, 0],
    axis: [0, 0, 1],
    springdamper: [0, 0],
    limited: 'auto',
    range: [0, 0],
    actfrclimited: 'auto',
    actfrcrange: [0, 0],
    actgravcomp: false,
    stiffness: [0, 0, 0],
    damping: [0, 0, 0],
    ref: 0,
    springref: 0,
    armature: 0,
    frictionloss: 0,
    margin: 0,
    limitSoftness: createRawSoftness(),
    frictionSoftness: createRawSoftness(),
  }
}

export function applyJoint(scope: Scope, j: RawJoint, e: XmlElement): void {
  const { reader } = scope.shared
  j.type = readEnum(reader, e, 'type', ['free', 'ball', 'slide', 'hinge']) ?? j.type
  j.pos = readVec3(reader, e, 'pos') ?? j.pos
  j.axis = readVec3(reader, e, 'axis') ?? j.axis
  j.springdamper = readPair(scope, e, 'springdamper') ?? j.springdamper
  j.limited = readEnum(reader, e, 'limited', TRISTATE) ?? j.limited
  j.range = readPair(scope, e, 'range') ?? j.range
  j.actfrclimited = readEnum(reader, e, 'actuatorfrclimited', TRISTATE) ?? j.actfrclimited
  j.actfrcrange = readPair(scope, e, 'actuatorfrcrange') ?? j.actfrcrange
  j.actgravcomp = readBoolean(reader, e, 'actuatorgravcomp') ?? j.actgravcomp
  overlay(j.stiffness, readNumbers(reader, e, 'stiffness', 1, 3))
  overlay(j.damping, readNumbers(reader, e, 'damping', 1, 3))
  j.ref = readNumber(reader, e, 'ref') ?? j.ref
  j.springref = readNumber(reader, e, 'springref') ?? j.springref
  j.armature = readNumber(reader, e, 'armature') ?? j.armature
  j.frictionloss = readNumber(reader, e, 'frictionloss') ?? j.frictionloss
  j.margin = readNumber(reader, e, 'margin') ?? j.margin
  applySoftness(scope, j.limitSoftness, e, 'limit')
  applySoftness(scope, j.frictionSoftness, e, 'friction')
}

/** Two numbers; `inf` is MuJoCo's way to leave a side open, and becomes its largest value. */
export function readPair(scope: Scope, e: XmlElement, name: string): [number, number] | undefined {
  const text = e.attributes[name]
  if (text !== undefined && /\binf/i.test(text)) {
    readString(scope.shared.reader, e, name)
    const words = text.trim().split(/\s+/)
    const values = words.map((word) => (/^\+?inf(inity)?$/i.test(word) ? 1e10 : /^-inf(inity)?$/i.test(word) ? -1e10 : Number(word)))
    if (values.length === 2 && values.every((value) => Number.isFinite(value))) return values as [number, number]
    addProblem(scope.shared.reader, e, `expected 2 numbers, got '${text}'`, name)
    return undefined
  }
  const v = readNumbers(scope.shared.reader, e, name, 2)
  return v && [v[0] as number, v[1] as number]
}

/** Whether a range applies, by MuJoCo's rule for `limited="auto"`. A range that is neither on nor off is a problem. */
export function isLimited(scope: Scope, e: XmlElement, limited: Tristate, range: readonly [number, number], attribute: string): boolean {
  if (limited !== 'auto') return limited === 'true'
  const given = range[0] !== 0 || range[1] !== 0
  if (given && !scope.compiler.autolimits) {
    const message = 'the range has no effect with autolimits="false": set limited="true" or "false", or remove the range'
    addProblem(scope.shared.reader, e, message, attribute)
  }
  return range[0] < range[1]
}

export function compileFreeJoint(scope: Scope, e: XmlElement, name: string, named: boolean): MjcfJoint {
  const align = readEnum(scope.shared.reader, e, 'align', TRISTATE) ?? 'auto'
  const raw = createRawJoint()
  return { ...base(scope, e, name, named, { ...raw, type: 'free' }), align }
}

function base(scope: Scope, element: XmlElement, name: string, named: boolean, j: RawJoint): MjcfJoint {
  return {
    name,
    named,
    element,
    prefix: scope.prefix,
    type: j.type,
    pos: j.pos,
    axis: j.axis,
    ref: j.ref,
    springref: j.springref,
    springdamper: j.springdamper,
    stiffness: j.stiffness[0] as number,
    damping: j.damping[0] as number,
    armature: j.armature,
    limits: undefined,
    range: j.range,
    forceRange: undefined,
    friction: Math.max(0, j.frictionloss),
    margin: j.margin,
    limitSoftness: j.limitSoftness,
    frictionSoftness: j.frictionSoftness,
    align: 'auto',
    actgravcomp: j.actgravcomp,
  }
}

/** A joint in the frame of its body; `frame` is where the enclosing `frame` elements put it. */
export function compileJoint(scope: Scope, e: XmlElement, name: string, named: boolean, j: RawJoint, frame: Pose): MjcfJoint {
  const { shared, compiler } = scope
  const { reader } = shared
  const free = j.type === 'free'
  const angular = j.type === 'hinge' || j.type === 'ball'
  const unit = compiler.degree ? Math.PI / 180 : 1

  if (j.springdamper[0] !== 0 || j.springdamper[1] !== 0) {
    if (!(j.springdamper[0] > 0 && j.springdamper[1] > 0)) addProblem(reader, e, 'expected two positive numbers', 'springdamper')
  }
  if (j.armature < 0) addProblem(reader, e, `expected a number that is not negative, got '${j.armature}'`, 'armature')
  if (j.frictionloss < 0) ignoreOf(shared, e, 'joint', name, 'negative frictionloss', 'without effect, in MuJoCo as well')

  let limits: [number, number] | undefined
  if (free && j.limited === 'true')
    ignore(scope.shared, e, 'limited="true" of a free joint', 'a free joint has no range, in MuJoCo neither')
  if (!free && isLimited(scope, e, j.limited, j.range, 'range')) {
    limits = angular ? [j.range[0] * unit, j.range[1] * unit] : [...j.range]
    if (j.type === 'ball' ? j.range[0] !== 0 : j.range[0] >= j.range[1]) {
      const expected = j.type === 'ball' ? 'a range that starts at 0' : 'a lower limit below the upper one'
      addProblem(reader, e, `expected ${expected}, got '${j.range.join(' ')}'`, 'range')
    }
  }
  let forceRange: [number, number] | undefined
  if (!free && j.type !== 'ball' && isLimited(scope, e, j.actfrclimited, j.actfrcrange, 'actuatorfrcrange')) {
    forceRange = [...j.actfrcrange]
    if (j.actfrcrange[0] >= j.actfrcrange[1]) addProblem(reader, e, 'expected a lower bound below the upper one', 'actuatorfrcrange')
  }

  // axis and anchor move with the frame
  let axis: Vec3 = [0, 0, 1]
  if (!free && j.type !== 'ball') {
    const n = norm(j.axis)
    if (n < 1e-14) addProblem(reader, e, 'expected an axis of some length, got zero', 'axis')
    else axis = rotateVec(frame.quaternion, scaleVec(j.axis, 1 / n))
  }
  const pos: Vec3 = free ? [0, 0, 0] : transformPoint(frame, j.pos)

  for (const [what, polynomial] of [
    ['stiffness', j.stiffness],
    ['damping', j.damping],
  ] as const) {
    if (polynomial.slice(1).some((c) => c !== 0)) {
      ignoreOf(shared, e, 'joint', name, `terms of ${what} beyond the linear one`, LACKS_MOTION)
    }
  }
  const scalar = j.type === 'hinge' || j.type === 'slide'
  const k = j.type === 'hinge' ? unit : 1
  return {
    ...base(scope, e, name, named, j),
    pos,
    axis,
    ref: scalar ? j.ref * k : 0,
    springref: scalar ? j.springref * k : 0,
    limits,
    range: angular ? [j.range[0] * unit, j.range[1] * unit] : j.range,
    forceRange,
  }
}

const TYPES = { free: 'free', ball: 'spherical', slide: 'prismatic', hinge: 'revolute' } as const

export function toJointSpec(
  joint: MjcfJoint,
  flags: { spring: boolean; damper: boolean; limit: boolean; frictionloss: boolean },
): JointSpec {
  const scalar = joint.type === 'hinge' || joint.type === 'slide'
  const turned = (v: Vec3, standard: Vec3): boolean => v.some((x, k) => x !== standard[k])
  return {
    name: joint.name,
    type: TYPES[joint.type],
    ...(scalar && turned(joint.axis, [0, 0, 1]) ? { axis: joint.axis } : {}),
    ...(turned(joint.pos, [0, 0, 0]) ? { anchor: joint.pos } : {}),
    ...(scalar && joint.ref !== 0 ? { reference: joint.ref } : {}),
    ...(joint.stiffness !== 0 && flags.spring ? { stiffness: joint.stiffness } : {}),
    // stated whenever it differs: tendons take their rest lengths there even without a spring
    ...(scalar && joint.springref !== joint.ref ? { rest: joint.springref } : {}),
    ...(joint.damping !== 0 && flags.damper ? { damping: joint.damping } : {}),
    ...(joint.armature !== 0 ? { armature: joint.armature } : {}),
    ...(joint.limits && flags.limit
      ? {
          limits: joint.limits,
          ...(joint.margin !== 0 ? { limitMargin: joint.margin } : {}),
          limitSoftness: toSoftnessSpec(joint.limitSoftness),
        }
      : {}),
    ...(joint.friction !== 0 && flags.frictionloss
      ? { friction: joint.friction, frictionSoftness: toSoftnessSpec(joint.frictionSoftness) }
      : {}),
    ...(joint.forceRange ? { forceRange: joint.forceRange } : {}),
  }
}

/** name given in the file, if any */
export function writtenName(scope: Scope, e: XmlElement): string | undefined {
  const name = readString(scope.shared.reader, e, 'name')
  return name === undefined || name === '' || !hasAttribute(e, 'name') ? undefined : scope.prefix + name + scope.suffix
}
