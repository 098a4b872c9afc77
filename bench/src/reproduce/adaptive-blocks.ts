/**
 * Tables, plots and pictures of `reproduce adaptive`.
 */
import { fixed, three } from '../report/numbers.js'
import { type Block, picture, plot, type Section, table, text } from '../report/report.js'
import { type BuildRow, type ChainCost, type CostRow, EVERY, speedup, type TouchedRow } from './adaptive-chains.js'
import { type Crowd, percent } from './adaptive-crowd.js'
import { type Errors, REFERENCE } from './adaptive-errors.js'

export function claims({ people, bodies, freedoms, rows }: Crowd, cost: readonly ChainCost[]): Block[] {
  const [all] = rows
  const best = rows[rows.length - 1]
  const largest = cost[cost.length - 1]
  const least = largest.rows[largest.rows.length - 1]
  return [
    table(
      'What the page says, and what is here',
      ['claim', 'ours'],
      [
        [
          '200 human characters, 17,800 rigid bodies, 19,000 degrees of freedom, pushed away from the camera by forces (figure 1)',
          `${people} people, ${bodies} bodies, ${freedoms} degrees of freedom, pushed by a wave from the camera`,
        ],
        [
          'an animator reduces the number of simulated joints with the distance to the camera; which ones are simulated is determined automatically',
          'one budget for all; squared accelerations count by (nearest / distance)²; the joints are found at every choice',
        ],
        [
          'a potentially significant speed-up over typical linear-time forward dynamics (no figure is given)',
          `crowd: ${three(best.full / best.millis)} × at ${percent(best.share)}, ${three(all.full / all.millis)} × at ${percent(all.share)}; chain of ${largest.links}: ${three(speedup(least))} × with ${least.active} joints in motion`,
        ],
        [
          'six quadratic polynomials a handle instead of a tensor of rank three, one quartic instead of rank four',
          'the same in seven monomials instead of 22: rotation rates only, because wrenches inside do not depend on a uniform velocity',
        ],
        ['linear coefficients of what is held in constant time', `nodes touched in a step do not grow with the number of links, see below`],
      ],
    ),
  ]
}

export function conditions(): Block[] {
  return [
    text(
      'Chains for timing hang level from one end, their hinges level and upright in turn, undamped; every joint is bent a little and turns, without ' +
        'order, so that each one would move if it were free: the budget is used up, which the table shows. Adaptive and full dynamics take turns of a few steps in ' +
        'one process; the least time a step counts, of the clock or of the processor, whichever is less. A sample holds whole cycles of ' +
        `${EVERY} steps, choices of joints included (every=${EVERY}, the default).`,
    ),
  ]
}

const ratioSeries = (name: string, rows: readonly CostRow[], value: (row: CostRow) => number) => ({
  name,
  points: rows.map((row) => [(100 * row.active) / row.links, value(row)] as const),
})

export function costSection({ links, rows, choices }: ChainCost): Section {
  const cells = (row: CostRow): string[] => [
    percent(row.budget / row.links),
    String(row.active),
    fixed(1000 * row.millis, 1),
    fixed(1000 * row.full, 1),
    fixed(speedup(row)),
    three(row.neglected),
  ]
  const columns = ['budget', 'joints in motion', 'µs a step', 'all joints by ABA', '× faster', 'neglected, rad/s²']
  return {
    title: `Cost of a step, chain of ${links}`,
    blocks: [
      plot({
        title: `${links} links: time of a step`,
        x: { label: 'joints in motion, %', log: true },
        y: { label: 'µs', log: true },
        series: [
          ratioSeries('adaptive', rows, (row) => 1000 * row.millis),
          { ...ratioSeries('ABA, all', rows, (row) => 1000 * row.full), dashed: true },
        ],
      }),
      plot({
        title: `${links} links: times faster than on all joints`,
        x: { label: 'joints in motion, %', log: true },
        y: { label: '×', log: true },
        series: [ratioSeries('adaptive', rows, speedup), { ...ratioSeries('break-even', rows, () => 1), dashed: true }],
      }),
      table(`Chain of ${links}, a choice every ${EVERY} steps`, columns, rows.map(cells)),
      table(
        'The least budget, choosing more and less often',
        ['every', ...columns],
        choices.map((row) => [row.every, ...cells(row)]),
      ),
    ],
  }
}

export function touchedBlocks(rows: readonly TouchedRow[]): Block[] {
  const budgets = [...new Set(rows.map(({ budget }) => budget))]
  return [
    plot({
      title: 'nodes touched in a step, the most',
      x: { label: 'links', log: true },
      y: { label: 'nodes', log: true },
      series: budgets.map((budget) => ({
        name: `${budget} joints`,
        points: rows.filter((row) => row.budget === budget).map((row) => [row.links, row.touched] as const),
      })),
    }),
    table(
      'Nodes touched, the most of a step',
      ['links', 'joints in motion', 'nodes', 'a joint'],
      rows.map(({ links, active, touched }) => [links, active, touched, fixed(touched / active)]),
    ),
  ]
}

export function budgetBlocks(errors: readonly Errors[]): Block[] {
  return [
    table(
      'Mean distance of the tip from where it is with all joints, m (1 s at 5 ms, a choice at every step)',
      ['chain of 16', ...REFERENCE.budgets.map((budget) => `${budget} joints`), 'path of the tip', 'its displacement'],
      [
        ['reference', ...REFERENCE.errors, REFERENCE.travel, ''],
        ...errors.map(({ name, rows, travel, displacement }) => [
          name,
          ...rows.map(({ error }) => three(error)),
          fixed(travel),
          fixed(displacement),
        ]),
      ],
    ),
    table(
      'Joints in motion and neglected accelerations, in the mean',
      ['chain of 16', 'budget', 'in motion', 'neglected, rad/s²'],
      errors.flatMap(({ name, rows }) => rows.map((row, k) => [k === 0 ? name : '', row.budget, fixed(row.active), three(row.neglected)])),
    ),
    text(
      'The reference is a table of an independent program that solves dense equations. It gives the budgets, the errors and how far the tip travels, ' +
        'but neither lengths and masses nor the start. The first shape here is the nearest of about 2,400 whose tip travels about as far: hinges in ' +
        'parallel or in turn, hanging or level, straight or bent, several lengths and inertias. It was chosen by this table, so that its agreement is weak ' +
        'evidence: errors fall with the budget as there, and are of the same size on a chain of that kind. It does not say ' +
        'that it is the chain which the reference ran.',
    ),
  ]
}

export function thresholdBlocks({ name, rows, travel }: Errors): Block[] {
  return [
    plot({
      title: 'error of the tip',
      x: { label: 'threshold, rad/s²', log: true },
      y: { label: 'mean, m', log: true },
      series: [{ name: 'adaptive', points: rows.map(({ threshold, error }) => [threshold, error] as const) }],
    }),
    plot({
      title: 'joints in motion',
      x: { label: 'threshold, rad/s²', log: true },
      y: { label: 'of 16, in the mean' },
      series: [{ name: 'adaptive', points: rows.map(({ threshold, active }) => [threshold, active] as const) }],
    }),
    table(
      `${name}; the tip travels ${fixed(travel)} m`,
      ['threshold, rad/s²', 'mean error, m', 'joints in motion', 'neglected, rad/s²'],
      rows.map(({ threshold, error, active, neglected }) => [threshold, three(error), fixed(active), three(neglected)]),
    ),
  ]
}

export function crowdBlocks({ people, bodies, freedoms, timestep, seconds, rows, pictures }: Crowd): Block[] {
  return [
    text(
      `${people} people, ${bodies} bodies, ${freedoms} degrees of freedom, h = ${timestep} s. Times are taken from ${seconds} s on, while the wave runs through the rows. ` +
        'The base of each person always moves; the rest of the budget goes to what accelerates most, by its distance to the camera.',
    ),
    ...pictures.map(({ title, svg }) => picture(`${title} (orange), the others are held`, svg)),
    plot({
      title: 'time of a step',
      x: { label: 'budget, % of the joints', log: true },
      y: { label: 'ms', log: true },
      series: [
        { name: 'adaptive', points: rows.map((row) => [100 * row.share, row.millis] as const) },
        { name: 'ABA, all', points: rows.map((row) => [100 * row.share, row.full] as const), dashed: true },
      ],
    }),
    table(
      `The crowd after ${seconds} s`,
      [
        'budget',
        'joints in motion',
        'people who move more than as a whole',
        'ms a step',
        'all joints by ABA, ms',
        '× faster',
        'steps a second',
        'neglected, rad/s²',
        'bodies apart from the full motion, m',
      ],
      rows.map((row) => [
        percent(row.share),
        row.active,
        row.lively,
        three(row.millis),
        three(row.full),
        fixed(row.full / row.millis),
        fixed(1000 / row.millis, 0),
        three(row.neglected),
        three(row.apart),
      ]),
    ),
  ]
}

export function buildTable(rows: readonly BuildRow[]): Block {
  return table(
    'A chain, from its description to before the first step; memory of the simulation with its polynomials',
    ['bodies', 'model, s', 'simulation, s', 'together, s', 'kB a body'],
    rows.map(({ links, model, simulation, kilobytes }) => [
      links,
      three(model / 1000),
      three(simulation / 1000),
      three((model + simulation) / 1000),
      fixed(kilobytes),
    ]),
  )
}
