import { buildModel, createSimulation, type Spec, solvers } from 'limber'
import { loadSimulation, solverLoaders } from 'limber/on-demand'
import { describe, expect, it } from 'vitest'

const rod = { mass: 1, com: [0, 0, -0.5], tensor: [0.1, 0.1, 0.01, 0, 0, 0] } as const
const spec: Spec = {
  bodies: [
    { name: 'upper', inertia: rod, joints: [{ type: 'revolute', axis: [0, 1, 0], initial: 0.5 }] },
    { name: 'lower', parent: 'upper', position: [0, 0, -1], inertia: rod, joints: [{ type: 'revolute', axis: [0, 1, 0] }] },
  ],
}

describe('solvers on demand', () => {
  it('are those of the table, name by name', async () => {
    expect(Object.keys(solverLoaders)).toEqual(Object.keys(solvers))
    for (const [name, load] of Object.entries(solverLoaders)) expect(await load(), name).toBe(solvers[name])
  })

  it.each(['auto', ...Object.keys(solvers)])('simulate with the same bits as createSimulation does: %s', async (solver) => {
    const model = buildModel(spec)
    const [fetched, atOnce] = [await loadSimulation(model, { solver, timestep: 0.01 }), createSimulation(model, { solver, timestep: 0.01 })]
    expect(fetched.solver.name).toBe(atOnce.solver.name)
    for (const simulation of [fetched, atOnce]) expect(simulation.advance(0.5).status).toBe('ok')
    expect(fetched.state.q).toEqual(atOnce.state.q)
    expect(fetched.state.q[0]).not.toBe(0.5)
  })

  it('take a solver by value, the options a model suggests, and refuse a name that is none', async () => {
    const model = buildModel({ ...spec, solver: { name: 'ode', options: { method: 'euler' } } })
    expect((await loadSimulation(model)).options.method).toBe('euler')
    expect((await loadSimulation(model, { solver: solvers.position })).solver).toBe(solvers.position)
    await expect(loadSimulation(model, { solver: 'rodmax' as string })).rejects.toThrow(
      /expected one of auto, ode, redmax, implicit, position, adaptive, substructuring, got 'rodmax'/,
    )
  })
})
