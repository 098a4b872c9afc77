/**
 * Two loops, a ball joint at its limit, dry friction and contacts leave a mechanism nothing to move by. Rows a hundred million times stiffer than
 * their bodies took the digits that the impulses of the loops need: steps were cut into ever shorter parts, and the run stopped after 13.
 */
import { buildModel, createSimulation } from 'limber'
import { expect, it } from 'vitest'
import { contactMechanism } from '../contact/random/mechanism.js'

const STEPS = 300
/** evaluations a step: 17 as it is; 390 with rows that stiff, as far as they got */
const MOST = 40

it('loops keep their digits beside limits and dry friction that hold', () => {
  const simulation = createSimulation(buildModel(contactMechanism(294).spec), { solver: 'redmax', timestep: 0.01 })
  for (let k = 0; k < STEPS; k++) expect(simulation.step().status, simulation.report.message).toBe('ok')
  expect(simulation.report.evaluations).toBeLessThan(MOST * STEPS)
})
