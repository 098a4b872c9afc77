/** Slips in options and joint types do not compile: each marked line is an error, and the check of test types fails where one is not. */
import { type BodySpec, buildModel, createSimulation } from 'limber'
import { expect, it } from 'vitest'

const bodies: BodySpec[] = [{ name: 'a', inertia: { mass: 1 }, joints: [{ type: 'prismatic' }] }]
const model = buildModel({ bodies })

it('what compiles runs, and what does not compile says why', () => {
  expect(createSimulation(model, { solver: 'redmax', tolerance: 1e-3, scheme: 'newton' }).options.tolerance).toBe(1e-3)
  expect(createSimulation(model, { solver: 'position', order: 3 }).options.order).toBe('3')
  expect(createSimulation(model, { rtol: 1e-3, method: 'gear' }).solver.name).toBe('ode')
  const name: string = 'ode'
  expect(createSimulation(model, { solver: name, method: 'rk4' }).solver.name).toBe('ode')

  // @ts-expect-error: a slip in the name of an option
  expect(() => createSimulation(model, { solver: 'redmax', tolerannce: 1 })).toThrow("has no option 'tolerannce'")
  // @ts-expect-error: an option of another solver
  expect(() => createSimulation(model, { solver: 'ode', scheme: 'linear' })).toThrow("has no option 'scheme'")
  // @ts-expect-error: no number
  expect(() => createSimulation(model, { solver: 'redmax', tolerance: 'small' })).toThrow('expected a number')
  // @ts-expect-error: no such solver
  expect(() => createSimulation(model, { solver: 'redmaks' })).toThrow("got 'redmaks'")
  // @ts-expect-error: a slip where no solver is named
  expect(() => createSimulation(model, { tolerannce: 1 })).toThrow("has no option 'tolerannce'")
  // @ts-expect-error: no such joint
  const odd: BodySpec[] = [{ name: 'a', inertia: { mass: 1 }, joints: [{ type: 'revolut' }] }]
  expect(() => buildModel({ bodies: odd })).toThrow("did you mean 'revolute'?")
})

it('a model is not written to: its parameters are set in a simulation', () => {
  const own = buildModel({ bodies })
  // @ts-expect-error: setGravity of a simulation does this
  own.gravity[2] = 0
  // @ts-expect-error: setMass of a body
  own.inertia[10] = 2
  // @ts-expect-error: setGains of an actuator
  own.actuators.gain[0] = 1
  const simulation = createSimulation(own)
  simulation.setGravity([0, 0, -1])
  expect(simulation.model.gravity[2]).toBe(-1)
})
