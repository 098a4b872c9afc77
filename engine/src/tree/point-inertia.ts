/**
 * Inertia in the space of points: what masses do when the transforms T of bodies (3 × 4, R row by row then p) change.
 *
 * With Mt = ∫ρ (x;1)(x;1)ᵀ the inner product of two changes is ∫ρ P(a)·P(b) = tr(a Mt bᵀ), whatever joints there are. Backward Euler in
 * points [Pan and Manocha 2018] asks for the gradient of ½ tr((T − Y) Mt (T − Y)ᵀ)/h² − gᵀ T Mt e₄, Y where bodies would be without forces. Along
 * T → T exp[ξ] it is ξ · (axial(W3); w) with
 *   W = Rᵀ ((T − Y)/h² − (0 g)) Mt = (W3 | w)
 */
import type { Vec } from '../math/types.js'
import type { Model } from '../model/model.js'
import { MOMENTS } from './point-moments.js'

/** Places of the energies. */
export const INERTIAL = 0
export const POTENTIAL = 1

/**
 * Reads poses X, a 3 × 4 change A − Y of each body (12 numbers each), its factor s = scale[0], and the share of the weight that each body
 * feels. Writes W = Rᵀ (s (A − Y) − lift (0 g)) Mt (12 a body: W3 row by row, w), E[INERTIAL] = ½ s tr((A − Y) Mt (A − Y)ᵀ) and
 * E[POTENTIAL] = −lift gᵀ T Mt e₄, summed over bodies. Written out, for it is a large part of a step.
 */
export function inertialPass(m: Model, moments: Vec, lift: Vec, X: Vec, A: Vec, Y: Vec, scale: Vec, W: Vec, E: Vec): void {
  const { nbody, gravity } = m
  const s = scale[0]
  let inertial = 0
  let potential = 0
  for (let i = 1; i < nbody; i++) {
    const o = MOMENTS * i
    const x = 12 * i
    const xx = moments[o]
    const xy = moments[o + 1]
    const xz = moments[o + 2]
    const yy = moments[o + 3]
    const yz = moments[o + 4]
    const zz = moments[o + 5]
    const cx = moments[o + 6]
    const cy = moments[o + 7]
    const cz = moments[o + 8]
    const mass = moments[o + 9]
    const gx = lift[i] * gravity[0]
    const gy = lift[i] * gravity[1]
    const gz = lift[i] * gravity[2]
    let a = 0
    let b = 0
    let c = 0
    let w = 0

    // row 0 of T and of A − Y
    const r0a = X[x]
    const r0b = X[x + 1]
    const r0c = X[x + 2]
    const r0p = X[x + 9]
    a = A[x] - Y[x]
    b = A[x + 1] - Y[x + 1]
    c = A[x + 2] - Y[x + 2]
    w = A[x + 9] - Y[x + 9]
    const m0a = a * xx + b * xy + c * xz + w * cx
    const m0b = a * xy + b * yy + c * yz + w * cy
    const m0c = a * xz + b * yz + c * zz + w * cz
    const m0p = a * cx + b * cy + c * cz + w * mass
    inertial += a * m0a + b * m0b + c * m0c + w * m0p
    potential -= gx * (r0a * cx + r0b * cy + r0c * cz + r0p * mass)
    const f0a = s * m0a - gx * cx
    const f0b = s * m0b - gx * cy
    const f0c = s * m0c - gx * cz
    const f0p = s * m0p - gx * mass

    // row 1 of T and of A − Y
    const r1a = X[x + 3]
    const r1b = X[x + 4]
    const r1c = X[x + 5]
    const r1p = X[x + 10]
    a = A[x + 3] - Y[x + 3]
    b = A[x + 4] - Y[x + 4]
    c = A[x + 5] - Y[x + 5]
    w = A[x + 10] - Y[x + 10]
    const m1a = a * xx + b * xy + c * xz + w * cx
    const m1b = a * xy + b * yy + c * yz + w * cy
    const m1c = a * xz + b * yz + c * zz + w * cz
    const m1p = a * cx + b * cy + c * cz + w * mass
    inertial += a * m1a + b * m1b + c * m1c + w * m1p
    potential -= gy * (r1a * cx + r1b * cy + r1c * cz + r1p * mass)
    const f1a = s * m1a - gy * cx
    const f1b = s * m1b - gy * cy
    const f1c = s * m1c - gy * cz
    const f1p = s * m1p - gy * mass

    // row 2 of T and of A − Y
    const r2a = X[x + 6]
    const r2b = X[x + 7]
    const r2c = X[x + 8]
    const r2p = X[x + 11]
    a = A[x + 6] - Y[x + 6]
    b = A[x + 7] - Y[x + 7]
    c = A[x + 8] - Y[x + 8]
    w = A[x + 11] - Y[x + 11]
    const m2a = a * xx + b * xy + c * xz + w * cx
    const m2b = a * xy + b * yy + c * yz + w * cy
    const m2c = a * xz + b * yz + c * zz + w * cz
    const m2p = a * cx + b * cy + c * cz + w * mass
    inertial += a * m2a + b * m2b + c * m2c + w * m2p
    potential -= gz * (r2a * cx + r2b * cy + r2c * cz + r2p * mass)
    const f2a = s * m2a - gz * cx
    const f2b = s * m2b - gz * cy
    const f2c = s * m2c - gz * cz
    const f2p = s * m2p - gz * mass

    // into body axes
    W[x] = r0a * f0a + r1a * f1a + r2a * f2a
    W[x + 1] = r0a * f0b + r1a * f1b + r2a * f2b
    W[x + 2] = r0a * f0c + r1a * f1c + r2a * f2c
    W[x + 3] = r0b * f0a + r1b * f1a + r2b * f2a
    W[x + 4] = r0b * f0b + r1b * f1b + r2b * f2b
    W[x + 5] = r0b * f0c + r1b * f1c + r2b * f2c
    W[x + 6] = r0c * f0a + r1c * f1a + r2c * f2a
    W[x + 7] = r0c * f0b + r1c * f1b + r2c * f2b
    W[x + 8] = r0c * f0c + r1c * f1c + r2c * f2c
    W[x + 9] = r0a * f0p + r1a * f1p + r2a * f2p
    W[x + 10] = r0b * f0p + r1b * f1p + r2b * f2p
    W[x + 11] = r0c * f0p + r1c * f1p + r2c * f2p
  }
  E[INERTIAL] = 0.5 * s * inertial
  E[POTENTIAL] = potential
}
