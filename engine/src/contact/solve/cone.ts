/**
 * Contact with a circular or elliptic friction cone: block Gauss–Seidel on the complementarity rows of `lcp.ts`.
 *
 * A contact is a unilateral row followed, anywhere later, by the friction rows that name it, one after the other. Given the normal force,
 * the friction forces minimise ½ xᵀ D_tt x + bᵀ x inside Σ (x_j / μ_j)² ≤ λ_n²: stick when the unconstrained minimum lies inside,
 * else slip against the sliding velocity on the rim. In y_j = x_j / μ_j the rim is a sphere and the minimum on it solves
 * (D′ + s 1) y = −b′, |y(s)| = λ_n, one equation for s ≥ 0 (J. J. Moré, D. C. Sorensen, Computing a Trust Region Step, 1983).
 */

import { cholesky, choleskySolve, forwardSubstitute } from '../../linalg/dense/cholesky.js'
import type { Vec } from '../../math/types.js'
import { type Complementarity, type ComplementarityReport, clamp, updateScale, updateVelocity } from './lcp.js'

/** Largest number of friction rows at one contact: two tangential, one of torsion, two of rolling. */
const FRICTION_ROWS = 5

export interface ConeWork {
  readonly A: Vec
  readonly F: Vec
  readonly b: Vec
  readonly y: Vec
  readonly t: Vec
  /** the normal force, as the radius of the ball in y */
  readonly radius: Vec
}

export function createConeWork(): ConeWork {
  return {
    A: new Float64Array(FRICTION_ROWS * FRICTION_ROWS),
    F: new Float64Array(FRICTION_ROWS * FRICTION_ROWS),
    b: new Float64Array(FRICTION_ROWS),
    y: new Float64Array(FRICTION_ROWS),
    t: new Float64Array(FRICTION_ROWS),
    radius: new Float64Array(1),
  }
}

/** Friction rows from i on that belong to the same normal row. */
export function frictionRows(p: Complementarity, i: number): number {
  let end = i + 1
  while (end < p.n && end - i < FRICTION_ROWS && p.normal[end] === p.normal[i]) end++
  return end - i
}

/** Sweeps over all rows, contacts as blocks, until none moves by more than the tolerance. λ holds the warm start. */
export function coneGaussSeidel(c: ConeWork, p: Complementarity, tolerance: number, maxSweeps: number): Readonly<ComplementarityReport> {
  const { n, D, lambda, w, size, report } = p
  updateScale(p)
  const still = 0.1 * tolerance * size[0]
  let sweep = 0
  for (; sweep < maxSweeps; sweep++) {
    let moved = 0
    for (let i = 0; i < n; i++) {
      if (p.normal[i] >= 0) {
        const k = frictionRows(p, i)
        updateFriction(c, p, i, k)
        moved = Math.max(moved, size[1])
        i += k - 1
        continue
      }
      const d = D[i * n + i]
      if (!(d > 0)) continue
      const before = lambda[i]
      updateVelocity(p, i)
      lambda[i] = clamp(before - w[i] / d, p.lo[i], p.hi[i])
      moved = Math.max(moved, Math.abs(lambda[i] - before) * d)
    }
    if (moved <= still) {
      sweep++
      break
    }
  }
  report.iterations = sweep
  measureCone(p)
  report.status = report.residual <= tolerance ? 'solved' : 'approximate'
  return report
}

/**
 * Writes w, and residual and worst row of the report: for friction |y − project(y − ρ g)| / ρ with g the gradient in y, ρ the inverse
 * of the block's trace, divided by the largest μ to have the units of w.
 */
export function measureCone(p: Complementarity): void {
  const { n, D, lambda, w, report } = p
  let largest = 0
  let worst = -1
  for (let i = 0; i < n; i++) updateVelocity(p, i)
  for (let i = 0; i < n; i++) {
    let violation = 0
    let count = 1
    if (p.normal[i] < 0) {
      const d = D[i * n + i] > 0 ? D[i * n + i] : 1
      violation = Math.abs(lambda[i] - clamp(lambda[i] - w[i] / d, p.lo[i], p.hi[i])) * d
    } else {
      count = frictionRows(p, i)
      measureFriction(p, i, count)
      violation = p.size[1]
    }
    if (violation > largest) {
      largest = violation
      worst = i
    }
    i += count - 1
  }
  updateScale(p)
  report.residual = largest / p.size[0]
  report.worst = worst
}

/** size[1] ← violation of the k friction rows from i on. */
function measureFriction(p: Complementarity, i: number, k: number): void {
  const { n, D, lambda, w, mu } = p
  const radius = Math.max(0, lambda[p.normal[i]])
  let trace = 0
  let largest = 0
  for (let a = i; a < i + k; a++) {
    trace += mu[a] * mu[a] * D[a * n + a]
    largest = Math.max(largest, mu[a])
  }
  if (!(trace > 0)) {
    let force = 0
    for (let a = i; a < i + k; a++) force = Math.max(force, Math.abs(lambda[a]))
    p.size[1] = force
    return
  }
  let norm = 0
  for (let a = i; a < i + k; a++) {
    if (!(mu[a] > 0)) continue
    const z = lambda[a] / mu[a] - (mu[a] * w[a]) / trace
    norm += z * z
  }
  norm = Math.sqrt(norm)
  const shrink = norm > radius ? radius / norm : 1
  let violation = 0
  for (let a = i; a < i + k; a++) {
    if (!(mu[a] > 0)) continue
    const y = lambda[a] / mu[a]
    violation = Math.max(violation, Math.abs(y - shrink * (y - (mu[a] * w[a]) / trace)))
  }
  p.size[1] = (violation * trace) / largest
}

/** Best friction forces of one contact, the others held. Writes how far they moved, in the units of w, to size[1]. */
function updateFriction(c: ConeWork, p: Complementarity, i: number, k: number): void {
  const { n, D, lambda, mu, w } = p
  const { A, b, y } = c
  const radius = Math.max(0, lambda[p.normal[i]])
  let largest = 0
  for (let a = 0; a < k; a++) {
    updateVelocity(p, i + a)
    let t = w[i + a]
    for (let q = 0; q < k; q++) t -= D[(i + a) * n + i + q] * lambda[i + q]
    b[a] = mu[i + a] * t
    for (let q = 0; q < k; q++) A[a * k + q] = mu[i + a] * mu[i + q] * D[(i + a) * n + i + q]
    largest = Math.max(largest, A[a * k + a])
  }
  // rows without friction or without mobility stay out of the way
  for (let a = 0; a < k; a++) if (!(A[a * k + a] > 1e-12 * largest)) A[a * k + a] = largest > 0 ? largest : 1
  c.radius[0] = radius
  if (radius > 0) minimizeInBall(c, k)
  else y.fill(0, 0, k)

  let moved = 0
  for (let a = 0; a < k; a++) {
    const after = mu[i + a] * y[a]
    moved = Math.max(moved, Math.abs(after - lambda[i + a]) * D[(i + a) * n + i + a])
    lambda[i + a] = after
  }
  p.size[1] = moved
}

/** y ← argmin ½ yᵀ A y + bᵀ y in |y| ≤ radius. */
function minimizeInBall(c: ConeWork, k: number): void {
  const { A, F, b, y, t } = c
  const radius = c.radius[0]
  let trace = 0
  for (let a = 0; a < k; a++) trace += A[a * k + a]
  let s = 0
  for (let round = 0; round < 30; round++) {
    for (let a = 0; a < k * k; a++) F[a] = A[a]
    for (let a = 0; a < k; a++) F[a * k + a] += s
    if (!cholesky(F, 0, k)) {
      // equal or dependent directions: the smallest shift that tells them apart
      s += 1e-10 * trace
      continue
    }
    let norm = 0
    for (let a = 0; a < k; a++) y[a] = -b[a]
    choleskySolve(F, 0, k, y, 0, 1)
    for (let a = 0; a < k; a++) norm += y[a] * y[a]
    norm = Math.sqrt(norm)
    if (norm <= radius * (1 + 1e-14)) break

    // Newton on 1 / |y(s)| = 1 / radius, which is nearly linear in s
    for (let a = 0; a < k; a++) t[a] = y[a]
    forwardSubstitute(F, 0, k, t, 0, 1)
    let slope = 0
    for (let a = 0; a < k; a++) slope += t[a] * t[a]
    const step = ((norm - radius) / radius) * ((norm * norm) / slope)
    s += step
    if (step <= 1e-15 * s) break
  }

  // onto the rim, what rounding left
  let norm = 0
  for (let a = 0; a < k; a++) norm += y[a] * y[a]
  norm = Math.sqrt(norm)
  if (norm > radius) for (let a = 0; a < k; a++) y[a] *= radius / norm
}
