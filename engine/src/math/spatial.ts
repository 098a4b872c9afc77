/**
 * Spatial vectors: motions [angular; linear] and forces [moment; force], 6 numbers in body coordinates.
 * For a pose X_PB with R, p:  motion to the child  w' = Rᵀ w, v' = Rᵀ(v + w × p);  force to the parent  f' = R f, n' = R n + p × f'.
 * Every function may work in place.
 */
import type { Vec } from './types.js'

/** out = X_PB⁻¹ V: a motion of the parent frame seen in the child frame. */
export function motionToChild(out: Vec, o: number, X: Vec, x: number, V: Vec, i: number): void {
  const wx = V[i]
  const wy = V[i + 1]
  const wz = V[i + 2]
  const px = X[x + 9]
  const py = X[x + 10]
  const pz = X[x + 11]
  const vx = V[i + 3] + wy * pz - wz * py
  const vy = V[i + 4] + wz * px - wx * pz
  const vz = V[i + 5] + wx * py - wy * px
  const r0 = X[x]
  const r1 = X[x + 1]
  const r2 = X[x + 2]
  const r3 = X[x + 3]
  const r4 = X[x + 4]
  const r5 = X[x + 5]
  const r6 = X[x + 6]
  const r7 = X[x + 7]
  const r8 = X[x + 8]
  out[o] = r0 * wx + r3 * wy + r6 * wz
  out[o + 1] = r1 * wx + r4 * wy + r7 * wz
  out[o + 2] = r2 * wx + r5 * wy + r8 * wz
  out[o + 3] = r0 * vx + r3 * vy + r6 * vz
  out[o + 4] = r1 * vx + r4 * vy + r7 * vz
  out[o + 5] = r2 * vx + r5 * vy + r8 * vz
}

/** out = X_PB V: a motion of the child frame seen in the parent frame. */
export function motionToParent(out: Vec, o: number, X: Vec, x: number, V: Vec, i: number): void {
  const a = V[i]
  const b = V[i + 1]
  const c = V[i + 2]
  const d = V[i + 3]
  const e = V[i + 4]
  const f = V[i + 5]
  const wx = X[x] * a + X[x + 1] * b + X[x + 2] * c
  const wy = X[x + 3] * a + X[x + 4] * b + X[x + 5] * c
  const wz = X[x + 6] * a + X[x + 7] * b + X[x + 8] * c
  const px = X[x + 9]
  const py = X[x + 10]
  const pz = X[x + 11]
  out[o] = wx
  out[o + 1] = wy
  out[o + 2] = wz
  out[o + 3] = X[x] * d + X[x + 1] * e + X[x + 2] * f + py * wz - pz * wy
  out[o + 4] = X[x + 3] * d + X[x + 4] * e + X[x + 5] * f + pz * wx - px * wz
  out[o + 5] = X[x + 6] * d + X[x + 7] * e + X[x + 8] * f + px * wy - py * wx
}

/** out += X_PB⁻ᵀ F: adds a force on the child, seen in the parent frame. */
export function addForceToParent(out: Vec, o: number, X: Vec, x: number, F: Vec, i: number): void {
  const a = F[i]
  const b = F[i + 1]
  const c = F[i + 2]
  const d = F[i + 3]
  const e = F[i + 4]
  const f = F[i + 5]
  const r0 = X[x]
  const r1 = X[x + 1]
  const r2 = X[x + 2]
  const r3 = X[x + 3]
  const r4 = X[x + 4]
  const r5 = X[x + 5]
  const r6 = X[x + 6]
  const r7 = X[x + 7]
  const r8 = X[x + 8]
  const fx = r0 * d + r1 * e + r2 * f
  const fy = r3 * d + r4 * e + r5 * f
  const fz = r6 * d + r7 * e + r8 * f
  const px = X[x + 9]
  const py = X[x + 10]
  const pz = X[x + 11]
  out[o] += r0 * a + r1 * b + r2 * c + py * fz - pz * fy
  out[o + 1] += r3 * a + r4 * b + r5 * c + pz * fx - px * fz
  out[o + 2] += r6 * a + r7 * b + r8 * c + px * fy - py * fx
  out[o + 3] += fx
  out[o + 4] += fy
  out[o + 5] += fz
}

/** out = ad(a) b = a × b for motions: (w_a × w_b; v_a × w_b + w_a × v_b). */
export function crossMotion(out: Vec, o: number, a: Vec, i: number, b: Vec, j: number): void {
  const ax = a[i]
  const ay = a[i + 1]
  const az = a[i + 2]
  const au = a[i + 3]
  const av = a[i + 4]
  const aw = a[i + 5]
  const bx = b[j]
  const by = b[j + 1]
  const bz = b[j + 2]
  const bu = b[j + 3]
  const bv = b[j + 4]
  const bw = b[j + 5]
  out[o] = ay * bz - az * by
  out[o + 1] = az * bx - ax * bz
  out[o + 2] = ax * by - ay * bx
  out[o + 3] = av * bz - aw * by + ay * bw - az * bv
  out[o + 4] = aw * bx - au * bz + az * bu - ax * bw
  out[o + 5] = au * by - av * bx + ax * bv - ay * bu
}

/** out = −ad(a)ᵀ f = a ×* f for forces: (w × n + v × f; w × f). */
export function crossForce(out: Vec, o: number, a: Vec, i: number, f: Vec, j: number): void {
  const wx = a[i]
  const wy = a[i + 1]
  const wz = a[i + 2]
  const vx = a[i + 3]
  const vy = a[i + 4]
  const vz = a[i + 5]
  const nx = f[j]
  const ny = f[j + 1]
  const nz = f[j + 2]
  const fx = f[j + 3]
  const fy = f[j + 4]
  const fz = f[j + 5]
  out[o] = wy * nz - wz * ny + vy * fz - vz * fy
  out[o + 1] = wz * nx - wx * nz + vz * fx - vx * fz
  out[o + 2] = wx * ny - wy * nx + vx * fy - vy * fx
  out[o + 3] = wy * fz - wz * fy
  out[o + 4] = wz * fx - wx * fz
  out[o + 5] = wx * fy - wy * fx
}

export function dot6(a: Vec, i: number, b: Vec, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3] + a[i + 4] * b[j + 4] + a[i + 5] * b[j + 5]
}

/** out[o] += a · b. The sum stays in its place, so that it is never boxed. */
export function addDot6(out: Vec, o: number, a: Vec, i: number, b: Vec, j: number): void {
  out[o] += a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3] + a[i + 4] * b[j + 4] + a[i + 5] * b[j + 5]
}

/** out[o] −= a · b, in its place. */
export function subtractDot6(out: Vec, o: number, a: Vec, i: number, b: Vec, j: number): void {
  out[o] -= a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3] + a[i + 4] * b[j + 4] + a[i + 5] * b[j + 5]
}

/** out += a */
export function add6(out: Vec, o: number, a: Vec, i: number): void {
  out[o] += a[i]
  out[o + 1] += a[i + 1]
  out[o + 2] += a[i + 2]
  out[o + 3] += a[i + 3]
  out[o + 4] += a[i + 4]
  out[o + 5] += a[i + 5]
}

/** out += x[k] a. The factor comes by its place, so that it is never boxed. */
export function addScaled6(out: Vec, o: number, x: Vec, k: number, a: Vec, i: number): void {
  const s = x[k]
  out[o] += s * a[i]
  out[o + 1] += s * a[i + 1]
  out[o + 2] += s * a[i + 2]
  out[o + 3] += s * a[i + 3]
  out[o + 4] += s * a[i + 4]
  out[o + 5] += s * a[i + 5]
}

/** out = (R n; R f): a spatial vector from body axes to world axes, same origin; R is the rotation of the pose at X[x]. */
export function rotate6(out: Vec, o: number, X: Vec, x: number, F: Vec, i: number): void {
  const a = F[i]
  const b = F[i + 1]
  const c = F[i + 2]
  const d = F[i + 3]
  const e = F[i + 4]
  const f = F[i + 5]
  for (let r = 0; r < 3; r++) {
    const k = x + 3 * r
    out[o + r] = X[k] * a + X[k + 1] * b + X[k + 2] * c
    out[o + 3 + r] = X[k] * d + X[k + 1] * e + X[k + 2] * f
  }
}

/** out = V seen at the child's origin, world axes; x and y are the offsets of the poses of child and parent in X. */
export function shiftMotion(out: Vec, o: number, X: Vec, x: number, y: number, V: Vec, i: number): void {
  const rx = X[x + 9] - X[y + 9]
  const ry = X[x + 10] - X[y + 10]
  const rz = X[x + 11] - X[y + 11]
  const wx = V[i]
  const wy = V[i + 1]
  const wz = V[i + 2]
  out[o] = wx
  out[o + 1] = wy
  out[o + 2] = wz
  out[o + 3] = V[i + 3] + wy * rz - wz * ry
  out[o + 4] = V[i + 4] + wz * rx - wx * rz
  out[o + 5] = V[i + 5] + wx * ry - wy * rx
}

/** out += F seen at the parent's origin, world axes; x and y are the offsets of the poses of child and parent in X. */
export function shiftForce(out: Vec, o: number, X: Vec, x: number, y: number, F: Vec, i: number): void {
  const rx = X[x + 9] - X[y + 9]
  const ry = X[x + 10] - X[y + 10]
  const rz = X[x + 11] - X[y + 11]
  const fx = F[i + 3]
  const fy = F[i + 4]
  const fz = F[i + 5]
  out[o] += F[i] + ry * fz - rz * fy
  out[o + 1] += F[i + 1] + rz * fx - rx * fz
  out[o + 2] += F[i + 2] + rx * fy - ry * fx
  out[o + 3] += fx
  out[o + 4] += fy
  out[o + 5] += fz
}
