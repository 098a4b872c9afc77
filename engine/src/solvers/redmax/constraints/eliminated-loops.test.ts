/** When a step with many loops is given up for the time it takes, and what it says then. */
import { expect, it } from 'vitest'
import { buildModel } from '../../../build/build-model.js'
import type { BodySpec, ConstraintSpec } from '../../../build/spec.js'
import { createData } from '../../../model/data.js'
import { explainGivenUp, isGivenUp, startCount } from './eliminated-loops.js'
import { createEqualities } from './equalities.js'

const inertia = { mass: 1, tensor: [1, 1, 1, 0, 0, 0] } as const

function equalities(n: number) {
  const bodies = Array.from(
    { length: n },
    (_, k): BodySpec => ({ name: `b${k}`, inertia, joints: [{ type: 'revolute', axis: [0, 1, 0] }] }),
  )
  const constraints = bodies.map(({ name }, k): ConstraintSpec => {
    return { name: `c${k}`, type: 'point', a: { body: name, point: [1, 0, 0] }, b: { body: 'world', point: [1, 0, 0] }, axes: [[1, 0, 0]] }
  })
  const model = buildModel({ bodies, constraints })
  return createEqualities(model, createData(model))
}

it('many ways over D end a step where each takes long, not where each is short', () => {
  const few = equalities(20)
  const many = equalities(400)
  const after = (retries: number) => ({ retries })
  expect([10, 100].map((retries) => isGivenUp(after(retries), many))).toEqual([false, true])
  expect(isGivenUp(after(10_000), few)).toBe(false)
})

it('counts anew in every step', () => {
  const loops = { retries: 7 }
  startCount(loops)
  expect(loops.retries).toBe(0)
})

it('names what pulls hardest, and what to do', () => {
  const text = explainGivenUp(equalities(4), Float64Array.of(1, -30, 2, 20))
  expect(text).toMatch(/some of the 4 rows .* constraints 'c1' and 'c3' pull hardest; keep .* limits or springs, damp the joints/)
})
