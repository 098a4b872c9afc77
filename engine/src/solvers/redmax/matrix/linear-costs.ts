/**
 * Nanoseconds that parts of the linear solvers take on the machine they were fitted on (nets, trees, umbrellas, bridges from 21 to 1,533
 * degrees of freedom, plans of every kind; most within a fifth). Only ratios matter. The products of a plan are weighed by their time already.
 */
import { OPERATION } from '../../../elimination/plan/operations.js'

/** the recursion's factor, and a body in a solve with it */
export const FACTOR = { body: 97, velocity: 155 }
export const RECURSION = 88
/** an iteration of conjugate gradients */
export const ITERATION = { body: 175, velocity: 22, row: 60 }
/** the sparse factorisation, and a solve with it */
export const DIRECT = { body: 20, row: 60, operation: OPERATION, product: 1 }
export const BACK = { operation: 25, product: 2 }
