/**
 * Sensors: what the model's instruments show at a state, with MuJoCo's meanings.
 *
 * Frames are X_WB X_BS; in the frame of a body a point x moves with v + w × x and accelerates with a + ẇ × x + w × (v + w × x), where A counts
 * gravity as an upward acceleration, as instruments do; what never moves shows none. The force in a joint is what the bodies beyond it take to
 * move as they do, less contact and what tendons over points bring; other springs, dampers, motors and the medium pass through the joint.
 */

import { jointTypes, neutral } from '../joints/index.js'
import { norm } from '../math/own.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import { ACTUATOR_TENDON, type Model } from '../model/model.js'
import { sensorKinds } from '../model/sensors.js'
import type { Contact } from '../model/shapes.js'
import type { State } from '../model/state.js'
import { matrixToQuat, mulPose } from '../printed/arrays.js'
import { jacobianTransposeProduct } from '../tree/jacobian.js'
import { forwardKinematics } from '../tree/kinematics.js'
import { centerOfMass, momentum, totalMass } from '../tree/momentum.js'
import { rnea } from '../tree/rnea.js'
import { actuatorForces, actuatorJointForces } from './actuators.js'
import { energy, forwardDynamics, inverseDynamics } from './dynamics.js'
import { addPointForce } from './points.js'
import { nearest } from './ray/hit.js'
import { hitGeom } from './ray/hit-geom.js'
import { hitSolid } from './ray/solids.js'
import { addTendonForce, tendonLength, tendonRate, tendons } from './tendons.js'

/** What a sensor cannot know from the state alone. */
export interface Sensed {
  /** accelerations (nv); default: of the tree, without constraints and contact */
  readonly a?: Vec
  readonly contacts?: readonly Contact[]
}

/** a limit that is nearer than this carries what the joint lacks */
const AT_LIMIT = 1e-6

/** out (model.sensors.size) ← what every sensor shows. Overwrites data. Allocates. */
export function readSensors(model: Model, data: Data, state: State, out: Vec, { a, contacts = [] }: Sensed = {}): void {
  const { count, size, start, kind, cutoff, accelerated } = model.sensors
  if (out.length !== size) throw new RangeError(`out: expected ${size} numbers, got ${out.length}; the model's sensors have as many`)
  const w = createWork(model, contacts)
  if (count === 0) return
  if (accelerated) {
    if (a === undefined) forwardDynamics(model, data, state, state.tau)
    w.a.set(a ?? data.a)
    if (a !== undefined) restForces(w, model, data, state)
    forwardKinematics(model, data, state.q, state.v)
  } else forwardKinematics(model, data, state.q, state.v)
  if (model.nu > 0) {
    actuatorJointForces(w.qf, model, data, state)
    actuatorForces(w.force, w.length, w.rate, model, data, state)
  }
  if (accelerated) {
    data.f.fill(0)
    for (const contact of contacts) addContact(data, contact)
    addTendons(w, model, data, state)
    rnea(model, data, w.a, w.scratch)
    w.A.set(data.A)
    for (let i = 0; i < model.nbody; i++) if (isStill(model, i)) w.A.fill(0, 6 * i, 6 * i + 6)
    w.F.set(data.F)
  }
  for (let k = 0; k < count; k++) {
    w.at = start[k]
    show(out, w, model, data, state, k)
    const { cut } = sensorKinds[kind[k]]
    const c = cutoff[k]
    if (c === 0 || cut === 'never') continue
    for (let i = start[k]; i < start[k + 1]; i++) out[i] = Math.max(Math.min(out[i], c), cut === 'both' ? -c : out[i])
  }
}

interface SensorWork {
  at: number
  readonly contacts: readonly Contact[]
  readonly a: Vec
  readonly A: Vec
  readonly F: Vec
  readonly scratch: Vec
  /** joint forces of constraints and limits */
  readonly rest: Vec
  /** of actuators: in the joints; force, length and rate of each */
  readonly qf: Vec
  readonly force: Vec
  readonly length: Vec
  readonly rate: Vec
}

function createWork(m: Model, contacts: readonly Contact[]): SensorWork {
  const numbers = (n: number): Vec => new Float64Array(n)
  const each = { a: numbers(m.nv), A: numbers(6 * m.nbody), F: numbers(6 * m.nbody), scratch: numbers(m.nv), rest: numbers(m.nv) }
  return { at: 0, contacts, ...each, qf: numbers(m.nv), force: numbers(m.nu), length: numbers(m.nu), rate: numbers(m.nu) }
}

/** rest ← the joint forces that the accelerations take beyond those of the model, of tau and of contact. */
function restForces(w: SensorWork, m: Model, d: Data, s: State): void {
  inverseDynamics(m, d, s, w.a)
  w.rest.set(d.tau)
  d.f.fill(0)
  for (const contact of w.contacts) addContact(d, contact)
  jacobianTransposeProduct(m, d, w.scratch, d.f)
  for (let k = 0; k < m.nv; k++) w.rest[k] -= s.tau[k] + w.scratch[k]
}

/** f += the force of a contact on both its bodies. */
function addContact(d: Data, { bodyA, bodyB, point, force }: Contact): void {
  const F = Float64Array.from(force)
  for (const [body, sign] of [
    [bodyA, -1],
    [bodyB, 1],
  ] as const) {
    const x = toLocal(d.X_WB, 12 * body, point)
    addPointForce(d.f, d, body, x, 0, sign, F, 0)
  }
}

/** f += what tendons pull at the points that they run over, by themselves and by their actuators. */
function addTendons(w: SensorWork, m: Model, d: Data, s: State): void {
  tendons.apply(m, d, s)
  const { kind, target, gear } = m.actuators
  for (let k = 0; k < m.nu; k++)
    if (kind[k] === ACTUATOR_TENDON) addTendonForce(m, d, target[k], Float64Array.of(gear[6 * k] * w.force[k]), 0, d.f, d.qf)
}

/** Whether no joint lies between the body and the world. */
function isStill(m: Model, i: number): boolean {
  for (let b = i; b > 0; b = m.parent[b]) if (m.ivEnd[b] > m.iv[b]) return false
  return true
}

/** Rᵀ (x − p) */
function toLocal(X: Vec, i: number, x: ArrayLike<number>): Vec {
  return rotateBack(X, i, [x[0] - X[i + 9], x[1] - X[i + 10], x[2] - X[i + 11]])
}

/** Rᵀ x */
function rotateBack(X: Vec, i: number, x: ArrayLike<number>): Vec {
  return Float64Array.from({ length: 3 }, (_, r) => X[i + r] * x[0] + X[i + 3 + r] * x[1] + X[i + 6 + r] * x[2])
}

/** R x */
function rotateOut(X: Vec, i: number, x: ArrayLike<number>): Vec {
  return Float64Array.from({ length: 3 }, (_, r) => X[i + 3 * r] * x[0] + X[i + 3 * r + 1] * x[1] + X[i + 3 * r + 2] * x[2])
}

const cross = (a: ArrayLike<number>, b: ArrayLike<number>): Vec =>
  Float64Array.of(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
const sum = (a: ArrayLike<number>, b: ArrayLike<number>, s = 1): Vec => Float64Array.from({ length: 3 }, (_, r) => a[r] + s * b[r])

/** Angular and linear velocity of the origin of a frame at pose X[i …] of the body, in the world. */
function velocityOf(d: Data, body: number, X: Vec, i: number): { w: Vec; v: Vec } {
  const V = d.V.subarray(6 * body, 6 * body + 6)
  const x = X.subarray(i + 9, i + 12)
  return { w: rotateOut(d.X_WB, 12 * body, V), v: rotateOut(d.X_WB, 12 * body, sum(V.subarray(3), cross(V, x))) }
}

/** Out of the sensor's own numbers: what sensor k shows, at out[w.at …]. */
function show(out: Vec, w: SensorWork, m: Model, d: Data, s: State, k: number): void {
  const { kind, target, pose } = m.sensors
  const j = target[k]
  const { name, on } = sensorKinds[kind[k]]
  const put = (x: ArrayLike<number>): void => out.set(x as Vec, w.at)
  if (on === 'frame') {
    const X = new Float64Array(12)
    mulPose(X, 0, d.X_WB, 12 * j, pose, 12 * k)
    showFrame(put, name, w, m, d, k, X)
    return
  }
  switch (name) {
    case 'jointpos':
      return put([s.q[m.jointQ[j]]])
    case 'jointvel':
      return put([s.v[m.jointV[j]]])
    case 'jointactuatorfrc':
      return put([w.qf[m.jointV[j]]])
    case 'ballquat': {
      const q = s.q.subarray(m.jointQ[j], m.jointQ[j] + 4)
      return put(q.map((x) => x / norm(q)))
    }
    case 'ballangvel':
      return put(s.v.subarray(m.jointV[j], m.jointV[j] + 3))
    case 'jointlimitpos':
    case 'jointlimitvel':
    case 'jointlimitfrc':
      return put([jointLimit(w, m, s, j, name)])
    case 'tendonpos':
      return tendonLength(out, w.at, m, d, s.q, j)
    case 'tendonvel':
      return tendonRate(out, w.at, m, d, s.v, j)
    case 'tendonactuatorfrc': {
      const { kind: drives, target: driven } = m.actuators
      return put([w.force.reduce((total, f, i) => (drives[i] === ACTUATOR_TENDON && driven[i] === j ? total + f : total), 0)])
    }
    case 'tendonlimitpos':
    case 'tendonlimitvel': {
      const x = new Float64Array(2)
      tendonLength(x, 0, m, d, s.q, j)
      tendonRate(x, 1, m, d, s.v, j)
      const [low, high] = m.constraints.tendonLimits.subarray(2 * j, 2 * j + 2)
      const side = x[0] < low ? 1 : x[0] > high ? -1 : 0
      return put([side === 0 ? 0 : name === 'tendonlimitvel' ? side * x[1] : side * (x[0] - (side === 1 ? low : high))])
    }
    case 'actuatorpos':
      return put([w.length[j]])
    case 'actuatorvel':
      return put([w.rate[j]])
    case 'actuatorfrc':
      return put([w.force[j]])
    case 'subtreecom':
    case 'subtreelinvel':
    case 'subtreeangmom':
      return put(subtree(m, d, j, name))
    case 'e_potential':
    case 'e_kinetic': {
      const { kinetic, potential } = energy(m, d, s)
      return put([name === 'e_kinetic' ? kinetic : potential])
    }
    case 'clock':
      return put([s.t])
  }
}

function showFrame(put: (x: ArrayLike<number>) => void, name: string, w: SensorWork, m: Model, d: Data, k: number, X: Vec): void {
  const { target, pose, numbers, zone, reference, referencePose } = m.sensors
  const body = target[k]
  const local = pose.subarray(12 * k, 12 * k + 12)
  const place = local.subarray(9)
  // the frame that it is seen from
  const from = new Float64Array(12)
  const seen = reference[k] >= 0
  mulPose(from, 0, d.X_WB, 12 * Math.max(reference[k], 0), referencePose, 12 * k)
  switch (name) {
    case 'framepos':
      return put(toLocal(from, 0, X.subarray(9)))
    case 'framequat': {
      const R = new Float64Array(12)
      for (let c = 0; c < 3; c++) {
        const axis = rotateBack(from, 0, [X[c], X[3 + c], X[6 + c]])
        for (let r = 0; r < 3; r++) R[3 * r + c] = axis[r]
      }
      const q = new Float64Array(4)
      matrixToQuat(q, 0, R, 0)
      return put(q)
    }
    case 'framexaxis':
    case 'frameyaxis':
    case 'framezaxis': {
      const c = 'xyz'.indexOf(name[5])
      return put(rotateBack(from, 0, [X[c], X[3 + c], X[6 + c]]))
    }
    case 'velocimeter':
      return put(rotateBack(X, 0, velocityOf(d, body, pose, 12 * k).v))
    case 'gyro':
      return put(rotateBack(X, 0, velocityOf(d, body, pose, 12 * k).w))
    case 'framelinvel':
    case 'frameangvel': {
      const own = velocityOf(d, body, pose, 12 * k)
      if (!seen) return put(name === 'framelinvel' ? own.v : own.w)
      const other = velocityOf(d, reference[k], referencePose, 12 * k)
      const turned = cross(other.w, sum(X.subarray(9), from.subarray(9), -1))
      const difference = name === 'framelinvel' ? sum(sum(own.v, other.v, -1), turned, -1) : sum(own.w, other.w, -1)
      return put(rotateBack(from, 0, difference))
    }
    case 'accelerometer':
    case 'framelinacc':
    case 'frameangacc': {
      const A = w.A.subarray(6 * body, 6 * body + 6)
      const V = d.V.subarray(6 * body, 6 * body + 6)
      const speed = sum(V.subarray(3), cross(V, place))
      const linear = sum(sum(A.subarray(3), cross(A, place)), cross(V, speed))
      const inBody = name === 'frameangacc' ? A : linear
      return put(name === 'accelerometer' ? rotateBack(local, 0, inBody) : rotateOut(d.X_WB, 12 * body, inBody))
    }
    case 'force':
    case 'torque': {
      const F = w.F.subarray(6 * body, 6 * body + 6)
      const moment = sum(F, cross(place, F.subarray(3)), -1)
      return put(rotateBack(local, 0, name === 'force' ? F.subarray(3) : moment))
    }
    case 'magnetometer':
      return put(rotateBack(X, 0, numbers.subarray(3 * k, 3 * k + 3)))
    case 'rangefinder':
      return put([range(m, d, body, X)])
    case 'touch': {
      let total = 0
      for (const { bodyA, bodyB, point, normal, force } of w.contacts) {
        const push = normal[0] * force[0] + normal[1] * force[1] + normal[2] * force[2]
        if ((bodyA !== body && bodyB !== body) || push <= 0) continue
        const sign = bodyB === body ? -1 : 1
        const outward = normal.map((x) => sign * x)
        nearest[0] = Number.POSITIVE_INFINITY
        hitSolid(Float64Array.from([...toLocal(X, 0, point), ...rotateBack(X, 0, outward)]), zone[k], numbers, 3 * k)
        if (nearest[0] < Number.POSITIVE_INFINITY) total += push
      }
      return put([total])
    }
  }
}

/** Distance from the origin of X along its z to the first shape of another body; −1 where there is none. */
function range(m: Model, d: Data, body: number, X: Vec): number {
  const { geom } = m.sensors.targets
  nearest[0] = Number.POSITIVE_INFINITY
  const along = Float64Array.of(X[2], X[5], X[8])
  for (const k of geom) if (m.geoms.body[k] !== body) hitGeom(G, d.X_WB, m.geoms, k, X.subarray(9, 12), along)
  return nearest[0] < Number.POSITIVE_INFINITY ? nearest[0] : -1
}

const G = new Float64Array(12)

/** Of the bodies that move with body j: where their centre of mass is, how it moves, their angular momentum about it. */
function subtree(m: Model, d: Data, j: number, name: string): ArrayLike<number> {
  const end = m.subtreeEnd[j]
  const com = new Float64Array(3)
  centerOfMass(m, d, com, j, end)
  if (name === 'subtreecom') return com
  const h = new Float64Array(6)
  momentum(m, d, h, j, end)
  const mass = totalMass(m, j, end)
  if (name === 'subtreelinvel') return h.subarray(3).map((x) => (mass === 0 ? 0 : x / mass))
  return sum(h, cross(com, h.subarray(3)), -1)
}

/** How far a joint is past a limit, how fast it comes back, what holds it; 0 where it is inside. */
function jointLimit(w: SensorWork, m: Model, s: State, j: number, name: string): number {
  const type = jointTypes[m.jointType[j]]
  const v = m.jointV[j]
  const near = name === 'jointlimitfrc' ? AT_LIMIT : 0
  if (type.nv === 1) {
    const x = s.q[m.jointQ[j]]
    for (let side = 0; side < 2; side++) {
      const sign = side === 0 ? 1 : -1
      const gap = sign * (x - m.limits[2 * v + side])
      if (!(gap < near)) continue
      return name === 'jointlimitpos' ? gap : name === 'jointlimitvel' ? sign * s.v[v] : Math.max(0, sign * w.rest[v])
    }
    return 0
  }
  const drawn = new Float64Array(m.nq)
  const r = new Float64Array(m.nv)
  neutral(m, drawn)
  type.difference(m, j, r, drawn, s.q)
  const angle = norm(r.subarray(v, v + 3))
  const gap = m.limits[2 * v + 1] - angle
  if (!(gap < near)) return 0
  const along = (x: Vec): number => -(r[v] * x[v] + r[v + 1] * x[v + 1] + r[v + 2] * x[v + 2]) / angle
  return name === 'jointlimitpos' ? gap : name === 'jointlimitvel' ? along(s.v) : Math.max(0, along(w.rest))
}
