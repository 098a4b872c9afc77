/**
 * Coefficients of the Adams–Moulton and backward-difference formulas in Nordsieck form [Odepack].
 *
 * A corrected step is z_i += l_i e. Test constants: `error` divides |e| of this order, `up` the change of |e| for the next order,
 * `down` |z_q| for the order below. With pc the coefficients of (x+1)…(x+q−1) for Adams, of (x+1)…(x+q) for backward differences.
 */
export interface OrderCoefficients {
  /** l_0 … l_q */
  readonly l: Float64Array
  readonly error: number
  readonly up: number
  readonly down: number
}

export const ADAMS_ORDER = 12
export const BDF_ORDER = 5

/** Entry q holds the formula of order q, 1 to 12; entry 0 is that of order 1. */
export function adamsCoefficients(): readonly OrderCoefficients[] {
  const l: Float64Array[] = [Float64Array.of(1, 1), Float64Array.of(1, 1)]
  // error constants of orders 1 … 13: the last is only needed for `up` of order 12, which is never used
  const error = new Float64Array(ADAMS_ORDER + 2)
  const down = new Float64Array(ADAMS_ORDER + 3)
  error[1] = 2
  down[1] = 1
  down[2] = 1
  let pc = [1, 1] // x + 1
  let factorial = 1 // (q − 1)!
  for (let q = 2; q <= ADAMS_ORDER; q++) {
    const r1 = 1 / factorial
    const rq = r1 / q
    let sum0 = 0
    let sum1 = 0
    for (let i = 1; i <= q; i++) {
      const sign = i % 2 === 1 ? 1 : -1
      sum0 += (sign * pc[i - 1]) / i
      sum1 += (sign * pc[i - 1]) / (i + 1)
    }
    const row = new Float64Array(q + 1)
    row[0] = r1 * sum0
    row[1] = 1
    for (let i = 2; i <= q; i++) row[i] = (r1 * pc[i - 1]) / i
    l.push(row)
    error[q] = 1 / (rq * sum1)
    down[q + 1] = (error[q] * rq) / (q + 1)
    pc = timesRoot(pc, q)
    factorial *= q
  }
  return l.map((row, q) => ({ l: row, error: error[Math.max(1, q)], up: error[q + 1] || 1, down: down[Math.max(1, q)] }))
}

/** Entry q holds the formula of order q, 1 to 5; entry 0 is that of order 1. */
export function bdfCoefficients(): readonly OrderCoefficients[] {
  const result: OrderCoefficients[] = []
  let pc = [1, 1]
  let factorial = 1
  for (let q = 1; q <= BDF_ORDER; q++) {
    const l = new Float64Array(q + 1)
    for (let i = 0; i <= q; i++) l[i] = pc[i] / pc[1]
    const entry = { l, error: (q + 1) / l[0], up: (q + 2) / l[0], down: 1 / factorial }
    if (q === 1) result.push(entry)
    result.push(entry)
    pc = timesRoot(pc, q + 1)
    factorial *= q
  }
  return result
}

/** Coefficients, ascending, of p(x) (x + k). */
function timesRoot(p: readonly number[], k: number): number[] {
  const out = new Array<number>(p.length + 1).fill(0)
  for (let i = 0; i < p.length; i++) {
    out[i] += k * p[i]
    out[i + 1] += p[i]
  }
  return out
}

/**
 * Polynomials by samples at s = 0, −1, … −(m−1): entry (j, i) of the m × m result is what sample i gives to the coefficient of s^j.
 * Exact products of small whole numbers, so that only the last division rounds.
 */
export function sampleWeights(m: number): Float64Array {
  const out = new Float64Array(m * m)
  for (let i = 0; i < m; i++) {
    let p = [1]
    let scale = 1
    for (let k = 0; k < m; k++) {
      if (k === i) continue
      p = timesRoot(p, k)
      scale *= k - i
    }
    for (let j = 0; j < m; j++) out[j * m + i] = p[j] / scale
  }
  return out
}
