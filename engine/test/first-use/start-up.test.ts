/** A simulation costs next to nothing until it is used: the solver is chosen, and its stepper created, by the first step or question. */
import { buildModel, createSimulation, type Force, type Model, type Simulation, type Solver, solvers } from 'limber'
import { describe, expect, it } from 'vitest'

/** A cart on a rail with a pole; `limits` add end stops, so that the choice needs no estimate of stiffness. */
function cartPole(limits?: readonly [number, number]): Model {
  return buildModel({
    bodies: [
      {
        name: 'cart',
        inertia: { mass: 1, tensor: [0.01, 0.01, 0.01, 0, 0, 0] },
        joints: [{ name: 'slide', type: 'prismatic', axis: [1, 0, 0], damping: 0.1, ...(limits ? { limits } : {}) }],
      },
      {
        name: 'pole',
        parent: 'cart',
        inertia: { mass: 0.1, com: [0, 0, 0.3], tensor: [0.003, 0.003, 1e-5, 0, 0, 0] },
        joints: [{ name: 'hinge', type: 'revolute', axis: [0, 1, 0], damping: 0.01, initial: 0.1 }],
      },
    ],
  })
}

/** The solver, and how many steppers it has created. */
function counted(name: string): { solver: Solver; created: () => number } {
  let created = 0
  const solver: Solver = {
    ...solvers[name],
    create(...given) {
      created++
      return solvers[name].create(...given)
    },
  }
  return { solver, created: () => created }
}

describe('createSimulation', () => {
  // substructuring runs models of bodies that deform only
  it.each(Object.keys(solvers).filter((name) => name !== 'substructuring'))('creates no stepper of %s before the first step', (name) => {
    const { solver, created } = counted(name)
    const simulation = createSimulation(cartPole(), { solver })
    simulation.state.q[1] = 0.2
    simulation.timestep = 0.002
    expect(created()).toBe(0)
    expect(simulation.step(3).status).toBe('ok')
    expect(created()).toBe(1)
  })

  it.each<[string, (simulation: Simulation) => unknown]>([
    ['report', ({ report }) => report.steps],
    ['contacts', (simulation) => simulation.contacts()],
    ['warnings', (simulation) => simulation.warnings()],
    ['snapshot', (simulation) => simulation.snapshot()],
    ['reset', (simulation) => simulation.reset()],
  ])('answers %s before the first step, which has the same bits after it', (_, ask) => {
    const model = cartPole([-1, 1])
    const asked = createSimulation(model)
    ask(asked)
    const quiet = createSimulation(model)
    asked.step(5)
    quiet.step(5)
    expect(asked.state.q).toEqual(quiet.state.q)
    expect(asked.state.v).toEqual(quiet.state.v)
    expect(asked.report).toEqual(quiet.report)
  })

  it('estimates no stiffness for auto before somebody asks for the solver', () => {
    let estimates = 0
    const force: Force = { name: 'brake', apply: () => {}, linearize: () => void estimates++ }
    const simulation = createSimulation(cartPole(), { forces: [force] })
    expect(estimates).toBe(0)
    expect(simulation.solver.name).toBe('ode')
    expect(estimates).toBeGreaterThan(0)
    expect(simulation.why).toMatch(/^ode: nothing in the model needs an implicit step/)
  })

  it('estimates no stiffness at all where limits decide, unless somebody asks why', () => {
    let estimates = 0
    const force: Force = { name: 'brake', apply: () => {}, linearize: () => void estimates++ }
    const simulation = createSimulation(cartPole([-1, 1]), { forces: [force] })
    expect(simulation.solver.name).toBe('redmax')
    expect(estimates).toBe(0)
    expect(simulation.why).toMatch(/^redmax: the model has joint limits/)
    expect(estimates).toBeGreaterThan(0)
  })

  it('refuses options at once, and creates a stepper at once where only that can tell', () => {
    expect(() => createSimulation(cartPole(), { solver: 'adaptive', budget: 0.5 })).toThrow('budget: expected a whole number, got 0.5')
    expect(() => createSimulation(cartPole(), { solver: 'ode', method: 'gear', hmin: 1, hmax: 0.5 })).toThrow('hmin')
    const { solver, created } = counted('ode')
    createSimulation(cartPole(), { solver: { ...solver, check: undefined } })
    expect(created()).toBe(1)
  })
})
