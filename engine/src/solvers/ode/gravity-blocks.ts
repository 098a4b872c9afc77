/**
 * What the weight of hanging bodies gives to the preconditioner. A body that turns by φ lifts its own centre of mass and the joints of its
 * children, with all that hangs from them. With P the sum of these masses times their levers, in body axes, the second derivative of the
 * energy is (P·γ) 1 − sym(P γᵀ), γ gravity. Of it (P·γ)(1 − γ̂ γ̂ᵀ) is taken, where P·γ > 0: a swing about a level axis, and positive.
 *
 * Long chains need it: their own weight is stiffer than any spring in their joints.
 */
import { hypot } from '../../math/own.js'
import type { Vec } from '../../math/types.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'

export interface GravityBlocks {
  /** Reads the kinematics and g = step[0]. Adds to `bodies` (21 numbers a body, `math/inertia`). */
  prepare(bodies: Vec, d: Data, step: Vec): void
  /** out (6 a body) −= g K y for motions y of the bodies. */
  pull(out: Vec, y: Vec, step: Vec): void
}

export function createGravityBlocks(m: Model): GravityBlocks {
  const { nbody, parent, inertia, gravity, gravityCompensation } = m
  // weight of a body with all below it, over γ
  const hanging = new Float64Array(nbody)
  const moments = new Float64Array(3 * nbody)
  // 4 a body: P·γ and the direction of gravity
  const blocks = new Float64Array(4 * nbody)
  const size = hypot(gravity[0], gravity[1], gravity[2])
  for (let i = nbody - 1; i > 0; i--) {
    hanging[i] += inertia[10 * i] * (1 - gravityCompensation[i])
    hanging[parent[i]] += hanging[i]
  }

  return {
    prepare(bodies, d, step) {
      const { X_PB, X_WB } = d
      const square = step[0] * step[0]
      for (let i = 1; i < nbody; i++) {
        const share = 1 - gravityCompensation[i]
        for (let r = 0; r < 3; r++) moments[3 * i + r] = share * inertia[10 * i + 1 + r]
      }
      for (let i = 1; i < nbody; i++) {
        for (let r = 0; r < 3; r++) moments[3 * parent[i] + r] += hanging[i] * X_PB[12 * i + 9 + r]
      }
      for (let i = 1; i < nbody; i++) {
        const o = 12 * i
        const x = (X_WB[o] * gravity[0] + X_WB[o + 3] * gravity[1] + X_WB[o + 6] * gravity[2]) / size
        const y = (X_WB[o + 1] * gravity[0] + X_WB[o + 4] * gravity[1] + X_WB[o + 7] * gravity[2]) / size
        const z = (X_WB[o + 2] * gravity[0] + X_WB[o + 5] * gravity[1] + X_WB[o + 8] * gravity[2]) / size
        const k = Math.max(0, size * (moments[3 * i] * x + moments[3 * i + 1] * y + moments[3 * i + 2] * z))
        blocks[4 * i] = k
        blocks[4 * i + 1] = x
        blocks[4 * i + 2] = y
        blocks[4 * i + 3] = z
        const s = square * k
        const b = 21 * i
        bodies[b] += s * (1 - x * x)
        bodies[b + 1] -= s * x * y
        bodies[b + 2] -= s * x * z
        bodies[b + 3] += s * (1 - y * y)
        bodies[b + 4] -= s * y * z
        bodies[b + 5] += s * (1 - z * z)
      }
    },
    pull(out, y, step) {
      const g = step[0]
      for (let i = 1; i < nbody; i++) {
        const s = g * blocks[4 * i]
        const o = 6 * i
        const along = blocks[4 * i + 1] * y[o] + blocks[4 * i + 2] * y[o + 1] + blocks[4 * i + 3] * y[o + 2]
        for (let r = 0; r < 3; r++) out[o + r] -= s * (y[o + r] - along * blocks[4 * i + 1 + r])
      }
    },
  }
}
