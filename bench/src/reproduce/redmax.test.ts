import { describe, expect, it } from 'vitest'
import { writeHtml } from '../report/html.js'
import { writeText } from '../report/report.js'
import type { Verdict } from '../report/verdict.js'
import { reproduceRedmax } from './redmax.js'
import { iterationRows } from './redmax-checks.js'
import { driftRows, driftVerdict } from './redmax-drift.js'
import { patternOf } from './redmax-patterns.js'
import { exponent } from './redmax-runs.js'
import { makeModel, modelsOf, thesisScenes } from './redmax-scenes.js'
import { breakEven, type SceneResult, timingVerdicts } from './redmax-verdicts.js'

describe('reproduce redmax, smallest version', async () => {
  const seen: string[] = []
  const { report, data } = await reproduceRedmax({ tiny: true, quick: true, progress: (text) => seen.push(text) })

  it('runs every scene and says which lines hold', () => {
    const titles = report.sections.map(({ title }) => title)
    for (const { title } of thesisScenes) expect(titles.some((one) => one.startsWith(title))).toBe(true)
    expect(seen.length).toBeGreaterThan(15)
    const { verdicts } = JSON.parse(JSON.stringify(data)) as { verdicts: Verdict[] }
    const holds = (start: string) => verdicts.find(({ line }) => line.startsWith(start))?.holds
    expect(holds('pcg needs exactly 1 iteration')).toBe(true)
    expect(holds('pcg, direct, recursive and auto agree')).toBe(true)
  })

  it('writes a page without outside parts, with plots and pictures of the matrices', () => {
    const html = writeHtml(report)
    expect(html.match(/<svg /g)?.length).toBe(2 * thesisScenes.length + 2 + 4 + 1 + 6)
    expect(html).not.toMatch(/https?:|src=|NaN|undefined/)
    expect(writeText(report)).toContain('2.74')
  })
})

describe('what the report shows besides times', () => {
  it('takes as many iterations as the reference to a tenth, started as there, and else no more', () => {
    for (const { scene, dofs, expected, alike, velocity, extrapolated } of iterationRows(30)) {
      expect(Math.abs(alike / expected - 1), `${scene} ${dofs}`).toBeLessThan(0.1)
      expect(extrapolated, `${scene} ${dofs}`).toBeLessThan(1.1 * expected)
      if (scene === 'bridge, rigid') expect([velocity, extrapolated]).toEqual([1, 1])
    }
  })

  it('keeps energy ten times better with second order, at the step of a picture too', () => {
    const rows = driftRows(3, [0.005, 1 / 60])
    for (const { scene, h, ratio } of rows) expect(ratio, `${scene} ${h}`).toBeGreaterThan(10)
    expect(driftVerdict(rows).holds).toBe(true)
    // and says so where it does not
    expect(driftVerdict([{ ...rows[0], ratio: 9 }]).holds).toBe(false)
  })
})

describe('helpers', () => {
  it('finds the exponent of a power law', () => {
    expect(exponent([10, 40, 300].map((x) => [x, 2 * x ** 1.3]))).toBeCloseTo(1.3, 10)
  })

  it('fills the matrix of a chain, and of a tree only along its branches', () => {
    const chain = patternOf(makeModel('bridge', { bodies: 6 }))
    expect(chain.nonzeros).toBe(36)
    const tree = patternOf(makeModel('hinge-tree', { levels: 2 }))
    expect(tree.nonzeros).toBe(7)
  })

  it('takes the size from which pcg stays faster as break-even, and fails auto where it is slower', () => {
    const point = (dofs: number, pcg: number, direct: number, auto: number) => ({
      dofs,
      timings: [
        { linear: 'pcg' as const, micros: pcg },
        { linear: 'direct' as const, micros: direct },
        { linear: 'auto' as const, micros: auto },
      ].map((t) => ({ ...t, median: 0, iterations: 1, steps: 1, trouble: '' })),
    })
    const result: SceneResult = { scene: thesisScenes[0], points: [point(300, 1, 2, 1), point(600, 3, 2, 2), point(1200, 4, 5, 6)] }
    expect(breakEven(result)).toBe(1200)
    expect(timingVerdicts([result]).at(-1)?.holds).toBe(false)
  })

  it('has models near the sizes asked for', () => {
    for (const scene of thesisScenes) {
      for (const model of modelsOf(scene, [300])) expect(Math.abs(Math.log2(model.nv / 300))).toBeLessThan(0.6)
    }
  })
})
