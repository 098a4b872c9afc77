/**
 * Derivatives of a step list what they leave out before the first step, and say why a step failed.
 */
import { buildModel, createSimulation, createState, createStepDerivatives, type Force, parseMjcf, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'

const rod = { mass: 1, com: [0, 0, -0.5], tensor: [0.1, 0.1, 0.01, 0, 0, 0] } as const
const hinge = { name: 'hinge', type: 'revolute', axis: [0, 1, 0], initial: 0.4 } as const
const spec: Spec = { bodies: [{ name: 'rod', inertia: rod, joints: [hinge] }] }
const orders = ['2', '3', '4', '5', 'radau'] as const

describe('leftOut', () => {
  it('is empty where the step holds all of the model', () => {
    expect(createStepDerivatives(buildModel(spec), '2').leftOut).toEqual([])
  })

  it('names contact, limits, dry friction and constraints, with a remedy', () => {
    const model = buildModel(
      parseMjcf(`<mujoco><worldbody><geom type="plane" size="1 1 1"/>
        <body name="crate" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
        <body name="arm" pos="1 0 1"><joint name="elbow" axis="0 1 0" range="-1 1" limited="true" frictionloss="0.1"/><geom type="capsule" size="0.05 0.2"/></body>
        <body name="tip" pos="1 0 1"><joint name="wrist" axis="0 1 0"/><geom type="capsule" size="0.05 0.2"/></body>
        </worldbody><equality><joint joint1="elbow" joint2="wrist"/></equality></mujoco>`),
    )
    const { leftOut } = createStepDerivatives(model, '2')
    for (const one of ['1 constraint', '1 joint limit', 'dry friction of 1 joint', 'contact between 4 shapes'])
      expect(leftOut).toContainEqual(`${one}: left out by step derivatives; take differences of redmax steps to have it`)
    expect(leftOut.length).toBe(4)
  })

  it('names activations, whose steps are those of a simulation', () => {
    const model = buildModel({
      ...spec,
      actuators: [{ name: 'motor', joint: 'hinge', gain: [10, 0, 0], dynamics: { type: 'filter', time: 0.1 } }],
    })
    for (const order of orders) {
      const derivatives = createStepDerivatives(model, order)
      expect(derivatives.leftOut).toEqual([expect.stringContaining('activations of 1 actuator: ')])
      const simulation = createSimulation(model, { solver: 'position', order, tolerance: 1e-12, timestep: 0.05 })
      simulation.state.control[0] = 1
      simulation.state.act[0] = 0.5
      expect(derivatives.step(simulation.state, 0.05)).toBe(true)
      simulation.step()
      expect(derivatives.end.act).toEqual(simulation.state.act)
      expect(derivatives.end.q[0]).toBeCloseTo(simulation.state.q[0], 11)
      expect(derivatives.end.v[0]).toBeCloseTo(simulation.state.v[0], 9)
    }
  })

  it('models that the solver refuses are refused', () => {
    const armed = parseMjcf(
      `<mujoco><worldbody><body><joint name="a" axis="0 1 0"/><geom size="0.1"/></body></worldbody>
       <tendon><fixed name="t" armature="1"><joint joint="a" coef="1"/></fixed></tendon></mujoco>`,
    )
    expect(() => createStepDerivatives(buildModel(armed), '2')).toThrow('tendons with armature')
  })
})

describe.each(orders)('failure with order %s', (order) => {
  const model = buildModel(spec)

  it('is empty after a step, and says that there was none before', () => {
    const derivatives = createStepDerivatives(model, order)
    expect(derivatives.failure).toBe('no step was made yet')
    expect(() => derivatives.withRespectToState()).toThrow('no step was made yet')
    expect(derivatives.step(createState(model), 0.01)).toBe(true)
    expect(derivatives.failure).toBe('')
  })

  it('names a bad step, a number that was written, and a force', () => {
    const derivatives = createStepDerivatives(model, order)
    expect(derivatives.step(createState(model), 0)).toBe(false)
    expect(derivatives.failure).toBe('step of 0 s: expected a positive, finite step')
    const state = createState(model)
    state.v[0] = Number.NaN
    expect(derivatives.step(state, 0.01)).toBe(false)
    expect(derivatives.failure).toContain("v of joint 'hinge' is NaN")
    expect(() => derivatives.against({ v: Float64Array.of(1) })).toThrow("v of joint 'hinge' is NaN")

    const wind: Force = { name: 'wind', apply: (_m, d) => void (d.qf[0] += Number.NaN) }
    const windy = createStepDerivatives(model, order, [wind])
    expect(windy.step(createState(model), 0.01)).toBe(false)
    expect(windy.failure).toBe("the step of 0.01 s at t = 0.00000 s: force 'wind' is not a number; check what it divides by")
  })
})

it('a step that only order 2 can make says so', () => {
  const chain: Spec = {
    bodies: [
      { name: 'a', inertia: rod, joints: [hinge] },
      { name: 'b', parent: 'a', position: [0, 0, -1], inertia: rod, joints: [{ type: 'revolute', axis: [0, 1, 0] }] },
    ],
  }
  const model = buildModel(chain)
  const state = createState(model)
  state.v.set([30, -70])
  const derivatives = createStepDerivatives(model, '5')
  expect(derivatives.step(state, 0.1)).toBe(false)
  expect(derivatives.failure).toMatch(/^the step of 0.1 s at t = 0.00000 s: .*take a smaller step/)
})
