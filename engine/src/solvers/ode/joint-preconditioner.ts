/**
 * The O(n) preconditioner of implicit methods on a mechanism: the stiffness K and damping D in its joints, with
 * positions eliminated,
 *   (M + g D + g² K) dv = M rv − g K rξ,   dξ = rξ + g chartRate(ξ, dv)
 * Springs between bodies join in with what stays on the tree (`spring-blocks`), and weight with what pulls hanging bodies back
 * (`gravity-blocks`).
 */
import { chartRate } from '../../joints/index.js'
import type { Vec } from '../../math/types.js'
import type { Data } from '../../model/data.js'
import { ACTUATOR_JOINT, type Model } from '../../model/model.js'
import { createImplicitFactor, factorImplicit, implicitMotions, multiplyInertia, solveImplicit } from '../../tree/implicit-factor.js'
import { createGravityBlocks } from './gravity-blocks.js'
import type { Preconditioner } from './problem.js'
import { createSpringBlocks } from './spring-blocks.js'

/** Joint damping and stiffness, actuators that push back on their own joint. xi is the ξ of the last evaluation. */
export function createPreconditioner(m: Model, data: Data, xi: Vec): Preconditioner {
  const { nv } = m
  const factor = createImplicitFactor(m)
  const { stiffness, damping } = withActuators(m)
  const diagonal = new Float64Array(nv)
  const b = new Float64Array(nv)
  const dv = new Float64Array(nv)
  const dxi = new Float64Array(nv)
  const at = new Float64Array(nv)
  const springs = m.springs.count > 0 ? createSpringBlocks(m) : undefined
  const gravity = m.gravity.some((x) => x !== 0) ? createGravityBlocks(m) : undefined
  const blocks = springs || gravity ? new Float64Array(21 * m.nbody) : undefined
  const motions = new Float64Array(6 * m.nbody)
  const wrenches = new Float64Array(6 * m.nbody)
  const step = new Float64Array(1)

  return {
    factor(given) {
      const g = given[0]
      step[0] = g
      at.set(xi)
      for (let k = 0; k < nv; k++) diagonal[k] = g * (damping[k] + g * stiffness[k])
      blocks?.fill(0)
      if (blocks) {
        springs?.prepare(blocks, data, step)
        gravity?.prepare(blocks, data, step)
      }
      return factorImplicit(m, data, factor, blocks, diagonal)
    },
    solve(x) {
      const g = step[0]
      if (blocks) {
        implicitMotions(m, factor, motions, x, 0)
        wrenches.fill(0)
        springs?.pull(wrenches, motions, step)
        gravity?.pull(wrenches, motions, step)
      }
      multiplyInertia(m, factor, b, 0, x, nv, blocks && wrenches)
      for (let k = 0; k < nv; k++) b[k] -= g * stiffness[k] * x[k]
      solveImplicit(m, factor, dv, 0, b, 0)
      chartRate(m, dxi, at, dv)
      for (let k = 0; k < nv; k++) {
        x[k] += g * dxi[k]
        x[nv + k] = dv[k]
      }
    },
  }
}

/** Stiffness and damping of the joints with what actuators of one joint add: those that push back on its position or velocity. */
function withActuators(m: Model): { readonly stiffness: Vec; readonly damping: Vec } {
  const stiffness = m.stiffness.slice()
  const damping = m.damping.slice()
  const { count, kind, target, gear, bias } = m.actuators
  for (let a = 0; a < count; a++) {
    if (kind[a] !== ACTUATOR_JOINT || m.joints[target[a]].nv !== 1) continue
    const k = m.joints[target[a]].iv
    const lever = gear[6 * a] * gear[6 * a]
    stiffness[k] += Math.max(0, -bias[3 * a + 1] * lever)
    damping[k] += Math.max(0, -bias[3 * a + 2] * lever)
  }
  return { stiffness, damping }
}
