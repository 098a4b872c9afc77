/** A four-bar linkage: a closed loop, driven by a prescribed motion of its crank. */
import { buildModel, createData, createResidual, createSimulation, forwardKinematics } from 'limber'

const bar = (name, parent, position, length) => ({
  name,
  parent,
  position,
  joints: [{ name, type: 'revolute', axis: [0, 1, 0] }],
  geoms: [{ shape: 'box', size: [0.02, 0.02], fromto: [0, 0, 0, 0, 0, length], mass: length, collide: false }],
})
const model = buildModel({
  bodies: [
    bar('crank', 'world', [0, 0, 0], 0.1),
    // turned at its start so that it lies flat
    { ...bar('coupler', 'crank', [0, 0, 0.1], 0.4), quaternion: [Math.SQRT1_2, 0, Math.SQRT1_2, 0] },
    bar('rocker', 'world', [0.4, 0, -0.2], 0.3),
  ],
  constraints: [
    { name: 'pin', type: 'point', a: { body: 'coupler', point: [0, 0, 0.4] }, b: { body: 'rocker', point: [0, 0, 0.3] } },
    { name: 'motor', type: 'motion', joint: 'crank', speed: 2 * Math.PI },
  ],
})
const simulation = createSimulation(model, { timestep: 0.002 })
const residual = createResidual(model)
const data = createData(model)
let [least, most, gap] = [Infinity, -Infinity, 0]
for (let k = 0; k < 500; k++) {
  simulation.step()
  const rocker = simulation.joint('rocker').position
  least = Math.min(least, rocker)
  most = Math.max(most, rocker)
  forwardKinematics(model, data, simulation.state.q, simulation.state.v)
  gap = Math.max(gap, residual(data, simulation.state))
}
console.log(`one turn of the crank swings the rocker from ${least.toFixed(3)} to ${most.toFixed(3)} rad`)
console.log('the loop stays closed to a tenth of a micrometre:', gap < 1e-7)
