/** What rests costs next to nothing, and has the bits of a run that makes every step. */
import { buildModel, createSimulation, parseMjcf, type Simulation } from 'limber'
import { describe, expect, it } from 'vitest'

/** A stack, and beside it an arm that a servo holds against its weight, soft as MJCF files are. */
const model = buildModel(
  parseMjcf(`<mujoco><option timestep="0.005"/><worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="box0" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="4"/></body>
    <body name="box1" pos="0 0 0.3"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="4"/></body>
    <body name="arm" pos="2 0 1"><joint name="elbow" axis="0 1 0" damping="1"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="1"/></body>
  </worldbody><actuator><position name="servo" joint="elbow" kp="40" kv="4"/></actuator></mujoco>`),
)
const make = (): Simulation => createSimulation(model, { solver: 'redmax' })

/** Steps until the arm and the stack rest. */
function atRest(): Simulation {
  const simulation = make()
  for (let k = 0; k < 4000; k++) {
    const { evaluations } = simulation.report
    expect(simulation.step().message).toBe('')
    if (k > 0 && simulation.report.evaluations === evaluations) return simulation
  }
  return expect.fail('it never came to rest')
}

describe('what rests', () => {
  it('costs no evaluation, and has the same bits as a run that is begun anew for every step', () => {
    const simulation = atRest()
    let bytes = simulation.snapshot()
    const { evaluations, steps } = simulation.report
    for (let k = 0; k < 20; k++) {
      simulation.step()
      const fresh = make()
      fresh.restore(bytes)
      expect(fresh.step().message).toBe('')
      bytes = fresh.snapshot()
    }
    expect(simulation.report.evaluations).toBe(evaluations)
    expect(simulation.report.steps).toBe(steps + 20)
    expect(simulation.snapshot()).toEqual(bytes)
  })

  it.each<[string, (simulation: Simulation) => void]>([
    ['a command', ({ state }) => state.control.fill(0.3)],
    ['a torque', ({ state }) => state.tau.fill(0.5, 12)],
    ['a velocity', ({ state }) => state.v.fill(0.1, 5, 6)],
    ['a pose', ({ state }) => state.q.fill(0.3, 2, 3)],
    ['a force at a point', (simulation) => simulation.body('box1').applyForce([30, 0, 0], [0, 0, 0])],
  ])('wakes by %s', (_, change) => {
    const simulation = atRest()
    const q = simulation.state.q.slice()
    change(simulation)
    for (let k = 0; k < 5; k++) simulation.step()
    expect(simulation.state.q.some((x, k) => Math.abs(x - q[k]) > 1e-6)).toBe(true)
    expect(simulation.state.v.some((v) => Math.abs(v) > 1e-6)).toBe(true)
  })
})
