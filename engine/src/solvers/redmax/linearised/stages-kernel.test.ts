/** Kernels of the stages against their equations, number by number. */
import { describe, expect, it } from 'vitest'
import { deformingTree } from '../../../../test/conformance/deforming-tree.js'
import { randomTree } from '../../../../test/conformance/random-tree.js'
import { integrate } from '../../../joints/index.js'
import { createWork } from '../work.js'
import { areFinite, createLinearised, moveState } from './linearised-record.js'
import { createStages, stagesRoom } from './stages.js'

const H = 0.03
const G = 0.01

describe.each([1, 2, 3, 4, 5, 6])('stages on a random tree, seed %i', (seed) => {
  const trees = [
    ['rigid', randomTree({ seed, bodies: 12 })],
    ['with bodies that deform', deformingTree(seed, 6)],
  ] as const
  const make = ({ model, state, random }: (typeof trees)[number][1]) => {
    const options = { scheme: 'second-order', linear: 'auto', tolerance: 1e-6 }
    const l = createLinearised(model, options, [], createWork(model, 0), stagesRoom(model))
    const g = createStages(l, undefined)
    l.span[0] = H
    l.system.step[0] = G
    g.q0.set(state.q)
    for (const x of [g.v0, g.v, g.a, g.j, g.y, g.z]) x.set(random.array(model.nv, 1))
    return { l, g, kernels: l.system.kernels, tree: l.data.tree }
  }
  const numbers = (n: number, f: (k: number) => number): number[] => Array.from({ length: n }, (_, k) => f(k))

  it.each(trees)('%s, expect what the accelerations before say, with the bits of the joints', (_, tree) => {
    const { model } = tree
    const { nv } = model
    const { g, kernels, tree: at } = make(tree)
    const { v0, v, a, j } = g
    const place = (move: readonly number[]): number[] => {
      const q = g.q0.slice()
      integrate(model, q, Float64Array.from(move), 1)
      return [...q]
    }
    kernels.expectFirst(at, g.table, 0)
    expect([...g.at.v]).toEqual([...v0])
    kernels.expectFirst(at, g.table, 1)
    expect([...g.at.v]).toEqual(numbers(nv, (k) => v0[k] + G * (a[k] + G * j[k])))
    expect([...g.at.q]).toEqual(place(numbers(nv, (k) => G * g.at.v[k])))

    kernels.expectSecond(at, g.table, 1)
    const first = numbers(nv, (k) => (v[k] - v0[k]) / G)
    const bar = numbers(nv, (k) => v0[k] + (H - G) * first[k])
    expect([...g.first]).toEqual(first)
    expect([...g.bar]).toEqual(bar)
    expect([...g.at.v]).toEqual(numbers(nv, (k) => bar[k] + G * first[k] + (H - G) * (first[k] - a[k])))
    expect([...g.at.q]).toEqual(place(numbers(nv, (k) => (H - G) * v[k] + G * g.at.v[k])))

    kernels.expectSolution(at, g.table)
    expect([...g.at.v]).toEqual([...v])
    expect([...g.at.q]).toEqual(place(numbers(nv, (k) => (H - G) * v[k] + G * v[k])))
  })

  it.each(trees)('%s, end with the displacement, its squares and accelerations', (_, tree) => {
    const { nv } = tree.model
    const { g, kernels, tree: at } = make(tree)
    const { v, x, y, z } = g
    x.set(v.map((one) => one / 3))
    for (const [list, seed] of [
      [g.bar, 1],
      [g.delta, 2],
      [g.first, 3],
    ] as const)
      list.forEach((_, k) => (list[k] = Math.sin(seed + k)))
    g.square[0] = 7
    kernels.measureStage(at, g.table)
    const product = (a: Float64Array, b: Float64Array): number => a.reduce((sum, one, k) => sum + one * b[k], 0)
    expect([...g.square]).toEqual([product(x, y), 7, product(v, z)])
    expect([...g.move]).toEqual(numbers(nv, (k) => g.delta[k] + G * v[k]))
    kernels.finishStages(at, g.table)
    expect([...g.a]).toEqual(numbers(nv, (k) => (v[k] - g.bar[k]) / G))
    expect([...g.j]).toEqual(numbers(nv, (k) => (g.a[k] - g.first[k]) / (H - G)))
  })

  it.each(trees)('%s, go nowhere with a number that is none or too large', (_, tree) => {
    const { l, g } = make(tree)
    const { state } = tree
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -1e13]) {
      const before = [...state.q, ...state.v, state.t]
      const good = g.v[g.v.length - 1]
      g.v[g.v.length - 1] = bad
      l.report.status = 'ok'
      expect(areFinite(l, g.q0, g.v)).toBe(bad === -1e13)
      expect(moveState(l, state, g.v, g.move, l.unit)).toBe(false)
      expect(l.report.status).toBe('diverged')
      expect([...state.q, ...state.v, state.t]).toEqual(before)
      g.v[g.v.length - 1] = good
    }
    l.report.status = 'ok'
    expect(moveState(l, state, g.v, g.move, l.unit)).toBe(true)
    expect([...state.v]).toEqual([...g.v])
  })
})
