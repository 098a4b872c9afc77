/**
 * Limited-memory BFGS: the direction −H g by the two-loop recursion, with any first matrix.
 *
 * J. Nocedal, Updating Quasi-Newton Matrices with Limited Storage, Math. Comp. 35 (1980). The caller steps and searches along the line;
 * pairs whose curvature sᵀy is not safely positive are left out.
 */
import type { Vec } from '../../math/types.js'

export interface Lbfgs {
  readonly n: number
  readonly memory: number
  /** pairs, newest overwriting oldest: steps, differences of gradients, 1/(sᵀy) */
  readonly s: Vec
  readonly y: Vec
  readonly rho: Vec
  readonly alpha: Vec
  count: number
  next: number
}

// below this the pair says more about rounding than about the function
const LEAST_CURVATURE = 1e-10

export function createLbfgs(n: number, memory: number): Lbfgs {
  return {
    n,
    memory,
    s: new Float64Array(n * memory),
    y: new Float64Array(n * memory),
    rho: new Float64Array(memory),
    alpha: new Float64Array(memory),
    count: 0,
    next: 0,
  }
}

export function resetLbfgs(w: Lbfgs): void {
  w.count = 0
  w.next = 0
}

/** Takes note of the step length · direction and of the gradients at both of its ends. False where the curvature was too small. */
export function updateLbfgs(w: Lbfgs, direction: Vec, length: Vec, before: Vec, after: Vec): boolean {
  const { n, s, y } = w
  const o = w.next * n
  const t = length[0]
  let sy = 0
  let ss = 0
  let yy = 0
  for (let k = 0; k < n; k++) {
    const a = t * direction[k]
    const b = after[k] - before[k]
    s[o + k] = a
    y[o + k] = b
    sy += a * b
    ss += a * a
    yy += b * b
  }
  if (!(sy > LEAST_CURVATURE * Math.sqrt(ss * yy))) return false
  w.rho[w.next] = 1 / sy
  w.next = (w.next + 1) % w.memory
  if (w.count < w.memory) w.count++
  return true
}

/** out ← −H g. `first` applies the first matrix in place, as an approximate inverse of the second derivative. */
export function lbfgsDirection(w: Lbfgs, out: Vec, g: Vec, first: (x: Vec) => void): void {
  const { n, memory, s, y, rho, alpha, count, next } = w
  for (let k = 0; k < n; k++) out[k] = -g[k]
  for (let l = 1; l <= count; l++) {
    const j = (next - l + memory) % memory
    const o = j * n
    let a = 0
    for (let k = 0; k < n; k++) a += s[o + k] * out[k]
    a *= rho[j]
    alpha[j] = a
    for (let k = 0; k < n; k++) out[k] -= a * y[o + k]
  }
  first(out)
  for (let l = count; l >= 1; l--) {
    const j = (next - l + memory) % memory
    const o = j * n
    let b = 0
    for (let k = 0; k < n; k++) b += y[o + k] * out[k]
    const c = alpha[j] - b * rho[j]
    for (let k = 0; k < n; k++) out[k] += c * s[o + k]
  }
}
