/**
 * Observations of an environment at its state, as a row of numbers in the order in which they were asked for: parts of the state, where frames on
 * bodies are and how they move, contact forces of the last step, heights of the ground around a body, distances to it, Jacobians.
 *
 * In the frame of a body a point x moves with v + w × x and accelerates with a + ẇ × x + w × (v + w × x); gravity counts as an upward
 * acceleration, as instruments measure it.
 */
import { placeJoints } from '../../joints/place.kernel.js'
import { add, type Int, type Lanes, scale, sub } from '../../math/values/columns.js'
import { normalizeQuat, type Quat } from '../../math/values/rotation.js'
import { cross, dot, type Mat3, mulPose, rotate, rotateBack, shiftMotion, type Vec3 } from '../../math/values/spatial.js'
import type { Tree, Work } from '../../model/tables.js'
import { surfaceHeight } from './detect.kernel.js'
import {
  A,
  ACT,
  ANGULAR,
  CONTACT_FORCE,
  CONTROL,
  GRAVITY,
  HEIGHTS,
  JACOBIAN,
  LINEAR,
  LOCAL_ANGULAR,
  LOCAL_LINEAR,
  POSITION,
  Q,
  QUATERNION,
  RAYS,
  TIME,
  TOUCH,
  V,
} from './observe-codes.js'
import { placeBodies } from './place.kernel.js'
import { distanceAlong } from './rays.kernel.js'
import type { Ground, GroundStep } from './tables.js'

/** Quaternion of a rotation, w ≥ 0: of four ways the one with the largest divisor, chosen in each lane. */
function quatOf(R: Mat3): Quat {
  const [a, b, c] = [R[0][0], R[1][1], R[2][2]]
  const [x, y, z] = [R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]]
  const [yz, zx, xy] = [R[1][2] + R[2][1], R[2][0] + R[0][2], R[0][1] + R[1][0]]
  const byW: Quat = [1 + a + b + c, x, y, z]
  const byX: Quat = [x, 1 + a - b - c, xy, zx]
  const byY: Quat = [y, xy, 1 - a + b - c, yz]
  const byZ: Quat = [z, zx, yz, 1 - a - b + c]
  const isX = a >= b && a >= c
  const other: Quat = isX ? byX : b >= c ? byY : byZ
  const unit = normalizeQuat(a + b + c > 0 ? byW : other)
  const sign = unit[0] < 0 ? -1 : 1
  return scale(sign, unit)
}

function copy(g: Ground, n: Int, from: Lanes<number>): void {
  for (let k = 0; k < g.observeLength[n]; k++) g.observation[g.observeStart[n] + k] = from[g.observeFrom[n] + k]
}

function put(g: Ground, n: Int, x: Vec3): void {
  for (let r = 0; r < 3; r++) g.observation[g.observeStart[n] + r] = x[r]
}

/** Frame n: where it is and how it moves. */
function observeFrame(d: Work, g: Ground, n: Int): void {
  const code = g.observeCode[n]
  const i = g.observeFrom[n]
  const X = mulPose(d.X_WB[i], g.observeFrame[n])
  const { w, v } = d.VW[i]
  const x = sub(X.p, d.X_WB[i].p)
  const u = add(v, cross(w, x))
  if (code === POSITION) put(g, n, X.p)
  else if (code === QUATERNION) {
    const quat = quatOf(X.R)
    for (let r = 0; r < 4; r++) g.observation[g.observeStart[n] + r] = quat[r]
  } else if (code === LINEAR) put(g, n, u)
  else if (code === ANGULAR) put(g, n, w)
  else if (code === LOCAL_LINEAR) put(g, n, rotateBack(X.R, u))
  else if (code === LOCAL_ANGULAR) put(g, n, rotateBack(X.R, w))
  else if (code === GRAVITY) {
    const down = g.gravity[0]
    const length = Math.sqrt(dot(down, down))
    put(g, n, scale(1 / (length > 0 ? length : 1), rotateBack(X.R, down)))
  } else {
    const acceleration = d.AW[i]
    put(g, n, rotateBack(X.R, add(add(acceleration.v, cross(acceleration.w, x)), cross(w, u))))
  }
}

/** Height of the frame's origin above the ground at points around it, which turn with its heading. */
function observeHeights(d: Work, g: Ground, n: Int): void {
  const X = mulPose(d.X_WB[g.observeFrom[n]], g.observeFrame[n])
  const [cx, cy] = [X.R[0][0], X.R[1][0]]
  const length = Math.sqrt(cx * cx + cy * cy)
  const perLength = 1 / (length > 0 ? length : 1)
  const [cos, sin] = [length > 0 ? cx * perLength : 1, cy * perLength]
  for (let k = 0; k < g.observeLength[n]; k++) {
    const [x, y] = g.sample[g.sampleStart[n] + k]
    g.observation[g.observeStart[n] + k] = X.p[2] - surfaceHeight(g, X.p[0] + cos * x - sin * y, X.p[1] + sin * x + cos * y)
  }
}

function observeRays(d: Work, g: Ground, n: Int): void {
  const X = mulPose(d.X_WB[g.observeFrom[n]], g.observeFrame[n])
  for (let k = 0; k < g.observeLength[n]; k++)
    g.observation[g.observeStart[n] + k] = distanceAlong(g, X.p, rotate(X.R, g.ray[g.rayStart[n] + k]))
}

/** Columns of the velocities that move the frame; the others stay 0. */
function observeJacobian(m: Tree, d: Work, g: Ground, n: Int): void {
  const X = mulPose(d.X_WB[g.observeFrom[n]], g.observeFrame[n])
  for (let e = g.moverStart[n]; e < g.moverStart[n + 1]; e++) {
    const k = g.mover[e]
    const { w, v } = shiftMotion(d.SW[k], sub(X.p, d.X_WB[m.velocityBody[k]].p))
    const first = g.observeStart[n] + k
    for (let r = 0; r < 3; r++) g.observation[first + r * g.nv] = w[r]
    for (let r = 0; r < 3; r++) g.observation[first + (r + 3) * g.nv] = v[r]
  }
}

/** Reads q, v, a, control, act, contactForce. Writes observation. @kernel */
export function observe(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  placeJoints(m, d, g.q, 1, m.nbody)
  placeBodies(m, d, g, s)
  for (let n = 0; n < g.observeCount; n++) {
    const code = g.observeCode[n]
    if (code === Q) copy(g, n, g.q)
    else if (code === V) copy(g, n, g.v)
    else if (code === A) copy(g, n, g.a)
    else if (code === CONTROL) copy(g, n, g.control)
    else if (code === ACT) copy(g, n, g.act)
    else if (code === TIME) g.observation[g.observeStart[n]] = g.steps[0] * g.h[0]
    else if (code === CONTACT_FORCE) put(g, n, g.contactForce[g.observeFrom[n]])
    else if (code === TOUCH) {
      const f = g.contactForce[g.observeFrom[n]]
      g.observation[g.observeStart[n]] = Math.sqrt(dot(f, f))
    } else if (code === HEIGHTS) observeHeights(d, g, n)
    else if (code === RAYS) observeRays(d, g, n)
    else if (code === JACOBIAN) observeJacobian(m, d, g, n)
    else observeFrame(d, g, n)
  }
}
