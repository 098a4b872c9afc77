/**
 * Inverse kinematics for a point of a body, by damped least squares on its Jacobian, warm-started from the controls:
 *   Δq = Jᵀ (J Jᵀ + λ² 1)⁻¹ e,  e from the point at the commanded posture to the target.
 * One such step for each step of the simulation, no longer than a joint may turn in that time; controls stay inside the joints' limits.
 */

import { createData, forwardKinematics, type Model } from 'limber'
import { hypot } from '../portable.js'
import type { Drive } from '../scene.js'

export interface Reach {
  readonly body: string
  /** in the frame of the body */
  readonly point: readonly [number, number, number]
  /** the body whose origin is reached for */
  readonly target: string
  /** hinges that take part; each has a servo of its name */
  readonly joints: readonly string[]
}

/** metres: how far from a singular posture the joints begin to slow down */
const damping = 0.08
/** rad/s */
const fastest = 2.5
/** metres of the error that one step takes on */
const longest = 0.15

export function createReach(model: Model, { body, point, target, joints }: Reach): Drive {
  const number = (name: string) => model.bodies.findIndex((one) => one.name === name)
  const [tip, goal] = [number(body), number(target)]
  const hinges = joints.map((name) => model.joints.find((joint) => joint.name === name)).filter((joint) => joint !== undefined)
  const servos = joints.map((name) => model.actuators.names.indexOf(name))
  const data = createData(model)
  const q = new Float64Array(model.nq)
  const v = new Float64Array(model.nv)
  const J = new Float64Array(3 * hinges.length)
  const A = new Float64Array(9)
  const e = new Float64Array(3)
  const y = new Float64Array(3)

  return ({ t, q: now, control }) => {
    // at the start the servos hold what is there
    if (t === 0) hinges.forEach(({ iq }, k) => (control[servos[k]] = now[iq]))
    q.set(now)
    hinges.forEach(({ iq }, k) => (q[iq] = control[servos[k]]))
    forwardKinematics(model, data, q, v)
    const { X_WB, S } = data
    const X = 12 * tip
    const at = (r: number) => X_WB[X + 3 * r] * point[0] + X_WB[X + 3 * r + 1] * point[1] + X_WB[X + 3 * r + 2] * point[2] + X_WB[X + 9 + r]
    const [px, py, pz] = [at(0), at(1), at(2)]
    for (let r = 0; r < 3; r++) e[r] = X_WB[12 * goal + 9 + r] - (r === 0 ? px : r === 1 ? py : pz)
    const far = hypot(e[0], e[1], e[2])
    if (far > longest) for (let r = 0; r < 3; r++) e[r] *= longest / far

    // columns of J: axis × arm
    hinges.forEach(({ body: i, iv }, k) => {
      const B = 12 * i
      const axis = (r: number) => X_WB[B + 3 * r] * S[6 * iv] + X_WB[B + 3 * r + 1] * S[6 * iv + 1] + X_WB[B + 3 * r + 2] * S[6 * iv + 2]
      const [ax, ay, az] = [axis(0), axis(1), axis(2)]
      const [x, yy, z] = [px - X_WB[B + 9], py - X_WB[B + 10], pz - X_WB[B + 11]]
      J[3 * k] = ay * z - az * yy
      J[3 * k + 1] = az * x - ax * z
      J[3 * k + 2] = ax * yy - ay * x
    })
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        let sum = r === c ? damping * damping : 0
        for (let k = 0; k < hinges.length; k++) sum += J[3 * k + r] * J[3 * k + c]
        A[3 * r + c] = sum
      }
    }
    solve3(A, e, y)
    hinges.forEach(({ iv }, k) => {
      const step = J[3 * k] * y[0] + J[3 * k + 1] * y[1] + J[3 * k + 2] * y[2]
      const most = fastest * model.timestep
      const next = control[servos[k]] + Math.min(Math.max(step, -most), most)
      control[servos[k]] = Math.min(Math.max(next, model.limits[2 * iv]), model.limits[2 * iv + 1])
    })
  }
}

/** x ← A⁻¹ b by Cramer's rule; A is symmetric and positive. */
function solve3(A: Float64Array, b: Float64Array, x: Float64Array): void {
  const [a, d, f, , g, i, , , j] = A
  const [p, q, r] = b
  const c0 = g * j - i * i
  const c1 = f * i - d * j
  const c2 = d * i - f * g
  const det = a * c0 + d * c1 + f * c2
  x[0] = (c0 * p + c1 * q + c2 * r) / det
  x[1] = (c1 * p + (a * j - f * f) * q + (d * f - a * i) * r) / det
  x[2] = (c2 * p + (d * f - a * i) * q + (a * g - d * d) * r) / det
}
