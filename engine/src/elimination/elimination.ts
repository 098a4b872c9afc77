/**
 * Sparse direct solve of a coupled tree, A x = b (`coupled-tree` says what A is), in three phases. Read this file first.
 *
 * A leaf of a tree can be taken out by its joint, V(c) = V(p) + S v, which leaves an articulated inertia on its parent: with that one
 * *handle*, six velocities by which the rest of the mechanism feels what was taken out, this is the articulated-body method [RBDA].
 * Rows across the tree couple handles. What was taken out then is felt by several bodies at once, as a dense symmetric matrix
 * over their handles and over the forces of rows, a *front*; the articulated-body method with several handles is a multifrontal
 * factorisation [DuffReid] of the maximal system in which a body's joint is the pivot.
 *
 * plan    `plan/`: from the coupling alone, without numbers. Groups of rows and bodies form a graph (`coupling`, `graph`); an order of
 *         elimination keeps the fronts small, by minimum degree (`order`) or by nested dissection with separators (`dissect`); the
 *         order becomes a list of operations on fronts, all places fixed (`plan-handles`, `plan-parts`; `operations` is the table).
 *         Several ways are tried, and the cheapest by count is taken (`choose-plan`).
 * factor  `factor/`: axes, inertias and rows in world axes at points that the plan fixes (`world-terms.kernel`), so that a handle goes from
 *         body to body without moving; then the operations on matrices (`factorize.kernel`).
 * solve   `solve/`: the same operations on vectors, forth and back, one right-hand side at a time.
 *
 * Without rows it is the articulated-body method itself; on chains tied end to end, bridges, and trees with springs between branches it is near
 * linear. Rows that hold exactly are taken in with their forces. Mechanisms in a plane have handles of three numbers.
 */
import type { Vec } from '../math/types.js'
import type { CoupledTree } from './coupled-tree.js'
import { createFactor, type ExactRows, type Factor, factorize, sizeOfPivots, solveBackward, solveForward } from './factor/factor.js'
import { CHOICES, choosePlan, SAFE } from './plan/choose-plan.js'
import { createCoupling, matchRows } from './plan/coupling.js'
import type { PlanChoice } from './plan/graph.js'
import type { Plan } from './plan/plan.js'

/** numbers that `load` and `save` hand over */
export const ELIMINATION_MEMORY = 1

export interface Elimination extends ExactRows {
  /** The plan for the rows as they are; made where there is none yet. */
  plan(): Plan
  /** Factors the tree as it is; false where A is not positive definite, or exact rows are too much alike. */
  factor(): boolean
  /** x ← A⁻¹ b with the last factor, and exact rows at the rates `asked`; false where x is not finite. */
  solve(x: Vec, b: Vec): boolean
  /** The same for x[0 … count − 1]. */
  solveColumns(x: readonly Vec[], b: readonly Vec[], count: number): boolean
  /** size[o] ← bᵀ A⁻¹ b, which takes half of a solve; `finish` makes the other half, x ← A⁻¹ b. */
  measure(size: Vec, o: number, b: Vec): void
  finish(x: Vec): void
  /** Takes over what later factors depend on besides the tree from x[o …], and puts it there; all 0 at the start. */
  load(x: Vec, o: number): void
  save(x: Vec, o: number): void
}

/** plans that are kept: rows of forces that come and go, as of motors that reach their limits, then find theirs again */
const KEPT = 4

/** `choices`: the ways to take the mechanism apart that are tried. */
export function createElimination(tree: CoupledTree, choices: readonly PlanChoice[] = CHOICES): Elimination {
  const { model: m, terms } = tree
  const rows = terms.stiffness.length
  const exact = { asked: new Float64Array(rows), pulled: new Float64Array(rows), spare: new Uint8Array(rows), alike: new Float64Array(1) }
  // the last ones first
  const kept: { readonly safe: boolean; readonly factor: Factor }[] = []
  let factored: Factor | undefined
  // whether a factorisation has failed that the safest plan made good; it would fail again
  let safe = false

  /** That of the rows as they are: the same whatever rows there were before. */
  const current = (): Factor => {
    for (let k = 0; k < kept.length; k++) {
      if (kept[k].safe !== safe || !matchRows(kept[k].factor.coupling, tree)) continue
      const found = kept[k]
      for (let j = k; j > 0; j--) kept[j] = kept[j - 1]
      kept[0] = found
      return found.factor
    }
    const coupling = createCoupling(tree)
    const plan = choosePlan(m, coupling, safe ? [SAFE] : choices, terms.still >= 0)
    kept.unshift({ safe, factor: createFactor(tree, coupling, plan, exact) })
    if (kept.length > KEPT) kept.pop()
    return kept[0].factor
  }

  return {
    ...exact,
    plan: () => current().plan,

    factor() {
      factored = current()
      if (factorize(factored)) return true
      // bodies without mass may need their springs first, and the ground to hold on to
      const { eager, cut } = factored.plan.choice
      if (safe || terms.count > tree.rigid || (eager && !cut)) return false
      safe = true
      factored = current()
      return factorize(factored)
    },

    solve(x, b) {
      const f = factored ?? current()
      solveForward(f, b)
      solveBackward(f, x)
      return isFinite(x)
    },

    solveColumns(x, b, count) {
      const f = factored ?? current()
      for (let o = 0; o < count; o++) {
        solveForward(f, b[o])
        solveBackward(f, x[o])
      }
      for (let o = 0; o < count; o++) if (!isFinite(x[o])) return false
      return true
    },

    measure(size, o, b) {
      const f = factored ?? current()
      solveForward(f, b)
      sizeOfPivots(f, size, o)
    },
    finish(x) {
      solveBackward(factored ?? current(), x)
    },
    load(x, o) {
      safe = x[o] === 1
    },
    save(x, o) {
      x[o] = safe ? 1 : 0
    },
  }
}

function isFinite(x: Vec): boolean {
  for (let k = 0; k < x.length; k++) if (!(Math.abs(x[k]) < Number.POSITIVE_INFINITY)) return false
  return true
}
