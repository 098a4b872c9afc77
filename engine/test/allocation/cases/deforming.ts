/** Steps of redmax on bodies that deform: with springs between branches, loops and contact. */
import { buildModel, createSimulation } from 'limber'
import { branches, portal, tripod } from '../../redmax/beams.js'
import { type AllocationCase, steps } from '../allocation-case.js'

const TIMES = 200
const WARM_UP = 8 * TIMES

export function deformingCases(): AllocationCase[] {
  const mechanisms = { branches: branches(), portal: portal(), tripod: tripod(60) }
  return Object.entries(mechanisms).flatMap(([name, spec]) =>
    ['linear', 'auto', 'second-order'].map((scheme) => ({
      name: `${scheme} on ${name}`,
      times: TIMES,
      warmUp: WARM_UP,
      prepare: () => steps(createSimulation(buildModel(spec), { solver: 'redmax', scheme, timestep: 0.005 })),
    })),
  )
}
