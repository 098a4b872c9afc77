/** The tolerance of the largest loop held for small ones too, which then stayed open. */
import { type BodySpec, buildModel, createSimulation, type Spec } from 'limber'
import { expect, it } from 'vitest'

/** Two rods of `size` whose end is to meet a point that is `miss` beyond their reach. */
function rods(name: string, size: number, miss: number): { bodies: BodySpec[]; constraints: NonNullable<Spec['constraints']> } {
  const rod = (k: number): BodySpec => ({
    name: `${name}${k}`,
    parent: k === 1 ? 'world' : `${name}1`,
    position: [k === 1 ? 0 : size, 0, 0],
    inertia: { mass: 1, com: [size / 2, 0, 0], tensor: [size * size, size * size, size * size, 0, 0, 0] },
    joints: [{ name: `${name}-hinge${k}`, type: 'revolute', axis: [0, 1, 0] }],
  })
  return {
    bodies: [rod(1), rod(2)],
    constraints: [
      { name, type: 'point', a: { body: `${name}2`, point: [size, 0, 0] }, b: { body: 'world', point: [2 * size + miss, 0, 0] } },
    ],
  }
}

it('a loop of 10 cm that misses by 3 mm is refused by name, also beside one of 100 m', () => {
  const small = rods('small', 0.05, 0.003)
  const large = rods('large', 50, -20)
  for (const parts of [[small], [small, large]]) {
    const model = buildModel({
      bodies: parts.flatMap(({ bodies }) => bodies),
      constraints: parts.flatMap(({ constraints }) => constraints),
    })
    const report = createSimulation(model, { solver: 'redmax' }).step()
    expect(report.status).toBe('not-converged')
    expect(report.message).toContain("'small'")
  }
})
