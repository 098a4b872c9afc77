/**
 * One job: builds its model, runs it, and writes its row. What goes wrong is what the row says; nothing is thrown.
 */
import { createHash } from 'node:crypto'
import { buildModel, createData, type Energy, energy, type Model, ModelError, type Simulation, type Spec, type State } from 'limber'
import { startSimulation } from '../choose-solver.js'
import { buildScene, sceneParameters } from '../commands/scene.js'
import { applyKeyframe } from '../keyframe.js'
import { refuse } from '../problem.js'
import { applyState } from '../state-file.js'
import type { Settings, Value } from '../values.js'
import { type Change, changeSpec } from './change-spec.js'
import { type Key, numberFor, readKey, startIndex } from './keys.js'
import type { SweepTask } from './task.js'

/** A line of the results. */
export interface Row {
  readonly job: number
  readonly values: Settings
  /** `ok`, or what went wrong */
  readonly status: string
  readonly solver?: string
  readonly timestep?: number
  /** simulated time that was reached */
  readonly time?: number
  readonly energy?: { readonly initial: Energy; readonly final: Energy }
  readonly statistics?: { readonly evaluations: number; readonly steps: number; readonly rejected: number; readonly iterations: number }
  /** seconds of the computation */
  readonly wall?: number
  /** of the last state: equal for equal bits */
  readonly hash?: string
  readonly q?: readonly number[]
  readonly v?: readonly number[]
  readonly warnings?: readonly string[]
}

export interface Result {
  readonly ok: boolean
  /** the row as one line of JSON */
  readonly text: string
}

export type RunJob = (job: number, values: readonly Value[]) => Result

/** seconds when nothing else is said */
export const defaultDuration = 1

/** Prepares to run jobs of this task one after another; a model that the next job needs too is kept. */
export function createJobRunner(task: SweepTask): RunJob {
  const parameters = 'scene' in task.model ? sceneParameters(task.model.scene) : []
  const keys = new Map<string, Key>([...task.keys, ...Object.keys(task.fixed)].map((text) => [text, readKey(text, parameters)]))
  const modelFor = createModelCache(task)
  return (job, values) => {
    const own = Object.fromEntries(task.keys.map((text, k) => [text, values[k] as Value]))
    const settings = Object.entries({ ...task.fixed, ...own }).map(([text, value]) => ({ text, value, key: keys.get(text) as Key }))
    try {
      return resultOf({ job, values: own, ...simulate(task, settings, modelFor) })
    } catch (error) {
      return failedResult(job, own, messageOf(error))
    }
  }
}

/** The row of a job that could not be run. */
export function failedResult(job: number, values: Settings, status: string): Result {
  return resultOf({ job, values, status })
}

/** The mechanism of a task with these parameters of its scene. */
export function specOf({ model }: SweepTask, parameters: Settings): Spec {
  return 'scene' in model ? buildScene(model.scene, parameters) : model.spec
}

interface Setting {
  readonly text: string
  readonly key: Key
  readonly value: Value
}

type ModelFor = (settings: readonly Setting[]) => Model

/** Models by the settings that go into them; the last one and its Spec are kept. */
function createModelCache(task: SweepTask): ModelFor {
  let spec: Spec | undefined
  let specName = ''
  let model: Model | undefined
  let modelName = ''
  return (settings) => {
    const parameters = Object.fromEntries(settings.flatMap(({ key, value }) => (key.of === 'scene' ? [[key.name, value]] : [])))
    const changes = settings.flatMap(({ key, text, value }): Change[] =>
      isOfModel(key) ? [{ key, text, value: numberFor(text, value) }] : [],
    )
    const nextSpec = JSON.stringify(parameters)
    const nextModel = JSON.stringify([parameters, changes])
    if (model && nextModel === modelName) return model
    model = undefined
    if (!spec || nextSpec !== specName) {
      spec = specOf(task, parameters)
      specName = nextSpec
    }
    model = buildModel(changeSpec(spec, changes))
    modelName = nextModel
    return model
  }
}

function isOfModel({ of }: Key): boolean {
  return of === 'gravity' || of === 'mass' || of === 'damping' || of === 'stiffness' || of === 'armature' || of === 'friction'
}

function simulate(task: SweepTask, settings: readonly Setting[], modelFor: ModelFor): Omit<Row, 'job' | 'values'> {
  const run = Object.fromEntries(settings.flatMap(({ key, value }) => (key.of === 'run' ? [[key.name, value]] : [])))
  const set = Object.fromEntries(settings.flatMap(({ key, value }) => (key.of === 'solver' ? [[key.name, value]] : [])))
  const { timestep, duration = defaultDuration, solver } = run
  const model = modelFor(settings)
  const simulation = startSimulation(
    { file: task.file, model },
    {
      set,
      ...(timestep === undefined ? {} : { timestep: numberFor('timestep', timestep) }),
      ...(solver === undefined ? {} : { solver: String(solver) }),
    },
  )
  try {
    setStart(task, settings, model, simulation.state)
    return advance(simulation, numberFor('duration', duration))
  } finally {
    simulation.close()
  }
}

function setStart({ keyframe, state: given }: SweepTask, settings: readonly Setting[], model: Model, state: State): void {
  if (keyframe !== undefined) applyKeyframe(model, state, keyframe)
  if (given !== undefined) {
    for (const [name, length] of [
      ['q', model.nq],
      ['v', model.nv],
      ['tau', model.nv],
      ['control', model.nu],
    ] as const) {
      const list = given[name]
      if (list && list.length !== length) refuse('--state', `${name}: expected ${length} numbers for this model, got ${list.length}`)
    }
    applyState(state, given)
  }
  for (const { key, text, value } of settings) {
    if (key.of !== 'q' && key.of !== 'v' && key.of !== 'control') continue
    const at = startIndex(model, key) ?? refuse(text, 'the model has nothing of this name')
    state[key.of][at] = numberFor(text, value)
  }
}

function advance(simulation: Simulation, duration: number): Omit<Row, 'job' | 'values'> {
  const { model, state, solver, timestep } = simulation
  const data = createData(model)
  const initial = energy(model, data, state)
  const begin = performance.now()
  const report = simulation.advance(duration)
  const wall = (performance.now() - begin) / 1000
  const { evaluations, steps, rejected, iterations } = report
  const warnings = simulation.warnings()
  return {
    status: report.status === 'ok' ? 'ok' : oneLine(report.message) || report.status,
    solver: solver.name,
    timestep,
    time: state.t,
    energy: { initial, final: energy(model, data, state) },
    statistics: { evaluations, steps, rejected, iterations },
    wall,
    hash: hashOf(state),
    q: Array.from(state.q),
    v: Array.from(state.v),
    ...(warnings.length > 0 ? { warnings } : {}),
  }
}

function hashOf({ t, q, v }: State): string {
  const hash = createHash('sha256')
  for (const part of [Float64Array.of(t), q, v]) hash.update(new Uint8Array(part.buffer, part.byteOffset, part.byteLength))
  return hash.digest('hex').slice(0, 16)
}

/** One line; numbers that JSON does not have as strings. */
function resultOf(row: Row): Result {
  const text = JSON.stringify(row, (_, value: unknown) => (typeof value === 'number' && !Number.isFinite(value) ? String(value) : value))
  return { ok: row.status === 'ok', text }
}

function messageOf(error: unknown): string {
  if (error instanceof ModelError || error instanceof Error) return oneLine(error.message) || error.name
  return oneLine(String(error))
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, '; ')
}
