/** What the runs of `reproduce substructuring` were to show. */
import { fixed } from '../report/numbers.js'
import type { Verdict } from '../report/verdict.js'
import type { Frequencies, Level } from './substructuring-accuracy.js'
import { type CostPoint, exponent, type ResolutionPoint, type SceneRow } from './substructuring-cost.js'

/** of an independent program: lowest frequency of the cantilever in parts of that of the mesh without reduction */
export const REFERENCE: Readonly<Record<Level, number>> = { L1: 2.95, L2: 1.21, L3: 1.14, exact: 1.026 }
/** the paper's oak on its machine, milliseconds a step */
const OAK = 29
/** seconds to reduce all meshes of a scene */
const REDUCTION: Readonly<Record<string, number>> = { flower: 60, oak: 120 }

export interface Measured {
  readonly scenes: readonly SceneRow[]
  readonly frequencies: Frequencies
  readonly cost: readonly CostPoint[]
  readonly resolution: readonly ResolutionPoint[]
}

export function substructuringVerdicts({ scenes, frequencies, cost, resolution }: Measured): Verdict[] {
  const slope = exponent(cost.map(({ domains, millis }) => [domains, millis.exact]))
  const dearest = Math.max(...cost.map(({ millis }) => millis.exact / millis.L1))
  const times = resolution.map(({ millis }) => millis)
  const spread = Math.max(...times) / Math.min(...times)
  return [
    ...frequencies.levels.map(({ level, ratio }) => ({
      line: `lowest frequency of the cantilever, ${level}: ${REFERENCE[level]} times that without reduction, within 5 %`,
      holds: Math.abs(ratio / REFERENCE[level] - 1) <= 0.05,
      measured: fixed(ratio, 3),
    })),
    {
      line: `time of a step against the number of domains, ${cost[0].domains} to ${cost[cost.length - 1].domains}: exponent at most 1.1`,
      holds: slope <= 1.1,
      measured: fixed(slope, 3),
    },
    { line: 'exact inertia at most twice the time of L1', holds: dearest <= 2, measured: `${fixed(dearest)} × at the most` },
    {
      line: 'time of a step independent of the resolution of the mesh, within a fifth',
      holds: spread <= 1.2,
      measured: `${fixed(spread)} × from the fastest to the slowest, ${resolution[0].elements} to ${resolution[resolution.length - 1].elements} elements`,
    },
    ...scenes
      .filter(({ scene }) => scene === 'oak')
      .map(({ millis }) => ({
        line: `oak: at most ${OAK} ms a step on one core`,
        holds: millis <= OAK,
        measured: `${fixed(millis, 1)} ms`,
      })),
    ...scenes
      .filter(({ scene }) => REDUCTION[scene])
      .map(({ scene, reduction }) => ({
        line: `${scene}: meshes reduced in less than ${REDUCTION[scene]} s`,
        holds: reduction < REDUCTION[scene],
        measured: `${fixed(reduction, 1)} s`,
      })),
    ...(scenes.length > 0
      ? [
          {
            line: 'scenes run with the solver they suggest',
            holds: scenes.every(({ failed }) => !failed),
            measured: scenes.map(({ scene, failed }) => `${scene} ${failed ? 'fails' : 'runs'}`).join(', '),
          },
        ]
      : []),
  ]
}
