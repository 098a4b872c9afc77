/**
 * What the cost model shows, line by line, against what Jung's paper says of it.
 */
import type { Costs } from 'limber'
import { fixed, three } from '../report/numbers.js'
import type { Verdict } from '../report/verdict.js'
import type { MeasuredPoint } from './distributed-measured.js'
import { type ChainRow, type Curve, type Fit, PAPER, type SizeRow } from './distributed-runs.js'

export interface Results {
  readonly sizes: readonly SizeRow[]
  readonly fit: Fit
  /** with the paper's constants: as they are, with messages that cost nothing, and half */
  readonly small: Curve
  readonly large: Curve
  readonly free: readonly Curve[]
  readonly halved: readonly Curve[]
  /** with our own */
  readonly costs: Costs
  readonly ours: readonly Curve[]
  readonly chains: readonly ChainRow[]
  readonly measured: readonly MeasuredPoint[]
}

/** a straight line over the logarithm explains so much of the times */
export const LOGARITHMIC = 0.95
/** what the paper means by about */
const ABOUT = 0.05
/** blocks of one chain are longer than those of another by so much */
const LENGTHS = 0.25
/** measured times lie so near to the estimate */
export const COMPARABLE = 0.3

export function distributedVerdicts({ sizes, fit, small, large, free, halved, ours, chains, measured }: Results): Verdict[] {
  const [first, last] = [sizes[0], sizes[sizes.length - 1]]
  return [
    {
      line: 'with as many processors as pay, the time grows with the logarithm of the number of joints (figure 9)',
      holds: fit.r2 >= LOGARITHMIC && last.unlimited / first.unlimited < Math.sqrt(last.joints / first.joints),
      measured: `${three(last.joints / first.joints)} × the joints take ${three(last.unlimited / first.unlimited)} × the time; R² = ${fixed(fit.r2, 3)}`,
    },
    {
      line: `${small.joints} joints: the speed-up is not higher than 10 (figure 10)`,
      holds: Math.round(small.best) === 10,
      measured: `${fixed(small.best, 1)} on ${small.processors}, ${fixed(small.speedups[31], 1)} on 32 processors`,
    },
    {
      line: `${small.joints} joints: the most is reached with ${small.breadth} processors at the latest, the breadth of the tree`,
      holds: small.processors <= small.breadth,
      measured: `with ${small.processors}`,
    },
    {
      line: 'joints by depth bound the speed-up: about 30 and about 200',
      holds: [small, large].every(({ best, bound }, k) => best <= bound && Math.abs(bound / [30, 200][k] - 1) <= ABOUT),
      measured: `${fixed(small.bound, 1)} and ${fixed(large.bound, 1)}; reached are ${fixed(small.best, 1)} and ${fixed(large.best, 1)}`,
    },
    {
      line: 'what is missing is the cost of messages: without it the bound is reached',
      holds: free.length > 0 && free.every(({ best, bound }) => Math.abs(best / bound - 1) < 1e-9),
      measured: free.map(({ joints, best }) => `${joints} joints: ${fixed(best, 1)}`).join(', '),
    },
    {
      line: 'cheaper messages reduce the time of an evaluation: at half their cost by a fifth or more',
      holds: halved.length === 2 && halved.every((curve, k) => [small, large][k].best / curve.best <= 0.8),
      measured: halved
        .map((curve, k) => `${curve.joints} joints: ${fixed([small, large][k].best, 1)} → ${fixed(curve.best, 1)}`)
        .join(', '),
    },
    {
      line: 'not every branch is worth a processor of its own',
      holds: [small, large].every(({ processors, breadth }) => processors < breadth),
      measured: `${small.processors} of ${small.breadth}, ${large.processors} of ${large.breadth}`,
    },
    ...chainVerdicts(chains),
    ...ours.map(oursVerdict),
    ...measured.map(measuredVerdict),
  ]
}

/** Beyond the paper, which computes chains on one processor. */
function chainVerdicts(rows: readonly ChainRow[]): Verdict[] {
  const [first, last] = [rows[0], rows[rows.length - 1]]
  const known = rows.find(({ links }) => links === 10_000) ?? last
  return [
    {
      line: `a chain of ${known.links} gains nothing as it is, and when it is cut at least half as much as it has blocks`,
      holds: known.whole === known.serial && known.serial / known.cut >= known.blocks / 2,
      measured: `${fixed(known.serial / known.whole, 1)} ×; cut into ${known.blocks} ${fixed(known.serial / known.cut, 1)} × on ${known.processors} processors`,
    },
    {
      line: `cut chains take a time that grows with the logarithm of their length, from ${first.links} to ${last.links} links`,
      // a call to each of two siblings on every level of the start-up tree
      holds: last.cut - first.cut <= 2 * PAPER.roitm * Math.log2(last.links / first.links) + LENGTHS * first.cut,
      measured: `${three(last.links / first.links)} × the links take ${three(last.cut / first.cut)} × the time`,
    },
  ]
}

const oursVerdict = ({ joints, speedups, best, processors }: Curve): Verdict => ({
  line: `${joints} joints on this machine's constants: a second processor pays`,
  holds: speedups[1] > 1,
  measured: `${fixed(speedups[1], 2)} × on 2; at the most ${fixed(best, 1)} × on ${processors}`,
})

const measuredVerdict = ({ name, joints, processors, speedup, predicted }: MeasuredPoint): Verdict => ({
  line: `${name} of ${joints} joints on ${processors} processors of this machine: the measured speed-up is near to the estimate`,
  holds: Math.abs(speedup / predicted - 1) <= COMPARABLE,
  measured: `${fixed(speedup)} × measured, ${fixed(predicted)} × estimated`,
})
