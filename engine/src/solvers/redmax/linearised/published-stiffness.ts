/**
 * The full stiffness of springs without rest length (the point-to-point force of the thesis), for `scheme=linear`.
 *
 * K = ∂f/∂x (thesis eq. 2.41 with the sign of 2.13), symmetrised as the authors' code does: −k in all three directions, which
 * `forces/springs` adds as rows, and on each body how its wrench turns with it,
 *   ( [x][w] 0 ; [w] 0 ),   w the force at the point x in body axes,
 * whose symmetric part is added here. It may be negative: a matrix that is no longer positive definite ends the step with a message.
 */
import { pointPosition } from '../../../forces/points.js'
import type { Vec } from '../../../math/types.js'
import { rotateBack } from '../../../math/vec3.js'
import type { System } from '../matrix/system.js'

const a = new Float64Array(3)
const b = new Float64Array(3)
const w = new Float64Array(3)
const P = new Float64Array(9)
/** symmetric block of one body (`math/inertia`); its linear part stays zero */
const K = new Float64Array(21)

/** Reads X_WB. Adds −h² K to the matrix of the system; to be called after `rightHandSide`, which must not see it as damping. */
export function addTurningStiffness(s: System): void {
  const { model: m, data: d } = s
  const { count, bodyA, bodyB, pointA, pointB, stiffness, rest } = m.springs
  for (let k = 0; k < count; k++) {
    if (rest[k] !== 0) continue
    pointPosition(a, 0, d, bodyA[k], pointA, 3 * k)
    pointPosition(b, 0, d, bodyB[k], pointB, 3 * k)
    for (let r = 0; r < 3; r++) a[r] = stiffness[k] * (b[r] - a[r])
    addTurning(s, bodyA[k], pointA, 3 * k)
    for (let r = 0; r < 3; r++) a[r] = -a[r]
    addTurning(s, bodyB[k], pointB, 3 * k)
  }
}

/** Reads the force in the world in `a`, on the point x[i …] of the body. */
function addTurning(s: System, body: number, x: Vec, i: number): void {
  if (body === 0) return
  const { data: d, terms, bodies, h } = s
  rotateBack(w, 0, d.X_WB, 12 * body, a, 0)
  // [x][w] = w xᵀ − (x·w) 1
  const along = x[i] * w[0] + x[i + 1] * w[1] + x[i + 2] * w[2]
  for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) P[3 * r + c] = w[r] * x[i + c] - (r === c ? along : 0)
  let at = 0
  for (let r = 0; r < 3; r++) for (let c = r; c < 3; c++) K[at++] = 0.5 * (P[3 * r + c] + P[3 * c + r])
  // angular–linear block: half of [w]ᵀ
  K[at + 1] = 0.5 * w[2]
  K[at + 2] = -0.5 * w[1]
  K[at + 3] = -0.5 * w[2]
  K[at + 5] = 0.5 * w[0]
  K[at + 6] = 0.5 * w[1]
  K[at + 7] = -0.5 * w[0]
  const o = 21 * body
  for (let e = 0; e < 15; e++) {
    terms.bodyDamping[o + e] -= h * K[e]
    bodies[o + e] -= h * h * K[e]
  }
}
