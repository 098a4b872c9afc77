/** Whether steps of what rests are left out, by how often a stepper is asked that leaves everything as it is. */
import { expect, it } from 'vitest'
import { buildModel } from '../../build/build-model.js'
import type { Spec } from '../../build/spec.js'
import { createState } from '../../model/state.js'
import { createReport } from '../solver.js'
import { restBetween } from './rest.js'

const spec: Spec = {
  gravity: [0, 0, 0],
  bodies: [{ name: 'stone', joints: [{ name: 'free', type: 'free' }], geoms: [{ shape: 'sphere', radius: 0.1, mass: 1 }] }],
}

/** Steps that are made of ten. */
function countMade(given: Spec): number {
  const model = buildModel(given)
  const report = createReport()
  let made = 0
  const step = () => {
    made++
    return report
  }
  const stepper = restBetween(model, { ns: 0, report, init: () => undefined, step }, [])
  const state = createState(model)
  for (let k = 0; k < 10; k++) stepper.step(state, 0.01)
  return made
}

it('steps of what rests are left out, after one that showed it', () => {
  expect(countMade(spec)).toBe(1)
})

it('every step is made where gusts may rise, be they ever so weak at first', () => {
  expect(countMade({ ...spec, medium: { density: 1, gusts: [{ velocity: [1, 0, 0], frequency: 0.01 }] } })).toBe(10)
})
