/**
 * Contact with friction cones between many bodies: block Gauss–Seidel as in `cone.ts`, on rows that are zero but for the velocities of a few
 * bodies each. D = G A⁻¹ Gᵀ is never formed; sweeps keep the velocity that the forces make,
 *   y = Σ Y_r λ_r,  Y_r = A⁻¹ G_rᵀ,   w_r = r_r + G_r y
 * so that a row costs as much as it has entries. Sweeps go forth and back: a force passes through a stack in one of them. What a sweep
 * changes is taken for a gradient, and forces go on along conjugate directions of it (M. Silcowitz-Hansen, S. Niebe, K. Erleben, A Nonsmooth
 * Nonlinear Conjugate Gradient Method for Interactive Contact Force Problems, 2010): a tall stack takes as many sweeps as it has floors, not
 * their square.
 *
 * Each contact has two friction rows with one coefficient, right after its normal row. Given the normal force they minimise
 * ½ xᵀ B x + bᵀ x in |x| ≤ ρ = μ λ_n: stick, or (B + s 1) x = −b on the rim, one equation for s in the axes of B (as in `cone.ts`).
 */
import type { Vec } from '../../math/types.js'
import { type Complementarity, type ComplementarityReport, clamp, updateScale } from './lcp.js'

export interface SparseRows {
  /** entries of row r: start[r] … start[r + 1] − 1 */
  start: Int32Array
  /** velocities, and values of G and Y there */
  dof: Int32Array
  G: Vec
  Y: Vec
  /** D_rr of every row; of friction rows the eigenvalues of B, with cos and sin of its first axis in `axis` */
  diagonal: Vec
  axis: Vec
  /** forces before a sweep, and the direction in which they go on */
  before: Vec
  way: Vec
  /** velocity that the forces make */
  readonly y: Vec
}

export function createSparseRows(nv: number): SparseRows {
  return {
    start: new Int32Array(1),
    dof: new Int32Array(0),
    G: new Float64Array(0),
    Y: new Float64Array(0),
    diagonal: new Float64Array(0),
    axis: new Float64Array(0),
    before: new Float64Array(0),
    way: new Float64Array(0),
    y: new Float64Array(nv),
  }
}

/** Makes room for so many rows and entries, and forgets what there is. Allocates where that is more than ever before. */
export function reserveSparse(s: SparseRows, rows: number, entries: number): void {
  if (rows + 1 > s.start.length) {
    s.start = new Int32Array(2 * rows + 1)
    s.diagonal = new Float64Array(2 * rows)
    s.axis = new Float64Array(2 * rows)
    s.before = new Float64Array(2 * rows)
    s.way = new Float64Array(2 * rows)
  }
  if (entries > s.dof.length) {
    s.dof = new Int32Array(2 * entries)
    s.G = new Float64Array(2 * entries)
    s.Y = new Float64Array(2 * entries)
  }
}

// of the larger eigenvalue of B: directions without mobility
const RIGID = 1e-12
const ROUNDS = 30

/** Reads G, Y, and which rows of p are friction. Writes diagonal and axis. */
export function prepareSparse(s: SparseRows, p: Complementarity): void {
  const { start, G, Y, diagonal, axis } = s
  for (let r = 0; r < p.n; r++) {
    let d = 0
    for (let e = start[r]; e < start[r + 1]; e++) d += G[e] * Y[e]
    if (p.normal[r] < 0) {
      diagonal[r] = d
      continue
    }
    // two rows of one contact have the same pattern
    const shift = start[r + 1] - start[r]
    let b = 0
    let c = 0
    for (let e = start[r]; e < start[r + 1]; e++) {
      b += G[e] * Y[e + shift]
      c += G[e + shift] * Y[e + shift]
    }
    const mean = 0.5 * (d + c)
    const half = 0.5 * (d - c)
    const root = Math.sqrt(half * half + b * b)
    // first axis: that of the larger eigenvalue mean + root
    let x = half + root
    let y = b
    if (half < 0) {
      x = b
      y = root - half
    }
    const size = Math.sqrt(x * x + y * y)
    axis[r] = size > 0 ? x / size : 1
    axis[r + 1] = size > 0 ? y / size : 0
    const largest = mean + root
    diagonal[r] = largest
    diagonal[r + 1] = mean - root > RIGID * largest ? mean - root : largest
    r++
  }
}

/**
 * Sweeps until none moves a row by more than the tolerance, one forth and one back being two. λ holds the warm start; y is left as the forces
 * make it.
 */
export function sparseGaussSeidel(
  s: SparseRows,
  p: Complementarity,
  tolerance: number,
  maxSweeps: number,
): Readonly<ComplementarityReport> {
  const { start, dof, Y, y, before, way, diagonal } = s
  const { n, lambda, report } = p
  updateScale(p)
  const still = 0.1 * tolerance * p.size[0]
  velocityOfForces(s, p)
  way.fill(0, 0, n)
  let last = 0
  let sweep = 0
  while (sweep < maxSweeps) {
    for (let r = 0; r < n; r++) before[r] = lambda[r]
    p.size[1] = 0
    sweepForth(s, p)
    sweep++
    if (p.size[1] <= still) break
    sweepBack(s, p)
    sweep++
    // the last ones are as they are: what goes on may leave the cones
    if (sweep + 2 > maxSweeps) break

    let square = 0
    for (let r = 0; r < n; r++) {
      const change = lambda[r] - before[r]
      square += diagonal[r] * change * change
    }
    const share = last > 0 ? square / last : 0
    last = square
    for (let r = 0; r < n; r++) {
      const change = lambda[r] - before[r]
      if (share > 1) {
        way[r] = 0
        continue
      }
      const f = share * way[r]
      way[r] = f + change
      if (f === 0) continue
      lambda[r] += f
      for (let e = start[r]; e < start[r + 1]; e++) y[dof[e]] += f * Y[e]
    }
  }
  report.iterations = sweep
  measureSparse(s, p)
  report.status = report.residual <= tolerance ? 'solved' : 'approximate'
  return report
}

/** y ← Y λ */
export function velocityOfForces({ start, dof, Y, y }: SparseRows, { n, lambda }: Complementarity): void {
  y.fill(0)
  for (let r = 0; r < n; r++) {
    const f = lambda[r]
    if (f !== 0) for (let e = start[r]; e < start[r + 1]; e++) y[dof[e]] += f * Y[e]
  }
}

function sweepForth(s: SparseRows, p: Complementarity): void {
  for (let r = 0; r < p.n; r++) {
    if (p.normal[r] < 0) moveRow(s, p, r)
    else moveFriction(s, p, r++)
  }
}

function sweepBack(s: SparseRows, p: Complementarity): void {
  for (let r = p.n - 1; r >= 0; r--) {
    if (p.normal[r] >= 0) {
      // the normal force first here too, or friction would be left outside of its cone
      r -= 2
      moveRow(s, p, r)
      moveFriction(s, p, r + 1)
    } else moveRow(s, p, r)
  }
}

/** λ_r that the others leave to do; size[1] ← what it moved by, if that is more. */
function moveRow(s: SparseRows, p: Complementarity, r: number): void {
  const { start, dof, G, Y, y } = s
  const d = s.diagonal[r]
  if (!(d > 0)) return
  const from = start[r]
  const to = start[r + 1]
  const before = p.lambda[r]
  let w = p.r[r]
  for (let e = from; e < to; e++) w += G[e] * y[dof[e]]
  let after = before - w / d
  if (after < p.lo[r]) after = p.lo[r]
  if (after > p.hi[r]) after = p.hi[r]
  const change = after - before
  if (change === 0) return
  p.lambda[r] = after
  for (let e = from; e < to; e++) y[dof[e]] += change * Y[e]
  const moved = Math.abs(change) * d
  if (moved > p.size[1]) p.size[1] = moved
}

/** The same for the friction of a contact, rows r and r + 1. */
function moveFriction(s: SparseRows, p: Complementarity, r: number): void {
  const { start, dof, G, Y, y, axis, diagonal } = s
  const { lambda } = p
  const from = start[r]
  const to = start[r + 1]
  const shift = to - from
  const normal = lambda[p.normal[r]]
  const rim = normal > 0 ? p.mu[r] * normal : 0
  const x0 = lambda[r]
  const x1 = lambda[r + 1]
  if (rim === 0 && x0 === 0 && x1 === 0) return
  const large = diagonal[r]
  if (!(large > 0)) return
  let w0 = p.r[r]
  let w1 = p.r[r + 1]
  for (let e = from; e < to; e++) {
    const v = y[dof[e]]
    w0 += G[e] * v
    w1 += G[e + shift] * v
  }

  // in the axes of B: its eigenvalues, b = w − B x
  const small = diagonal[r + 1]
  const c = axis[r]
  const t = axis[r + 1]
  const z0 = c * x0 + t * x1
  const z1 = c * x1 - t * x0
  const b0 = c * w0 + t * w1 - large * z0
  const b1 = c * w1 - t * w0 - small * z1
  let a0 = -b0 / large
  let a1 = -b1 / small
  let size = Math.sqrt(a0 * a0 + a1 * a1)
  if (rim === 0) {
    a0 = 0
    a1 = 0
  } else if (size > rim) {
    let slip = 0
    for (let round = 0; round < ROUNDS && size > rim * (1 + 1e-14); round++) {
      // Newton on 1/|x(s)| = 1/ρ, which is nearly linear in s
      const slope = (a0 * a0) / (large + slip) + (a1 * a1) / (small + slip)
      const step = ((size - rim) / rim) * ((size * size) / slope)
      slip += step
      a0 = -b0 / (large + slip)
      a1 = -b1 / (small + slip)
      size = Math.sqrt(a0 * a0 + a1 * a1)
      if (step <= 1e-15 * slip) break
    }
    if (size > rim) {
      a0 *= rim / size
      a1 *= rim / size
    }
  }
  const d0 = c * a0 - t * a1 - x0
  const d1 = t * a0 + c * a1 - x1
  lambda[r] = x0 + d0
  lambda[r + 1] = x1 + d1
  for (let e = from; e < to; e++) y[dof[e]] += d0 * Y[e] + d1 * Y[e + shift]
  const moved = large * Math.max(Math.abs(d0), Math.abs(d1))
  if (moved > p.size[1]) p.size[1] = moved
}

/** Writes w, and residual and worst row of the report, as `measureCone` of `cone.ts` does. */
export function measureSparse(s: SparseRows, p: Complementarity): void {
  const { start, dof, G, y, diagonal } = s
  const { n, lambda, w, report } = p
  let largest = 0
  let worst = -1
  for (let r = 0; r < n; r++) {
    let sum = p.r[r]
    for (let e = start[r]; e < start[r + 1]; e++) sum += G[e] * y[dof[e]]
    w[r] = sum
  }
  for (let r = 0; r < n; r++) {
    let violation = 0
    const row = r
    if (p.normal[r] < 0) {
      const d = diagonal[r] > 0 ? diagonal[r] : 1
      violation = Math.abs(lambda[r] - clamp(lambda[r] - w[r] / d, p.lo[r], p.hi[r])) * d
    } else {
      const rim = p.mu[r] * Math.max(0, lambda[p.normal[r]])
      const trace = diagonal[r] + diagonal[r + 1]
      if (trace > 0) {
        const a = lambda[r] - w[r] / trace
        const b = lambda[r + 1] - w[r + 1] / trace
        const norm = Math.sqrt(a * a + b * b)
        const shrink = norm > rim ? rim / norm : 1
        violation = trace * Math.max(Math.abs(lambda[r] - shrink * a), Math.abs(lambda[r + 1] - shrink * b))
      }
      r++
    }
    if (violation > largest) {
      largest = violation
      worst = row
    }
  }
  updateScale(p)
  report.residual = largest / p.size[0]
  report.worst = worst
}
