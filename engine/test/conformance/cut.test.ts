/**
 * A tree that is taken apart: passes over ranges of bodies give the bits of the passes over all of them.
 */
import { aba, buildModel, createData, type Data, dataSize, type Model, rnea, type State, type Vec } from 'limber'
import { describe, expect, it } from 'vitest'
import { applyForces } from '../../src/forces/dynamics.js'
import { poisonData } from '../../src/model/data.js'
import { accelerate, eliminate, joinToParents, sweep } from '../../src/tree/aba.js'
import { joinForces, sumForces } from '../../src/tree/jacobian.js'
import { forwardKinematics } from '../../src/tree/kinematics.js'
import { bodyForces } from '../../src/tree/rnea.js'
import { createRandom } from '../random.js'
import { deformingTree } from './deforming-tree.js'
import { everyForce } from './every-force.js'
import { type RandomTree, randomState, randomTree } from './random-tree.js'

/** The trial family: the subtree of body i by itself, and all the rest, each pass in two parts. */
function abaInHalves(m: Model, d: Data, { v, tau }: State, out: Vec, i: number): void {
  const end = m.subtreeEnd[i]
  const rest = [
    [1, i],
    [end, m.nbody],
  ]
  for (const [from, to] of [...rest, [i, end]]) sweep(m, d, v, from, to)

  // the two lines: what is below the cut knows nothing of what is above
  for (const from of [i, end]) eliminate(m, d, tau, from, from === i ? end : m.nbody)
  for (const from of [end, i]) joinToParents(d, from, from === i ? end : m.nbody)
  eliminate(m, d, tau, 1, i)

  for (const [from, to] of [...rest, [i, end]]) accelerate(m, d, out, from, to)
}

const trees: [string, () => RandomTree][] = []
for (let seed = 1; seed <= 40; seed++) trees.push([`rigid, seed ${seed}`, () => randomTree({ seed, bodies: 4 + (seed % 17) })])
for (let seed = 1; seed <= 15; seed++) trees.push([`deforming, seed ${seed}`, () => deformingTree(seed, 4 + (seed % 9))])

describe.each(trees)('a tree cut at every joint: %s', (_, make) => {
  it('has the bits of aba in one piece', () => {
    const { model: m, data: d, state, random } = make()
    const f = random.array(6 * m.nbody, 1)
    const start = (): void => {
      poisonData(d, m)
      forwardKinematics(m, d, state.q, state.v)
      d.f.set(f)
    }
    const whole = new Float64Array(m.nv)
    start()
    aba(m, d, state.v, state.tau, whole)
    for (let i = 1; i < m.nbody; i++) {
      const parts = new Float64Array(m.nv).fill(Number.NaN)
      start()
      abaInHalves(m, d, state, parts, i)
      expect(parts).toEqual(whole)
    }
  })

  it('has the bits of the kinematics and of rnea in one piece', () => {
    const { model: m, data: d, state, random } = make()
    const a = random.array(m.nv, 1)
    const f = random.array(6 * m.nbody, 1)
    const whole = new Float64Array(m.nv)
    poisonData(d, m)
    d.f.set(f)
    forwardKinematics(m, d, state.q, state.v)
    rnea(m, d, a, whole)
    const kinematics = [d.X_WB.slice(), d.V.slice(), d.c.slice()]
    for (let i = 1; i < m.nbody; i++) {
      const end = m.subtreeEnd[i]
      const parts = new Float64Array(m.nv).fill(Number.NaN)
      poisonData(d, m)
      d.f.set(f)
      for (const [from, to] of [
        [1, i],
        [i, end],
        [end, m.nbody],
      ]) {
        forwardKinematics(m, d, state.q, state.v, from, to)
        bodyForces(m, d, a, parts, from, to)
      }
      expect([d.X_WB, d.V, d.c]).toEqual(kinematics)
      sumForces(m, d, parts, d.F, i, end)
      sumForces(m, d, parts, d.F, end, m.nbody)
      joinForces(m, d, parts, d.F, end, m.nbody)
      joinForces(m, d, parts, d.F, i, end)
      sumForces(m, d, parts, d.F, 1, i)
      expect(parts).toEqual(whole)
    }
  })
})

describe('data on given memory', () => {
  it('lives on a shared buffer, and two views of it see the same', () => {
    const { model: m, state } = randomTree({ seed: 7, bodies: 6 })
    const buffer = new WebAssembly.Memory({ initial: Math.ceil(dataSize(m) / 65536), maximum: 65536, shared: true })
    const one = createData(m, { buffer })
    const out = new Float64Array(m.nv)
    forwardKinematics(m, one, state.q, state.v)
    aba(m, one, state.v, state.tau, out)
    const other = createData(m, { buffer })
    expect(other.X_WB).toEqual(one.X_WB)
    expect(other.IA).toEqual(one.IA)
    const alone = createData(m)
    const again = new Float64Array(m.nv)
    forwardKinematics(m, alone, state.q, state.v)
    aba(m, alone, state.v, state.tau, again)
    expect(again).toEqual(out)
  })

  it('is refused where it is too small', () => {
    const { model } = randomTree({ seed: 8, bodies: 3 })
    expect(() => createData(model, { buffer: new ArrayBuffer(dataSize(model) - 8) })).toThrow(/buffer: expected at least \d+ bytes/)
  })
})

describe('forces', () => {
  it('on parts of a tree are those of the whole tree, bit by bit: every force of a scene', () => {
    const m = buildModel(everyForce(9))
    expect(m.forces.length).toBeGreaterThan(10)
    const d = createData(m)
    for (let seed = 1; seed <= 5; seed++) {
      const state = randomState(m, createRandom(seed))
      state.control.fill(0.3)
      forwardKinematics(m, d, state.q, state.v)
      applyForces(m, d, state)
      const [f, qf] = [d.f.slice(6), d.qf.slice()]
      for (let i = 1; i < m.nbody; i++) {
        d.f.fill(Number.NaN)
        d.qf.fill(Number.NaN)
        const end = m.subtreeEnd[i]
        for (const [from, to] of [
          [i, end],
          [1, i],
          [end, m.nbody],
        ])
          applyForces(m, d, state, from, to)
        expect(d.f.slice(6)).toEqual(f)
        expect(d.qf).toEqual(qf)
      }
    }
  })
})
