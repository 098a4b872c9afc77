/**
 * Bodies that deform in the system of a step (`system`): what their shapes and modes add to A, to its products, and to the right-hand side.
 *
 *   A += shape and modes of M + h D + h² K over the modes of each body
 *   b += shape and modes of M v − h (velocity products and weight of the shape) + h D v
 */
import { addShapeProduct } from '../../../forces/stiff-rows.js'
import type { Vec } from '../../../math/types.js'
import { given } from '../../../model/data.js'
import { addDot6, addScaled6, motionToChild, mulRigid } from '../../../printed/arrays.js'
import { addFrameRate, addModeInertia } from '../../../tree/modes.js'
import type { System } from './system.js'

const g = new Float64Array(6)
/** a factor that is handed over; in an array, so that it is never boxed */
const factor = new Float64Array(1)

/** Reads the terms. Writes h D + h² K of the modes. */
export function weighModes({ terms: { modeDamping, modeStiffness }, modes, step }: System): void {
  const h = step[0]
  for (let e = 0; e < modes.length; e++) modes[e] = h * (modeDamping[e] + h * modeStiffness[e])
}

/** Reads y = J x. Adds to wrenches F and to out what shapes and modes meet. */
export function meetShapes({ model: m, data: d, terms, y, F, step }: System, x: Vec, out: Vec): void {
  const h = step[0]
  addModeInertia(m, d, y, x, F, out)
  factor[0] = h
  addShapeProduct(m, terms.modeDamping, factor, x, out)
  factor[0] = h * h
  addShapeProduct(m, terms.modeStiffness, factor, x, out)
}

/** b and F of the right-hand side, of all bodies, with v₀ the velocity of the state and v that of the momentum. Reads y = J v. Writes A. */
export function pushShapes(s: System, v0: Vec, v: Vec): void {
  const { model: m, data: d, kernels, table, terms, y, F, b } = s
  const { frame, bodies, start, iv } = m.modes
  for (let i = 1; i < m.nbody; i++) {
    if (frame[i] >= 0) {
      motionToChild(d.A, 6 * i, d.X_PB, 12 * i, d.A, 6 * m.parent[i])
      addFrameRate(m, d, d.A, i)
    }
    kernels.rightHandBodies(d.tree, d.work, table, i, i + 1)
  }
  kernels.rightHandRows(d.tree, d.work, table, given(d, d.v, v0), given(d, d.x, v), terms.count, s.inertial)

  const h = s.step[0]
  addModeInertia(m, d, y, v, F, b)
  factor[0] = h
  addShapeProduct(m, terms.modeDamping, factor, v0, b)
  factor[0] = -h
  for (let n = 0; n < bodies.length; n++) {
    const o = 6 * bodies[n]
    mulRigid(g, 0, d.dI, 10 * n, d.A, o)
    addScaled6(F, o, factor, 0, g, 0)
    addScaled6(F, o, factor, 0, d.hr, 6 * n)
    for (let l = start[n]; l < start[n + 1]; l++) {
      g[0] = d.hf[l]
      addDot6(g, 0, d.P, 6 * l, d.A, o)
      b[iv[l]] -= h * g[0]
    }
  }
}

/** out += h² K x at the modes */
export function addShapeStiffness({ model: m, terms, step }: System, x: Vec, out: Vec): void {
  factor[0] = step[0] * step[0]
  addShapeProduct(m, terms.modeStiffness, factor, x, out)
}
