import { describe, expect, it } from 'vitest'
import { buildModel } from '../../build/build-model.js'
import type { ConstraintSpec, Spec } from '../../build/spec.js'
import { createData } from '../../model/data.js'
import { createState } from '../../model/state.js'
import { forwardKinematics } from '../../tree/kinematics.js'
import { createResidual } from './residual.js'

const rod = (name: string, parent: string): Spec['bodies'][number] => ({
  name,
  parent,
  position: parent === 'world' ? [0, 0, 0] : [1, 0, 0],
  inertia: { mass: 1, tensor: [0.1, 0.1, 0.1, 0, 0, 0] },
  joints: [{ name, type: 'revolute', axis: [0, 1, 0] }],
})

/** Residual of two rods on hinges with this constraint, at joint angles and a time. */
function residual(constraint: ConstraintSpec | undefined, q: readonly number[], t = 0): number | undefined {
  const model = buildModel({
    bodies: [rod('a', 'world'), rod('b', 'a')],
    tendons: [{ name: 'sum', joints: [{ joint: 'a', coefficient: 2 }] }],
    ...(constraint ? { constraints: [constraint] } : {}),
  })
  const data = createData(model)
  const state = createState(model)
  state.q.set(q)
  state.t = t
  forwardKinematics(model, data, state.q, state.v)
  return createResidual(model)?.(data, state)
}

describe('createResidual', () => {
  it('is absent without constraints', () => {
    expect(residual(undefined, [0, 0])).toBeUndefined()
    expect(residual({ type: 'coupling', joint: 'a', polynomial: [1], active: false }, [0, 0])).toBeUndefined()
  })

  it.each([
    ['a point', { type: 'point', a: { body: 'b' }, b: { body: 'world', point: [1, 0, 0.25] } }, 0.25],
    ['a plane', { type: 'planar', a: { body: 'world' }, b: { body: 'b', point: [0, 0, 0.3] }, normal: [0, 0, 1] }, 0.3],
    ['a distance', { type: 'distance', a: { body: 'world' }, b: { body: 'b' }, distance: 0.6 }, 0.4],
    ['a coupling', { type: 'coupling', joint: 'a', of: 'b', polynomial: [0.7] }, 0.7],
    ['a tendon', { type: 'tendon-coupling', tendon: 'sum', polynomial: [0.5] }, 0.5],
    ['a motion', { type: 'motion', joint: 'a', offset: 0.2, speed: 2 }, 0.2],
  ] satisfies [string, ConstraintSpec, number][])('counts %s', (_, constraint, expected) => {
    expect(residual(constraint, [0, 0])).toBeCloseTo(expected, 12)
  })

  it('follows the clock of a motion, and shows what is not a number', () => {
    expect(residual({ type: 'motion', joint: 'a', offset: 0.2, speed: 2 }, [0, 0], 1)).toBeCloseTo(2.2, 12)
    expect(residual({ type: 'motion', joint: 'a', speed: 2 }, [Number.NaN, 0])).toBeNaN()
  })
})
