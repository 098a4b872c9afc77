import { describe, expect, it } from 'vitest'
import { cpuTime } from '../../test/cpu-time.js'
import { chainTree, mobileTree, randomBodyTree } from '../../test/parallel/trees.js'
import { createRandom } from '../../test/random.js'
import { branchesOf } from './branches.js'
import { type Costs, workOf } from './cost.js'
import { loadTime, pack } from './pack.js'
import { distribute } from './partition.js'

/** threads that share memory, as measured */
const threads: Costs = { cmptm: 1.2e-7, roitm: 2e-6 }

describe('packing', () => {
  it.each([2, 3, 4, 6, 8])('spreads a mobile of 4,100 joints evenly over %i processors', (processors) => {
    const branches = branchesOf(mobileTree(4, 5, 9))
    const { time, serial, bodies } = pack(branches, processors, { cmptm: 1, roitm: 0 })
    expect(bodies).toHaveLength(processors)
    // what the largest branch at the end of an opened one leaves over
    expect(Math.max(...bodies) - 4100 / processors).toBeLessThan(60)
    expect(serial / time).toBeGreaterThan(0.94 * processors)
  })

  it('beats the start-up tree on two to eight threads', () => {
    const branches = branchesOf(mobileTree(4, 5, 9))
    for (const most of [2, 3, 4, 8]) expect(pack(branches, most, threads).time).toBeLessThan(distribute(branches, most, threads).time)
    expect(pack(branches, 2, threads).serial / pack(branches, 2, threads).time).toBeGreaterThan(1.9)
  })

  it('gives neighbouring blocks of a chain to one processor, the last block with the last of them', () => {
    const branches = branchesOf(chainTree(10_000), { longest: 400 })
    const { processorOf, bodies } = pack(branches, 2, threads)
    const changes = processorOf.subarray(1).reduce((sum, p, k, all) => sum + (k > 0 && p !== all[k - 1] ? 1 : 0), 0)
    expect(changes).toBe(1)
    expect(Math.abs(bodies[0] - bodies[1])).toBeLessThanOrEqual(400)
  })

  it.each(Array.from({ length: 12 }, (_, k) => k + 1))('of a random tree keeps its bounds, seed %i', (seed) => {
    const random = createRandom(7000 + seed)
    const tree = randomBodyTree(seed, 40 * seed)
    const costs: Costs = { cmptm: 1, roitm: random.between(0, 5), weight: 1.5 }
    const branches = branchesOf(tree, { longest: seed % 3 === 0 ? 8 : 0 })
    let before = Number.POSITIVE_INFINITY
    for (const most of [1, 2, 3, 7, 20]) {
      const { processors, time, serial, processorOf, bodies } = pack(branches, most, costs)
      expect(serial).toBe(tree.nbody - 1)
      expect(time).toBeLessThanOrEqual(serial)
      expect(time).toBeGreaterThanOrEqual(serial / most - 1e-9)
      expect(processors).toBeLessThanOrEqual(most)
      expect(processorOf[0]).toBe(0)
      expect(bodies.reduce((sum, n) => sum + n, 0)).toBe(tree.nbody - 1)
      expect(new Set(processorOf)).toEqual(new Set(Array.from({ length: processors }, (_, p) => p)))
      if (processors > 1) expect(loadTime(workOf(branches, costs.weight), processorOf, processors, costs)).toBeCloseTo(time, 9)
      // small numbers of processors are all tried
      if (most <= 3) expect(time).toBeLessThanOrEqual(before)
      before = time
    }
  })

  it('stays on one processor where messages cost more than the work', () => {
    const { processors, time, serial } = pack(branchesOf(mobileTree(3, 5, 9)), 8, { cmptm: 1, roitm: 1e4 })
    expect([processors, time]).toEqual([1, serial])
  })

  it('of forty thousand branches takes seconds', () => {
    const begin = cpuTime()
    const { processors } = pack(branchesOf(mobileTree(5, 5, 14)), 64, { cmptm: 1, roitm: 0.1 })
    expect(processors).toBeGreaterThan(1)
    expect(cpuTime() - begin).toBeLessThan(8)
  })
})
