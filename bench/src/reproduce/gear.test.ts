import { buildModel } from 'limber'
import { describe, expect, it } from 'vitest'
import { writeHtml } from '../report/html.js'
import { writeText } from '../report/report.js'
import { reproduceGear } from './gear.js'
import { costExponent, measureLinearCost } from './gear-linear-cost.js'
import { bestRun, createSubject, mobileSpec, type Run, runMethod } from './gear-runs.js'
import { sessions } from './gear-tables.js'

describe('reproduce gear, short version', () => {
  const seen: string[] = []
  const { report, data } = reproduceGear({ quick: true, progress: (text) => seen.push(text) })

  it('runs every session, the readings of B, the precision plots and the cost', () => {
    expect(report.sections.map(({ title }) => title)).toEqual([
      'How it was run',
      'What holds',
      'Session A: number of links',
      'Session B: number of chains',
      'Session B: number of chains, read with p = 0.3',
      'Session C: start elongation',
      'Session D: viscous damping',
      'The riddle of session B',
      'Work against precision',
      'A stiff solver with linear cost',
    ])
    expect(seen.length).toBeGreaterThan(20)
  })

  it('writes a page without outside parts, with a plot for each session and each scene', () => {
    const html = writeHtml(report)
    expect(html.match(/<svg /g)?.length).toBe(5 + 4 + 1)
    expect(html).not.toMatch(/https?:|src=|NaN|undefined/)
    expect(writeText(report)).toContain('91.6')
  })

  it('gives the same numbers as JSON', () => {
    const copy = JSON.parse(JSON.stringify(data)) as { sessions: { name: string; rows: { runs: Run[] }[] }[] }
    expect(copy.sessions.map(({ name }) => name)).toEqual(['A', 'B', 'B*', 'C', 'D'])
    expect(copy.sessions[0].rows[0].runs).toHaveLength(18)
  })
})

describe('the sessions', () => {
  it('hold 21 rows of six numbers', () => {
    expect(sessions.flatMap(({ rows }) => rows)).toHaveLength(21)
    for (const { rows } of sessions) for (const { paper } of rows) expect(paper).toHaveLength(6)
  })

  it.each([
    ['A', '12', 91.6],
    ['C', '0.5', 46.5],
  ])('session %s, row %s: gear needs at most the paper’s evaluations and half of any runge-kutta method at 1e-3', (name, label, paper) => {
    const row = sessions.find((session) => session.name === name)?.rows.find((one) => one.label === label)
    if (!row) throw new Error('no such row')
    const subject = createSubject(mobileSpec(row.values), mobileSpec({ ...row.values, elongation: 0 }), false)
    const runs = ['iec', 'rk3', 'rkg', 'rkf45', 'gear'].map((method) => runMethod(subject, method, 1e-3))
    const gear = runs[4]
    expect(gear.evaluations).toBeLessThan(paper)
    expect(gear.error).toBeLessThan(0.03)
    expect(Math.min(...runs.slice(0, 4).map((run) => run.evaluations))).toBeGreaterThan(2 * gear.evaluations)
  })

  const rows = sessions.flatMap(({ name, rows: own }) => own.map((row) => ({ name, row, label: row.label })))
  const best = (row: (typeof rows)[number]['row'], methods: readonly string[]): Run => {
    const values = mobileSpec(row.values)
    const rest = mobileSpec({ ...row.values, elongation: 0 })
    // finer tolerances take more evaluations in every row, and the errors of the runs are not looked at
    const { q0 } = buildModel(values)
    const subject = { ...createSubject(values, rest, false, 0), reference: Array.from({ length: 250 }, () => q0) }
    const run = bestRun(methods.flatMap((method) => [1e-2, 1e-3].map((tolerance) => runMethod(subject, method, tolerance))))
    if (!run) throw new Error('every run was unstable')
    return run
  }

  it.each(rows.filter(({ name }) => name !== 'D'))(
    'session $name, row $label: gear takes at most half the evaluations of the best runge-kutta method',
    ({ row }) => {
      expect(best(row, ['iec', 'rk3', 'rkg', 'rkf45']).evaluations).toBeGreaterThanOrEqual(2 * best(row, ['gear']).evaluations)
    },
  )

  it.each(rows.filter(({ name, label }) => name === 'D' && label !== '0'))(
    'session D, row $label: bdf takes fewer evaluations than any explicit method, and than printed',
    ({ row }) => {
      const bdf = best(row, ['bdf']).evaluations
      expect(bdf).toBeLessThan(best(row, ['iec', 'rk3', 'rkg', 'rkf45', 'gear']).evaluations)
      expect(bdf).toBeLessThan(row.paper[5])
    },
  )

  it('session D, damping 10: bdf needs fewer than the paper’s 26.5', () => {
    const row = sessions[3].rows[4]
    const subject = createSubject(mobileSpec(row.values), mobileSpec({ ...row.values, elongation: 0 }), true)
    const run = runMethod(subject, 'bdf', 1e-3)
    expect(run.evaluations).toBeLessThan(row.paper[5])
    expect(run.error).toBeLessThan(0.02)
  })
})

describe('helpers', () => {
  it('the exponent of a power law is found', () => {
    const points = [4, 16, 64].map((links) => ({
      links,
      milliseconds: 3 * links ** 1.2,
      chain: '',
      evaluations: 0,
      products: 0,
    }))
    expect(costExponent(points)).toBeCloseTo(1.2, 10)
  })

  it('cost of the stiff solver: linear in the links, no products', () => {
    const { points } = measureLinearCost(true, () => {})
    const own = points.filter(({ chain }) => chain.startsWith('links of 1 m'))
    expect(own.map(({ links }) => links)).toEqual([4, 16, 64])
    for (const { products, evaluations } of own) expect([products, evaluations < 30]).toEqual([0, true])
  })

  it('unstable runs do not count, however cheap', () => {
    const run = { method: 'gear', tolerance: 1e-2, steps: 1, rejected: 0, finished: true, loss: 0, error: 0, error1: 0 }
    const wild = { ...run, evaluations: 1, gain: 3 }
    const good = { ...run, evaluations: 9, gain: 0.1 }
    expect(bestRun([wild, good])).toBe(good)
    expect(bestRun([wild])).toBeUndefined()
  })
})
