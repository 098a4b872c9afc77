/**
 * Sections of `reproduce redmax` on the default scheme: chains that must not gain energy at a frame's step, and MuJoCo's implicit integrators
 * beside it.
 */
import { fixed } from '../report/numbers.js'
import { type Section, table, text } from '../report/report.js'
import type { Verdict } from '../report/verdict.js'
import { type Engine, type RivalRow, redmaxRival, rivalTasks } from './redmax-rival.js'
import { redmaxStability, type StabilityRow } from './redmax-stability.js'

export interface DefaultResults {
  readonly stability: readonly StabilityRow[]
  readonly rival: readonly RivalRow[]
  readonly seconds: number
}

export interface DefaultOptions {
  readonly sizes: readonly number[]
  readonly seconds: number
  /** 0: without MuJoCo */
  readonly rivalSeconds: number
}

const GAIN = 0.05

export async function runDefault(
  { sizes, seconds, rivalSeconds }: DefaultOptions,
  progress: (text: string) => void,
): Promise<DefaultResults> {
  const stability = redmaxStability({
    sizes,
    seconds,
    onRow: ({ n, springs, start }) => progress(`chain of ${n}, ${start}, springs: ${springs}`),
  })
  const show = ({ engine, n }: RivalRow): void => progress(`${engine}, chain of ${n}`)
  const rival = rivalSeconds > 0 ? await redmaxRival(rivalTasks(rivalSeconds), show) : []
  return { stability, rival, seconds }
}

export function defaultVerdicts({ stability, rival, seconds }: DefaultResults): Verdict[] {
  const bad = stability.filter(({ steps, asked, gain }) => steps < asked || !(gain <= GAIN))
  const name = ({ n, springs, start }: StabilityRow): string => `${n} ${start}${springs === 'yes' ? ' tied' : ''}`
  const most = stability.toSorted((a, b) => b.gain - a.gain)[0]
  const verdicts: Verdict[] = [
    {
      line: `default scheme: chains of ${[...new Set(stability.map(({ n }) => n))].join(', ')} gain at most 5 % at h = 0.02 in ${seconds} s`,
      holds: stability.length > 0 && bad.length === 0,
      measured:
        bad.length > 0
          ? bad.map((row) => `${name(row)}: ${fixed(100 * row.gain, 1)} %, ${row.steps} of ${row.asked} steps`).join('; ')
          : `${most ? fixed(100 * most.gain, 2) : '–'} % at most`,
    },
  ]
  if (rival.length === 0) return verdicts
  // runs that lasted for at least one window
  const timed = rival.filter(({ n, least }) => n === 300 && Number.isFinite(least))
  const cost = (engine: Engine, of: 'least' | 'milliseconds'): number =>
    Math.min(...timed.filter((row) => row.engine === engine).map((row) => row[of]))
  for (const engine of ['implicitfast', 'discrete'] as const) {
    const ratio = cost(engine, 'least') / cost('limber', 'least')
    const whole = cost(engine, 'milliseconds') / cost('limber', 'milliseconds')
    const measured = Number.isFinite(ratio)
      ? `${fixed(ratio, 1)} × by the least of 25 steps, ${fixed(whole, 1)} × by the mean of a run, the fall of the coil included`
      : 'its run broke before 25 steps were made'
    verdicts.push({
      line: `a step of the tied chain of 300 at least 30 × faster than ${engine}`,
      holds: Number.isFinite(ratio) && ratio >= 30,
      measured,
    })
  }
  const ours = rival.filter(({ engine }) => engine === 'limber')
  verdicts.push({
    line: 'clean at h = 0.02 at all three sizes, with joint damping 1',
    holds: ours.length > 0 && ours.every(({ clean }) => clean),
    measured: [...new Set(ours.map(({ n, clean }) => `${n}: ${clean ? 'yes' : 'no'}`))].join(', '),
  })
  return verdicts
}

export function defaultSections({ stability, rival, seconds }: DefaultResults): Section[] {
  const sections: Section[] = [
    {
      title: 'Long chains at a frame’s step, default scheme',
      blocks: [
        table(
          `h = 0.02 s for ${seconds} s; the tie between link i and link n − 1 − i has 1e5 N/m and 10 N s/m`,
          ['links', 'start', 'tied', 'steps', 'of', 'gain of energy, %', 'ms a step', 'iterations'],
          stability.map((row) => [
            row.n,
            row.start,
            row.springs,
            row.steps,
            row.asked,
            fixed(100 * row.gain),
            fixed(row.milliseconds),
            fixed(row.iterations, 1),
          ]),
        ),
      ],
    },
  ]
  const blocks =
    rival.length === 0
      ? [text('MuJoCo is not installed, or was left out of this version.')]
      : [
          table(
            'Tied chain, coiled, joint damping 1, each engine in a thread of its own; least: over windows of 25 steps',
            ['engine', 'links', 'h, s', 'ms a step', 'least', 'gain of energy, %', 'clean'],
            rival.map((row) => [
              row.engine,
              row.n,
              row.h,
              fixed(row.milliseconds, 3),
              fixed(row.least, 3),
              fixed(100 * row.gain, 1),
              row.clean ? 'yes' : 'no',
            ]),
          ),
        ]
  sections.push({ title: 'Against MuJoCo', blocks })
  return sections
}
