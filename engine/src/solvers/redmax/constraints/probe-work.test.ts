/** The work of looking for overlap is that of one search, however often the probe was used in between. */
import { buildModel, type Spec } from 'limber'
import { expect, it } from 'vitest'
import { SPENT } from '../../../contact/solve/problem.js'
import { createState } from '../../../model/state.js'
import { forwardKinematics } from '../../../tree/kinematics.js'
import { createLinearised } from '../linearised/linearised-record.js'
import { createWork } from '../work.js'
import { detectOverlap, probeAll } from './unilateral.js'

it('looking for overlap takes the work of one search', () => {
  // cylinders meet by the general way, which is what counts most
  const spec: Spec = {
    bodies: [0, 1].map((k) => ({
      name: `b${k}`,
      position: [0.15 * k, 0, 0] as const,
      joints: [{ type: 'free' as const }],
      geoms: [{ shape: 'cylinder' as const, radius: 0.1, length: 0.3, density: 1000 }],
    })),
  }
  const model = buildModel(spec)
  const options = { scheme: 'second-order', linear: 'auto', tolerance: 1e-6, contact: true }
  const { constraints, data } = createLinearised(model, options, [], createWork(model, 1), 0)
  if (!constraints) throw new Error('nothing is constrained')
  const { unilateral: u } = constraints
  const { q, v } = createState(model)
  forwardKinematics(model, data, q, v)
  const cost = (): number => {
    const before = u.work[SPENT]
    detectOverlap(u)
    return u.work[SPENT] - before
  }
  const alone = cost()
  expect(alone).toBeGreaterThan(0)
  for (let k = 0; k < 1000; k++) probeAll(u, data.X_WB, 0)
  expect(cost()).toBe(alone)
})
