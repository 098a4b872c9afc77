/** The states of a batch in lanes, in the place of a GPU that is not there or was lost. */
import { type LaneForm, numbersOf } from '../../kernels/lane-layout.js'
import { modelHash } from '../../model/hash.js'
import type { Batch } from '../batch.js'
import type { BatchParameter } from '../layout.js'
import type { Program } from '../programs.js'
import { readSnapshot, type SnapshotKey, writeSnapshot } from '../snapshot.js'
import { DYNAMICS, STEP, type Store } from './store.js'

/** `program`: of the batch, for the layout of its snapshots. */
export function lanesStore(batch: Batch, program: Program): Store {
  const { model, count } = batch
  const form: LaneForm = { lanes: batch.lanes, bytes: batch.precision === 'f64' ? 8 : 4 }
  const layout = program.plan(form, 1)
  const alone = program.plan({ lanes: 1, bytes: 4 }, 1)
  const key: SnapshotKey = [modelHash(model), count, form.lanes, layout.stateStride]
  const numbers = alone.stateStride / 4
  const names = Object.keys(layout.fields) as (keyof typeof layout.fields)[]
  /** Calls this with the place of each number: among the states side by side, and in a snapshot of the lanes. */
  const each = (call: (side: number, lane: number) => void): void => {
    for (const name of names) {
      const [from, to] = [alone.fields[name], layout.fields[name]]
      if (from === undefined || to === undefined) continue
      for (let k = 0; k < from.length; k++)
        for (let e = 0; e < count; e++) {
          const group = Math.floor(e / form.lanes)
          const first = (group * layout.stateStride + to.offset) / form.bytes
          call((from.offset / 4 + k) * count + e, first + form.lanes * k + (e - group * form.lanes))
        }
    }
  }
  const taken = (): { bytes: Uint8Array<ArrayBuffer>; F: Float64Array | Float32Array } => {
    const bytes = new Uint8Array(layout.groups * layout.stateStride)
    readSnapshot(key, batch.snapshot(), bytes, false)
    return { bytes, F: numbersOf(form, bytes.buffer) }
  }
  const notHere = (what: string): Error =>
    new Error(`${what}: this batch runs in lanes, without a GPU; look at batch.device before, and at batch.warnings for the reason`)
  return {
    device: 'lanes',
    adapter: '',
    warnings: batch.warnings,
    // nothing is lost in lanes
    lost: new Promise(() => {}),
    buffers() {
      throw notHere('buffers')
    },
    encode() {
      throw notHere('encode')
    },
    run(task, times) {
      if (task === STEP) batch.step(times)
      else if (task === DYNAMICS) batch.forwardDynamics()
      return undefined
    },
    reset(which, start) {
      if (which !== undefined && !('length' in which)) throw notHere('reset with a buffer')
      batch.reset(which, start)
    },
    async read(fields, out) {
      if (fields[0] === 'q') batch.readState(out)
      else if (fields[0] === 'a') batch.readAccelerations(out)
      else if (fields[0] === 'observation') batch.readObservations(out)
      else for (let e = 0; e < count; e++) out[e] = batch.failed(e) ? 1 : 0
    },
    write(fields, from) {
      const [name] = fields
      if (name === 'q') batch.writeState(from)
      else if (name === 'control') batch.writeControl(from)
      else if (name === 'tau') batch.writeTau(from)
      else {
        const length = from.length / count
        for (let e = 0; e < count; e++) batch.parameter(name as BatchParameter, e).write(from.subarray(e * length, (e + 1) * length))
      }
    },
    async failures() {
      let failed = 0
      for (let e = 0; e < count; e++) if (batch.failed(e)) failed++
      return failed
    },
    async states() {
      const { F } = taken()
      const side = new Float32Array(numbers * count)
      each((k, lane) => {
        side[k] = F[lane]
      })
      return side
    },
    setStates(side) {
      const { bytes, F } = taken()
      each((k, lane) => {
        F[lane] = side[k]
      })
      batch.restore(writeSnapshot(key, bytes, new Uint8Array(0)))
    },
    close: () => batch.close(),
  }
}
