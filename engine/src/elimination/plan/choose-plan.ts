/**
 * Which plan: the cheapest by count of several ways to take the mechanism apart.
 */

import type { Model } from '../../model/model.js'
import { atStart, PLANE, SPACE } from '../coupled-tree.js'
import type { Coupling } from './coupling.js'
import type { PlanChoice } from './graph.js'
import { OPERATION, type Plan } from './plan.js'
import { planHandles } from './plan-handles.js'
import { planParts } from './plan-parts.js'

/** Tried in turn, the cheapest by count is taken. */
export const CHOICES: readonly PlanChoice[] = [
  { eager: false, cut: false, order: 'dissected' },
  { eager: false, cut: false, order: 'nested' },
  { eager: true, cut: false, order: 'level' },
  { eager: true, cut: true, order: 'degree' },
  { eager: true, cut: false, order: 'degree' },
  { eager: false, cut: false, order: 'degree' },
]
/** needs nothing but a positive definite matrix */
export const SAFE: PlanChoice = { eager: true, cut: false, order: 'level' }

/**
 * The cheapest plan. A bad order shows soon, so that all are tried with a bound on their cost. Parts are for what is not near linear, and made
 * only then; their cost is the next bound. Without them the bound grows until one plan keeps it. `planar`: a handle has three numbers.
 * Rows that hold exactly wait for joints that move them, which neither parts nor bases cut from the ground know of.
 */
export function choosePlan(m: Model, coupling: Coupling, given: readonly PlanChoice[], planar: boolean): Plan {
  const exact = coupling.rigid.includes(1)
  const choices = coupling.groups === 0 ? [SAFE] : given.filter(({ cut, order }) => !exact || (!cut && order !== 'dissected'))
  const dissected = choices.find(({ order }) => order === 'dissected')
  const others = choices.filter((choice) => choice !== dissected)
  const cheapest = (first: Plan | undefined, bound: number): Plan | undefined => {
    let best = first
    for (const choice of others) {
      const plan = planHandles(m, coupling, choice, best ? timeOf(best) : bound, planar ? PLANE : SPACE)
      if (plan && timeOf(plan) < (best ? timeOf(best) : Number.POSITIVE_INFINITY)) best = plan
    }
    return best
  }
  let bound = 700 * m.nv
  let best = cheapest(undefined, bound)
  const parts = !best && dissected ? planParts(m, coupling, atStart(m).X_WB, dissected) : undefined
  if (parts) return cheapest(parts, 0) ?? parts
  if (others.length === 0) others.push(SAFE)
  while (!best) {
    bound *= 8
    best = cheapest(undefined, bound)
  }
  return best
}

const timeOf = ({ flops, operations }: Plan): number => flops + OPERATION * operations
