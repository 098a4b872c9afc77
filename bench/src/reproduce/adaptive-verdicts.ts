/**
 * What the runs of `reproduce adaptive` show, line by line, against what was to be shown.
 */
import { fixed, three } from '../report/numbers.js'
import type { Verdict } from '../report/verdict.js'
import { type BuildRow, breakEven, type ChainCost, speedup, type TouchedRow } from './adaptive-chains.js'
import { type Crowd, type CrowdRow, percent } from './adaptive-crowd.js'
import { type Errors, REFERENCE, worstDeparture } from './adaptive-errors.js'

export interface Results {
  readonly cost: readonly ChainCost[]
  readonly touched: readonly TouchedRow[]
  readonly errors: readonly Errors[]
  readonly thresholds: Errors
  readonly crowd: Crowd
  readonly build: readonly BuildRow[]
}

/** nodes touched besides four for every joint in motion: the path of one choice through the assembly of 20,000, and back */
export const TOUCHED_BESIDES = 32

export function adaptiveVerdicts({ cost, touched, errors, thresholds, crowd, build }: Results): Verdict[] {
  return [
    ...cost.flatMap(costVerdicts),
    touchedVerdict(touched),
    referenceVerdict(errors[0]),
    convergenceVerdict(thresholds),
    ...crowdVerdicts(crowd),
    ...build.map(memoryVerdict),
    ...build.map(buildVerdict),
  ]
}

function costVerdicts({ links, rows }: ChainCost): Verdict[] {
  const idle = rows.filter(({ budget, active }) => active !== budget)
  const least = rows.find(({ budget }) => budget === Math.round(0.01 * links))
  const even = breakEven(rows)
  const verdicts: Verdict[] = [
    {
      line: `chain of ${links}: the budget is used up in every run`,
      holds: idle.length === 0,
      measured: idle.length === 0 ? `all ${rows.length}` : idle.map(({ budget, active }) => `${active} of ${budget}`).join(', '),
    },
    {
      line: `chain of ${links}: break-even at 20 % active joints or more`,
      holds: even >= 0.2,
      measured: percent(even),
    },
  ]
  if (!least) return verdicts
  return [
    ...verdicts,
    {
      line: `chain of ${links}: with 1 % active at least 25 × faster than the articulated-body method on all joints`,
      holds: speedup(least) >= 25,
      measured: `${fixed(speedup(least), 1)} ×`,
    },
  ]
}

function touchedVerdict(rows: readonly TouchedRow[]): Verdict {
  const worst = rows.toSorted((a, b) => b.touched - 4 * b.active - (a.touched - 4 * a.active))[0]
  const most = Math.max(...rows.map(({ links }) => links))
  return {
    line: `nodes touched in a step at most 4 k + ${TOUCHED_BESIDES} for k active joints, up to ${most} links`,
    holds: worst !== undefined && worst.touched <= 4 * worst.active + TOUCHED_BESIDES,
    measured: worst ? `at most 4 k + (${worst.touched - 4 * worst.active}), for k = ${worst.active} of ${worst.links}` : '–',
  }
}

function referenceVerdict(nearest: Errors): Verdict {
  const off = worstDeparture(nearest)
  const share = nearest.travel / REFERENCE.travel - 1
  return {
    line: 'chain of 16: errors of the tip as in the reference, within a fifth, on the nearest shape found',
    holds: off <= 0.2 && Math.abs(share) <= 0.2,
    measured: `${fixed(100 * off, 0)} % off at the most, travel ${three(nearest.travel)} m`,
  }
}

function convergenceVerdict({ rows, travel }: Errors): Verdict {
  const last = rows[rows.length - 1]
  return {
    line: 'chain of 16: the motion becomes that of ode as the threshold goes to 0',
    holds: last.error < 1e-4 * travel && last.error <= Math.min(...rows.map(({ error }) => error)),
    measured: `${last.error.toExponential(1)} m at ${last.threshold}, ${three(rows[0].error)} m at ${rows[0].threshold}`,
  }
}

/** ten per cent, as near as the rows have it */
const tenth = (rows: readonly CrowdRow[]): CrowdRow | undefined => rows.find(({ share }) => share === 0.1)

function crowdVerdicts({ people, rows }: Crowd): Verdict[] {
  const row = tenth(rows)
  if (!row) return []
  const ratio = row.full / row.millis
  return [
    {
      line: `${people} people with 10 % of the joints at least 8 × faster than with all`,
      holds: ratio >= 8,
      measured: `${fixed(ratio, 1)} ×, ${row.active} of ${row.budget} joints in motion`,
    },
    {
      line: `${people} people with 10 % of the joints: 30 steps a second`,
      holds: row.millis < 1000 / 30,
      measured: `${fixed(1000 / row.millis, 0)} a second`,
    },
  ]
}

const memoryVerdict = ({ links, kilobytes }: BuildRow): Verdict => ({
  line: `${links} bodies: at most 12 kB a body`,
  holds: kilobytes <= 12,
  measured: `${fixed(kilobytes)} kB`,
})

const buildVerdict = ({ links, model, simulation }: BuildRow): Verdict => ({
  line: `${links} bodies: built in under 2 s`,
  holds: model + simulation < 2000,
  measured: `${fixed((model + simulation) / 1000)} s`,
})
