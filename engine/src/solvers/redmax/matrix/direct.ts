/**
 * The sparse direct solver of a step: `elimination`, with the system of the step for its coupled tree.
 */
import { createElimination, type Elimination } from '../../../elimination/elimination.js'
import type { PlanChoice } from '../../../elimination/plan/graph.js'
import type { LinearSolver } from './linear-solvers.js'
import type { System } from './system.js'

export interface DirectSolver extends LinearSolver, Pick<Elimination, 'asked' | 'pulled' | 'spare' | 'alike' | 'plan' | 'load' | 'save'> {}

/** `choices`: the ways to take the mechanism apart that are tried. */
export function createDirect(s: System, choices?: readonly PlanChoice[]): DirectSolver {
  const { factor, ...elimination } = createElimination(s, choices)
  return { name: 'direct', iterations: 1, prepare: factor, ...elimination }
}
