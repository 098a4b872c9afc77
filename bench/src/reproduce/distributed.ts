/**
 * `limber reproduce distributed`: T. Jung, An Algorithm with Logarithmic Time Complexity for Interactive Simulation of Hierarchically Articulated
 * Bodies Using a Distributed-Memory Architecture, part III.E: evaluation time against joints and speed-up against processors (figures 8 to 10).
 */
import type { Costs } from 'limber'
import { crewOnThreads } from 'limber/node'
import { parallelOde } from 'limber/parallel'
import type { Reproduction, ReproductionOptions } from '../report/report.js'
import { verdictTable } from '../report/verdict.js'
import { chainBlocks, claims, conditions, sizeBlocks, speedupBlocks } from './distributed-blocks.js'
import { measuredPoints, type OnProcessors } from './distributed-measured.js'
import {
  type Curve,
  chainRow,
  LARGE,
  logarithmicFit,
  mobileModel,
  ourCosts,
  PAPER,
  type Shape,
  SMALL,
  sizeRow,
  speedupCurve,
} from './distributed-runs.js'
import { distributedVerdicts } from './distributed-verdicts.js'

interface Plan {
  readonly shapes: readonly Shape[]
  readonly processors: number
  readonly chains: readonly number[]
}

const shape = (s: number, l: number, o: number): Shape => ({ s, l, o })

const QUICK: Plan = {
  shapes: [shape(2, 4, 5), shape(3, 4, 5), shape(3, 5, 5), SMALL, shape(4, 5, 5), LARGE],
  processors: 4096,
  chains: [1000, 10_000],
}

const FULL: Plan = {
  shapes: [...QUICK.shapes.slice(0, -1), shape(4, 5, 7), LARGE, shape(5, 5, 7), shape(5, 5, 9)],
  processors: 4096,
  chains: [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000],
}

/** Threads of this machine. */
const onThreads: OnProcessors = async (model, processors) => {
  const crew = await crewOnThreads(model, { processors })
  const { serial, time } = crew.share
  return { solver: parallelOde(crew), predicted: serial / time }
}

/** `start`: undefined to measure nothing, where no threads can be started. */
export async function reproduceDistributed(
  { quick = false, progress = () => {} }: ReproductionOptions = {},
  start: OnProcessors | undefined = onThreads,
): Promise<Reproduction> {
  const plan = quick ? QUICK : FULL
  const sizes = plan.shapes.map((one) => {
    progress(`mobile of ${one.s} stages, ${one.o} chains of ${one.l} links`)
    return sizeRow(one, PAPER)
  })
  const fit = logarithmicFit(sizes.map(({ joints, unlimited }) => [joints, unlimited] as const))
  const depthFit = logarithmicFit(sizes.map(({ joints, depth }) => [joints, depth] as const))

  progress('speed-up against processors')
  const mobiles = [SMALL, LARGE].map((one) => ({ shape: one, model: mobileModel(one) }))
  const costs = ourCosts(mobiles[1].model)
  const curves = (of: Costs): Curve[] => mobiles.map((mobile) => speedupCurve(mobile.model, mobile.shape, plan.processors, of))
  const [small, large] = curves(PAPER)
  const free = curves({ ...PAPER, roitm: 0 })
  const halved = curves({ ...PAPER, roitm: PAPER.roitm / 2 })
  const ours = curves(costs)

  progress('chains')
  const [chains, ourChains] = [PAPER, costs].map((of) => plan.chains.map((links) => chainRow(links, plan.processors, of)))
  const measured = start ? await measuredPoints(start, quick, progress) : []
  const results = { sizes, fit, small, large, free, halved, costs, ours, chains, measured }
  const verdicts = distributedVerdicts(results)
  return {
    report: {
      title: 'Articulated bodies on several processors',
      summary:
        'T. Jung, An Algorithm with Logarithmic Time Complexity for Interactive Simulation of Hierarchically Articulated Bodies Using a Distributed-Memory ' +
        `Architecture: branches of a tree are worked on at the same time, and a cost model says who does what${quick ? '. Short version' : ''}.`,
      sections: [
        { title: 'What holds', blocks: [verdictTable(verdicts)] },
        { title: 'The paper beside ours', blocks: claims(results) },
        { title: 'How it was computed', blocks: conditions(costs) },
        { title: 'Figures 8 and 9: evaluation time against joints', blocks: sizeBlocks(sizes, fit, depthFit) },
        {
          title: 'Figure 10: speed-up against processors',
          blocks: [
            ...speedupBlocks("With the paper's constants", [small, large]),
            ...speedupBlocks("With this machine's constants", ours, measured),
            ...speedupBlocks('With messages that cost nothing', free),
          ],
        },
        { title: 'Chains, whole and cut', blocks: chainBlocks(chains, ourChains) },
      ],
    },
    data: { paper: 'distributed', quick, constants: { paper: PAPER, ours: costs }, verdicts, depthFit, ourChains, ...results },
  }
}
