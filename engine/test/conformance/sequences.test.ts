/**
 * Several joints on one body are the same mechanism as a chain of massless bodies with one joint each.
 */

import type { BodySpec, JointSpec, JointType, Model, Spec } from 'limber'
import { buildModel, createData, energy, forwardDynamics, forwardKinematics, inverseDynamics, jointTypes, massMatrix } from 'limber'
import { describe, expect, it } from 'vitest'
import { poisonData } from '../../src/model/data.js'
import { createRandom } from '../random.js'
import { expectNear } from './check.js'
import { randomInertia, randomJoint, randomState } from './random-tree.js'

/** the two recursions round differently; accelerations also feel the condition of the mass matrix */
const ROUNDING = 1e-12
const ACCELERATION = 1e-9

const sequenced = jointTypes.filter((type) => !type.absolute)

/** Three random joints each on two bodies; as one body each, or drawn out. */
function mechanism(seed: number): { joined: Model; drawn: Model } {
  const random = createRandom(seed)
  const joined: BodySpec[] = []
  const drawn: BodySpec[] = []
  let parent = 'world'
  for (const name of ['a', 'b']) {
    const types: JointType[] = [random.pick(sequenced), random.pick(sequenced), random.pick(sequenced)]
    const joints: JointSpec[] = types.map((type, k) => ({ ...randomJoint(random, type), name: `${name}${k}`, armature: 0.3 }))
    const body = { name, position: random.vec3(0.5), quaternion: random.quat(), inertia: randomInertia(random) }
    joined.push({ ...body, parent, joints })
    // the first carries the pose; the frames between coincide with the body's at reference
    drawn.push({ name: `${name}-0`, parent, position: body.position, quaternion: body.quaternion, joints: [joints[0]] })
    drawn.push({ name: `${name}-1`, parent: `${name}-0`, joints: [joints[1]] })
    drawn.push({ name, parent: `${name}-1`, inertia: body.inertia, joints: [joints[2]] })
    parent = name
  }
  const rest: Partial<Spec> = { gravity: random.vec3(9.81) }
  return { joined: buildModel({ ...rest, bodies: joined }), drawn: buildModel({ ...rest, bodies: drawn }) }
}

describe.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('joints in sequence, seed %i', (seed) => {
  it('move like a chain of massless bodies', () => {
    const { joined, drawn } = mechanism(seed)
    expect([joined.nq, joined.nv]).toEqual([drawn.nq, drawn.nv])
    const state = randomState(joined, createRandom(seed + 100))
    const results = [joined, drawn].map((model) => {
      const data = createData(model)
      poisonData(data, model)
      forwardDynamics(model, data, state, state.tau)
      const a = data.a.slice()
      const last = model.nbody - 1
      forwardKinematics(model, data, state.q, state.v)
      const X = data.X_WB.slice(12 * last)
      const V = data.V.slice(6 * last)
      poisonData(data, model)
      inverseDynamics(model, data, state, state.tau)
      const tau = data.tau.slice()
      const M = new Float64Array(model.nv ** 2).fill(Number.NaN)
      poisonData(data, model)
      massMatrix(model, data, state, M)
      poisonData(data, model)
      const { kinetic, potential } = energy(model, data, state)
      return { a, X, V, tau, M, sums: [kinetic, potential] }
    })
    const [one, two] = results
    expectNear(one.X, two.X, ROUNDING, 1)
    expectNear(one.V, two.V, ROUNDING, 1)
    expectNear(one.M, two.M, ROUNDING, 1)
    expectNear(one.tau, two.tau, ROUNDING, 1)
    expectNear(one.sums, two.sums, ROUNDING, 1)
    expectNear(one.a, two.a, ACCELERATION, 1)
  })
})
