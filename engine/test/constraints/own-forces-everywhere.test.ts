/**
 * A force of the user's own with a linearisation is implicit under every family: it moves as the built-in spring does, and a stiff one takes the
 * steps of a soft one.
 */
import { buildModel, createData, createSimulation, energy, type Force, type Model, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'
import { ownSpring } from './own-spring.js'

const tensor = [0.1, 0.12, 0.15, 0, 0, 0] as const
const bodies: Spec['bodies'] = [
  { name: 'arm', joints: [{ type: 'revolute', axis: [0, 1, 0], initial: 0.3 }], inertia: { mass: 1, com: [0.3, 0, 0], tensor } },
  {
    name: 'hand',
    parent: 'arm',
    position: [0.6, 0, 0],
    joints: [{ type: 'revolute', axis: [0.6, 0.8, 0], initial: -0.2 }],
    inertia: { mass: 1, com: [0.1, 0, 0.05], tensor },
  },
  { name: 'ball', position: [1.5, 0.2, 0.3], joints: [{ type: 'free' }], inertia: { mass: 1, tensor } },
]
const plain = buildModel({ bodies })
const A = 2
const B = 3

function pair(k: number, damping: number, rest = 0.8) {
  const springs = [{ a: { body: 'hand' }, b: { body: 'ball' }, stiffness: k, damping, rest }]
  return { builtIn: buildModel({ bodies, springs }), ...ownSpring({ A, B, k, damping, rest }) }
}

function run(model: Model, forces: readonly Force[], options: Readonly<Record<string, string | number>>, h: number, steps: number) {
  const simulation = createSimulation(model, { timestep: h, forces, ...options })
  simulation.step(steps)
  expect(simulation.report.message).toBe('')
  expect(simulation.state.t).toBeCloseTo(steps * h, 9)
  const { kinetic, potential } = energy(model, createData(model, { forces }), simulation.state)
  return { q: simulation.state.q, energy: kinetic + potential, report: simulation.report }
}

// what rounding grows to in 20 steps; methods with error control differ by their tolerance, since rounding moves their steps
const families = [
  { options: { solver: 'ode', method: 'rk4' }, near: 1e-11 },
  { options: { solver: 'ode', method: 'bdf', rtol: 1e-9, atol: 1e-11 }, near: 1e-7 },
  { options: { solver: 'redmax', scheme: 'linear', tolerance: 1e-12 }, near: 1e-10 },
  { options: { solver: 'redmax', scheme: 'second-order', tolerance: 1e-12 }, near: 1e-9 },
  { options: { solver: 'redmax', scheme: 'newton', tolerance: 1e-12 }, near: 1e-9 },
  { options: { solver: 'position', order: '2', tolerance: 1e-12 }, near: 1e-9 },
  { options: { solver: 'position', order: '3', tolerance: 1e-12 }, near: 1e-9 },
  { options: { solver: 'position', order: 'radau', tolerance: 1e-12 }, near: 1e-9 },
]

describe.each(families)('a spring of the user’s own under $options', ({ options, near }) => {
  it('moves as the built-in one', () => {
    const { builtIn, rows } = pair(400, 0)
    const wanted = run(builtIn, [], options, 0.01, 20)
    const got = run(plain, [rows], options, 0.01, 20)
    for (let i = 0; i < plain.nq; i++) expect(Math.abs(got.q[i] - wanted.q[i]), `q ${i}`).toBeLessThan(near)
  })
})

const STIFF = 1e6
describe('a spring of 1e6 N/m at steps of 0.02 s, twenty of its periods', () => {
  it.each([
    { solver: 'redmax', scheme: 'linear' },
    { solver: 'redmax', scheme: 'auto' },
    { solver: 'position', order: '2' },
    { solver: 'position', order: 'radau' },
  ])('is stable under %o', (options) => {
    const { rows } = pair(STIFF, 0)
    const start = energy(plain, createData(plain, { forces: [rows] }), createSimulation(plain).state)
    const got = run(plain, [rows], options, 0.02, 50)
    expect(got.energy).toBeLessThan(start.kinetic + start.potential + 1e-6)
  })

  it('takes bdf few evaluations, where without a linearisation it takes many', () => {
    const options = { solver: 'ode', method: 'bdf' }
    const { spring, rows, builtIn } = pair(STIFF, 2000)
    const blind = run(plain, [spring], options, 0.02, 50).report.evaluations
    const seeing = run(plain, [rows], options, 0.02, 50).report.evaluations
    expect(seeing).toBeLessThan(0.7 * blind)
    expect(run(builtIn, [], options, 0.02, 50).report.evaluations).toBeGreaterThan(0.8 * seeing)
  })

  it('takes position few iterations of its matrix on the tree, where without a linearisation it takes many', () => {
    const options = { solver: 'position', order: '2', optimizer: 'lm', iterations: 1000 }
    const { spring, rows } = ownSpring({ A: 0, B, k: STIFF, damping: 0, rest: 1.6 })
    const blind = run(plain, [spring], options, 0.02, 2).report
    const seeing = run(plain, [rows], options, 0.02, 2).report
    expect(seeing.iterations).toBeLessThan(0.02 * blind.iterations)
  })
})
