/**
 * Actuators: force = gain · u + bias through a joint, a tendon or a site, inside their ranges.
 */

import type { ActuatorSpec, Model, Spec, Vec } from 'limber'
import { buildModel, createData, createState, forwardDynamics } from 'limber'
import { describe, expect, it } from 'vitest'
import { poisonData } from '../../src/model/data.js'
import { expectNear } from './check.js'

const ROUNDING = 1e-13
const unit = { mass: 1, tensor: [1, 1, 1, 0, 0, 0] } as const

/** A slide, a hinge, a ball and a free body, all of inertia one; a tendon over slide and hinge. */
function machine(actuators: readonly ActuatorSpec[], change: Partial<Spec> = {}): Model {
  return buildModel({
    gravity: [0, 0, 0],
    bodies: [
      { name: 'slide', inertia: unit, joints: [{ type: 'prismatic' }] },
      { name: 'hinge', inertia: unit, joints: [{ type: 'revolute' }] },
      { name: 'ball', inertia: unit, joints: [{ type: 'spherical' }] },
      {
        name: 'free',
        inertia: unit,
        joints: [{ type: 'free' }],
        sites: [{ name: 'tip', position: [1, 0, 0], quaternion: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] }],
      },
    ],
    tendons: [
      {
        name: 'line',
        joints: [
          { joint: 'slide', coefficient: 2 },
          { joint: 'hinge', coefficient: 3 },
        ],
      },
    ],
    actuators,
    ...change,
  })
}

function acceleration(
  model: Model,
  control: readonly number[],
  q: readonly [number, number] = [0, 0],
  v: readonly [number, number] = [0, 0],
): Vec {
  const data = createData(model)
  poisonData(data, model)
  const state = createState(model)
  state.control = Float64Array.from(control)
  state.q.set(q)
  state.v.set(v)
  forwardDynamics(model, data, state)
  return data.a
}

/** zeros but for these */
function only(numbers: Record<number, number>): Float64Array {
  const x = new Float64Array(11)
  for (const [k, value] of Object.entries(numbers)) x[Number(k)] = value
  return x
}

describe('actuators', () => {
  it('act by their bias alone at zero control, and refuse a vector of another length', () => {
    const model = machine([{ joint: 'slide', bias: [5, 0, 0] }])
    expectNear(acceleration(model, [0]), only({ 0: 5 }), ROUNDING)
    expect(() => acceleration(model, [])).toThrow('control: expected 1 numbers, got 0')
  })

  it('a motor pushes by gear times control', () => {
    expectNear(acceleration(machine([{ joint: 'hinge', gear: [4] }]), [2]), only({ 1: 8 }), ROUNDING)
  })

  it('a servo pulls to its control, with gear on length, rate and force', () => {
    const servo: ActuatorSpec = { joint: 'slide', gear: [2], gain: [10, 0, 0], bias: [0, -10, -3] }
    const force = 10 * 0.7 - 10 * (2 * 0.1) - 3 * (2 * 0.5)
    expectNear(acceleration(machine([servo]), [0.7], [0.1, 0], [0.5, 0]), only({ 0: 2 * force }), ROUNDING)
  })

  it('a gain may depend on length and rate', () => {
    const muscle: ActuatorSpec = { joint: 'hinge', gain: [1, 2, 3], bias: [0.5, 0, 0] }
    expectNear(acceleration(machine([muscle]), [2], [0, 0.3], [0, -0.2]), only({ 1: 2 * (1 + 0.6 - 0.6) + 0.5 }), ROUNDING)
  })

  it('a tendon passes its force to joints by their coefficients', () => {
    const motor: ActuatorSpec = { tendon: 'line', gear: [0.5] }
    expectNear(acceleration(machine([motor]), [2]), only({ 0: 2, 1: 3 }), ROUNDING)
    const servo: ActuatorSpec = { tendon: 'line', gear: [0.5], gain: [1, 0, 0], bias: [0, -1, -1] }
    const length = 0.5 * (2 * 0.1 + 3 * 0.2)
    const rate = 0.5 * (2 * 0.3 + 3 * 0.4)
    const force = 2 - length - rate
    expectNear(acceleration(machine([servo]), [2], [0.1, 0.2], [0.3, 0.4]), only({ 0: force, 1: 1.5 * force }), ROUNDING)
  })

  it('a site pushes along its own axes: force, then torque', () => {
    // the site's x is the body's y; at (1, 0, 0) it also turns the body about z
    expectNear(acceleration(machine([{ site: 'tip', gear: [1, 0, 0, 0, 0, 0] }]), [6]), only({ 7: 6, 9: 6 }), ROUNDING)
    expectNear(acceleration(machine([{ site: 'tip', gear: [0, 0, 0, 1, 0, 0] }]), [6]), only({ 6: 6 }), ROUNDING)
  })

  it('a ball takes a gear for each of its velocities', () => {
    expectNear(acceleration(machine([{ joint: 'ball', gear: [1, -2, 3] }]), [2]), only({ 2: 2, 3: -4, 4: 6 }), ROUNDING)
  })

  it('keep control and force inside their ranges', () => {
    const model = machine([{ joint: 'slide', gain: [10, 0, 0], controlRange: [-1, 1], forceRange: [-8, 6] }])
    expectNear(acceleration(model, [0.3]), only({ 0: 3 }), ROUNDING)
    expectNear(acceleration(model, [5]), only({ 0: 6 }), ROUNDING)
    expectNear(acceleration(model, [-5]), only({ 0: -8 }), ROUNDING)
    expectNear(acceleration(machine([{ joint: 'slide', gain: [10, 0, 0], controlRange: [-1, 1] }]), [5]), only({ 0: 10 }), ROUNDING)
  })

  it('keep their sum on a joint inside the joint’s force range', () => {
    const pair: ActuatorSpec[] = [{ joint: 'hinge' }, { joint: 'hinge', name: 'second' }]
    const bodies = [{ name: 'hinge', inertia: unit, joints: [{ type: 'revolute', forceRange: [-3, 3] }] }] as const
    const model = buildModel({ gravity: [0, 0, 0], bodies, actuators: pair })
    const push = (control: readonly number[]): number => {
      const data = createData(model)
      poisonData(data, model)
      const state = createState(model)
      state.control = Float64Array.from(control)
      forwardDynamics(model, data, state)
      return data.a[0]
    }
    expect(push([2, 2])).toBeCloseTo(3, 12)
    expect(push([5, -4])).toBeCloseTo(1, 12)
  })
})
