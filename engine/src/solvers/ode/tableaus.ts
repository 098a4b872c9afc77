/**
 * Explicit Runge–Kutta methods as data: row i of `a` gives the weights of the earlier stages, `b` those of the step, `c` the times.
 * An embedded method has a second row `low`, of lower order, and takes the difference for the error; the others compare one step with
 * two of half the size.
 *
 * iec, rk3, rkg, rkf45: the methods of [Jung] Table II.
 */
export interface Tableau {
  readonly order: number
  readonly a: readonly (readonly number[])[]
  readonly b: readonly number[]
  readonly c: readonly number[]
  readonly low?: readonly number[]
}

const r = Math.sqrt(0.5)

export const tableaus = {
  euler: { order: 1, a: [[]], b: [1], c: [0] },
  rk4: { order: 4, a: [[], [1 / 2], [0, 1 / 2], [0, 0, 1]], b: [1 / 6, 1 / 3, 1 / 3, 1 / 6], c: [0, 1 / 2, 1 / 2, 1] },
  /** improved Euler–Cauchy */
  iec: { order: 2, a: [[], [1 / 2]], b: [0, 1], c: [0, 1 / 2] },
  /** the paper's RKI: a 2(3) pair with three stages */
  rk3: { order: 3, a: [[], [1], [1 / 4, 1 / 4]], b: [1 / 6, 1 / 6, 4 / 6], c: [0, 1, 1 / 2], low: [1 / 2, 1 / 2, 0] },
  /** Gill */
  rkg: {
    order: 4,
    a: [[], [1 / 2], [r - 1 / 2, 1 - r], [0, -r, 1 + r]],
    b: [1 / 6, (2 - 2 * r) / 6, (2 + 2 * r) / 6, 1 / 6],
    c: [0, 1 / 2, 1 / 2, 1],
  },
  /** Fehlberg 4(5), propagated at order 5 */
  rkf45: {
    order: 5,
    a: [
      [],
      [1 / 4],
      [3 / 32, 9 / 32],
      [1932 / 2197, -7200 / 2197, 7296 / 2197],
      [439 / 216, -8, 3680 / 513, -845 / 4104],
      [-8 / 27, 2, -3544 / 2565, 1859 / 4104, -11 / 40],
    ],
    b: [16 / 135, 0, 6656 / 12825, 28561 / 56430, -9 / 50, 2 / 55],
    c: [0, 1 / 4, 3 / 8, 12 / 13, 1, 1 / 2],
    low: [25 / 216, 0, 1408 / 2565, 2197 / 4104, -1 / 5, 0],
  },
} as const satisfies Record<string, Tableau>
