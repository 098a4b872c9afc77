import { buildModel, createState, difference, type Force, integrate, type Model, type Spec, type State } from 'limber'
import { describe, expect, it } from 'vitest'
import { expectNear } from '../../../../test/conformance/check.js'
import { randomSpec, randomState } from '../../../../test/conformance/random-tree.js'
import { tip as anotherTip, stepCases, tree } from '../../../../test/position/step-cases.js'
import { createRandom } from '../../../../test/random.js'
import { position } from '../position.js'
import { createStepDerivatives, type StepDerivatives } from './derivatives.js'

const tip = {
  name: 'tip',
  parent: 'b2',
  inertia: { mass: 1, com: [0.1, 0, 0.2], tensor: [0.1, 0.1, 0.1, 0, 0, 0] },
  joints: [{ name: 'hinge', type: 'revolute', axis: [0, 1, 0] }],
} as const

function spec(stiffness: number): Spec {
  const plain = randomSpec({ seed: 12, bodies: 4 }, createRandom(12))
  return {
    ...plain,
    bodies: [
      ...plain.bodies.map((body) => ({
        ...body,
        drag: [1, 2, 3] as const,
        joints: (body.joints ?? []).map((j) => ({ ...j, stiffness, damping: 0.5 })),
      })),
      tip,
    ],
    springs: [{ a: { body: 'b1' }, b: { body: 'tip' }, stiffness: 10, damping: 1, rest: 0.2 }],
    actuators: [{ joint: 'hinge', gain: [3, 0, 0], bias: [0, -3, -1] }],
  }
}

const h = 0.05

function stepped(model: Model, order: string, from: State, forces: readonly Force[] = []): State {
  const stepper = position.create(model, { order, optimizer: 'newton', tolerance: 1e-13, iterations: 200 }, forces)
  const state = createState(model)
  state.q.set(from.q)
  state.v.set(from.v)
  state.tau.set(from.tau)
  state.control = from.control
  stepper.init(state)
  expect(stepper.step(state, h).status).toBe('ok')
  return state
}

/** The end of the step along a change of what it starts from, by differences of whole steps. */
function differences(
  model: Model,
  order: string,
  change: (s: number) => { state: State; model?: Model },
  forces: readonly Force[] = [],
): number[] {
  // steps are found to 1e-13, their velocities to 1e-13/h: what is left over of that is 1e-9
  const e = 5e-4
  const at = [-2, -1, 1, 2].map((k) => {
    const { state, model: other } = change(k * e)
    return stepped(other ?? model, order, state, forces)
  })
  const middle = change(0).state
  const image = at.map((state) => {
    const x = new Float64Array(model.nv)
    difference(model, x, stepped(model, order, middle, forces).q, state.q)
    return [...x, ...state.v]
  })
  return image[0].map((_, k) => (8 * (image[2][k] - image[1][k]) - (image[3][k] - image[0][k])) / (12 * e))
}

describe.each(['2', '3', 'radau'] as const)('derivatives of a step of order %s', (order) => {
  const model = buildModel(spec(4))
  const state = randomState(model, createRandom(4))
  state.tau.fill(0)
  state.control = Float64Array.of(0.4)
  const copy = (): State => ({ ...state, q: state.q.slice(), v: state.v.slice(), tau: state.tau.slice(), control: state.control.slice() })
  const derivatives = createStepDerivatives(model, order)
  const draw = createRandom(8)

  const expectSame = (got: { q: Float64Array; v: Float64Array }, wanted: readonly number[]): void => {
    const all = [...got.q, ...got.v]
    expectNear(all, wanted, 1e-7)
  }

  it('agree with differences of whole steps: coordinates, velocities, controls', () => {
    expect(derivatives.step(state, h)).toBe(true)
    const q = draw.array(model.nv, 1)
    expectSame(
      derivatives.along({ q }),
      differences(model, order, (s) => {
        const one = copy()
        integrate(model, one.q, q, s)
        return { state: one }
      }),
    )
    const v = draw.array(model.nv, 1)
    expectSame(
      derivatives.along({ v }),
      differences(model, order, (s) => {
        const one = copy()
        for (let k = 0; k < model.nv; k++) one.v[k] += s * v[k]
        return { state: one }
      }),
    )
    expectSame(
      derivatives.along({ control: Float64Array.of(1) }),
      differences(model, order, (s) => {
        const one = copy()
        one.control[0] += s
        return { state: one }
      }),
    )
  })

  it('agree with differences of whole steps: a parameter of the model', () => {
    expect(derivatives.step(state, h)).toBe(true)
    const width = 2e-4
    const parameter = { plus: buildModel(spec(4 + width / 2)), minus: buildModel(spec(4 - width / 2)), width }
    expectSame(
      derivatives.along({ parameter }),
      differences(model, order, (s) => ({ state: copy(), model: buildModel(spec(4 + s)) })),
    )
  })

  it('are finite and have the sizes of state and controls as matrices', () => {
    expect(derivatives.step(state, h)).toBe(true)
    expect(derivatives.withRespectToControls().length).toBe(2 * model.nv)
    const J = derivatives.withRespectToState()
    expect(J.length).toBe(4 * model.nv * model.nv)
    expect(J.every(Number.isFinite)).toBe(true)
  })
})

/** Columns along coordinates, velocities, joint forces and controls against differences of whole steps. */
function expectColumns(model: Model, derivatives: StepDerivatives, order: string, state: State, forces: readonly Force[] = []): void {
  const draw = createRandom(8)
  const copy = (): State => ({ ...state, q: state.q.slice(), v: state.v.slice(), tau: state.tau.slice(), control: state.control.slice() })
  for (const key of ['q', 'v', 'tau', 'control'] as const) {
    const x = draw.array(key === 'control' ? model.nu : model.nv, 1)
    if (x.length === 0) continue
    const { q, v } = derivatives.along({ [key]: x })
    const wanted = differences(
      model,
      order,
      (s) => {
        const one = copy()
        if (key === 'q') integrate(model, one.q, x, s)
        else for (let k = 0; k < x.length; k++) one[key][k] += s * x[k]
        return { state: one }
      },
      forces,
    )
    expectNear([...q, ...v], wanted, 1e-7)
  }
}

describe.each(stepCases)('derivatives of a step with $name', ({ spec: given, forces }) => {
  it.each(['2', 'radau'] as const)('agree with differences of whole steps, order %s', (order) => {
    const model = buildModel(given)
    const state = randomState(model, createRandom(4))
    state.tau.fill(0)
    state.control = new Float64Array(model.nu).fill(0.4)
    const derivatives = createStepDerivatives(model, order, forces)
    expect(derivatives.step(state, h)).toBe(true)
    expectColumns(model, derivatives, order, state, forces)
  })
})

describe.each(['2', '3', 'radau'] as const)('derivatives of a step of order %s with respect to a parameter', (order) => {
  const specWith = (e: number, which: string): Spec => ({
    ...tree,
    gravity: [0, 0, -9.81 + (which === 'gravity' ? e : 0)],
    bodies: tree.bodies.map((body) =>
      body.name !== 'tip'
        ? body
        : {
            ...anotherTip,
            position: [0.1, 0, 0.3 + (which === 'length' ? e : 0)],
            inertia: { ...anotherTip.inertia, mass: 1 + (which === 'mass' ? e : 0) },
            joints: [
              {
                ...anotherTip.joints[0],
                stiffness: 5 + (which === 'joint stiffness' ? e : 0),
                damping: 1 + (which === 'joint damping' ? e : 0),
                armature: 0.1 + (which === 'armature' ? e : 0),
              },
            ],
          },
    ),
    springs: [
      {
        a: { body: 'b1' },
        b: { body: 'tip' },
        stiffness: 30 + (which === 'stiffness' ? e : 0),
        damping: 4,
        rest: 0.1 + (which === 'rest' ? e : 0),
      },
    ],
  })

  it.each(['mass', 'length', 'gravity', 'joint stiffness', 'joint damping', 'armature', 'stiffness', 'rest'])(
    'agree with differences: %s',
    (which) => {
      const model = buildModel(specWith(0, which))
      const state = randomState(model, createRandom(4))
      state.tau.fill(0)
      const derivatives = createStepDerivatives(model, order)
      expect(derivatives.step(state, h)).toBe(true)
      const width = 2e-4
      const parameter = { plus: buildModel(specWith(width / 2, which)), minus: buildModel(specWith(-width / 2, which)), width }
      const { q, v } = derivatives.along({ parameter })
      expectNear(
        [...q, ...v],
        differences(model, order, (s) => ({
          state: { ...state, q: state.q.slice(), v: state.v.slice() },
          model: buildModel(specWith(s, which)),
        })),
        1e-7,
      )
    },
  )
})
