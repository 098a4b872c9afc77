import { describe, expect, it } from 'vitest'
import { writeText } from '../report/report.js'
import { reproduceSubstructuring } from './substructuring.js'
import { frequencyOf } from './substructuring-accuracy.js'
import { exponent } from './substructuring-cost.js'
import { deviation } from './substructuring-interfaces.js'

describe('limber reproduce substructuring', () => {
  it('runs every part that needs no scene, and finds the frequencies of the reference', () => {
    const { report, data } = reproduceSubstructuring({ tiny: true })
    const text = writeText(report)
    for (const title of ['What holds', 'Figure 7', 'Lowest frequency', 'Cost of a step']) expect(text).toContain(title)
    const { verdicts } = data as { verdicts: { line: string; holds: boolean }[] }
    const frequencies = verdicts.filter(({ line }) => line.startsWith('lowest frequency'))
    expect(frequencies).toHaveLength(4)
    for (const { holds } of frequencies) expect(holds).toBe(true)
  }, 120_000)
})

describe('its measures', () => {
  it('the frequency of a sine is found between samples', () => {
    const x = Array.from({ length: 500 }, (_, k) => Math.sin(2 * Math.PI * 3.7 * 0.01 * k + 1))
    expect(frequencyOf(x, 0.01)).toBeCloseTo(3.7, 3)
  })

  it('the exponent of a power is found', () => {
    expect(exponent([1, 2, 5, 9].map((x) => [x, 3 * x ** 1.3] as const))).toBeCloseTo(1.3, 12)
  })

  it('a rotation deviates from none, a stretch by its length', () => {
    const [c, s] = [Math.cos(1), Math.sin(1)]
    expect(deviation([c, -s, 0, s, c, 0, 0, 0, 1])).toBeLessThan(1e-12)
    expect(deviation([1.3 * c, -1.3 * s, 0, 1.3 * s, 1.3 * c, 0, 0, 0, 1.3])).toBeCloseTo(0.3, 12)
  })
})
