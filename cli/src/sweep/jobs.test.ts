import { describe, expect, it } from 'vitest'
import { type Ensemble, jobCount, uniform, valuesOf } from './jobs.js'

describe('jobs', () => {
  it('are all combinations, the last variation fastest', () => {
    const ensemble: Ensemble = {
      variations: [
        { key: 'a', values: [1, 2] },
        { key: 'b', values: ['x', 'y', 'z'] },
      ],
    }
    expect(jobCount(ensemble)).toBe(6)
    const all = Array.from({ length: 6 }, (_, k) => valuesOf(ensemble, k + 1).join(''))
    expect(all).toEqual(['1x', '1y', '1z', '2x', '2y', '2z'])
  })

  it('of a million combinations are found without listing them', () => {
    const values = Array.from({ length: 1000 }, (_, k) => k)
    const ensemble = {
      variations: [
        { key: 'a', values },
        { key: 'b', values },
      ],
    }
    expect(jobCount(ensemble)).toBe(1e6)
    expect(valuesOf(ensemble, 123_457)).toEqual([123, 456])
  })

  const random = (seed: number): Ensemble => ({
    variations: [
      { key: 'a', from: -1, to: 3, log: false, whole: false },
      { key: 'b', from: 1e-3, to: 1e3, log: true, whole: false },
      { key: 'c', from: 2, to: 5, log: false, whole: true },
      { key: 'd', values: ['x', 'y'] },
    ],
    random: { count: 4000, seed },
  })

  it('at random stay inside their ranges, and cover them evenly', () => {
    const ensemble = random(7)
    const all = Array.from({ length: jobCount(ensemble) }, (_, k) => valuesOf(ensemble, k + 1))
    const [a, b] = [all.map(([x]) => x as number), all.map(([, x]) => Math.log10(x as number))]
    const mean = (list: number[]): number => list.reduce((sum, x) => sum + x, 0) / list.length
    expect(Math.min(...a)).toBeGreaterThanOrEqual(-1)
    expect(Math.max(...a)).toBeLessThan(3)
    // the mean of 4000 samples of a range of 4 has a deviation of 4 / √12 / √4000 = 0.018; five of them
    expect(Math.abs(mean(a) - 1)).toBeLessThan(0.09)
    expect(Math.abs(mean(b))).toBeLessThan(0.14)
    // axes do not follow each other: the correlation of independent samples has a deviation of 1 / √4000
    const product = mean(a.map((x, k) => ((x - 1) / (4 / Math.sqrt(12))) * ((b[k] as number) / (6 / Math.sqrt(12)))))
    expect(Math.abs(product)).toBeLessThan(0.08)
    for (const whole of [2, 3, 4, 5]) expect(all.filter(([, , c]) => c === whole).length).toBeGreaterThan(850)
    expect(all.filter(([, , , d]) => d === 'x').length).toBeGreaterThan(1800)
    expect(new Set(all.map(([, , c]) => c))).toEqual(new Set([2, 3, 4, 5]))
  })

  it('at random depend on the seed and on nothing else', () => {
    expect(valuesOf(random(7), 17)).toEqual(valuesOf(random(7), 17))
    expect(valuesOf(random(7), 17)).not.toEqual(valuesOf(random(8), 17))
    expect(valuesOf(random(7), 17)).not.toEqual(valuesOf(random(7 + 2 ** 32), 17))
    // the numbers themselves, so that a sweep can be drawn again years later
    expect([uniform(1, 1, 0), uniform(1, 2, 0), uniform(1, 1, 1)]).toMatchInlineSnapshot(`
      [
        0.8029765381347759,
        0.18863515924337082,
        0.10049731824655195,
      ]
    `)
  })
})
