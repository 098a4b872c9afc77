/** Snapshots of a batch: a header that says what they fit, the states, and the controls that are under way. */
import { crc32 } from '../model/crc32.js'

/** What a snapshot must agree with: model, environments, lanes, bytes of a group. */
export type SnapshotKey = readonly [hash: number, count: number, lanes: number, stride: number]

/** bytes of the header: the key, the checksum, bytes behind the states */
const HEADER = 24

export function writeSnapshot(key: SnapshotKey, states: Uint8Array, more: Uint8Array): ArrayBuffer {
  const whole = new Uint8Array(HEADER + states.length + more.length)
  whole.set(states, HEADER)
  whole.set(more, HEADER + states.length)
  new Uint32Array(whole.buffer, 0, HEADER / 4).set([...key, crc32(whole.subarray(HEADER)), more.length])
  return whole.buffer
}

/** Writes the states of a snapshot, and returns what stands behind them. Throws a RangeError on one of another batch, or a damaged one. */
export function readSnapshot(key: SnapshotKey, snapshot: ArrayBuffer, states: Uint8Array, hasMore: boolean): Uint8Array {
  const header = snapshot.byteLength < HEADER ? [] : [...new Uint32Array(snapshot, 0, HEADER / 4)]
  const [checksum, length] = [header[4], header[5]]
  if (snapshot.byteLength !== HEADER + states.length + length || length > 0 !== hasMore || key.some((x, k) => x !== header[k]))
    throw new RangeError('snapshot: expected one of a batch of the same model, count, precision and vary')
  const body = new Uint8Array(snapshot, HEADER)
  if (checksum !== crc32(body)) throw new RangeError('snapshot: it is damaged: its checksum does not fit; take another one')
  states.set(body.subarray(0, states.length))
  return body.slice(states.length)
}
