/**
 * Constraints of the Spec → arrays of the Model. What the spec leaves to the start (relative poses, distances) is measured afterwards, by
 * `measureConstraints`, when the kinematics can run.
 */

import { pointPosition } from '../forces/points.js'
import { tendonLength } from '../forces/tendons.js'
import { jointTypes, neutral } from '../joints/index.js'
import { hypot, norm, squared } from '../math/own.js'
import type { Vec } from '../math/types.js'
import {
  CONSTRAINT_COUPLING,
  CONSTRAINT_DISTANCE,
  CONSTRAINT_HINGE,
  CONSTRAINT_MOTION,
  CONSTRAINT_PLACE,
  CONSTRAINT_PLANAR,
  CONSTRAINT_POINT,
  CONSTRAINT_TENDON,
  CONSTRAINT_TURN,
  CONSTRAINT_WELD,
  type Constraints,
  MOTION_SIZE,
} from '../model/constraints.js'
import { createData } from '../model/data.js'
import type { Model, Tendons } from '../model/model.js'
import { matrixToQuat, rotateBack } from '../printed/arrays.js'
import { updatePoses } from '../tree/kinematics.js'
import { UNMEASURED } from './attachments.js'
import type { BuiltJoints } from './joints.js'
import type { Problems } from './problems.js'
import { bodyNumber, point } from './references.js'
import { createSoftness, setSoftness } from './softness.js'
import type { ConstraintSpec, Spec, Vec3 } from './spec.js'
import type { BodyTree } from './tree.js'

type Spec1<T extends ConstraintSpec['type']> = Extract<ConstraintSpec, { readonly type: T }>

/** Codes and rows of the kinds; a point takes as many rows as it has axes. */
const KINDS: Record<ConstraintSpec['type'], readonly [number, number]> = {
  point: [CONSTRAINT_POINT, 3],
  hinge: [CONSTRAINT_HINGE, 5],
  planar: [CONSTRAINT_PLANAR, 1],
  weld: [CONSTRAINT_WELD, 6],
  distance: [CONSTRAINT_DISTANCE, 1],
  coupling: [CONSTRAINT_COUPLING, 1],
  'tendon-coupling': [CONSTRAINT_TENDON, 1],
  motion: [CONSTRAINT_MOTION, 1],
}

/** of a logistic rise: it begins and ends within a thousandth of its size */
const STEEPNESS = 7
/** below this two directions count as dependent, two points as one */
const SMALL = 1e-9

interface Context {
  readonly tree: BodyTree
  readonly joints: BuiltJoints
  readonly tendons: Tendons
  readonly problems: Problems
  readonly built: Constraints
}

export function buildConstraints(spec: Spec, tree: BodyTree, joints: BuiltJoints, tendons: Tendons, problems: Problems): Constraints {
  const list = spec.constraints ?? []
  const n = list.length
  const polynomials = list.map((c) => ('polynomial' in c && Array.isArray(c.polynomial) ? c.polynomial : []))
  const polynomialStart = new Int32Array(n + 1)
  polynomials.forEach((p, k) => {
    polynomialStart[k + 1] = polynomialStart[k] + p.length
  })
  const built: Constraints = {
    count: n,
    names: list.map((c, k) => c.name ?? `${c.type}${k}`),
    kind: new Int32Array(n),
    active: Int32Array.from(list, (c) => (c.active === false ? 0 : 1)),
    ...createSoftness(n),
    rows: new Int32Array(n),
    bodyA: new Int32Array(n),
    bodyB: new Int32Array(n),
    pointA: new Float64Array(3 * n),
    pointB: new Float64Array(3 * n),
    axes: new Float64Array(9 * n),
    quaternion: new Float64Array(4 * n),
    distance: new Float64Array(n),
    target: new Int32Array(n).fill(-1),
    source: new Int32Array(n).fill(-1),
    reference: new Float64Array(2 * n),
    polynomialStart,
    polynomial: Float64Array.from(polynomials.flatMap((p, k) => p.map((x, e) => problems.number(`constraints/${k}/polynomial/${e}`, x)))),
    motion: new Float64Array(MOTION_SIZE * n),
    tendonLimits: buildTendonLimits(spec, problems),
  }
  const context = { tree, joints, tendons, problems, built }
  list.forEach((c, k) => {
    const kind = KINDS[c.type]
    if (!kind) {
      const known = Object.keys(KINDS)
      problems.add(
        `constraints/${k}/type`,
        `expected one of ${known.join(', ')}, got '${c.type}'${problems.suggest(String(c.type), known)}`,
      )
      return
    }
    built.kind[k] = kind[0]
    built.rows[k] = kind[1]
    setSoftness(built, k, c, `constraints/${k}`, problems)
    addConstraint(context, k, c)
  })
  return built
}

function addConstraint(x: Context, k: number, c: ConstraintSpec): void {
  const { problems, built, tendons } = x
  const path = `constraints/${k}`
  switch (c.type) {
    case 'point':
      addPoints(x, k, c)
      addDirections(x, k, c)
      break
    case 'hinge':
      addPoints(x, k, c)
      addHingeAxes(x, k, c)
      break
    case 'planar':
      addPoints(x, k, c)
      built.axes.set(unit(problems, `${path}/normal`, c.normal), 9 * k)
      break
    case 'distance':
      addPoints(x, k, c)
      built.distance[k] = c.distance === undefined ? UNMEASURED : problems.number(`${path}/distance`, c.distance, 'positive')
      break
    case 'weld':
      addWeld(x, k, c)
      break
    case 'coupling':
      built.target[k] = joint(x, `${path}/joint`, c.joint)
      if (c.of !== undefined) built.source[k] = joint(x, `${path}/of`, c.of)
      if (c.of === c.joint) problems.add(`${path}/of`, `expected another joint, got '${c.joint}' again; name the joint it follows`)
      checkPolynomial(problems, path, c.polynomial)
      break
    case 'tendon-coupling': {
      const index = new Map(tendons.names.map((name, t) => [name, t]))
      built.target[k] = find(problems, `${path}/tendon`, 'tendon', c.tendon, index)
      if (c.of !== undefined) built.source[k] = find(problems, `${path}/of`, 'tendon', c.of, index)
      if (c.of === c.tendon) problems.add(`${path}/of`, `expected another tendon, got '${c.tendon}' again; name the tendon it follows`)
      checkPolynomial(problems, path, c.polynomial)
      break
    }
    case 'motion':
      addMotion(x, k, c)
      break
  }
}

function addMotion(x: Context, k: number, c: Spec1<'motion'>): void {
  const { problems, built, tree } = x
  const path = `constraints/${k}`
  const keys = ['offset', 'speed', 'amplitude', 'frequency', 'phase'] as const
  const o = MOTION_SIZE * k
  keys.forEach((key, e) => {
    built.motion[o + e] = problems.number(`${path}/${key}`, c[key] ?? 0) * (key === 'frequency' ? 2 * Math.PI : 1)
  })
  if (c.rise) {
    built.motion[o + 5] = problems.number(`${path}/rise/size`, c.rise.size)
    built.motion[o + 6] = problems.number(`${path}/rise/start`, c.rise.start ?? 0)
    built.motion[o + 7] = problems.number(`${path}/rise/duration`, c.rise.duration, 'positive')
    built.motion[o + 8] = problems.number(`${path}/rise/steepness`, c.rise.steepness ?? STEEPNESS, 'positive')
  }
  built.motion[o + 9] = c.follow === 'speed' ? 0 : 1
  if ((c.joint === undefined) === (c.body === undefined)) {
    problems.add(path, `expected exactly one of joint and body, got ${c.joint === undefined ? 'neither' : 'both'}; name what moves`)
    return
  }
  if (c.joint !== undefined) {
    for (const key of ['point', 'direction', 'axis'] as const)
      if (c[key] !== undefined) problems.add(`${path}/${key}`, 'expected it with body only; leave it out, or name a body')
    built.target[k] = joint(x, `${path}/joint`, c.joint)
    return
  }
  if ((c.direction === undefined) === (c.axis === undefined)) {
    problems.add(
      path,
      "expected exactly one of direction (the body's point moves along it) and axis (the body turns about it); give one, or two motions",
    )
    return
  }
  if (c.body === 'world') problems.add(`${path}/body`, "expected a body that can move, got 'world'; name another")
  built.bodyA[k] = bodyNumber(tree, `${path}/body`, c.body ?? '', problems)
  built.pointA.set(problems.vector(`${path}/point`, c.point, 3, [0, 0, 0]), 3 * k)
  if (c.axis === undefined) {
    built.kind[k] = CONSTRAINT_PLACE
    built.axes.set(unit(problems, `${path}/direction`, c.direction), 9 * k)
  } else {
    built.kind[k] = CONSTRAINT_TURN
    built.rows[k] = 3
    built.axes.set(unit(problems, `${path}/axis`, c.axis), 9 * k)
  }
}

function addPoints(x: Context, k: number, c: Spec1<'point' | 'hinge' | 'planar' | 'distance'>): void {
  const { tree, built, problems } = x
  const path = `constraints/${k}`
  const a = point(tree, `${path}/a`, c.a, problems)
  const b = point(tree, `${path}/b`, c.b, problems)
  checkBodies(x, path, c.a.body, c.b.body)
  built.bodyA[k] = a.body
  built.bodyB[k] = b.body
  built.pointA.set(a.x, 3 * k)
  built.pointB.set(b.x, 3 * k)
}

function checkBodies({ tree, problems }: Context, path: string, a: string, b: string): void {
  if (a === b && tree.index.has(a))
    problems.add(path, `expected two different bodies, got '${a}' twice; close the loop to another body, or to 'world'`)
}

/** World directions of a point closure: one to three, independent. */
function addDirections({ problems, built }: Context, k: number, c: Spec1<'point'>): void {
  const path = `constraints/${k}/axes`
  if (c.axes === undefined) {
    for (let r = 0; r < 3; r++) built.axes[9 * k + 4 * r] = 1
    return
  }
  const n = c.axes.length
  if (!(n >= 1 && n <= 3)) {
    problems.add(path, `expected one to three directions, got ${n}; leave 'axes' out for all three`)
    return
  }
  const axes = c.axes.map((axis, e) => unit(problems, `${path}/${e}`, axis))
  const square = (v: readonly number[]): number => v.reduce((sum, t) => sum + t * t, 0)
  const across = n > 1 ? crossed(axes[0], axes[1]) : [1, 0, 0]
  const volume = n > 2 ? squared(across[0] * axes[2][0] + across[1] * axes[2][1] + across[2] * axes[2][2]) : 1
  if (square(across) < SMALL || volume < SMALL) problems.add(path, 'expected independent directions; leave out the one that repeats others')
  built.rows[k] = n
  axes.forEach((axis, e) => {
    built.axes.set(axis, 9 * k + 3 * e)
  })
}

/** Two directions of A at right angles to its axis, and the axis of B. */
function addHingeAxes({ problems, built }: Context, k: number, c: Spec1<'hinge'>): void {
  const axis = unit(problems, `constraints/${k}/a/axis`, c.a.axis)
  const least = axis.map(Math.abs).indexOf(Math.min(...axis.map(Math.abs)))
  const other: Vec3 = [least === 0 ? 1 : 0, least === 1 ? 1 : 0, least === 2 ? 1 : 0]
  const first = crossed(axis, other)
  const length = norm(first)
  const u: Vec3 = [first[0] / length, first[1] / length, first[2] / length]
  built.axes.set([...u, ...crossed(axis, u), ...unit(problems, `constraints/${k}/b/axis`, c.b.axis)], 9 * k)
}

function addWeld(x: Context, k: number, c: Spec1<'weld'>): void {
  const { tree, built, problems } = x
  const path = `constraints/${k}`
  built.bodyA[k] = bodyNumber(tree, `${path}/a`, c.a, problems)
  built.bodyB[k] = bodyNumber(tree, `${path}/b`, c.b, problems)
  checkBodies(x, path, c.a, c.b)
  const unknown = [UNMEASURED, UNMEASURED, UNMEASURED, UNMEASURED]
  built.pointA.set(problems.vector(`${path}/position`, c.position, 3, unknown.slice(1)), 3 * k)
  const quaternion = problems.vector(`${path}/quaternion`, c.quaternion, 4, unknown)
  const length = norm(quaternion)
  if (length < SMALL) problems.add(`${path}/quaternion`, 'expected a quaternion w x y z of length one, got zero; no turn is 1 0 0 0')
  built.quaternion.set(
    quaternion.map((t) => t / length),
    4 * k,
  )
}

function joint({ joints, problems }: Context, path: string, name: string): number {
  const j = find(problems, path, 'joint', name, joints.index)
  if (j >= 0 && !(joints.joints[j].nv === 1)) {
    problems.add(
      path,
      `expected a joint with one degree of freedom, got ${joints.joints[j].type} '${name}'; split it into joints of one, or constrain the body`,
    )
  }
  return j
}

function find(problems: Problems, path: string, what: string, name: string, names: ReadonlyMap<string, number>): number {
  const at = names.get(name)
  if (at === undefined) problems.add(path, `expected the name of a ${what}, got '${name}'${problems.hintAt(String(name), names.keys())}`)
  return at ?? -1
}

function checkPolynomial(problems: Problems, path: string, polynomial: readonly number[]): void {
  if (!Array.isArray(polynomial) || polynomial.length === 0)
    problems.add(`${path}/polynomial`, 'expected at least one coefficient, lowest power first; a gear is [0, ratio]')
}

function buildTendonLimits(spec: Spec, problems: Problems): Vec {
  const list = spec.tendons ?? []
  const out = new Float64Array(2 * list.length)
  list.forEach(({ limits = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] }, k) => {
    if (!(limits.length === 2 && limits[0] <= limits[1]))
      problems.add(`tendons/${k}/limits`, `expected lower ≤ upper, got ${limits.join(' ')}; swap them`)
    else out.set(limits, 2 * k)
  })
  return out
}

/** Fills in what the spec leaves open: poses and distances at the start, references of joints and tendons as drawn. */
export function measureConstraints(m: Model, tree: BodyTree, problems: Problems): void {
  const c = m.constraints
  if (c.count === 0) return
  const d = createData(m)
  const drawn = poseAsDrawn(m, tree)
  const a = new Float64Array(6)
  const { X_WB } = d

  updatePoses(m, d, drawn)
  for (let k = 0; k < c.count; k++) {
    for (const [side, at] of [c.target[k], c.source[k]].entries()) {
      if (at < 0) continue
      if (c.kind[k] === CONSTRAINT_TENDON) tendonLength(c.reference, 2 * k + side, m, d, drawn, at)
      else c.reference[2 * k + side] = drawn[m.jointQ[at]]
    }
  }

  updatePoses(m, d, m.q0)
  for (let k = 0; k < c.count; k++) {
    const A = 12 * c.bodyA[k]
    const B = 12 * c.bodyB[k]
    if (c.kind[k] === CONSTRAINT_DISTANCE && Number.isNaN(c.distance[k])) {
      pointPosition(a, 0, d, c.bodyA[k], c.pointA, 3 * k)
      pointPosition(a, 3, d, c.bodyB[k], c.pointB, 3 * k)
      c.distance[k] = hypot(a[3] - a[0], a[4] - a[1], a[5] - a[2])
      if (c.distance[k] < SMALL)
        problems.add(`constraints/${k}`, "expected two points apart at the start, got the same place; use 'point' to keep them together")
    }
    if (c.kind[k] === CONSTRAINT_PLACE) {
      pointPosition(a, 0, d, c.bodyA[k], c.pointA, 3 * k)
      for (let r = 0; r < 3; r++) c.distance[k] += c.axes[9 * k + r] * a[r]
    }
    if (c.kind[k] === CONSTRAINT_TURN) matrixToQuat(c.quaternion, 4 * k, X_WB, A)
    if (c.kind[k] === CONSTRAINT_WELD && Number.isNaN(c.pointA[3 * k])) {
      for (let r = 0; r < 3; r++) a[r] = X_WB[B + 9 + r] - X_WB[A + 9 + r]
      rotateBack(c.pointA, 3 * k, X_WB, A, a, 0)
    }
    if (c.kind[k] === CONSTRAINT_WELD && Number.isNaN(c.quaternion[4 * k])) {
      const R = new Float64Array(9)
      for (let r = 0; r < 3; r++)
        for (let s = 0; s < 3; s++) for (let t = 0; t < 3; t++) R[3 * r + s] += X_WB[A + 3 * t + r] * X_WB[B + 3 * t + s]
      matrixToQuat(c.quaternion, 4 * k, R, 0)
    }
  }
}

/** Coordinates with every body as drawn; a free one at its own pose. */
function poseAsDrawn(m: Model, tree: BodyTree): Vec {
  const q = new Float64Array(m.nq)
  neutral(m, q)
  for (let j = 0; j < m.njoint; j++) {
    if (!jointTypes[m.jointType[j]].absolute) continue
    const { position = [0, 0, 0], quaternion = [1, 0, 0, 0] } = tree.bodies[m.jointBody[j] - 1].spec
    q.set([...position, ...quaternion], m.jointQ[j])
  }
  return q
}

function unit(problems: Problems, path: string, given: Vec3 | undefined): Vec3 {
  const [x, y, z] = problems.vector(path, given, 3, [0, 0, 1])
  const length = hypot(x, y, z)
  if (length > SMALL) return [x / length, y / length, z / length]
  problems.add(path, 'expected a direction of non-zero length, got 0 0 0; give one such as 0 0 1')
  return [0, 0, 1]
}

function crossed(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
