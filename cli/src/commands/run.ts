/**
 * `limber run`: simulates a model.
 */
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { type Model, modelHash, recordingExtras, type Simulation, solvers, withoutFooting } from 'limber'
import { type Checkpoint, type RunSetup, readCheckpoint } from '../checkpoint.js'
import { type SolverOptions, solverName, startSimulation } from '../choose-solver.js'
import { act, addCommand, failure, type Session, success } from '../command.js'
import { collectControl, findControls } from '../control.js'
import { checkExtras, checkFolder, checkRecordingSuffix, recordingList, recordingSuffixes } from '../formats.js'
import { removeFrames } from '../frames-file.js'
import { interruption } from '../interruption.js'
import { applyKeyframe } from '../keyframe.js'
import { loadModel, type ModelOptions } from '../model-file.js'
import { count, joules, type Output, short } from '../output.js'
import type { ParallelOptions } from '../parallel-run.js'
import { refuse } from '../problem.js'
import { checkAgain, type GivenOptions, recordedTo } from '../resume.js'
import { type RunPlan, type Summary, simulate } from '../simulate.js'
import { applyState, readStateFile } from '../state-file.js'
import { collectSetting, positiveNumber, wholeNumber } from '../values.js'

interface RunOptions extends GivenOptions, ParallelOptions, ModelOptions {
  readonly json?: boolean
  readonly checkpoint?: string
  readonly checkpointEvery?: number
  readonly resume?: string
}

/** seconds that a run takes where nothing is said, frames a second of a recording, and checkpoints of a run */
const usual = { duration: 1, fps: 60, checkpoints: 100 }

export function registerRun(program: Command, session: Session): void {
  const command = addCommand(program, {
    name: 'run',
    usage: '<model>',
    summary: 'simulate a model',
    description: 'Simulates a model from its initial state. Solver and step are the ones the model suggests unless given here.',
    examples: [
      'limber run robot.xml --duration 5 --out motion.csv',
      'limber run chain --timestep 0.001 --set method=semi-implicit',
      'limber run robot.xml --duration 5 --out motion.csv --record sensors,controls,contacts',
      'limber run robot.urdf --state start.json --duration 2 --out motion.glb',
      'limber run robot.urdf --base free --floor --actuators position --control knee=-1',
      'limber run robot.xml --control elbow=0.5 --control wrist=-1',
      'limber run crowd --duration 600 --out crowd.glb --checkpoint crowd.checkpoint',
      'limber run crowd --resume crowd.checkpoint',
      'limber run mobile.json --parallel auto',
      'mpirun -n 4 limber run mobile.json --parallel mpi',
    ],
  })
    .option('--solver <name>', 'auto, or a name that limber info lists (default: auto)')
    .option('--timestep <seconds>', 'step (default: what the model suggests)', positiveNumber)
    .option('--duration <seconds>', `simulated time (default: ${usual.duration})`, positiveNumber)
    .option('--state <file>', 'start from {"q": [...], "v": [...], "tau": [...]}; tau acts during the whole run')
    .option('--keyframe <name>', 'start from this keyframe of the model, its controls included')
    .option('--control <name=value>', 'what an actuator is told during the whole run; repeat for more', collectControl)
    .option('-o, --out <file>', `record the motion: ${recordingSuffixes.join(', ')}`)
    .option('--fps <n>', `frames a second in the recording (default: ${usual.fps})`, positiveNumber)
    .option('--record <list>', `record besides the motion: ${recordingExtras.join(',')}; not in .glb`, recordingList)
    .option('--set <key=value>', 'set an option of the solver; repeat for more', collectSetting)
    .option('--checkpoint <file>', 'write down where the run stands, to go on from there with --resume')
    .option(
      '--checkpoint-every <seconds>',
      'simulated time from one checkpoint to the next (default: a hundredth of the duration)',
      positiveNumber,
    )
    .addOption(
      new Option(
        '--parallel <how>',
        'one simulation on several threads, on the processes that mpirun started, or on what pays (default: none)',
      ).choices(['none', 'threads', 'mpi', 'auto']),
    )
    .option('--processors <n>', 'threads to use (default: one a core)', wholeNumber(1))
    .option('--resume <file>', 'go on from a checkpoint, to the same bits; options that are left out are those of its run')
  act<RunOptions>(command, session, async ([file = ''], given, output) => {
    const from = given.resume === undefined ? undefined : readCheckpoint(given.resume)
    const recording = recordingOf(given, from)
    if (recording) checkRecordingSuffix(recording.out)
    if (given.record) checkExtras(given.record, recording?.out)
    // of a run that is finished nothing is written but the result
    const writes = from?.finished !== true
    const target = given.checkpoint ?? given.resume
    if (given.checkpointEvery !== undefined && target === undefined)
      refuse('--checkpoint-every', 'add --checkpoint FILE: where to write them')
    if (recording && writes) checkTarget(`--out ${recording.out}`, recording.out, [file, given.state])
    if (target !== undefined && writes) checkTarget(`--checkpoint ${target}`, target, [file, given.state, recording?.out])

    const loaded = await loadModel(file, given)
    if (from && given.resume !== undefined) await checkAgain(given.resume, from, loaded.model, given)
    const options = from ? { ...given, ...from.setup, set: { ...given.set, ...from.setup.set } } : given
    const company = await companyOf(loaded.model, options, given)
    if (company === 'served') return success
    const simulation = startSimulation(loaded, company ? { ...options, set: company.set } : options, company?.solver)
    const setup = from?.setup ?? (await setUp(loaded.model, simulation, given))
    const { timestep } = simulation
    if (setup.duration / timestep > Number.MAX_SAFE_INTEGER) {
      refuse(`--duration ${setup.duration}`, `expected at most ${Number.MAX_SAFE_INTEGER} steps of ${timestep} s; shorten it`)
    }
    applyStart(simulation, setup)

    const every = given.checkpointEvery ?? from?.every ?? Math.max(timestep, setup.duration / usual.checkpoints)
    const plan: RunPlan = {
      ...{ loaded, simulation, setup: { ...setup, start: simulation.state.t } },
      ...(recording && writes ? { recording } : {}),
      ...(target !== undefined && writes ? { checkpoint: { file: target, every } } : {}),
      ...(from && given.resume !== undefined ? { resume: { file: given.resume, from } } : {}),
    }
    // before it falls, not after
    const told = from ? [] : withoutFooting(loaded.model)
    for (const warning of told) output.note(`limber: ${file}: ${warning}`)
    // a run that leaves nothing behind ends as usual
    const asked = plan.recording || plan.checkpoint ? interruption() : undefined
    const { summary, message, failed, recorded } = await simulate(plan, output, asked?.signal).finally(() => {
      asked?.release()
      simulation.close()
    })
    company?.finish()
    if (from?.finished && given.resume !== undefined) {
      removeFrames(given.resume)
      output.note(`limber: ${given.resume}: the run is finished; this is its result`)
    }

    output.document(company ? { ...summary, parallel: company.says } : summary)
    print(summary, recorded || !writes ? recording?.out : undefined, output, [...told, message], company?.says)
    if (message) {
      output.note(`limber: ${file}: ${message}`)
      if (recording && !recorded && writes) output.note(`limber: ${recording.out}: not written, no step was made`)
      if (failed && !message.includes('redmax') && summary.solver === 'ode' && solvers.redmax.refuses(loaded.model) === null)
        output.note('limber: --solver redmax is implicit and takes larger steps')
    }
    return message ? failure : success
  })
}

/** What runs the model besides this process, loaded where it is asked for. */
async function companyOf(model: Model, options: SolverOptions, given: ParallelOptions) {
  if (given.parallel === undefined || given.parallel === 'none') {
    if ((given.processors ?? 1) > 1) refuse(`--processors ${given.processors}`, 'add --parallel threads, mpi or auto')
    return undefined
  }
  const { findCompany } = await import('../parallel-run.js')
  return findCompany(model, solverName(model, options), options.set ?? {}, given.parallel, given.processors)
}

/** Where the recording goes, and how many frames a second it has; as before where a run goes on. */
function recordingOf({ out, fps, record, resume }: RunOptions, from: Checkpoint | undefined): RunPlan['recording'] {
  if (from?.recording && resume !== undefined) return { ...from.recording, out: out ?? recordedTo(resume, from.recording) }
  return out === undefined ? undefined : { out, fps: fps ?? usual.fps, ...(record ? { include: record } : {}) }
}

/** Refuses a file for results that cannot be written, or that is one of these already. */
function checkTarget(option: string, target: string, taken: readonly (string | undefined)[]): void {
  for (const other of taken) {
    if (other !== undefined && resolve(other) === resolve(target)) refuse(option, `it would overwrite ${other}; give another name`)
  }
  checkFolder(target)
}

async function setUp(model: Model, { solver, options: set, timestep }: Simulation, given: RunOptions): Promise<RunSetup> {
  const { duration = usual.duration, keyframe, state, control } = given
  return {
    ...{ model: modelHash(model), solver: solver.name, set, timestep, duration, start: 0 },
    ...(keyframe === undefined ? {} : { keyframe }),
    ...(state === undefined ? {} : { state: await readStateFile(state, model) }),
    ...(control === undefined ? {} : { control: findControls(model, control) }),
  }
}

/** The state that the run begins with: of the keyframe, the file and the controls the later ones win. */
function applyStart({ model, state }: Simulation, { keyframe, state: given, control = {} }: RunSetup): void {
  if (keyframe !== undefined) applyKeyframe(model, state, keyframe)
  if (given !== undefined) applyState(state, given)
  for (const [k, value] of Object.entries(control)) state.control[Number(k)] = value
}

/** Prints a summary, without the messages that are told elsewhere. */
function print(summary: Summary, out: string | undefined, output: Output, told: readonly string[], parallel?: string): void {
  const { model, solver, timestep, steps, time, wall, energy: e, statistics, warnings } = summary
  const total = (x: { kinetic: number; potential: number }) => x.kinetic + x.potential
  output.line(`${model}: ${short(time)} s simulated in ${short(wall)} s`)
  output.line(
    `  solver      ${solver}, step ${short(timestep)} s, ${count(steps, 'step')}, ${statistics.evaluations} evaluations of the dynamics`,
  )
  if (parallel !== undefined) output.line(`  processors  ${parallel}`)
  for (const [name, value] of [
    ['at start', e.initial],
    ['at end', e.final],
  ] as const) {
    output.line(
      `  ${name.padEnd(10)}  kinetic ${joules(value.kinetic)}, potential ${joules(value.potential)}, total ${joules(total(value))}`,
    )
  }
  if (out !== undefined) output.line(`  recorded    ${out}`)
  for (const warning of warnings) if (!told.includes(warning)) output.line(`  ${output.style('yellow', 'note')}        ${warning}`)
}
