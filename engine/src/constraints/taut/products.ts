/**
 * Equations with the curvature H of a taut pose by conjugate gradients: for chains of hundreds of bodies, where H is too large to be formed.
 *
 * The preconditioner is the mass matrix of a mechanism whose moving bodies have angular inertia 1 and no mass, P = Σ Jωᵀ Jω. For a chain that
 * is pulled at its ends H is the tension times the lengths of its links in angles against the world, so that P⁻¹ H is near a multiple of one and
 * the number of iterations does not depend on the number of links. P = Lᵀ D L by the recursion of [RBDA] section 7.3, angular parts alone, in
 * world axes: no transforms.
 */
import type { Vec } from '../../math/types.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { rotate } from '../../printed/arrays.js'

export type Multiply = (out: Vec, x: Vec) => void

/** Solved; or the form has both signs; or neither could be shown. */
export type FormSolution = 'solved' | 'indefinite' | 'unknown'

// of the first residual, in the norm of P⁻¹: what differences of first derivatives leave
const ENOUGH = 1e-7
const MOST_ITERATIONS = 120
// of the largest curvature: what plainly is one, or is of the other sign
const PLAINLY = 1e-5
// inertia of every velocity by itself: lengths have no angular part, and axes may fall together
const ARMATURE = 1e-3

/** x ← P⁻¹ b for the velocities `columns[0 … size − 1]`, ascending. Reads X_WB, S, once. Allocates. */
export function angularPreconditioner(m: Model, d: Data, columns: Int32Array, size: number): Multiply {
  const { nbody, parent } = m
  const bodyOf = m.velocityBody
  const axis = new Float64Array(3 * size)
  const U = new Float64Array(3 * size)
  const D = new Float64Array(size)
  const inertia = new Float64Array(9 * nbody)
  for (let c = 0; c < size; c++) {
    const i = bodyOf[columns[c]]
    rotate(axis, 3 * c, d.X_WB, 12 * i, d.S, 6 * columns[c])
    for (let x = 0; x < 3; x++) inertia[9 * i + 4 * x] = 1
  }
  // columns by body: velocities are numbered as the file has them
  const order = Int32Array.from({ length: size }, (_, c) => c).sort((a, b) => bodyOf[columns[a]] - bodyOf[columns[b]] || a - b)
  const visit = backwards(m, columns, order, bodyOf)
  visit(
    (i, c) => {
      for (let x = 0; x < 3; x++) U[3 * c + x] = dot3(inertia, 9 * i + 3 * x, axis, 3 * c)
      D[c] = ARMATURE + dot3(axis, 3 * c, U, 3 * c)
      for (let e = 0; e < 9; e++) inertia[9 * i + e] -= (U[3 * c + Math.floor(e / 3)] * U[3 * c + (e % 3)]) / D[c]
    },
    (i, p) => {
      for (let e = 0; e < 9; e++) inertia[9 * p + e] += inertia[9 * i + e]
    },
  )
  const bias = new Float64Array(3 * nbody)
  const turn = new Float64Array(3 * nbody)
  return (out, b) => {
    bias.fill(0)
    visit(
      (i, c) => {
        out[c] = b[c] + dot3(axis, 3 * c, bias, 3 * i)
        for (let x = 0; x < 3; x++) bias[3 * i + x] -= (U[3 * c + x] * out[c]) / D[c]
      },
      (i, p) => {
        for (let x = 0; x < 3; x++) bias[3 * p + x] += bias[3 * i + x]
      },
    )
    let at = 0
    for (let i = 1; i < nbody; i++) {
      for (let x = 0; x < 3; x++) turn[3 * i + x] = turn[3 * parent[i] + x]
      for (; at < size && bodyOf[columns[order[at]]] === i; at++) {
        const c = order[at]
        out[c] = (out[c] - dot3(U, 3 * c, turn, 3 * i)) / D[c]
        for (let x = 0; x < 3; x++) turn[3 * i + x] += axis[3 * c + x] * out[c]
      }
    }
  }
}

/** From the leaves to the root: every column of a body, the last first, then the body and its parent. */
function backwards(m: Model, columns: Int32Array, order: Int32Array, bodyOf: Int32Array) {
  return (column: (i: number, c: number) => void, body: (i: number, p: number) => void): void => {
    let at = order.length - 1
    for (let i = m.nbody - 1; i > 0; i--) {
      for (; at >= 0 && bodyOf[columns[order[at]]] === i; at--) column(i, order[at])
      if (m.parent[i] > 0) body(i, m.parent[i])
    }
  }
}

/** y ← H⁻¹ b for a form H that is expected to be positive. Preconditioned conjugate gradients. Allocates. */
export function solveForm(multiply: Multiply, precondition: Multiply, b: Vec, y: Vec): FormSolution {
  const n = b.length
  const r = b.slice()
  const z = new Float64Array(n)
  const Hp = new Float64Array(n)
  y.fill(0)
  precondition(z, r)
  const p = z.slice()
  let rz = dot(r, z)
  const least = ENOUGH * ENOUGH * rz
  // |p|² in the norm of P, and the largest curvature met in it
  let size = rz
  let most = 0
  for (let round = 0; round < MOST_ITERATIONS; round++) {
    if (!(rz > least)) return 'solved'
    multiply(Hp, p)
    const curvature = dot(p, Hp)
    most = Math.max(most, Math.abs(curvature) / size)
    if (curvature < -PLAINLY * most * size) return 'indefinite'
    if (!(curvature > PLAINLY * most * size)) return 'unknown'
    const step = rz / curvature
    for (let k = 0; k < n; k++) {
      y[k] += step * p[k]
      r[k] -= step * Hp[k]
    }
    precondition(z, r)
    const next = dot(r, z)
    const share = next / rz
    for (let k = 0; k < n; k++) p[k] = z[k] + share * p[k]
    size = next + share * share * size
    rz = next
  }
  return 'unknown'
}

function dot(a: Vec, b: Vec): number {
  let sum = 0
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k]
  return sum
}

function dot3(a: Vec, i: number, b: Vec, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2]
}
