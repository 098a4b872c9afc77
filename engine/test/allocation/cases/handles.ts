/** What is read by name into arrays that are given, and steps with a force that lasts and a driven body on its way. */
import { buildModel, createSimulation, parseMjcf, type Simulation } from 'limber'
import { ARM } from '../../handles/arm.js'
import type { AllocationCase } from '../allocation-case.js'
import { steps } from '../allocation-case.js'

const mocap = '<body name="tray" mocap="true" pos="0 0 3"><geom size=".1" contype="0" conaffinity="0"/></body></worldbody>'
const arm = (): Simulation =>
  createSimulation(buildModel(parseMjcf(ARM.replace('</worldbody>', mocap), { mocap: 'driven' })), { solver: 'ode', timestep: 1e-4 })

export const handleCases = (): AllocationCase[] => [
  {
    name: 'reading handles',
    times: 200,
    prepare() {
      const simulation = arm()
      const [hand, tip, elbow] = [simulation.body('hand'), simulation.site('tip'), simulation.joint('wrist')]
      const x = new Float64Array(6)
      const J = new Float64Array(6 * simulation.model.nv)
      return {
        run: () => {
          simulation.state.q[0] += 1e-3
          hand.position(x)
          hand.quaternion(x)
          hand.velocity(x)
          tip.jacobian(J)
          elbow.positions(x)
        },
      }
    },
  },
  {
    name: 'steps with an applied force and a driven body',
    times: 200,
    prepare() {
      const simulation = arm()
      simulation.body('hand').applyForce([0, 0, 1], undefined, { until: 'cleared' })
      simulation.body('tray').moveTo([0, 0, 4], undefined, 100)
      return steps(simulation)
    },
  },
  {
    name: 'steps after parameters were set',
    times: 200,
    prepare() {
      const simulation = arm()
      simulation.step(3)
      simulation.setGravity([0, 0, -3])
      simulation.body('hand').setMass(2)
      return steps(simulation)
    },
  },
]
