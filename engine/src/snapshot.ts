/**
 * Snapshots of a simulation as bytes, little endian, whole or refused.
 *
 *    0  uint32   `LMBR`
 *    4  uint32   version of the format
 *    8  uint32   length of the whole
 *   12  uint32   CRC-32 of all that follows
 *   16  uint32   hash of the model and of the user's forces
 *   20  uint32   hash of the solver's name
 *   24  float64  time
 *   32           fields: number of entries as uint32, then float64 each: q, v, tau, control, s; act where there are activations; what acts from outside
 *                where there is something; parameters that were set, where there are any, behind what acts from outside, which then may be empty
 */
import type { Vec } from './math/types.js'
import { crc32 } from './model/crc32.js'
import { ModelError } from './model/model-error.js'
import type { State } from './model/state.js'

/** What a snapshot holds besides the state. */
export interface Outside {
  readonly outside: Vec
  readonly changes: Vec
}

const MAGIC = 0x4c4d4252
const VERSION = 2
const START = 32
/** from here on the checksum counts */
const CHECKED = 16

/** Activations make a further field where there are any, and so do `targets` of driven bodies with forces that are `applied`, and `changes` of parameters. */
export function writeSnapshot(hash: number, solver: string, s: State, targets: Vec, applied: Vec, changes: Vec): Uint8Array {
  const outside = new Float64Array(targets.length + applied.length)
  outside.set(targets)
  outside.set(applied, targets.length)
  const fields = [s.q, s.v, s.tau, s.control, s.s]
  if (s.act.length > 0) fields.push(s.act)
  if (outside.length + changes.length > 0) fields.push(outside)
  if (changes.length > 0) fields.push(changes)
  const bytes = new Uint8Array(fields.reduce((sum, x) => sum + 4 + 8 * x.length, START))
  const view = new DataView(bytes.buffer)
  view.setUint32(0, MAGIC, true)
  view.setUint32(4, VERSION, true)
  view.setUint32(8, bytes.length, true)
  view.setUint32(16, hash, true)
  view.setUint32(20, nameHash(solver), true)
  view.setFloat64(24, s.t, true)
  let o = START
  for (const x of fields) {
    view.setUint32(o, x.length, true)
    o += 4
    for (let k = 0; k < x.length; k++, o += 8) view.setFloat64(o, x[k], true)
  }
  view.setUint32(12, crc32(bytes.subarray(CHECKED)), true)
  return bytes
}

/**
 * Takes over a snapshot, or throws a ModelError and leaves the state as it was. Returns what acts from outside, `APPLIED` entries a force after those of
 * `driven` bodies, and changes of parameters, which `isKnown` judges; each is empty where there is nothing.
 */
export function readSnapshot(
  bytes: Uint8Array,
  hash: number,
  solver: string,
  s: State,
  sizes: { readonly nu: number; readonly driven: number; readonly applied: number },
  isKnown: (changes: Vec) => boolean,
): Outside {
  const bad = (why: string): ModelError => new ModelError([{ path: 'snapshot', message: why }])
  if (!(bytes instanceof Uint8Array)) throw bad(`expected the bytes of a Limber snapshot, got ${typeof bytes}`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 8 || view.getUint32(0, true) !== MAGIC) throw bad('expected the bytes of a Limber snapshot')
  if (view.getUint32(4, true) !== VERSION) throw bad(`expected version ${VERSION}, got ${view.getUint32(4, true)}; take it anew`)
  const length = bytes.length < START ? START : view.getUint32(8, true)
  if (length !== bytes.length) throw bad(`it is cut short or damaged: expected ${length} bytes, got ${bytes.length}; take another one`)
  if (crc32(bytes.subarray(CHECKED)) !== view.getUint32(12, true)) throw bad('it is damaged: its checksum does not fit; take another one')
  if (view.getUint32(16, true) !== hash)
    throw bad('it belongs to another model; restore it into a simulation of the model it was taken from')
  if (view.getUint32(20, true) !== nameHash(solver)) throw bad(`it was taken with another solver than ${solver}`)

  const fields: Float64Array[] = []
  let o = START
  const expected = s.act.length > 0 ? 6 : 5
  for (let f = 0; f < expected || (f <= expected + 1 && o < bytes.length); f++) {
    const n = o + 4 <= bytes.length ? view.getUint32(o, true) : Number.NaN
    o += 4
    if (!(o + 8 * n <= bytes.length)) throw bad('it is cut short')
    const x = new Float64Array(n)
    for (let k = 0; k < n; k++, o += 8) x[k] = view.getFloat64(o, true)
    fields.push(x)
  }
  const [q, v, tau, control, memory] = fields
  const act = s.act.length > 0 ? fields[5] : undefined
  const outside = fields[expected] ?? new Float64Array(0)
  const changes = fields[expected + 1] ?? new Float64Array(0)
  const lengths = q.length === s.q.length && v.length === s.v.length && tau.length === s.tau.length && control.length === sizes.nu
  const forces = outside.length === 0 ? 0 : (outside.length - sizes.driven) / sizes.applied
  const fits = o === bytes.length && Number.isInteger(forces) && forces >= 0 && isKnown(changes)
  if (!lengths || !fits || (act !== undefined && act.length !== s.act.length)) throw bad('its lengths do not fit the model')
  if (memory.length !== s.s.length) throw bad('it was taken with other options of the solver')
  s.t = view.getFloat64(24, true)
  s.q.set(q)
  s.v.set(v)
  s.tau.set(tau)
  if (act !== undefined) s.act.set(act)
  if (s.control.length === control.length) s.control.set(control)
  else s.control = control
  s.s = memory
  return { outside, changes }
}

function nameHash(name: string): number {
  let h = 0
  for (const c of name) h = (Math.imul(h, 31) + (c.codePointAt(0) ?? 0)) >>> 0
  return h
}
