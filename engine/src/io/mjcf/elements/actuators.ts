/**
 * `actuator`. Every tag is a short way to write `general`; a default written with one tag is the start for the others, so all
 * apply to one set of parameters, in order.
 */
import { addProblem, hasAttribute, readBoolean, readEnum, readNumber, readNumbers, readVec3, type XmlElement } from '../../xml.js'
import { register, type Tree } from '../compile/tree.js'
import { classOf, type DefaultClass, fromClass, mainClass } from '../syntax/classes.js'
import type { Scope } from '../syntax/context.js'
import { instancesOf, type Reference } from '../syntax/references.js'
import { readPair, TRISTATE, type Tristate, writtenName } from './joints.js'
import { overlay } from './softness.js'

const DYNAMICS = ['none', 'integrator', 'filter', 'filterexact', 'muscle', 'dcmotor', 'pid', 'user'] as const
const GAINS = ['fixed', 'affine', 'muscle', 'dcmotor', 'so3', 'pid', 'user'] as const
const BIASES = ['none', 'affine', 'muscle', 'dcmotor', 'so3', 'user'] as const

export interface RawActuator {
  dyntype: (typeof DYNAMICS)[number]
  gaintype: (typeof GAINS)[number]
  biastype: (typeof BIASES)[number]
  dynprm: number[]
  gainprm: number[]
  biasprm: number[]
  gear: number[]
  ctrllimited: Tristate
  ctrlrange: [number, number]
  forcelimited: Tristate
  forcerange: [number, number]
  actlimited: Tristate
  actrange: [number, number]
  damping: number[]
  armature: number
  inheritrange: number
  actearly: boolean
  lengthrange: [number, number]
}

export interface MjcfActuator {
  readonly element: XmlElement
  readonly name: string | undefined
  readonly raw: RawActuator
  /** with the suffix of its replica */
  readonly scope: Scope
}

const zeros = (): number[] => new Array<number>(10).fill(0)
const unit = (): number[] => [1, ...new Array<number>(9).fill(0)]

function createRaw(): RawActuator {
  return {
    dyntype: 'none',
    gaintype: 'fixed',
    biastype: 'none',
    dynprm: unit(),
    gainprm: unit(),
    biasprm: zeros(),
    gear: [1, 0, 0, 0, 0, 0],
    ctrllimited: 'auto',
    ctrlrange: [0, 0],
    forcelimited: 'auto',
    forcerange: [0, 0],
    actlimited: 'auto',
    actrange: [0, 0],
    damping: [0, 0, 0],
    armature: 0,
    inheritrange: 0,
    actearly: false,
    lengthrange: [0, 0],
  }
}

function apply(scope: Scope, a: RawActuator, e: XmlElement): void {
  const { reader } = scope.shared
  const number = (name: string): number | undefined => readNumber(reader, e, name)
  a.ctrllimited = readEnum(reader, e, 'ctrllimited', TRISTATE) ?? a.ctrllimited
  a.ctrlrange = readPair(scope, e, 'ctrlrange') ?? a.ctrlrange
  a.forcelimited = readEnum(reader, e, 'forcelimited', TRISTATE) ?? a.forcelimited
  a.forcerange = readPair(scope, e, 'forcerange') ?? a.forcerange
  a.actlimited = readEnum(reader, e, 'actlimited', TRISTATE) ?? a.actlimited
  a.actrange = readPair(scope, e, 'actrange') ?? a.actrange
  overlay(a.gear, readNumbers(reader, e, 'gear', 1, 6))
  overlay(a.damping, readNumbers(reader, e, 'damping', 1, 3))
  a.armature = number('armature') ?? a.armature
  a.inheritrange = number('inheritrange') ?? a.inheritrange
  a.actearly = readBoolean(reader, e, 'actearly') ?? a.actearly
  a.lengthrange = readPair(scope, e, 'lengthrange') ?? a.lengthrange
  if (a.inheritrange < 0) addProblem(reader, e, 'expected a number that is not negative', 'inheritrange')

  switch (e.name) {
    case 'general':
    case 'plugin':
      a.dyntype = readEnum(reader, e, 'dyntype', DYNAMICS) ?? a.dyntype
      a.gaintype = readEnum(reader, e, 'gaintype', GAINS) ?? a.gaintype
      a.biastype = readEnum(reader, e, 'biastype', BIASES) ?? a.biastype
      overlay(a.dynprm, readNumbers(reader, e, 'dynprm', 1, 10))
      overlay(a.gainprm, readNumbers(reader, e, 'gainprm', 1, 10))
      overlay(a.biasprm, readNumbers(reader, e, 'biasprm', 1, 10))
      break
    case 'motor':
      a.gainprm = unit()
      a.dyntype = 'none'
      a.gaintype = 'fixed'
      a.biastype = 'none'
      break
    case 'position':
    case 'intvelocity': {
      const kp = number('kp') ?? (a.gainprm[0] as number)
      const kv = number('kv')
      const dampratio = number('dampratio')
      if (kv !== undefined && dampratio !== undefined) addProblem(reader, e, 'expected either kv or dampratio, got both', 'dampratio')
      for (const [name, value] of [
        ['kv', kv],
        ['dampratio', dampratio],
      ] as const) {
        if (value !== undefined && value < 0) addProblem(reader, e, `expected a number that is not negative, got '${value}'`, name)
      }
      a.gainprm[0] = kp
      a.biasprm[1] = -kp
      if (kv !== undefined) a.biasprm[2] = -kv
      if (dampratio !== undefined) a.biasprm[2] = dampratio
      a.gaintype = 'fixed'
      a.biastype = 'affine'
      if (e.name === 'intvelocity') {
        a.dyntype = 'integrator'
        a.actlimited = 'true'
      } else {
        const time = number('timeconst')
        if (time !== undefined) {
          if (time < 0) addProblem(reader, e, `expected a time that is not negative, got '${time}'`, 'timeconst')
          a.dynprm[0] = time
          a.dyntype = time > 0 ? 'filterexact' : 'none'
        }
      }
      break
    }
    case 'velocity': {
      const kv = number('kv') ?? (a.gainprm[0] as number)
      a.gainprm = zeros()
      a.gainprm[0] = kv
      a.biasprm = zeros()
      a.biasprm[2] = -kv
      a.dyntype = 'none'
      a.gaintype = 'fixed'
      a.biastype = 'affine'
      break
    }
    case 'damper': {
      const kv = number('kv') ?? 0
      if (kv < 0) addProblem(reader, e, `expected a number that is not negative, got '${kv}'`, 'kv')
      a.gainprm = zeros()
      a.gainprm[2] = -kv
      a.biasprm = zeros()
      a.ctrllimited = 'true'
      a.dyntype = 'none'
      a.gaintype = 'affine'
      a.biastype = 'none'
      break
    }
    case 'cylinder': {
      a.dynprm[0] = number('timeconst') ?? (a.dynprm[0] as number)
      overlay(a.biasprm, readVec3(reader, e, 'bias'))
      a.gainprm[0] = number('area') ?? (a.gainprm[0] as number)
      const diameter = number('diameter')
      if (diameter !== undefined) a.gainprm[0] = (Math.PI / 4) * diameter * diameter
      a.dyntype = 'filter'
      a.gaintype = 'fixed'
      a.biastype = 'affine'
      break
    }
    case 'muscle':
      applyMuscle(a, e, scope)
      a.dyntype = 'muscle'
      a.gaintype = 'muscle'
      a.biastype = 'muscle'
      break
    default:
      // adhesion, dcmotor, pid, orientation: only what they share with the others is of use here
      a.gaintype = 'user'
  }
}

/** What a muscle has where the file says nothing, in the order of gainprm; numbers of other actuators stand for nothing said. */
const MUSCLE = [0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2] as const

function applyMuscle(a: RawActuator, e: XmlElement, scope: Scope): void {
  const { reader } = scope.shared
  const fill = (prm: number[], start: readonly number[], values: readonly number[]): void => {
    for (const [k, value] of values.entries()) if (prm[k] === start[k]) prm[k] = value
  }
  fill(a.dynprm, unit(), [0.01, 0.04])
  fill(a.gainprm, unit(), MUSCLE)
  overlay(a.dynprm, readNumbers(reader, e, 'timeconst', 1, 2))
  a.dynprm[2] = readNumber(reader, e, 'tausmooth') ?? (a.dynprm[2] as number)
  overlay(a.gainprm, readNumbers(reader, e, 'range', 1, 2))
  for (const [k, name] of ['force', 'scale', 'lmin', 'lmax', 'vmax', 'fpmax', 'fvmax'].entries())
    a.gainprm[2 + k] = readNumber(reader, e, name) ?? (a.gainprm[2 + k] as number)
  for (const [k, name] of ['timeconst', 'timeconst', 'tausmooth'].entries())
    if ((a.dynprm[k] as number) < 0) addProblem(reader, e, 'expected a time that is not negative', name)
  a.biasprm = [...a.gainprm]
}

export function actuatorDefaults(scope: Scope, cls: DefaultClass): RawActuator {
  return fromClass(cls, 'actuator', createRaw, (a, from) => apply(scope, a, from))
}

const REFERENCES: readonly (readonly [Reference['kind'], string])[] = [
  ['joint', 'joint'],
  ['joint', 'jointinparent'],
  ['tendon', 'tendon'],
  ['site', 'site'],
  ['site', 'refsite'],
  ['site', 'slidersite'],
  ['site', 'cranksite'],
  ['body', 'body'],
]

export function readActuators(tree: Tree, scope: Scope, section: XmlElement): MjcfActuator[] {
  const actuators: MjcfActuator[] = []
  for (const e of section.children) {
    if (!scope.shared.known.has(e)) continue
    const raw = actuatorDefaults(scope, classOf(scope, e, mainClass(scope)))
    apply(scope, raw, e)
    const references = REFERENCES.map(([kind, attribute]) => ({ kind, attribute, element: e }))
    const targets = ['joint', 'jointinparent', 'tendon', 'site', 'cranksite', 'body'].filter((name) => hasAttribute(e, name))
    if (targets.length !== 1) {
      const got = targets.length === 0 ? 'none' : targets.join(' and ')
      addProblem(scope.shared.reader, e, `an actuator needs one target (joint, tendon, site…), got ${got}`)
      continue
    }
    for (const suffix of instancesOf(tree, scope, e, references)) {
      const inner = { ...scope, suffix }
      const name = writtenName(inner, e)
      register(tree, inner, 'actuator', e, name, e)
      actuators.push({ element: e, name, raw, scope: inner })
    }
  }
  return actuators
}
