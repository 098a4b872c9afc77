/** Steps of batches, in one thread and in two, and the ways in and out of them. */
import { buildModel, createBatch } from 'limber'
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
