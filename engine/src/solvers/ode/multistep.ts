/**
 * Gear's methods: what Adams' formulas (`adams`) and backward differences (`bdf`) have in common for their users.
 */
import type { Vec } from '../../math/types.js'
import { createAdams } from './adams.js'
import { createBdf } from './bdf.js'
import type { Integrator, IntegratorOptions, OdeProblem } from './problem.js'

export interface MultistepOptions extends IntegratorOptions {
  /** Step and order stay as given to `startWith`: for convergence tests. */
  readonly fixed?: boolean
}

export interface Multistep extends Integrator {
  /** Begins at t with this history of order q for steps of h: rows z_0 … z_q of n numbers. */
  startWith(t: number, h: number, q: number, z: Vec): void
}

export const createMultistep = (problem: OdeProblem, family: 'adams' | 'bdf', options: MultistepOptions): Multistep =>
  family === 'adams' ? createAdams(problem, options) : createBdf(problem, options)
