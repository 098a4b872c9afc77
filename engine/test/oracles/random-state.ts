/** Seeded random states on a model's configuration manifold, for comparisons that must be the same on every run. */
import { createRandom } from '../random.js'
import type { Oracle, OracleState } from './mujoco.js'

/** The model's own configuration, at rest, no force applied. */
export function initialState(oracle: Oracle): Required<OracleState> {
  return { q: Float64Array.from(oracle.q0), v: new Float64Array(oracle.nv), tau: new Float64Array(oracle.nv) }
}

/** Joints away from their zero, unit quaternions anywhere on the sphere, velocities and applied forces of order one. */
export function randomState(oracle: Oracle, seed: number): Required<OracleState> {
  const { spread } = createRandom(seed)
  const q = Float64Array.from(oracle.q0)
  const at = (i: number) => q[i]
  for (const { type, iq } of oracle.joints) {
    if (type === 'hinge') q[iq] = at(iq) + spread(1.2)
    if (type === 'slide') q[iq] = at(iq) + spread(0.4)
    if (type === 'free') for (let k = 0; k < 3; k++) q[iq + k] = at(iq + k) + spread(1)
    if (type === 'ball' || type === 'free') unitQuaternion(q, type === 'free' ? iq + 3 : iq, spread)
  }
  const v = Float64Array.from({ length: oracle.nv }, () => spread(2))
  const tau = Float64Array.from({ length: oracle.nv }, () => spread(1))
  return { q, v, tau }
}

/** Drawn in the unit ball by rejection, so that directions are uniform. */
function unitQuaternion(q: Float64Array, i: number, spread: (size: number) => number): void {
  for (;;) {
    let square = 0
    for (let k = 0; k < 4; k++) {
      const x = spread(1)
      q[i + k] = x
      square += x * x
    }
    if (square > 1 || square < 0.01) continue
    for (let k = 0; k < 4; k++) q[i + k] = q[i + k] / Math.sqrt(square)
    return
  }
}
