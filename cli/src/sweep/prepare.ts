/**
 * From what the user asks for to a task and its jobs. Whatever can be refused is refused here, before anything runs.
 */
import { statSync } from 'node:fs'
import { buildModel, completeOptions, createState, type GivenState, type Model, ModelError, type Solver, type Spec, solvers } from 'limber'
import { findScene, wrongValue } from 'limber-scenes'
import { autoSolver } from '../choose-solver.js'
import { sceneNames, sceneParameters } from '../commands/scene.js'
import { applyKeyframe } from '../keyframe.js'
import { checkSceneOptions, type ModelOptions, readSpec } from '../model-file.js'
import { inFile, refuse } from '../problem.js'
import { readStateFile } from '../state-file.js'
import { hint } from '../suggest.js'
import type { Settings, Value } from '../values.js'
import { version } from '../version.js'
import { type Ensemble, jobCount, valuesOf } from './jobs.js'
import { checkName, type Key, knownKeys, numberFor, readKey } from './keys.js'
import { specOf } from './run-job.js'
import type { SweepTask } from './task.js'
import { isRange, parseVariation, type Variation } from './variation.js'

export interface Asked extends ModelOptions {
  readonly vary?: readonly string[]
  readonly random?: number
  readonly seed: number
  readonly set?: Settings
  readonly solver?: string
  readonly timestep?: number
  readonly duration?: number
  readonly keyframe?: string
  readonly state?: string
}

export interface Prepared {
  readonly task: SweepTask
  readonly ensemble: Ensemble
  readonly jobs: number
}

/** jobs of a sweep: beyond this it is a slip */
const most = 10_000_000

export async function prepare(file: string, asked: Asked): Promise<Prepared> {
  const { vary = [], random, seed, set = {}, solver, timestep, duration, keyframe } = asked
  if (vary.length === 0) refuse('--vary', 'expected at least one: --vary key=a:b:n or --vary key=v1,v2,v3')
  const given = { ...set, ...definedOf({ solver, timestep, duration }) }
  // as for every MODEL, a file of the same name wins
  const isScene = sceneNames().includes(file) && !(statSync(file, { throwIfNoEntry: false })?.isFile() ?? false)
  if (isScene) checkSceneOptions(file, asked)
  const parameters = isScene ? sceneParameters(file) : []
  const parsed = vary.map((text) => parseVariation(text, random !== undefined))
  const keys = parsed.map(({ key }) => key)
  checkOnce(keys, given, set)
  const whole = (variation: Variation): boolean => isScene && findScene(file)?.parameters[variation.key]?.integer === true
  const variations = parsed.map((variation) => (isRange(variation) ? { ...variation, whole: whole(variation) } : variation))
  const ensemble: Ensemble = { variations, ...(random === undefined ? {} : { random: { count: random, seed } }) }
  const jobs = jobCount(ensemble)
  if (jobs > most) refuse('--vary', `expected at most ${most} jobs, got ${jobs}; vary less, or draw samples with --random N`)

  const base = {
    limber: version,
    file,
    model: isScene ? { scene: file } : { spec: travelling(await readSpec(file, asked)) },
    keys,
    fixed: given,
  }
  const models = await modelsOf(base, ensemble, parameters)
  const first = models[0] as Model
  const checks = new Map<string, readonly Value[]>([
    ...Object.entries(given).map(([key, value]): [string, readonly Value[]] => [key, [value]]),
    ...variations.map((variation): [string, readonly Value[]] => [variation.key, valuesToCheck(variation)]),
  ])
  checkKeys(checks, models, parameters, isScene ? file : '')
  if (keyframe !== undefined) applyKeyframe(first, createState(first), keyframe)
  const state: GivenState | undefined = asked.state === undefined ? undefined : await readStateFile(asked.state, first)
  return { task: { ...base, ...definedOf({ keyframe, state }) }, ensemble, jobs }
}

/** What the model is made of: not where it stood, and not what was left out. */
function travelling(read: Spec): Spec {
  const { places: _, ignored: __, ...spec } = read
  return spec
}

function definedOf<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

function checkOnce(keys: readonly string[], given: Settings, set: Settings): void {
  keys.forEach((key, k) => {
    if (keys.indexOf(key) < k) refuse(`--vary ${key}`, 'this key varies already; list all its values in one --vary')
    if (Object.hasOwn(given, key))
      refuse(`--vary ${key}`, `${Object.hasOwn(set, key) ? `--set ${key}` : `--${key}`} gives one value; leave one of the two out`)
  })
  for (const key of ['solver', 'timestep', 'duration']) {
    if (Object.hasOwn(set, key) && Object.hasOwn(given, key) && set[key] !== given[key])
      refuse(`--set ${key}`, `--${key} is given too; leave one of the two out`)
  }
}

/** Models of the first and of the last job, which differ where parameters of a scene vary; keys that name a joint are looked for in both. */
async function modelsOf(task: SweepTask, ensemble: Ensemble, parameters: readonly string[]): Promise<Model[]> {
  const settingsOf = (job: number): Settings => {
    const values = valuesOf(ensemble, job)
    const all = { ...task.fixed, ...Object.fromEntries(task.keys.map((key, k) => [key, values[k] as Value])) }
    return Object.fromEntries(Object.entries(all).filter(([key]) => parameters.includes(key)))
  }
  const texts = new Set([1, jobCount(ensemble)].map((job) => JSON.stringify(settingsOf(job))))
  const models: Model[] = []
  let problem: unknown
  for (const text of texts) {
    try {
      models.push(await inFile(task.file, () => buildModel(specOf(task, JSON.parse(text) as Settings))))
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      problem ??= error
    }
  }
  if (models.length === 0) throw problem
  return models
}

/** All of a list; both ends of a range. */
function valuesToCheck(variation: Variation): readonly Value[] {
  return isRange(variation) ? [variation.from, variation.to] : variation.values
}

function checkKeys(
  checks: ReadonlyMap<string, readonly Value[]>,
  models: readonly Model[],
  parameters: readonly string[],
  scene: string,
): void {
  const first = models[0] as Model
  const used = solversOf(checks, first)
  const options = Object.keys(used[0]?.options ?? {})
  for (const [text, values] of checks) {
    const key = readKey(text, parameters)
    const known = (): string[] => knownKeys(text, parameters, options, first)
    if (key.of === 'solver') checkOption(key.name, values, used, known)
    else if (key.of === 'run') checkRun(text, values)
    else if (key.of === 'scene') checkParameter(scene, key.name, values)
    else {
      for (const value of values) numberFor(text, value)
      checkInAny(models, key, text, known)
    }
  }
  const [only] = used
  if (used.length === 1 && only) {
    const reasons = models.map((model) => only.refuses(model))
    const [reason] = reasons
    if (reason && !reasons.includes(null)) refuse(`--solver ${only.name}`, `cannot run this model: ${reason}`)
  }
}

function checkInAny(models: readonly Model[], key: Key, text: string, known: () => string[]): void {
  let problem: unknown
  for (const model of models) {
    try {
      return checkName(model, key, text, known)
    } catch (error) {
      problem = error
    }
  }
  throw problem
}

/** Every solver that jobs name, or what `auto` takes for the first. */
function solversOf(checks: ReadonlyMap<string, readonly Value[]>, model: Model): Solver[] {
  const timestep = checks.get('timestep')?.[0]
  return (checks.get('solver') ?? ['auto']).map((name) => {
    const taken = name === 'auto' ? autoSolver(model, typeof timestep === 'number' ? timestep : undefined).name : String(name)
    const solver = Object.hasOwn(solvers, taken) ? solvers[taken] : undefined
    return solver ?? refuse(`solver=${name}`, `there is no solver of this name${hint(taken, ['auto', ...Object.keys(solvers)])}`)
  })
}

function checkOption(name: string, values: readonly Value[], used: readonly Solver[], known: () => string[]): void {
  for (const solver of used) {
    if (!Object.hasOwn(solver.options, name)) {
      const owners = Object.keys(solvers).filter((other) => Object.hasOwn(solvers[other]?.options ?? {}, name))
      const elsewhere =
        owners.length > 0 ? `; ${owners.join(' and ')} ${owners.length === 1 ? 'has' : 'have'} it: add --solver ${owners[0]}` : ''
      refuse(name, elsewhere ? `the solver ${solver.name} has no such option${elsewhere}` : `there is no such key${hint(name, known())}`)
    }
    for (const value of values) {
      try {
        completeOptions(solver, { [name]: value })
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        refuse(`${name}=${value}`, error.message)
      }
    }
  }
}

function checkRun(name: string, values: readonly Value[]): void {
  if (name === 'solver') return
  for (const value of values) if (!(numberFor(name, value) > 0)) refuse(`${name}=${value}`, 'expected a positive number of seconds')
}

function checkParameter(scene: string, name: string, values: readonly Value[]): void {
  const parameter = findScene(scene)?.parameters[name]
  for (const value of values) {
    const wrong = parameter && wrongValue(parameter, typeof value === 'boolean' ? String(value) : value)
    if (wrong) refuse(`${name}=${value}`, wrong)
  }
}
