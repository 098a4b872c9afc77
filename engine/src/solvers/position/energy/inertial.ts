/**
 * The inertial part of a position-based step, body by body [Pan and Manocha 2018].
 *
 * T̈ is the 3 × 4 second difference of a body's transform. In body axes U = Rᵀ (T̈ − (0 g)), and
 *   W = U Mt = (W3 | w)       gradient of ½h² tr(T̈ Mt T̈ᵀ) − gᵀ T Mt e₄ along T → T exp[ξ]:  ξ · (axial(W3); w)
 */
import type { Vec } from '../../../math/types.js'
import { MOMENTS } from '../../../tree/point-moments.js'

/** Places in the array that energies are summed in. */
export const INERTIAL = 0
export const POTENTIAL = 1

/**
 * Reads poses X, second differences Tdd (12 a body each) and the weight g · lift of each body (3 numbers, 1 number a body).
 * Writes W (12 a body: W3 row by row, w). Adds ½h² tr(T̈ Mt T̈ᵀ) to E[INERTIAL] and −gᵀ T Mt e₄ to E[POTENTIAL].
 */
export function inertialPass(nbody: number, moments: Vec, g: Vec, lift: Vec, X: Vec, Tdd: Vec, h: Vec, W: Vec, E: Vec): void {
  let kinetic = 0
  let potential = 0
  for (let i = 1; i < nbody; i++) {
    const o = MOMENTS * i
    const x = 12 * i
    const r0 = X[x]
    const r1 = X[x + 1]
    const r2 = X[x + 2]
    const r3 = X[x + 3]
    const r4 = X[x + 4]
    const r5 = X[x + 5]
    const r6 = X[x + 6]
    const r7 = X[x + 7]
    const r8 = X[x + 8]
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

    // U = Rᵀ T̈, column by column
    let a = Tdd[x]
    let b = Tdd[x + 3]
    let c = Tdd[x + 6]
    const u0 = r0 * a + r3 * b + r6 * c
    const u3 = r1 * a + r4 * b + r7 * c
    const u6 = r2 * a + r5 * b + r8 * c
    a = Tdd[x + 1]
    b = Tdd[x + 4]
    c = Tdd[x + 7]
    const u1 = r0 * a + r3 * b + r6 * c
    const u4 = r1 * a + r4 * b + r7 * c
    const u7 = r2 * a + r5 * b + r8 * c
    a = Tdd[x + 2]
    b = Tdd[x + 5]
    c = Tdd[x + 8]
    const u2 = r0 * a + r3 * b + r6 * c
    const u5 = r1 * a + r4 * b + r7 * c
    const u8 = r2 * a + r5 * b + r8 * c
    a = Tdd[x + 9]
    b = Tdd[x + 10]
    c = Tdd[x + 11]
    const ux = r0 * a + r3 * b + r6 * c
    const uy = r1 * a + r4 * b + r7 * c
    const uz = r2 * a + r5 * b + r8 * c

    // W = U Mt
    const w0 = u0 * xx + u1 * xy + u2 * xz + ux * cx
    const w1 = u0 * xy + u1 * yy + u2 * yz + ux * cy
    const w2 = u0 * xz + u1 * yz + u2 * zz + ux * cz
    const w3 = u3 * xx + u4 * xy + u5 * xz + uy * cx
    const w4 = u3 * xy + u4 * yy + u5 * yz + uy * cy
    const w5 = u3 * xz + u4 * yz + u5 * zz + uy * cz
    const w6 = u6 * xx + u7 * xy + u8 * xz + uz * cx
    const w7 = u6 * xy + u7 * yy + u8 * yz + uz * cy
    const w8 = u6 * xz + u7 * yz + u8 * zz + uz * cz
    const wx = u0 * cx + u1 * cy + u2 * cz + ux * mass
    const wy = u3 * cx + u4 * cy + u5 * cz + uy * mass
    const wz = u6 * cx + u7 * cy + u8 * cz + uz * mass
    kinetic += u0 * w0 + u1 * w1 + u2 * w2 + u3 * w3 + u4 * w4 + u5 * w5 + u6 * w6 + u7 * w7 + u8 * w8 + ux * wx + uy * wy + uz * wz

    // weight: −γ (m c; m)ᵀ with γ = Rᵀ g
    const s = lift[i]
    const gx = s * g[0]
    const gy = s * g[1]
    const gz = s * g[2]
    const hx = r0 * gx + r3 * gy + r6 * gz
    const hy = r1 * gx + r4 * gy + r7 * gz
    const hz = r2 * gx + r5 * gy + r8 * gz
    potential -= mass * (gx * X[x + 9] + gy * X[x + 10] + gz * X[x + 11]) + hx * cx + hy * cy + hz * cz

    W[x] = w0 - hx * cx
    W[x + 1] = w1 - hx * cy
    W[x + 2] = w2 - hx * cz
    W[x + 3] = w3 - hy * cx
    W[x + 4] = w4 - hy * cy
    W[x + 5] = w5 - hy * cz
    W[x + 6] = w6 - hz * cx
    W[x + 7] = w7 - hz * cy
    W[x + 8] = w8 - hz * cz
    W[x + 9] = wx - mass * hx
    W[x + 10] = wy - mass * hy
    W[x + 11] = wz - mass * hz
  }
  E[INERTIAL] += 0.5 * h[0] * h[0] * kinetic
  E[POTENTIAL] += potential
}
