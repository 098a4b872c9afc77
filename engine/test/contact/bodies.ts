/**
 * For the tests of contact: free bodies with given geoms at given poses, and their contacts.
 */

import { createProblems } from '../../src/build/problems.js'
import { buildShapes } from '../../src/build/shapes.js'
import type { GeomSpec, MeshSpec, ShapeSpec, Spec } from '../../src/build/spec.js'
import { orderBodies } from '../../src/build/tree.js'
import { type Contacts, createContacts } from '../../src/contact/contacts.js'
import { findContacts } from '../../src/contact/find-contacts.js'
import { poseFrom, vec3From } from '../../src/math/values/arrays.js'
import { scale } from '../../src/math/values/columns.js'
import { expQuat, halfTurn, quatRotation, twistTranslation } from '../../src/math/values/rotation.js'
import { mulPose, ONE } from '../../src/math/values/spatial.js'
import type { Shapes } from '../../src/model/shapes.js'
import { createRandom as createDraws, type Random as Draws } from '../random.js'
import { numbersOf } from '../values.js'

export type Numbers = readonly number[]

/** 12 numbers: rotation row-major, position */
export type Pose = Float64Array

export interface Contact {
  readonly bodyA: number
  readonly bodyB: number
  readonly point: Numbers
  readonly normal: Numbers
  readonly gap: number
  readonly feature: number
  readonly key: number
  readonly friction: number
}

export function geometryOf(spec: Spec): Shapes {
  const problems = createProblems(spec)
  const meshes = new Map(spec.meshes?.map((mesh) => [mesh.name, mesh]))
  const { geometry } = buildShapes(spec, orderBodies(spec, problems), problems, meshes)
  problems.finish()
  return geometry
}

/** One free body for each shape. */
export function freeBodies(shapes: readonly (ShapeSpec | GeomSpec)[], meshes: readonly MeshSpec[] = []): Shapes {
  return geometryOf({ meshes, bodies: shapes.map((geom, k) => ({ name: `b${k}`, joints: [{ type: 'free' }], geoms: [geom] })) })
}

export function posesOf(poses: readonly Pose[]): Float64Array {
  const X = new Float64Array(12 * (poses.length + 1))
  X.set(ONE.flat())
  poses.forEach((pose, k) => X.set(pose, 12 * (k + 1)))
  return X
}

export function listContacts(c: Contacts): Contact[] {
  return Array.from({ length: c.count }, (_, k) => ({
    bodyA: c.bodyA[k],
    bodyB: c.bodyB[k],
    point: Array.from(c.point.subarray(3 * k, 3 * k + 3)),
    normal: Array.from(c.normal.subarray(3 * k, 3 * k + 3)),
    gap: c.gap[k],
    feature: c.feature[k],
    key: c.key[k],
    friction: c.friction[5 * k],
  }))
}

/** Contacts of one free body per shape at these poses. */
export function contactsOf(shapes: readonly (ShapeSpec | GeomSpec)[], poses: readonly Pose[], margin: number): Contact[] {
  const g = freeBodies(shapes)
  const c = createContacts(g)
  findContacts(c, g, posesOf(poses), margin)
  return listContacts(c)
}

export function leastGap(contacts: readonly Contact[]): number {
  return contacts.reduce((least, { gap }) => Math.min(least, gap), Number.POSITIVE_INFINITY)
}

/** Pose from a position and a rotation vector. */
export function pose(position: Numbers, rotation: Numbers = [0, 0, 0]): Pose {
  const r = vec3From(rotation)
  return Float64Array.of(...quatRotation(expQuat(r, halfTurn(r))).flat(), ...position)
}

export function multiply(a: Pose, b: Pose): Pose {
  return Float64Array.from(numbersOf(mulPose(poseFrom(a), poseFrom(b))))
}

/** X exp(h ξ): the body moves along its own twist (angular, linear). */
export function moved(X: Pose, twist: Numbers, h: number): Pose {
  const [r, u] = [0, 3].map((i) => scale(h, vec3From(twist, i)))
  return multiply(X, pose(twistTranslation(r, halfTurn(r), u), r))
}

export function rotateBy(X: Pose, v: Numbers): number[] {
  return [0, 1, 2].map((r) => X[3 * r] * v[0] + X[3 * r + 1] * v[1] + X[3 * r + 2] * v[2])
}

export function transformBy(X: Pose, v: Numbers): number[] {
  return rotateBy(X, v).map((x, r) => x + X[9 + r])
}

/** World velocity of the body point now at x, when the body moves along its own twist. */
export function pointVelocity(X: Pose, twist: Numbers, x: Numbers): number[] {
  const w = rotateBy(X, twist.slice(0, 3))
  const v = rotateBy(X, twist.slice(3))
  const r = x.map((value, k) => value - X[9 + k])
  return [v[0] + w[1] * r[2] - w[2] * r[1], v[1] + w[2] * r[0] - w[0] * r[2], v[2] + w[0] * r[1] - w[1] * r[0]]
}

/** Draws of one seed, with what bodies need. */
export interface Random extends Draws {
  twist(size: number): number[]
  pose(reach: number): Pose
}

export function createRandom(seed: number): Random {
  const draws = createDraws(seed)
  const { vec3 } = draws
  return { ...draws, twist: (size) => [...vec3(size), ...vec3(size)], pose: (reach) => pose(vec3(reach), vec3(2)) }
}

export type SolidShape = Exclude<ShapeSpec['shape'], 'plane' | 'mesh' | 'heightfield'>

export function randomShape(shape: SolidShape, random: Random): ShapeSpec {
  const size = (): number => random.between(0.2, 1)
  switch (shape) {
    case 'sphere':
      return { shape, radius: size() }
    case 'capsule':
    case 'cylinder':
      return { shape, radius: 0.5 * size(), length: 2 * size() }
    case 'box':
      return { shape, size: [size(), size(), size()] }
    case 'ellipsoid':
      return { shape, radii: [size(), size(), size()] }
  }
}
