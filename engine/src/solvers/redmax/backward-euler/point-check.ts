/**
 * Whether what a robust step evaluated are numbers.
 */
import { INERTIAL, POTENTIAL, type PointSystem } from './point-system.js'

/** Whether the energies and the residual of the last evaluation are numbers. */
export function isFiniteResidual({ system: { model: m, b }, E }: PointSystem): boolean {
  let sum = E[POTENTIAL] + E[INERTIAL]
  for (let k = 0; k < m.nv; k++) sum += b[k]
  return Math.abs(sum) < Number.POSITIVE_INFINITY
}

/** First joint whose forces or residual are no numbers, −1 where there is none. */
export function brokenJoint({ system: { model: m, data: d, b } }: PointSystem): number {
  for (let j = 0; j < m.njoint; j++) {
    const { iv, nv } = m.joints[j]
    for (let k = iv; k < iv + nv; k++) if (!Number.isFinite(d.qf[k]) || !Number.isFinite(b[k])) return j
  }
  return -1
}
