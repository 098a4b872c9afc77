/**
 * Nested dissection and dense fronts: nets over trees whose branches cross over, and every kind of joint on the way.
 */
import { buildModel, createState, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'
import { createCoupling } from '../../../elimination/plan/coupling.js'
import { dissect } from '../../../elimination/plan/dissect.js'
import { bodiesOf } from '../../../elimination/plan/graph.js'
import { planParts } from '../../../elimination/plan/plan-parts.js'
import type { Model } from '../../../model/model.js'
import { createDirect, createPcgSolver } from './linear-solvers.js'
import { assemble, createSystem, rightHandSide, type System } from './system.js'

type Body = NonNullable<Spec['bodies']>[number]
type Spring = NonNullable<Spec['springs']>[number]

const PARTS = { eager: false, cut: false, order: 'dissected' } as const

/** A system a little off the start, its springs taut. */
function systemOf(model: Model): System {
  const state = createState(model)
  for (let k = 0; k < model.nv; k++) state.v[k] = 0.1 * Math.sin(k + 1)
  if (model.nq === model.nv) for (let k = 0; k < model.nq; k++) state.q[k] += 0.02 * Math.cos(3 * k)
  const s = createSystem(model)
  s.step[0] = 0.01
  assemble(s, state)
  rightHandSide(s, state, state.v)
  return s
}

function body(name: string, parent: string, position: readonly [number, number, number], joints: Body['joints']): Body {
  const tensor = [0.02, 0.03, 0.04, 0.002, 0, 0.001] as const
  return { name, parent, position, inertia: { mass: 0.3, com: [0.05, 0.01, 0.02], tensor }, ...(joints ? { joints } : {}) }
}

const tie = (a: string, b: string): Spring => ({ a: { body: a }, b: { body: b }, stiffness: 1e4, damping: 3, rest: 0.01 })

/** A binary tree whose levels lie along x and y by turns, and springs between leaves that are next to each other; `reach` > 0.5 lets branches cross. */
function net(levels: number, reach: number): Model {
  const bodies: Body[] = []
  let tips = [{ name: 'world', x: 0, y: 0 }]
  for (let level = 0; level < levels; level++) {
    const step = reach ** (level >> 1)
    const along = level % 2 === 0
    tips = tips.flatMap((tip) =>
      [-step, step].map((side) => {
        const name = `${tip.name === 'world' ? 't' : tip.name}${side < 0 ? 0 : 1}`
        const position = [along ? side : 0, along ? 0 : side, 0.3] as const
        bodies.push(body(name, tip.name, position, [{ type: 'revolute' as const, axis: along ? [0, 1, 0] : [1, 0, 0], damping: 0.1 }]))
        return { name, x: tip.x + position[0], y: tip.y + position[1] }
      }),
    )
  }
  const springs: Spring[] = []
  for (const [line, along] of [['x', 'y'] as const, ['y', 'x'] as const]) {
    for (const key of new Set(tips.map((tip) => tip[line].toFixed(6)))) {
      const row = tips.filter((tip) => tip[line].toFixed(6) === key).sort((a, b) => a[along] - b[along])
      for (const [k, tip] of row.entries()) if (k > 0) springs.push(tie(row[k - 1].name, tip.name))
    }
  }
  return buildModel({ bodies, springs })
}

/** Two trees with joints of every number of velocities, springs on bodies that carry others, and a branch without any. */
function mixed(): Model {
  const types = ['revolute', 'universal', 'spherical', 'prismatic', 'free', 'revolute'] as const
  const bodies: Body[] = []
  for (let k = 0; k < 24; k++) {
    const parent = k < 2 ? 'world' : `b${k - (k % 3 === 0 ? 1 : 2)}`
    const position = [0.4 * Math.sin(5 * k), 0.4 * Math.cos(3 * k), 0.1 * k] as const
    bodies.push(body(`b${k}`, parent, position, k % 7 === 6 ? undefined : [{ type: types[k % 6], damping: 0.1 }]))
  }
  const pairs = [
    [2, 11],
    [5, 12],
    [7, 20],
    [3, 21],
    [9, 14],
    [16, 23],
    [20, 23],
    [1, 22],
    [12, 19],
  ]
  return buildModel({ bodies, springs: pairs.map(([a, b]) => tie(`b${a}`, `b${b}`)) })
}

describe('direct by parts', () => {
  it.each([
    ['a net that lies as its tree', () => net(6, 0.45)],
    ['a net whose branches cross', () => net(7, 0.7)],
    ['joints of every kind', mixed],
  ])('solves to rounding, one or four columns at a time: %s', (_, make) => {
    const s = systemOf(make())
    const { nv } = s.model
    const direct = createDirect(s, [PARTS])
    expect(direct.prepare()).toBe(true)
    // not the plan that it would fall back on
    expect(direct.plan().choice.order).toBe('dissected')
    const exact = new Float64Array(nv)
    const pcg = createPcgSolver(s, 1e-14)
    expect(pcg.prepare() && pcg.solve(exact, s.b)).toBe(true)
    const x = new Float64Array(nv)
    expect(direct.solve(x, s.b)).toBe(true)
    const size = Math.max(...exact.map(Math.abs))
    expect(Math.max(...x.map((v, k) => Math.abs(v - exact[k])))).toBeLessThan(1e-8 * size)

    const b = [1, 2, 3, 4].map((r) => s.b.map((v, k) => v * Math.cos(k * r)))
    const columns = b.map(() => new Float64Array(nv))
    expect(direct.solveColumns?.(columns, b, 4)).toBe(true)
    for (const [r, column] of columns.entries()) {
      direct.solve(x, b[r])
      expect(Math.max(...x.map((v, k) => Math.abs(v - column[k])))).toBeLessThan(1e-11 * Math.max(...x.map(Math.abs)))
    }
  })

  it('gives every body and every row to a part that holds all that is below it', () => {
    const model = net(7, 0.7)
    const s = systemOf(model)
    const coupling = createCoupling(s)
    const tied = Array.from({ length: coupling.groups }, (_, g) => bodiesOf(model, coupling, g))
    const { above, ofBody, ofGroup } = dissect(model, tied, coupling.room, s.data.X_WB)
    const holds = (part: number, inner: number): boolean => {
      let at = inner
      while (at > part) at = above[at]
      return at === part
    }
    for (let i = 1; i < model.nbody; i++) {
      if (model.parent[i] > 0) expect(holds(ofBody[model.parent[i]], ofBody[i])).toBe(true)
    }
    for (const [g, bodies] of tied.entries()) for (const b of bodies) expect(holds(ofGroup[g], ofBody[b])).toBe(true)
    // the first cut leaves at least a quarter of the leaves on either side
    const leaves = [...new Set(tied.flat())]
    const first = above.flatMap((part, number) => (part === 1 ? [number] : []))
    const shares = first.map((part) => leaves.filter((b) => holds(part, ofBody[b])).length / leaves.length)
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.25)
  })

  it('grows far less than quadratically on nets whose branches cross, and less than any other plan', () => {
    const counts = [7, 9].map((levels) => {
      const s = systemOf(net(levels, 0.7))
      const coupling = createCoupling(s)
      const parts = planParts(s.model, coupling, s.data.X_WB, PARTS)?.flops ?? Number.NaN
      const others = createDirect(s, [
        { eager: false, cut: false, order: 'nested' },
        { eager: true, cut: false, order: 'degree' },
        { eager: false, cut: false, order: 'degree' },
      ]).plan().flops
      return { nv: s.model.nv, parts, others }
    })
    const [small, large] = counts
    expect(Math.log(large.parts / small.parts) / Math.log(large.nv / small.nv)).toBeLessThan(1.7)
    expect(large.parts).toBeLessThan(0.7 * large.others)
  })

  it('leaves rows on joint velocities to the other plans', () => {
    const joints = [{ name: 'p', type: 'revolute' as const }]
    const bodies = [body('a', 'world', [0, 0, 0], joints), body('b', 'a', [0.2, 0, 0], [{ name: 'q', type: 'revolute' as const }])]
    const tendons = [
      {
        name: 't',
        joints: [
          { joint: 'p', coefficient: 1 },
          { joint: 'q', coefficient: -1 },
        ],
        stiffness: 1e3,
      },
    ]
    const s = systemOf(buildModel({ bodies, tendons }))
    const coupling = createCoupling(s)
    expect(coupling.groups).toBe(1)
    expect(planParts(s.model, coupling, s.data.X_WB, PARTS)).toBeUndefined()
    expect(createDirect(s, [PARTS]).prepare()).toBe(true)
  })
})
