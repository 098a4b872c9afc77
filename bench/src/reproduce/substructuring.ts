/**
 * `limber reproduce substructuring`: J. Barbič, Y. Zhao, Real-time Large-deformation Substructuring (2011). Sizes and times of its scenes (table 1),
 * how rigid the interfaces stay (figure 3), paths against the mesh without reduction (figure 7), frequencies, and what a step costs.
 */
import { buildModel } from 'limber'
import { findScene } from 'limber-scenes'
import type { Reproduction, ReproductionOptions } from '../report/report.js'
import { verdictTable } from '../report/verdict.js'
import { comparePaths, lowestFrequencies } from './substructuring-accuracy.js'
import {
  conditions,
  costBlocks,
  deviationBlocks,
  frequencyBlocks,
  pathBlocks,
  resolutionBlocks,
  sceneBlocks,
} from './substructuring-blocks.js'
import { costByDomains, costByResolution, sceneRow } from './substructuring-cost.js'
import { interfaceDeviations } from './substructuring-interfaces.js'
import { cantilever, plant } from './substructuring-objects.js'
import { substructuringVerdicts } from './substructuring-verdicts.js'

export interface SubstructuringReproductionOptions extends ReproductionOptions {
  /** for tests: sizes and samples of almost nothing */
  readonly tiny?: boolean
}

const SCENES = ['flower', 'letters', 'dragon', 'station', 'oak'] as const

interface Plan {
  readonly scenes: readonly string[]
  readonly samples: number
  readonly counts: readonly number[]
  readonly fineness: readonly number[]
  readonly paths: { readonly seconds: number; readonly timestep: number; readonly speed: number }
  readonly flower: number
}

const FULL: Plan = {
  scenes: SCENES,
  samples: 8,
  counts: [50, 100, 200, 500, 1000, 2000],
  fineness: [1, 2, 3],
  paths: { seconds: 2, timestep: 0.005, speed: 4 },
  flower: 4,
}

const QUICK: Plan = {
  ...FULL,
  scenes: ['flower', 'oak'],
  samples: 3,
  counts: [50, 200, 1000],
  fineness: [1, 2],
  paths: { ...FULL.paths, seconds: 0.6 },
  flower: 1,
}

const TINY: Plan = { ...QUICK, scenes: [], samples: 1, counts: [5, 10], fineness: [1], paths: { ...FULL.paths, seconds: 0.05 }, flower: 0 }

export function reproduceSubstructuring({
  quick = false,
  tiny = false,
  progress = () => {},
}: SubstructuringReproductionOptions = {}): Reproduction {
  const plan = tiny ? TINY : quick ? QUICK : FULL
  const scenes = plan.scenes.map((name) => sceneRow(name, plan.samples, progress))
  progress('frequencies of the cantilever')
  const frequencies = lowestFrequencies(cantilever)
  const paths = comparePaths(plant, plan.paths, progress)
  const flower = plan.flower > 0 ? findScene('flower') : undefined
  if (flower) progress('interfaces of the flower')
  const deviations = flower ? interfaceDeviations('flower', buildModel(flower.build({})), plan.flower) : undefined
  const cost = costByDomains(plan.counts, 12, plan.samples, progress)
  const resolution = costByResolution(plan.fineness, plan.samples, progress)
  const verdicts = substructuringVerdicts({ scenes, frequencies, cost, resolution })
  return {
    report: {
      title: 'Large-deformation substructuring',
      summary:
        'J. Barbič, Y. Zhao, Real-time Large-deformation Substructuring (2011): elastic meshes cut into domains, each with a few modes of large ' +
        `deformation, joined without constraints${quick ? '. Short version' : ''}. Beside it the same object as one mesh without reduction.`,
      sections: [
        { title: 'What holds', blocks: [verdictTable(verdicts)] },
        { title: 'How it was run', blocks: conditions() },
        { title: 'Table 1: scenes', blocks: sceneBlocks(scenes) },
        ...(deviations ? [{ title: 'Figure 3: interfaces', blocks: deviationBlocks(deviations) }] : []),
        { title: 'Figure 7: paths against the mesh without reduction', blocks: pathBlocks(plant.name, paths, plan.paths) },
        { title: 'Lowest frequency', blocks: frequencyBlocks(frequencies) },
        { title: 'Cost of a step against the number of domains', blocks: costBlocks(cost) },
        { title: 'Cost of a step against the resolution of the mesh', blocks: resolutionBlocks(resolution) },
      ],
    },
    data: {
      ...{ paper: 'substructuring', quick, verdicts, scenes, frequencies, cost, resolution },
      deviations: deviations && { scene: deviations.scene, most: deviations.most },
      paths: paths.map(({ vertex, paths: all }) => ({
        vertex,
        paths: all.map(({ name, error, hertz, millis, failed }) => ({ name, error, hertz, millis, failed })),
      })),
    },
  }
}
