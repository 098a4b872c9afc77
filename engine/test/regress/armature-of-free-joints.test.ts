/**
 * Armature that differs along the axes of a free joint made energy out of nothing: the force of the turning frame was scaled axis by
 * axis after the cross product instead of before.
 */
import { buildModel, createData, createState, energy, forwardDynamics, integrate } from 'limber'
import { expect, it } from 'vitest'

it('a free body with another armature along each axis keeps its energy', () => {
  const inertia = { mass: 1, com: [0.1, 0.2, -0.1], tensor: [0.1, 0.2, 0.25, 0, 0, 0] } as const
  const joints = [{ type: 'free' as const, armature: [0.1, 0.2, 0.3, 0.5, 1, 2] }]
  const model = buildModel({ gravity: [0, 0, 0], bodies: [{ name: 'a', inertia, joints }] })
  const data = createData(model)
  const state = createState(model)
  state.v.set([1, -2, 0.5, 0.3, 1.5, -0.7])
  forwardDynamics(model, data, state)
  const a = data.a.slice()
  const at = (h: number): number => {
    const q = state.q.slice()
    integrate(
      model,
      q,
      state.v.map((x, k) => h * x + 0.5 * h * h * a[k]),
      1,
    )
    return energy(model, data, { ...state, q, v: state.v.map((x, k) => x + h * a[k]) }).kinetic
  }
  const h = 1e-4
  expect((at(h) - at(-h)) / (2 * h)).toBeCloseTo(0, 6)
})
