/**
 * NaN that a program writes is reported by the name of its joint or actuator, whichever solver runs, and before it spreads.
 */
import { buildModel, createSimulation, parseMjcf, type Simulation, type Spec, solvers } from 'limber'
import { describe, expect, it } from 'vitest'

const rod = { mass: 1, com: [0, 0, -0.5], tensor: [0.1, 0.1, 0.01, 0, 0, 0] } as const
const spec: Spec = {
  timestep: 0.01,
  bodies: [
    { name: 'upper', inertia: rod, joints: [{ name: 'shoulder', type: 'spherical' }] },
    { name: 'lower', parent: 'upper', position: [0, 0, -1], inertia: rod, joints: [{ name: 'elbow', type: 'revolute', axis: [0, 1, 0] }] },
  ],
  actuators: [
    { name: 'motor', joint: 'elbow' },
    {
      name: 'servo',
      joint: 'elbow',
      gain: [10, 0, 0],
      bias: [0, -10, -1],
      dynamics: { type: 'filter', time: 0.1 },
      controlRange: [-1, 1],
    },
  ],
}
const model = buildModel(spec)

type Written = 'q' | 'v' | 'tau' | 'control' | 'act'
const inputs: readonly (readonly [Written, number, string])[] = [
  ['q', 4, "q of joint 'elbow' is NaN; write a finite number before the step"],
  ['q', 1, "q of joint 'shoulder' is NaN; write a finite number to state.q[1] before the step"],
  ['v', 3, "v of joint 'elbow' is NaN"],
  ['tau', 3, "tau of joint 'elbow' is NaN"],
  ['tau', 0, "tau of joint 'shoulder' is NaN; write a finite number to state.tau[0] before the step"],
  ['control', 0, "control of actuator 'motor' is NaN"],
  ['control', 1, "control of actuator 'servo' is NaN"],
  ['act', 0, "act of actuator 'servo' is NaN"],
]

const bits = ({ state: { t, q, v, tau, control, act } }: Simulation): number[] => [t, ...q, ...v, ...tau, ...control, ...act]

describe.each(['auto', ...Object.keys(solvers)])('%s', (solver) => {
  it.each(inputs)('names %s[%i]', (what, k, message) => {
    for (const stepsBefore of [0, 3]) {
      const simulation = createSimulation(model, { solver })
      simulation.step(stepsBefore)
      const array = simulation.state[what]
      const before = array[k]
      array[k] = Number.NaN
      const written = bits(simulation)
      for (const report of [simulation.step(2), simulation.advance(0.1)]) {
        expect(report.status).toBe('diverged')
        expect(report.message).toContain(message)
      }
      // no other number has become NaN, and the run goes on where it is corrected
      expect(bits(simulation)).toEqual(written)
      array[k] = before
      const again = simulation.step(2)
      expect([again.status, again.message]).toEqual(['ok', ''])
    }
  })

  it('names the time', () => {
    const simulation = createSimulation(model, { solver })
    simulation.state.t = Number.NaN
    expect(simulation.step()).toMatchObject({ status: 'diverged', message: 't is NaN; write a finite number of seconds before the step' })
  })

  it('names what is written in the middle of an advance', () => {
    const simulation = createSimulation(model, { solver })
    const report = simulation.advance(1, () => {
      simulation.state.control[0] = Number.NaN
      return undefined
    })
    expect(report.message).toContain("control of actuator 'motor' is NaN")
    expect(simulation.state.t).toBeCloseTo(0.01, 12)
  })
})

describe('with limits, loops and contact', () => {
  const box = (name: string, y: number) =>
    `<body name="${name}" pos="0 ${y} 0.1"><freejoint name="${name} root"/><geom type="box" size="0.1 0.1 0.1"/></body>`
  const onFloor = buildModel(
    parseMjcf(`<mujoco><worldbody><geom type="plane" size="1 1 1"/>${box('crate', 0)}
      <body name="arm" pos="1 0 1"><joint name="elbow" axis="0 1 0" range="-1 1" limited="true"/><geom type="capsule" size="0.05 0.2"/></body>
      </worldbody><actuator><position name="servo" joint="elbow" kp="5"/></actuator></mujoco>`),
  )
  it.each(['auto', 'redmax', 'ode', 'position', 'adaptive'])('%s names a coordinate, a velocity, a force and a control', (solver) => {
    const simulation = createSimulation(onFloor, { solver })
    const expectNamed = (array: Float64Array, k: number, message: string): void => {
      const before = array[k]
      array[k] = Number.NaN
      expect(simulation.step().message).toContain(message)
      array[k] = before
      expect(simulation.step().status).toBe('ok')
    }
    const { q, v, tau, control } = simulation.state
    expectNamed(q, 2, "q of joint 'crate root' is NaN; write a finite number to state.q[2]")
    expectNamed(v, 6, "v of joint 'elbow' is NaN")
    expectNamed(tau, 6, "tau of joint 'elbow' is NaN")
    expectNamed(control, 0, "control of actuator 'servo' is NaN")
  })
})

describe('calls that take numbers', () => {
  it('reset names the joint or the actuator', () => {
    const simulation = createSimulation(model)
    expect(() => simulation.reset({ q: Float64Array.of(1, 0, 0, 0, Number.NaN) })).toThrow("reset: q of joint 'elbow' is NaN")
    expect(() => simulation.reset({ control: [Number.NaN, 0] as never })).toThrow("reset: control of actuator 'motor' is NaN")
    expect(simulation.step().status).toBe('ok')
  })

  const driven = buildModel({
    bodies: [
      { name: 'hand', driven: true },
      { name: 'ball', inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] }, joints: [{ type: 'free' }] },
    ],
  })
  it('a pose or a force that is refused names the body, and changes nothing', () => {
    const simulation = createSimulation(driven)
    const hand = simulation.body('hand')
    const ball = simulation.body('ball')
    expect(() => hand.moveTo([1, Number.NaN, 0])).toThrow("position of body 'hand': expected finite numbers, got NaN at place 1")
    expect(() => hand.moveTo([1, 0, 0], [1, 0, 0, Number.NaN])).toThrow("quaternion of body 'hand'")
    expect(() => hand.setPose([1, 2, Number.NaN])).toThrow("position of body 'hand'")
    expect(() => ball.applyForce([Number.NaN, 0, 0])).toThrow("force on body 'ball'")
    expect(() => ball.applyForce([0, 0, 0], undefined, { torque: [0, 0, Number.NaN] })).toThrow("torque on body 'ball'")
    expect(() => ball.setVelocity([0, 0, Number.NaN])).toThrow("linear velocity of body 'ball'")
    simulation.step(5)
    expect([...hand.position()]).toEqual([0, 0, 0])
  })

  it('a driven body whose pose is written to the state is named', () => {
    const simulation = createSimulation(driven)
    const { iq } = simulation.joint('hand.pose')
    simulation.state.q[iq + 2] = Number.NaN
    expect(simulation.step().message).toContain(`q of driven body 'hand' is NaN; write a finite number to state.q[${iq + 2}]`)
  })
})

describe('what is no fault of an input', () => {
  it('an infinite control is clamped to its range', () => {
    const simulation = createSimulation(model)
    simulation.state.control[1] = Number.POSITIVE_INFINITY
    expect(simulation.step(10).status).toBe('ok')
    simulation.state.control[0] = Number.POSITIVE_INFINITY
    expect(simulation.step().message).toContain("control of actuator 'motor' is Infinity")
  })

  it('a force of your own that is NaN is named as such', () => {
    const nan = { name: 'wind', apply: (_m: unknown, d: { qf: Float64Array }) => void (d.qf[0] += Number.NaN) }
    expect(createSimulation(model, { forces: [nan] }).step().message).toContain("force 'wind' is not a number")
  })
})
