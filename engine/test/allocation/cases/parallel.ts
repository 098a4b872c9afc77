/** Steps of the solver ode on several processors, all in one thread. */
import { buildModel, createSimulation, type Model } from 'limber'
import { parallelInOneThread } from 'limber/parallel'
import { findScene } from 'limber-scenes'
import { everyForce } from '../../conformance/every-force.js'
import { type AllocationCase, steps } from '../allocation-case.js'

const TIMES = 120

export function parallelCases(): AllocationCase[] {
  const scene = (name: string, values: Record<string, number | string>): Model =>
    buildModel(findScene(name)?.build(values) ?? { bodies: [] })
  const models: Readonly<Record<string, () => Model>> = {
    mobile: () => scene('mobile', { s: 2, l: 3, o: 3 }),
    'chain in blocks': () => scene('chain', { links: 40 }),
    'ball joints': () => scene('chain', { links: 12, joint: 'spherical' }),
    'every force': () => buildModel(everyForce(8)),
  }
  return Object.entries(models).map(([name, build]) => ({
    name: `three processors, ${name}`,
    times: TIMES,
    prepare() {
      const model = build()
      return steps(
        createSimulation(model, { solver: parallelInOneThread(model, 3, { longest: 8 }), timestep: 0.005, rtol: 1e-5, atol: 1e-6 }),
      )
    },
  }))
}
