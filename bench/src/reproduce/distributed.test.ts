import { parallelInOneThread } from 'limber/parallel'
import { describe, expect, it } from 'vitest'
import { writeHtml } from '../report/html.js'
import { writeText } from '../report/report.js'
import type { Verdict } from '../report/verdict.js'
import { reproduceDistributed } from './distributed.js'
import { speedupBlocks } from './distributed-blocks.js'
import type { MeasuredPoint, OnProcessors } from './distributed-measured.js'
import { type Curve, chainTree, logarithmicFit, mobileModel, PAPER, SMALL, sizeRow } from './distributed-runs.js'
import { distributedVerdicts, type Results } from './distributed-verdicts.js'

describe('reproduce distributed, short version', async () => {
  const seen: string[] = []
  // in one thread: what is measured is not asked for, only that it is there
  const start: OnProcessors = async (model, processors) => ({ solver: parallelInOneThread(model, processors), predicted: 1 })
  const { report, data } = await reproduceDistributed({ quick: true, progress: (text) => seen.push(text) }, start)
  const results = data as Results & { readonly verdicts: readonly Verdict[] }

  it('runs every part, and what the paper says of the cost model holds', () => {
    expect(report.sections.map(({ title }) => title)).toEqual([
      'What holds',
      'The paper beside ours',
      'How it was computed',
      'Figures 8 and 9: evaluation time against joints',
      'Figure 10: speed-up against processors',
      'Chains, whole and cut',
    ])
    expect(seen.length).toBeGreaterThan(5)
    // what depends on the speed of this machine is not asked for
    expect(results.verdicts.filter(({ line, holds }) => !holds && !/this machine/.test(line))).toEqual([])
    expect(results.verdicts.length).toBeGreaterThan(8)
  })

  it('has the speed-ups of the two mobiles on up to 4,096 processors', () => {
    const { small, large } = results
    expect([small.joints, large.joints]).toEqual([455, 4100])
    expect([small.speedups.length, large.speedups.length]).toEqual([4096, 4096])
    expect(small.speedups[31]).toBeCloseTo(9.33, 2)
    expect([small.processors, large.processors]).toEqual([51, 330])
    expect(large.best).toBeCloseTo(1640 / 26, 9)
  })

  it('writes a page without outside parts, with plots', () => {
    const html = writeHtml(report)
    expect(html.match(/<svg /g)?.length).toBe(3 + 3 + 1)
    expect(html).not.toMatch(/https?:|src=|NaN|undefined/)
    expect(writeText(report)).toContain('4100')
    expect(JSON.parse(JSON.stringify(data))).toMatchObject({ paper: 'distributed', constants: { paper: PAPER } })
  })
})

describe('the parts', () => {
  it('have the sizes of the scene', () => {
    const model = mobileModel(SMALL)
    expect(model.nbody - 1).toBe(455)
    expect(sizeRow({ s: 2, l: 4, o: 5 }, PAPER)).toMatchObject({ joints: 24, depth: 8, processors: 4 })
    expect(chainTree(3).parent).toEqual(Int32Array.from([-1, 0, 1, 2]))
  })

  it('fit a logarithm where there is one, and say where there is none', () => {
    const xs = [10, 100, 1000, 10_000]
    const exact = logarithmicFit(xs.map((x) => [x, 3 + 2 * Math.log10(x)] as const))
    expect(exact.offset).toBeCloseTo(3, 12)
    expect(exact.slope).toBeCloseTo(2, 12)
    expect(exact.r2).toBeCloseTo(1, 12)
    expect(logarithmicFit(xs.map((x) => [x, x] as const)).r2).toBeLessThan(0.7)
  })

  it('show measured points beside the estimate where there are some', () => {
    const curve: Curve = { joints: 5, bound: 5, breadth: 5, serial: 1, speedups: [1, 1.9], best: 1.9, processors: 2 }
    const point: MeasuredPoint = { name: 'mobile', joints: 5, processors: 2, time: 0.5, serial: 0.9, speedup: 1.8, predicted: 1.9 }
    const page = (points: MeasuredPoint[]) =>
      writeHtml({ title: '', summary: '', sections: [{ title: '', blocks: speedupBlocks('', [curve], points) }] })
    expect(page([])).not.toContain('measured')
    expect(page([point])).toContain('5, measured: 2, 1.8')
  })
})

describe('the verdicts', () => {
  const curve = (joints: number, best: number, processors: number, bound: number, breadth: number): Curve => {
    const speedups = Array.from({ length: 4096 }, (_, k) => Math.min(best, (k + 1) ** 0.9))
    return { joints, bound, breadth, serial: 1, speedups, best, processors }
  }
  const size = { shape: SMALL, depth: 1, serial: 1, atHand: 1, processors: 1 }
  const [small, large] = [curve(455, 10.1, 51, 30.3, 81), curve(4100, 63, 330, 205, 729)]
  const row = { serial: 4, whole: 4, cut: 0.25, processors: 25, blocks: 25 }
  const good: Results = {
    sizes: [
      { ...size, joints: 24, unlimited: 1 },
      { ...size, joints: 4100, unlimited: 3 },
    ],
    fit: { offset: 0, slope: 1, r2: 0.99 },
    small,
    large,
    free: [curve(455, 30.3, 81, 30.3, 81), curve(4100, 205, 729, 205, 729)],
    halved: [curve(455, 15, 60, 30.3, 81), curve(4100, 90, 400, 205, 729)],
    costs: PAPER,
    ours: [curve(455, 4, 30, 30.3, 81), curve(4100, 26, 300, 205, 729)],
    chains: [
      { ...row, links: 10_000 },
      { ...row, links: 100_000, serial: 40, whole: 40, blocks: 250, processors: 250 },
    ],
    measured: [{ name: 'mobile', joints: 4100, processors: 2, time: 1, serial: 1.7, speedup: 1.7, predicted: 1.8 }],
  }
  const failing = (change: Partial<Results>): number => distributedVerdicts({ ...good, ...change }).filter(({ holds }) => !holds).length

  it('hold where everything is as wanted, and fail one by one', () => {
    expect(failing({})).toBe(0)
    expect(failing({ fit: { ...good.fit, r2: 0.9 } })).toBe(1)
    expect(failing({ small: { ...small, best: 12 } })).toBe(1)
    expect(failing({ small: { ...small, processors: 82 } })).toBe(2)
    expect(failing({ large: { ...large, bound: 250 } })).toBe(1)
    expect(failing({ free: [small] })).toBe(1)
    expect(failing({ halved: [small, large] })).toBe(1)
    expect(failing({ chains: [{ ...row, links: 10_000, whole: 3 }] })).toBe(1)
    expect(failing({ chains: [good.chains[0], { ...good.chains[1], cut: 0.5 }] })).toBe(1)
    expect(failing({ ours: [{ ...good.ours[0], speedups: [1, 1] }, good.ours[1]] })).toBe(1)
    expect(failing({ measured: [{ ...good.measured[0], speedup: 1.1 }] })).toBe(1)
  })
})
