/**
 * Records a simulation at a steady rate for `--out`.
 */
import { createData, createRecorder, energy, type Recording, recordedModel, type Simulation } from 'limber'
import { refuse } from './problem.js'

/** bytes of a recording above which a run is refused: it would end in a crash for want of memory */
const largest = 2 ** 31

export interface SimulationRecorder {
  /** takes the state if its time has come */
  sample(): void
  /** takes the last state in any case */
  finish(): Recording
}

export function recordSimulation(simulation: Simulation, fps: number, duration: number): SimulationRecorder {
  const { model, state } = simulation
  const frames = duration / Math.max(1 / fps, simulation.timestep)
  const bytes = 8 * frames * (3 + model.nq + model.nv + 7 * model.nbody)
  if (bytes > largest) {
    refuse(
      '--out',
      `${Math.round(frames)} frames would take ${(bytes / 2 ** 30).toFixed(1)} GiB; record at a lower --fps or run for a shorter --duration`,
    )
  }
  const data = createData(model)
  const recorder = createRecorder(recordedModel(model))
  const start = state.t
  let taken = 0
  let last = Number.NaN
  const take = () => {
    // energy leaves the poses of this state behind
    const { kinetic, potential } = energy(model, data, state)
    recorder.record({ t: state.t, q: state.q, v: state.v, X_WB: data.X_WB, energy: { kinetic, potential } })
    last = state.t
  }
  return {
    sample() {
      // frame k is due at k / fps; rounding must not make it late
      if (state.t - start < taken / fps - 1e-9) return
      take()
      taken = Math.floor((state.t - start) * fps + 1e-6) + 1
    },
    finish() {
      if (state.t !== last) take()
      return recorder.recording()
    },
  }
}
