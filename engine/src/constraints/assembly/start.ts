/**
 * A state to start from: inside the hard joint limits, on the loops and couplings, with velocities that keep it there; or the reason why there
 * is none.
 *
 * A step that starts beyond a hard limit would be thrown back, so the pose is moved: to the limit, then onto the constraints in the metric of
 * the mass matrix (`assemble`), and again until both hold. Where the two meet at a shallow angle that closes in ever more slowly; so
 * after some rounds limits are overshot, further from round to round, and the pose ends within them instead of at them.
 */
import { isSoft } from '../../contact/softness.js'
import { pow } from '../../math/own.js'
import type { Vec } from '../../math/types.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { closeTaut } from '../taut/start.js'
import { type Assembly, assemble } from './assemble.js'
import { movedNote, SLIGHT } from './notes.js'

export interface Start {
  /** empty, or why there is no such pose; the state is then as it was */
  readonly refusal: string
  /** what users should know, in sentences */
  readonly notes: readonly string[]
  /** whether loops are taut, so that steps must hold them (`taut`) */
  readonly held: boolean
}

const ROUNDS = 60
// rounds that end at the limits; from then on they are overshot by a growing multiple of what was missing
const PATIENCE = 20
const EAGERNESS = 1.5
// rad or m: nearer to a limit is at it
const NEAR = 1e-10
// what two projections in turn may leave when they stop; the steps push the rest out
const LEFT = 1e-3

export interface StartOptions {
  /** false: velocities stay as they are, and prescribed motions are left to the steps to reach */
  readonly exact: boolean
}

/** Moves state.q and state.v. Where refused the state is as it was. */
export function prepareStart(m: Model, state: State, { exact }: StartOptions): Start {
  const q = state.q.slice()
  const v = state.v.slice()
  const limited = limitedCoordinates(m)
  const beyond = limited.filter((at) => distanceBeyond(m, q, at) > SLIGHT)
  const closed = m.constraints.count > 0
  let found: Assembly | undefined
  let before = 0
  const nearest = { q: q.slice(), v: v.slice(), missing: Number.POSITIVE_INFINITY }
  for (let round = 0; round < ROUNDS && nearest.missing > NEAR; round++) {
    for (const at of limited) clampTo(m, q, at, round < PATIENCE ? 0 : pow(EAGERNESS, round - PATIENCE))
    if (!closed) break
    const given = q.slice()
    const options = exact ? { v, t: state.t } : { t: state.t, motions: false }
    found = assemble(m, q, options)
    if (round === 0) before = found.before
    // a taut loop closes too slowly to be closed so
    if (found.status === 'refused' && !closeTaut(m, q, v, state.t).held) {
      const { message } = found
      q.set(given)
      found = assemble(m, q, { ...options, rounded: true })
      if (found.status === 'refused') return { refusal: message, notes: [], held: false }
    }
    const missing = limited.reduce((most, at) => Math.max(most, distanceBeyond(m, q, at)), 0)
    if (missing < nearest.missing) {
      nearest.q.set(q)
      nearest.v.set(v)
      nearest.missing = missing
    }
  }
  if (closed) {
    q.set(nearest.q)
    v.set(nearest.v)
  }
  const worst = limited.filter((at) => distanceBeyond(m, q, at) > LEFT)
  if (worst.length > 0) return { refusal: contradiction(m, q, worst), notes: [], held: false }
  const taut = closeTaut(m, q, v, state.t)

  // motions that contradict each other or the loops are found even where they are left to the steps
  if (closed && !exact && !taut.held) {
    const trial = assemble(m, q.slice(), { v: v.slice(), t: state.t })
    const closes =
      trial.status === 'assembled' || assemble(m, q.slice(), { v: v.slice(), t: state.t, rounded: true }).status === 'assembled'
    if (!closes) return { refusal: trial.message, notes: [], held: false }
  }
  state.q.set(q)
  if (exact) state.v.set(v)
  return { refusal: '', notes: [...notesOf(m, before, beyond), ...taut.notes], held: taut.held }
}

interface Limited {
  readonly coordinate: number
  readonly velocity: number
}

/** Coordinates whose rates are velocities that have a hard limit. Joints rest beyond a soft one, which pushes them back by itself. */
function limitedCoordinates({ nv, coordinate, limits, limitSolref }: Model): Limited[] {
  return Array.from({ length: nv }, (_, velocity) => ({ coordinate: coordinate[velocity], velocity })).filter(
    (at) =>
      at.coordinate >= 0 &&
      !isSoft(limitSolref, 2 * at.velocity) &&
      (Number.isFinite(limits[2 * at.velocity]) || Number.isFinite(limits[2 * at.velocity + 1])),
  )
}

function distanceBeyond(m: Model, q: Vec, { coordinate, velocity }: Limited): number {
  return Math.max(m.limits[2 * velocity] - q[coordinate], q[coordinate] - m.limits[2 * velocity + 1], 0)
}

/** Into the range, and beyond its end by `overshoot` times what was missing, but no further than the middle. */
function clampTo(m: Model, q: Vec, { coordinate, velocity }: Limited, overshoot: number): void {
  const [low, high] = [m.limits[2 * velocity], m.limits[2 * velocity + 1]]
  const x = q[coordinate]
  // an open side has no middle
  const middle = (low + high) / 2
  if (x < low) q[coordinate] = Math.min(low + overshoot * (low - x), Math.max(low, middle))
  else if (x > high) q[coordinate] = Math.max(high - overshoot * (x - high), Math.min(high, middle))
}

function jointName(m: Model, { velocity }: Limited): string {
  return m.joints.find(({ iv, nv }) => velocity >= iv && velocity < iv + nv)?.name ?? ''
}

function contradiction(m: Model, q: Vec, worst: readonly Limited[]): string {
  const joints = worst.map((at) => `joint '${jointName(m, at)}' by ${distanceBeyond(m, q, at).toPrecision(3)}`).join(', ')
  const names = m.constraints.names.filter((_, k) => m.constraints.active[k] === 1)
  const held = `constraint${names.length > 1 ? 's' : ''} ${names.map((name) => `'${name}'`).join(', ')}`
  return `joint limits and ${held} exclude each other: on the constraints, the nearest pose found is beyond the limits of ${joints} (rad or m); widen the limits, or change the constraints`
}

function notesOf(m: Model, before: number, beyond: readonly Limited[]): string[] {
  const list: string[] = []
  if (beyond.length > 0) {
    const names = beyond.map((at) => `'${jointName(m, at)}'`)
    list.push(
      `joint${names.length > 1 ? 's' : ''} ${names.join(', ')} started beyond the limits and ${names.length > 1 ? 'were' : 'was'} moved to them`,
    )
  }
  return [...list, ...movedNote(before)]
}
