/**
 * Newton's correction of an island's velocity (`cone-primal`): gradient A y − Gᵀ λ, matrix A + Gᵀ ρ P′ G, and how far to go.
 */

import { clearEnvelope, solveEnvelope } from '../../linalg/dense/envelope.js'
import type { Vec } from '../../math/types.js'
import type { SparseRows } from './cone-sparse.js'
import { type ConePrimal, DAD, DAY, DECREMENT, FREE, SHARE, SLIPS, SLOPE } from './island-rows.js'
import type { Complementarity } from './lcp.js'

// share of the slope that a correction may leave
const FLAT = 0.3
const CUTS = 12

/** Reads y, λ. Writes Ay, and x ← Gᵀ λ − A y by place. */
export function gradient(c: ConePrimal, s: SparseRows, p: Complementarity, k: number): void {
  const { place, x, Ay, envelope } = c
  const { rowStart, rows } = c.islands
  multiply(c, k, Ay, s.y)
  x.fill(0, 0, envelope.n)
  const { start, dof, G } = s
  for (let i = rowStart[k]; i < rowStart[k + 1]; i++) {
    const r = rows[i]
    const f = p.lambda[r]
    if (f !== 0) for (let e = start[r]; e < start[r + 1]; e++) x[place[dof[e]]] += f * G[e]
  }
  const { blockStart, order } = c.islands
  for (let b = blockStart[k]; b < blockStart[k + 1]; b++) {
    for (let e = c.start[order[b]]; e < c.start[order[b] + 1]; e++) x[place[c.dof[e]]] -= Ay[c.dof[e]]
  }
}

/** out ← A v in the island. */
function multiply({ A, at, start, dof, islands }: ConePrimal, k: number, out: Vec, v: Vec): void {
  const { blockStart, order } = islands
  for (let b = blockStart[k]; b < blockStart[k + 1]; b++) {
    const block = order[b]
    const from = start[block]
    const n = start[block + 1] - from
    for (let i = 0; i < n; i++) {
      let sum = 0
      for (let j = 0; j < n; j++) sum += A[at[block] + n * i + j] * v[dof[from + j]]
      out[dof[from + i]] = sum
    }
  }
}

/** Envelope ← A + Gᵀ ρ P′ G. */
export function assemble(c: ConePrimal, s: SparseRows, p: Complementarity, k: number): void {
  const { A, at, start, dof, place, envelope, state, rho, hat, H, HG } = c
  const { blockStart, order, rowStart, rows } = c.islands
  const { L, at: line } = envelope
  clearEnvelope(envelope)
  for (let b = blockStart[k]; b < blockStart[k + 1]; b++) {
    const block = order[b]
    const from = start[block]
    const n = start[block + 1] - from
    for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) L[line[place[dof[from + i]]] + place[dof[from + j]]] = A[at[block] + n * i + j]
  }
  for (let i = rowStart[k]; i < rowStart[k + 1]; i++) {
    const r = rows[i]
    const from = s.start[r]
    const n = s.start[r + 1] - from
    const friction = p.normal[r] >= 0
    if (friction) i++
    if (state[r] === FREE || !(rho[r] > 0)) continue
    if (!friction) {
      for (let e = 0; e < n; e++) HG[e] = rho[r] * s.G[from + e]
      addProduct(L, line, place, s, from, n, HG, 0)
      continue
    }
    H[0] = rho[r]
    H[1] = 0
    H[2] = rho[r]
    if (state[r] === SLIPS) {
      const a = hat[r] - rho[r] * p.w[r]
      const b = hat[r + 1] - rho[r] * p.w[r + 1]
      const square = a * a + b * b
      const share = (rho[r] * c.rim[r]) / Math.sqrt(square)
      H[0] = (share * b * b) / square
      H[1] = (-share * a * b) / square
      H[2] = (share * a * a) / square
    }
    for (let e = 0; e < n; e++) {
      HG[e] = H[0] * s.G[from + e] + H[1] * s.G[from + n + e]
      HG[n + e] = H[1] * s.G[from + e] + H[2] * s.G[from + n + e]
    }
    addProduct(L, line, place, s, from, n, HG, 0)
    addProduct(L, line, place, s, from + n, n, HG, n)
  }
}

/** L += the lower part of gᵀ u, g the n entries of a row from `from` on, u those of HG from o on. */
function addProduct(L: Vec, line: Int32Array, place: Int32Array, s: SparseRows, from: number, n: number, HG: Vec, o: number): void {
  const { dof, G } = s
  for (let a = 0; a < n; a++) {
    const i = place[dof[from + a]]
    const g = G[from + a]
    if (g === 0) continue
    const base = line[i]
    for (let b = 0; b < n; b++) {
      const j = place[dof[from + b]]
      if (j <= i) L[base + j] += g * HG[o + b]
    }
  }
}

/** Reads x, minus the gradient. Writes the correction d and num[DECREMENT], what it predicts twice. */
export function direction(c: ConePrimal, k: number): void {
  const { x, d, place, start, dof, envelope, num } = c
  const { blockStart, order } = c.islands
  // d for a while: the gradient
  for (let b = blockStart[k]; b < blockStart[k + 1]; b++) {
    for (let e = start[order[b]]; e < start[order[b] + 1]; e++) d[dof[e]] = x[place[dof[e]]]
  }
  solveEnvelope(envelope, x)
  let sum = 0
  for (let b = blockStart[k]; b < blockStart[k + 1]; b++) {
    for (let e = start[order[b]]; e < start[order[b] + 1]; e++) {
      const v = dof[e]
      sum += d[v] * x[place[v]]
      d[v] = x[place[v]]
    }
  }
  num[DECREMENT] = sum > 0 ? sum : 0
}

/** num[SHARE] ← the share of the correction at which the convex function is nearly least; the radii are those of λ. */
export function search(c: ConePrimal, s: SparseRows, p: Complementarity, k: number): void {
  const { num, d, Ad, Ay, wd, start, dof } = c
  const { blockStart, order, rowStart, rows } = c.islands
  multiply(c, k, Ad, d)
  let day = 0
  let dad = 0
  for (let b = blockStart[k]; b < blockStart[k + 1]; b++) {
    for (let e = start[order[b]]; e < start[order[b] + 1]; e++) {
      day += d[dof[e]] * Ay[dof[e]]
      dad += d[dof[e]] * Ad[dof[e]]
    }
  }
  num[DAY] = day
  num[DAD] = dad
  for (let i = rowStart[k]; i < rowStart[k + 1]; i++) {
    const r = rows[i]
    let w = 0
    for (let e = s.start[r]; e < s.start[r + 1]; e++) w += s.G[e] * d[s.dof[e]]
    wd[r] = w
  }
  const flat = FLAT * num[DECREMENT]
  num[SHARE] = 1
  slope(c, p, k)
  if (num[SLOPE] <= flat) return
  // regula falsi with halved weights (Illinois)
  let lo = 0
  let hi = 1
  let left = -num[DECREMENT]
  let right = num[SLOPE]
  let side = 0
  for (let cut = 0; cut < CUTS; cut++) {
    num[SHARE] = (lo * right - hi * left) / (right - left)
    slope(c, p, k)
    const now = num[SLOPE]
    if (now <= flat && now >= -flat) return
    if (now > 0) {
      hi = num[SHARE]
      right = now
      if (side > 0) left *= 0.5
      side = 1
    } else {
      lo = num[SHARE]
      left = now
      if (side < 0) right *= 0.5
      side = -1
    }
  }
}

/** num[SLOPE] ← dᵀ A (y + s d) − Σ (G d) λ, s = num[SHARE]. */
function slope({ num, hat, rho, rim: rims, wd, islands }: ConePrimal, p: Complementarity, k: number): void {
  const { rowStart, rows } = islands
  const { w } = p
  const share = num[SHARE]
  let sum = num[DAY] + share * num[DAD]
  for (let i = rowStart[k]; i < rowStart[k + 1]; i++) {
    const r = rows[i]
    if (p.normal[r] < 0) {
      const z = hat[r] - rho[r] * (w[r] + share * wd[r])
      sum -= wd[r] * (z <= p.lo[r] ? p.lo[r] : z >= p.hi[r] ? p.hi[r] : z)
      continue
    }
    i++
    const rim = rims[r]
    if (!(rim > 0)) continue
    const a = hat[r] - rho[r] * (w[r] + share * wd[r])
    const b = hat[r + 1] - rho[r] * (w[r + 1] + share * wd[r + 1])
    const size = Math.sqrt(a * a + b * b)
    sum -= (size > rim ? rim / size : 1) * (wd[r] * a + wd[r + 1] * b)
  }
  num[SLOPE] = sum
}
