import { describe, expect, it } from 'vitest'
import { randomTree, type Shape } from '../../../test/conformance/random-tree.js'
import { poisonData } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { forwardKinematics } from '../../tree/kinematics.js'
import { type AdaptiveWork, createWork } from './work.js'

const shapes: readonly Shape[] = ['chain', 'star', 'random']

/** All nodes, parts before what they are parts of; `backwards`: after. */
function allNodes({ assembly, lists }: AdaptiveWork, backwards = false): number {
  for (let n = 0; n < assembly.nodes; n++) lists.changed[backwards ? assembly.nodes - 1 - n : n] = n
  return assembly.nodes
}

/** Joints inside a node, by their bodies. */
function jointsIn({ assembly: a }: AdaptiveWork, n: number): number[] {
  if (a.first[n] < 0) return []
  const w = { assembly: a } as AdaptiveWork
  return [...(a.joint[n] > 0 ? [a.joint[n]] : []), ...jointsIn(w, a.first[n]), ...jointsIn(w, a.second[n])]
}

/** The body whose frame is the reference of a node; 0 where it holds the ground. */
function topOf({ assembly: a }: AdaptiveWork, n: number): number {
  let node = n
  while (a.first[node] >= 0) node = a.first[node]
  return a.body[node]
}

function prepare(model: Model, state: State, random: { between(low: number, high: number): number }) {
  const w = createWork(model, [])
  poisonData(w.d, model)
  const { d, held, assembly, state: own } = w
  forwardKinematics(model, d, state.q, state.v)
  for (let k = 0; k < model.nv; k++) held.weight[k] = random.between(0.5, 2)
  for (let k = 0; k < model.nv; k++) own.tau[k] = random.between(-2, 2)
  for (let n = 0; n < assembly.nodes; n++) held.twist.set(d.V.subarray(6 * topOf(w, n), 6 * topOf(w, n) + 6), 6 * n)
  return w
}

const close = (got: number, expected: number, scale: number): void => expect(Math.abs(got - expected)).toBeLessThan(1e-10 * scale)

describe('the acceleration metric', () => {
  for (const shape of shapes) {
    for (const seed of [1, 2, 3, 4]) {
      it(`is the sum over the joints of every node: ${shape}, seed ${seed}`, () => {
        const { model, state, random } = randomTree({ seed, bodies: 5 + 6 * seed, shape, floating: seed % 2 === 0 })
        const w = prepare(model, state, random)
        const { d, parts, held, kernels, lists, state: own } = w
        for (let k = 6; k < d.f.length; k++) d.f[k] = random.between(-3, 3)
        const nodes = allNodes(w, true)
        kernels.assembleLoaded(d.tree, d.work, parts.table, held.table, own.tau.byteOffset, 1, lists.changed.byteOffset, 0, nodes)
        kernels.distributeNodes(d.tree, d.work, parts.table, own.free.byteOffset, 0, nodes)
        kernels.measureFronts(parts.table, held.table, lists.changed.byteOffset, 0, nodes)
        const sums = Array.from({ length: nodes }, (_, n) => {
          let sum = 0
          for (const j of jointsIn(w, n)) for (let k = model.iv[j]; k < model.ivEnd[j]; k++) sum += held.weight[k] * own.free[k] ** 2
          return sum
        })
        const scale = Math.max(...sums)
        for (let n = 0; n < nodes; n++) close(held.metric[n], sums[n], scale)
      })
    }
  }
})

describe('polynomials of held nodes', () => {
  for (const shape of shapes) {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      it(`equal the recursion with all joints at rest: ${shape}, seed ${seed}`, () => {
        const { model, state, random } = randomTree({ seed, bodies: 3 + 4 * seed, shape, floating: seed % 3 !== 0 })
        // only a free base moves
        for (let k = 0; k < model.nv; k++) state.v[k] = seed % 3 !== 0 && k < 6 ? random.between(-3, 3) : 0
        const w = prepare(model, state, random)
        const { d, parts, held, kernels, lists, assembly: a, state: own } = w
        d.f.fill(0)
        const nodes = allNodes(w)
        kernels.describeNodes(d.tree, d.work, parts.table, held.table, own.tau.byteOffset, lists.changed.byteOffset, 0, nodes)
        kernels.evaluateFronts(d.tree, parts.table, held.table, lists.changed.byteOffset, 0, nodes)
        const [b, p, eta] = [parts.b.slice(), held.p.slice(), held.eta.slice()]
        allNodes(w, true)
        kernels.assembleLoaded(d.tree, d.work, parts.table, held.table, own.tau.byteOffset, 0, lists.changed.byteOffset, 0, nodes)
        // the root of a floating tree has its base in motion
        for (let n = 0; n < nodes; n++) {
          if (a.handles[n] === 0) continue
          const inner = a.first[n] >= 0
          const [rows, own6, inner6] = [6 * a.handles[n], 6 * a.row[n], 6 * a.innerRow[n]]
          const size = (x: Float64Array, from: number): number =>
            1e-3 + x.subarray(from, from + rows).reduce((most, value) => Math.max(most, Math.abs(value)), 0)
          for (let r = 0; r < rows; r++) close(b[own6 + r], parts.b[own6 + r], size(parts.b, own6))
          if (!inner) continue
          for (let r = 0; r < rows; r++) close(p[inner6 + r], held.p[inner6 + r], size(held.p, inner6))
          close(eta[n], held.eta[n], 1e-3 + held.eta[n])
        }
      })
    }
  }

  it('keep the inertia of the whole', () => {
    const { model, state, random } = randomTree({ seed: 5, bodies: 20, floating: true })
    const w = prepare(model, state, random)
    const { d, parts, held, kernels, lists, assembly: a, state: own } = w
    kernels.describeNodes(d.tree, d.work, parts.table, held.table, own.tau.byteOffset, lists.changed.byteOffset, 0, allNodes(w))
    let mass = 0
    for (let i = 1; i < model.nbody; i++) mass += model.inertia[10 * i]
    const whole = a.second[a.roots[0]]
    expect(held.inertia[10 * whole]).toBeCloseTo(mass, 10)
  })
})
