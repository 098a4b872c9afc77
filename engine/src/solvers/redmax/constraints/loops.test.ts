/**
 * Loops inside the elimination: the same velocities and forces as over D = G A⁻¹ Gᵀ, the same rows found redundant, at a cost that grows with the
 * number of loops.
 */
import { buildModel, createSimulation, createState, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'
import { ladder } from '../../../../test/redmax/ladder.js'
import { createReducedRows, reduceRows } from '../../../constraints/rows/reduce.js'
import { createRows, updateRows } from '../../../constraints/rows/rows.js'
import { createPivotedLdl, factorPivoted, solvePivoted } from '../../../linalg/dense/pivoted-ldl.js'
import { createDirect, createRecursive } from '../matrix/linear-solvers.js'
import { applySystem, assemble, createSystem, isCoupled, rightHandSide } from '../matrix/system.js'
import { createLoops, type Loops } from './loops.js'

const RUNGS = 14
// rounding, times the condition of the ladder
const SAME = 1e-10
const ALIKE = Float64Array.of(1e-12)

const size = (a: Float64Array): number => a.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
const distance = (a: Float64Array, b: Float64Array): number => size(a.map((x, k) => x - b[k]))

/** The system of a step from the start with some velocity, what closes its loops, and the same over D. */
function closing(spec: Spec) {
  const m = buildModel(spec)
  const { nv } = m
  const state = createState(m)
  for (let k = 0; k < nv; k++) state.v[k] = Math.sin(k + 1)
  const s = createSystem(m)
  s.step[0] = 0.01
  assemble(s, state)
  rightHandSide(s, state, state.v)
  const rows = createRows(m)
  updateRows(rows, m, s.data, state.q, new Float64Array(2))
  const n = rows.count

  const A = isCoupled(s) ? createDirect(s) : createRecursive(s)
  expect(A.prepare()).toBe(true)
  const reduced = createReducedRows(m, n)
  reduceRows(reduced, rows, m, s.data)
  const G = Array.from({ length: n }, (_, r) => reduced.G.subarray(r * nv, (r + 1) * nv))
  const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, x, k) => sum + x * b[k], 0)
  const solve = (b: Float64Array): Float64Array => {
    const x = new Float64Array(nv)
    A.solve(x, b)
    return x
  }
  const free = solve(s.b)
  const Y = G.map(solve)
  const D = Float64Array.from(G.flatMap((row) => Y.map((y) => dot(row, y))))
  const c = Float64Array.from(G, (row, r) => rows.target[r] - dot(row, free))
  const ldl = createPivotedLdl(n)
  const rank = factorPivoted(ldl, D, 0, n)
  const lambda = new Float64Array(n)
  solvePivoted(ldl, lambda, 0, c, 0)
  const x = free.map((value, k) => value + Y.reduce((sum, y, r) => sum + lambda[r] * y[k], 0))
  return { m, s, rows, n, rank, G, c, free, x, dot, loops: createLoops(s, rows) }
}

/** x with its loops closed, and the forces. */
function closed(loops: Loops, free: Float64Array, c: Float64Array): { x: Float64Array; lambda: Float64Array } | undefined {
  const x = free.slice()
  const lambda = new Float64Array(c.length)
  return loops.prepare(ALIKE) && loops.solve(x, lambda, new Float64Array(x.length), c) ? { x, lambda } : undefined
}

const plain = ladder(RUNGS)
const across = plain.constraints.map((one) => ({ ...one, name: `${one.name} again` }))
const variants: readonly [string, Spec][] = [
  ['loops', plain],
  ['loops closed twice', { ...plain, constraints: [...plain.constraints, ...across] }],
  [
    'balls in a plane, which have rows out of it',
    {
      ...plain,
      constraints: plain.constraints.map((one) =>
        one.type === 'point' ? { type: one.type, name: one.name ?? '', a: one.a, b: one.b } : one,
      ),
    },
  ],
  [
    'springs between the chains besides',
    {
      ...plain,
      springs: Array.from({ length: RUNGS - 1 }, (_, i) => ({
        a: { body: `A${i}`, point: [0.3, 0, 0] as const },
        b: { body: `B${i + 1}`, point: [0.3, 0, 0] as const },
        stiffness: 1000,
        damping: 1,
        rest: 0.1,
      })),
    },
  ],
  [
    'a gear and a prescribed motion besides',
    {
      ...plain,
      constraints: [
        ...plain.constraints,
        { type: 'motion', joint: 'A0', offset: 0.05, amplitude: 0.3, frequency: 1 },
        { type: 'coupling', joint: 'A5', of: 'B9', polynomial: [0, 1] },
      ],
    },
  ],
]

describe.each(variants)('%s', (_, spec) => {
  const { s, n, rank, G, c, free, x, dot, loops } = closing(spec)
  const found = closed(loops, free, c)

  it('are worth to be taken inside', () => {
    expect(loops.pays(0)).toBe(true)
  })

  it('give the velocity that the way over D gives', () => {
    expect(found && distance(found.x, x)).toBeLessThan(SAME * size(x))
  })

  it('leave the forces in balance', () => {
    const moved = (found?.x ?? free).map((value, k) => value - free[k])
    const left = new Float64Array(moved.length)
    applySystem(s, left, moved)
    const most = size(left)
    G.forEach((row, r) => {
      for (let k = 0; k < left.length; k++) left[k] -= row[k] * (found?.lambda[r] ?? 0)
    })
    expect(size(left)).toBeLessThan(SAME * most)
    const other = new Float64Array(left.length)
    loops.addForces(other, found?.lambda ?? c)
    expect(
      distance(
        other,
        other.map((_, k) => G.reduce((sum, row, r) => sum + row[k] * (found?.lambda[r] ?? 0), 0)),
      ),
    ).toBeLessThan(SAME * size(other))
  })

  it('have as many redundant rows as D', () => {
    expect(loops.spare().length).toBe(n - rank)
  })

  it('answer further right-hand sides without opening', () => {
    const b = Array.from({ length: 5 }, (_, r) => free.map((_, k) => Math.cos(k * (r + 1))))
    const columns = b.map(() => new Float64Array(free.length))
    expect(loops.solveColumns(columns, b, b.length)).toBe(true)
    for (const y of columns) for (const row of G) expect(Math.abs(dot(row, y))).toBeLessThan(SAME * size(y))
  })
})

describe('rows that are no sound ground', () => {
  it('are refused where rows left out contradict the others', () => {
    const motion = (speed: number) => ({ type: 'motion', joint: 'A0', speed, follow: 'speed' }) as const
    const { loops, free, c } = closing({ ...plain, constraints: [...plain.constraints, motion(1), motion(2)] })
    expect(closed(loops, free, c)).toBeUndefined()
  })

  it('are refused where they differ by less than loops are open', () => {
    expect(closing(plain).loops.prepare(Float64Array.of(1e3))).toBe(false)
  })

  it('are not taken inside where there are few', () => {
    expect(closing(ladder(4)).loops.pays(0)).toBe(false)
  })
})

describe('a ladder', () => {
  it('takes as much longer as it has more rungs', () => {
    const [short, long] = [25, 100].map((rungs) => {
      const m = buildModel(ladder(rungs))
      const s = createSystem(m)
      const state = createState(m)
      s.step[0] = 0.01
      assemble(s, state)
      const rows = createRows(m)
      updateRows(rows, m, s.data, state.q, new Float64Array(2))
      const loops = createLoops(s, rows)
      expect(loops.prepare(ALIKE)).toBe(true)
      return loops.plan()
    })
    expect(long.flops).toBeLessThan(4.2 * short.flops)
    expect(long.solveFlops).toBeLessThan(4.2 * short.solveFlops)
    expect(long.widest).toBe(short.widest)
  })

  it.each(['auto', 'linear', 'second-order'])('moves as with columns, limits at work, scheme %s', (scheme) => {
    const spec = ladder(20, 5)
    expect(closing(spec).loops.pays(10)).toBe(true)
    const model = buildModel(spec)
    let struck = 0
    const [inside, over] = ['auto', 'recursive'].map((linear) => {
      const sim = createSimulation(model, { solver: 'redmax', scheme, linear })
      for (let k = 0; k < 25; k++) {
        sim.step()
        for (let i = 0; i < 5; i++) struck = Math.max(struck, Math.abs(sim.state.q[model.iq[1 + 3 * i]]))
      }
      expect(sim.report.message).toBe('')
      return sim.state
    })
    expect(struck).toBeGreaterThan(0.0599)
    expect(distance(inside.v, over.v)).toBeLessThan(1e-6 * size(over.v))
    expect(distance(inside.q, over.q)).toBeLessThan(1e-8)
  })

  it('moves as with conjugate gradients where springs and loops are factored together', () => {
    const model = buildModel(variants[3][1])
    const [inside, over] = ['direct', 'pcg'].map((linear) => {
      const sim = createSimulation(model, { solver: 'redmax', scheme: 'linear', linear, tolerance: 1e-12 })
      sim.step(30)
      expect(sim.report.message).toBe('')
      return sim.state
    })
    expect(distance(inside.v, over.v)).toBeLessThan(1e-6 * size(over.v))
  })

  it.each([plain, variants[3][1]])('names motions that part, though they are inside', (spec) => {
    const motion = (name: string, amplitude: number) =>
      ({ name, type: 'motion', joint: 'A0', offset: 0.05, amplitude, frequency: 0.5 / amplitude }) as const
    const constraints = [...(spec.constraints ?? []), motion('wide', 0.5), motion('quick', 0.25)]
    const sim = createSimulation(buildModel({ ...spec, constraints }), { solver: 'redmax' })
    sim.step(60)
    expect(sim.report.status).not.toBe('ok')
    expect(sim.report.message).toMatch(/constraint '(wide|quick)' (contradicts the others|asks for a rate)/)
  })

  it.each([plain, variants[3][1]])('goes on with the same bits from a state that was copied', (spec) => {
    const model = buildModel(spec)
    const run = createSimulation(model, { solver: 'redmax' })
    run.step(10)
    const restored = createSimulation(model, { solver: 'redmax' })
    restored.restore(run.snapshot())
    run.step(10)
    restored.step(10)
    expect(restored.state.v).toEqual(run.state.v)
  })

  it('names its redundant rows', () => {
    const sim = createSimulation(buildModel(variants[2][1]), { solver: 'redmax' })
    sim.step()
    expect(sim.warnings().join()).toContain(`${RUNGS} rows of 'rung 0'`)
  })
})
