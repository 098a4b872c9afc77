import { describe, expect, it } from 'vitest'
import { writeHtml } from '../report/html.js'
import type { Verdict } from '../report/verdict.js'
import { reproduceTrajectories, type TrajectoryData, trajectoryVerdicts } from './trajectories.js'

const judged = (verdicts: readonly Verdict[], part: string): boolean | undefined => verdicts.find(({ line }) => line.includes(part))?.holds

describe('reproduce position --part gpu, short version', async () => {
  const seen: string[] = []
  const { report, data } = await reproduceTrajectories({ quick: true, progress: (text) => seen.push(text) })
  const { verdicts, waiting, errors } = data as TrajectoryData

  it('runs every part, and what it counts and compares holds', () => {
    expect(seen.length).toBeGreaterThan(8)
    expect(report.sections.map(({ title }) => title)).toEqual([
      'What holds',
      'Figure 1: who waits for whom',
      'Figure 4 (a, c): against the number of links',
      'Figure 4 (b, d): against the number of trajectories',
      'Errors against the position solver in f64',
    ])
    for (const part of ['20 % fewer calls', 'lanes in f64: ends', 'lanes in f32: ends', 'no step from 0.05'])
      expect(judged(verdicts, part)).toBe(true)
    // times are judged, not asserted
    expect(judged(verdicts, 'lanes, f64: at least 2.5')).toBeTypeOf('boolean')
  })

  it('counts every evaluation of every step', () => {
    for (const { trajectories, calls, evaluations, perStep } of waiting) {
      const sums = perStep.map((row) => row.reduce((a, b) => a + b, 0))
      expect(perStep).toHaveLength(trajectories)
      expect(Math.max(...sums)).toBe(calls)
      expect(sums.reduce((a, b) => a + b, 0) / trajectories).toBeCloseTo(evaluations, 9)
    }
  })

  it('writes a page without outside parts, with both pictures of the waiting', () => {
    const html = writeHtml(report)
    expect(html.match(/<svg /g)?.length).toBe(2 + 4)
    expect(html).not.toMatch(/https?:|src=|NaN|undefined/)
  })

  it('says no where a line does not hold', () => {
    const worse = { ...(data as TrajectoryData), waiting: waiting.map((one) => ({ ...one, calls: one.waiting })) }
    expect(judged(trajectoryVerdicts(worse), '20 % fewer calls')).toBe(false)
    const off = { ...(data as TrajectoryData), errors: errors.map((error) => ({ ...error, largest: 2e-5 })) }
    for (const part of ['lanes in f64: ends', 'lanes in f32: ends', 'no step from 0.05'])
      expect(judged(trajectoryVerdicts(off), part)).toBe(false)
    const slow = (data as TrajectoryData).byLinks.map((cost) => ({ ...cost, ways: cost.ways.map((way) => ({ ...way, processor: 1 })) }))
    expect(judged(trajectoryVerdicts({ ...(data as TrajectoryData), byLinks: slow }), 'lanes, f64: at least 2.5')).toBe(false)
  })

  it('judges the paper where there is a graphics card', () => {
    const times = [900, 500, 120]
    const costs = [10, 20, 40].map((links, k) => ({
      links,
      trajectories: 100,
      ways: [
        { name: 'one by one, f64', threads: 1, processor: 1000, wall: 1000 },
        { name: 'GPU, f32', threads: 1, processor: 1, wall: times[k] },
      ],
    }))
    const verdicts = trajectoryVerdicts({ ...(data as TrajectoryData), byLinks: costs, byCount: costs })
    expect(judged(verdicts, 'figure 4 (a)')).toBe(true)
    expect(judged(verdicts, 'figure 4 (c)')).toBe(true)
    expect(judged(trajectoryVerdicts(data as TrajectoryData), 'figure 4 (a)')).toBeUndefined()
  })
})
