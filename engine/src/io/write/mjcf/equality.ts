/**
 * Constraints in MJCF: connect, weld, joint and tendon equalities.
 */

import type { AxisSpec, ConstraintSpec, PointSpec, Vec3 } from '../../../build/spec.js'
import { hypot, norm } from '../../../math/own.js'
import { IDENTITY, invertPose, mulPose, type Pose } from '../../pose.js'
import { worldPoint } from '../spec-tree.js'
import { element, type XmlNode } from '../xml-writer.js'
import { knows, type Mjcf, siteAt } from './context.js'
import { scalarName } from './forces.js'

/** MJCF polynomials end with the fourth power */
const COEFFICIENTS = 5

/** points this near (m) at the reference count as one, and need no sites */
const TOGETHER = 1e-9

export function mjcfEquality(out: Mjcf): XmlNode[] {
  return (out.spec.constraints ?? []).flatMap((constraint, k) => mjcfConstraint(out, constraint, `constraints/${k}`))
}

function mjcfConstraint(out: Mjcf, constraint: ConstraintSpec, path: string): XmlNode[] {
  const { name, active, solref, solimp } = constraint
  const common = { name, active, solref, solimp }
  switch (constraint.type) {
    case 'point':
      if (!knows(out, constraint.a) || !knows(out, constraint.b)) return []
      if (constraint.axes) {
        out.ignored.add(path, `${constraint.axes.length} rows of a point closure`, 'MJCF holds two points together in all directions only')
        return []
      }
      return [element('connect', { ...common, ...points(out, constraint.a, constraint.b) })]
    case 'hinge': {
      const { a, b } = constraint
      if (!knows(out, a) || !knows(out, b)) return []
      // two points of the axis
      return [
        element('connect', { ...common, ...points(out, a, b) }),
        element('connect', { ...common, name: undefined, ...points(out, alongAxis(a), alongAxis(b)) }),
      ]
    }
    case 'planar':
      out.ignored.add(path, 'planar closure', 'MJCF has no equality that keeps a point in a plane')
      return []
    case 'motion':
      out.ignored.add(path, `motion of ${constraint.joint ?? constraint.body}`, 'MJCF has no equality that depends on time')
      return []
    case 'weld':
      return [element('weld', { ...common, body1: constraint.a, body2: constraint.b, relpose: relativePose(out, constraint) })]
    case 'coupling': {
      const joint1 = scalarName(out, constraint.joint)
      const joint2 = constraint.of === undefined ? undefined : scalarName(out, constraint.of)
      if (joint1 === undefined || (constraint.of !== undefined && joint2 === undefined)) {
        out.ignored.add(path, `coupling of ${constraint.joint}`, 'MJCF couples hinges and slides only')
        return []
      }
      const polycoef = coefficients(out, constraint.polynomial, path)
      return polycoef ? [element('joint', { ...common, joint1, joint2, polycoef })] : []
    }
    case 'tendon-coupling': {
      const polycoef = coefficients(out, constraint.polynomial, path)
      return polycoef ? [element('tendon', { ...common, tendon1: constraint.tendon, tendon2: constraint.of, polycoef })] : []
    }
    case 'distance':
      return distance(out, constraint)
  }
}

/** A point of the axis, one metre along it. */
function alongAxis({ body, point: p = [0, 0, 0], axis = [0, 0, 1] }: AxisSpec): PointSpec {
  const n = norm(axis)
  return { body, point: [p[0] + axis[0] / n, p[1] + axis[1] / n, p[2] + axis[2] / n] }
}

/** By body and anchor when the points meet at the reference, as MuJoCo assumes; else by sites. */
function points(out: Mjcf, a: PointSpec, b: PointSpec): Record<string, string | Vec3> {
  if (lengthBetween(out, a, b, 'referencePose') <= TOGETHER && a.body !== 'world') {
    return { body1: a.body, body2: b.body, anchor: a.point ?? [0, 0, 0] }
  }
  return { site1: siteAt(out, a), site2: siteAt(out, b) }
}

/** What is not stated is that of the start; left out when it is also that of the reference, MuJoCo's default. */
function relativePose(out: Mjcf, weld: ConstraintSpec & { type: 'weld' }): number[] | undefined {
  const poseOf = (body: string, when: 'referencePose' | 'initialPose'): Pose => out.tree.byName.get(body)?.[when] ?? IDENTITY
  const relative = (when: 'referencePose' | 'initialPose') => mulPose(invertPose(poseOf(weld.a, when)), poseOf(weld.b, when))
  const start = relative('initialPose')
  if (!weld.position && !weld.quaternion) {
    const drawn = relative('referencePose')
    const same = [...start.position, ...start.quaternion].every((x, k) => Math.abs(x - [...drawn.position, ...drawn.quaternion][k]) < 1e-14)
    if (same) return undefined
  }
  return [...(weld.position ?? start.position), ...(weld.quaternion ?? start.quaternion)]
}

/** A straight tendon held at its length: MuJoCo 3 has no distance equality. */
function distance(out: Mjcf, constraint: ConstraintSpec & { type: 'distance' }): XmlNode[] {
  const { a, b, name, active } = constraint
  if (!knows(out, a) || !knows(out, b)) return []
  const wanted = constraint.distance ?? lengthBetween(out, a, b, 'initialPose')
  const drawn = lengthBetween(out, a, b, 'referencePose')
  const tendon = out.tendonNames.make(`${name ?? 'distance'}_line`)
  out.extraTendons.push(
    element(
      'spatial',
      { name: tendon },
      [a, b].map((point) => element('site', { site: siteAt(out, point) })),
    ),
  )
  return [element('tendon', { name, active, tendon1: tendon, polycoef: [wanted - drawn, 0, 0, 0, 0] })]
}

function lengthBetween(out: Mjcf, a: PointSpec, b: PointSpec, when: 'referencePose' | 'initialPose'): number {
  const p = worldPoint(out.tree, a, when)
  const q = worldPoint(out.tree, b, when)
  return hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
}

function coefficients(out: Mjcf, polynomial: readonly number[], path: string): number[] | undefined {
  if (polynomial.length > COEFFICIENTS && polynomial.slice(COEFFICIENTS).some((c) => c !== 0)) {
    out.ignored.add(path, 'coupling', 'MJCF polynomials end with the fourth power')
    return undefined
  }
  return Array.from({ length: COEFFICIENTS }, (_, k) => polynomial[k] ?? 0)
}
