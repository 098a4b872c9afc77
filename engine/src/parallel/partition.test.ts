import { buildModel } from 'limber'
import { findScene } from 'limber-scenes'
import { describe, expect, it } from 'vitest'
import { cpuTime } from '../../test/cpu-time.js'
import { chainTree, mobileTree, randomBodyTree, treeOf } from '../../test/parallel/trees.js'
import { createRandom } from '../../test/random.js'
import { type BodyTree, branchesOf } from './branches.js'
import { type Costs, estimate, startUpTree } from './cost.js'
import { distribute, partition } from './partition.js'

/** MANNA, in milliseconds [Jung] */
const paper: Costs = { cmptm: 0.4, roitm: 1.5 }
// sums of fractions in another order than by hand
const ROUNDING = 12

function mobile(s: number, l: number, o: number): BodyTree {
  const scene = findScene('mobile')
  if (!scene) throw new Error('no scene mobile')
  return buildModel(scene.build({ s, l, o }))
}

function depthOf({ nbody, parent }: BodyTree): number {
  const depth = new Int32Array(nbody)
  for (let i = 1; i < nbody; i++) depth[i] = depth[parent[i]] + 1
  return Math.max(...depth)
}

describe('branches', () => {
  it('are the chains of a mobile, one after another', () => {
    expect(mobile(3, 4, 5).parent).toEqual(mobileTree(3, 4, 5).parent)
    const { count, bodies, from, to, parent, condensed } = branchesOf(mobile(3, 5, 9))
    expect([count, bodies]).toEqual([1 + 91, 455])
    expect(Array.from(from.slice(0, 4))).toEqual([1, 1, 6, 11])
    expect(Array.from(parent.slice(0, 5))).toEqual([-1, 0, 1, 2, 2])
    expect(condensed.some(Boolean)).toBe(false)
    for (let b = 1; b < count; b++) expect([from[b], to[b] - from[b]]).toEqual([to[b - 1], 5])
  })

  it('of several trees hang on the world, also where a tree has but one child', () => {
    const { from, to, parent } = branchesOf(treeOf([0, 0, 1, 0, 3, 3, 5]))
    expect(Array.from(from)).toEqual([1, 1, 3, 4, 5])
    expect(Array.from(to)).toEqual([1, 3, 4, 5, 7])
    expect(Array.from(parent)).toEqual([-1, 0, 0, 2, 2])
  })

  it('that are long are cut into blocks of about equal length, of which all but the last are condensed', () => {
    const { from, to, parent, condensed } = branchesOf(chainTree(10), { longest: 4 })
    expect(Array.from(from)).toEqual([1, 1, 4, 7])
    expect(Array.from(to)).toEqual([1, 4, 7, 11])
    expect(Array.from(parent)).toEqual([-1, 0, 1, 2])
    expect(Array.from(condensed)).toEqual([0, 1, 1, 0])
    expect(branchesOf(chainTree(10_000), { longest: 0 }).count).toBe(2)
    expect(branchesOf(chainTree(400), { longest: 400 }).count).toBe(2)
    expect(branchesOf(treeOf([0])).count).toBe(1)
  })

  it.each([1, 2, 3, 4, 5])('of a random tree hold every body once and end at forks and leaves, seed %i', (seed) => {
    const tree = randomBodyTree(seed, 500)
    const children = new Int32Array(tree.nbody)
    for (let i = 1; i < tree.nbody; i++) children[tree.parent[i]]++
    const { count, from, to, parent } = branchesOf(tree, { longest: 0 })
    let next = 1
    for (let b = 0; b < count; b++) {
      expect(from[b]).toBe(next)
      next = to[b]
      if (b > 0) {
        expect(to[parent[b]] - 1).toBe(tree.parent[from[b]])
        expect(children[to[b] - 1]).not.toBe(1)
      }
      for (let i = from[b] + 1; i < to[b]; i++) expect([tree.parent[i], children[i - 1]]).toEqual([i - 1, 1])
    }
    expect(next).toBe(tree.nbody)
  })
})

describe('the cost model with the constants of the paper', () => {
  it.each([
    { s: 3, joints: 455, expected: [182, 45, 26.5, 21.5, 19.5], best: 18, at: 51 },
    { s: 4, joints: 4100, expected: [1640, 369, 188.5, 111.5, 91.5], best: 26, at: 330 },
  ])('gives the times of the mobile of $joints joints on 1, 8, 16, 20, 32 processors', ({ s, joints, expected, best, at }) => {
    const found = partition(mobile(s, 5, 9), 4096, paper)
    expect(found.branches.bodies).toBe(joints)
    for (const [k, p] of [1, 8, 16, 20, 32].entries()) expect(found.times[p - 1]).toBeCloseTo(expected[k], ROUNDING)
    expect(found.time).toBeCloseTo(best, ROUNDING)
    expect(found.processors).toBe(at)
  })

  it.each([
    { s: 2, l: 4, o: 5, joints: 24, time: 7.7 },
    { s: 3, l: 5, o: 5, joints: 155, time: 15 },
    { s: 3, l: 5, o: 9, joints: 455, time: 18 },
    { s: 4, l: 5, o: 9, joints: 4100, time: 26 },
  ])('gives $time ms for $joints joints with as many processors as pay', ({ s, l, o, joints, time }) => {
    const found = partition(mobile(s, l, o), 4096, paper)
    expect(found.branches.bodies).toBe(joints)
    expect(found.time).toBeCloseTo(time, ROUNDING)
    // the unit of time changes nothing
    const seconds = partition(mobile(s, l, o), 4096, { cmptm: 0.4e-3, roitm: 1.5e-3 })
    expect(seconds.processors).toBe(found.processors)
    expect(1000 * seconds.time).toBeCloseTo(time, ROUNDING)
  })

  it('is bounded by depth alone where messages cost nothing', () => {
    const tree = mobile(3, 5, 9)
    const free = partition(tree, 81, { cmptm: 0.4, roitm: 0 })
    expect(free.time).toBeCloseTo(0.4 * depthOf(tree), ROUNDING)
    expect(free.serial / free.time).toBeCloseTo(455 / 15, ROUNDING)
  })

  it('starts the larger branch first, and others before own work', () => {
    // a body that carries chains of 1, 3 and 2
    const branches = branchesOf(treeOf([0, 0, 1, 1, 3, 4, 1, 6]))
    const tree = startUpTree(branches)
    expect(tree.child[1]).toBe(3)
    expect([tree.left[3], tree.right[3]]).toEqual([4, 2])
    const costs = { cmptm: 1, roitm: 0.25 }
    // all on one
    expect(estimate(tree, [0, 0, 0, 0, 0], costs)).toBe(7)
    // one body, a call, then three here and two there
    expect(estimate(tree, [0, 0, 0, 0, 1], costs)).toBe(1 + 0.25 + 1 + 3)
    // the right sibling alone is remote: called before the left one is worked on here
    expect(estimate(tree, [0, 0, 1, 0, 0], { cmptm: 1, roitm: 8 })).toBe(1 + 8 + 2 + 3)
    // both: the second is called after the first
    expect(estimate(tree, [0, 0, 2, 0, 1], { cmptm: 1, roitm: 8 })).toBe(1 + 8 + 8 + 3)
  })
})

describe('the distribution', () => {
  const seeds = Array.from({ length: 12 }, (_, k) => k + 1)

  it.each(seeds)('of a random tree gives every block a processor and keeps its bounds, seed %i', (seed) => {
    const random = createRandom(1000 + seed)
    const tree = randomBodyTree(seed, 50 + 40 * seed)
    const costs = { cmptm: 1, roitm: random.between(0, 3) }
    const branches = branchesOf(tree, { longest: 0 })
    const { times, used, serial, processors, time, processorOf, bodies } = distribute(branches, 40, costs)
    expect([times[0], serial, used[0]]).toEqual([tree.nbody - 1, tree.nbody - 1, 1])
    for (let p = 1; p <= 40; p++) {
      expect(times[p - 1]).toBeLessThanOrEqual(p > 1 ? times[p - 2] : serial)
      expect(times[p - 1]).toBeGreaterThanOrEqual(Math.max(depthOf(tree), serial / p) - 1e-9)
      expect(used[p - 1]).toBeLessThanOrEqual(p)
    }
    // as many processors as it says, from 0 on, each with something to do
    expect(processorOf).toHaveLength(branches.count)
    expect(new Set(processorOf)).toEqual(new Set(Array.from({ length: processors }, (_, p) => p)))
    expect(Math.min(...bodies)).toBeGreaterThan(0)
    expect(bodies.reduce((sum, n) => sum + n, 0)).toBe(tree.nbody - 1)
    expect(processorOf[0]).toBe(0)
    expect(time).toBe(times[39])
  })

  it.each(seeds)('is worth what it says: the estimate of the whole tree agrees at every number of processors, seed %i', (seed) => {
    const tree = randomBodyTree(100 + seed, 300)
    const costs = { cmptm: 1, roitm: 0.5 * seed, weight: 1.5 }
    const branches = branchesOf(tree, { longest: seed % 2 === 0 ? 5 : 0 })
    for (const p of [2, 3, 7, 20, 60]) {
      const { time, processorOf, processors } = distribute(branches, p, costs, { all: true })
      expect(processors).toBeLessThanOrEqual(p)
      expect(estimate(startUpTree(branches, costs.weight), processorOf, costs)).toBeCloseTo(time, ROUNDING - 2)
      const best = distribute(branches, p, costs)
      if (best.processors > 1)
        expect(estimate(startUpTree(branches, costs.weight), best.processorOf, costs)).toBeCloseTo(best.time, ROUNDING - 2)
    }
  })

  it('takes no processor where messages cost more than the work', () => {
    const { processors, time, serial, processorOf } = partition(mobile(3, 5, 9), 64, { cmptm: 1, roitm: 1000 })
    expect([processors, time]).toEqual([1, serial])
    expect(processorOf.every((p) => p === 0)).toBe(true)
    expect(partition(mobile(3, 5, 9), 64, { cmptm: 1, roitm: 1000 }, { all: true }).processors).toBe(64)
  })

  it('leaves a chain whole unless it is cut, and then shares it out', () => {
    expect(partition(chainTree(10_000), 64, paper, { longest: 0 }).processors).toBe(1)
    const { processors, time, serial, branches } = partition(chainTree(10_000), 64, { ...paper, weight: 1.5 }, { longest: 400 })
    expect(branches.count).toBe(26)
    expect(processors).toBeGreaterThan(12)
    // a condensed block, and the calls on the way to it: at most four levels of two
    expect(time).toBeLessThanOrEqual(400 * 1.5 * 0.4 + 8 * 1.5 + 1e-9)
    expect(serial / time).toBeGreaterThan(15)
  })

  it('of forty thousand bodies over 4,096 processors takes seconds, and deep trees end', () => {
    // a fork at every second body of a spine; a fork of forty thousand; a mobile
    const spine = treeOf(Array.from({ length: 40_001 }, (_, i) => (i < 2 ? 0 : i % 2 === 0 ? i - 1 : i - 2)))
    const star = treeOf(Array.from({ length: 40_001 }, (_, i) => (i < 2 ? 0 : 1)))
    for (const { tree, most } of [
      { tree: spine, most: 300 },
      { tree: star, most: 4096 },
      { tree: mobileTree(5, 5, 9), most: 4096 },
    ]) {
      const begin = cpuTime()
      const { times, processors } = partition(tree, most, { cmptm: 1, roitm: 0.01 })
      expect(processors).toBeGreaterThan(1)
      expect(times[most - 1]).toBeLessThan(times[0])
      // some tenths of a second: only what a cut changes is estimated anew
      expect(cpuTime() - begin).toBeLessThan(4)
    }
  })

  it('refuses what cannot be', () => {
    const branches = branchesOf(chainTree(3))
    expect(() => distribute(branches, 0, paper)).toThrow(/processors: expected a whole number from 1 on, got 0/)
    expect(() => distribute(branches, 2, { cmptm: Number.NaN, roitm: 1 })).toThrow(/cmptm: expected seconds/)
    expect(() => branchesOf(chainTree(3), { longest: -1 })).toThrow(/longest/)
  })
})
