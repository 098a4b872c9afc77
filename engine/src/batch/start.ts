/** Where environments begin: which of them, a keyframe, numbers that are given, and noise that a seed and the environment's number determine. */
import { hintAt, suggest } from '../build/problems.js'
import { integrate, jointTypes } from '../joints/index.js'
import type { Model } from '../model/model.js'
import { checkSeed, createRandom, type Random, seedOf } from './random.js'

/** BatchSelection as a mask with an entry for each, true or not 0 for those that are meant, or as an `Int32Array` of their numbers. */
export type BatchSelection = ArrayLike<number | boolean> | Int32Array

/** Sizes of uniform noise; all of them 0 unless given. */
export interface StartNoise {
  /** joint coordinates, rad or m: hinges, slides, and rotations about a random axis */
  readonly q?: number
  /** velocities, rad/s or m/s */
  readonly v?: number
  /** position of free bodies along the axes of the world, m */
  readonly position?: number
}

/**
 * What environments begin with. Default: the model's initial coordinates, at rest, controls and activations 0. q and v are numbers for all, or
 * a row for each: for each environment with a mask or none, for each that is listed with an `Int32Array`.
 */
export interface BatchStart {
  /** name of a keyframe of the model: q, v, control and act */
  readonly keyframe?: string
  readonly q?: ArrayLike<number>
  readonly v?: ArrayLike<number>
  /** a number: of joint coordinates and velocities, the position of free bodies excepted */
  readonly noise?: number | StartNoise
  /** of the noise: the same seed gives an environment the same start, whatever the others do */
  readonly seed?: number
}

/** Start of one environment at a time. */
export interface Starter {
  readonly q: Float64Array
  readonly v: Float64Array
  readonly control: Float64Array
  readonly act: Float64Array
}

const startNames = Object.keys({ keyframe: 0, q: 0, v: 0, noise: 0, seed: 0 } satisfies Record<keyof BatchStart, 0>)
const noiseNames = Object.keys({ q: 0, v: 0, position: 0 } satisfies Record<keyof StartNoise, 0>)

/** Calls `write` with the start of each environment that is meant; the arrays are the same at each call. */
export function startAll(
  m: Model,
  count: number,
  which: BatchSelection | undefined,
  start: BatchStart,
  write: (e: number, s: Starter) => void,
): void {
  const ids = which instanceof Int32Array ? which : undefined
  checkSelection(which, count)
  checkStart(m, start, ids === undefined ? count : ids.length)
  const { nq, nv, nu, na } = m
  const frame = start.keyframe === undefined ? undefined : keyframeOf(m, start.keyframe)
  const s = { q: new Float64Array(nq), v: new Float64Array(nv), control: new Float64Array(nu), act: new Float64Array(na) }
  const noise = typeof start.noise === 'number' ? { q: start.noise, v: start.noise } : start.noise
  const rowOf = (values: ArrayLike<number>, width: number, row: number): ArrayLike<number> =>
    values.length === width ? values : Array.from({ length: width }, (_, k) => values[width * row + k])
  const begin = (e: number, row: number): void => {
    s.q.set(start.q === undefined ? (frame?.q ?? m.q0) : rowOf(start.q, nq, row))
    if (start.v !== undefined) s.v.set(rowOf(start.v, nv, row))
    else if (frame) s.v.set(frame.v)
    else s.v.fill(0)
    if (frame) {
      s.control.set(frame.control)
      s.act.set(frame.act)
    }
    if (noise) addNoise(m, s, noise, createRandom(Uint32Array.of(seedOf(start.seed ?? 0, e))))
    write(e, s)
  }
  if (ids) for (let k = 0; k < ids.length; k++) begin(ids[k], k)
  else for (let e = 0; e < count; e++) if (which === undefined || which[e]) begin(e, e)
}

/** q ← q ⊕ noise, so that quaternions stay of unit length; v ← v + noise. Draws are the same whatever sizes are zero. */
export function addNoise(m: Model, { q, v }: Pick<Starter, 'q' | 'v'>, noise: StartNoise, random: Random): void {
  const d = new Float64Array(m.nv)
  for (let j = 0; j < m.njoint; j++) {
    const { iq, iv, nv, body } = m.joints[j]
    // the pose of a driven body is not the simulation's
    if (m.driven.includes(body)) continue
    const { absolute } = jointTypes[m.jointType[j]]
    for (let k = 0; k < nv; k++) {
      const x = random.spread(1)
      v[iv + k] += (noise.v ?? 0) * random.spread(1)
      if (absolute && k >= 3) q[iq + k - 3] += (noise.position ?? 0) * x
      else d[iv + k] = (noise.q ?? 0) * x
    }
  }
  integrate(m, q, d, 1)
}

export function keyframeOf(m: Model, name: string): Model['keyframes'][number] {
  const found = m.keyframes.find((frame) => frame.name === name)
  if (found) return found
  const names = m.keyframes.map((frame) => frame.name).filter((known) => known !== '')
  throw new RangeError(`keyframe: expected the name of one, got '${name}'${hintAt(name, names)}`)
}

export function checkSelection(which: BatchSelection | undefined, count: number): void {
  if (which === undefined) return
  if (!(which instanceof Int32Array)) {
    if (which.length !== count) throw new RangeError(`mask: expected ${count} numbers, got ${which.length}`)
    return
  }
  for (const e of which) if (!(e >= 0 && e < count)) throw new RangeError(`environment: expected 0 … ${count - 1}, got ${e}`)
}

function checkStart(m: Model, start: BatchStart, rows: number): void {
  checkNames('reset', start, startNames)
  const { q, v, noise, seed } = start
  for (const [name, values, each] of [
    ['q', q, m.nq],
    ['v', v, m.nv],
  ] as const)
    if (values !== undefined && values.length !== each && values.length !== each * rows)
      throw new RangeError(
        `${name}: expected ${each} numbers for all environments, or ${each * rows} for each its own, got ${values.length}`,
      )
  if (seed !== undefined) checkSeed('seed', seed)
  if (noise === undefined) return
  if (seed === undefined)
    throw new RangeError('noise: expected a seed with it, got none; give { seed: 1 }, and another one at the next reset')
  checkNoise(noise)
}

export function checkNoise(noise: number | StartNoise): void {
  if (typeof noise === 'object') checkNames('noise', noise, noiseNames)
  for (const [name, size] of typeof noise === 'number' ? [['noise', noise] as const] : Object.entries(noise))
    if (!(size >= 0 && size < Number.POSITIVE_INFINITY)) throw new RangeError(`${name}: expected the size of noise from 0, got ${size}`)
}

/** Throws a RangeError on a key that is none. */
export function checkNames(place: string, given: object, names: readonly string[]): void {
  for (const name of Object.keys(given))
    if (!names.includes(name)) throw new RangeError(`${place}: expected some of ${names.join(', ')}, got '${name}'${suggest(name, names)}`)
}
