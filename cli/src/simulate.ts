/**
 * One run of a simulation, from its start or from a checkpoint, with checkpoints between its steps, which do not depend on where those fall.
 */
import { createData, createSampler, energy, ModelError, type RecordingExtra, recordedModel, rowLayout, type Simulation } from 'limber'
import { isFull } from 'limber/node'
import { type Checkpoint, howToContinue, type RunSetup, type Totals } from './checkpoint.js'
import { type Checkpoints, createCheckpoints } from './checkpoints.js'
import { unknownSolver } from './choose-solver.js'
import { type ModelFile, nameOf } from './model-file.js'
import { count, type Output, short } from './output.js'
import { refuse } from './problem.js'
import { recordSimulation, type SimulationRecorder } from './recording.js'
import { isTold } from './told.js'

export interface RunPlan {
  readonly loaded: ModelFile
  /** at the start of the run */
  readonly simulation: Simulation
  readonly setup: RunSetup
  readonly recording?: { readonly out: string; readonly fps: number; readonly include?: readonly RecordingExtra[] }
  readonly checkpoint?: { readonly file: string; readonly every: number }
  /** what to go on from */
  readonly resume?: { readonly file: string; readonly from: Checkpoint }
}

export interface Summary {
  readonly model: string
  readonly solver: string
  readonly timestep: number
  readonly steps: number
  readonly time: number
  readonly wall: number
  readonly energy: Readonly<Record<'initial' | 'final', { readonly kinetic: number; readonly potential: number }>>
  readonly state: { readonly t: number; readonly q: Float64Array; readonly v: Float64Array; readonly act?: Float64Array }
  readonly statistics: { readonly evaluations: number; readonly steps: number; readonly rejected: number; readonly iterations: number }
  readonly warnings: readonly string[]
}

export interface Outcome {
  readonly summary: Summary
  /** empty, or why the run ended early */
  readonly message: string
  /** the motion blew up */
  readonly failed: boolean
  /** the recording was written, as far as it goes */
  readonly recorded: boolean
}

const none: Totals = { steps: 0, rejected: 0, evaluations: 0, iterations: 0 }
/** milliseconds between progress lines, and looks at signals */
const pulse = 100

/** Runs to the end, or until `signal` asks to stop; writes the recording, up to there, and the checkpoints. */
export async function simulate(plan: RunPlan, output: Output, signal?: AbortSignal): Promise<Outcome> {
  const { loaded, simulation, setup, recording, checkpoint, resume } = plan
  const { model } = loaded
  const { state, timestep } = simulation
  const from = resume?.from
  const data = createData(model)
  const initial = energy(model, data, state)
  const { stride } = rowLayout(recording ? createSampler(simulation, recording).model : recordedModel(model))
  let recorder: SimulationRecorder | undefined
  if (resume) restore(simulation, resume)

  // what was counted before, and what this process counts
  const totals = countFrom(simulation, from?.totals)
  let taken = from?.taken ?? 0
  const begin = performance.now()
  let wall: number | undefined = from?.finished ? from.wall : undefined
  const spent = () => wall ?? (from?.wall ?? 0) + (performance.now() - begin) / 1000
  const warnings = () => (from?.warnings && taken === from.taken ? from.warnings : simulation.warnings())

  const checkpoints =
    checkpoint &&
    createCheckpoints(
      { ...checkpoint, ...(recording ? { recording: { ...recording, stride } } : {}), ...(resume ? { resume } : {}) },
      (ended) => {
        recorder?.flush()
        return {
          // first: it begins a simulation that has not begun, which is counted too
          snapshot: simulation.snapshot(),
          ...{ setup, taken, time: state.t, totals: totals(), wall: spent() },
          ...(ended ? { warnings: warnings() } : {}),
        }
      },
      output,
    )
  return orContinue(loaded.file, checkpoints, async () => {
    const spool = checkpoints?.open()
    const frames = (from?.recording?.bytes ?? 0) / (8 * stride)
    if (recording)
      recorder = await recordSimulation(simulation, {
        ...{ ...recording, start: setup.start, frames, spec: loaded.spec },
        ...(spool ? { spool } : {}),
      })
    try {
      if (!resume) recorder?.sample()
      checkpoints?.begin()
      let full = ''
      try {
        await advance(plan, taken, output, signal, () => {
          taken++
          recorder?.sample()
          const done = state.t - setup.start
          // the last step has its own
          if (simulation.report.status === 'ok' && setup.duration - done > timestep / 2) checkpoints?.pass(done)
        })
      } catch (error) {
        // a run with checkpoints goes on when there is space again
        if (!recorder || checkpoints || !isFull(error)) throw error
        full = `there is no space left (${(error as NodeJS.ErrnoException).code}); make room, or write elsewhere`
        output.progress('')
      }
      wall = spent()
      const { status, message: trouble } = simulation.report
      // nothing that was found since the last checkpoint is whole
      if (status === 'lost') throw new Error(trouble)
      const interrupted = signal?.aborted === true && state.t - setup.start < setup.duration - timestep / 2
      const good = status === 'ok' && !interrupted && full === ''
      if (interrupted) checkpoints?.leave()
      // a recording may find no space: then no step has to be made again
      else if (good && recorder) checkpoints?.end(false)

      let message = status === 'ok' ? (full === '' && interrupted ? `interrupted at t = ${short(state.t)} s` : full) : trouble
      // a run that failed at its first step has nothing to show
      const recorded = recorder !== undefined && !(status !== 'ok' && state.t === setup.start)
      if (recorder && recorded) {
        const told = await recorder.finish(checkpoints !== undefined && good)
        if (told.cut && message === '') message = 'there is no space left; make room, or write elsewhere'
        if (message !== '') message += `; ${told.text}`
      }
      if (good && message === '') checkpoints?.end(true)
      else if (interrupted && checkpoints?.newest !== undefined) message += `; ${howToContinue(loaded.file, checkpoints.newest)}`

      const { steps, ...counted } = totals()
      const summary = {
        model: nameOf(loaded),
        solver: simulation.solver.name,
        timestep,
        steps,
        time: state.t,
        wall,
        energy: { initial, final: energy(model, data, state) },
        state: { t: state.t, q: state.q, v: state.v, ...(model.na > 0 ? { act: state.act } : {}) },
        statistics: { evaluations: counted.evaluations, steps, rejected: counted.rejected, iterations: counted.iterations },
        warnings: [...new Set([...(message === '' ? [] : [message]), ...warnings(), ...ofFile(loaded)])],
      }
      return { summary, message, failed: status !== 'ok', recorded }
    } finally {
      recorder?.discard()
    }
  })
}

/** Makes the steps in turns, between which the process hears of signals. */
async function advance(
  { simulation, setup: { start, duration } }: RunPlan,
  taken: number,
  output: Output,
  signal: AbortSignal | undefined,
  onStep: () => void,
): Promise<void> {
  let steps = taken
  let before = -1
  while (steps !== before && !signal?.aborted) {
    before = steps
    let calls = 0
    const begin = performance.now()
    simulation.advance(
      duration,
      (done, total) => {
        steps++
        onStep()
        // the clock is slow next to a small step
        if ((++calls & 15) !== 0 && calls > 16) return undefined
        if (performance.now() - begin < pulse) return undefined
        output.progress(`${Math.floor((100 * done) / total)} %  t = ${short(start + done)} s of ${short(start + total)} s`)
        return false
      },
      { t: start, steps },
    )
    if (simulation.report.status !== 'ok') break
    await new Promise((resolve) => setImmediate(resolve))
  }
  output.progress('')
}

function restore(simulation: Simulation, { file, from }: { readonly file: string; readonly from: Checkpoint }): void {
  try {
    simulation.restore(from.snapshot)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    refuse(file, error.message)
  }
}

/** Totals of a run of which this simulation makes a part, from here on: one that was restored has counted its own start. */
function countFrom({ report }: Simulation, before: Totals = none): () => Totals {
  const { steps, rejected, evaluations, iterations } = report
  return () => ({
    steps: before.steps + report.steps - steps,
    rejected: before.rejected + report.rejected - rejected,
    evaluations: before.evaluations + report.evaluations - evaluations,
    iterations: before.iterations + report.iterations - iterations,
  })
}

/** What the file asks for and does not get, besides what the model tells by itself: an unknown solver, and what the motion does not depend on. */
function ofFile({ model, spec }: ModelFile): string[] {
  const left = spec.ignored?.filter((item) => !isTold(model, item)).length ?? 0
  const asked = unknownSolver(model)
  return [
    ...(asked ? [asked] : []),
    ...(left > 0
      ? [
          `${count(left, 'part')} of the file ${left === 1 ? 'was' : 'were'} not taken over, without effect on the free motion; limber info --all tells which and why`,
        ]
      : []),
  ]
}

/** Runs `action`; where it fails, its message says how to go on from the newest checkpoint. */
async function orContinue<T>(model: string, checkpoints: Checkpoints | undefined, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if (error instanceof ModelError || checkpoints?.newest === undefined) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(`${message}; ${howToContinue(model, checkpoints.newest)}`, { cause: error })
  } finally {
    checkpoints?.close()
  }
}
