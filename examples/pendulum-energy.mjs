/** A double pendulum, written as a Spec: the energy that an explicit solver keeps. */
import { buildModel, createData, createSimulation, energy } from 'limber'

const link = (name, parent, position) => ({
  name,
  parent,
  position,
  joints: [{ name, type: 'revolute', axis: [0, 1, 0] }],
  geoms: [{ shape: 'capsule', radius: 0.02, fromto: [0, 0, 0, 0.5, 0, 0], mass: 1 }],
})
const model = buildModel({ bodies: [link('upper', 'world', [0, 0, 1]), link('lower', 'upper', [0.5, 0, 0])] })
const simulation = createSimulation(model, { solver: 'ode', method: 'rk4', timestep: 0.001 })
const data = createData(model)
const total = () => {
  const { kinetic, potential } = energy(model, data, simulation.state)
  return kinetic + potential
}

const start = total()
for (let second = 1; second <= 5; second++) {
  simulation.advance(1)
  const { upper, lower } = Object.fromEntries(['upper', 'lower'].map((name) => [name, simulation.joint(name).position.toFixed(3)]))
  console.log(`t = ${second} s: upper ${upper}, lower ${lower} rad, energy off by ${(total() - start).toExponential(1)} J`)
}
