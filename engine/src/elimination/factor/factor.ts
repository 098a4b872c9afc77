/**
 * The numbers of a factorisation, which live as long as its plan: fronts, what is kept of the eliminated, and what they are made from.
 */
import type { Vec } from '../../math/types.js'
import { type CoupledTree, PLANE } from '../coupled-tree.js'
import type { Coupling } from '../plan/coupling.js'
import type { Plan } from '../plan/operations.js'
import { createWorldTerms, type WorldTerms } from './world-terms.js'

/** Of rows that hold exactly, a number each; scaled by the root of their weight. */
export interface ExactRows {
  /** what their rates are to be after a solve, and the forces that make them so, the other way round */
  readonly asked: Vec
  readonly pulled: Vec
  /** 1 where a row says nothing new */
  readonly spare: Uint8Array
  /** alike[0]: sin² of the angle below which rows are too much alike to go by */
  readonly alike: Vec
}

export interface Factor {
  readonly tree: CoupledTree
  readonly plan: Plan
  readonly coupling: Coupling
  readonly exact: ExactRows
  /** what the plan reads, in the world */
  readonly world: WorldTerms
  /** matrices of the fronts; rows of pivots divided by their pivot, and 1/pivot */
  readonly Q: Vec
  readonly H: Vec
  readonly dinv: Vec
  /** of a solve: vectors of the fronts, and what is found at each pivot */
  readonly y: Vec
  readonly z: Vec
  /** S⁺ of bases cut from the ground (a handle squared a body) */
  readonly P: Vec
  /** scratch: rows being eliminated, and their own block */
  readonly g: Vec
  readonly own: Vec
}

/** numbers of a panel's own block: six rows at most */
const OWN = 36

export function createFactor(tree: CoupledTree, coupling: Coupling, plan: Plan, exact: ExactRows): Factor {
  const { handle } = plan
  return {
    tree,
    plan,
    coupling,
    exact,
    world: createWorldTerms(tree, handle === PLANE ? tree.terms.still : -1),
    Q: new Float64Array(plan.space),
    H: new Float64Array(plan.kept),
    dinv: new Float64Array(plan.pivots),
    y: new Float64Array(plan.vectors),
    z: new Float64Array(plan.pivots),
    P: new Float64Array(plan.choice.cut ? handle * handle * tree.model.nbody : 0),
    g: new Float64Array(6 * plan.widest),
    own: new Float64Array(OWN),
  }
}

/** out ← the way between the points of reference of two bodies; in a plane its two numbers there. */
export function shiftOf(out: Vec, { origins, across }: WorldTerms, from: number, to: number): void {
  const a = 3 * from
  const b = 3 * to
  if (across < 0) {
    for (let k = 0; k < 3; k++) out[k] = origins[a + k] - origins[b + k]
    return
  }
  const u = (across + 1) % 3
  const v = (across + 2) % 3
  out[0] = origins[a + u] - origins[b + u]
  out[1] = origins[a + v] - origins[b + v]
}
