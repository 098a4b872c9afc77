/** Kernels of a part of a step against the joints themselves, one by one. */
import { describe, expect, it } from 'vitest'
import { deformingTree } from '../../../../test/conformance/deforming-tree.js'
import { randomTree } from '../../../../test/conformance/random-tree.js'
import { difference, integrate } from '../../../joints/index.js'
import { KINETIC } from './part.kernel.js'
import { createPointSystem } from './point-system.js'

const H = 0.03

describe.each([1, 2, 3, 4, 5, 6])('a random tree, seed %i', (seed) => {
  it.each([
    ['rigid', randomTree({ seed, bodies: 12 })],
    ['with bodies that deform', deformingTree(seed, 6)],
  ])('%s, goes along a velocity and finds it again with the bits of its joints', (_, { model, state, random }) => {
    const { system, trial, q0, E } = createPointSystem(model)
    const { data: d, kernels, step } = system
    const v = system.b
    v.set(random.array(model.nv, 1))
    step[0] = H
    q0.set(state.q)
    trial.q.set(state.q)
    kernels.moveAlong(d.tree, trial.q.byteOffset, v.byteOffset, step.byteOffset)
    const q = state.q.slice()
    integrate(model, q, v, H)
    expect([...trial.q]).toEqual([...q])

    kernels.rateBetween(d.tree, trial.v.byteOffset, q0.byteOffset, trial.q.byteOffset, step.byteOffset)
    const way = new Float64Array(model.nv)
    difference(model, way, state.q, q)
    expect([...trial.v]).toEqual(Array.from(way, (x) => x / H))

    E[KINETIC] = 2
    kernels.addArmatureEnergy(d.tree, E.byteOffset, v.byteOffset)
    expect(E[KINETIC]).toBe(model.armature.reduce((sum, a, k) => sum + 0.5 * a * v[k] * v[k], 2))
  })
})
