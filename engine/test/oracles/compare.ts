/** Limber beside MuJoCo on one model at seeded random states: the largest relative difference of each quantity. */
import type { Spec } from 'limber'
import { buildModel, createData, createState, energy, forwardDynamics, inverseDynamics, massMatrix } from 'limber'
import type { Oracle, OraclePose } from './mujoco.js'
import { initialState, randomState } from './random-state.js'

/** Largest relative differences over all states; 0 is full agreement. */
export interface Differences {
  readonly totalMass: number
  readonly initial: number
  readonly pose: number
  readonly mass: number
  readonly kinetic: number
  readonly potential: number
  readonly acceleration: number
  /** τ of Limber's inverse dynamics at MuJoCo's accelerations, against mj_inverse */
  readonly inverse: number
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Where everything compared is zero a difference counts against this, in the quantity's own unit. */
const SMALLEST_SCALE = 1e-6

/** Seed 0 is the initial state at rest. Throws when the two do not even have the same coordinates. */
export function compare(spec: Spec, oracle: Oracle, seeds: readonly number[]): Differences {
  // the oracle is passive: actuators have tests of their own (conformance/actuation)
  const model = buildModel({ ...spec, actuators: [], keyframes: [] })
  const types = model.joints.map((joint) => joint.type)
  if (model.nq !== oracle.nq || model.nv !== oracle.nv) {
    throw new Error(
      `nq ${model.nq}, nv ${model.nv} (${types}); MuJoCo: nq ${oracle.nq}, nv ${oracle.nv} (${oracle.joints.map((j) => j.type)})`,
    )
  }
  const data = createData(model)
  const state = createState(model)
  const worst: Mutable<Differences> = {
    totalMass: relative([totalMass(model)], [oracle.totalMass]),
    initial: relative(state.q, oracle.q0),
    pose: 0,
    mass: 0,
    kinetic: 0,
    potential: 0,
    acceleration: 0,
    inverse: 0,
  }
  const M = new Float64Array(model.nv * model.nv)
  for (const seed of seeds) {
    const random = seed === 0 ? initialState(oracle) : randomState(oracle, seed)
    const theirs = oracle.forward(random)
    state.q.set(random.q)
    state.v.set(random.v)

    const ours = energy(model, data, state)
    keep(worst, 'kinetic', relative([ours.kinetic], [theirs.kinetic]))
    keep(worst, 'potential', relative([ours.potential], [theirs.potential], theirs.kinetic))
    massMatrix(model, data, state, M)
    keep(worst, 'mass', relative(M, theirs.mass))
    forwardDynamics(model, data, state, random.tau)
    keep(worst, 'acceleration', relative(data.a, theirs.acceleration))
    keep(worst, 'pose', poseDifference(model, data.X_WB, theirs.poses))
    inverseDynamics(model, data, state, theirs.acceleration)
    keep(worst, 'inverse', relative(data.tau, oracle.inverse(random, theirs.acceleration), forceScale(theirs.mass, theirs.acceleration)))
  }
  return worst
}

function keep(worst: Mutable<Differences>, name: keyof Differences, value: number): void {
  // NaN must not pass for agreement
  if (!(value <= worst[name])) worst[name] = value
}

function totalMass(model: ReturnType<typeof buildModel>): number {
  let sum = 0
  for (let i = 1; i < model.nbody; i++) sum += model.inertia[10 * i]
  return sum
}

/** |a − b|∞ / |b|∞, or over `scale` when that is larger. */
export function relative(a: ArrayLike<number>, b: ArrayLike<number>, scale = 0): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY
  let [difference, size] = [0, Math.max(SMALLEST_SCALE, Math.abs(scale))]
  for (let k = 0; k < b.length; k++) {
    const d = Math.abs(a[k] - b[k])
    if (!(d <= difference)) difference = d
    size = Math.max(size, Math.abs(b[k]))
  }
  return difference / size
}

/** Joint forces are what is left of inertia times acceleration after cancellation; rounding counts against the terms. */
function forceScale(M: Float64Array, a: Float64Array): number {
  const n = a.length
  let largest = 0
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) largest = Math.max(largest, Math.abs(M[n * i + j] * a[j]))
  return largest
}

/** By order when both have the same bodies, by name where static bodies were fused; metres and direction cosines. */
function poseDifference(model: ReturnType<typeof buildModel>, X: Float64Array, theirs: readonly OraclePose[]): number {
  const sameOrder = model.nbody === theirs.length
  let worst = 0
  for (const [k, pose] of theirs.entries()) {
    const i = sameOrder ? k : model.bodies.findIndex((body) => body.name === pose.name)
    if (i <= 0) continue
    const ours = X.subarray(12 * i, 12 * i + 12)
    const difference = relative(ours, [...pose.rotation, ...pose.position], 1)
    if (!(difference <= worst)) worst = difference
  }
  return worst
}
