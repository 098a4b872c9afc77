import { buildModel } from 'limber'
import { describe, expect, it } from 'vitest'
import { writeHtml } from '../report/html.js'
import { writeText } from '../report/report.js'
import type { Verdict } from '../report/verdict.js'
import { reproduceAdaptive } from './adaptive.js'
import { adaptiveReport, breakEven, type CostRow, chainSpec, throwChain } from './adaptive-chains.js'
import { budgetErrors, candidates, REFERENCE, tipErrors, worstDeparture } from './adaptive-errors.js'
import { adaptiveVerdicts, type Results, TOUCHED_BESIDES } from './adaptive-verdicts.js'

describe('reproduce adaptive, smallest version', () => {
  const seen: string[] = []
  const { report, data } = reproduceAdaptive({ tiny: true, quick: true, progress: (text) => seen.push(text) })
  const { verdicts } = JSON.parse(JSON.stringify(data)) as { verdicts: Verdict[] }
  const holds = (part: string) => verdicts.find(({ line }) => line.includes(part))?.holds

  it('runs every part and says which lines hold', () => {
    expect(report.sections.map(({ title }) => title)).toEqual([
      'What holds',
      'The page beside ours',
      'How it was run',
      'Cost of a step, chain of 40',
      'Nodes of the assembly that a step looks at',
      'Error against budget',
      'Error against threshold',
      'A crowd of 3',
      'Memory, and time to build',
    ])
    expect(seen.length).toBeGreaterThan(8)
    expect(holds('budget is used up')).toBe(true)
    expect(holds('nodes touched')).toBe(true)
    expect(holds('becomes that of ode')).toBe(true)
  })

  it('writes a page without outside parts, with plots and a picture of the crowd in two colours', () => {
    const html = writeHtml(report)
    expect(html.match(/<svg /g)?.length).toBe(2 + 1 + 2 + 1 + 1)
    expect(html).not.toMatch(/https?:|src=|NaN|undefined/)
    expect(html).toMatch(/<path d="M[^"]+" stroke="#7a8794"[^>]*\/><path d="M[^"]+" stroke="#d55e00"/)
    expect(writeText(report)).toContain('17,800')
  })
})

describe('the chains', () => {
  it('use up their budget, whatever it is', () => {
    const model = buildModel(chainSpec(200))
    for (const budget of [1, 7, 50, 200]) expect(adaptiveReport(throwChain(model, { solver: 'adaptive', budget })).active).toBe(budget)
  })

  it('stray as far as those of the reference, to a fifth', () => {
    const { name, shape } = candidates[0]
    const found = budgetErrors(name, shape)
    expect(worstDeparture(found)).toBeLessThan(0.2)
    expect(Math.abs(found.travel / REFERENCE.travel - 1)).toBeLessThan(0.1)
  })

  it('move as in ode when nothing may be neglected', () => {
    const { name, shape } = candidates[0]
    const { rows } = tipErrors(name, shape, [{ threshold: 3 }, { threshold: 1e-3 }])
    expect(rows[0].active).toBeLessThan(16)
    expect(rows[0].error).toBeGreaterThan(1e-3)
    expect(rows[1].error).toBeLessThan(1e-6)
  })
})

describe('the verdicts', () => {
  const row = (budget: number, millis: number): CostRow => ({
    links: 1000,
    every: 8,
    budget,
    active: budget,
    millis,
    full: 1,
    neglected: 0,
  })
  const errors = { name: '', travel: 3.2, displacement: 3.2, rows: [{ budget: 0, threshold: 1, error: 0, active: 1, neglected: 0 }] }
  const crowdRow = { share: 0.1, budget: 200, active: 200, lively: 3, millis: 1, full: 8.1, neglected: 1, apart: 0 }
  const good: Results = {
    cost: [{ links: 1000, rows: [row(1000, 4), row(250, 1), row(10, 0.03)], choices: [] }],
    touched: [{ links: 20_000, budget: 10, active: 10, touched: 40 + TOUCHED_BESIDES }],
    errors: [{ ...errors, rows: REFERENCE.errors.map((error) => ({ ...errors.rows[0], error: 1.1 * error })) }],
    thresholds: errors,
    crowd: { people: 200, bodies: 17_800, freedoms: 19_000, timestep: 0.005, seconds: 1, rows: [crowdRow], pictures: [] },
    build: [{ links: 20_000, model: 900, simulation: 1000, kilobytes: 11 }],
  }
  const failing = (change: Partial<Results>): string[] =>
    adaptiveVerdicts({ ...good, ...change })
      .filter(({ holds }) => !holds)
      .map(({ line }) => line)

  it('find break-even between the runs', () => {
    expect(breakEven([row(1000, 4), row(200, 0.8), row(100, 0.4)])).toBeGreaterThan(0.2)
    expect(breakEven([row(1000, 4), row(400, 2), row(100, 0.5)])).toBeCloseTo(0.2, 10)
    expect(breakEven([row(1000, 4), row(10, 2)])).toBe(0)
    expect(breakEven([row(1000, 0.9)])).toBe(1)
  })

  it('hold where everything is as wanted, and fail one by one', () => {
    expect(failing({})).toEqual([])
    const slow = [row(1000, 4), row(100, 1), row(10, 0.05)]
    expect(failing({ cost: [{ links: 1000, rows: slow, choices: [] }] })).toHaveLength(2)
    expect(failing({ cost: [{ links: 1000, rows: [{ ...row(250, 0.9), active: 3 }], choices: [] }] })).toHaveLength(1)
    expect(failing({ touched: [{ links: 20_000, budget: 10, active: 10, touched: 41 + TOUCHED_BESIDES }] })).toHaveLength(1)
    expect(failing({ errors: [{ ...good.errors[0], travel: 5 }] })).toHaveLength(1)
    expect(failing({ thresholds: { ...errors, rows: [{ ...errors.rows[0], error: 0.1 }] } })).toHaveLength(1)
    expect(failing({ crowd: { ...good.crowd, rows: [{ ...crowdRow, millis: 40, full: 100 }] } })).toHaveLength(2)
    expect(failing({ build: [{ links: 1, model: 1500, simulation: 600, kilobytes: 13 }] })).toHaveLength(2)
    expect(failing({ build: [{ links: 1, model: Number.NaN, simulation: 0, kilobytes: Number.NaN }] })).toHaveLength(2)
  })
})
