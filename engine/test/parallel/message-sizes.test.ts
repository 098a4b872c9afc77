/** What processors tell each other in an evaluation does not grow with the number of joints. */
import { buildModel, type Model } from 'limber'
import { findScene } from 'limber-scenes'
import { expect, it } from 'vitest'
import { branchesOf } from '../../src/parallel/branches.js'
import { adamsInOneThread } from '../../src/parallel/in-one-thread.js'
import { ORDER_SIZE } from '../../src/parallel/passes/adams.js'
import { findUnits } from '../../src/parallel/passes/units.js'

const OPTIONS = { rtol: 1e-5, atol: 1e-6 }

const scene = (name: string, values: Record<string, number>): Model => buildModel(findScene(name)?.build(values) ?? { bodies: [] })

/** By processor: messages and numbers of an evaluation. */
function sent(model: Model, longest: number, processorOf: (block: number) => number) {
  const branches = branchesOf(model, { longest })
  const units = findUnits(
    model,
    branches,
    Int32Array.from({ length: branches.count }, (_, b) => processorOf(b)),
  )
  return adamsInOneThread(model, units, OPTIONS).processors.map(({ sent, capacity }) => ({ ...sent, capacity }))
}

it('of a mobile of which one chain is elsewhere: 24 + 6 numbers there, 27 + 5 back', () => {
  for (const l of [3, 30, 300]) {
    const mobile = scene('mobile', { s: 2, l, o: 4 })
    // blocks: world, root chain, four chains at its end
    expect(sent(mobile, 0, (b) => (b === 3 ? 1 : 0))).toEqual([
      { messages: 2, numbers: 24 + 6, capacity: expect.any(Number) },
      { messages: 2, numbers: 27 + 5, capacity: expect.any(Number) },
    ])
  }
})

it('of all chains of a mobile: in proportion to the chains that are cut off', () => {
  const counts = [3, 30].map((l) => sent(scene('mobile', { s: 2, l, o: 6 }), 0, (b) => (b > 1 ? 1 + (b % 2) : 0)))
  expect(counts[0]).toEqual(counts[1])
  // two others, each with three chains of one fork: one message there and back a pass
  expect(counts[0].map(({ numbers }) => numbers)).toEqual([2 * (24 + 6), 3 * (27 + 5), 3 * (27 + 5)])
})

it('of a chain in blocks: the same for 80 and for 8,000 links', () => {
  const counts = [80, 8000].map((links) => sent(scene('chain', { links }), links / 8, (b) => (b === 0 ? 0 : (b - 1) >> 1)))
  expect(counts[0]).toEqual(counts[1])
  // poses 18 up and 18 down, twice where the end of the block before is told too; 90 (27 of the last) up, 12 down; sums 5
  for (const { capacity } of counts[0]) expect(capacity).toBeLessThanOrEqual(90)
})

it('an order has a dozen numbers', () => {
  expect(ORDER_SIZE).toBeLessThanOrEqual(12)
})
