/**
 * `limber reproduce adaptive`: S. Redon, N. Galoppo, M. C. Lin, Adaptive Dynamics of Articulated Bodies: Implementation Details (2005). The
 * cost of a step against the joints that move, what is lost by it, and the crowd of its figure.
 */
import { buildModel } from 'limber'
import type { Reproduction, ReproductionOptions } from '../report/report.js'
import { verdictTable } from '../report/verdict.js'
import {
  budgetBlocks,
  buildTable,
  claims,
  conditions,
  costSection,
  crowdBlocks,
  thresholdBlocks,
  touchedBlocks,
} from './adaptive-blocks.js'
import { type ChainCost, chainSpec, costRows, countTouched, EVERY, measureBuild } from './adaptive-chains.js'
import { type CrowdPlan, crowdRuns } from './adaptive-crowd.js'
import { budgetErrors, candidates, tipErrors } from './adaptive-errors.js'
import { adaptiveVerdicts } from './adaptive-verdicts.js'

export interface AdaptiveReproductionOptions extends ReproductionOptions {
  /** for tests: sizes and samples of almost nothing */
  readonly tiny?: boolean
}

interface Plan {
  readonly sizes: readonly number[]
  readonly shares: readonly number[]
  readonly samples: number
  /** sizes for the nodes touched, and joints in motion */
  readonly touched: { readonly sizes: readonly number[]; readonly budgets: readonly number[] }
  readonly thresholds: readonly number[]
  readonly build: readonly number[]
  readonly crowd: CrowdPlan
}

const SHARES = [1, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01]
const THRESHOLDS = [10, 5, 3, 2, 1, 0.5, 0.2, 0.1, 0.01, 0.001]
const BUDGETS = [1, 0.5, 0.2, 0.1, 0.05]

const FULL: Plan = {
  sizes: [1000, 20_000],
  shares: SHARES,
  samples: 10,
  touched: { sizes: [1000, 2000, 5000, 10_000, 20_000], budgets: [5, 20, 100, 500] },
  thresholds: THRESHOLDS,
  build: [1000, 20_000],
  crowd: { people: 200, budgets: BUDGETS, seconds: 1.2, samples: 10, drawn: BUDGETS },
}

const QUICK: Plan = {
  sizes: [1000],
  shares: SHARES,
  samples: 8,
  touched: { sizes: [1000, 4000], budgets: [5, 20, 100] },
  thresholds: [10, 3, 1, 0.1, 0.001],
  build: [4000],
  crowd: { people: 24, budgets: BUDGETS, seconds: 0.6, samples: 5, drawn: [0.5, 0.1] },
}

const TINY: Plan = {
  sizes: [40],
  shares: [1, 0.2, 0.05],
  samples: 1,
  touched: { sizes: [40, 160], budgets: [5] },
  thresholds: [3, 0.001],
  build: [100],
  crowd: { people: 3, budgets: [1, 0.2], seconds: 0.1, samples: 1, drawn: [0.2] },
}

export function reproduceAdaptive({ quick = false, tiny = false, progress = () => {} }: AdaptiveReproductionOptions = {}): Reproduction {
  const plan = tiny ? TINY : quick ? QUICK : FULL
  const build = plan.build.map((links) => {
    progress(`building ${links} bodies`)
    return measureBuild(links, tiny ? 1 : 3)
  })
  const cost = plan.sizes.map((links): ChainCost => {
    const model = buildModel(chainSpec(links))
    const rows = costRows(model, { links, shares: plan.shares, every: EVERY, samples: plan.samples }, progress)
    const least = plan.shares.slice(-1)
    const choices = [1, 4 * EVERY, 16 * EVERY].flatMap((every) =>
      costRows(model, { links, shares: least, every, samples: Math.ceil(plan.samples / 2) }, progress),
    )
    return { links, rows, choices: [...choices, ...rows.slice(-1)].toSorted((a, b) => a.every - b.every) }
  })
  const touched = plan.touched.sizes.flatMap((links) => {
    const model = buildModel(chainSpec(links))
    return plan.touched.budgets.map((budget) => {
      progress(`nodes touched: ${links} links, ${budget} active`)
      return countTouched(model, budget)
    })
  })
  progress('errors')
  const errors = candidates.map(({ name, shape }) => budgetErrors(name, shape))
  const [{ name, shape }] = candidates
  const thresholds = tipErrors(
    name,
    shape,
    plan.thresholds.map((threshold) => ({ threshold })),
  )
  const crowd = crowdRuns(plan.crowd, progress)
  const verdicts = adaptiveVerdicts({ cost, touched, errors, thresholds, crowd, build })
  const measured = { ...crowd, pictures: crowd.pictures.length }
  return {
    report: {
      title: 'Adaptive dynamics of articulated bodies',
      summary:
        'S. Redon, N. Galoppo, M. C. Lin, Adaptive Dynamics of Articulated Bodies: Implementation Details (2005): only the joints that matter are ' +
        `simulated, and what is neglected is known${quick ? '. Short version' : ''}. Beside it the articulated-body method on all joints (solver ode, ` +
        'semi-implicit Euler, the same steps).',
      sections: [
        { title: 'What holds', blocks: [verdictTable(verdicts)] },
        { title: 'The page beside ours', blocks: claims(crowd, cost) },
        { title: 'How it was run', blocks: conditions() },
        ...cost.map(costSection),
        { title: 'Nodes of the assembly that a step looks at', blocks: touchedBlocks(touched) },
        { title: 'Error against budget', blocks: budgetBlocks(errors) },
        { title: 'Error against threshold', blocks: thresholdBlocks(thresholds) },
        { title: `A crowd of ${crowd.people}`, blocks: crowdBlocks(crowd) },
        { title: 'Memory, and time to build', blocks: [buildTable(build)] },
      ],
    },
    data: { paper: 'adaptive', quick, every: EVERY, verdicts, cost, touched, errors, thresholds, crowd: measured, build },
  }
}
