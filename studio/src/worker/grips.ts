/**
 * Hands on the mechanism: springs from a point of a body to a place in the world, and pushes. They act as joint forces
 * τ = Jᵀ f that stay constant over a step, so that every solver feels them and a snapshot holds them.
 *
 * Stiffness and damping are kept below what an explicit step of this length can follow: with m the smallest mass that the point
 * shows to a force and h the step, k h²/m ≤ 0.05 and c h/m ≤ 0.3.
 */
import {
  createState,
  type Data,
  forwardDynamics,
  forwardKinematics,
  jacobianProduct,
  jacobianTransposeProduct,
  type Model,
  type State,
  totalMass,
} from 'limber'
import { addModeForce, pointInBody, velocityInBody } from './mesh-points.js'
import type { BodyPoint, Grip } from './protocol.js'

const swiftness = 14

export interface Push extends BodyPoint {
  readonly force: readonly number[]
  until: number
}

export function createGrip(
  model: Model,
  data: Data,
  state: State,
  at: BodyPoint,
  target: readonly number[],
  h: number,
  firmness = 1,
): Grip {
  const light = smallestMass(model, data, state, at)
  const heavy = Math.max(light, totalMass(model))
  const stiffness = firmness * Math.min(heavy * swiftness ** 2, (0.05 * light) / h ** 2)
  const damping = Math.min(1.4 * Math.sqrt(stiffness * heavy), (0.3 * light) / h)
  return { ...at, target: [target[0], target[1], target[2]], stiffness, damping }
}

/** Where the point is in the world. Reads X_WB. */
export function locate(model: Model, data: Data, q: Float64Array, at: BodyPoint): [number, number, number] {
  const X = data.X_WB.subarray(12 * at.body, 12 * at.body + 12)
  const [x, y, z] = pointInBody(model, q, at)
  const row = (r: number) => X[3 * r] * x + X[3 * r + 1] * y + X[3 * r + 2] * z + X[9 + r]
  return [row(0), row(1), row(2)]
}

/** Writes state.tau; reads the state. Leaves the kinematics of the state in data. */
export function applyHands(model: Model, data: Data, state: State, grips: readonly Grip[], pushes: readonly Push[]): void {
  if (grips.length === 0 && pushes.length === 0) {
    state.tau.fill(0)
    return
  }
  forwardKinematics(model, data, state.q, state.v)
  const forces = [
    ...grips.map((grip) => {
      const place = locate(model, data, state.q, grip)
      const velocity = pointVelocity(model, data, state.q, data.V, state.v, grip)
      return { at: grip, force: place.map((x, r) => grip.stiffness * (grip.target[r] - x) - grip.damping * velocity[r]) }
    }),
    ...pushes.map((push) => ({ at: push, force: push.force })),
  ]
  applyForces(model, data, state, forces, state.tau)
}

interface PointForce {
  readonly at: BodyPoint
  /** in the world */
  readonly force: readonly number[]
}

/** tau ← Jᵀ f of forces in the world, each as a wrench in its body frame and a force on the modes. Reads X_WB. Overwrites F. */
function applyForces(model: Model, data: Data, { q }: State, forces: readonly PointForce[], tau: Float64Array): void {
  const { X_WB, F } = data
  F.fill(0)
  const local = forces.map(({ at, force }) => ({ at, force: turnBack(X_WB, at.body, force) }))
  for (const { at, force } of local) {
    const { body } = at
    const [x, y, z] = pointInBody(model, q, at)
    const [fx, fy, fz] = force
    F[6 * body] += y * fz - z * fy
    F[6 * body + 1] += z * fx - x * fz
    F[6 * body + 2] += x * fy - y * fx
    F[6 * body + 3] += fx
    F[6 * body + 4] += fy
    F[6 * body + 5] += fz
  }
  jacobianTransposeProduct(model, data, tau, F)
  for (const { at, force } of local) addModeForce(model, tau, at, force)
}

/** In the world, of body velocities V and the modes' velocities among v. */
function pointVelocity(
  model: Model,
  { X_WB }: Data,
  q: Float64Array,
  V: Float64Array,
  v: Float64Array,
  at: BodyPoint,
): [number, number, number] {
  const [a, b, c, ...linear] = V.subarray(6 * at.body, 6 * at.body + 6)
  const [x, y, z] = pointInBody(model, q, at)
  const own = velocityInBody(model, v, at)
  const spin = [b * z - c * y, c * x - a * z, a * y - b * x]
  const local = spin.map((s, r) => s + linear[r] + own[r])
  const X = X_WB.subarray(12 * at.body, 12 * at.body + 9)
  const row = (r: number) => X[3 * r] * local[0] + X[3 * r + 1] * local[1] + X[3 * r + 2] * local[2]
  return [row(0), row(1), row(2)]
}

function turnBack(X_WB: Float64Array, body: number, f: readonly number[]): [number, number, number] {
  const X = X_WB.subarray(12 * body, 12 * body + 9)
  const column = (c: number) => X[c] * f[0] + X[3 + c] * f[1] + X[6 + c] * f[2]
  return [column(0), column(1), column(2)]
}

/** Smallest mass that the point shows to forces along the three axes: 1/m = n · J M⁻¹ Jᵀ n. */
function smallestMass(model: Model, data: Data, state: State, at: BodyPoint): number {
  const still = createState(model)
  still.q.set(state.q)
  forwardDynamics(model, data, still)
  const base = data.a.slice()
  const tau = new Float64Array(model.nv)
  const y = new Float64Array(6 * model.nbody)
  let most = 0
  for (let axis = 0; axis < 3; axis++) {
    const unit = [0, 0, 0]
    unit[axis] = 1
    forwardKinematics(model, data, state.q, state.v)
    applyForces(model, data, state, [{ at, force: unit }], tau)
    forwardDynamics(model, data, still, tau)
    const change = data.a.map((a, k) => a - base[k])
    forwardKinematics(model, data, state.q, state.v)
    jacobianProduct(model, data, y, change)
    most = Math.max(most, pointVelocity(model, data, state.q, y, change, at)[axis])
  }
  return most > 0 ? 1 / most : totalMass(model)
}
