/**
 * The full stiffness of springs without rest length (the point-to-point force of [Baxter]), for `scheme=linear`.
 *
 * K = ∂f/∂x (eq. 2.41 with the sign of 2.13), symmetrised as the authors' code does: −k in all three directions, which `forces/springs` adds as
 * rows, and on each body how its wrench turns with it. With W = (W3 | w) = −F (x;1)ᵀ of a force F at the point x, in body axes, that is
 *   −K = ( sym(W3) − tr(W3) 1   −[w]/2 ; [w]/2   0 )
 * It may be negative: a matrix that is no longer positive definite ends the step with a message.
 */
import type { System } from '../matrix/system.js'

/** Reads X_WB. Adds −h² K to the matrix of the system; to be called after `rightHandSide`, which must not see it as damping. */
export function addTurningStiffness(s: System): void {
  findArms(s)
  turnBodies(s, 1, s.model.nbody)
}

/** Reads X_WB. Writes W of every force. */
export function findArms({ model: m, data: d, forces, at, arms: W }: System): void {
  W.fill(0)
  if (!at) return
  for (let k = 0; k < forces.length; k++) forces[k].addArms?.(m, d, at, W, 'unstretched')
}

/** Reads W. Adds −h² K of the bodies from … to − 1. */
export function turnBodies({ arms: W, terms, bodies, step }: System, from: number, to: number): void {
  const h = step[0]
  for (let i = from; i < to; i++) {
    const x = 12 * i
    K[0] = -W[x + 4] - W[x + 8]
    K[1] = 0.5 * (W[x + 1] + W[x + 3])
    K[2] = 0.5 * (W[x + 2] + W[x + 6])
    K[3] = -W[x] - W[x + 8]
    K[4] = 0.5 * (W[x + 5] + W[x + 7])
    K[5] = -W[x] - W[x + 4]
    K[7] = 0.5 * W[x + 11]
    K[8] = -0.5 * W[x + 10]
    K[9] = -K[7]
    K[11] = 0.5 * W[x + 9]
    K[12] = -K[8]
    K[13] = -K[11]
    const o = 21 * i
    for (let e = 0; e < 15; e++) {
      terms.bodyDamping[o + e] += h * K[e]
      bodies[o + e] += h * h * K[e]
    }
  }
}

/** symmetric block of one body (`math/inertia`); its linear part is zero */
const K = new Float64Array(15)
