/** Steps of simulations over several processors, all in one thread. */
import { buildModel, createSimulationWith, type Model, redmax, type Solver } from 'limber'
import { findScene } from 'limber-scenes'
import { branchesOf } from '../../../src/parallel/branches.js'
import { redmaxInOneThread } from '../../../src/parallel/in-one-thread.js'
import { findUnits } from '../../../src/parallel/passes/units.js'
import { type AllocationCase, steps } from '../allocation-case.js'

export function processorCases(): AllocationCase[] {
  return [1, 3].map((processors) => ({
    name: `redmax on ${processors}`,
    times: 60,
    prepare: () => {
      const model = tree()
      return steps(createSimulationWith(model, solverOn(model, processors), { contact: false }))
    },
  }))
}

function tree(): Model {
  const scene = findScene('tree')
  if (!scene) throw new Error('no scene tree')
  return buildModel(scene.build({ levels: 3 }))
}

function solverOn(model: Model, processors: number): Solver {
  const branches = branchesOf(model, { longest: 0 })
  const units = {
    ...findUnits(
      model,
      branches,
      Int32Array.from({ length: branches.count }, (_, b) => b % processors),
    ),
    processors,
  }
  return { ...redmax, create: (m) => redmaxInOneThread(m, units, 1e-6).stepper }
}
