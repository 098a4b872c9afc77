/**
 * Muscles: numbers of their curves, and the forces that a spec leaves to be measured.
 */
import { MUSCLE_FORCE } from '../forces/activation.js'
import { actuatorMoment } from '../forces/actuators.js'
import { addTendonMass } from '../forces/tendon-armature.js'
import { cholesky, choleskySolve } from '../linalg/dense/cholesky.js'
import { norm } from '../math/own.js'
import { createData } from '../model/data.js'
import { type Model, MUSCLE_SIZE } from '../model/model.js'
import { createState } from '../model/state.js'
import { crba } from '../tree/crba.js'
import { forwardKinematics } from '../tree/kinematics.js'
import type { Problems } from './problems.js'
import type { MuscleCurveSpec } from './spec.js'

/** In the order of the model. A force that is to be measured is minus the scale. */
export function muscleNumbers(curve: MuscleCurveSpec = {}, path: string, problems: Problems): number[] {
  const { range = [0.75, 1.05], force = -1, scale = 200, lmin = 0.5, lmax = 1.6, vmax = 1.5, fpmax = 1.3, fvmax = 1.2 } = curve
  const numbers = { low: range[0], high: range[1], force: force < 0 ? -scale : force, lmin, lmax, vmax, fpmax, fvmax }
  return Object.entries(numbers).map(([key, x]) => problems.number(`${path}/${key}`, x))
}

/** Forces of muscles that are given by a scale: the scale over the acceleration that a unit force of the actuator gives at the start. */
export function measureMuscles(m: Model): void {
  const { active, passive, count } = m.actuators
  const asked = [...active, ...passive].some((force, k) => k % MUSCLE_SIZE === MUSCLE_FORCE && force < 0)
  if (!asked) return
  const d = createData(m)
  const n = m.nv
  const M = new Float64Array(n * n)
  forwardKinematics(m, d, m.q0, new Float64Array(n))
  crba(m, d, M)
  if (m.tendons.armed.length > 0) addTendonMass(m, d, M)
  if (!cholesky(M, 0, n)) return
  const state = { ...createState(m), q: m.q0.slice() }
  for (let k = 0; k < count; k++) {
    const a = new Float64Array(n)
    actuatorMoment(a, m, d, state, k)
    choleskySolve(M, 0, n, a, 0, 1)
    const unit = Math.max(1e-15, norm(a))
    for (const curves of [active, passive]) {
      const o = MUSCLE_SIZE * k + MUSCLE_FORCE
      if (curves[o] < 0) curves[o] /= -unit
    }
  }
}
