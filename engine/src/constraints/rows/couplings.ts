/**
 * Rows between joint coordinates and tendon lengths: couplings by a polynomial p.
 *
 *   g = x − x₀ − p(y − y₀),   ġ = ẋ − p′(y − y₀) ẏ        x, y coordinates or lengths
 */
import { addTendonForce, tendonLength } from '../../forces/tendons.js'
import type { Vec } from '../../math/types.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import type { Rows } from './rows.js'

const ONE = Float64Array.of(1)
/** p and its derivatives; before that, the argument in the first place */
const p = new Float64Array(3)

/** p[0] ← polynomial of constraint k at p[0], p[1], p[2] ← its derivatives. */
function evaluate(m: Model, k: number): void {
  const { polynomial, polynomialStart } = m.constraints
  const x = p[0]
  let value = 0
  let slope = 0
  let half = 0
  for (let e = polynomialStart[k + 1] - 1; e >= polynomialStart[k]; e--) {
    half = half * x + slope
    slope = slope * x + value
    value = value * x + polynomial[e]
  }
  p[0] = value
  p[1] = slope
  p[2] = 2 * half
}

export function couplingRow(rows: Rows, r: number, m: Model, q: Vec, k: number): void {
  const { target, source, reference } = m.constraints
  const e = rows.dofStart[r]
  p[0] = source[k] < 0 ? 0 : q[m.jointQ[source[k]]] - reference[2 * k + 1]
  evaluate(m, k)
  rows.g[r] = q[m.jointQ[target[k]]] - reference[2 * k] - p[0]
  rows.coefficient[e] = 1
  if (source[k] >= 0) rows.coefficient[e + 1] = -p[1]
}

/** out[r] ← −p″ ẏ² */
export function couplingBias(out: Vec, r: number, m: Model, q: Vec, v: Vec, k: number): void {
  const { source, reference } = m.constraints
  out[r] = 0
  if (source[k] < 0) return
  p[0] = q[m.jointQ[source[k]]] - reference[2 * k + 1]
  evaluate(m, k)
  const rate = v[m.jointV[source[k]]]
  out[r] = -p[2] * rate * rate
}

export function tendonRow(rows: Rows, r: number, m: Model, d: Data, q: Vec, k: number): void {
  const { target, source, reference } = m.constraints
  const { bodyStart, body, dofStart, dof, f, qf } = rows
  p[0] = 0
  if (source[k] >= 0) {
    tendonLength(p, 0, m, d, q, source[k])
    p[0] -= reference[2 * k + 1]
  }
  evaluate(m, k)
  tendonLength(rows.g, r, m, d, q, target[k])
  rows.g[r] -= reference[2 * k] + p[0]

  // the gradient of a length is what a unit force along it does
  clearRow(rows, r)
  addTendonForce(m, d, target[k], ONE, 0, f, qf)
  p[1] = -p[1]
  if (source[k] >= 0) addTendonForce(m, d, source[k], p, 1, f, qf)
  for (let e = bodyStart[r]; e < bodyStart[r + 1]; e++) for (let s = 0; s < 6; s++) rows.J[6 * e + s] = f[6 * body[e] + s]
  for (let e = dofStart[r]; e < dofStart[r + 1]; e++) rows.coefficient[e] = qf[dof[e]]
}

/** Zeroes the scratch wherever row r touches. */
export function clearRow(rows: Rows, r: number): void {
  const { bodyStart, body, dofStart, dof, f, qf } = rows
  for (let e = bodyStart[r]; e < bodyStart[r + 1]; e++) for (let s = 0; s < 6; s++) f[6 * body[e] + s] = 0
  for (let e = dofStart[r]; e < dofStart[r + 1]; e++) qf[dof[e]] = 0
}
