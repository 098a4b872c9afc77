/**
 * Inertia of tendons: armature α on a length l adds α JᵀJ to the mass matrix and the bias α Jᵀ (J̇ v), with J = ∂l/∂q.
 *
 * It couples joints across the tree, so the recursion cannot take it up; a few of them are a small correction of its result:
 *   λ = −α (J a + J̇ v),  a = a₀ + Y λ,  Y = M⁻¹ Jᵀ   ⇒   (1/α + J Y) λ = −(J a₀ + J̇ v)
 */
import { cholesky, choleskySolve } from '../linalg/dense/cholesky.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import { jacobianRateProduct, jacobianTransposeProduct } from '../tree/jacobian.js'
import { solveInertia } from '../tree/solve.js'
import { tendonCurvature } from './tendon-rate.js'
import { addTendonForce } from './tendons.js'

const ONE = Float64Array.of(1)

/** Reads the kinematics. Writes tendonJ: a row of nv numbers for each tendon with armature. */
export function tendonJacobian(m: Model, d: Data): void {
  const { armed } = m.tendons
  const { F, u, tendonJ } = d
  for (let r = 0; r < armed.length; r++) {
    F.fill(0)
    u.fill(0)
    addTendonForce(m, d, armed[r], ONE, 0, F, u)
    for (let k = 0; k < m.nv; k++) tendonJ[r * m.nv + k] = u[k]
    jacobianTransposeProduct(m, d, u, F)
    for (let k = 0; k < m.nv; k++) tendonJ[r * m.nv + k] += u[k]
  }
}

/** After `aba`: corrects a for the tendons' inertia. */
export function correctAcceleration(m: Model, d: Data, a: Vec): void {
  const { nv } = m
  const { armed, armature } = m.tendons
  const n = armed.length
  const { tendonJ, tendonY, tendonG } = d
  tendonJacobian(m, d)
  const rhs = n * n
  tendonBias(m, d, tendonG, rhs)
  for (let r = 0; r < n; r++) {
    solveInertia(m, d, tendonY, r * nv, tendonJ, r * nv)
    tendonG[rhs + r] = -tendonG[rhs + r] - rowDot(tendonJ, r * nv, a, 0, nv)
  }
  for (let r = 0; r < n; r++) {
    for (let s = 0; s < n; s++) tendonG[r * n + s] = rowDot(tendonJ, r * nv, tendonY, s * nv, nv)
    tendonG[r * n + r] += 1 / armature[armed[r]]
  }
  if (!cholesky(tendonG, 0, n)) a[0] = Number.NaN
  choleskySolve(tendonG, 0, n, tendonG, rhs, 1)
  for (let r = 0; r < n; r++) {
    for (let k = 0; k < nv; k++) a[k] += tendonG[rhs + r] * tendonY[r * nv + k]
  }
}

/** After `rnea`: adds the joint forces that the tendons' inertia takes at acceleration a. */
export function addTendonInertiaForce(m: Model, d: Data, a: Vec, tau: Vec): void {
  const { nv } = m
  const { armed, armature } = m.tendons
  const n = armed.length
  tendonJacobian(m, d)
  tendonBias(m, d, d.tendonG, n * n)
  for (let r = 0; r < n; r++) {
    const force = armature[armed[r]] * (rowDot(d.tendonJ, r * nv, a, 0, nv) + d.tendonG[n * n + r])
    for (let k = 0; k < nv; k++) tau[k] += force * d.tendonJ[r * nv + k]
  }
}

/** M += α JᵀJ */
export function addTendonMass(m: Model, d: Data, M: Vec): void {
  const { nv } = m
  const { armed, armature } = m.tendons
  tendonJacobian(m, d)
  for (let r = 0; r < armed.length; r++) {
    for (let k = 0; k < nv; k++) {
      const s = armature[armed[r]] * d.tendonJ[r * nv + k]
      for (let l = 0; l < nv; l++) M[k * nv + l] += s * d.tendonJ[r * nv + l]
    }
  }
}

/** out[o …] ← J̇ v of each tendon with armature. Uses y of Data. */
export function tendonBias(m: Model, d: Data, out: Vec, o: number): void {
  const { armed } = m.tendons
  for (let k = 0; k < 6; k++) d.y[k] = 0
  jacobianRateProduct(m, d, d.y)
  for (let r = 0; r < armed.length; r++) tendonCurvature(out, o + r, m, d, d.y, armed[r])
}

function rowDot(a: Vec, i: number, b: Vec, j: number, n: number): number {
  let sum = 0
  for (let k = 0; k < n; k++) sum += a[i + k] * b[j + k]
  return sum
}
