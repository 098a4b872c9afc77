/**
 * `limber run`: simulates a model.
 */
import type { Command } from 'commander'
import { createData, energy, type Simulation, solvers } from 'limber'
import { type SolverOptions, startSimulation, unknownSolver } from '../choose-solver.js'
import { act, addCommand, failure, type Session, success } from '../command.js'
import { checkFolder, recordingFormat, recordingSuffixes, save } from '../formats.js'
import { applyKeyframe } from '../keyframe.js'
import { loadModel, type ModelFile, nameOf } from '../model-file.js'
import { count, type Output, short } from '../output.js'
import { refuse } from '../problem.js'
import { recordSimulation } from '../record.js'
import { applyState, readStateFile } from '../state-file.js'
import { collectSetting, positiveNumber } from '../values.js'

interface RunOptions extends SolverOptions {
  readonly json?: boolean
  readonly duration: number
  readonly state?: string
  readonly keyframe?: string
  readonly out?: string
  readonly fps: number
}

/** milliseconds between progress lines */
const pulse = 100

export function registerRun(program: Command, session: Session): void {
  const command = addCommand(program, {
    name: 'run',
    usage: '<model>',
    summary: 'simulate a model',
    description: 'Simulates a model from its initial state. Solver and step are the ones the model suggests unless given here.',
    examples: [
      'limber run robot.xml --duration 5 --out motion.csv',
      'limber run chain --timestep 0.001 --set method=semi-implicit',
      'limber run robot.urdf --state start.json --duration 2 --out motion.glb',
    ],
  })
    .option('--solver <name>', 'auto, or a name that limber info lists (default: auto)')
    .option('--timestep <seconds>', 'step (default: what the model suggests)', positiveNumber)
    .option('--duration <seconds>', 'simulated time', positiveNumber, 1)
    .option('--state <file>', 'start from {"q": [...], "v": [...], "tau": [...]}; tau acts during the whole run')
    .option('--keyframe <name>', 'start from this keyframe of the model, its controls included')
    .option('-o, --out <file>', `record the motion: ${recordingSuffixes.join(', ')}`)
    .option('--fps <n>', 'frames a second in the recording', positiveNumber, 60)
    .option('--set <key=value>', 'set an option of the solver; repeat for more', collectSetting)
  act<RunOptions>(command, session, async ([file = ''], options, output) => {
    const format = options.out === undefined ? undefined : recordingFormat(options.out)
    if (options.out !== undefined) checkFolder(options.out)
    const loaded = await loadModel(file)
    const simulation = startSimulation(loaded, options)
    const { timestep } = simulation
    if (options.duration / timestep > Number.MAX_SAFE_INTEGER) {
      refuse(`--duration ${options.duration}`, `expected at most ${Number.MAX_SAFE_INTEGER} steps of ${timestep} s; shorten it`)
    }
    if (options.keyframe !== undefined) applyKeyframe(loaded.model, simulation.state, options.keyframe)
    if (options.state !== undefined) applyState(simulation.state, await readStateFile(options.state, loaded.model))

    const recorder = format && recordSimulation(simulation, options.fps, options.duration)
    const result = simulate(loaded, simulation, options.duration, output, () => recorder?.sample())
    simulation.close()
    if (format && recorder && options.out !== undefined) await save(options.out, await format.write(recorder.finish(), loaded.spec))

    output.document(result.summary)
    print(result.summary, options.out, output, result.message)
    if (result.message) {
      output.note(`limber: ${file}: ${result.message}`)
      if (result.summary.solver === 'ode' && solvers.redmax.refuses(loaded.model) === null)
        output.note('limber: --solver redmax is implicit and takes larger steps')
    }
    return result.message ? failure : success
  })
}

function simulate(loaded: ModelFile, simulation: Simulation, duration: number, output: Output, sample: () => void) {
  const { model, spec } = loaded
  const data = createData(model)
  const { state } = simulation
  const initial = energy(model, data, state)
  const start = state.t
  let shown = 0
  let calls = 0
  sample()
  const begin = performance.now()
  const report = simulation.advance(duration, (done, total) => {
    sample()
    // the clock is slow next to a small step
    if ((++calls & 15) !== 0 || performance.now() - shown < pulse) return undefined
    shown = performance.now()
    output.progress(`${Math.floor((100 * done) / total)} %  t = ${short(start + done)} s of ${short(start + total)} s`)
    return undefined
  })
  const wall = (performance.now() - begin) / 1000
  output.progress('')

  const { status, steps, rejected, evaluations, iterations, message } = report
  const left = spec.ignored?.length ?? 0
  const asked = unknownSolver(model)
  const warnings = [
    ...model.notes,
    ...simulation.warnings(),
    ...(asked ? [asked] : []),
    ...(left > 0
      ? [`${left} part${left === 1 ? '' : 's'} of the file ${left === 1 ? 'was' : 'were'} not taken over; limber info tells which and why`]
      : []),
    ...(status === 'ok' ? [] : [message]),
  ]
  const summary = {
    model: nameOf(loaded),
    solver: simulation.solver.name,
    timestep: simulation.timestep,
    steps,
    time: state.t,
    wall,
    energy: { initial, final: energy(model, data, state) },
    state: { t: state.t, q: state.q, v: state.v },
    statistics: { evaluations, steps, rejected, iterations },
    warnings,
  }
  return { summary, message: status === 'ok' ? '' : message }
}

/** Prints a summary, without the message that is told elsewhere. */
function print(summary: ReturnType<typeof simulate>['summary'], out: string | undefined, output: Output, told: string): void {
  const { model, solver, timestep, steps, time, wall, energy: e, statistics, warnings } = summary
  const total = (x: { kinetic: number; potential: number }) => x.kinetic + x.potential
  output.line(`${model}: ${short(time)} s simulated in ${short(wall)} s`)
  output.line(
    `  solver      ${solver}, step ${short(timestep)} s, ${count(steps, 'step')}, ${statistics.evaluations} evaluations of the dynamics`,
  )
  for (const [name, value] of [
    ['at start', e.initial],
    ['at end', e.final],
  ] as const) {
    output.line(
      `  ${name.padEnd(10)}  kinetic ${short(value.kinetic)} J, potential ${short(value.potential)} J, total ${short(total(value))} J`,
    )
  }
  if (out !== undefined) output.line(`  recorded    ${out}`)
  for (const warning of warnings) if (warning !== told) output.line(`  ${output.style('yellow', 'note')}        ${warning}`)
}
