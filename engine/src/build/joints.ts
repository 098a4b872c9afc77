/**
 * Joints of the Spec → numbers of the Model: types, constants, coordinates, springs, limits.
 */

import { AXIS_SIZE, setReference } from '../joints/axis.js'
import { jointTypes } from '../joints/index.js'
import type { JointType } from '../joints/joint-type.js'
import { hypot, norm, squared } from '../math/own.js'
import type { Vec } from '../math/types.js'
import type { JointInfo } from '../model/model.js'
import type { Modes } from '../model/modes.js'
import { modesOf } from './modes.js'
import type { Problems } from './problems.js'
import { createSoftness, type Softness, setSoftness } from './softness.js'
import type { JointSpec, Vec3 } from './spec.js'
import type { BodyTree } from './tree.js'

export interface BuiltJoints {
  readonly joints: readonly JointInfo[]
  readonly ij: Int32Array
  readonly ijEnd: Int32Array
  readonly iq: Int32Array
  readonly iqEnd: Int32Array
  readonly iv: Int32Array
  readonly ivEnd: Int32Array
  readonly id: Int32Array
  readonly velocityBody: Int32Array
  readonly jointType: Int32Array
  readonly jointBody: Int32Array
  readonly jointQ: Int32Array
  readonly jointV: Int32Array
  readonly jointStep: Int32Array
  readonly axis: Vec
  readonly together: Int32Array
  readonly q0: Vec
  readonly rest: Vec
  readonly stiffness: Vec
  readonly damping: Vec
  readonly armature: Vec
  readonly friction: Vec
  readonly frictionSoftness: Softness
  readonly limits: Vec
  readonly limitMargin: Vec
  readonly limitSoftness: Softness
  readonly dofRange: Vec
  readonly compensated: Int32Array
  /** joint number by name, and where its spec stands */
  readonly index: ReadonlyMap<string, number>
  readonly paths: readonly string[]
}

type Built = Omit<BuiltJoints, 'index' | 'joints'>

interface Entry {
  readonly spec: JointSpec
  readonly type: JointType
  readonly body: number
  readonly path: string
  readonly name: string
}

/** Numbers joints, and the modes after those of their body; writes `iq` and `iv` of the modes. */
export function buildJoints(tree: BodyTree, X_PJ: Vec, modes: Modes, problems: Problems): BuiltJoints {
  const entries = collect(tree, problems)
  const nbody = tree.bodies.length + 1
  const njoint = entries.length
  const count = (key: 'nq' | 'nv'): number => entries.reduce((sum, entry) => sum + entry.type[key], 0)
  const steps = entries.reduce((sum, entry) => sum + entry.type.steps.length, 0)
  const nq = count('nq') + modes.count
  const nv = count('nv') + modes.count
  const ints = (n: number): Int32Array => new Int32Array(n)
  const reals = (n: number): Vec => new Float64Array(n)
  const built = {
    joints: [] as JointInfo[],
    ij: ints(nbody),
    ijEnd: ints(nbody),
    iq: ints(nbody),
    iqEnd: ints(nbody),
    iv: ints(nbody),
    ivEnd: ints(nbody),
    id: ints(nbody + 1),
    velocityBody: ints(nv),
    jointType: ints(njoint),
    jointBody: ints(njoint),
    jointQ: ints(njoint),
    jointV: ints(njoint),
    jointStep: ints(njoint),
    axis: reals(AXIS_SIZE * steps),
    together: ints(nv),
    q0: reals(nq),
    rest: reals(nq),
    stiffness: reals(nv),
    damping: reals(nv),
    armature: reals(nv),
    friction: reals(nv),
    frictionSoftness: createSoftness(nv),
    limits: reals(2 * nv).map((_, k) => (k % 2 === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY)),
    limitMargin: reals(nv),
    limitSoftness: createSoftness(nv),
    compensated: ints(nv),
    dofRange: reals(2 * nv).map((_, k) => (k % 2 === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY)),
    index: new Map<string, number>(),
    paths: entries.map((entry) => entry.path),
  }

  let q = 0
  let v = 0
  let s = 0
  let j = 0
  for (const i of tree.bodyOrder.subarray(1)) {
    built.ij[i] = j
    built.iq[i] = q
    built.iv[i] = v
    for (; j < njoint && entries[j].body === i; j++) {
      const { name, type } = entries[j]
      built.jointType[j] = jointTypes.indexOf(type)
      built.jointBody[j] = i
      built.jointQ[j] = q
      built.jointV[j] = v
      built.jointStep[j] = s
      built.joints.push({ name, type: type.name, body: i, iq: q, nq: type.nq, iv: v, nv: type.nv })
      built.index.set(name, j)
      if (type.together) built.together.fill(1, v + 1, v + type.nv)
      compileJoint(entries[j], tree, modes.frame[i] < 0 ? X_PJ.slice(12 * i, 12 * i + 12) : IDENTITY, built, j, problems)
      q += type.nq
      v += type.nv
      s += type.steps.length
    }
    built.ijEnd[i] = j
    built.iqEnd[i] = q
    built.ivEnd[i] = v
    const n = modes.row[i]
    for (let l = 0; n >= 0 && l < modes.start[n + 1] - modes.start[n]; l++) {
      modes.iq[modes.start[n] + l] = q
      modes.iv[modes.start[n] + l] = v
      compileMode(tree, i, l, built, q++, v++, problems)
    }
    built.velocityBody.fill(i, built.iv[i], v)
  }
  for (const [n, i] of modes.bodies.entries()) {
    const name = `${tree.bodies[i - 1].spec.name}.modes`
    if (built.index.has(name)) {
      problems.add(`bodies/${tree.bodies[i - 1].at}/name`, `the modes of this body are called '${name}', as a joint is; rename one`)
    }
    const nv = modes.start[n + 1] - modes.start[n]
    built.joints.push({ name, type: 'modes', body: i, iq: modes.iq[modes.start[n]], nq: nv, iv: modes.iv[modes.start[n]], nv })
  }
  for (let i = 1; i < nbody; i++) built.id[i + 1] = built.id[i] + squared(built.ivEnd[i] - built.iv[i])
  return built
}

/** All joints in the order of the file, named and with a known type. */
function collect(tree: BodyTree, problems: Problems): Entry[] {
  const entries: Entry[] = []
  const names = new Map<string, string>()
  tree.bodyOrder.subarray(1).forEach((i) => {
    const { spec: body, at } = tree.bodies[i - 1]
    const joints = body.joints ?? []
    joints.forEach((spec, n) => {
      const path = `bodies/${at}/joints/${n}`
      const type = jointTypes.find((candidate) => candidate.name === spec.type)
      if (!type) {
        const known = jointTypes.map((candidate) => candidate.name)
        problems.add(`${path}/type`, `expected one of ${known.join(', ')}, got '${spec.type}'${problems.suggest(String(spec.type), known)}`)
        return
      }
      if (type.absolute && joints.length > 1) {
        problems.add(
          path,
          `expected a ${type.name} joint to be the only joint of body '${body.name}', got ${joints.length} joints; put the others on a child body`,
        )
      }
      const name = spec.name ?? (joints.length === 1 ? body.name : `${body.name}.${n}`)
      const earlier = names.get(name)
      if (earlier !== undefined)
        problems.add(`${path}/name`, `expected a unique name, got '${name}' again (first at ${earlier}); rename one`)
      names.set(name, path)
      entries.push({ spec, type, body: i, path, name })
    })
  })
  return entries
}

const IDENTITY = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)

function compileMode(tree: BodyTree, i: number, l: number, built: Built, iq: number, iv: number, problems: Problems): void {
  const mode = modesOf(tree.bodies[i - 1].spec)[l] ?? {}
  const path = `bodies/${tree.bodies[i - 1].at}/deformation/modes/${l}`
  built.rest[iq] = problems.number(`${path}/rest`, mode.rest ?? 0)
  built.q0[iq] = problems.number(`${path}/initial`, mode.initial ?? built.rest[iq])
  built.stiffness[iv] = problems.number(`${path}/stiffness`, mode.stiffness ?? 0, 'non-negative')
  built.damping[iv] = problems.number(`${path}/damping`, mode.damping ?? 0, 'non-negative')
}

/** `frame`: in which the body's first joint stands. */
function compileJoint(entry: Entry, tree: BodyTree, frame: Vec, built: Built, j: number, problems: Problems): void {
  const { spec, type, path } = entry
  const { nq, nv } = type
  const o = AXIS_SIZE * built.jointStep[j]
  const iq = built.jointQ[j]
  const iv = built.jointV[j]

  // geometry
  const axis = type.axes.length > 0 ? unit(problems, `${path}/axis`, spec.axis, type.axes[0]) : ([0, 0, 1] as const)
  const axis2 = type.axes.length > 1 ? unit(problems, `${path}/axis2`, spec.axis2, type.axes[1]) : ([0, 1, 0] as const)
  if (type.axes.length > 1) {
    const along = Math.abs(axis[0] * axis2[0] + axis[1] * axis2[1] + axis[2] * axis2[2])
    if (along > 1 - 1e-9)
      problems.add(`${path}/axis2`, 'expected an axis that is not parallel to the first one; give one at right angles to it')
  }
  const anchor = problems.vector(`${path}/anchor`, spec.anchor, 3, [0, 0, 0]) as Vec3
  const pitch = problems.number(`${path}/pitch`, spec.pitch ?? 0)
  if (pitch !== 0 && type.pitched !== true)
    problems.add(`${path}/pitch`, `a ${type.name} joint has no pitch; leave it out, or take a helical joint`)
  const frames = [iv === built.iv[entry.body] ? frame : IDENTITY, IDENTITY] as const
  type.compile(built.axis, o, { axis, axis2, anchor, pitch, frames })

  // coordinates: reference, start, rest
  const zeros = Array.from({ length: nq }, () => 0)
  let reference: readonly number[] = zeros
  if (type.linear) {
    reference = spread(problems, `${path}/reference`, spec.reference, nq, zeros)
    for (let k = 0; k < nq; k++) setReference(built.axis, o, k, reference[k])
  } else {
    if (spec.reference !== undefined) problems.add(`${path}/reference`, `a ${type.name} joint has no reference; turn the body instead`)
    reference = type.absolute ? bodyPose(tree, entry.body) : [1, 0, 0, 0]
  }
  const q0 = quatChecked(problems, type, `${path}/initial`, spread(problems, `${path}/initial`, spec.initial, nq, reference))
  const rest = quatChecked(problems, type, `${path}/rest`, spread(problems, `${path}/rest`, spec.rest, nq, reference))
  built.q0.set(q0, iq)
  built.rest.set(rest, iq)

  // numbers a velocity
  const each = (key: 'stiffness' | 'damping' | 'armature'): void => {
    const values = spread(
      problems,
      `${path}/${key}`,
      spec[key],
      nv,
      Array.from({ length: nv }, () => 0),
    )
    values.forEach((x, k) => {
      built[key][iv + k] = x < 0 ? problems.number(`${path}/${key}`, x, 'non-negative') : x
    })
  }
  each('stiffness')
  each('damping')
  each('armature')
  if (!type.linear && nv > 0) {
    const k = built.stiffness.subarray(iv, iv + nv)
    if (k.some((x) => x !== k[0]))
      problems.add(
        `${path}/stiffness`,
        `a ${type.name} joint takes one stiffness for all directions; give one number, or springs between bodies`,
      )
  }
  built.friction.fill(problems.number(`${path}/friction`, spec.friction ?? 0, 'non-negative'), iv, iv + nv)
  setSoftness(built.frictionSoftness, iv, spec.frictionSoftness, `${path}/frictionSoftness`, problems, nv)
  // a coordinate of its own, or the angle of a ball: poses in space have neither
  if (spec.limits !== undefined && (nv === 0 || type.absolute))
    problems.add(`${path}/limits`, `a ${type.name} joint has no limits; leave them out, or take a joint of another type`)
  range(problems, `${path}/limits`, spec.limits, built.limits, iv, nv)
  built.limitMargin.fill(problems.number(`${path}/limitMargin`, spec.limitMargin ?? 0, 'non-negative'), iv, iv + nv)
  setSoftness(built.limitSoftness, iv, spec.limitSoftness, `${path}/limitSoftness`, problems, nv)
  range(problems, `${path}/forceRange`, spec.forceRange, built.dofRange, iv, nv)
  if (spec.actuatorGravityCompensation && spec.forceRange) built.compensated.fill(1, iv, iv + nv)
}

/** The body's own pose as position and quaternion: where a free joint starts. What is wrong with it is said where poses are built. */
function bodyPose(tree: BodyTree, body: number): readonly number[] {
  const { position, quaternion } = tree.bodies[body - 1].spec
  const usable = (x: readonly number[] | undefined, n: number): boolean => Array.isArray(x) && x.length === n && norm(x) > 0
  return [...(position && usable(position, 3) ? position : [0, 0, 0]), ...(quaternion && usable(quaternion, 4) ? quaternion : [1, 0, 0, 0])]
}

function spread(
  problems: Problems,
  path: string,
  x: number | readonly number[] | undefined,
  n: number,
  fallback: readonly number[],
): readonly number[] {
  if (typeof x !== 'number') return problems.vector(path, x, n, fallback)
  const value = problems.number(path, x)
  return Array.from({ length: n }, () => value)
}

/** The last four of a quaternion joint's coordinates, made a unit. */
function quatChecked(problems: Problems, type: JointType, path: string, q: readonly number[]): readonly number[] {
  if (type.linear) return q
  const at = type.nq - 4
  const length = norm(q.slice(at))
  if (!(length > 1e-9)) {
    problems.add(path, 'expected a quaternion w x y z of length one, got zero; no turn is 1 0 0 0')
    return q
  }
  return q.map((x, k) => (k < at ? x : x / length))
}

function unit(problems: Problems, path: string, given: Vec3 | undefined, fallback: Vec3): Vec3 {
  const [x, y, z] = problems.vector(path, given, 3, fallback)
  const length = hypot(x, y, z)
  if (!(length > 1e-12)) {
    problems.add(path, 'expected an axis of non-zero length, got 0 0 0; give a direction such as 0 0 1')
    return fallback
  }
  return [x / length, y / length, z / length]
}

function range(problems: Problems, path: string, given: readonly number[] | undefined, out: Vec, iv: number, nv: number): void {
  if (given === undefined) return
  const [low, high] = given
  if (given.length !== 2 || Number.isNaN(low) || Number.isNaN(high) || low > high) {
    problems.add(path, `expected lower ≤ upper, got ${given.join(' ')}; swap them, or leave them out`)
    return
  }
  for (let k = 0; k < nv; k++) {
    out[2 * (iv + k)] = low
    out[2 * (iv + k) + 1] = high
  }
}

/** Turns of joints among coordinates from outside: a quaternion of zeros is none. */
export function checkQuaternions(built: BuiltJoints, q: readonly number[], path: string, problems: Problems): void {
  built.joints.forEach(({ name, iq, nq, nv }) => {
    if (nq !== nv + 1) return
    const [w, x, y, z] = q.slice(iq + nq - 4, iq + nq)
    if (w * w + x * x + y * y + z * z > 1e-18) return
    problems.add(`${path}/${iq + nq - 4}`, `expected a quaternion w x y z of joint '${name}', got all zeros; no turn is 1 0 0 0`)
  })
}
