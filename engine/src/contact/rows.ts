/**
 * Contacts as rows of a velocity constraint in maximal coordinates (twists in body frames, docs/notation.md section 5).
 *
 * Along a world direction d (normal n, tangents t1, t2) the relative velocity of the two body points at contact x is
 *   d·(v_B − v_A) = r_B·V_B + r_A·V_A,   r_B = Γ(x_B)ᵀ R_Bᵀ d = (x_B × R_Bᵀd; R_Bᵀd),   r_A = −Γ(x_A)ᵀ R_Aᵀ d,
 * x_B = R_Bᵀ(x − p_B). The unilateral row is −(r_B·V_B + r_A·V_A) ≤ gap/h, with λ ≥ 0 pushing the bodies apart.
 * The blocks of the world (body 0) are written too; its twist is zero.
 */
import type { Vec } from '../math/types.js'
import type { Contact } from '../model/shapes.js'
import type { Contacts } from './contacts.js'

export interface ContactRows {
  /** 3 × 6 a contact: rows of body A along n, t1, t2 */
  rowA: Vec
  rowB: Vec
  /** t1, t2 in the world, 6 a contact */
  tangent: Vec
}

export function createContactRows(c: Contacts): ContactRows {
  return { rowA: new Float64Array(18 * c.capacity), rowB: new Float64Array(18 * c.capacity), tangent: new Float64Array(6 * c.capacity) }
}

/** Follows a growth of the contacts' capacity. Allocates: not for use inside a step. */
export function reserveContactRows(rows: ContactRows, c: Contacts): void {
  if (rows.rowA.length >= 18 * c.capacity) return
  rows.rowA = new Float64Array(18 * c.capacity)
  rows.rowB = new Float64Array(18 * c.capacity)
  rows.tangent = new Float64Array(6 * c.capacity)
}

/** Contact k for users, with impulses along n, t1, t2 at lambda[i …] that acted for so many seconds; `names` of the shapes. Allocates. */
export function contactAt(
  c: Contacts,
  { tangent }: ContactRows,
  names: readonly string[],
  k: number,
  lambda: Vec,
  i: number,
  seconds: number,
): Contact {
  const triple = (value: (r: number) => number): [number, number, number] => [value(0), value(1), value(2)]
  const per = seconds > 0 ? 1 / seconds : 0
  return {
    bodyA: c.bodyA[k],
    bodyB: c.bodyB[k],
    shapeA: names[c.geomA[k]],
    shapeB: names[c.geomB[k]],
    point: triple((r) => c.point[3 * k + r]),
    normal: triple((r) => c.normal[3 * k + r]),
    gap: c.gap[k],
    force: triple(
      (r) => per * (lambda[i] * c.normal[3 * k + r] + lambda[i + 1] * tangent[6 * k + r] + lambda[i + 2] * tangent[6 * k + 3 + r]),
    ),
  }
}

const direction = new Float64Array(3)

/** Reads contacts, X_WB (12 a body). Writes rowA, rowB, tangent of every contact. */
export function contactRows(rows: ContactRows, c: Contacts, X_WB: Vec): void {
  for (let k = 0; k < c.count; k++) {
    tangentBasis(rows.tangent, 6 * k, c.normal, 3 * k)
    for (let d = 0; d < 3; d++) {
      for (let r = 0; r < 3; r++) direction[r] = d === 0 ? c.normal[3 * k + r] : rows.tangent[6 * k + 3 * (d - 1) + r]
      pointRow(rows.rowA, 18 * k + 6 * d, X_WB, c.bodyA[k], c.point, 3 * k, -1)
      pointRow(rows.rowB, 18 * k + 6 * d, X_WB, c.bodyB[k], c.point, 3 * k, 1)
    }
  }
}

/** Reads direction. out = sign · Γ(R ᵀ(x − p))ᵀ Rᵀ direction, for the pose of `body`. */
function pointRow(out: Vec, o: number, X: Vec, body: number, x: Vec, i: number, sign: number): void {
  const j = 12 * body
  const rx = x[i] - X[j + 9]
  const ry = x[i + 1] - X[j + 10]
  const rz = x[i + 2] - X[j + 11]
  const dx = sign * direction[0]
  const dy = sign * direction[1]
  const dz = sign * direction[2]
  // moment about the body's origin, still in world axes
  const mx = ry * dz - rz * dy
  const my = rz * dx - rx * dz
  const mz = rx * dy - ry * dx
  for (let r = 0; r < 3; r++) {
    out[o + r] = X[j + r] * mx + X[j + 3 + r] * my + X[j + 6 + r] * mz
    out[o + 3 + r] = X[j + r] * dx + X[j + 3 + r] * dy + X[j + 6 + r] * dz
  }
}

/**
 * Two unit vectors that make a right-handed basis with the unit normal n: t1, t2 = n × t1, without a square root or a branch but for the sign
 * of n_z. [Duff 2017] Building an orthonormal basis, revisited. Continuous but across n_z = 0.
 */
export function tangentBasis(out: Vec, o: number, n: Vec, i: number): void {
  const x = n[i]
  const y = n[i + 1]
  const z = n[i + 2]
  const s = z < 0 ? -1 : 1
  const a = -1 / (s + z)
  const b = x * y * a
  out[o] = 1 + s * x * x * a
  out[o + 1] = s * b
  out[o + 2] = -s * x
  out[o + 3] = b
  out[o + 4] = s + y * y * a
  out[o + 5] = -y
}
