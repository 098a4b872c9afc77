/**
 * Which linear solver: the one asked for, or the cheapest by prediction, checked against the iterations that were needed.
 *
 * Without a row across branches the recursion is exact. Otherwise the cost of the factorisation is known from its plan, and that of
 * conjugate gradients from the iterations they need. Both count the solves of a step: one, and one a constraint. While
 * the factorisation is in use, conjugate gradients are tried on the side at each review, for no longer than they could win. The
 * choice is looked at again every REVIEW steps, more often at first, when motion sets in and springs begin to pull, and changes only for
 * a gain of more than HYSTERESIS. Only counts decide, never the clock: the same run gives the same choices. The factorisation has no place for
 * bodies that deform: with these it is conjugate gradients where rows go across branches.
 */
import type { Rows } from '../../../constraints/rows/rows.js'
import { ELIMINATION_MEMORY } from '../../../elimination/elimination.js'
import { OPERATION, type Plan } from '../../../elimination/plan/plan.js'
import type { Vec } from '../../../math/types.js'
import type { State } from '../../../model/state.js'
import { forwardKinematics } from '../../../tree/kinematics.js'
import { createLoops, type Loops } from '../constraints/loops.js'
import { createDirect, createPcgSolver, createRecursive, type DirectSolver, type LinearSolver, type PcgSolver } from './linear-solvers.js'
import { isCoupled, linearizeForces, type System, weighTerms } from './system.js'

export interface Linear {
  /** the solver in use */
  readonly name: string
  readonly iterations: number
  /** what went wrong in the last solve */
  readonly trouble: string
  /** Makes the plan that the system as assembled will need. */
  planAhead(): void
  /** Chooses and prepares a solver for the system as assembled. */
  prepare(): boolean
  solve(x: Vec, b: Vec): boolean
  /** The same for x[0 … count − 1]. */
  solveColumns(x: readonly Vec[], b: readonly Vec[], count: number): boolean
  /** A way to take these equalities into the elimination; undefined where another solver than that was asked for. */
  loops(rows: Rows): Loops | undefined
  /** Loops for the next `prepare` to take into the factorisation, if one is made, with `alike` as of `Loops.prepare`; undefined: none. */
  attach(loops: Loops | undefined, alike: Vec): void
  /** whether they are: solutions then have them closed, with their forces in `Loops.forces` */
  readonly closed: boolean
  /** x ← the solution of the last `solve` without loops, which stay out until they are attached again. */
  open(x: Vec): boolean
  /** what `direct` would do where springs join bodies, and it is in use */
  plan(): Plan | undefined
  /** x ← A⁻¹ b once more with what is prepared, beside all counts; false where that would take iterations. */
  again(x: Vec, b: Vec): boolean
  /** size[o] ← bᵀ A⁻¹ b in half the time of `again`; the other half is `finish`. False where the solver in use has no halves. */
  measure(size: Vec, o: number, b: Vec): boolean
  finish(x: Vec): void
  /** Takes over what later choices depend on from x[o …], and puts it there: `LINEAR_MEMORY` numbers, all zero at the start. */
  load(x: Vec, o: number): void
  save(x: Vec, o: number): void
}

/** numbers that `load` and `save` hand over; a step keeps them in State.s, so that a restored run makes the same choices */
export const LINEAR_MEMORY = 6 + ELIMINATION_MEMORY
// their places: the solver in use, steps so far, means (iterations of a solve, solves of a step), solves of this step, to be probed, of `direct`
const IN_USE = 0
const STEPS = 1
const ITERATIONS = 2
const SOLVES = 3
const SOLVED = 4
const PROBING = 5
const OF_DIRECT = 6
// which solver is in use, as a number
const RECURSIVE = 0
const PCG = 1
const DIRECT_IN_USE = 2

// in place of `auto` where bodies deform: the recursion, or conjugate gradients
const ON_TREE = 'tree'

// steps between two looks at the choice, and the gain that is worth a change: looking costs a probe, changing to and fro a factorisation each
const REVIEW = 50
const HYSTERESIS = 1.1
// a running mean over about this many solves
const MEMORY = 20

/**
 * Nanoseconds that parts of the linear solvers take on the machine they were fitted on (chains, trees, bridges, umbrellas from 20 to 765
 * degrees of freedom; most within a fifth): `node scripts/linear-costs.mjs` fits them anew. Only ratios matter. The products of a plan are
 * weighed by their time among each other already, and so are its operations.
 */
const COST = {
  /** the recursion's factor, and a body in a solve with it */
  factor: { body: 88, velocity: 40 },
  recursion: 51,
  /** an iteration of conjugate gradients */
  iteration: { body: 75, velocity: 39, row: 19 },
  /** the sparse factorisation, and a solve with it */
  direct: { body: 15, row: 41, operation: 0.43 * OPERATION, product: 0.43 },
  back: { operation: 13, product: 0.7 },
}

/** Expected nanoseconds of a step: places in what `predict` writes. */
const ITERATIVE = 0
const SPARSE = 1
const ONE_ITERATION = 2
// in `verdict`
const LIMIT = 2

/** Reads counts of the plan (operations, flops, solveFlops), the means in `memory`. Writes costs. In arrays: a number handed over is boxed. */
function predict(out: Vec, s: System, counts: Vec, memory: Vec): void {
  const n = s.model.nbody - 1
  const rows = s.terms.count
  const iteration = n * COST.iteration.body + s.model.nv * COST.iteration.velocity + rows * COST.iteration.row
  const factor = n * COST.factor.body + s.model.nv * COST.factor.velocity
  const once = n * COST.direct.body + rows * COST.direct.row + counts[0] * COST.direct.operation + counts[1] * COST.direct.product
  out[ITERATIVE] = factor + memory[SOLVES] * (memory[ITERATIONS] + 1) * iteration
  out[SPARSE] = once + memory[SOLVES] * (counts[0] * COST.back.operation + counts[2] * COST.back.product)
  out[ONE_ITERATION] = iteration
}

function countPlan(out: Vec, { operations, flops, solveFlops }: Plan): void {
  out[0] = operations
  out[1] = flops
  out[2] = solveFlops
}

/** Expected nanoseconds of a step with so many solves, for people; `iterations` is the mean over the solves. Allocates. */
export function predictCosts(s: System, plan: Plan, solves: number, iterations: number) {
  const n = s.model.nbody - 1
  const out = new Float64Array(3)
  const counts = new Float64Array(3)
  const memory = new Float64Array(LINEAR_MEMORY)
  memory[SOLVES] = solves
  memory[ITERATIONS] = iterations
  countPlan(counts, plan)
  predict(out, s, counts, memory)
  return {
    recursive: n * COST.factor.body + s.model.nv * COST.factor.velocity + solves * n * COST.recursion,
    pcg: out[ITERATIVE],
    direct: out[SPARSE],
  }
}

/** Plans for springs as they are in this state: better while a run is set up than in its first frame. */
export function planAhead(linear: Linear, s: System, state: State): void {
  s.step[0] = 1
  forwardKinematics(s.model, s.data, state.q, state.v)
  linearizeForces(s, state)
  weighTerms(s)
  linear.planAhead()
}

/** `asked`: `auto`, or a solver by its name; not `direct` where bodies deform. */
export function createLinear(s: System, asked: string, tolerance: number): Linear {
  const wanted = asked === 'auto' && s.model.modes.count > 0 ? ON_TREE : asked
  const recursive = createRecursive(s)
  let pcg: PcgSolver | undefined
  let direct: DirectSolver | undefined
  let current: LinearSolver = recursive
  let trouble = ''
  const memory = new Float64Array(LINEAR_MEMORY)
  memory[SOLVES] = 1
  const counts = new Float64Array(3)
  let counted: Plan | undefined
  const costs = new Float64Array(3)
  // whether each would win, and the most iterations of a probe: whole numbers, which no tier of the compiler boxes
  const verdict = new Int32Array(3)
  const guess = new Float64Array(s.model.nv)
  let attached: Loops | undefined
  let alike: Vec = guess
  let closed = false
  // right-hand side of the last solve
  let given: Vec = guess
  // where the memory is loaded from and saved to, and the place of that in a state: mostly the same, and a view copies at once
  let outside: Vec = memory
  let holder: Vec = memory
  let place = 0

  const usePcg = (): PcgSolver => (pcg ??= createPcgSolver(s, tolerance))
  const useDirect = (): DirectSolver => (direct ??= createDirect(s))

  /** At every step, though only a review needs it: code that runs each fiftieth step would be interpreted for long, and box every product. */
  const weigh = (): void => {
    predict(costs, s, counts, memory)
    const gain = memory[STEPS] === 2 ? 1 : HYSTERESIS
    verdict[ITERATIVE] = costs[ITERATIVE] * gain < costs[SPARSE] ? 1 : 0
    verdict[SPARSE] = costs[SPARSE] * gain < costs[ITERATIVE] ? 1 : 0
    // not more than make the step as expensive as it is now
    verdict[LIMIT] = Math.ceil(costs[SPARSE] / (memory[SOLVES] * costs[ONE_ITERATION]))
  }

  const choose = (): LinearSolver => {
    if (wanted === 'pcg') return usePcg()
    if (wanted === 'direct') return useDirect()
    if (wanted === 'recursive') return recursive
    if (!isCoupled(s)) return recursive
    if (wanted === ON_TREE) return usePcg()
    if (current === recursive) memory[STEPS] = 0
    else memory[SOLVES] += (memory[SOLVED] - memory[SOLVES]) / (memory[STEPS] < 3 ? 1 : MEMORY)
    memory[SOLVED] = 0
    const step = memory[STEPS]++
    const review = step % REVIEW === 0 || step === 1 || step === 2 || step === 4 || step === 8 || step === 16 || step === 32
    if (review && counted !== useDirect().plan()) {
      counted = useDirect().plan()
      countPlan(counts, counted)
    }
    weigh()
    if (memory[STEPS] === 1) {
      memory[PROBING] = 1
      return useDirect()
    }
    if (!review) return current
    memory[PROBING] = current === direct ? 1 : 0
    if (current === direct) return verdict[ITERATIVE] === 1 ? usePcg() : useDirect()
    return verdict[SPARSE] === 1 ? useDirect() : current
  }

  /** How many iterations would this solve have taken? */
  const probe = (b: Vec): void => {
    memory[PROBING] = 0
    const limit = verdict[LIMIT]
    const other = usePcg()
    const found = other.prepare() && other.solve(guess, b, limit)
    memory[ITERATIONS] = found ? other.iterations : 2 * limit
  }

  const view = (x: Vec, o: number): Vec => {
    if (holder === x && place === o) return outside
    holder = x
    place = o
    outside = x.subarray(o, o + LINEAR_MEMORY)
    return outside
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
    planAhead() {
      if ((wanted === 'auto' || wanted === 'direct') && isCoupled(s)) useDirect().plan()
    },
    prepare() {
      trouble = ''
      if (wanted === 'recursive' && isCoupled(s)) {
        const others = s.model.modes.count > 0 ? 'pcg' : 'pcg, direct'
        trouble = `a spring or tendon joins two moving bodies, which 'recursive' cannot take up; use linear=${others} or auto`
        return false
      }
      current = choose()
      closed = attached !== undefined && current === direct && attached.prepare(alike)
      return closed || current.prepare() || fallBack()
    },
    solve(x, b) {
      memory[SOLVED]++
      given = b
      if (memory[PROBING] !== 0 && current === direct) {
        guess.set(x)
        probe(b)
      }
      if (closed && attached) {
        memory[SOLVED] += attached.count
        return attached.solveClosed(x, b, false) || linear.open(x)
      }
      if (current.solve(x, b)) {
        if (current === pcg) learn(current.iterations)
        return true
      }
      return fallBack() ? current.solve(x, b) : letThrough(x, b)
    },
    again(x, b) {
      if (closed && attached) return attached.solveClosed(x, b, true)
      return current !== pcg && current.solve(x, b)
    },
    measure(size, o, b) {
      if (closed || !current.measure) return false
      current.measure(size, o, b)
      return true
    },
    finish: (x) => current.finish?.(x),
    attach(loops, least) {
      attached = loops
      alike = least
    },
    get closed() {
      return closed
    },
    open(x) {
      closed = false
      attached = undefined
      return (current.prepare() || fallBack()) && current.solve(x, given)
    },
    plan: () => (wanted !== 'pcg' && current === direct && isCoupled(s) ? useDirect().plan() : undefined),
    solveColumns(x, b, count) {
      if (current.solveColumns?.(x, b, count)) {
        memory[SOLVED] += count
        return true
      }
      for (let r = 0; r < count; r++) if (!linear.solve(x[r], b[r])) return false
      return true
    },
    loops: (rows) => (wanted === 'auto' || wanted === 'direct' ? createLoops(s, rows) : undefined),
    load(x, o) {
      memory.set(view(x, o))
      current = memory[IN_USE] === RECURSIVE ? recursive : memory[IN_USE] === PCG ? usePcg() : useDirect()
      // a mean over no solve yet counts as one
      if (memory[SOLVES] === 0) memory[SOLVES] = 1
      if (direct || memory[OF_DIRECT] !== 0) useDirect().load(memory, OF_DIRECT)
    },
    save(x, o) {
      memory[IN_USE] = current === recursive ? RECURSIVE : current === pcg ? PCG : DIRECT_IN_USE
      direct?.save(memory, OF_DIRECT)
      view(x, o).set(memory)
    },
  }

  return linear

  /** Takes the iterations of a solve into their mean; where there is no choice no steps are counted, and nobody asks. */
  function learn(iterations: number): void {
    if (wanted === 'auto') memory[ITERATIONS] += (iterations - memory[ITERATIONS]) / Math.min(MEMORY, memory[STEPS])
  }

  /** Where bodies deform, there is no factorisation to pass on what is not a number, for the caller to find: x ← NaN where b is. False: b is one. */
  function letThrough(x: Vec, b: Vec): boolean {
    if (s.model.modes.count === 0) return false
    let found = false
    for (let k = 0; k < b.length; k++) {
      if (Math.abs(b[k]) < Number.POSITIVE_INFINITY) continue
      found = true
      x[k] = Number.NaN
    }
    if (found) trouble = ''
    return found
  }

  /** An indefinite preconditioner or too many iterations: the factorisation has neither, where there is one. */
  function fallBack(): boolean {
    if (current !== direct && wanted !== 'recursive' && s.model.modes.count === 0) {
      current = useDirect()
      if (current.prepare()) return true
    }
    trouble = 'the matrix of the step is not positive definite; check masses, and springs for negative or infinite stiffness'
    return false
  }
}
