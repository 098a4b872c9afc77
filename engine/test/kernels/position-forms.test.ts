/** Steps of the position-based solver have the same bits with kernels as WebAssembly, as JavaScript and as they are written. */
import { buildModel, createSimulation, type Spec, useKernels } from 'limber'
import { jsKernels } from 'limber/js-kernels'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsKernels } from '../../src/kernels/memory.js'
import { positionModule } from '../../src/printed/position.js'
import { createStepDerivatives } from '../../src/solvers/position/derivatives/derivatives.js'
import { randomSpec, randomState } from '../conformance/random-tree.js'
import { createRandom } from '../random.js'
import { sourceKernels } from './source-form.js'

afterEach(() => useKernels('wasm'))

const called = new Set<string>()

/** The same kernels, which take note of their calls. */
const counted: JsKernels = {
  ...sourceKernels,
  position: Object.fromEntries(
    Object.entries(sourceKernels.position).map(([name, kernel]) => {
      const noted: typeof kernel = (F, I, ...values) => {
        called.add(name)
        kernel(F, I, ...values)
      }
      return [name, Object.defineProperty(noted, 'length', { value: kernel.length })]
    }),
  ),
}

const tree = randomSpec({ seed: 7, bodies: 4, floating: true }, createRandom(7))
const still = { ...tree, bodies: tree.bodies.map((body) => ({ ...body, joints: (body.joints ?? []).map((j) => ({ ...j, armature: 0 })) })) }
const everyBody = (extra: object): Spec => ({ ...tree, bodies: tree.bodies.map((body) => ({ ...body, ...extra })) })
const everyJoint = (extra: object): Spec => ({
  ...tree,
  bodies: tree.bodies.map((body) => ({ ...body, joints: (body.joints ?? []).map((joint) => ({ ...joint, ...extra })) })),
})
const springs = [
  { a: { body: 'world', point: [1, 0, 0] }, b: { body: 'b3' }, stiffness: 30, damping: 4, rest: 0.2 },
  { a: { body: 'b1' }, b: { body: 'b2', point: [0, 0.1, 0.2] }, stiffness: 20, damping: 1, rest: 0.1 },
] satisfies Spec['springs']
const loads = [
  { body: 'b2', point: [0.1, 0.2, 0], force: [3, 2, 1] },
  { body: 'b3', force: [1, 0, 1], torque: [0, 1, 2], frame: 'body' },
] satisfies Spec['loads']
const touching: Spec = {
  ...everyBody({ geoms: [{ shape: 'sphere', radius: 0.3, position: [0.1, 0.2, 0] }] }),
  world: { geoms: [{ shape: 'plane', position: [0, 0, 2] }] },
  contact: { stiffness: 40, friction: 0.7, slip: 0.5 },
}

const cases: [string, Spec, Readonly<Record<string, string>>][] = [
  ['weight, order 2', still, { order: '2' }],
  ['weight, order 2 by lm', tree, { order: '2', optimizer: 'lm' }],
  ['weight, order 3', still, { order: '3' }],
  ['weight, order 5', still, { order: '5' }],
  ['joint forces, order 2', everyJoint({ stiffness: 7, damping: 0.2, armature: 0.1 }), { order: '2' }],
  ['springs and loads, order 2', { ...tree, springs, loads }, { order: '2' }],
  ['springs, radau', { ...tree, springs }, { order: 'radau' }],
  ['drag, order 2', { ...everyBody({ drag: [1, 5, 8] }), medium: { density: 20, viscosity: 0.5, wind: [1, 2, 3] } }, { order: '2' }],
  ['contact, order 2', touching, { order: '2' }],
]

const withoutSign = (x: number): number => (x === 0 ? 0 : x)

describe('steps of the position-based solver', () => {
  it.each(cases)('have the same bits in every form: %s', (_, spec, options) => {
    const model = buildModel(spec)
    const { q, v } = randomState(model, createRandom(3))
    const run = (): number[] => {
      const simulation = createSimulation(model, { solver: 'position', timestep: 0.01, ...options })
      simulation.reset({ q, v })
      expect(simulation.step(2)).toMatchObject({ status: 'ok' })
      return [...simulation.state.q, ...simulation.state.v, ...simulation.state.s]
    }
    const wasm = run()
    useKernels(jsKernels)
    expect(run()).toEqual(wasm)
    useKernels(counted)
    expect(run().map(withoutSign)).toEqual(wasm.map(withoutSign))
  })

  it('have adjoints with the same bits in every form', () => {
    const model = buildModel({ ...still, springs })
    const state = randomState(model, createRandom(3))
    state.tau.fill(0)
    const run = (): number[] => {
      const draw = createRandom(4)
      const derivatives = createStepDerivatives(model, '2')
      expect(derivatives.step(state, 0.01)).toBe(true)
      const { q, v } = derivatives.against({ q: draw.array(model.nv, 1), v: draw.array(model.nv, 1) })
      return [...q, ...v]
    }
    const wasm = run()
    useKernels(jsKernels)
    expect(run()).toEqual(wasm)
    useKernels(counted)
    expect(run().map(withoutSign)).toEqual(wasm.map(withoutSign))
  })

  it('take every kernel of the module', () => {
    expect([...called].sort()).toEqual([...positionModule.kernels].sort())
    expect(Object.keys(jsKernels.position).sort()).toEqual([...positionModule.kernels].sort())
  })
})
