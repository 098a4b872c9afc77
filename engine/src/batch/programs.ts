/**
 * What a batch runs: explicit steps, or the ground step with contact. A program says which kernels, what lies in memory, and what of the model
 * it leaves out.
 */
import type { LaneForm } from '../kernels/lane-layout.js'
import type { Model } from '../model/model.js'
import { groundConstants } from '../solvers/implicit/constants.js'
import { type GroundParameter, planGround } from '../solvers/implicit/layout.js'
import { type Observation, type Observations, planObservations } from '../solvers/implicit/observe.js'
import { leftOutOfGround } from '../solvers/implicit/scope.js'
import { groundKernels, pairKernels } from '../solvers/implicit/step-names.js'
import { tableaus } from '../solvers/ode/tableaus.js'
import type { PackedShader } from './gpu/unpack.js'
import { explicitSource, groundSource, type LaneSource, observeSource, type Precision, pairSource } from './lanes.js'
import { type BatchArray, type BatchParameter, batchParameters, explicitParameters, type Layout, planLayout } from './layout.js'
import { leftOutOfBatch } from './left-out.js'
import { type BatchOptions, contactOf } from './options.js'
import { positionProgram } from './position-program.js'
import type { TrajectoryRunner } from './trajectories.js'

export type BatchMethod = 'semi-implicit' | 'rk4' | 'euler'

/** Contact with the ground, and how closely it is solved. */
export interface BatchContact {
  /** contacts among the bodies, of spheres and capsules; default true */
  readonly self?: boolean
  /** residual of the contact forces, relative to the weight of the lightest tree; default 1e-4, in f32 1e-3 */
  readonly tolerance?: number
  /** Newton iterations of a step at most; default 20 */
  readonly iterations?: number
}

export interface Program {
  readonly sources: readonly LaneSource[]
  /** fetches the packed text of its kernels for a GPU */
  readonly shaders: () => Promise<PackedShader>
  /**
   * kernels by the number of their task: accelerations of the state, a step, observations; of trajectories nothing, a run of steps, and its parts:
   * beginning, one call of a search, velocities at the end
   */
  readonly kernels: readonly string[]
  readonly observed: Observations | undefined
  /** parameters that may vary */
  readonly parameters: readonly BatchParameter[]
  readonly leftOut: readonly string[]
  /** where environments are trajectories of the position method: what runs them */
  readonly searching?: (layout: Layout, F: BatchArray, count: number, traced: boolean) => TrajectoryRunner
  plan(form: LaneForm, threads: number): Layout
}

export interface ProgramOptions {
  readonly count: number
  readonly timestep: number
  readonly precision: Precision
  readonly vary: readonly GroundParameter[]
}

/** The program that these options ask for; those that it does not have are refused. */
export function programOf(model: Model, options: Omit<BatchOptions, 'count' | 'device'>, planned: ProgramOptions): Program {
  const { solver, method = 'semi-implicit', optimizer = 'newton', tolerance, iterations, observe, vary = [] } = options
  const contact = contactOf(options)
  if ((contact === undefined || solver === 'position') && observe !== undefined)
    throw new RangeError(
      "observe: batches with contact have it; give `contact: true`, or `solver: 'implicit'` for a model that touches nothing",
    )
  const program =
    solver === 'position'
      ? positionProgram(model, { optimizer, tolerance, iterations }, planned)
      : contact === undefined
        ? explicitProgram(model, method, planned)
        : groundProgram(model, contact, observe ?? [], planned)
  for (const name of vary)
    if (!program.parameters.includes(name))
      throw new RangeError(
        program.searching
          ? `vary: '${name}' belongs to the ground step; leave it out, or take \`contact: true\` in place of position`
          : `vary: '${name}' belongs to steps with contact; give \`contact: true\`, or leave it out`,
      )
  return program
}

export function explicitProgram(model: Model, method: BatchMethod, options: ProgramOptions): Program {
  const tableau = method === 'semi-implicit' ? undefined : tableaus[method]
  return {
    sources: [explicitSource],
    shaders: async () => (await import('../printed/wgsl.js')).wgsl,
    kernels: ['groupDynamics', tableau === undefined ? 'stepSemiImplicit' : 'stepRungeKutta'],
    parameters: [...explicitParameters, 'delay'],
    observed: undefined,
    leftOut: leftOutOfBatch(model),
    plan: (form, threads) => planLayout(model, { ...options, form, threads, tableau }),
  }
}

/** tolerance of the contact forces, as far as the precision carries */
const TOLERANCE = { f64: 1e-4, f32: 1e-3 }
const ITERATIONS = 20

export function groundProgram(model: Model, contact: BatchContact, observe: readonly Observation[], options: ProgramOptions): Program {
  const { timestep, precision, count, vary } = options
  const { self = true, tolerance = TOLERANCE[precision], iterations = ITERATIONS } = contact
  const constants = groundConstants(model, { timestep, tolerance, iterations, self })
  const observed = planObservations(model, observe)
  const hasPairs = constants.pairs > 0
  return {
    shaders: async () => (await (hasPairs ? import('../printed/wgsl-pairs.js') : import('../printed/wgsl.js'))).wgsl,
    sources: [hasPairs ? pairSource : groundSource, ...(observed.size > 0 ? [observeSource] : [])],
    kernels: [...(hasPairs ? pairKernels : groundKernels)[constants.kind], ...(observed.size > 0 ? ['observe'] : [])],
    parameters: batchParameters,
    observed,
    leftOut: leftOutOfGround(model, { name: 'batches', self, instead: 'take createSimulation with redmax' }),
    plan: (form, threads) => planGround(model, constants, observed, { form, count, threads, vary }),
  }
}
