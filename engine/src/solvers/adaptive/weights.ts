/** Weights of the squared accelerations and velocities by which joints are chosen. */
import type { Model } from '../../model/model.js'
import type { AdaptiveWork } from './work.js'

/** identity: 1. inertia: that of the joint's own body about its axis, at the start. */
export function setWeights(m: Model, { d, held, state }: AdaptiveWork, weights: 'identity' | 'inertia'): void {
  held.weight.fill(1)
  if (weights === 'identity') return
  state.q.set(m.q0)
  d.kernels.placeJoints(d.tree, d.work, state.q.byteOffset, 1, m.nbody)
  for (let k = 0; k < m.nv; k++) held.weight[k] = m.armature[k] + twiceEnergy(m.inertia, 10 * m.velocityBody[k], d.S, 6 * k)
}

/** Sᵀ M S of a rigid inertia. */
function twiceEnergy(I: Float64Array, o: number, S: Float64Array, i: number): number {
  const [m, hx, hy, hz, xx, xy, xz, yy, yz, zz] = I.subarray(o, o + 10)
  const [a, b, c, x, y, z] = S.subarray(i, i + 6)
  const turning = xx * a * a + yy * b * b + zz * c * c + 2 * (xy * a * b + xz * a * c + yz * b * c)
  // 2 h · (v × w)
  const mixed = hx * (y * c - z * b) + hy * (z * a - x * c) + hz * (x * b - y * a)
  return turning + 2 * mixed + m * (x * x + y * y + z * z)
}
