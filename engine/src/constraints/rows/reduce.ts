/**
 * Rows in reduced coordinates: G_r = Σ J_body J(body) + Σ coefficient e_dof, one walk from the row's bodies to the root each.
 *
 * A row is zero but for the velocities of its bodies and their ancestors; bodies wait in descending order, so that forces of
 * several meet where their paths do (the product Jᵀ F of `tree/jacobian`, on those paths only, with the modes of bodies whose moved frames
 * they pass). What is left of a product is
 * rounding where it lies far below the size of its factors and then is set to zero: the row of a planar loop out of its plane must
 * vanish, not point anywhere.
 */

import type { Vec } from '../../math/types.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { addForceToParent } from '../../printed/arrays.js'
import type { Rows } from './rows.js'

export interface ReducedRows {
  readonly capacity: number
  count: number
  /** capacity × nv, row-major */
  readonly G: Vec
  /** velocities that row r depends on, in no order: dof[start[r]] … dof[start[r+1]−1] */
  readonly start: Int32Array
  readonly dof: Int32Array
  /** scratch: force a body, bodies still to visit, the row in which a velocity was last met */
  readonly F: Vec
  readonly pending: Int32Array
  readonly seen: Int32Array
  waiting: number
  stamp: number
}

// of |S| |F|: rounding of a product along a deep tree stays below
const ROUNDING = 1e-13

export function createReducedRows(m: Model, capacity: number): ReducedRows {
  return {
    capacity,
    count: 0,
    G: new Float64Array(capacity * m.nv),
    start: new Int32Array(capacity + 1),
    dof: new Int32Array(capacity * m.nv),
    F: new Float64Array(6 * m.nbody),
    pending: new Int32Array(m.nbody),
    seen: new Int32Array(m.nv),
    waiting: 0,
    stamp: 0,
  }
}

/** Reads X_PB, S, T. Appends every row of `rows` to out, or as nothing where its weight is 0; set out.count = 0 to begin anew. */
export function reduceRows(out: ReducedRows, rows: Rows, m: Model, d: Data, weight?: Vec): void {
  const { bodyStart, body, J, dofStart, dof, coefficient } = rows
  for (let r = 0; r < rows.count; r++) {
    beginRow(out, m)
    if (weight?.[r] === 0) {
      out.count++
      continue
    }
    for (let e = bodyStart[r]; e < bodyStart[r + 1]; e++) addBlock(out, body[e], J, 6 * e)
    for (let e = dofStart[r]; e < dofStart[r + 1]; e++) addVelocity(out, m, dof[e], coefficient, e)
    finishRow(out, m, d)
  }
}

/** Starts row out.count. */
export function beginRow(out: ReducedRows, m: Model): void {
  const { nv } = m
  const { G } = out
  const o = out.count * nv
  for (let k = 0; k < nv; k++) G[o + k] = 0
  out.stamp++
  out.waiting = 0
  out.start[out.count + 1] = out.start[out.count]
}

/** Adds the block J[i …] of a body. */
export function addBlock(out: ReducedRows, body: number, J: Vec, i: number): void {
  if (body === 0) return
  const { F } = out
  enqueue(out, body)
  for (let s = 0; s < 6; s++) F[6 * body + s] += J[i + s]
}

/** Adds the number x[i] at velocity k. */
export function addVelocity(out: ReducedRows, m: Model, k: number, x: Vec, i: number): void {
  touch(out, k)
  out.G[out.count * m.nv + k] += x[i]
}

/** Carries the blocks of the row to the root; the row is then complete and counted. */
export function finishRow(out: ReducedRows, m: Model, d: Data): void {
  const { parent, iv, ivEnd, nv, modes } = m
  const { F, pending, G, dof, start } = out
  const { X_PB, S } = d
  const o = out.count * nv
  const own = start[out.count + 1]
  let largest = 0
  // what came up from bodies below, too: between bodies fixed to each other the forces of a loop cancel, and what is left is their rounding
  let most = 0
  while (out.waiting > 0) {
    const i = pending[--out.waiting]
    const b = 6 * i
    const force = F[b] * F[b] + F[b + 1] * F[b + 1] + F[b + 2] * F[b + 2] + F[b + 3] * F[b + 3] + F[b + 4] * F[b + 4] + F[b + 5] * F[b + 5]
    most = Math.max(most, force)
    for (let k = iv[i]; k < ivEnd[i]; k++) {
      const s = 6 * k
      touch(out, k)
      G[o + k] += S[s] * F[b] + S[s + 1] * F[b + 1] + S[s + 2] * F[b + 2] + S[s + 3] * F[b + 3] + S[s + 4] * F[b + 4] + S[s + 5] * F[b + 5]
      const axis = S[s] * S[s] + S[s + 1] * S[s + 1] + S[s + 2] * S[s + 2] + S[s + 3] * S[s + 3] + S[s + 4] * S[s + 4] + S[s + 5] * S[s + 5]
      largest = Math.max(largest, axis * most)
    }
    const p = parent[i]
    if (p === 0) continue
    enqueue(out, p)
    if (modes.frame[i] < 0) addForceToParent(F, 6 * p, X_PB, 12 * i, F, b)
    else {
      pullFrame(out, m, d, i)
      largest = Math.max(largest, size[0])
    }
  }

  // what only rounding left; numbers given as such are kept
  const least = ROUNDING * Math.sqrt(largest)
  for (let e = own; e < start[out.count + 1]; e++) if (Math.abs(G[o + dof[e]]) < least) G[o + dof[e]] = 0
  out.count++
}

const h = new Float64Array(6)
const size = new Float64Array(1)

/** F(p) += F(i) seen from there, and the modes of p that move the frame of body i feel it: Tᵀ F. size ← the largest |T|² |F|². */
function pullFrame(out: ReducedRows, m: Model, { X_PB, T }: Data, i: number): void {
  const { frame, column, start, row, iv } = m.modes
  const { F, G } = out
  const o = out.count * m.nv
  const p = m.parent[i]
  const e = frame[i]
  const first = start[row[p]]
  h.fill(0)
  addForceToParent(h, 0, X_PB, 12 * i, F, 6 * i)
  let force = 0
  for (let s = 0; s < 6; s++) {
    F[6 * p + s] += h[s]
    force += h[s] * h[s]
  }
  size[0] = 0
  for (let c = column[e]; c < column[e + 1]; c++) {
    const k = iv[first + c - column[e]]
    touch(out, k)
    let axis = 0
    for (let s = 0; s < 6; s++) {
      G[o + k] += T[6 * c + s] * h[s]
      axis += T[6 * c + s] * T[6 * c + s]
    }
    size[0] = Math.max(size[0], axis * force)
  }
}

/** Body i waits, with no force yet if it did not wait before. The largest number waits last. */
function enqueue(out: ReducedRows, i: number): void {
  const { pending, F } = out
  let at = out.waiting
  while (at > 0 && pending[at - 1] > i) at--
  if (at > 0 && pending[at - 1] === i) return
  for (let e = out.waiting; e > at; e--) pending[e] = pending[e - 1]
  pending[at] = i
  out.waiting++
  for (let s = 0; s < 6; s++) F[6 * i + s] = 0
}

/** Lists velocity k once a row. */
function touch(out: ReducedRows, k: number): void {
  const { seen, dof, start, stamp, count } = out
  if (seen[k] === stamp) return
  seen[k] = stamp
  dof[start[count + 1]++] = k
}
