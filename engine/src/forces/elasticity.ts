/**
 * Elasticity of domains, and its damping. A polynomial energy V(η) of degree four, whose Hessian K is a matrix times the monomials of η
 * (`Bases` of model/modes), and whose parts K₁, K₂, K₃ of degree 0, 1, 2 in η give the rest by Euler's theorem:
 *   K = K₁ + K₂ + K₃,   ∂V/∂η = (K₁ + ½ K₂ + ⅓ K₃) η,   V = ηᵀ (½ K₁ + ⅙ K₂ + 1/12 K₃) η
 * A body of size s with frequencies times ν has the energy ν² s³ V(η/s), so that its K is ν² s times that at η/s. The force on the modes is
 * −∂V/∂η − (α M + β K) η̇.
 */
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { modeMass } from '../tree/modes.js'
import { sumOf } from './energy.js'

export const elasticity: Force = {
  name: 'elasticity',
  jointsOnly: true,
  damped: true,
  apply(m, d, { q, v }, from = 1, to = m.nbody) {
    const { bodies, start, iq, iv } = m.modes
    for (let n = 0; n < bodies.length; n++) {
      if (bodies[n] < from || bodies[n] >= to || !isElastic(m, n)) continue
      elasticForce(m, d, q, iq[start[n]], n, d.fe, start[n])
      for (let l = start[n]; l < start[n + 1]; l++) d.qf[iv[l]] -= d.fe[l]
      subtractModeDamping(m, d, v, iv[start[n]], n, d.qf)
    }
  },
  linearize(m, d, { q }, terms) {
    const { bodies, start, iq, block } = m.modes
    for (let n = 0; n < bodies.length; n++) {
      if (!isElastic(m, n)) continue
      elasticForce(m, d, q, iq[start[n]], n, d.fe, start[n])
      for (let e = block[n]; e < block[n + 1]; e++) terms.modeStiffness[e] += d.Ke[e]
      addDampingMatrix(m, d, n, terms.modeDamping, 1)
    }
  },
  addEnergy(m, d, { q }, out, o) {
    const { bodies, start, iq } = m.modes
    for (let n = 0; n < bodies.length; n++) if (isElastic(m, n)) addElasticEnergy(m, d, q, iq[start[n]], n, out, o)
  },
  energy: (m, d, s) => sumOf(elasticity, m, d, s),
}

/** Whether bodies[n] has an elastic energy. */
export function isElastic({ modes: { basis, bases } }: Model, n: number): boolean {
  return bases.hessianStart[basis[n] + 1] > bases.hessianStart[basis[n]]
}

/** Reads q[q0 …], the modes of bodies[n]. Writes its K to Ke at block[n], and out[o …] ← ∂V/∂η. */
export function elasticForce(m: Model, d: Data, q: Vec, q0: number, n: number, out: Vec, o: number): void {
  const { start, block, basis, scale, stiffening, bases } = m.modes
  const { Ke, monomials } = d
  const H = bases.hessian
  const r = start[n + 1] - start[n]
  const at = block[n]
  const c = stiffening[n] * scale[n]
  const columns = fillMonomials(monomials, q, q0, r, scale[n])
  let row = bases.hessianStart[basis[n]]
  for (let k = 0; k < r; k++) out[o + k] = 0
  for (let k = 0; k < r; k++) {
    const eta = q[q0 + k]
    let force = 0
    for (let l = k; l < r; l++, row += columns) {
      // several sums at once: each alone would wait for its last addition
      let linear = 0
      let other = 0
      let e = 1
      for (; e < r; e += 2) {
        linear += H[row + e] * monomials[e]
        other += H[row + e + 1] * monomials[e + 1]
      }
      if (e === r) linear += H[row + e] * monomials[e]
      linear += other
      let square = 0
      let second = 0
      let third = 0
      let fourth = 0
      e = r + 1
      for (const last = columns - 3; e < last; e += 4) {
        square += H[row + e] * monomials[e]
        second += H[row + e + 1] * monomials[e + 1]
        third += H[row + e + 2] * monomials[e + 2]
        fourth += H[row + e + 3] * monomials[e + 3]
      }
      for (; e < columns; e++) square += H[row + e] * monomials[e]
      square += second + (third + fourth)
      const entry = c * (H[row] + linear + square)
      Ke[at + k * r + l] = entry
      Ke[at + l * r + k] = entry
      const share = c * (H[row] + linear / 2 + square / 3)
      force += share * q[q0 + l]
      if (l > k) out[o + l] += share * eta
    }
    out[o + k] += force
  }
}

/** out[o] += V of bodies[n] at the modes q[q0 …]. */
function addElasticEnergy(m: Model, d: Data, q: Vec, q0: number, n: number, out: Vec, o: number): void {
  const { start, basis, scale, stiffening, bases } = m.modes
  const { monomials } = d
  const H = bases.hessian
  const r = start[n + 1] - start[n]
  const columns = fillMonomials(monomials, q, q0, r, scale[n])
  let row = bases.hessianStart[basis[n]]
  let sum = 0
  for (let k = 0; k < r; k++) {
    for (let l = k; l < r; l++, row += columns) {
      let linear = 0
      for (let e = 1; e <= r; e++) linear += H[row + e] * monomials[e]
      let square = 0
      for (let e = r + 1; e < columns; e++) square += H[row + e] * monomials[e]
      const share = H[row] / 2 + linear / 6 + square / 12
      sum += (l > k ? 2 : 1) * share * q[q0 + k] * q[q0 + l]
    }
  }
  out[o] += stiffening[n] * scale[n] * sum
}

/** out ← 1, y_i, y_i y_j (i ≤ j) for y = q[q0 …]/s, r of them. Returns how many these are. */
function fillMonomials(out: Vec, q: Vec, q0: number, r: number, s: number): number {
  out[0] = 1
  for (let k = 0; k < r; k++) out[1 + k] = q[q0 + k] / s
  let e = 1 + r
  for (let k = 1; k <= r; k++) for (let l = k; l <= r; l++) out[e++] = out[k] * out[l]
  return e
}

/** Reads Ke. out[v0 …] −= (α M + β K) v[v0 …] at the modes of bodies[n]. */
function subtractModeDamping(m: Model, d: Data, v: Vec, v0: number, n: number, out: Vec): void {
  const { start, block, alpha, beta } = m.modes
  if (alpha[n] === 0 && beta[n] === 0) return
  const first = start[n]
  const r = start[n + 1] - first
  for (let k = 0; k < r; k++) {
    let sum = 0
    for (let l = 0; l < r; l++) sum += (alpha[n] * modeMass(m, n, first + k, first + l) + beta[n] * d.Ke[block[n] + k * r + l]) * v[v0 + l]
    out[v0 + k] -= sum
  }
}

/** Reads Ke. D at block[n] += x (α M + β K) of bodies[n]. */
export function addDampingMatrix(m: Model, d: Data, n: number, D: Vec, x: number): void {
  const { start, block, alpha, beta } = m.modes
  const first = start[n]
  const r = start[n + 1] - first
  for (let k = 0, e = block[n]; k < r; k++) {
    for (let l = 0; l < r; l++, e++) D[e] += x * (alpha[n] * modeMass(m, n, first + k, first + l) + beta[n] * d.Ke[e])
  }
}
