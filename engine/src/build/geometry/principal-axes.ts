/**
 * Principal moments and axes of a symmetric tensor, as MuJoCo's compiler finds them.
 *
 * Jacobi rotations accumulated in a quaternion, starting from no rotation; moments end up in falling order, by quarter turns. Matching the
 * order of steps matters where moments are equal: the axes are then a choice, and shapes fitted to a mesh show it.
 * For meshes MuJoCo leaves entries off the diagonal below 1e-7 of the largest; `tensorOf` gives the tensor that is then in use.
 */
import type { Quat, Tensor, Vec3 } from '../spec.js'

export interface PrincipalAxes {
  /** in falling order */
  readonly moments: Vec3
  /** principal frame in the frame of the tensor */
  readonly quaternion: Quat
}

/** `tolerance`: share of the largest entry below which an entry off the diagonal counts as zero. */
export function principalAxes(tensor: Tensor, tolerance = 1e-15): PrincipalAxes {
  const [xx, yy, zz, xy, xz, yz] = tensor
  const full = [xx, xy, xz, xy, yy, yz, xz, yz, zz]
  const small = tolerance * Math.max(...full.map(Math.abs))
  let q: Quat = [1, 0, 0, 0]
  let moments: [number, number, number] = [xx, yy, zz]

  for (let round = 0; round < 500; round++) {
    const D = turned(full, q)
    const d = (i: number, j: number): number => D[3 * i + j] as number
    moments = [d(0, 0), d(1, 1), d(2, 2)]

    // largest entry off the diagonal, and the axis that turns it away
    const [a01, a02, a12] = [Math.abs(d(0, 1)), Math.abs(d(0, 2)), Math.abs(d(1, 2))]
    const [r, c, axis] = a01 > a02 && a01 > a12 ? [0, 1, 2] : a02 > a12 ? [0, 2, 1] : [1, 2, 0]
    if (Math.abs(d(r, c)) <= small) break
    const tau = (d(c, c) - d(r, r)) / (2 * d(r, c))
    const t = tau >= 0 ? 1 / (tau + Math.sqrt(1 + tau * tau)) : -1 / (-tau + Math.sqrt(1 + tau * tau))
    const cosine = 1 / Math.sqrt(1 + t * t)
    const half = ((axis === 1 ? 1 : -1) * t * cosine) / Math.sqrt(2 + 2 * cosine)
    q = unit(times(q, about(axis, Math.sqrt(1 - half * half), half)))
  }

  // swap neighbours into falling order, each time turning the frame by a quarter
  for (const j of [0, 1, 0]) {
    if ((moments[j] as number) + small >= (moments[j + 1] as number)) continue
    const swapped: [number, number, number] = [...moments]
    swapped[j] = moments[j + 1] as number
    swapped[j + 1] = moments[j] as number
    moments = swapped
    q = unit(times(q, about((j + 2) % 3, Math.SQRT1_2, Math.SQRT1_2)))
  }
  return { moments, quaternion: q }
}

/** R diag(moments) Rᵀ */
export function tensorOf(axes: PrincipalAxes): Tensor {
  const R = matrixOf(axes.quaternion)
  const entry = (i: number, j: number): number =>
    [0, 1, 2].reduce((sum, k) => sum + (R[3 * i + k] as number) * (axes.moments[k] as number) * (R[3 * j + k] as number), 0)
  return [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}

/** Rows of the rotation matrix of a unit quaternion. */
export function matrixOf(q: Quat): number[] {
  const [w, x, y, z] = q
  return [
    w * w + x * x - y * y - z * z,
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    w * w - x * x + y * y - z * z,
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    w * w - x * x - y * y + z * z,
  ]
}

/** Rᵀ A R */
function turned(A: readonly number[], q: Quat): number[] {
  const R = matrixOf(q)
  const at = (M: readonly number[], i: number, j: number): number => M[3 * i + j] as number
  const T: number[] = []
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) T.push(at(R, 0, i) * at(A, 0, j) + at(R, 1, i) * at(A, 1, j) + at(R, 2, i) * at(A, 2, j))
  const D: number[] = []
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) D.push(at(T, i, 0) * at(R, 0, j) + at(T, i, 1) * at(R, 1, j) + at(T, i, 2) * at(R, 2, j))
  return D
}

function about(axis: number, w: number, s: number): Quat {
  return [w, axis === 0 ? s : 0, axis === 1 ? s : 0, axis === 2 ? s : 0]
}

function times(a: Quat, b: Quat): Quat {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ]
}

function unit(q: Quat): Quat {
  const n = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
  return [q[0] / n, q[1] / n, q[2] / n, q[3] / n]
}
