/**
 * Prescribed motion of bodies, joints and speeds, in every scheme of RedMax, from a scene file.
 */
import { buildModel, createData, createSimulation, createState, forwardKinematics, inverseDynamics, parseScene } from 'limber'
import { describe, expect, it } from 'vitest'

/** A free plate that is carried along a wave and turned about z, with a pendulum under it. */
const carried = `{
  "bodies": [
    { "name": "plate", "position": [1, 2, 3], "joints": [{ "type": "free" }], "inertia": { "mass": 2, "tensor": [0.1, 0.2, 0.3, 0, 0, 0] } },
    { "name": "bob", "parent": "plate", "position": [0, 0, -0.1], "joints": [{ "type": "revolute", "axis": [0, 1, 0] }],
      "inertia": { "mass": 1, "com": [0, 0, -0.5], "tensor": [0.1, 0.1, 0.01, 0, 0, 0] } }
  ],
  "constraints": [
    { "name": "x", "type": "motion", "body": "plate", "direction": [1, 0, 0], "amplitude": 0.3, "frequency": 0.5 },
    { "name": "y", "type": "motion", "body": "plate", "direction": [0, 1, 0], "speed": 0.2 },
    { "name": "z", "type": "motion", "body": "plate", "direction": [0, 0, 1], "rise": { "size": 0.5, "duration": 2 } },
    { "name": "turn", "type": "motion", "body": "plate", "axis": [0, 0, 1], "speed": 1.5 }
  ]
}`

describe('prescribed motion of a body', () => {
  it.each(['second-order', 'auto'])('is followed in place and turn, scheme %s', (scheme) => {
    const model = buildModel(parseScene(carried))
    const sim = createSimulation(model, { solver: 'redmax', scheme, timestep: 0.005 })
    for (let k = 0; k < 300; k++) {
      expect(sim.step().message).toBe('')
      const { q, t } = sim.state
      expect(q[0]).toBeCloseTo(1 + 0.3 * Math.sin(Math.PI * t), 8)
      expect(q[1]).toBeCloseTo(2 + 0.2 * t, 8)
      expect(q[2]).toBeCloseTo(3 + 0.5 / (1 + Math.exp(-14 * (t / 2 - 0.5))), 8)
      expect(Math.abs(q[3] * Math.cos(0.75 * t) + q[6] * Math.sin(0.75 * t))).toBeCloseTo(1, 10)
    }
    expect(Math.abs(sim.state.q[7])).toBeGreaterThan(0.01)
  })

  it('moves what hangs from it as the equations of motion say', () => {
    // a bob on a rod under a point that is shaken sideways: q̈ from inverse dynamics of the whole must leave no force in the hinge
    const model = buildModel({
      bodies: [
        { name: 'cart', joints: [{ type: 'free' }], inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] } },
        {
          name: 'bob',
          parent: 'cart',
          joints: [{ type: 'revolute', axis: [0, 1, 0] }],
          inertia: { mass: 1, com: [0, 0, -1], tensor: [0, 0, 0, 0, 0, 0] },
        },
      ],
      constraints: [
        { type: 'motion', body: 'cart', direction: [1, 0, 0], amplitude: 0.1, frequency: 1 },
        { type: 'motion', body: 'cart', direction: [0, 1, 0] },
        { type: 'motion', body: 'cart', direction: [0, 0, 1] },
        { type: 'motion', body: 'cart', axis: [0, 0, 1] },
      ],
    })
    const h = 1e-3
    const sim = createSimulation(model, { solver: 'redmax', scheme: 'second-order', timestep: h })
    sim.step(200)
    const before = sim.state.v.slice()
    sim.step(2)
    const state = createState(model)
    state.q.set(sim.state.q)
    state.v.set(sim.state.v)
    const a = Float64Array.from(sim.state.v, (v, k) => (v - before[k]) / (2 * h))
    const data = createData(model)
    inverseDynamics(model, data, state, a)
    const size = Math.max(...Array.from(data.tau, Math.abs))
    expect(size).toBeGreaterThan(1)
    expect(Math.abs(data.tau[6])).toBeLessThan(0.02 * size)
  })

  it('by speed alone goes on from where the pose is', () => {
    const model = buildModel({
      bodies: [
        { name: 'wheel', inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] }, joints: [{ name: 'w', type: 'revolute', initial: 0.7 }] },
      ],
      constraints: [{ type: 'motion', joint: 'w', speed: 2, follow: 'speed' }],
    })
    for (const scheme of ['linear', 'second-order', 'auto']) {
      const sim = createSimulation(model, { solver: 'redmax', scheme, timestep: 0.01 })
      sim.advance(1)
      expect(sim.state.q[0]).toBeCloseTo(2.7, 10)
    }
  })

  it('refuses what is not one motion', () => {
    const problem = (c: string): string => {
      try {
        buildModel(
          parseScene(
            `{ "bodies": [{ "name": "b", "joints": [{ "name": "j", "type": "revolute" }], "inertia": { "mass": 1, "tensor": [1, 1, 1, 0, 0, 0] } }], "constraints": [${c}] }`,
          ),
        )
      } catch (error) {
        return String(error)
      }
      return ''
    }
    expect(problem('{ "type": "motion", "joint": "j", "body": "b", "axis": [0, 0, 1] }')).toMatch(/exactly one of joint and body, got both/)
    expect(problem('{ "type": "motion" }')).toMatch(/exactly one of joint and body, got neither/)
    expect(problem('{ "type": "motion", "body": "b" }')).toMatch(/exactly one of direction .* and axis/)
    expect(problem('{ "type": "motion", "body": "world", "axis": [0, 0, 1] }')).toMatch(/a body that can move/)
    expect(problem('{ "type": "motion", "joint": "j", "axis": [0, 0, 1] }')).toMatch(/with body only/)
    expect(problem('{ "type": "motion", "joint": "j", "rise": { "size": 1, "duration": 0 } }')).toMatch(/duration/)
  })
})

it('holds a body in the linear scheme as its stabilisation does', () => {
  const model = buildModel(parseScene(carried))
  const sim = createSimulation(model, { solver: 'redmax', scheme: 'linear', timestep: 0.001, stabilization: 100 })
  sim.advance(1)
  const data = createData(model)
  forwardKinematics(model, data, sim.state.q, sim.state.v)
  expect(sim.state.q[1]).toBeCloseTo(2.2, 2)
  expect(sim.state.q[0]).toBeCloseTo(1, 2)
})
