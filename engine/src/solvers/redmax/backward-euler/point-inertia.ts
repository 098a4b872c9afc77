/**
 * Inertia in the space of points: what masses do when the transforms T of bodies (3 × 4, R row by row then p) change.
 *
 * With Mt = ∫ρ (x;1)(x;1)ᵀ the inner product of two changes is ∫ρ P(a)·P(b) = tr(a Mt bᵀ), whatever joints there are.
 */
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import { MOMENTS } from '../../../tree/point-moments.js'

/**
 * Reads poses X, those without forces Y, and the step. Writes W = Rᵀ ((T − Y)/h² − (0 g)) Mt (12 a body: W3 row by row, w),
 * E[2] = ½|T − Y|²/h² and E[1], the potential of gravity; E[0] = 0. Written out, for it is a large part of a step.
 */
export function inertialPass(m: Model, moments: Vec, X: Vec, Y: Vec, step: { readonly h: number }, W: Vec, E: Vec): void {
  const s = 1 / (step.h * step.h)
  const gx = m.gravity[0]
  const gy = m.gravity[1]
  const gz = m.gravity[2]
  let inertial = 0
  let potential = 0
  for (let i = 1; i < m.nbody; i++) {
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
    let a = 0
    let b = 0
    let c = 0
    let w = 0

    // row 0 of T and of T − Y
    const r0a = X[x + 0]
    const r0b = X[x + 1]
    const r0c = X[x + 2]
    const r0p = X[x + 9]
    a = r0a - Y[x + 0]
    b = r0b - Y[x + 1]
    c = r0c - Y[x + 2]
    w = r0p - Y[x + 9]
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

    // row 1 of T and of T − Y
    const r1a = X[x + 3]
    const r1b = X[x + 4]
    const r1c = X[x + 5]
    const r1p = X[x + 10]
    a = r1a - Y[x + 3]
    b = r1b - Y[x + 4]
    c = r1c - Y[x + 5]
    w = r1p - Y[x + 10]
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

    // row 2 of T and of T − Y
    const r2a = X[x + 6]
    const r2b = X[x + 7]
    const r2c = X[x + 8]
    const r2p = X[x + 11]
    a = r2a - Y[x + 6]
    b = r2b - Y[x + 7]
    c = r2c - Y[x + 8]
    w = r2p - Y[x + 11]
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
    W[x + 0] = r0a * f0a + r1a * f1a + r2a * f2a
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
  E[0] = 0
  E[1] = potential
  E[2] = 0.5 * s * inertial
}

/** Takes the forces f (6 a body) from the gradient W: w −= f's pull, F ← (axial(W3); w) − f. */
export function pullWrenches(nbody: number, f: Vec, W: Vec, F: Vec): void {
  for (let i = 1; i < nbody; i++) {
    const b = 6 * i
    const x = 12 * i
    F[b] = W[x + 7] - W[x + 5] - f[b]
    F[b + 1] = W[x + 2] - W[x + 6] - f[b + 1]
    F[b + 2] = W[x + 3] - W[x + 1] - f[b + 2]
    const fx = W[x + 9] - f[b + 3]
    const fy = W[x + 10] - f[b + 4]
    const fz = W[x + 11] - f[b + 5]
    F[b + 3] = fx
    F[b + 4] = fy
    F[b + 5] = fz
    W[x + 9] = fx
    W[x + 10] = fy
    W[x + 11] = fz
  }
}

/** out[o] ← the largest coordinate of a body's origin, at least 1. */
export function reach(X: Vec, out: Vec, o: number): void {
  let most = 1
  for (let x = 12; x < X.length; x += 12) {
    const a = Math.abs(X[x + 9])
    const b = Math.abs(X[x + 10])
    const c = Math.abs(X[x + 11])
    if (a > most) most = a
    if (b > most) most = b
    if (c > most) most = c
  }
  out[o] = most
}
