/**
 * Rows of a contact problem island by island (`cone-primal`): what they miss, and their forces P(λ̂ − ρ w).
 */

import { createEnvelope, type Envelope, layEnvelope, reserveEnvelope } from '../../linalg/dense/envelope.js'
import type { Vec } from '../../math/types.js'
import type { SparseRows } from './cone-sparse.js'
import { createIslands, type Islands } from './islands.js'
import type { Complementarity } from './lcp.js'

export interface ConePrimal {
  readonly islands: Islands
  /** velocities of block b: dof[start[b]] … dof[start[b + 1] − 1]; A of the block, row by row, from at[b] on */
  readonly start: Int32Array
  readonly dof: Int32Array
  readonly A: Vec
  readonly at: Int32Array
  readonly envelope: Envelope
  /** place of every velocity in its island */
  readonly place: Int32Array
  /** A y; the correction and A times it, by velocity; a right-hand side by place */
  readonly Ay: Vec
  readonly d: Vec
  readonly Ad: Vec
  readonly x: Vec
  /** of rows: λ̂, ρ, radius of the disc, G d, what a row does (`FREE` …) */
  hat: Vec
  rho: Vec
  rim: Vec
  wd: Vec
  state: Int8Array
  /** of a contact: ρ P′ (3 × 3), and that times G */
  readonly H: Vec
  HG: Vec
  readonly num: Vec
}

/** what a row or the friction of a contact does: nothing, holds, slips */
export const FREE = 0
export const HOLDS = 1
export const SLIPS = 2
/** places in `num`: what residuals are compared with, and what is missed; of Newton's step; largest mobility of a row; ρ times the mobility */
export const SIZE = 0
export const RESIDUAL = 1
export const DECREMENT = 2
export const MOBILITY = 3
export const DAY = 4
export const DAD = 5
export const SHARE = 6
export const SLOPE = 7
export const STIFFNESS = 8

/** Velocities of block b are dof[start[b]] …; every velocity is in one block. */
export function createConePrimal(nv: number, start: Int32Array, dof: Int32Array): ConePrimal {
  const blocks = start.length - 1
  const at = new Int32Array(blocks + 1)
  for (let b = 0; b < blocks; b++) at[b + 1] = at[b] + (start[b + 1] - start[b]) ** 2
  return {
    islands: createIslands(blocks),
    start,
    dof,
    A: new Float64Array(at[blocks]),
    at,
    envelope: createEnvelope(),
    place: new Int32Array(nv),
    Ay: new Float64Array(nv),
    d: new Float64Array(nv),
    Ad: new Float64Array(nv),
    x: new Float64Array(nv),
    hat: new Float64Array(0),
    rho: new Float64Array(0),
    rim: new Float64Array(0),
    wd: new Float64Array(0),
    state: new Int8Array(0),
    H: new Float64Array(9),
    HG: new Float64Array(0),
    num: new Float64Array(9),
  }
}

/** Makes room for so many rows. Allocates where that is more than ever before. */
export function reservePrimal(c: ConePrimal, rows: number, entries: number): void {
  if (rows > c.hat.length) {
    c.hat = new Float64Array(2 * rows)
    c.rho = new Float64Array(2 * rows)
    c.rim = new Float64Array(2 * rows)
    c.wd = new Float64Array(2 * rows)
    c.state = new Int8Array(2 * rows)
  }
  if (3 * entries > c.HG.length) c.HG = new Float64Array(6 * entries)
}

/** Places of the island's velocities, and the envelope of its matrix. */
export function layIsland(c: ConePrimal, k: number): void {
  const { start, dof, place, envelope: e } = c
  const { blockStart, order, nearStart, near, place: at } = c.islands
  let n = 0
  for (let b = blockStart[k]; b < blockStart[k + 1]; b++) n += start[order[b] + 1] - start[order[b]]
  reserveEnvelope(e, n)
  n = 0
  for (let b = blockStart[k]; b < blockStart[k + 1]; b++) {
    const block = order[b]
    for (let i = start[block]; i < start[block + 1]; i++) place[dof[i]] = n++
    let least = b
    for (let i = nearStart[block]; i < nearStart[block + 1]; i++) if (at[near[i]] < least) least = at[near[i]]
    const from = place[dof[start[order[least]]]]
    for (let i = start[block]; i < start[block + 1]; i++) e.first[place[dof[i]]] = from
  }
  layEnvelope(e)
}

/** ρ by the mobility of every row. */
export function startForces(c: ConePrimal, { diagonal }: SparseRows, p: Complementarity, k: number): void {
  const { rowStart, rows } = c.islands
  let most = 0
  for (let e = rowStart[k]; e < rowStart[k + 1]; e++) {
    const r = rows[e]
    // the friction of a contact has one stiffness
    const d = p.normal[r] >= 0 && r > 0 && p.normal[r - 1] === p.normal[r] ? diagonal[r - 1] : diagonal[r]
    c.rho[r] = d > 0 ? c.num[STIFFNESS] / d : 0
    c.state[r] = -1
    if (d > most) most = d
  }
  c.num[MOBILITY] = most
  carryOn(c, p, k)
}

/** λ̂ ← λ, radii by the normal forces. */
export function carryOn({ hat, rim, islands }: ConePrimal, p: Complementarity, k: number): void {
  const { rowStart, rows } = islands
  for (let e = rowStart[k]; e < rowStart[k + 1]; e++) {
    const r = rows[e]
    hat[r] = p.lambda[r]
    if (p.normal[r] >= 0) rim[r] = p.mu[r] * Math.max(0, p.lambda[p.normal[r]])
  }
}

/** w = r + G y of the island. */
export function updateMisses({ islands }: ConePrimal, { start, dof, G, y }: SparseRows, p: Complementarity, k: number): void {
  const { rowStart, rows } = islands
  for (let i = rowStart[k]; i < rowStart[k + 1]; i++) {
    const r = rows[i]
    let w = p.r[r]
    for (let e = start[r]; e < start[r + 1]; e++) w += G[e] * y[dof[e]]
    p.w[r] = w
  }
}

/** λ ← P(λ̂ − ρ w). Whether Newton's matrix is another one than for the last forces. */
export function updateForces(c: ConePrimal, p: Complementarity, k: number): boolean {
  const { hat, rho, state } = c
  const { rowStart, rows } = c.islands
  const { lambda, w } = p
  let changed = false
  for (let i = rowStart[k]; i < rowStart[k + 1]; i++) {
    const r = rows[i]
    let now = FREE
    if (p.normal[r] < 0) {
      const z = hat[r] - rho[r] * w[r]
      lambda[r] = z <= p.lo[r] ? p.lo[r] : z >= p.hi[r] ? p.hi[r] : z
      if (z > p.lo[r] && z < p.hi[r]) now = HOLDS
      changed ||= now !== state[r]
      state[r] = now
      continue
    }
    const rim = c.rim[r]
    const a = hat[r] - rho[r] * w[r]
    const b = hat[r + 1] - rho[r] * w[r + 1]
    const size = Math.sqrt(a * a + b * b)
    if (rim > 0) now = size > rim ? SLIPS : HOLDS
    const share = now === HOLDS ? 1 : now === SLIPS ? rim / size : 0
    lambda[r] = share * a
    lambda[r + 1] = share * b
    changed ||= now !== state[r] || now === SLIPS
    state[r] = now
    state[r + 1] = now
    i++
  }
  return changed
}

/** Contacts whose friction slips. */
export function countSlipping({ state, islands }: ConePrimal, p: Complementarity, k: number): number {
  const { rowStart, rows } = islands
  let twice = 0
  for (let e = rowStart[k]; e < rowStart[k + 1]; e++) if (p.normal[rows[e]] >= 0 && state[rows[e]] === SLIPS) twice++
  return 0.5 * twice
}

/** num[RESIDUAL] ← what the rows of an island miss at w and λ, as `measureSparse` has it. */
export function measureIsland(c: ConePrimal, { diagonal }: SparseRows, p: Complementarity, k: number): void {
  const { rowStart, rows } = c.islands
  const { lambda, w } = p
  let largest = 0
  for (let i = rowStart[k]; i < rowStart[k + 1]; i++) {
    const r = rows[i]
    if (p.normal[r] < 0) {
      const d = diagonal[r] > 0 ? diagonal[r] : 1
      const z = lambda[r] - w[r] / d
      const miss = d * Math.abs(lambda[r] - (z < p.lo[r] ? p.lo[r] : z > p.hi[r] ? p.hi[r] : z))
      if (miss > largest) largest = miss
      continue
    }
    i++
    const rim = p.mu[r] * Math.max(0, lambda[p.normal[r]])
    const trace = diagonal[r] + diagonal[r + 1]
    if (!(trace > 0)) continue
    const a = lambda[r] - w[r] / trace
    const b = lambda[r + 1] - w[r + 1] / trace
    const norm = Math.sqrt(a * a + b * b)
    const shrink = norm > rim ? rim / norm : 1
    const miss = trace * Math.max(Math.abs(lambda[r] - shrink * a), Math.abs(lambda[r + 1] - shrink * b))
    if (miss > largest) largest = miss
  }
  c.num[RESIDUAL] = largest / c.num[SIZE]
}
