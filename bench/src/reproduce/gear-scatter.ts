/**
 * How much the margins owe to luck: the rows of sessions A, B and C again with starts a little to both sides of the printed ones.
 * Counts of a single chaotic run scatter; what holds for all neighbours holds for the row.
 */
import { type Block, table, text } from '../report/report.js'
import { bestRun, createSubject, mobileSpec, RATE, runMethod, SECONDS } from './gear-runs.js'
import { sessions } from './gear-tables.js'

export interface ScatterResult {
  readonly row: string
  /** parts of the printed start elongation, and the margin of gear over the best Runge–Kutta method there */
  readonly starts: readonly number[]
  readonly margins: readonly number[]
}

const STARTS = [0.98, 0.99, 1, 1.01, 1.02]
// the others take more evaluations in every row
const TOLERANCES = [1e-2, 1e-3]
const ELONGATION = 0.8

export function measureScatter(quick: boolean, progress: (text: string) => void): { results: ScatterResult[]; blocks: Block[] } {
  const starts = quick ? STARTS.slice(1, 4) : STARTS
  const rows = sessions
    .filter(({ name }) => name !== 'D')
    .flatMap((session) => (quick ? session.rows.slice(0, 1) : session.rows).map((row) => ({ session, row })))
  const results = rows.map(({ session, row }) => {
    const label = `${session.name} ${row.label}`
    progress(`starts beside the printed one: ${label}`)
    const margins = starts.map((part) => margin({ ...row.values, elongation: part * Number(row.values.elongation ?? ELONGATION) }, quick))
    return { row: label, starts, margins }
  })
  const all = results.flatMap(({ margins }) => margins)
  const good = all.filter((x) => x >= 2).length
  return {
    results,
    blocks: [
      text(
        `Are the margins luck? Every row of A, B and C was run again with start elongations up to 2 % to both sides. Gear is ahead by two or more in ${good} of ${all.length} runs; ` +
          `the smallest margin is ${Math.min(...all).toFixed(2)}.`,
      ),
      table(
        'Margin of gear over the best Runge–Kutta method, part of the printed start elongation across',
        ['row', ...starts.map((part) => part.toFixed(2))],
        results.map((one) => [one.row, ...one.margins.map((x) => x.toFixed(2))]),
      ),
    ],
  }
}

function margin(values: Readonly<Record<string, number | string>>, quick: boolean): number {
  const rest = mobileSpec({ ...values, elongation: 0 })
  const subject = createSubject(mobileSpec(values), rest, false, 0)
  // true errors are not asked for here: a reference without meaning saves the run to 1e-12
  const frames = (quick ? 1 : SECONDS) * RATE
  const blind = { ...subject, reference: Array.from({ length: frames }, () => subject.model.q0) }
  const best = (methods: readonly string[]): number =>
    bestRun(methods.flatMap((method) => TOLERANCES.map((tolerance) => runMethod(blind, method, tolerance))))?.evaluations ?? Number.NaN
  return best(['iec', 'rk3', 'rkg', 'rkf45']) / best(['gear'])
}
