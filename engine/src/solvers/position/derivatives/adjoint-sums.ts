/**
 * Sums over bodies and joints for the adjoint of a step. A is a 3 × 4 matrix of the world at A[x …] (3 × 3 by rows, then the last column), P = Rᵀ A.
 */
import { difference, integrate, jointTypes } from '../../../joints/index.js'
import { addForceToParent, crossMotion, dot6, motionToChild } from '../../../math/spatial.js'
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { sumForces } from '../../../tree/jacobian.js'

const P = new Float64Array(12)
const N = new Float64Array(9)
const six = new Float64Array(6)
const twist = new Float64Array(6)

/** P ← Rᵀ A for the rotation at X[x] */
function turnBack(X: Vec, x: number, A: Vec, a: number): void {
  for (let c = 0; c < 4; c++) {
    const at = c === 3 ? a + 9 : a + c
    const step = c === 3 ? 1 : 3
    const [u, v, w] = [A[at], A[at + step], A[at + 2 * step]]
    for (let r = 0; r < 3; r++) P[c === 3 ? 9 + r : 3 * r + c] = X[x + r] * u + X[x + 3 + r] * v + X[x + 6 + r] * w
  }
}

/** F += s (axial(W3); w): the wrench of a gradient in body axes. */
export function addAxialOf(F: Vec, o: number, W: Vec, x: number, s: number): void {
  F[o] += s * (W[x + 7] - W[x + 5])
  F[o + 1] += s * (W[x + 2] - W[x + 6])
  F[o + 2] += s * (W[x + 3] - W[x + 1])
  for (let r = 0; r < 3; r++) F[o + 3 + r] += s * W[x + 9 + r]
}

/** F += s · the wrench of A: ⟨T [φ], A⟩ = φ · F. */
export function addAxial(F: Vec, o: number, X: Vec, A: Vec, x: number, s: number): void {
  turnBack(X, x, A, x)
  addAxialOf(F, o, P, 0, s)
}

/** F += what ⟨T [φ], A⟩ changes by along T → T exp[ξ], φ fixed. */
export function addTurn(F: Vec, o: number, X: Vec, A: Vec, x: number, phi: Vec, t: number): void {
  turnBack(X, x, A, x)
  const [a, b, c] = [phi[t], phi[t + 1], phi[t + 2]]
  for (let r = 0; r < 3; r++) {
    const [p, q, s, e] = [P[3 * r], P[3 * r + 1], P[3 * r + 2], P[9 + r]]
    N[3 * r] = -q * c + s * b + e * phi[t + 3]
    N[3 * r + 1] = p * c - s * a + e * phi[t + 4]
    N[3 * r + 2] = -p * b + q * a + e * phi[t + 5]
  }
  F[o] += N[7] - N[5]
  F[o + 1] += N[2] - N[6]
  F[o + 2] += N[3] - N[1]
}

/** out[o …] ← V Mt for the 3 × 4 matrix V and the moments at moments[k …] */
export function timesMoments(out: Vec, o: number, V: Vec, i: number, moments: Vec, k: number): void {
  const [xx, xy, xz, yy, yz, zz] = moments.subarray(k, k + 6)
  const [cx, cy, cz, mass] = moments.subarray(k + 6, k + 10)
  for (let r = 0; r < 3; r++) {
    const [a, b, c, e] = [V[i + 3 * r], V[i + 3 * r + 1], V[i + 3 * r + 2], V[i + 9 + r]]
    out[o + 3 * r] = a * xx + b * xy + c * xz + e * cx
    out[o + 3 * r + 1] = a * xy + b * yy + c * yz + e * cy
    out[o + 3 * r + 2] = a * xz + b * yz + c * zz + e * cz
    out[o + 9 + r] = a * cx + b * cy + c * cz + e * mass
  }
}

const rate = new Float64Array(12)

/** out[o …] += s T [φ] Mt */
export function addRate(out: Vec, o: number, X: Vec, phi: Vec, i: number, moments: Vec, k: number, s: number): void {
  const [wx, wy, wz, ux, uy, uz] = phi.subarray(i, i + 6)
  for (let r = 0; r < 3; r++) {
    const [a, b, c] = [X[o + 3 * r], X[o + 3 * r + 1], X[o + 3 * r + 2]]
    rate[3 * r] = b * wz - c * wy
    rate[3 * r + 1] = c * wx - a * wz
    rate[3 * r + 2] = a * wy - b * wx
    rate[9 + r] = a * ux + b * uy + c * uz
  }
  timesMoments(P, 0, rate, 0, moments, k)
  for (let r = 0; r < 12; r++) out[o + r] += s * P[r]
}

/** F −= I φ for the inertia (mass, m c, J about the origin) at I[i …] */
export function subtractInertia(F: Vec, o: number, I: Vec, i: number, phi: Vec, j: number): void {
  const [mass, cx, cy, cz] = I.subarray(i, i + 4)
  const [xx, xy, xz, yy, yz, zz] = I.subarray(i + 4, i + 10)
  const [a, b, c, u, v, w] = phi.subarray(j, j + 6)
  F[o] -= xx * a + xy * b + xz * c + cy * w - cz * v
  F[o + 1] -= xy * a + yy * b + yz * c + cz * u - cx * w
  F[o + 2] -= xz * a + yz * b + zz * c + cx * v - cy * u
  F[o + 3] -= mass * u + b * cz - c * cy
  F[o + 4] -= mass * v + c * cx - a * cz
  F[o + 5] -= mass * w + a * cy - b * cx
}

/** X ← X exp of e along component c of a twist, to first order. */
export function turnPose(X: Vec, x: number, c: number, e: number): void {
  for (let r = 0; r < 3; r++) {
    const o = x + 3 * r
    if (c > 2) X[x + 9 + r] += e * X[o + c - 3]
    else {
      const [s, t] = [(c + 1) % 3, (c + 2) % 3]
      const [a, b] = [X[o + s], X[o + t]]
      X[o + s] += e * b
      X[o + t] -= e * a
    }
  }
}

/** out (nv) += Jᵀ F */
export function addTranspose(m: Model, d: Data, F: Vec, out: Vec): void {
  sumForces(m, d, out, F.slice())
}

/** out (nv) += what Σ F · φ changes by along the coordinates, φ = J u at fixed u; `twists` holds φ. */
export function addTwistTranspose(m: Model, d: Data, u: Vec, twists: Vec, F: Vec, exponential: Int32Array, out: Vec): void {
  const sum = F.slice()
  const { S, X_PB } = d
  for (let i = m.nbody - 1; i > 0; i--) {
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) {
      // what comes before joint k
      motionToChild(six, 0, X_PB, 12 * i, twists, 6 * m.parent[i])
      for (let l = m.iv[i]; l < k; l++) {
        if (exponential[l] >= 0 && exponential[l] === exponential[k]) continue
        for (let r = 0; r < 6; r++) six[r] += u[l] * S[6 * l + r]
      }
      crossMotion(twist, 0, six, 0, S, 6 * k)
      out[k] += dot6(twist, 0, sum, 6 * i)
    }
    if (m.parent[i] > 0) addForceToParent(sum, 6 * m.parent[i], X_PB, 12 * i, sum, 6 * i)
  }
}

/** Where the velocities of a joint stand: its first, how many, and which one of them each is. */
export interface Slots {
  readonly first: Int32Array
  readonly count: Int32Array
  readonly at: Int32Array
}

export function slotsOf(m: Model): Slots {
  const [first, count, at] = [new Int32Array(m.nv), new Int32Array(m.nv), new Int32Array(m.nv)]
  for (let j = 0; j < m.njoint; j++) {
    const { nv } = jointTypes[m.jointType[j]]
    for (let k = 0; k < nv; k++) {
      first[m.jointV[j] + k] = m.jointV[j]
      count[m.jointV[j] + k] = nv
      at[m.jointV[j] + k] = k
    }
  }
  return { first, count, at }
}

const EPSILON = 1e-5

/** out += (∂(b ⊖ a)/∂b)ᵀ r, or with respect to a: joint by joint, so by differences along one velocity of every joint at once. */
export function addDifference(m: Model, slots: Slots, r: Vec, a: Vec, b: Vec, wrtB: boolean, out: Vec): void {
  const { first, count, at } = slots
  const moved = new Float64Array(m.nq)
  const x = new Float64Array(m.nv)
  const ends = [new Float64Array(m.nv), new Float64Array(m.nv)]
  for (let c = 0; c < 6; c++) {
    for (let k = 0; k < m.nv; k++) x[k] = at[k] === c ? 1 : 0
    ends.forEach((end, side) => {
      moved.set(wrtB ? b : a)
      integrate(m, moved, x, side === 0 ? EPSILON : -EPSILON)
      difference(m, end, wrtB ? a : moved, wrtB ? moved : b)
    })
    for (let k = 0; k < m.nv; k++) if (count[k] > c) out[first[k] + c] += (r[k] * (ends[0][k] - ends[1][k])) / (2 * EPSILON)
  }
}
