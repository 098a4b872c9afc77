/**
 * `--resume FILE`: what is given again must be what the checkpoint was written with, the rest is taken from it.
 */
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { type Model, modelHash, type RecordingExtra } from 'limber'
import type { Checkpoint, RunSetup } from './checkpoint.js'
import { autoSolver, type SolverOptions } from './choose-solver.js'
import { type Controls, findControls } from './control.js'
import { findKeyframe } from './keyframe.js'
import { refuse } from './problem.js'
import { readStateFile } from './state-file.js'

export interface GivenOptions extends SolverOptions {
  readonly duration?: number
  readonly state?: string
  readonly keyframe?: string
  readonly control?: Controls
  readonly out?: string
  readonly fps?: number
  readonly record?: readonly RecordingExtra[]
}

/** Refuses, by its name, every option that would make another run than the one of the checkpoint in `file`. */
export async function checkAgain(
  file: string,
  { setup, recording, finished }: Checkpoint,
  model: Model,
  given: GivenOptions,
): Promise<void> {
  if (modelHash(model) !== setup.model)
    refuse(
      file,
      'the checkpoint is of another model, or the model was changed since (by --base, --floor or --actuators, too); begin anew without --resume',
    )
  const differs = (option: string, was: string): never =>
    refuse(option, `the run of ${file} was begun ${was}; leave this out, or begin anew without --resume`)

  if (given.solver !== undefined) {
    const name = given.solver === 'auto' ? autoSolver(model, setup.timestep).name : given.solver
    if (name !== setup.solver) differs(`--solver ${given.solver}`, `with ${setup.solver}`)
  }
  for (const [key, value] of Object.entries(given.set ?? {})) {
    // names that no solver has are refused where the solver is made
    const was = Object.hasOwn(setup.set, key) ? setup.set[key] : value
    if (String(was) !== String(value)) differs(`--set ${key}=${value}`, `with ${was}`)
  }
  if (given.timestep !== undefined && given.timestep !== setup.timestep) differs(`--timestep ${given.timestep}`, `with ${setup.timestep}`)
  if (given.duration !== undefined && given.duration !== setup.duration) differs(`--duration ${given.duration}`, `with ${setup.duration}`)
  await checkStart(setup, model, given, differs)

  if (recording) {
    if (given.fps !== undefined && given.fps !== recording.fps) differs(`--fps ${given.fps}`, `with ${recording.fps}`)
    const was = recording.include?.join(',') ?? 'nothing more'
    if (given.record && given.record.join(',') !== was) differs(`--record ${given.record.join(',')}`, `with ${was}`)
    const out = recordedTo(file, recording)
    if (finished && given.out !== undefined && resolve(given.out) !== resolve(out)) {
      refuse(`--out ${given.out}`, `the run of ${file} is finished, and recorded in ${out}; begin anew without --resume to record it again`)
    }
  } else if (given.out !== undefined) differs(`--out ${given.out}`, 'without a recording')
}

async function checkStart(
  { keyframe, state, control }: RunSetup,
  model: Model,
  given: GivenOptions,
  differs: (option: string, was: string) => never,
): Promise<void> {
  if (given.keyframe !== undefined) {
    const frame = findKeyframe(model, given.keyframe)
    if (keyframe === undefined || findKeyframe(model, keyframe) !== frame)
      differs(`--keyframe ${given.keyframe}`, keyframe === undefined ? 'without' : `with ${keyframe}`)
  }
  if (given.state !== undefined) {
    const again = await readStateFile(given.state, model)
    if (JSON.stringify(again) !== JSON.stringify(state)) differs(`--state ${given.state}`, state ? 'with other numbers' : 'without')
  }
  for (const [name, value] of Object.entries(given.control ?? {})) {
    const [k = ''] = Object.keys(findControls(model, { [name]: value }))
    const was = control && Object.hasOwn(control, k) ? control[k] : undefined
    if (was !== value) differs(`--control ${name}=${value}`, was === undefined ? 'without' : `with ${was}`)
  }
}

/** Where the recording of this checkpoint goes. */
export function recordedTo(file: string, { out }: { readonly out: string }): string {
  return isAbsolute(out) ? out : join(dirname(file), out)
}
