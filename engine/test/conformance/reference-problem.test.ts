/**
 * The reference problem RP1 of the conventions: three boxes, revolute, universal and revolute joints; printed numbers to 8 digits.
 */
import { type BodySpec, buildModel, createData, createState, energy, forwardDynamics, inverseDynamics, massMatrix, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'

const m = 10
const [dx, dy, dz] = [0.2, 1, 0.1]
const inertia = {
  mass: m,
  com: [0, -0.5, 0],
  tensor: [(m * (dy * dy + dz * dz)) / 12, (m * (dx * dx + dz * dz)) / 12, (m * (dx * dx + dy * dy)) / 12, 0, 0, 0],
} satisfies BodySpec['inertia']

const spec: Spec = {
  gravity: [0, -9.8, 0],
  bodies: [
    { name: 'b0', inertia, joints: [{ type: 'revolute', axis: [0, 0, 1] }] },
    { name: 'b1', parent: 'b0', position: [0, -1, 0], inertia, joints: [{ type: 'universal' }] },
    { name: 'b2', parent: 'b0', position: [0.1, -1, 0], inertia, joints: [{ type: 'revolute', axis: [1, 0, 0] }] },
  ],
}

/** nine decimals, of a program written apart from this one */
const PRINTED = 8

function expectPrinted(got: ArrayLike<number>, printed: readonly number[]): void {
  expect(got.length).toBe(printed.length)
  printed.forEach((x, k) => {
    expect(got[k]).toBeCloseTo(x, PRINTED)
  })
}

function setUp(extra: Partial<Spec> = {}) {
  const model = buildModel({ ...spec, ...extra })
  const data = createData(model)
  const state = createState(model)
  state.q.set([0.3, 0.2, -0.4, 0.5])
  state.v.set([1, -0.5, 0.8, 0.3])
  return { model, data, state }
}

describe('reference problem RP1', () => {
  it('has the printed accelerations', () => {
    const { model, data, state } = setUp()
    forwardDynamics(model, data, state)
    expectPrinted(data.a, [-2.219197282, -3.27240331, 0.878985054, -7.692785869])
  })

  it('has the printed mass matrix', () => {
    const { model, data, state } = setUp()
    const M = new Float64Array(16)
    massMatrix(model, data, state, M)
    const rows = [
      [47.877366353, -0.008788209, 0.008277889, 0.239712769],
      [-0.008788209, 3.345457833, 0, 0],
      [0.008277889, 0, 0.041666667, 0],
      [0.239712769, 0, 0, 3.341666667],
    ]
    expectPrinted(M, rows.flat())
  })

  it('has the printed bias force', () => {
    const { model, data, state } = setUp()
    inverseDynamics(model, data, state, new Float64Array(4))
    expectPrinted(data.tau, [108.057345597, 10.928184515, -0.018254109, 26.238696037])
  })

  it('has the printed energies, velocity and centre of mass', () => {
    const { model, data, state } = setUp()
    const { kinetic, potential } = energy(model, data, state)
    expectPrinted([kinetic, potential], [24.603503985, -318.120662162])
    expectPrinted(data.V.subarray(18, 24), [0.3, 0.479425539, 0.877582562, 1, 0.087758256, -0.047942554])
    const X = data.X_WB.subarray(36, 48)
    const com = [0, 1, 2].map((r) => X[9 + r] - 0.5 * X[3 * r + 1])
    expectPrinted(com, [0.520725546, -1.34497779, -0.239712769])
  })

  it('has the printed joint forces of a spring between the two lower bodies', () => {
    const spring = { a: { body: 'b1', point: [0, -1, 0] }, b: { body: 'b2', point: [0, -1, 0] }, stiffness: 200, rest: 0.05 } as const
    const { model, data, state } = setUp({ springs: [spring] })
    const free = setUp()
    inverseDynamics(model, data, state, new Float64Array(4))
    inverseDynamics(free.model, free.data, free.state, new Float64Array(4))
    const pull = Array.from(data.tau, (x, k) => free.data.tau[k] - x)
    expectPrinted(pull, [0, 49.727266765, 0, -49.727266765])
    const length = 0.315161898
    const elastic = energy(model, data, state).potential - energy(free.model, free.data, free.state).potential
    expect(elastic).toBeCloseTo(100 * (length - 0.05) ** 2, 6)
  })
})
