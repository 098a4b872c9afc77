/**
 * Which linear solver: the one asked for, or the cheapest by prediction, checked against the iterations that were needed.
 *
 * Without a row across branches the recursion is exact. Otherwise the cost of a sparse factorisation is known from its symbolic
 * analysis, and that of conjugate gradients from the iterations of the last steps:
 *   C_pcg = n c_factor + I (n c_solve + m c_row),  C_direct = factorisation + solve          (note 10 section 9)
 * The choice is looked at again every REVIEW solves and changes only for a gain of more than HYSTERESIS.
 */
import type { Vec } from '../../math/types.js'
import { createDirect, createPcgSolver, createRecursive, type LinearSolver } from './linear-solvers.js'
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
}

// nanoseconds, measured on chains and trees of 100 to 3,000 bodies: factor, and one product with solve, a body; a row
const FACTOR = 450
const ITERATION = 480
const ROW = 60
const REVIEW = 50
const HYSTERESIS = 1.3
// before anything was measured
const FIRST_GUESS = 8

export function createLinear(s: System, wanted: string, tolerance: number): Linear {
  const recursive = createRecursive(s)
  let pcg: LinearSolver | undefined
  let direct: ReturnType<typeof createDirect> | undefined
  let current: LinearSolver = recursive
  let mean = FIRST_GUESS
  let solves = 0
  let trouble = ''

  const usePcg = (): LinearSolver => (pcg ??= createPcgSolver(s, tolerance))
  const useDirect = (): NonNullable<typeof direct> => (direct ??= createDirect(s))

  const choose = (): LinearSolver => {
    if (wanted === 'pcg') return usePcg()
    if (wanted === 'direct') return useDirect()
    if (wanted === 'recursive') return recursive
    if (!isCoupled(s)) return recursive
    if (current !== recursive && solves % REVIEW !== 0) return current
    const n = s.model.nbody
    const iterative = n * FACTOR + (mean + 1) * (n * ITERATION + s.terms.count * ROW)
    const sparse = useDirect().cost()
    if (current === direct) return iterative * HYSTERESIS < sparse ? usePcg() : useDirect()
    if (current === pcg && pcg) return sparse * HYSTERESIS < iterative ? useDirect() : pcg
    return sparse < iterative ? useDirect() : usePcg()
  }

  return {
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
      solves++
      return current.prepare() || fallBack()
    },
    solve(x, b) {
      if (current.solve(x, b)) {
        if (current === pcg) mean += 0.2 * (current.iterations - mean)
        return true
      }
      return fallBack() && current.solve(x, b)
    },
  }

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
