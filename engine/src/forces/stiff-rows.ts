/**
 * Products with linearised forces (`model/stiff-terms`): what every implicit solver does with them.
 *
 * A row r measures a rate e = Σ J·V(body) + Σ c·v(dof), and its force is −(k ∫e + d e) along the same row. On the tree fit the row's blocks on
 * single bodies and joints, J Jᵀ and c²; what joins two bodies comes by products.
 */

import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import type { State } from '../model/state.js'
import { clearStiffTerms, type StiffTerms } from '../model/stiff-terms.js'
import { addOuter } from '../printed/arrays.js'

/** Reads the kinematics. Writes the terms of these forces. */
export function linearizeAll(forces: readonly Force[], m: Model, d: Data, s: State, terms: StiffTerms): void {
  clearStiffTerms(terms)
  for (let k = 0; k < forces.length; k++) forces[k].linearize?.(m, d, s, terms)
}

/** handed over in an array, so that it is never boxed */
export const rate = new Float64Array(1)

/** rate ← e = Σ J·V(body) + Σ c·v(dof) */
export function rowRate({ start, body, J }: StiffTerms, r: number, V: Vec, v: Vec): void {
  let sum = 0
  for (let e = start[r]; e < start[r + 1]; e++) {
    const b = body[e]
    if (b < 0) sum += J[6 * e] * v[-1 - b]
    else for (let k = 0; k < 6; k++) sum += J[6 * e + k] * V[6 * b + k]
  }
  rate[0] = sum
}

/** Adds `rate` times row r: wrenches to F, joint forces to q. */
export function addRow({ start, body, J }: StiffTerms, r: number, F: Vec, q: Vec): void {
  const x = rate[0]
  for (let e = start[r]; e < start[r + 1]; e++) {
    const b = body[e]
    if (b < 0) q[-1 - b] += x * J[6 * e]
    else for (let k = 0; k < 6; k++) F[6 * b + k] += x * J[6 * e + k]
  }
}

/** Adds weight[r] times the blocks of each row: to joints (nv) and bodies (21 a body, `math/inertia`). */
export function addRowBlocks(terms: StiffTerms, weight: Vec, joints: Vec, bodies: Vec): void {
  const { start, body, J } = terms
  for (let r = 0; r < terms.count; r++) {
    for (let e = start[r]; e < start[r + 1]; e++) {
      const b = body[e]
      if (b < 0) joints[-1 - b] += weight[r] * J[6 * e] * J[6 * e]
      else addOuter(bodies, 21 * b, J, 6 * e, weight, r)
    }
  }
}

/** Adds all of scale[0] K + scale[1] D that fits the tree: to joints and, where given, to bodies. Writes the weight of each row. */
export function addTermBlocks(terms: StiffTerms, scale: Vec, weight: Vec, joints: Vec, bodies: Vec | undefined): void {
  const k = scale[0]
  const d = scale[1]
  for (let i = 0; i < joints.length; i++) joints[i] += k * terms.jointStiffness[i] + d * terms.jointDamping[i]
  for (let r = 0; r < terms.count; r++) weight[r] = k * terms.stiffness[r] + d * terms.damping[r]
  if (!bodies) return
  for (let i = 21; i < bodies.length; i++) bodies[i] += d * terms.bodyDamping[i]
  addRowBlocks(terms, weight, joints, bodies)
}

/** out += scale[0] B x at the modes of bodies that deform, B a matrix over the modes of each (`modeStiffness`, `modeDamping`). */
export function addShapeProduct(m: Model, B: Vec, scale: Vec, x: Vec, out: Vec): void {
  const { bodies, start, block, iv } = m.modes
  const factor = scale[0]
  for (let n = 0; n < bodies.length; n++) {
    const r = start[n + 1] - start[n]
    const k = iv[start[n]]
    for (let l = 0; l < r; l++) {
      const o = block[n] + l * r
      let sum = 0
      for (let p = 0; p < r; p++) sum += B[o + p] * x[k + p]
      out[k + l] += factor * sum
    }
  }
}
