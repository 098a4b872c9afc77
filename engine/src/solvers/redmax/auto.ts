/**
 * Which linear solver: the one asked for, or the cheapest by prediction, checked against the iterations that were needed.
 *
 * Without a row across branches the recursion is exact. Otherwise the cost of the factorisation is known from its plan, and that of
 * conjugate gradients from the iterations they need (note 10 section 9). Both count the solves of a step: one, and one a constraint. While
 * the factorisation is in use, conjugate gradients are tried on the side at each review, for no longer than they could win. The
 * choice is looked at again every REVIEW steps and changes only for a gain of more than HYSTERESIS. Only counts
 * decide, never the clock: the same run gives the same choices.
 */
import type { Vec } from '../../math/types.js'
import type { HandlePlan } from './handle-plan.js'
import { createDirect, createPcgSolver, createRecursive, type DirectSolver, type LinearSolver, type PcgSolver } from './linear-solvers.js'
import { isCoupled, type System } from './system.js'

export interface Linear {
  /** the solver in use */
  readonly name: string
  readonly iterations: number
  /** what went wrong in the last solve */
  readonly trouble: string
  /** Chooses and prepares a solver for the system as assembled. */
  prepare(): boolean
  solve(x: Vec, b: Vec): boolean
  /** The same for x[0 … count − 1]. */
  solveColumns(x: readonly Vec[], b: readonly Vec[], count: number): boolean
  /** x ← A⁻¹ b once more with what is prepared, beside all counts; false where that would take iterations. */
  again(x: Vec, b: Vec): boolean
  /** Takes over what later choices depend on from x[o …], and puts it there: `LINEAR_MEMORY` numbers, all zero at the start. */
  load(x: Vec, o: number): void
  save(x: Vec, o: number): void
}

/** numbers that `load` and `save` hand over; a step keeps them in State.s, so that a restored run makes the same choices */
export const LINEAR_MEMORY = 6
// which solver is in use, as a number
const RECURSIVE = 0
const PCG = 1
const DIRECT_IN_USE = 2

const REVIEW = 50
const HYSTERESIS = 1.1
// a running mean over about this many solves
const MEMORY = 20

// nanoseconds on the machine they were fitted on (29 scenes from 21 to 3,000 degrees of freedom, within a fifth); only ratios matter
const FACTOR = { body: 59, velocity: 110 }
const ITERATION = { body: 155, velocity: 25, row: 88 }
const RECURSION = 88
const DIRECT = { body: 122, row: 122, operation: 99, product: 1.1 }
const BACK = { operation: 29, product: 2.4 }

/** Expected nanoseconds of a step with so many solves. */
export function recursiveCost(s: System, solves: number): number {
  const n = s.model.nbody - 1
  return n * FACTOR.body + s.model.nv * FACTOR.velocity + solves * n * RECURSION
}

/** `iterations` is the mean over the solves. */
export function pcgCost(s: System, solves: number, iterations: number): number {
  const n = s.model.nbody - 1
  return n * FACTOR.body + s.model.nv * FACTOR.velocity + solves * (iterations + 1) * iterationCost(s)
}

function iterationCost(s: System): number {
  return (s.model.nbody - 1) * ITERATION.body + s.model.nv * ITERATION.velocity + s.terms.count * ITERATION.row
}

export function directCost(s: System, plan: HandlePlan, solves: number): number {
  const { operations, flops, solveFlops } = plan
  const once = (s.model.nbody - 1) * DIRECT.body + s.terms.count * DIRECT.row + operations * DIRECT.operation + flops * DIRECT.product
  return once + solves * (operations * BACK.operation + solveFlops * BACK.product)
}

export function createLinear(s: System, wanted: string, tolerance: number): Linear {
  const recursive = createRecursive(s)
  let pcg: PcgSolver | undefined
  let direct: DirectSolver | undefined
  let current: LinearSolver = recursive
  let trouble = ''
  let steps = 0
  // means: iterations of a solve, solves of a step
  let iterations = 0
  let solves = 1
  let solved = 0
  let probing = false
  const guess = new Float64Array(s.model.nv)

  const usePcg = (): PcgSolver => (pcg ??= createPcgSolver(s, tolerance))
  const useDirect = (): DirectSolver => (direct ??= createDirect(s))

  const choose = (): LinearSolver => {
    if (wanted === 'pcg') return usePcg()
    if (wanted === 'direct') return useDirect()
    if (wanted === 'recursive') return recursive
    if (!isCoupled(s)) return recursive
    if (current === recursive) steps = 0
    else solves += (solved - solves) / (steps < 3 ? 1 : MEMORY)
    solved = 0
    const review = steps === 1 || steps % REVIEW === 0
    steps++
    if (steps === 1) {
      probing = true
      return useDirect()
    }
    if (!review) return current
    probing = current === direct
    const iterative = pcgCost(s, solves, iterations)
    const sparse = directCost(s, useDirect().plan(), solves)
    const gain = steps === 2 ? 1 : HYSTERESIS
    if (current === direct) return iterative * gain < sparse ? usePcg() : useDirect()
    return sparse * gain < iterative ? useDirect() : current
  }

  /** How many iterations would this solve have taken? Not more than make the step as expensive as it is now. */
  const probe = (b: Vec): void => {
    probing = false
    const limit = Math.ceil(directCost(s, useDirect().plan(), solves) / (solves * iterationCost(s)))
    const other = usePcg()
    const found = other.prepare() && other.solve(guess, b, limit)
    iterations = found ? other.iterations : 2 * limit
  }

  const linear: Linear = {
    get name() {
      return current.name
    },
    get iterations() {
      return current.iterations
    },
    get trouble() {
      return trouble
    },
    prepare() {
      trouble = ''
      if (wanted === 'recursive' && isCoupled(s)) {
        trouble = "a spring or tendon joins two moving bodies, which 'recursive' cannot take up; use linear=pcg, direct or auto"
        return false
      }
      current = choose()
      return current.prepare() || fallBack()
    },
    solve(x, b) {
      solved++
      if (probing && current === direct) {
        guess.set(x)
        probe(b)
      }
      if (current.solve(x, b)) {
        if (current === pcg) iterations += (current.iterations - iterations) / MEMORY
        return true
      }
      return fallBack() && current.solve(x, b)
    },
    again: (x, b) => current !== pcg && current.solve(x, b),
    solveColumns(x, b, count) {
      if (current.solveColumns?.(x, b, count)) {
        solved += count
        return true
      }
      for (let r = 0; r < count; r++) if (!linear.solve(x[r], b[r])) return false
      return true
    },
    load(x, o) {
      current = x[o] === RECURSIVE ? recursive : x[o] === PCG ? usePcg() : useDirect()
      steps = x[o + 1]
      iterations = x[o + 2]
      // a mean over no solve yet counts as one
      solves = x[o + 3] === 0 ? 1 : x[o + 3]
      solved = x[o + 4]
      probing = x[o + 5] !== 0
    },
    save(x, o) {
      x[o] = current === recursive ? RECURSIVE : current === pcg ? PCG : DIRECT_IN_USE
      x[o + 1] = steps
      x[o + 2] = iterations
      x[o + 3] = solves
      x[o + 4] = solved
      x[o + 5] = probing ? 1 : 0
    },
  }

  return linear

  /** An indefinite preconditioner or too many iterations: the factorisation has neither. */
  function fallBack(): boolean {
    if (current !== direct && wanted !== 'recursive') {
      current = useDirect()
      if (current.prepare()) return true
    }
    trouble = 'the matrix of the step is not positive definite; check masses, and springs for negative or infinite stiffness'
    return false
  }
}
