/**
 * Every joint type of the table, alone on a body and between two others: its derivative, its rates, its group operations.
 */

import type { Data, JointType, Model, Quat, Vec, Vec3 } from 'limber'
import { buildModel, chartRate, createData, difference, forwardKinematics, integrate, jointTypes, neutral } from 'limber'
import { describe, expect, it } from 'vitest'
import { stretch } from '../../src/forces/joint-forces.js'
import { quatRotation } from '../../src/math/values/rotation.js'
import { poisonData } from '../../src/model/data.js'
import { createRandom, type Random } from '../random.js'
import { expectNear, moved, twistBetween, unitVector } from './check.js'
import { randomInertia, randomJoint, randomState } from './random-tree.js'

/** central differences at this step lose about 1e-10 to rounding and 1e-10 to curvature */
const STEP = 1e-5
const DIFFERENCES = 2e-9
/** a handful of operations on numbers of order one */
const ROUNDING = 1e-13
const SEEDS = [1, 2, 3]

interface Case {
  readonly model: Model
  readonly data: Data
  readonly q: Vec
  readonly v: Vec
  readonly random: Random
  readonly pose: { readonly position: Vec3; readonly quaternion: Quat }
}

/** One body on the world with these joints in sequence. */
function bodyWith(types: readonly JointType[], seed: number): Case {
  const random = createRandom(seed)
  const joints = types.map((type) => randomJoint(random, type))
  const pose = { position: random.vec3(0.5), quaternion: random.quat() }
  // armature: the sequence need not be one that mass alone can hold
  const model = buildModel({
    bodies: [{ name: 'b', ...pose, inertia: randomInertia(random), joints: joints.map((j) => ({ ...j, armature: 1 })) }],
  })
  const data = createData(model)
  poisonData(data, model)
  const { q, v } = randomState(model, random)
  return { model, data, q, v, random, pose }
}

const named = (name: string): JointType => jointTypes.find((type) => type.name === name) as JointType
const arrangements = jointTypes.flatMap((type) => {
  const alone = { title: type.name, types: [type] }
  if (type.absolute) return [alone]
  return [alone, { title: `revolute, ${type.name}, prismatic`, types: [named('revolute'), type, named('prismatic')] }]
})

/** Pose of the body in its parent, the world, at q and v; Data is poisoned before. Its V is then S v, its c is Ṡ v. */
function jointPose({ model, data }: Case, q: Vec, v: Vec): Vec {
  poisonData(data, model)
  forwardKinematics(model, data, q, v)
  return data.X_PB.slice(12, 24)
}

describe.each(arrangements)('joint $title', ({ types }) => {
  it.each(SEEDS)('has the axes S that differences of poses show, seed %i', (seed) => {
    const c = bodyWith(types, seed)
    const { model, data, q, v } = c
    const X = jointPose(c, q, v)
    const S = data.S.slice()
    for (let k = 0; k < model.nv; k++) {
      const e = unitVector(model.nv, k)
      const found = twistBetween(X, 0, jointPose(c, moved(model, q, e, STEP), v), jointPose(c, moved(model, q, e, -STEP), v), STEP)
      expectNear(S.subarray(6 * k, 6 * k + 6), found, DIFFERENCES, 1)
    }
  })

  it.each(SEEDS)('has the velocity S v and the rate of axes that differences of S show, seed %i', (seed) => {
    const c = bodyWith(types, seed)
    const { model, data, q, v } = c
    jointPose(c, q, v)
    const { S, V, c: rate } = { S: data.S.slice(), V: data.V.slice(6, 12), c: data.c.slice(6, 12) }
    const times = (A: Vec, r: number): number => v.reduce((sum, x, k) => sum + A[6 * k + r] * x, 0)
    expectNear(
      V,
      [0, 1, 2, 3, 4, 5].map((r) => times(S, r)),
      ROUNDING,
      1,
    )
    jointPose(c, moved(model, q, v, STEP), v)
    const later = data.S.slice()
    jointPose(c, moved(model, q, v, -STEP), v)
    expectNear(
      rate,
      [0, 1, 2, 3, 4, 5].map((r) => (times(later, r) - times(data.S, r)) / (2 * STEP)),
      DIFFERENCES,
      1,
    )
  })

  it.each(SEEDS)('undoes integrate by difference and difference by integrate, seed %i', (seed) => {
    const c = bodyWith(types, seed)
    const { model, q, random } = c
    const xi = random.array(model.nv, 1.5)
    const back = new Float64Array(model.nv).fill(Number.NaN)
    difference(model, back, q, moved(model, q, xi, 1))
    expectNear(back, xi, ROUNDING, 1)

    // quaternions q and −q are one place: compare poses
    const b = randomState(model, random).q
    difference(model, back, q, b)
    expectNear(jointPose(c, moved(model, q, back, 1), c.v), jointPose(c, b, c.v), ROUNDING, 1)
  })

  it.each(SEEDS)('integrates h v like v scaled by h, and nothing for no time, seed %i', (seed) => {
    const { model, q, v } = bodyWith(types, seed)
    expectNear(
      moved(model, q, v, 0.3),
      moved(
        model,
        q,
        v.map((x) => 0.3 * x),
        1,
      ),
      ROUNDING,
      1,
    )
    expectNear(moved(model, q, v, 0), q, ROUNDING, 1)
  })

  // 0.25 and 0.3 are where series and closed forms meet; beyond π the logarithm would fold back, the chart does not
  it.each([1e-9, 1e-4, 0.01, 0.2499, 0.2501, 0.2999, 0.3001, 1, 3, Math.PI, 4, 5.5])(
    'has a chart rate that moves q₀ ⊕ ξ with velocity v, rotation of size %d',
    (size) => {
      const c = bodyWith(types, 7)
      const { model, data, q, v, random } = c
      const xi = random.array(model.nv, 1)
      // the size counts for each joint's turning part: its first three numbers where it has that many
      for (const joint of model.joints) {
        const part = xi.subarray(joint.iv, joint.iv + Math.min(3, joint.nv))
        const length = Math.hypot(...part)
        for (let k = 0; k < joint.nv; k++) xi[joint.iv + k] *= size / length
      }
      const rate = new Float64Array(model.nv).fill(Number.NaN)
      chartRate(model, rate, xi, v)
      const along = (h: number): Vec =>
        jointPose(
          c,
          moved(
            model,
            q,
            xi.map((x, k) => x + h * rate[k]),
            1,
          ),
          v,
        )
      const X = along(0)
      const V = data.V.slice(6, 12)
      const scale = Math.max(1, Math.hypot(...rate)) * Math.max(1, Math.hypot(...xi))
      expectNear(twistBetween(X, 0, along(STEP), along(-STEP), STEP), V, DIFFERENCES, scale)
    },
  )

  it.each(SEEDS)('stretches along the gradient of half its squared distance, seed %i', (seed) => {
    const { model, data, q, random } = bodyWith(types, seed)
    const rest = randomState(model, random).q
    const ones = new Float64Array(model.nv).fill(1)
    const stretched = (at: Vec): Vec => {
      data.u.fill(Number.NaN)
      stretch(data, ones, rest, at)
      return data.u.slice()
    }
    const energy = (at: Vec): number => stretched(at).reduce((sum, x) => sum + 0.5 * x * x, 0)
    const gradient = Float64Array.from({ length: model.nv }, (_, k) => {
      const e = unitVector(model.nv, k)
      return (energy(moved(model, q, e, STEP)) - energy(moved(model, q, e, -STEP))) / (2 * STEP)
    })
    expectNear(stretched(q), gradient, DIFFERENCES * 10, 1)
  })

  it('stands as drawn when neutral, an absolute one at the origin', () => {
    const c = bodyWith(types, 4)
    const q = new Float64Array(c.model.nq).fill(Number.NaN)
    neutral(c.model, q)
    const drawn = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
    if (!types[0].absolute) {
      drawn.set(quatRotation(c.pose.quaternion).flat())
      drawn.set(c.pose.position, 9)
    }
    expectNear(jointPose(c, q, c.v), drawn, ROUNDING, 1)
  })

  it('keeps quaternions at length one and poses orthonormal over 1,000 moves', () => {
    const c = bodyWith(types, 5)
    const { model, random } = c
    for (let k = 0; k < 1000; k++) integrate(model, c.q, random.array(model.nv, 1), 0.1)
    for (const joint of model.joints) {
      const type = named(joint.type)
      if (type.linear) continue
      const end = joint.iq + joint.nq
      expect(Math.hypot(...c.q.subarray(end - 4, end))).toBeCloseTo(1, 15)
    }
    const X = jointPose(c, c.q, c.v)
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const product = X[i] * X[j] + X[3 + i] * X[3 + j] + X[6 + i] * X[6 + j]
        expect(product).toBeCloseTo(i === j ? 1 : 0, 13)
      }
    }
  })
})
