/**
 * The direct solver against conjugate gradients and the recursion: every way to take a mechanism apart gives the same velocities.
 */
import { buildModel, createState, type Spec } from 'limber'
import { scenes } from 'limber-scenes'
import { describe, expect, it } from 'vitest'
import { createData } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { createLinear } from './auto.js'
import { createCoupling } from './coupling.js'
import { planHandles } from './handle-plan.js'
import { createDirect, createPcgSolver, createRecursive } from './linear-solvers.js'
import { applySystem, assemble, createSystem, isCoupled, rightHandSide, type System } from './system.js'

const TOLERANCE = 1e-6

/** The system of a step from a state that is a little off the start. */
function systemOf(model: Model, off: number): System {
  const state = createState(model)
  for (let k = 0; k < model.nv; k++) state.v[k] = 0.1 * Math.sin(k + 1)
  if (model.nq === model.nv) for (let k = 0; k < model.nq; k++) state.q[k] += off * Math.cos(3 * k)
  const s = createSystem(model, createData(model))
  s.h = 0.01
  assemble(s, state)
  rightHandSide(s, state, state.v)
  return s
}

function solve(s: System, solver: { prepare(): boolean; solve(x: Float64Array, b: Float64Array): boolean }): Float64Array {
  const x = new Float64Array(s.model.nv)
  expect(solver.prepare()).toBe(true)
  expect(solver.solve(x, s.b)).toBe(true)
  return x
}

/** √(xᵀ A x): the norm in which the tolerance of conjugate gradients is stated. */
function energyNorm(s: System, x: Float64Array): number {
  const y = new Float64Array(x.length)
  applySystem(s, y, x)
  return Math.sqrt(x.reduce((sum, v, k) => sum + v * y[k], 0))
}

const distance = (a: Float64Array, b: Float64Array): number => Math.max(...a.map((v, k) => Math.abs(v - b[k])))
const size = (a: Float64Array): number => Math.max(...a.map(Math.abs))

const coupled: [string, Record<string, string | number>][] = [
  ['spring-chain', { links: 13 }],
  ['spring-chain', { links: 40, start: 'hanging' }],
  ['bridge', { bodies: 12, towers: 'flexible' }],
  ['umbrella', { segments: 4 }],
  ['tree', { levels: 4 }],
  ['alternate-tree', { levels: 4 }],
  ['rope-bridge', { planks: 6 }],
]

function modelOf(name: string, values: Record<string, string | number>): Model {
  const scene = scenes.find((one) => one.name === name)
  if (!scene) throw new Error(name)
  return buildModel(scene.build(values))
}

describe('direct', () => {
  it.each(scenes.map(({ name }) => [name]))('agrees with pcg, auto and the recursion to ten times the tolerance on %s', (name) => {
    const model = modelOf(name, {})
    for (const turn of [0, 0.03]) {
      const s = systemOf(model, turn)
      const exact = solve(s, createDirect(s))
      const off = (x: Float64Array): number =>
        energyNorm(
          s,
          x.map((v, k) => v - exact[k]),
        ) / energyNorm(s, exact)
      expect(off(solve(s, createLinear(s, 'auto', TOLERANCE)))).toBeLessThan(10 * TOLERANCE)
      expect(off(solve(s, createPcgSolver(s, TOLERANCE)))).toBeLessThan(10 * TOLERANCE)
      if (!isCoupled(s)) expect(off(solve(s, createRecursive(s)))).toBeLessThan(10 * TOLERANCE)
    }
  })

  it.each(coupled)('solves to rounding whatever the plan: %s %o', (name, values) => {
    const model = modelOf(name, values)
    for (const off of [0, 0.03]) {
      const s = systemOf(model, off)
      const reference = solve(s, createPcgSolver(s, 1e-14))
      for (const eager of [false, true]) {
        for (const cut of [false, true]) {
          for (const order of ['degree', 'level', 'nested', 'dissected'] as const) {
            const x = solve(s, createDirect(s, [{ eager, cut, order }]))
            expect(distance(x, reference), `${eager} ${cut} ${order}`).toBeLessThan(1e-8 * size(reference))
          }
        }
      }
    }
  })

  it.each(coupled)('solves columns four at a time to the same numbers: %s %o', (name, values) => {
    const model = modelOf(name, values)
    const s = systemOf(model, 0.03)
    for (const cut of [false, true]) {
      const direct = createDirect(s, [{ eager: !cut, cut, order: 'degree' }])
      expect(direct.prepare()).toBe(true)
      const b = Array.from({ length: 6 }, (_, r) => Float64Array.from({ length: model.nv }, (_value, k) => Math.sin(1 + k * (r + 1))))
      const x = b.map(() => new Float64Array(model.nv))
      expect(direct.solveColumns?.(x, b, 6)).toBe(true)
      for (let r = 0; r < 6; r++) {
        const one = new Float64Array(model.nv)
        direct.solve(one, b[r])
        expect(distance(x[r], one)).toBeLessThan(1e-12 * size(one))
      }
    }
  })

  it('takes up tendons through joints, which tie velocities instead of bodies', () => {
    const spec: Spec = {
      bodies: Array.from({ length: 6 }, (_, k) => ({
        name: `b${k}`,
        parent: k === 0 ? 'world' : `b${k - 1}`,
        position: [k === 0 ? 0 : 0.2, 0, 0] as const,
        inertia: { mass: 1, com: [0.1, 0, 0] as const, tensor: [0.01, 0.02, 0.02, 0, 0, 0] as const },
        joints: [{ name: `j${k}`, type: 'revolute', axis: [0, 1, k % 2] as const }],
      })),
      tendons: [
        {
          name: 'far',
          joints: [
            { joint: 'j0', coefficient: 1 },
            { joint: 'j5', coefficient: -2 },
          ],
          stiffness: 1e3,
          damping: 5,
        },
        {
          name: 'near',
          joints: [
            { joint: 'j2', coefficient: 1 },
            { joint: 'j3', coefficient: 1 },
            { joint: 'j4', coefficient: 1 },
          ],
          stiffness: 1e4,
        },
      ],
    }
    const s = systemOf(buildModel(spec), 0.1)
    const reference = solve(s, createPcgSolver(s, 1e-14))
    expect(s.terms.count).toBe(2)
    for (const eager of [false, true]) {
      for (const cut of [false, true]) {
        const x = solve(s, createDirect(s, [{ eager, cut, order: 'degree' }]))
        expect(distance(x, reference)).toBeLessThan(1e-10 * size(reference))
      }
    }
  })

  it('keeps its plan while springs tighten and slacken', () => {
    const model = modelOf('spring-chain', { links: 20 })
    const s = systemOf(model, 0)
    const direct = createDirect(s)
    const state = createState(model)
    const plans = new Set<unknown>()
    for (let k = 0; k < 30; k++) {
      for (let j = 0; j < model.nq; j++) state.q[j] = model.q0[j] + 0.1 * Math.sin(j + 0.7 * k)
      assemble(s, state)
      rightHandSide(s, state, state.v)
      const x = solve(s, direct)
      plans.add(direct.plan())
      expect(distance(x, solve(s, createPcgSolver(s, 1e-13)))).toBeLessThan(1e-7 * Math.max(1, size(x)))
    }
    expect(plans.size).toBeLessThanOrEqual(2)
  })

  it('has fronts of bounded size on long chains tied end to end, and on umbrellas', () => {
    const widest = (name: string, values: Record<string, string | number>): number =>
      createDirect(systemOf(modelOf(name, values), 0)).plan().widest
    expect(widest('spring-chain', { links: 300 })).toBeLessThanOrEqual(23)
    expect(widest('umbrella', { segments: 40 })).toBeLessThanOrEqual(54)
    expect(widest('bridge', { bodies: 200, towers: 'flexible' })).toBeLessThanOrEqual(18)
  })

  it('gives up on plans that are dearer than the bound', () => {
    const s = systemOf(modelOf('spring-chain', { links: 100 }), 0)
    expect(planHandles(s.model, createCoupling(s), s.data.X_WB, { eager: true, cut: false, order: 'level' }, 1e4)).toBeUndefined()
  })
})
