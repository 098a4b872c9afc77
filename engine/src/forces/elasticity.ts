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
  let row = bases.hessianStart[basis[n]]
  for (let k = 0; k < r; k++) out[o + k] = 0
  for (let k = 0; k < r; k++) {
    const eta = q[q0 + k]
    let force = 0
    for (let l = k; l < r; l++, row += columns) {
      sumRow(parts, H, row, monomials, r, columns)
      const entry = c * (H[row] + parts[0] + parts[1])
      Ke[at + k * r + l] = entry
      Ke[at + l * r + k] = entry
      const share = c * (H[row] + parts[0] / 2 + parts[1] / 3)
      force += share * q[q0 + l]
      if (l > k) out[o + l] += share * eta
    }
    out[o + k] += force
  }
}

const parts = new Float64Array(2)

/** out ← the parts of degree 1 and 2 of one row: several sums at once, since each alone would wait for its last addition. */
function sumRow(out: Vec, H: Vec, row: number, y: Vec, r: number, columns: number): void {
  let a0 = 0
  let a1 = 0
  let e = 1
  for (; e < r; e += 2) {
    a0 += H[row + e] * y[e]
    a1 += H[row + e + 1] * y[e + 1]
  }
  if (e === r) a0 += H[row + e] * y[e]
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  e = r + 1
  for (const last = columns - 3; e < last; e += 4) {
    s0 += H[row + e] * y[e]
    s1 += H[row + e + 1] * y[e + 1]
    s2 += H[row + e + 2] * y[e + 2]
    s3 += H[row + e + 3] * y[e + 3]
  }
  for (; e < columns; e++) s0 += H[row + e] * y[e]
  out[0] = a0 + a1
  out[1] = s0 + s1 + (s2 + s3)
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
      sumRow(parts, H, row, monomials, r, columns)
      const share = H[row] / 2 + parts[0] / 6 + parts[1] / 12
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
