/**
 * One moment of every lane as the flat array that the page draws from.
 */
import { type Data, energy, type Model, type Residual } from 'limber'
import { clearRecent, type Lane } from './lane.js'
import { frameSize, header, modesAt, posesAt, statistic, statisticsAt } from './protocol.js'

export interface FrameSource {
  readonly model: Model
  readonly lanes: readonly Lane[]
  readonly residual: Residual | undefined
}

/** Reads the states. Writes block but for the header's numbers of moments, which the caller knows. */
export function takeFrame({ model, lanes, residual }: FrameSource, block: Float64Array): void {
  const { nbody, modes } = model
  block[header.t] = lanes[0].simulation.state.t
  for (const [k, lane] of lanes.entries()) {
    const { simulation, data, recent } = lane
    const { state, report } = simulation
    // energy leaves the poses of this state behind
    const { kinetic, potential } = energy(model, data, state)
    const o = statisticsAt(k)
    const set = (name: keyof typeof statistic, value: number) => {
      block[o + statistic[name]] = value
    }
    const each = 1 / Math.max(1, recent.steps)
    const extra = report as { order?: number; internalStep?: number; active?: number; neglected?: number }
    set('t', state.t)
    set('kinetic', kinetic)
    set('potential', potential)
    set('residual', residual ? residual(data, state) : Number.NaN)
    set('stepTime', recent.steps > 0 ? recent.wall * each : Number.NaN)
    set('iterations', recent.iterations * each)
    set('evaluations', recent.evaluations * each)
    set('order', extra.order ?? simulation.solver.order(simulation.options))
    set('stepSize', extra.internalStep || report.h || simulation.timestep)
    set('rejected', recent.rejected * each)
    set('cost', lane.simulated > 0 ? lane.wall / 1000 / lane.simulated : Number.NaN)
    set('active', extra.active ?? Number.NaN)
    set('neglected', extra.neglected ?? Number.NaN)
    clearRecent(lane)
    writePoses(block, posesAt(k, lanes.length, nbody), data, nbody)
    const first = modesAt(k, lanes.length, nbody, modes.count)
    for (let l = 0; l < modes.count; l++) block[first + l] = state.q[modes.iq[l]]
    const together = Math.abs(state.t - lanes[0].simulation.state.t) < 1e-9
    set('difference', k === 0 ? 0 : together ? meanDistance(block, lanes.length, nbody, k) : Number.NaN)
  }
}

export function createBlock({ model, lanes }: FrameSource): Float64Array<ArrayBuffer> {
  return new Float64Array(frameSize(lanes.length, model.nbody, model.modes.count))
}

/** Root of the mean square distance between the bodies of lane k and of the first. */
function meanDistance(block: Float64Array, lanes: number, nbody: number, k: number): number {
  const a = posesAt(0, lanes, nbody)
  const b = posesAt(k, lanes, nbody)
  let sum = 0
  for (let i = 7; i < 7 * nbody; i += 7) {
    for (let r = 0; r < 3; r++) sum += (block[a + i + r] - block[b + i + r]) ** 2
  }
  return Math.sqrt(sum / Math.max(1, nbody - 1))
}

function writePoses(block: Float64Array, start: number, { X_WB }: Data, nbody: number): void {
  for (let i = 0; i < nbody; i++) {
    const X = 12 * i
    const o = start + 7 * i
    for (let r = 0; r < 3; r++) block[o + r] = X_WB[X + 9 + r]
    writeQuaternion(block, o + 3, X_WB, X)
  }
}

/** Position and quaternion of a body. */
export function poseOf({ X_WB }: Data, i: number): number[] {
  const pose = new Float64Array(7)
  for (let r = 0; r < 3; r++) pose[r] = X_WB[12 * i + 9 + r]
  writeQuaternion(pose, 3, X_WB, 12 * i)
  return [...pose]
}

/** w x y z of a rotation matrix, from its largest component. */
function writeQuaternion(out: Float64Array, o: number, R: Float64Array, i: number): void {
  const trace = R[i] + R[i + 4] + R[i + 8]
  if (trace > 0) {
    const s = 2 * Math.sqrt(trace + 1)
    out[o] = s / 4
    out[o + 1] = (R[i + 7] - R[i + 5]) / s
    out[o + 2] = (R[i + 2] - R[i + 6]) / s
    out[o + 3] = (R[i + 3] - R[i + 1]) / s
    return
  }
  let a = R[i + 4] > R[i] ? 1 : 0
  if (R[i + 8] > R[i + 4 * a]) a = 2
  const b = (a + 1) % 3
  const c = (a + 2) % 3
  const s = 2 * Math.sqrt(Math.max(0, 1 + R[i + 4 * a] - R[i + 4 * b] - R[i + 4 * c])) || 1
  out[o] = (R[i + 3 * c + b] - R[i + 3 * b + c]) / s
  out[o + 1 + a] = s / 4
  out[o + 1 + b] = (R[i + 3 * a + b] + R[i + 3 * b + a]) / s
  out[o + 1 + c] = (R[i + 3 * a + c] + R[i + 3 * c + a]) / s
}
