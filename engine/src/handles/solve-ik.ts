/**
 * Inverse kinematics: coordinates at which a point of a body is where it is wanted, and the body turned as it is wanted.
 *
 * Damped least squares on the Jacobian [Wampler 1986], from the coordinates that are given:
 *   Δ = Jᵀ (J Jᵀ + λ I)⁻¹ e,   q ← q ⊕ Δ
 * with λ lowered where the error e falls and raised where it does not [Marquardt 1963]. A joint that would leave its limits is put on them, and the
 * others make up for it.
 */

import { hintAt } from '../build/problems.js'
import { turnBetween } from '../joints/curved.js'
import { jointTypes } from '../joints/index.js'
import { hypot } from '../math/own.js'
import type { Vec } from '../math/types.js'
import { createData, type Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import type { State } from '../model/state.js'
import { matrixToQuat, mulPose, rotate } from '../printed/arrays.js'
import { updatePoses } from '../tree/kinematics.js'
import { bodyJacobian, pointInWorld } from './look.js'
import { takeNumbers, takeQuaternion } from './numbers.js'

export interface IkTarget {
  /** what is to be brought there: exactly one of a body and a site, by name */
  readonly body?: string
  readonly site?: string
  /** in the frame of the body or site. Default: its origin */
  readonly point?: ArrayLike<number>
  /** where the point is to be in the world; absent: anywhere */
  readonly position?: ArrayLike<number>
  /** orientation w x y z of the body or site in the world; absent: any */
  readonly quaternion?: ArrayLike<number>
  /** names of the joints that may move. Default: all but free ones and those of driven bodies */
  readonly joints?: readonly string[]
  /** metres and radians within which the target counts as reached. Default 1e-6 */
  readonly tolerance?: number
  /** most iterations. Default 200 */
  readonly iterations?: number
}

export interface IkSolution {
  /** all coordinates of the model, inside the limits of the joints that may move */
  readonly q: Float64Array
  readonly converged: boolean
  /** what is left: metres from the position, radians from the orientation */
  readonly position: number
  readonly angle: number
  readonly iterations: number
}

interface Task {
  readonly body: number
  /** frame in the body */
  readonly X: Vec
  /** in the body */
  readonly point: Vec
  readonly position: Vec | undefined
  readonly quaternion: Vec | undefined
  /** first row and number of rows of the 6 × nv Jacobian that count */
  readonly first: number
  readonly rows: number
}

// least and largest λ: below, rounding decides; above, a step is too short to count
const LEAST = 1e-12
const MOST = 1e8

/** `state`: where to start, which stays as it is; the last solution makes the next one of a moving target quick. Allocates. */
export function solveIk(model: Model, state: Pick<State, 'q'>, target: IkTarget): IkSolution {
  const task = readTask(model, target)
  const { tolerance = 1e-6, iterations: most = 200 } = target
  const d = createData(model)
  const moves = freedoms(model, task.body, target.joints)
  const q = Float64Array.from(state.q)
  for (let k = 0; k < model.nv; k++) if (moves[k] === 1) holdToLimits(model, q, k)
  const next = new Float64Array(model.nq)
  const step = new Float64Array(model.nv)
  const J = new Float64Array(6 * model.nv)
  const e = new Float64Array(6)
  const left = new Float64Array(2)
  let square = measure(model, d, task, q, e, left)
  let lambda = 1e-4
  let iterations = 0
  const isReached = (): boolean => left[0] <= tolerance && left[1] <= tolerance
  while (iterations < most && !isReached() && lambda < MOST) {
    iterations++
    bodyJacobian(J, model, d, task.body, task.point)
    // until a step makes the error smaller
    for (; lambda < MOST; lambda *= 4) {
      findStep(model, task, J, e, moves, q, lambda, step)
      next.set(q)
      for (let j = 0; j < model.njoint; j++)
        if (moves[model.jointV[j]] === 1) jointTypes[model.jointType[j]].integrate(model, j, next, step, 1)
      const squareThere = measure(model, d, task, next, e, left)
      if (squareThere < square) {
        q.set(next)
        square = squareThere
        lambda = Math.max(LEAST, 0.2 * lambda)
        break
      }
      measure(model, d, task, q, e, left)
    }
  }
  return { q, converged: isReached(), position: left[0], angle: left[1], iterations }
}

function readTask(m: Model, { body, site, point, position, quaternion }: IkTarget): Task {
  if ((body === undefined) === (site === undefined))
    throw new RangeError('solveIk: expected either a body or a site; name the one to be moved')
  if (position === undefined && quaternion === undefined) throw new RangeError('solveIk: expected a position, a quaternion, or both')
  const find = (what: string, names: readonly string[], name: string): number => {
    const k = names.indexOf(name)
    if (k < 0) throw new RangeError(`solveIk: expected the name of a ${what}, got '${name}'${hintAt(name, names)}`)
    return k
  }
  const X = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
  let number = 0
  if (site !== undefined) {
    const k = find('site', m.sites.names, site)
    number = m.sites.body[k]
    X.set(m.sites.X_BS.subarray(12 * k, 12 * k + 12))
  } else if (body !== undefined) {
    const names = m.bodies.map(({ name }) => name)
    number = find('body', names, body)
  }
  const inBody = new Float64Array(3)
  if (point !== undefined) takeNumbers('point', inBody, 0, point, 3)
  rotate(inBody, 0, X, 0, inBody, 0)
  for (let r = 0; r < 3; r++) inBody[r] += X[9 + r]
  const where = position && new Float64Array(3)
  if (where && position) takeNumbers('position', where, 0, position, 3)
  const turn = quaternion && new Float64Array(4)
  if (turn && quaternion) takeQuaternion('quaternion', turn, 0, quaternion)
  return { body: number, X, point: inBody, position: where, quaternion: turn, first: turn ? 0 : 3, rows: (turn ? 3 : 0) + (where ? 3 : 0) }
}

/** 1 for each velocity that may move the body. */
function freedoms(m: Model, body: number, names: readonly string[] | undefined): Uint8Array {
  const moves = new Uint8Array(m.nv)
  const known = m.joints.map(({ name }) => name)
  for (const name of names ?? [])
    if (!known.includes(name)) throw new RangeError(`joints: expected names of joints, got '${name}'${hintAt(name, known)}`)
  for (let i = body; i > 0; i = m.parent[i]) {
    for (let j = m.ij[i]; j < m.ijEnd[i]; j++) {
      const isWanted = names ? names.includes(known[j]) : !jointTypes[m.jointType[j]].absolute
      if (isWanted) moves.fill(1, m.jointV[j], m.jointV[j] + jointTypes[m.jointType[j]].nv)
    }
  }
  if (!moves.includes(1)) throw new RangeError(`solveIk: no joint that may move carries body '${m.bodies[body].name}'; name some in joints`)
  return moves
}

/** Puts the coordinate of velocity k on the limit that it is beyond. */
function holdToLimits(m: Model, q: Vec, k: number): void {
  const c = m.coordinate[k]
  if (c >= 0) q[c] = Math.min(Math.max(q[c], m.limits[2 * k]), m.limits[2 * k + 1])
}

const pose = new Float64Array(12)
const turned = new Float64Array(4)
const x = new Float64Array(3)

/** Poses at q; e ← what is left (angular, linear; world axes), left ← metres and radians. Returns the sum of squares. */
function measure(m: Model, d: Data, task: Task, q: Vec, e: Vec, left: Vec): number {
  updatePoses(m, d, q)
  e.fill(0)
  if (task.quaternion) {
    mulPose(pose, 0, d.X_WB, 12 * task.body, task.X, 0)
    matrixToQuat(turned, 0, pose, 0)
    // in the axes of the frame, then in the world's
    turnBetween(x, 0, turned, 0, task.quaternion, 0)
    rotate(e, 0, pose, 0, x, 0)
  }
  if (task.position) {
    pointInWorld(x, d, task.body, task.point)
    for (let r = 0; r < 3; r++) e[3 + r] = task.position[r] - x[r]
  }
  left[0] = hypot(e[3], e[4], e[5])
  left[1] = hypot(e[0], e[1], e[2])
  return left[0] * left[0] + left[1] * left[1]
}

/** step ← damped least squares for e; joints that would leave their limits go onto them, and the rest is solved again. */
function findStep(m: Model, { first, rows }: Task, J: Vec, e: Vec, moves: Uint8Array, q: Vec, lambda: number, step: Vec): void {
  const { nv } = m
  const free = Uint8Array.from(moves)
  const A = new Float64Array(rows * rows)
  const b = new Float64Array(rows)
  step.fill(0)
  for (let again = true; again; ) {
    again = false
    for (let r = 0; r < rows; r++) {
      b[r] = e[first + r]
      for (let k = 0; k < nv; k++) if (free[k] === 0) b[r] -= J[(first + r) * nv + k] * step[k]
      for (let s = 0; s <= r; s++) {
        let sum = r === s ? lambda : 0
        for (let k = 0; k < nv; k++) if (free[k] === 1) sum += J[(first + r) * nv + k] * J[(first + s) * nv + k]
        A[r * rows + s] = sum
      }
    }
    solvePositive(A, b, rows)
    for (let k = 0; k < nv; k++) {
      if (free[k] === 0) continue
      step[k] = 0
      for (let r = 0; r < rows; r++) step[k] += J[(first + r) * nv + k] * b[r]
    }
    for (let k = 0; k < nv; k++) {
      const c = m.coordinate[k]
      if (free[k] === 0 || c < 0) continue
      const low = m.limits[2 * k] - q[c]
      const high = m.limits[2 * k + 1] - q[c]
      if (step[k] >= low && step[k] <= high) continue
      step[k] = step[k] < low ? low : high
      free[k] = 0
      again = true
    }
  }
}

/** b ← A⁻¹ b by Cholesky's factors; of A the lower half is read and overwritten. */
function solvePositive(A: Vec, b: Vec, n: number): void {
  for (let r = 0; r < n; r++) {
    for (let s = 0; s <= r; s++) {
      let sum = A[r * n + s]
      for (let k = 0; k < s; k++) sum -= A[r * n + k] * A[s * n + k]
      A[r * n + s] = r === s ? Math.sqrt(Math.max(sum, Number.MIN_VALUE)) : sum / A[s * n + s]
    }
    for (let k = 0; k < r; k++) b[r] -= A[r * n + k] * b[k]
    b[r] /= A[r * n + r]
  }
  for (let r = n - 1; r >= 0; r--) {
    for (let k = r + 1; k < n; k++) b[r] -= A[k * n + r] * b[k]
    b[r] /= A[r * n + r]
  }
}
