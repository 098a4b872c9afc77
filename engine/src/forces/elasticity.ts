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
      addDampingMatrix(m, d, n, terms.modeDamping)
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
  const from = bases.hessianStart[basis[n]]
  sumRows(d.rows, H, from, (r * (r + 1)) / 2, monomials, r, columns)
  for (let k = 0; k < r; k++) out[o + k] = 0
  for (let k = 0, row = 0; k < r; k++) {
    const eta = q[q0 + k]
    let force = 0
    for (let l = k; l < r; l++, row++) {
      const constant = H[from + row * columns]
      const linear = d.rows[2 * row]
      const square = d.rows[2 * row + 1]
      const entry = c * (constant + linear + square)
      Ke[at + k * r + l] = entry
      Ke[at + l * r + k] = entry
      const share = c * (constant + linear / 2 + square / 3)
      force += share * q[q0 + l]
      if (l > k) out[o + l] += share * eta
    }
    out[o + k] += force
  }
}

/**
 * out ← the parts of degree 1 and 2 of each row, in turn. Four rows at once: they share the monomials, and no sum waits for its last addition. Rows
 * of zeros fill the last four up.
 */
function sumRows(out: Vec, H: Vec, from: number, count: number, y: Vec, r: number, columns: number): void {
  for (let row = 0; row < count; row += 4) {
    const p0 = from + row * columns
    const p1 = p0 + columns
    const p2 = p1 + columns
    const p3 = p2 + columns
    let a0 = 0
    let a1 = 0
    let a2 = 0
    let a3 = 0
    for (let e = 1; e <= r; e++) {
      const x = y[e]
      a0 += H[p0 + e] * x
      a1 += H[p1 + e] * x
      a2 += H[p2 + e] * x
      a3 += H[p3 + e] * x
    }
    let s0 = 0
    let s1 = 0
    let s2 = 0
    let s3 = 0
    for (let e = r + 1; e < columns; e++) {
      const x = y[e]
      s0 += H[p0 + e] * x
      s1 += H[p1 + e] * x
      s2 += H[p2 + e] * x
      s3 += H[p3 + e] * x
    }
    const o = 2 * row
    out[o] = a0
    out[o + 1] = s0
    out[o + 2] = a1
    out[o + 3] = s1
    out[o + 4] = a2
    out[o + 5] = s2
    out[o + 6] = a3
    out[o + 7] = s3
  }
}

/** out[o] += V of bodies[n] at the modes q[q0 …]. */
function addElasticEnergy(m: Model, d: Data, q: Vec, q0: number, n: number, out: Vec, o: number): void {
  const { start, basis, scale, stiffening, bases } = m.modes
  const { rows } = d
  const r = start[n + 1] - start[n]
  const columns = fillMonomials(d.monomials, q, q0, r, scale[n])
  const from = bases.hessianStart[basis[n]]
  sumRows(rows, bases.hessian, from, (r * (r + 1)) / 2, d.monomials, r, columns)
  let sum = 0
  for (let k = 0, row = 0; k < r; k++) {
    for (let l = k; l < r; l++, row++) {
      const share = bases.hessian[from + row * columns] / 2 + rows[2 * row] / 6 + rows[2 * row + 1] / 12
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
  const { start, block, alpha, beta, basis, scale, bases } = m.modes
  if (alpha[n] === 0 && beta[n] === 0) return
  const { Ke } = d
  const { mass } = bases
  const r = start[n + 1] - start[n]
  const o = block[n]
  const at = bases.block[basis[n]]
  const share = alpha[n] * scale[n] * scale[n] * scale[n]
  for (let k = 0; k < r; k++) {
    let ofMass = 0
    let ofStiffness = 0
    for (let l = 0; l < r; l++) {
      ofMass += mass[at + k * r + l] * v[v0 + l]
      ofStiffness += Ke[o + k * r + l] * v[v0 + l]
    }
    out[v0 + k] -= share * ofMass + beta[n] * ofStiffness
  }
}

/** Reads Ke. D at block[n] += α M + β K of bodies[n]. */
function addDampingMatrix(m: Model, d: Data, n: number, D: Vec): void {
  const { start, block, alpha, beta, basis, scale, bases } = m.modes
  const r = start[n + 1] - start[n]
  const at = bases.block[basis[n]]
  const share = alpha[n] * scale[n] * scale[n] * scale[n]
  for (let e = 0; e < r * r; e++) D[block[n] + e] += share * bases.mass[at + e] + beta[n] * d.Ke[block[n] + e]
}
