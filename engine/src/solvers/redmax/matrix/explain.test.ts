/** What `limber info` tells of the linear solver: where the rows of loops go, as in a step. */
import { expect, it } from 'vitest'
import { branches, portal } from '../../../../test/redmax/beams.js'
import { buildModel } from '../../../build/build-model.js'
import type { BodySpec, ConstraintSpec } from '../../../build/spec.js'
import { explainLinear } from './explain.js'

const rod = { mass: 1, com: [0.5, 0, 0], tensor: [0.01, 0.1, 0.1, 0, 0, 0] } as const
const joints = [{ type: 'revolute', axis: [0, 1, 0] }] as const

/** Two hanging chains side by side, with n rungs that close on the second. */
function ladder(n: number) {
  const bodies: BodySpec[] = []
  const constraints: ConstraintSpec[] = []
  for (let k = 0; k < n; k++) {
    for (const side of ['a', 'b']) {
      const place =
        k === 0 ? { position: [0, 0, side === 'a' ? 0 : 1] as const } : { parent: `${side}${k - 1}`, position: [1, 0, 0] as const }
      bodies.push({ name: `${side}${k}`, ...place, inertia: rod, joints })
    }
    bodies.push({ name: `r${k}`, parent: `a${k}`, position: [1, 0, 0], inertia: rod, joints: [{ ...joints[0], initial: -Math.PI / 2 }] })
    constraints.push({
      name: `c${k}`,
      type: 'point',
      a: { body: `r${k}`, point: [1, 0, 0] },
      b: { body: `b${k}`, point: [1, 0, 0] },
      axes: [
        [1, 0, 0],
        [0, 0, 1],
      ],
    })
  }
  return buildModel({ bodies, constraints })
}

it('many loops are told to be inside the elimination, few to have columns, none to be none', () => {
  const many = explainLinear(ladder(40))
  expect(many.loops).toMatchObject({ inside: 80, columns: 0 })
  expect(many.loops.why).toMatch(/fronts of at most \d+, .* dense matrix of 80 × 80/)
  expect(many.solves).toBe(1)
  const few = explainLinear(ladder(2))
  expect(few.loops).toMatchObject({ inside: 0, columns: 4 })
  expect(few.solves).toBe(5)
  expect(explainLinear(buildModel({ bodies: [{ name: 'rod', inertia: rod, joints }] })).loops).toMatchObject({ inside: 0, columns: 0 })
})

it('tells of bodies that deform, which only the tree takes', () => {
  const joined = explainLinear(buildModel(branches()))
  expect(joined).toMatchObject({ name: 'pcg', joining: 3, solves: 1, predicted: {} })
  expect(joined.iterations).toBeLessThan(20)
  expect(joined.plan).toBeUndefined()
  expect(explainLinear(buildModel({ ...branches(), springs: [] }))).toMatchObject({ name: 'recursive', joining: 0 })
  expect(explainLinear(buildModel(portal())).loops).toMatchObject({ inside: 0, columns: 3 })
})
