/** Steps of batches, without contact and on the ground, in one thread and in two, and the ways in and out of them. */
import { buildModel, createBatch, createSimulation, parseMjcf } from 'limber'
import { startThread } from 'limber/node'
import { everyForce } from '../../conformance/every-force.js'
import type { AllocationCase } from '../allocation-case.js'

const COUNT = 7

/** Trajectories make as many evaluations as they need, the same at each call once they have begun anew. */
const trajectories = [1, 2].map(
  (threads): AllocationCase => ({
    name: `position, ${threads === 1 ? 'one thread' : 'two threads'}`,
    times: 200,
    async prepare() {
      const model = buildModel(everyForce(9))
      const batch = await createBatch(model, { count: COUNT, solver: 'position', timestep: 1e-3, threads, startThread })
      if (batch.threads !== threads) throw new Error(batch.warnings.join())
      const states = batch.readState(new Float64Array(COUNT * (model.nq + model.nv)))
      let lost = 0
      return {
        run: () => {
          lost += batch.step(2)
          batch.writeState(states)
        },
        check: () => {
          if (lost > 0) throw new Error(`${lost} environments failed`)
        },
      }
    },
  }),
)

export function batchCases(): AllocationCase[] {
  return [...explicitCases(), ...groundCases()]
}

/** A trunk that falls on legs which touch the floor and, where `self` is set, each other. */
const crawler = (self: boolean): string => `<mujoco><worldbody><geom type="plane" size="0 0 1"/>
  <body name="trunk" pos="0 0 0.3"><freejoint/><geom type="box" size="0.2 0.1 0.05" mass="4"/>
    ${[-0.04, 0.04].map(
      (x, k) => `<body pos="${x} 0 -0.05"><joint name="hip${k}" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 ${-x} 0 -0.2" size="0.03" mass="0.5" ${self ? '' : 'contype="0" conaffinity="1"'}/></body>`,
    )}
  </body></worldbody><actuator><motor joint="hip0"/><position joint="hip1" kp="20"/></actuator></mujoco>`

/** Robots on the ground, in lanes and alone. */
function groundCases(): AllocationCase[] {
  return [false, true].flatMap((self): AllocationCase[] => {
    const name = self ? 'on the ground and itself' : 'on the ground'
    const model = buildModel(parseMjcf(crawler(self)))
    return [
      {
        name: `${name}, in lanes`,
        times: 200,
        async prepare() {
          const observe = ['q', 'v', 'a', { rays: model.bodies[1].name, along: [[1, 0, -1]] }, `touch of ${model.bodies[1].name}`] as const
          const batch = await createBatch(model, { count: COUNT, contact: true, observe, vary: ['friction', 'push'] })
          const rows = new Float32Array(COUNT * batch.observationSize)
          const controls = new Float32Array(COUNT * model.nu)
          const held = { times: 2 }
          let lost = 0
          return {
            run: () => {
              batch.writeControl(controls)
              lost += batch.step(held)
              batch.readObservations(rows)
            },
            check: () => {
              if (lost > 0) throw new Error(`${lost} environments failed`)
            },
          }
        },
      },
      {
        name: `${name}, alone`,
        times: 200,
        prepare() {
          const simulation = createSimulation(model, { solver: 'implicit' })
          return {
            run: () => void simulation.step(),
            check: () => {
              if (simulation.report.status !== 'ok') throw new Error(simulation.report.status)
            },
          }
        },
      },
    ]
  })
}

function explicitCases(): AllocationCase[] {
  const model = buildModel(everyForce(9))
  const explicit = (['semi-implicit', 'rk4'] as const).flatMap((method) =>
    [1, 2].map((threads) => ({
      name: `${method}, ${threads === 1 ? 'one thread' : 'two threads'}`,
      times: 200,
      async prepare() {
        const batch = await createBatch(model, { count: COUNT, timestep: 1e-4, method, threads, startThread })
        if (batch.threads !== threads) throw new Error(batch.warnings.join())
        const states = batch.readState(new Float64Array(COUNT * (model.nq + model.nv)))
        const controls = new Float32Array(COUNT * model.nu).fill(0.1)
        const accelerations = new Float64Array(COUNT * model.nv)
        let lost = 0
        return {
          run: () => {
            batch.writeControl(controls)
            batch.forwardDynamics()
            batch.readAccelerations(accelerations)
            lost += batch.step(2)
            batch.readState(states)
            batch.writeState(states)
          },
          check: () => {
            if (lost > 0) throw new Error(`${lost} environments failed`)
          },
        }
      },
    })),
  )
  return [...explicit, ...trajectories]
}
