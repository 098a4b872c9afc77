/**
 * Bodies that deform in the space of points (`point-system`): points at x = x⁰ + Σ φ_l η_l of a body's frame, that would be at y without forces
 * (`shape-momentum`).
 *
 * With T − Y the change of the frame's transform, E = Rᵀ R_Y and δ = η_Y − η, a point is off by (T − Y) x − R_Y Σ φ_l δ_l, of which the first part
 * is that of a rigid body with the shape at hand. The second adds to the gradient in body axes, with G_l = Σ m φ_l xᵀ and a_l = Σ m φ_l,
 *   W −= E Σ δ_l (G_l | a_l)/h²
 * and along a mode the gradient is
 *   ((1 − E) : G_l + a_l · Rᵀ(p − p_Y) − E : (G_l(y) − G_l))/h² + f_l − a_l · Rᵀ g
 *
 * Rates of such a body are those of `free-motion`: ω in body axes, velocity of the centre of mass in the world. Rates of modes are among the
 * velocities of the step.
 */
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { addQuadRigid, cross, mulRigid, rotate, rotateBack } from '../../../printed/arrays.js'
import { addModeInertia, addTwiceModeKinetic } from '../../../tree/modes.js'
import { setMoments } from '../../../tree/point-moments.js'
import { createShapeMomentum, keepMomentum, type ShapeMomentum, E as turn } from './shape-momentum.js'

export interface ShapeMotion extends ShapeMomentum {
  /** scratch: motions of bodies (6 each) */
  readonly V: Vec
}

/** Reads P. */
export function createShapeMotion(m: Model, d: Data): ShapeMotion {
  return { ...createShapeMomentum(m, d), V: new Float64Array(6 * m.nbody) }
}

const I = new Float64Array(10)
const c = new Float64Array(3)
const e = new Float64Array(3)
const E = new Float64Array(9)
const D = new Float64Array(9)
const Q = new Float64Array(9)
const S = new Float64Array(9)
const weight = new Float64Array(3)

/** Reads the shapes of d: a part starts there. */
export function startShapes({ model: m, G0, I0 }: ShapeMotion, d: Data): void {
  G0.set(d.G)
  for (let n = 0; n < m.modes.bodies.length; n++) {
    takeInertia(m, d, n)
    I0.set(I, 10 * n)
  }
}

/** I ← inertia of the shape of body bodies[n], about its origin. */
function takeInertia(m: Model, { dI }: Data, n: number): void {
  const o = 10 * m.modes.bodies[n]
  for (let k = 0; k < 10; k++) I[k] = m.inertia[o + k] + dI[10 * n + k]
}

/** Where bodies that deform are after step[0] from X0 and q0 without forces: Y, and q of their modes. v0: rates of modes at the start. */
export function extrapolateShapes(s: ShapeMotion, Y: Vec, X0: Vec, q0: Vec, rates: Vec, v0: Vec, step: Vec): void {
  const { model: m, I0, shape } = s
  for (let n = 0; n < m.modes.bodies.length; n++) {
    const i = m.modes.bodies[n]
    const x = 12 * i
    keepMomentum(s, n, q0, v0, rates, step)
    for (let r = 0; r < 3; r++) {
      for (let k = 0; k < 3; k++) {
        Y[x + 3 * r + k] = X0[x + 3 * r] * turn[k] + X0[x + 3 * r + 1] * turn[3 + k] + X0[x + 3 * r + 2] * turn[6 + k]
      }
    }
    // from the centre at the start straight on to that at the end
    for (let r = 0; r < 3; r++) {
      c[r] = I0[10 * n + 1 + r] / I0[10 * n]
      e[r] = (m.inertia[10 * i + 1 + r] + shape.dI[10 * n + 1 + r]) / I0[10 * n]
    }
    rotate(c, 0, X0, x, c, 0)
    rotate(e, 0, Y, x, e, 0)
    for (let r = 0; r < 3; r++) Y[x + 9 + r] = X0[x + 9 + r] + c[r] + step[0] * rates[6 * i + 3 + r] - e[r]
  }
}

/** Mass moments of the shapes of d, in place of those at rest. */
export function updateMoments({ model: m }: ShapeMotion, d: Data, moments: Vec): void {
  for (let n = 0; n < m.modes.bodies.length; n++) {
    takeInertia(m, d, n)
    setMoments(moments, m.modes.bodies[n], I, 0)
  }
}

/**
 * Reads the shapes and poses of d at q, and where bodies would be; 1/h² = scale[0]. Adds to W what modes add, to out the gradient along each
 * mode, and to energies[o] what modes add to ½|·|²/h². Writes the forces that hold modes.
 */
export function pullShapes(s: ShapeMotion, d: Data, q: Vec, Y: Vec, scale: Vec, W: Vec, out: Vec, energies: Vec, o: number): void {
  const { model: m, a, shape } = s
  const { bodies, start, iq, iv } = m.modes
  const { X_WB: X, G } = d
  const factor = scale[0]
  let energy = 0
  for (let n = 0; n < bodies.length; n++) {
    const x = 12 * bodies[n]
    compare(m, X, Y, x)
    // Σ δ_l (G_l | a_l)
    S.fill(0)
    c.fill(0)
    for (let l = start[n]; l < start[n + 1]; l++) {
      const g = 9 * l
      const change = s.q[iq[l]] - q[iq[l]]
      let pull = 0
      let far = 0
      for (let k = 0; k < 9; k++) {
        const more = shape.G[g + k] - G[g + k]
        pull += D[k] * G[g + k] - E[k] * more
        far += (k % 4 === 0 ? 0.5 * more : 0) - Q[k] * G[g + k]
        S[k] += change * G[g + k]
      }
      let down = 0
      for (let k = 0; k < 3; k++) {
        const along = a[3 * l + k]
        pull += along * e[k]
        far -= along * (E[k] * e[0] + E[3 + k] * e[1] + E[6 + k] * e[2])
        down += along * weight[k]
        c[k] += change * along
      }
      energy += change * far
      s.holding[l] = factor * pull + s.held[l]
      out[iv[l]] += s.holding[l] - down
    }
    for (let r = 0; r < 3; r++) {
      for (let k = 0; k < 3; k++) W[x + 3 * r + k] -= factor * (E[3 * r] * S[k] + E[3 * r + 1] * S[3 + k] + E[3 * r + 2] * S[6 + k])
      W[x + 9 + r] -= factor * (E[3 * r] * c[0] + E[3 * r + 1] * c[1] + E[3 * r + 2] * c[2])
    }
  }
  energies[o] += factor * energy
}

/** E = Rᵀ R_Y, D = Rᵀ (R − R_Y), Q = Eᵀ D, e = Rᵀ (p − p_Y), weight = Rᵀ g */
function compare({ gravity }: Model, X: Vec, Y: Vec, x: number): void {
  for (let r = 0; r < 3; r++) {
    for (let k = 0; k < 3; k++) {
      let same = 0
      let off = 0
      for (let j = 0; j < 3; j++) {
        same += X[x + 3 * j + r] * Y[x + 3 * j + k]
        off += X[x + 3 * j + r] * (X[x + 3 * j + k] - Y[x + 3 * j + k])
      }
      E[3 * r + k] = same
      D[3 * r + k] = off
    }
  }
  for (let r = 0; r < 3; r++) {
    for (let k = 0; k < 3; k++) Q[3 * r + k] = E[r] * D[k] + E[3 + r] * D[3 + k] + E[6 + r] * D[6 + k]
    e[r] = X[x + 9 + r] - Y[x + 9 + r]
  }
  rotateBack(e, 0, X, x, e, 0)
  rotateBack(weight, 0, X, x, gravity, 0)
}

/** rates of bodies that deform ← from motions V and velocities v, at the poses and shapes of d */
export function shapeRates({ model: m, a }: ShapeMotion, d: Data, V: Vec, v: Vec, rates: Vec): void {
  const { bodies, start, iv } = m.modes
  for (let n = 0; n < bodies.length; n++) {
    const b = 6 * bodies[n]
    takeInertia(m, d, n)
    // velocity of the centre in body axes: u + ω × c + Σ a_l η̇_l/m
    for (let r = 0; r < 3; r++) c[r] = I[1 + r] / I[0]
    cross(c, 0, V, b, c, 0)
    for (let r = 0; r < 3; r++) {
      let sum = V[b + 3 + r] + c[r]
      for (let l = start[n]; l < start[n + 1]; l++) sum += (a[3 * l + r] * v[iv[l]]) / I[0]
      e[r] = sum
      rates[b + r] = V[b + r]
    }
    rotate(rates, b + 3, d.X_WB, 12 * bodies[n], e, 0)
  }
}

/** rates, whose ω are known, ← with velocities of centres between X0 with the shapes there and the poses and shapes of d, step[0] later */
export function shapeRatesFrom({ model: m, I0 }: ShapeMotion, d: Data, X0: Vec, rates: Vec, step: Vec): void {
  const { bodies } = m.modes
  const { X_WB: X } = d
  for (let n = 0; n < bodies.length; n++) {
    const x = 12 * bodies[n]
    takeInertia(m, d, n)
    for (let r = 0; r < 3; r++) {
      c[r] = I[1 + r] / I[0]
      e[r] = I0[10 * n + 1 + r] / I0[10 * n]
    }
    rotate(c, 0, X, x, c, 0)
    rotate(e, 0, X0, x, e, 0)
    for (let r = 0; r < 3; r++) rates[6 * bodies[n] + 3 + r] = (X[x + 9 + r] + c[r] - X0[x + 9 + r] - e[r]) / step[0]
  }
}

/** V of bodies that deform ← the motion of their frames, with these rates and velocities v at the poses and shapes of d. */
function shapeMotions({ model: m, a, V }: ShapeMotion, d: Data, rates: Vec, v: Vec): void {
  const { bodies, start, iv } = m.modes
  for (let n = 0; n < bodies.length; n++) {
    const b = 6 * bodies[n]
    takeInertia(m, d, n)
    for (let r = 0; r < 3; r++) {
      V[b + r] = rates[b + r]
      c[r] = I[1 + r] / I[0]
    }
    cross(c, 0, rates, b, c, 0)
    rotateBack(V, b + 3, d.X_WB, 12 * bodies[n], rates, b + 3)
    for (let r = 0; r < 3; r++) {
      V[b + 3 + r] -= c[r]
      for (let l = start[n]; l < start[n + 1]; l++) V[b + 3 + r] -= (a[3 * l + r] * v[iv[l]]) / I[0]
    }
  }
}

/** energies[o] += kinetic energy of bodies that deform, with these rates and velocities v */
export function addShapeKinetic(s: ShapeMotion, d: Data, rates: Vec, v: Vec, energies: Vec, o: number): void {
  const { model: m, V } = s
  shapeMotions(s, d, rates, v)
  c[0] = 0
  for (let n = 0; n < m.modes.bodies.length; n++) addQuadRigid(c, 0, m.inertia, 10 * m.modes.bodies[n], V, 6 * m.modes.bodies[n])
  addTwiceModeKinetic(m, d, V, v, c, 0)
  energies[o] += 0.5 * c[0]
}

/** F ← momenta of bodies that deform, in body axes, and out += those of their modes */
export function addShapeMomenta(s: ShapeMotion, d: Data, rates: Vec, v: Vec, F: Vec, out: Vec): void {
  const { model: m, V } = s
  shapeMotions(s, d, rates, v)
  for (let n = 0; n < m.modes.bodies.length; n++)
    mulRigid(F, 6 * m.modes.bodies[n], m.inertia, 10 * m.modes.bodies[n], V, 6 * m.modes.bodies[n])
  addModeInertia(m, d, V, v, F, out)
}
