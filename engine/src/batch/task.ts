/** Tasks of learning: a model, what is observed of it, how actions move it, and functions over rows of numbers. */
import type { Model } from '../model/model.js'
import type { Observation } from '../solvers/implicit/observe.js'
import type { BatchParameter } from './layout.js'
import type { BatchContact } from './programs.js'
import type { Random } from './random.js'
import type { StartNoise } from './start.js'
import type { EnvironmentVector } from './views.js'

/** One environment after a step. The same object at each call: keep numbers, not the row. */
export interface TaskRow {
  readonly environment: number
  /** what `observe` names, one after the other */
  readonly numbers: Float64Array
  /** the part of `numbers` that `observe` names so; always the same array */
  of(name: string): Float64Array
  /** action of this step and of the one before, as the policy gave them; zeros at the start */
  readonly action: Float32Array
  readonly lastAction: Float32Array
  /** seconds since the start of the episode */
  readonly time: number
  /** numbers of the task's own, `memory` of them, kept from step to step */
  readonly memory: Float64Array
  /** of this environment alone */
  readonly random: Random
}

/** One environment at the start of an episode: q and v as keyframe and noise leave them, to be written. */
export interface StartRow {
  readonly environment: number
  readonly q: Float64Array
  readonly v: Float64Array
  readonly memory: Float64Array
  /** numbers of the model that environments have for themselves, named in `vary` */
  parameter(name: BatchParameter): EnvironmentVector
  /** `options` of the `reset` that began the episode, and of those that follow by themselves */
  readonly options: unknown
}

export interface Task {
  readonly model: Model
  /** seconds; default: the model's */
  readonly timestep?: number
  /** steps that hold an action */
  readonly substeps: number
  /** what functions over rows see, and without `observation` the policy too */
  readonly observe: readonly Observation[]
  /** seconds after which an episode is truncated; default: none */
  readonly episode?: number
  /** default true */
  readonly contact?: boolean | BatchContact
  readonly vary?: readonly BatchParameter[]
  /** numbers of `row.memory`, zero at the start of an episode; default 0 */
  readonly memory?: number
  /** keyframe and noise of every start; default: the model's initial coordinates */
  readonly start?: { readonly keyframe?: string; readonly noise?: number | StartNoise }
  /** called at every start, after keyframe and noise */
  begin?(row: StartRow, random: Random): void
  /**
   * control = offset + scale · action, each one number or one an actuator; `limit`: actions are clamped to ± limit first. Default: offset the
   * control of the start's keyframe, else 0; scale 1, no limit.
   */
  readonly action?: { readonly offset?: number | ArrayLike<number>; readonly scale?: number | ArrayLike<number>; readonly limit?: number }
  reward(row: TaskRow): number
  /** whether the episode ends for good: a fall, a goal; default never */
  terminated?(row: TaskRow): boolean
  /** numbers of an observation and what writes them; default: those of `observe` */
  readonly observation?: { readonly size: number; write(row: TaskRow, out: Float32Array): void }
}
