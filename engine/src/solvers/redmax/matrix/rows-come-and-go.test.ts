/** Rows that come and go: the plan of `direct` stays. */
import { buildModel, createState, type Spec } from 'limber'
import { expect, it } from 'vitest'
import { createDirect } from './linear-solvers.js'
import { applySystem, assemble, createSystem, rightHandSide } from './system.js'

/** Two chains of three links side by side, tied by so many springs between their ends. */
function tied(springs: number): Spec {
  const inertia = { mass: 1, com: [0, 0, -0.15], tensor: [0.01, 0.01, 0.01, 0, 0, 0] } as const
  return {
    bodies: ['a', 'b'].flatMap((side, x) =>
      [0, 1, 2].map((i) => ({
        name: `${side}${i}`,
        parent: i > 0 ? `${side}${i - 1}` : 'world',
        position: i > 0 ? ([0, 0, -0.3] as const) : ([x, 0, 0] as const),
        inertia,
        joints: [{ type: 'spherical' }],
      })),
    ),
    springs: Array.from({ length: springs }, (_, k) => ({
      a: { body: 'a2', point: [0, 0.1 * k, -0.3] as const },
      b: { body: 'b2', point: [0, -0.1 * k, -0.2] as const },
      stiffness: 1e3,
      damping: 1,
      rest: 1.1,
    })),
  }
}

it.each([1, 2, 3])('%d springs between two bodies pull without another plan, and any order solves', (springs) => {
  const m = buildModel(tied(springs))
  const s = createSystem(m)
  const state = createState(m)
  const b = new Float64Array(m.nv)
  s.step[0] = 0.01
  for (const order of ['nested', 'degree', 'level'] as const) {
    const direct = createDirect(s, [{ eager: order === 'level', cut: false, order }])
    assemble(s, createState(m))
    const slack = s.terms.count
    const plan = direct.plan()
    expect(plan.choice.order).toBe(order)

    // farther apart: every spring has two rows more, across its line
    state.q.set([0.99, 0, Math.sqrt(1 - 0.99 ** 2), 0], 0)
    for (let k = 0; k < m.nv; k++) state.v[k] = Math.sin(k)
    assemble(s, state)
    rightHandSide(s, state, state.v)
    expect(s.terms.count).toBe(3 * slack)
    const x = new Float64Array(m.nv)
    expect(direct.prepare()).toBe(true)
    expect(direct.plan()).toBe(plan)
    direct.solve(x, s.b)
    applySystem(s, b, x)
    const most = Math.max(...s.b.map(Math.abs))
    for (let k = 0; k < m.nv; k++) expect(Math.abs(b[k] - s.b[k])).toBeLessThan(1e-12 * most)
  }
})
