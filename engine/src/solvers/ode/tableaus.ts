/**
 * Explicit Runge–Kutta methods as data: row i of `a` gives the weights of the earlier stages, `b` those of the step.
 */
export interface Tableau {
  readonly order: number
  readonly a: readonly (readonly number[])[]
  readonly b: readonly number[]
}

export const tableaus = {
  euler: { order: 1, a: [[]], b: [1] },
  rk4: { order: 4, a: [[], [1 / 2], [0, 1 / 2], [0, 0, 1]], b: [1 / 6, 1 / 3, 1 / 3, 1 / 6] },
} as const satisfies Record<string, Tableau>
