import { describe, expect, it } from 'vitest'
import { randomTree, type Shape } from '../../../test/conformance/random-tree.js'
import { createData, poisonData } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { aba } from '../aba.js'
import { forwardKinematics } from '../kinematics.js'
import { createAssembly } from './assembly.js'
import { createParts, dca, partsRoom } from './dca.js'

const largest = (x: ArrayLike<number>): number => Array.from(x).reduce((most, value) => Math.max(most, Math.abs(value)), 0)
const distance = (x: ArrayLike<number>, y: ArrayLike<number>): number => largest(Array.from(x, (value, k) => value - y[k]))

describe('forward dynamics by divide and conquer', () => {
  for (const shape of ['chain', 'star', 'random'] as Shape[]) {
    for (const bodies of [1, 2, 3, 8, 13, 40, 200]) {
      for (const floating of [false, true]) {
        it(`equals the articulated-body algorithm: ${shape} of ${bodies}${floating ? ', floating' : ''}`, () => {
          const { model, state, random } = randomTree({ seed: 7 * bodies + shape.length, bodies, shape, floating })
          const assembly = createAssembly(model)
          const data = createData(model, { numbers: partsRoom(model, assembly) })
          poisonData(data, model)
          const parts = createParts(model, data, assembly)
          forwardKinematics(model, data, state.q, state.v)
          for (let k = 6; k < data.f.length; k++) data.f[k] = random.between(-3, 3)
          const tau = Float64Array.from({ length: model.nv }, () => random.between(-2, 2))
          const [expected, got] = [new Float64Array(model.nv), new Float64Array(model.nv)]
          aba(model, data, state.v, tau, expected)
          dca(data, parts, tau, got)
          // a body with 199 children is welded of 198 light pieces, whose rounding grows with the cube of their number
          const tolerance = shape === 'star' && bodies > 100 ? 1e-8 : 1e-10
          expect(distance(got, expected)).toBeLessThan(tolerance * largest(expected))
        })
      }
    }
  }
})

describe('the assembly tree', () => {
  /** Bodies of the node, by its leaves. */
  const bodiesIn = (a: ReturnType<typeof createAssembly>, n: number): number[] =>
    a.first[n] < 0 ? [a.body[n]] : [...bodiesIn(a, a.first[n]), ...bodiesIn(a, a.second[n])]

  const check = (model: Model): void => {
    const a = createAssembly(model)
    const seen = new Set<number>()
    for (const root of a.roots) {
      expect(a.handles[root]).toBe(0)
      for (const body of bodiesIn(a, root)) seen.add(body)
    }
    expect(seen.size).toBe(model.nbody)
    for (let i = 1; i < model.nbody; i++) {
      const n = a.nodeOf[i]
      expect(a.joint[n]).toBe(i)
      expect(bodiesIn(a, a.first[n])).toContain(model.parent[i])
      expect(bodiesIn(a, a.second[n])).toContain(i)
    }
    for (let n = 0; n < a.nodes; n++) {
      expect(a.handles[n]).toBeLessThanOrEqual(3)
      if (a.first[n] >= 0) expect(a.handles[n]).toBe(a.handles[a.first[n]] + a.handles[a.second[n]] - 2)
      expect(a.whole[n] < 0 || a.whole[n] > n).toBe(true)
    }
  }

  it('joins every body by its own joint, with at most three handles', () => {
    for (let seed = 1; seed <= 20; seed++) {
      for (const shape of ['chain', 'star', 'random'] as Shape[]) check(randomTree({ seed, bodies: 3 * seed, shape }).model)
    }
  })

  it('has about log n levels, and linear memory', () => {
    for (const shape of ['chain', 'star', 'random'] as Shape[]) {
      for (const bodies of [100, 1000, 4000]) {
        const { model } = randomTree({ seed: 3, bodies, shape, sequences: false })
        const a = createAssembly(model)
        const least = Math.ceil(Math.log2(bodies + 1))
        expect(a.depth).toBeLessThanOrEqual(shape === 'chain' ? least + 2 : 2 * least + 2)
        expect(a.square.at(-1)).toBeLessThan(700 * bodies)
      }
    }
  })
})
