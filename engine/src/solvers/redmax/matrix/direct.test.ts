/**
 * The direct solver against conjugate gradients and the recursion: every way to take a mechanism apart gives the same velocities.
 */
import { buildModel, createState, type JointTypeName, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'
import { createCoupling } from '../../../elimination/plan/coupling.js'
import { planHandles } from '../../../elimination/plan/plan-handles.js'
import type { Model } from '../../../model/model.js'
import { createLinear } from './auto.js'
import { createDirect, createPcgSolver, createRecursive } from './linear-solvers.js'
import { applySystem, assemble, createSystem, isCoupled, rightHandSide, type System } from './system.js'

const TOLERANCE = 1e-6

/** The system of a step from a state that is a little off the start. */
function systemOf(model: Model, off: number): System {
  const state = createState(model)
  for (let k = 0; k < model.nv; k++) state.v[k] = 0.1 * Math.sin(k + 1)
  if (model.nq === model.nv) for (let k = 0; k < model.nq; k++) state.q[k] += off * Math.cos(3 * k)
  const s = createSystem(model)
  s.step[0] = 0.01
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

type Body = NonNullable<Spec['bodies']>[number]
type Tie = readonly [string, string]

function link(name: string, parent: string, at: readonly [number, number, number], k: number, type: JointTypeName = 'revolute'): Body {
  const tensor = [0.002, 0.003, 0.004, 0.0002, 0, 0.0001] as const
  const joint = type === 'revolute' ? { type, axis: [0.3 * (k % 3), 1, k % 2] as const, damping: 0.1 } : { type }
  return {
    name,
    parent,
    position: at,
    inertia: { mass: 0.3, com: [0.05, 0.01, 0], tensor },
    joints: [joint],
    damping: { angular: 0.01, linear: 0.02 },
  }
}

/** Springs that are taut or slack by turns, so that some have three rows and others one. */
function build(bodies: Body[], ties: readonly Tie[]): Model {
  return buildModel({
    bodies,
    springs: ties.map(([a, b], k) => ({
      a: { body: a, point: [0.1, 0, 0] as const },
      b: { body: b, point: [0.1, 0.02, 0] as const },
      stiffness: 1e4,
      damping: 3,
      rest: k % 2 === 0 ? 0.01 : 5,
    })),
  })
}

const chainBodies = (name: string, n: number, at: readonly [number, number, number], type?: JointTypeName): Body[] =>
  Array.from({ length: n }, (_, k) =>
    link(`${name}${k}`, k === 0 ? 'world' : `${name}${k - 1}`, k === 0 ? at : [0.2, 0, 0.01 * k], k, type),
  )

/** Link i tied to link n − 1 − i. */
function tiedChain(n: number): Model {
  const ties = Array.from({ length: n >> 1 }, (_, k): Tie => [`c${k}`, `c${n - 1 - k}`]).filter(([a, b]) => a !== b)
  return build(chainBodies('c', n, [0, 0, 0]), ties)
}

/** Chains of universal joints side by side in a ring, rung by rung. */
function ring(chains: number, n: number): Model {
  const bodies: Body[] = []
  const ties: Tie[] = []
  for (let c = 0; c < chains; c++) {
    bodies.push(...chainBodies(`r${c}-`, n, [0, Math.cos(c), Math.sin(c)], 'universal'))
    for (let k = 0; k < n; k++) ties.push([`r${c}-${k}`, `r${(c + 1) % chains}-${k}`])
  }
  return build(bodies, ties)
}

/** A binary tree with springs between siblings, or between neighbouring leaves of different parents. */
function tree(levels: number, siblings: boolean): Model {
  const bodies: Body[] = []
  const ties: Tie[] = []
  for (let k = 0; k < 2 ** levels - 1; k++) {
    const side = k % 2 === 1 ? -1 : 1
    bodies.push(
      link(
        `t${k}`,
        k === 0 ? 'world' : `t${(k - 1) >> 1}`,
        k === 0 ? [0, 0, 0] : [0.2, side * 0.3 * 0.7 ** Math.log2(k + 1), 0.1 * side],
        k,
      ),
    )
    if (siblings && k > 0 && k % 2 === 0) ties.push([`t${k - 1}`, `t${k}`])
  }
  const first = 2 ** (levels - 1) - 1
  if (!siblings) for (let k = first + 2; k < 2 * first + 1; k += 2) ties.push([`t${k - 1}`, `t${k}`], [`t${k - 2}`, `t${k}`])
  return build(bodies, ties)
}

/** Three chains from the ground, the second and third tied to the first in many places. */
function cables(n: number): Model {
  const bodies = [...chainBodies('d', n, [0, 0, 0]), ...chainBodies('l', 5, [0, 1, 0]), ...chainBodies('m', 5, [1, 1, 0])]
  return build(
    bodies,
    Array.from({ length: n }, (_, k): Tie => [`d${k}`, k < n / 2 ? 'l4' : 'm4']),
  )
}

/** In the plane across an axis: hinges, slides and bodies that do both, hung from the ground and from each other, tied crosswise. */
function flat(axis: 0 | 1 | 2, n: number): Model {
  const turned = (x: number, y: number, z: number): [number, number, number] =>
    axis === 2 ? [x, y, z] : axis === 0 ? [z, x, y] : [y, z, x]
  const joints = (k: number): NonNullable<Body['joints']> => {
    const hinge = { name: `h${k}`, type: 'revolute' as const, axis: turned(0, 0, k % 2 === 0 ? 1 : -1), armature: 0.01 }
    const slide = { name: `s${k}`, type: 'prismatic' as const, axis: turned(0.6, 0.8, 0), stiffness: 20 }
    if (k % 5 === 3) return [slide, hinge]
    if (k === 7)
      return [{ type: 'prismatic' as const, axis: turned(1, 0, 0) }, { type: 'prismatic' as const, axis: turned(0, 1, 0) }, hinge]
    return k % 5 === 4 ? [slide] : [hinge]
  }
  const bodies = chainBodies('f', n, [0, 0, 0]).map((body, k) => ({
    ...body,
    parent: k === 0 || k === 9 ? 'world' : `f${k - 1}`,
    position: turned(0.2, 0.01 * k, 0.02 * (k % 3)),
    joints: joints(k),
    ...(k % 2 === 0 ? {} : { damping: { angular: 0.01 } }),
  }))
  return build(
    bodies,
    Array.from({ length: n >> 1 }, (_, k): Tie => [`f${k}`, `f${n - 1 - k}`]),
  )
}

const coupled: [string, () => Model][] = [
  ['a chain tied end to end', () => tiedChain(13)],
  ['a longer one', () => tiedChain(40)],
  ['a ring of chains', () => ring(5, 4)],
  ['a tree with springs between siblings', () => tree(5, true)],
  ['a tree with a net over its leaves', () => tree(5, false)],
  ['cables from two towers', () => cables(12)],
  ['chains across x', () => flat(0, 24)],
  ['chains across y', () => flat(1, 24)],
  ['chains across z', () => flat(2, 24)],
]

describe('direct', () => {
  it.each(coupled)('agrees with pcg and auto to ten times the tolerance: %s', (_, make) => {
    const model = make()
    for (const turn of [0, 0.03]) {
      const s = systemOf(model, turn)
      expect(isCoupled(s)).toBe(true)
      const exact = solve(s, createDirect(s))
      const off = (x: Float64Array): number =>
        energyNorm(
          s,
          x.map((v, k) => v - exact[k]),
        ) / energyNorm(s, exact)
      expect(off(solve(s, createLinear(s, 'auto', TOLERANCE)))).toBeLessThan(10 * TOLERANCE)
      expect(off(solve(s, createPcgSolver(s, TOLERANCE)))).toBeLessThan(10 * TOLERANCE)
    }
  })

  it('is the articulated-body method where nothing is coupled', () => {
    const s = systemOf(build(chainBodies('c', 20, [0, 0, 0]), []), 0.1)
    const direct = createDirect(s)
    expect(distance(solve(s, direct), solve(s, createRecursive(s)))).toBeLessThan(1e-10)
    expect(direct.plan().kept).toBe(6 * 20)
  })

  it.each(coupled)('solves to rounding whatever the plan: %s', (_, make) => {
    const model = make()
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

  it.each(coupled)('measures a right-hand side by half a solve, and the other half is its solution: %s', (_, make) => {
    const s = systemOf(make(), 0.03)
    for (const eager of [false, true]) {
      for (const cut of [false, true]) {
        for (const order of ['degree', 'level', 'nested', 'dissected'] as const) {
          const direct = createDirect(s, [{ eager, cut, order }])
          const x = solve(s, direct)
          const measured = new Float64Array(1)
          const finished = new Float64Array(x.length)
          direct.measure?.(measured, 0, s.b)
          direct.finish?.(finished)
          expect(finished).toEqual(x)
          const wanted = x.reduce((sum, value, k) => sum + value * s.b[k], 0)
          expect(Math.abs(measured[0] - wanted), `${eager} ${cut} ${order}`).toBeLessThan(1e-8 * Math.abs(wanted))
        }
      }
    }
  })

  it('takes half as many numbers a body where all motion is in a plane, and not otherwise', () => {
    const handle = (model: Model): number => createDirect(systemOf(model, 0)).plan().handle
    for (const axis of [0, 1, 2] as const) expect(handle(flat(axis, 24))).toBe(3)
    expect(handle(tiedChain(13))).toBe(6)
  })

  it.each(coupled)('solves columns four at a time to the same numbers: %s', (_, make) => {
    const model = make()
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

  it.each([0, 1])('takes up tendons through joints, which tie velocities instead of bodies, off the plane by %d', (off) => {
    const spec: Spec = {
      bodies: Array.from({ length: 6 }, (_, k) => ({
        name: `b${k}`,
        parent: k === 0 ? 'world' : `b${k - 1}`,
        position: [k === 0 ? 0 : 0.2, 0, 0] as const,
        inertia: { mass: 1, com: [0.1, 0, 0] as const, tensor: [0.01, 0.02, 0.02, 0, 0, 0] as const },
        joints: [{ name: `j${k}`, type: 'revolute' as const, axis: [0, 1, off * (k % 2)] as const }],
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
    const model = tiedChain(20)
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

  it('has fronts of bounded size on long chains tied end to end, on rings of chains, and on bridges', () => {
    const widest = (model: Model): number => createDirect(systemOf(model, 0)).plan().widest
    expect(widest(tiedChain(300))).toBeLessThanOrEqual(23)
    expect(widest(ring(8, 30))).toBeLessThanOrEqual(54)
    expect(widest(cables(100))).toBeLessThanOrEqual(18)
  })

  it('gives up on plans that are dearer than the bound', () => {
    const s = systemOf(tiedChain(100), 0)
    expect(planHandles(s.model, createCoupling(s), { eager: true, cut: false, order: 'level' }, 1e4)).toBeUndefined()
  })
})
