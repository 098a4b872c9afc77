/**
 * Tables and plots of `reproduce distributed`.
 */
import type { Costs } from 'limber'
import { fixed, three } from '../report/numbers.js'
import type { Series } from '../report/plot.js'
import { type Block, plot, table, text } from '../report/report.js'
import type { MeasuredPoint } from './distributed-measured.js'
import { AT_HAND, type ChainRow, type Curve, type Fit, fitAt, PAPER, type SizeRow } from './distributed-runs.js'
import type { Results } from './distributed-verdicts.js'

const millis = (seconds: number, digits = 1): string => fixed(1e3 * seconds, digits)
const micros = (seconds: number): string => three(1e6 * seconds)

export function conditions(costs: Costs): Block[] {
  return [
    text(
      'Times are those of one evaluation of the accelerations, by the estimated duration of the paper with its first else corrected: sibling chains are started in a ' +
        'binary tree, CMPTM is the time of one joint, ROITM that of the messages over one edge. Processors are added one by one where it takes longest; as many as pay are kept. ' +
        'Where several parts take equally long, which the paper leaves open, the chains below come first, then the left sibling.',
    ),
    table(
      'Constants',
      ['', 'CMPTM, µs', 'ROITM, µs', 'joints in the time of one message'],
      [
        ['the paper (MANNA)', micros(PAPER.cmptm), micros(PAPER.roitm), three(PAPER.roitm / PAPER.cmptm)],
        ['here', micros(costs.cmptm), micros(costs.roitm), three(costs.roitm / costs.cmptm)],
      ],
    ),
    text(
      "CMPTM of ours is measured: an evaluation of the larger mobile in Gear's method on one core. ROITM of ours is assumed, as between threads that share memory; the runs that are measured measure their own.",
    ),
  ]
}

export function claims({ small, large, halved, chains, sizes, fit }: Results): Block[] {
  const longest = chains[chains.length - 1]
  return [
    table(
      'What the paper says, and what is here',
      ['claim', 'ours'],
      [
        [
          'the simulation engine has only logarithmic time complexity (figure 9)',
          `${millis(fit.slope)} ms more for ten times the joints, R² = ${fixed(fit.r2, 3)}, from ${sizes[0].joints} to ${sizes[sizes.length - 1].joints} joints`,
        ],
        [
          'the parallel evaluation can only be about 30 times faster for 455 joints, about 200 times for the bigger mobile',
          `${fixed(small.bound, 1)} and ${fixed(large.bound, 1)}, if the bigger one has 4 stages of 9 chains of 5 links`,
        ],
        [
          'the speed-up of the small mobile is not higher than 10, its maximum is attained with 81 processors at the latest',
          `${fixed(small.best, 1)} on ${small.processors}`,
        ],
        [
          'a reduction in communication time could result in a reasonable reduction of the time required',
          halved.map((curve) => `${curve.joints} joints with half of ROITM: ${fixed(curve.best, 1)} ×`).join(', '),
        ],
        [
          'linear chains cannot be parallelised',
          longest
            ? `${longest.links} links in ${longest.blocks} blocks by divide and conquer: ${fixed(longest.serial / longest.cut, 1)} × on ${longest.processors}`
            : '–',
        ],
      ],
    ),
  ]
}

export function sizeBlocks(rows: readonly SizeRow[], fit: Fit, depthFit: Fit): Block[] {
  const joints = rows.map((row) => row.joints)
  const line = (name: string, of: Fit, scale: number): Series => ({
    name,
    points: joints.map((n) => [n, scale * fitAt(of, n)] as const),
    dashed: true,
  })
  const series = (name: string, value: (row: SizeRow) => number): Series => ({
    name,
    points: rows.map((row) => [row.joints, value(row)] as const),
  })
  return [
    plot({
      title: 'Figure 8: depth of the mobiles',
      x: { label: 'joints', log: true },
      y: { label: 'depth, joints' },
      series: [series('mobiles', ({ depth }) => depth), line('a + b log N', depthFit, 1)],
    }),
    plot({
      title: 'Figure 9: time of an evaluation, unlimited processors',
      x: { label: 'joints', log: true },
      y: { label: 'ms' },
      series: [series('estimated', ({ unlimited }) => 1e3 * unlimited), line('a + b log N', fit, 1e3)],
    }),
    plot({
      title: 'Figure 9: time of an evaluation',
      x: { label: 'joints', log: true },
      y: { label: 'ms', log: true },
      series: [
        series('1 processor', ({ serial }) => 1e3 * serial),
        series(`${AT_HAND} processors`, ({ atHand }) => 1e3 * atHand),
        series('unlimited', ({ unlimited }) => 1e3 * unlimited),
      ],
    }),
    table(
      `Mobiles, with the paper's constants; time = ${millis(fit.offset)} ms + ${millis(fit.slope)} ms · log10(joints), R² = ${fixed(fit.r2, 3)}`,
      ['s l o', 'joints', 'depth', '1 processor, ms', `${AT_HAND} processors`, 'unlimited', 'the fit', 'processors that pay'],
      rows.map(({ shape: { s, l, o }, joints: n, depth, serial, atHand, unlimited, processors }) => [
        `${s} ${l} ${o}`,
        n,
        depth,
        millis(serial),
        millis(atHand),
        millis(unlimited),
        millis(fitAt(fit, n)),
        processors,
      ]),
    ),
    text(
      'The parameters of the mobiles of figure 8 are not printed; these are of the same kind: depth grows with the logarithm of the number of joints.',
    ),
  ]
}

/** Powers of √2: enough for a logarithmic axis. */
function sampled(curve: Curve): (readonly [number, number])[] {
  const at = new Set<number>([curve.processors])
  for (let k = 0; 2 ** (k / 2) <= curve.speedups.length; k++) at.add(Math.round(2 ** (k / 2)))
  return [...at]
    .filter((p) => p <= curve.speedups.length)
    .toSorted((a, b) => a - b)
    .map((p) => [p, curve.speedups[p - 1]] as const)
}

export function speedupBlocks(title: string, curves: readonly Curve[], measured: readonly MeasuredPoint[] = []): Block[] {
  const most = Math.max(...curves.map(({ speedups }) => speedups.length))
  const highest = Math.max(...curves.map(({ best }) => best))
  const columns = [2, 4, 8, 16, 20, 32, 64, 128, 256, 512, 1024, 2048, 4096].filter((p) => p <= most)
  const shown = curves.flatMap(({ joints }): Series[] => {
    const points = measured.filter((point) => point.joints === joints).map(({ processors, speedup }) => [processors, speedup] as const)
    return points.length > 0 ? [{ name: `${joints}, measured`, points }] : []
  })
  return [
    plot({
      title,
      x: { label: 'processors', log: true },
      y: { label: 'speed-up', log: true },
      series: [
        ...curves.map((curve) => ({ name: `${curve.joints} joints`, points: sampled(curve) })),
        { name: 'ideal', points: [[1, 1] as const, [Math.min(most, 2 * highest), Math.min(most, 2 * highest)] as const], dashed: true },
        ...shown,
      ],
    }),
    table(
      `${title}: speed-up on so many processors, of which as many work as pay`,
      ['joints', ...columns.map(String), 'at the most', 'on', 'joints by depth'],
      curves.map(({ joints, speedups, best, processors, bound }) => [
        joints,
        ...columns.map((p) => fixed(speedups[p - 1], 1)),
        fixed(best, 1),
        processors,
        fixed(bound, 1),
      ]),
    ),
    ...(measured.length > 0
      ? [
          table(
            'Measured',
            ['', 'joints', 'processors', 'serial, ms', 'ms', 'speed-up', 'estimated'],
            measured.map(({ name, joints, processors, serial, time, speedup, predicted }) => [
              ...[name, joints, processors, millis(serial, 3), millis(time, 3), fixed(speedup), fixed(predicted)],
            ]),
          ),
        ]
      : []),
  ]
}

export function chainBlocks(rows: readonly ChainRow[], ours: readonly ChainRow[]): Block[] {
  const of = (name: string, list: readonly ChainRow[], scale: number): Block =>
    table(
      name,
      ['links', 'blocks', '1 processor', 'unlimited, whole', 'unlimited, cut', 'processors that pay', 'speed-up'],
      list.map(({ links, blocks, serial, whole, cut, processors }) => [
        links,
        blocks,
        three(scale * serial),
        three(scale * whole),
        three(scale * cut),
        processors,
        fixed(serial / cut, 1),
      ]),
    )
  return [
    plot({
      title: 'Chains with unlimited processors',
      x: { label: 'links', log: true },
      y: { label: 'ms', log: true },
      series: [
        { name: 'whole', points: rows.map(({ links, whole }) => [links, 1e3 * whole] as const) },
        { name: 'cut', points: rows.map(({ links, cut }) => [links, 1e3 * cut] as const) },
      ],
    }),
    of("With the paper's constants, ms", rows, 1e3),
    of('With ours, µs', ours, 1e6),
    text(
      'A chain is one branch: as it is, one processor does all of it. Cut into blocks that divide and conquer condenses at the same time, at a higher cost a link, it takes the time of one block ' +
        'and of starting the others, which grows with the logarithm of their number.',
    ),
  ]
}
