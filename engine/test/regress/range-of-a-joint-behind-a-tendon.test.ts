/** `position` ignored the force range of a joint that a tendon's motor pulls at. */
import { buildModel, createSimulation, parseMjcf } from 'limber'
import { expect, it } from 'vitest'

it('the range of a joint holds for a motor on a tendon under every solver', () => {
  const model = buildModel(
    parseMjcf(`<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="j" axis="0 1 0" actuatorfrcrange="-1 1"/>
      <geom type="capsule" fromto="0 0 0 0 0 -1" size="0.05" mass="1"/></body></worldbody>
      <tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon><actuator><motor tendon="t"/></actuator></mujoco>`),
  )
  const turned = ['ode', 'redmax', 'position'].map((solver) => {
    const simulation = createSimulation(model, { solver, timestep: 0.002 })
    simulation.state.control[0] = 10
    simulation.advance(0.5)
    return simulation.state.q[0]
  })
  expect(turned[1]).toBeCloseTo(turned[0], 2)
  expect(turned[2]).toBeCloseTo(turned[0], 2)
})
