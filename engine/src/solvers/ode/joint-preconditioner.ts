/**
 * The O(n) preconditioner of implicit methods on a mechanism: the stiffness K and damping D of its forces, as they linearise themselves, with
 * positions eliminated,
 *   (M + g D + g² K) dv = M rv − g K rξ,   dξ = rξ + g chartRate(ξ, dv)
 * Of what joins two bodies, such as a spring, the matrix holds the part on either body, so that it stays on the tree and positive; the
 * right-hand side has the coupling. Weight joins in with what pulls hanging bodies back (`gravity-blocks`).
 */
import { forcesOf } from '../../forces/index.js'
import { addRow, addShapeProduct, addTermBlocks, linearizeAll, rate, rowRate } from '../../forces/stiff-rows.js'
import { chartRate } from '../../joints/index.js'
import type { Vec } from '../../math/types.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { createStiffTerms } from '../../model/stiff-terms.js'
import { createImplicitFactor, factorImplicit, implicitMotions, multiplyInertia, solveImplicit } from '../../tree/implicit-factor.js'
import { createGravityBlocks } from './gravity-blocks.js'
import type { Preconditioner } from './problem.js'

/** `state` and xi, its ξ, are those of the last evaluation, whose kinematics are in data. */
export function createPreconditioner(m: Model, data: Data, state: State, xi: Vec): Preconditioner {
  const { nv } = m
  const forces = forcesOf(m, data).filter((force) => force.linearize)
  const factor = createImplicitFactor(m)
  const terms = createStiffTerms(m, data.own)
  const weight = new Float64Array(terms.stiffness.length)
  const diagonal = new Float64Array(nv)
  const b = new Float64Array(nv)
  const dv = new Float64Array(nv)
  const dxi = new Float64Array(nv)
  const at = new Float64Array(nv)
  const gravity = m.gravity.some((x) => x !== 0) ? createGravityBlocks(m) : undefined
  const blocks = gravity || forces.some((force) => !force.jointsOnly) ? new Float64Array(21 * m.nbody) : undefined
  const motions = new Float64Array(6 * m.nbody)
  const wrenches = new Float64Array(6 * m.nbody)
  const pulls = new Float64Array(nv)
  const step = new Float64Array(1)
  // over the modes of bodies that deform
  const shapes = new Float64Array(terms.modeStiffness.length)
  const back = new Float64Array(1)
  // g², g
  const scale = new Float64Array(2)

  return {
    factor(given) {
      const g = given[0]
      step[0] = g
      scale[0] = g * g
      scale[1] = g
      at.set(xi)
      linearizeAll(forces, m, data, state, terms)
      diagonal.fill(0)
      blocks?.fill(0)
      addTermBlocks(terms, scale, weight, diagonal, blocks)
      for (let e = 0; e < shapes.length; e++) shapes[e] = scale[0] * terms.modeStiffness[e] + scale[1] * terms.modeDamping[e]
      if (blocks) gravity?.prepare(blocks, data, step)
      return factorImplicit(m, data, factor, blocks, diagonal, shapes)
    },
    solve(x) {
      const g = step[0]
      for (let k = 0; k < nv; k++) pulls[k] = -g * terms.jointStiffness[k] * x[k]
      back[0] = -g
      addShapeProduct(m, terms.modeStiffness, back, x, pulls)
      if (blocks) {
        implicitMotions(m, factor, motions, x)
        wrenches.fill(0)
        for (let r = 0; r < terms.count; r++) {
          if (terms.stiffness[r] === 0) continue
          rowRate(terms, r, motions, x)
          rate[0] *= -g * terms.stiffness[r]
          addRow(terms, r, wrenches, pulls)
        }
        gravity?.pull(wrenches, motions, step)
      }
      multiplyInertia(m, factor, b, 0, x, nv, blocks && wrenches)
      for (let k = 0; k < nv; k++) b[k] += pulls[k]
      solveImplicit(m, factor, dv, 0, b, 0)
      chartRate(m, dxi, at, dv)
      for (let k = 0; k < nv; k++) {
        x[k] += g * dxi[k]
        x[nv + k] = dv[k]
      }
    },
  }
}
