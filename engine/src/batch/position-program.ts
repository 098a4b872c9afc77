/** What a batch of position trajectories runs. */
import type { Model } from '../model/model.js'
import { trajectoryColumns } from '../solvers/position/lanes/constants.js'
import { planTrajectories, type TrajectoryParameter } from '../solvers/position/lanes/layout.js'
import { leftOutOfTrajectories } from '../solvers/position/lanes/scope.js'
import type { LaneSource } from './lanes.js'
import { explicitParameters } from './layout.js'
import type { Program, ProgramOptions } from './programs.js'
import { createRunner } from './trajectories.js'

const trajectorySource: LaneSource = {
  text: {
    f64: async () => (await import('../printed/trajectories-f64x2.js')).f64x2,
    f32: async () => (await import('../printed/trajectories-f32x4.js')).f32x4,
    'f64 fused': async () => (await import('../printed/trajectories-f64x2-fused.js')).f64x2,
    'f32 fused': async () => (await import('../printed/trajectories-f32x4-fused.js')).f32x4,
  },
  single: async () => (await import('../printed/trajectories.js')).trajectoriesModule,
}

/** How steps of the position method are searched for. */
export interface SearchOptions {
  readonly optimizer: 'newton' | 'lm'
  /** largest coordinate of the last iteration, as far as the precision carries */
  readonly tolerance: number | undefined
  readonly iterations: number | undefined
}

const SEARCH_TOLERANCE = { f64: 1e-9, f32: 1e-6 }
const SEARCH_ITERATIONS = 100

export function positionProgram(model: Model, search: SearchOptions, options: ProgramOptions): Program {
  const { timestep, precision, count, vary } = options
  const { optimizer, tolerance = SEARCH_TOLERANCE[precision], iterations = SEARCH_ITERATIONS } = search
  const columns = trajectoryColumns(model, { timestep, precision, optimizer, tolerance, iterations })
  const own = vary as readonly TrajectoryParameter[]
  return {
    sources: [trajectorySource],
    shaders: async () => (await import('../printed/wgsl-trajectories.js')).wgsl,
    // accelerations and observations there are none
    kernels: [
      'finishTrajectories',
      'stepTrajectories',
      'finishTrajectories',
      'beginTrajectories',
      'iterateTrajectories',
      'finishTrajectories',
    ],
    parameters: [...explicitParameters, 'delay'],
    observed: undefined,
    searching: createRunner,
    leftOut: leftOutOfTrajectories(model),
    plan: (form, threads) => planTrajectories(model, columns, { form, count, threads, vary: own }),
  }
}
