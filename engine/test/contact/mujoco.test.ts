/**
 * MuJoCo as a second opinion on distances: the same pairs of primitives, where its own answer is exact.
 */

import type { MainModule } from '@mujoco/mujoco'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ShapeSpec } from '../../src/build/spec.js'
import { mat3From } from '../../src/math/values/arrays.js'
import { matrixQuat } from '../../src/math/values/rotation.js'
import { mujoco } from '../io/mujoco.js'
import { contactsOf, createRandom, leastGap, type Pose, type Random, randomShape, type SolidShape } from './bodies.js'

let module: MainModule
beforeAll(async () => {
  module = await mujoco()
}, 120_000)

/** double precision on both sides, but poses travel through text with 17 digits and quaternions */
const ROUNDING = 1e-9
const MARGIN = 0.3

function geomXml(shape: ShapeSpec): string {
  switch (shape.shape) {
    case 'sphere':
      return `type="sphere" size="${shape.radius}"`
    case 'capsule':
    case 'cylinder':
      return `type="${shape.shape}" size="${shape.radius} ${shape.length / 2}"`
    case 'box':
      return `type="box" size="${shape.size.map((edge) => edge / 2).join(' ')}"`
    case 'ellipsoid':
      return `type="ellipsoid" size="${shape.radii.join(' ')}"`
    case 'plane':
      return 'type="plane" size="0 0 1"'
    default:
      throw new Error(`no XML for a ${shape.shape}`)
  }
}

/** Contact distances that MuJoCo reports for two shapes at two poses. */
function mujocoGaps(shapes: readonly ShapeSpec[], poses: readonly Pose[]): number[] {
  const bodies = shapes.map((shape, k) => {
    const q = matrixQuat(mat3From(poses[k]))
    const where = `pos="${Array.from(poses[k].subarray(9)).join(' ')}" quat="${q.join(' ')}"`
    // planes may not be on moving bodies
    if (shape.shape === 'plane') return `<geom ${where} ${geomXml(shape)} margin="${MARGIN}"/>`
    return `<body ${where}><freejoint/><geom ${geomXml(shape)} margin="${MARGIN}"/></body>`
  })
  const model = module.MjModel.from_xml_string(`<mujoco><worldbody>${bodies.join('')}</worldbody></mujoco>`)
  const data = new module.MjData(model)
  try {
    module.mj_forward(model, data)
    const gaps: number[] = []
    for (let k = 0; k < data.ncon; k++) {
      const contact = data.contact.get(k)
      // the margins of the two geoms add up
      if (contact && contact.dist <= MARGIN) gaps.push(contact.dist)
    }
    return gaps
  } finally {
    data.delete()
    model.delete()
  }
}

const shapeOf = (kind: SolidShape | 'plane', random: Random): ShapeSpec =>
  kind === 'plane' ? { shape: 'plane' } : randomShape(kind, random)

const EXACT: readonly (readonly [SolidShape | 'plane', SolidShape])[] = [
  ['plane', 'sphere'],
  ['plane', 'capsule'],
  ['plane', 'box'],
  ['plane', 'cylinder'],
  ['plane', 'ellipsoid'],
  ['sphere', 'sphere'],
  ['sphere', 'capsule'],
  ['sphere', 'box'],
  ['capsule', 'capsule'],
]

describe.each(EXACT)('%s and %s against MuJoCo', (...pair) => {
  it('least distance of every random pair', () => {
    const random = createRandom(11)
    let tested = 0
    for (let n = 0; n < 60; n++) {
      const shapes = pair.map((kind) => shapeOf(kind, random))
      const poses = [random.pose(0.5), random.pose(0.9)]
      const theirs = mujocoGaps(shapes, poses)
      const ours = contactsOf(shapes, poses, MARGIN)
      if (theirs.length === 0) {
        expect(ours.length === 0 || leastGap(ours) > MARGIN - ROUNDING).toBe(true)
        continue
      }
      tested++
      expect(Math.abs(leastGap(ours) - Math.min(...theirs)), `case ${n}`).toBeLessThan(ROUNDING)
    }
    expect(tested).toBeGreaterThan(10)
  })
})

describe.each([
  ['capsule', 'box'],
  ['box', 'box'],
] as const)('%s and %s against MuJoCo', (...pair) => {
  it('agree on the distance when they are apart and MuJoCo meets a face', () => {
    const random = createRandom(12)
    let agreed = 0
    let tested = 0
    for (let n = 0; n < 120; n++) {
      const shapes = pair.map((kind) => shapeOf(kind, random))
      const poses = [random.pose(0.5), random.pose(0.9)]
      const theirs = mujocoGaps(shapes, poses)
      const ours = contactsOf(shapes, poses, MARGIN)
      if (theirs.length === 0 || ours.length === 0) continue
      const least = leastGap(ours)
      // its own answers are separations along one axis, or of one candidate point: never more than the distance when apart, as ours is exact
      if (least < 0) continue
      tested++
      if (Math.abs(least - Math.min(...theirs)) < 1e-6) agreed++
    }
    expect(tested).toBeGreaterThan(15)
    expect(agreed / tested, `${agreed} of ${tested}`).toBeGreaterThan(0.5)
  })
})
