/**
 * What springs between bodies give to the preconditioner: u uᵀ (g d + g² k) on each body that a spring holds, with u the wrench of a
 * unit tension. The coupling of the two bodies and the turning of the spring are left out of the matrix, so that it stays on the tree
 * and positive; the right-hand side has the coupling.
 */
import { addPointForce, pointPosition } from '../../forces/points.js'
import { subtractOuter } from '../../math/inertia.js'
import { addDot6 } from '../../math/spatial.js'
import type { Vec } from '../../math/types.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'

export interface SpringBlocks {
  /** Reads the kinematics and g = step[0]. Writes `bodies` (21 numbers a body, `math/inertia`), which must be zero. */
  prepare(bodies: Vec, d: Data, step: Vec): void
  /** out (6 a body) −= g K y for motions y of the bodies. */
  pull(out: Vec, y: Vec, step: Vec): void
}

const a = new Float64Array(3)
const b = new Float64Array(3)

export function createSpringBlocks(m: Model): SpringBlocks {
  const { count, bodyA, bodyB, pointA, pointB, stiffness, damping } = m.springs
  // wrenches of a unit tension: 6 for A, 6 for B of each spring; `all` takes them one body at a time
  const units = new Float64Array(12 * count)
  const all = new Float64Array(6 * m.nbody)
  const scaled = new Float64Array(6)

  const unit = (d: Data, o: number, body: number, point: Vec, k: number, sign: 1 | -1): void => {
    for (let r = 0; r < 6; r++) all[6 * body + r] = 0
    addPointForce(all, d, body, point, 3 * k, sign, b, 0)
    for (let r = 0; r < 6; r++) units[o + r] = all[6 * body + r]
  }
  const root = new Float64Array(1)
  const stretch = new Float64Array(1)

  const add = (bodies: Vec, o: number, body: number): void => {
    if (body === 0) return
    for (let r = 0; r < 6; r++) scaled[r] = root[0] * units[o + r]
    subtractOuter(bodies, 21 * body, scaled, 0)
  }

  return {
    prepare(bodies, d, step) {
      const g = step[0]
      for (let k = 0; k < count; k++) {
        pointPosition(a, 0, d, bodyA[k], pointA, 3 * k)
        pointPosition(b, 0, d, bodyB[k], pointB, 3 * k)
        const length = Math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2 + (b[2] - a[2]) ** 2)
        const inverse = length > 0 ? 1 / length : 0
        for (let r = 0; r < 3; r++) b[r] = (b[r] - a[r]) * inverse
        unit(d, 12 * k, bodyA[k], pointA, k, -1)
        unit(d, 12 * k + 6, bodyB[k], pointB, k, 1)
        root[0] = Math.sqrt(Math.max(0, g * (damping[k] + g * stiffness[k])))
        add(bodies, 12 * k, bodyA[k])
        add(bodies, 12 * k + 6, bodyB[k])
      }
      for (let k = 0; k < bodies.length; k++) bodies[k] = -bodies[k]
    },
    pull(out, y, step) {
      const g = step[0]
      for (let k = 0; k < count; k++) {
        stretch[0] = 0
        addDot6(stretch, 0, units, 12 * k, y, 6 * bodyA[k])
        addDot6(stretch, 0, units, 12 * k + 6, y, 6 * bodyB[k])
        const tension = -g * stiffness[k] * stretch[0]
        for (let r = 0; r < 6; r++) {
          out[6 * bodyA[k] + r] += tension * units[12 * k + r]
          out[6 * bodyB[k] + r] += tension * units[12 * k + 6 + r]
        }
      }
    },
  }
}
