import { buildModel, type Force, type Model, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'
import { dot } from '../../../../test/conformance/check.js'
import { randomSpec, randomState } from '../../../../test/conformance/random-tree.js'
import { stepCases, tip, tree } from '../../../../test/position/step-cases.js'
import { createRandom } from '../../../../test/random.js'
import { createStepDerivatives, type StepDerivatives, type StepDirection } from './derivatives.js'

const h = 0.05
/** of the size of the two sides: differences of 1e-5, squared, and rounding */
const TOLERANCE = 1e-7

function setUp(
  model: Model,
  order: '2' | '3' | '4' | '5' | 'radau',
  forces: readonly Force[] = [],
): { derivatives: StepDerivatives; ns: number } {
  const draw = createRandom(4)
  const state = randomState(model, draw)
  state.tau.fill(0)
  state.control = new Float64Array(model.nu).fill(0.4)
  const derivatives = createStepDerivatives(model, order, forces)
  expect(derivatives.step(state, h)).toBe(true)
  return { derivatives, ns: derivatives.end.s.length }
}

/** ⟨ȳ, J z⟩ = ⟨Jᵀ ȳ, z⟩ */
function expectAdjoint(model: Model, derivatives: StepDerivatives, ns: number, memory: boolean): void {
  const draw = createRandom(8)
  const of = { q: draw.array(model.nv, 1), v: draw.array(model.nv, 1), ...(memory ? { s: draw.array(ns, 1) } : {}) }
  // the world has no memory
  if (of.s) of.s.fill(0, 0, 12)
  for (const carried of [false, true]) {
    const got = derivatives.against(of, carried)
    const directions: StepDirection[] = [
      { q: draw.array(model.nv, 1), ...(carried ? { s: new Float64Array(ns) } : {}) },
      { v: draw.array(model.nv, 1), ...(carried ? { s: new Float64Array(ns) } : {}) },
      { tau: draw.array(model.nv, 1) },
      ...(model.nu > 0 ? [{ control: draw.array(model.nu, 1) }] : []),
      ...(carried && ns > 0 ? [{ s: draw.array(ns, 1) }] : []),
    ]
    for (const direction of directions) {
      const image = derivatives.along(direction)
      const left = dot(of.q, image.q) + dot(of.v, image.v) + (of.s ? dot(of.s, image.s) : 0)
      let right = 0
      for (const key of ['q', 'v', 's', 'tau', 'control'] as const) {
        const part = direction[key]
        if (part) right += dot(got[key], part)
      }
      const scale = Math.hypot(...of.q, ...of.v, ...(of.s ?? [])) * Math.max(1, Math.hypot(...image.q, ...image.v))
      expect(Math.abs(left - right) / scale, `${Object.keys(direction)} ${carried}`).toBeLessThan(TOLERANCE)
    }
  }
}

describe.each(stepCases)('the adjoint of a step of order 2 with $name', ({ spec, forces, recursive }) => {
  const model = buildModel(spec)

  it('is the transpose of its derivative', () => {
    const { derivatives, ns } = setUp(model, '2', forces)
    expect(derivatives.recursive).toBe(recursive)
    expectAdjoint(model, derivatives, ns, true)
  })
})

describe.each(['3', '4', '5', 'radau'] as const)('the adjoint of a step of order %s', (order) => {
  it('is the transpose of its derivative', () => {
    const model = buildModel(randomSpec({ seed: 3, bodies: 3 }, createRandom(3)))
    const { derivatives, ns } = setUp(model, order)
    expectAdjoint(model, derivatives, ns, false)
  })
})

describe.each(['2', 'radau'] as const)('the adjoint of a parameter, order %s', (order) => {
  const spec = (e: number, which: string): Spec => ({
    ...tree,
    gravity: [0, 0, -9.81 + (which === 'gravity' ? e : 0)],
    bodies: tree.bodies.map((body) =>
      body.name !== 'tip'
        ? body
        : {
            ...tip,
            position: [0.1, 0, 0.3 + (which === 'length' ? e : 0)],
            inertia: { ...tip.inertia, mass: 1 + (which === 'mass' ? e : 0) },
            joints: [{ ...tip.joints[0], stiffness: 5 + (which === 'stiffness' ? e : 0), damping: 1 + (which === 'damping' ? e : 0) }],
          },
    ),
    springs: [{ a: { body: 'b1' }, b: { body: 'tip' }, stiffness: 30, damping: 4, rest: 0.1 + (which === 'rest' ? e : 0) }],
  })

  it.each(['mass', 'length', 'stiffness', 'damping', 'rest', 'gravity'])('agrees with its derivative: %s', (which) => {
    const model = buildModel(spec(0, which))
    const { derivatives } = setUp(model, order)
    const draw = createRandom(8)
    const of = { q: draw.array(model.nv, 1), v: draw.array(model.nv, 1) }
    const width = 2e-4
    const parameter = { plus: buildModel(spec(width / 2, which)), minus: buildModel(spec(-width / 2, which)), width }
    derivatives.against(of)
    const right = derivatives.againstParameter(parameter)
    const image = derivatives.along({ parameter })
    const left = dot(of.q, image.q) + dot(of.v, image.v)
    expect(Math.abs(left)).toBeGreaterThan(1e-9)
    expect(Math.abs(left - right) / Math.hypot(...image.q, ...image.v)).toBeLessThan(TOLERANCE)
  })
})
