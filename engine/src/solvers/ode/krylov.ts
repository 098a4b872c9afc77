/**
 * Newton systems without a matrix: (1 − g J) x = b by GMRES [SaadSchultz], products with J by differences of f,
 * and the problem's own O(n) solve as right preconditioner.
 *
 * The preconditioner alone is a good enough inverse for most mechanisms (it holds the joints' stiffness and damping), so it is tried
 * first, at no evaluation; where the corrector then fails to converge, GMRES takes over for a while.
 */
import type { Vec } from '../../math/types.js'
import { CORRECTOR_SCALARS, type CorrectorWork, G, LIMIT, type LinearSolver } from './corrector.js'

/** steps for which GMRES is kept once it was needed: what must be in the integrator's memory */
const KEPT = CORRECTOR_SCALARS - 1
const KEEP = 50
/** largest Krylov space; systems that need more are solved as well as this allows */
const LARGEST = 10
/** GMRES stops at this part of what the corrector tolerates */
const PART = 0.05

export function krylovSolver({ problem, w, y, f, statistics, memory, at }: CorrectorWork): LinearSolver {
  const n = problem.n
  const size = Math.min(n, LARGEST)
  const P = problem.preconditioner
  const V = Array.from({ length: size + 1 }, () => new Float64Array(n))
  const H = new Float64Array((size + 1) * size)
  const cos = new Float64Array(size)
  const sin = new Float64Array(size)
  const rhs = new Float64Array(size + 1)
  const moved = new Float64Array(n)
  const z = new Float64Array(n)
  const movedRate = new Float64Array(n)
  const result = new Float64Array(1)

  /** out ← (1 − g J) x */
  const product = (out: Vec, x: Vec): void => {
    // a change of the size of the tolerance: large against rounding, small against what the corrector sees
    dot(result, x, x, w)
    const norm = Math.sqrt(result[0] / n)
    const sigma = norm > 0 ? 1 / norm : 0
    if (sigma === 0) {
      out.fill(0)
      return
    }
    for (let i = 0; i < n; i++) moved[i] = y[i] + sigma * x[i]
    problem.rate(movedRate, moved)
    const scale = at[G] / sigma
    for (let i = 0; i < n; i++) out[i] = x[i] - scale * (movedRate[i] - f[i])
    statistics.products++
  }

  const gmres = (x: Vec): void => {
    dot(result, x, x, w)
    const beta = Math.sqrt(result[0])
    if (!(beta > 0)) return
    const goal = PART * at[LIMIT] * Math.sqrt(n)
    for (let i = 0; i < n; i++) V[0][i] = x[i] / beta
    rhs.fill(0)
    rhs[0] = beta
    let m = 0
    while (m < size) {
      z.set(V[m])
      P?.solve(z)
      const v = V[m + 1]
      product(v, z)
      // modified Gram–Schmidt, then the rotations that keep H triangular
      for (let j = 0; j <= m; j++) {
        dot(result, v, V[j], w)
        const s = result[0]
        H[j * size + m] = s
        for (let i = 0; i < n; i++) v[i] -= s * V[j][i]
      }
      dot(result, v, v, w)
      const norm = Math.sqrt(result[0])
      if (norm > 0) for (let i = 0; i < n; i++) v[i] /= norm
      for (let j = 0; j < m; j++) {
        const a = H[j * size + m]
        const b = H[(j + 1) * size + m]
        H[j * size + m] = cos[j] * a + sin[j] * b
        H[(j + 1) * size + m] = cos[j] * b - sin[j] * a
      }
      const a = H[m * size + m]
      const r = Math.sqrt(a * a + norm * norm)
      cos[m] = r > 0 ? a / r : 1
      sin[m] = r > 0 ? norm / r : 0
      H[m * size + m] = r
      rhs[m + 1] = -sin[m] * rhs[m]
      rhs[m] *= cos[m]
      m++
      if (!(Math.abs(rhs[m]) > goal) || norm === 0) break
    }
    for (let j = m - 1; j >= 0; j--) {
      let s = rhs[j]
      for (let k = j + 1; k < m; k++) s -= H[j * size + k] * rhs[k]
      rhs[j] = s / H[j * size + j]
    }
    x.fill(0)
    for (let j = 0; j < m; j++) for (let i = 0; i < n; i++) x[i] += rhs[j] * V[j][i]
    P?.solve(x)
  }

  return {
    reset() {
      memory[KEPT] = P ? 0 : KEEP
    },
    prepare() {
      if (!P) return true
      statistics.factorizations++
      return P.factor(at)
    },
    solve(x) {
      if (memory[KEPT] === 0) P?.solve(x)
      else gmres(x)
    },
    improve() {
      if (memory[KEPT] > 0) return false
      memory[KEPT] = KEEP
      return true
    },
    settle() {
      if (P && memory[KEPT] > 0) memory[KEPT]--
    },
  }
}

/** out[0] ← Σ a b / w² */
function dot(out: Vec, a: Vec, b: Vec, w: Vec): void {
  let s = 0
  for (let i = 0; i < w.length; i++) s += (a[i] / w[i]) * (b[i] / w[i])
  out[0] = s
}
