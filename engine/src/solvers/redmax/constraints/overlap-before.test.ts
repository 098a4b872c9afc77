/** What overlapped at the start of a step is known to have done so, also where it is deeper than its shape is thick. */
import { buildModel, type Spec } from 'limber'
import { expect, it } from 'vitest'
import { createState } from '../../../model/state.js'
import { forwardKinematics } from '../../../tree/kinematics.js'
import { createLinearised } from '../linearised/linearised-record.js'
import { createWork } from '../work.js'
import { findOnTrial } from './find-rows.js'
import { startTrials } from './unilateral.js'

it('every corner of a thin pad that has sunk in was there before', () => {
  const pad: Spec = {
    world: { geoms: [{ shape: 'plane' }] },
    bodies: [
      {
        // another pair comes before it
        name: 'block',
        position: [1, 0, 0.0999],
        joints: [{ type: 'free' }],
        geoms: [{ shape: 'box', size: [0.2, 0.2, 0.2], mass: 1, solref: [0.02, 1] }],
      },
      {
        name: 'pad',
        // one corner is deeper than the pad is thick, the others are not
        position: [0, 0, 0.0003],
        quaternion: [0.99, 0.1, 0.08, 0],
        joints: [{ type: 'free' }],
        geoms: [{ shape: 'box', size: [0.01, 0.008, 0.002], mass: 0.1, solref: [0.02, 1] }],
      },
    ],
  }
  const model = buildModel(pad)
  const options = { scheme: 'second-order', linear: 'auto', tolerance: 1e-6, contact: true }
  const { constraints: c, data, clock } = createLinearised(model, options, [], createWork(model, 0), 0)
  if (!c) throw new Error('nothing is constrained')
  const { q, v } = createState(model)
  clock.set([0.002, 0.002])
  forwardKinematics(model, data, q, v)
  startTrials(c.unilateral, false)
  findOnTrial(c, q, v, clock)
  const { contacts, limits, from } = c.unilateral
  const gaps = [...contacts.gap.subarray(0, contacts.count)]
  expect(Math.min(...gaps)).toBeLessThan(-0.001)
  expect(gaps.length).toBeGreaterThan(5)
  // nothing has moved: gaps at the start are those of now
  const before = [...from.subarray(limits.count, limits.count + contacts.count)]
  for (const [k, gap] of gaps.entries()) expect(before[k], `contact ${k} of ${gaps.length}, ${gap} m`).toBeCloseTo(gap, 12)
})
