/**
 * Forces of loops inside the passes of the articulated-body algorithm: accelerations are those of the dense equations with constraints.
 */
import {
  buildModel,
  type ConstraintSpec,
  createData,
  createState,
  forwardDynamics,
  integrate,
  jointTypes,
  type Model,
  massMatrix,
  type State,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { closeState } from '../../src/constraints/assembly/close-state.js'
import { createConstrainedDynamics } from '../../src/constraints/loops/dynamics.js'
import { createReducedRows, reduceRows } from '../../src/constraints/rows/reduce.js'
import { createRows, rowVelocities, updateRows } from '../../src/constraints/rows/rows.js'
import { symmetricEigen } from '../../src/linalg/dense/symmetric-eigen.js'
import { forwardKinematics } from '../../src/tree/kinematics.js'
import { solveDense } from '../oracles/dense.js'
import { closedTree, LOOPS } from './closed-tree.js'

/** of the largest acceleration */
const AGREES = 1e-9
const SIGMA = 7
const freeOnly = jointTypes.filter(({ name }) => name === 'free')

/** G, g and ġ at a state. */
function rowsAt(model: Model, { t, q, v }: State) {
  const data = createData(model)
  const rows = createRows(model)
  const n = rows.count
  forwardKinematics(model, data, q, v)
  updateRows(rows, model, data, q, Float64Array.of(t))
  const reduced = createReducedRows(model, n)
  reduceRows(reduced, rows, model, data)
  const rate = new Float64Array(n)
  rowVelocities(rows, data, v, rate, 0)
  return { n, G: reduced.G, g: rows.g, rate: rate.map((x, r) => x - rows.target[r]) }
}

/** d/dt of ġ where velocities do not change, by differences of sixth order. */
function biasAt(model: Model, state: State): Float64Array {
  const h = 1e-3
  const { n } = rowsAt(model, state)
  const out = new Float64Array(n)
  for (const [k, weight] of [45, -9, 1].entries()) {
    for (const sign of [1, -1]) {
      const moved = createState(model)
      moved.q.set(state.q)
      moved.v.set(state.v)
      moved.t = state.t + sign * (k + 1) * h
      integrate(model, moved.q, state.v, sign * (k + 1) * h)
      const { rate } = rowsAt(model, moved)
      for (let r = 0; r < n; r++) out[r] += (sign * weight * rate[r]) / (60 * h)
    }
  }
  return out
}

/** M a + Gᵀ … = f, G a = what the rows want; rows that follow from others by the smallest forces. */
function denseAccelerations(model: Model, state: State): Float64Array {
  const { nv } = model
  const data = createData(model)
  forwardDynamics(model, data, state, state.tau)
  const free = data.a.slice()
  const M = new Float64Array(nv * nv)
  massMatrix(model, data, state, M)
  const { n, G, g, rate } = rowsAt(model, state)
  const bias = biasAt(model, state)
  const Y = Array.from({ length: n }, (_, r) => solveDense(M, Array.from(G.subarray(r * nv, (r + 1) * nv))))
  // rows at the same size, so that one cutoff tells dependent ones
  const K = Array.from({ length: n }, (_, r) =>
    Float64Array.from({ length: n }, (_, s) => Y[s].reduce((sum, x, k) => sum + x * G[r * nv + k], 0)),
  )
  const size = K.map((line, r) => (line[r] > 1e-20 ? 1 / Math.sqrt(line[r]) : 0))
  const wanted = Array.from({ length: n }, (_, r) => {
    let now = bias[r] + 2 * SIGMA * rate[r] + SIGMA * SIGMA * g[r]
    for (let k = 0; k < nv; k++) now += G[r * nv + k] * free[k]
    return -now * size[r]
  })
  const A = Float64Array.from({ length: n * n }, (_, e) => K[Math.floor(e / n)][e % n] * size[Math.floor(e / n)] * size[e % n])
  const lambda = solveSemidefinite(A, wanted).map((x, r) => x * size[r])
  return free.map((a, k) => a + lambda.reduce((sum, x, r) => sum + x * Y[r][k], 0))
}

function solveSemidefinite(A: Float64Array, b: readonly number[]): number[] {
  const n = b.length
  const { values, vectors } = symmetricEigen(A, n)
  const x = new Array<number>(n).fill(0)
  for (let e = 0; e < n; e++) {
    if (values[e] < 1e-9) continue
    let along = 0
    for (let r = 0; r < n; r++) along += vectors[e * n + r] * b[r]
    for (let r = 0; r < n; r++) x[r] += (along / values[e]) * vectors[e * n + r]
  }
  return x
}

/** Velocities that the constraints allow, at a pose on them. */
function movingState(model: Model, array: (n: number, size: number) => Float64Array): State {
  const state = createState(model)
  state.v.set(array(model.nv, 1))
  state.tau.set(array(model.nv, 1))
  expect(closeState(model, state).refusal).toBe('')
  return state
}

function expectSame(model: Model, state: State): void {
  const expected = denseAccelerations(model, state)
  const data = createData(model)
  createConstrainedDynamics(model, data, { stabilization: SIGMA })(state)
  const size = expected.reduce((most, x) => Math.max(most, Math.abs(x)), 1)
  for (let k = 0; k < model.nv; k++) expect(Math.abs(data.a[k] - expected[k])).toBeLessThan(AGREES * size)
}

describe('accelerations with constraints are those of the dense equations', () => {
  it.each(LOOPS)('%s', (kind) => {
    for (const seed of [1, 2, 3]) {
      const { model, random } = closedTree({ seed, bodies: 9, loops: 2, kinds: [kind], driven: false })
      expectSame(model, movingState(model, random.array))
    }
  })

  it.each(Array.from({ length: 12 }, (_, k) => k + 11))('trees with loops of all kinds, a coupling and a motion, seed %i', (seed) => {
    const { model, random } = closedTree({ seed, bodies: 14, loops: 4, floating: seed % 2 === 0 })
    expectSame(model, movingState(model, random.array))
  })

  it.each([31, 32, 33, 34])('redundant loops, seed %i', (seed) => {
    const { model, random } = closedTree({ seed, bodies: 10, loops: 3, twice: true })
    expectSame(model, movingState(model, random.array))
  })

  it.each(['point', 'hinge', 'planar', 'distance'] as const)('an open %s', (kind) => {
    // on bodies that can do all that it asks for: what rows lack no force could make up for
    const { model, random } = closedTree({ seed: 5, bodies: 8, loops: 1, kinds: [kind], driven: false, types: freeOnly, inside: true })
    const state = createState(model)
    integrate(model, state.q, random.array(model.nv, 0.2), 1)
    state.v.set(random.array(model.nv, 1))
    expectSame(model, state)
  })

  const bar = { mass: 1, com: [0.3, 0.1, 0], tensor: [0.1, 0.2, 0.15, 0, 0, 0] } as const
  const motion = { type: 'motion', amplitude: 0.3, frequency: 0.4, phase: 0.2, rise: { size: 0.4, duration: 1 } } as const
  const motions: [string, ConstraintSpec][] = [
    ['of a joint', { ...motion, joint: 'turn' }],
    ['of a joint by its speed', { ...motion, joint: 'turn', follow: 'speed' }],
    ['of a point', { ...motion, body: 'b', point: [0.2, 0.1, 0.3], direction: [0.6, 0, 0.8] }],
    ['of an orientation', { ...motion, body: 'b', axis: [0.6, 0, 0.8] }],
  ]
  it.each(motions)('a motion %s, on its way', (_name, constraint) => {
    const model = buildModel({
      bodies: [
        { name: 'a', inertia: bar, joints: [{ name: 'turn', type: 'revolute', axis: [0, 0.6, 0.8] }] },
        { name: 'b', parent: 'a', position: [0.5, 0, 0], inertia: bar, joints: [{ type: 'free' }] },
      ],
      constraints: [constraint],
    })
    const state = createState(model)
    state.t = 0.37
    state.v.set([0.3, -0.2, 0.5, 0.7, 0.1, -0.4, 0.2])
    expect(closeState(model, state).refusal).toBe('')
    expectSame(model, state)
  })
})
