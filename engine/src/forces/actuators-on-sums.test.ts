/** Actuators on tendons that are sums of joints, which kernels drive, follow the equations that all actuators have. */
import { buildModel, createData, createState, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'
import { createStiffTerms } from '../model/stiff-terms.js'
import { forwardKinematics } from '../tree/kinematics.js'
import { actuatorForce, actuatorMoment } from './actuators.js'
import { applyForces } from './dynamics.js'
import { forcesOf } from './index.js'
import { linearizeAll } from './stiff-rows.js'

const link = (name: string, parent: string) => ({
  name,
  parent,
  inertia: { mass: 1, com: [0.1, 0, 0] as const, tensor: [1, 1, 1, 0, 0, 0] as const },
  joints: [{ name: `${name}-joint`, type: 'revolute' as const, axis: [0, 1, 0] as const }],
})

const spec = (forceRange: [number, number]) =>
  ({
    name: 'finger',
    bodies: [link('near', 'world'), link('far', 'near')],
    tendons: [
      {
        name: 'sum',
        joints: [
          { joint: 'near-joint', coefficient: 1.5 },
          { joint: 'far-joint', coefficient: -0.5 },
        ],
      },
    ],
    actuators: [{ tendon: 'sum', gear: [2], gain: [3, 0.2, 0], bias: [0.1, -4, -0.3], controlRange: [-1, 1], forceRange }],
  }) satisfies Spec

describe('an actuator on a sum of joints', () => {
  it.each([
    ['inside its range', [-100, 100] as [number, number], 4],
    ['at the end of its range', [-1, 1] as [number, number], 0],
  ])('pulls as its length and rate tell, and holds back only inside its range: %s', (_, range, share) => {
    const model = buildModel(spec(range))
    expect([...model.actuators.summed]).toEqual([0])
    const data = createData(model)
    const state = createState(model)
    state.q.set([0.7, -0.4])
    state.v.set([0.3, 1.1])
    state.control[0] = 2
    forwardKinematics(model, data, state.q, state.v)
    applyForces(model, data, state)
    const applied = [...data.qf]
    const force = new Float64Array(1)
    const moment = new Float64Array(model.nv)
    actuatorForce(force, 0, model, data, state, 0)
    actuatorMoment(moment, model, data, state, 0)
    expect([...moment]).toEqual([3, -1])
    for (let k = 0; k < model.nv; k++) expect(applied[k]).toBeCloseTo(force[0] * moment[k], 12)

    const terms = createStiffTerms(model)
    linearizeAll(forcesOf(model, data), model, data, state, terms)
    expect(terms.count).toBe(share === 0 ? 0 : 1)
    // a₁ = 0.2 − 4, a₂ = −0.3 under the control that is cut off at 1
    if (share > 0) expect(terms.stiffness[0]).toBeCloseTo(share * 3.8, 12)
    if (share > 0) expect(terms.damping[0]).toBeCloseTo(share * 0.3, 12)
  })
})
