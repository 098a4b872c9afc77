/**
 * Around inertia in the space of points (`tree/point-inertia`): its wrenches less those of the forces, and how far bodies are from the origin.
 */
import type { Vec } from '../../../math/types.js'

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
