/**
 * What `linear=auto` would choose for a model at its start, and why: the numbers of `auto`, for people.
 */
import { createRows, type Rows, updateRows } from '../../../constraints/rows/rows.js'
import type { Plan } from '../../../elimination/plan/plan.js'
import type { Model } from '../../../model/model.js'
import { createState } from '../../../model/state.js'
import { createLoops } from '../constraints/loops.js'
import { predictCosts } from './auto.js'
import { createDirect, createPcgSolver } from './linear-solvers.js'
import { assemble, createSystem, isCoupled, rightHandSide, type System } from './system.js'

export interface LinearChoice {
  readonly name: 'recursive' | 'pcg' | 'direct'
  readonly why: string
  /** rows of springs, tendons and other stiff terms at the start, and those that join moving bodies */
  readonly rows: number
  readonly joining: number
  /** solves a step: one, and one for each row of loops, couplings and motions that has a column */
  readonly solves: number
  /** rows of loops, couplings and motions: how many are inside the elimination, and how many have a solve of their own, a column; and why */
  readonly loops: { readonly inside: number; readonly columns: number; readonly why: string }
  /** of conjugate gradients, from rest */
  readonly iterations: number
  /**
   * predicted microseconds a step, all rows as columns, on the machine that the constants were fitted on; absent where a solver cannot be used, or
   * where bodies deform, of which the constants know nothing
   */
  readonly predicted: { readonly recursive?: number; readonly pcg?: number; readonly direct?: number }
  /**
   * how `direct` takes the mechanism apart: order, largest front, operations, products of a factorisation weighed by their time, numbers kept;
   * absent where it cannot be used
   */
  readonly plan?: {
    readonly order: string
    readonly widest: number
    readonly operations: number
    readonly products: number
    readonly kept: number
  }
}

const TOLERANCE = 1e-6

/** Builds everything anew: for information, not for a step. */
export function explainLinear(model: Model): LinearChoice {
  const s = createSystem(model)
  const state = createState(model)
  s.step[0] = model.timestep
  assemble(s, state)
  rightHandSide(s, state, state.v)
  const { terms } = s
  let joining = 0
  for (let r = 0; r < terms.count; r++) if (terms.start[r + 1] - terms.start[r] > 1) joining++
  const rows = createRows(model)
  updateRows(rows, model, s.data, state.q, Float64Array.of(state.t))

  const pcg = createPcgSolver(s, TOLERANCE)
  const found = pcg.prepare() && pcg.solve(new Float64Array(model.nv), s.b)
  const iterations = found ? Math.max(1, pcg.iterations) : Number.POSITIVE_INFINITY
  if (model.modes.count > 0) return { ...chooseOnTree(s, rows), rows: terms.count, joining, iterations }
  const plan = createDirect(s).plan()
  const costs = predictCosts(s, plan, 1 + rows.count, iterations)
  const micro = (nanoseconds: number): number => nanoseconds / 1000
  const predicted = {
    ...(isCoupled(s) ? {} : { recursive: micro(costs.recursive) }),
    pcg: micro(costs.pcg),
    direct: micro(costs.direct),
  }
  const { eager, cut, order } = plan.choice
  const choice = choose(isCoupled(s), predicted, iterations)
  const loops = explainLoops(s, rows, choice.name === 'direct' ? plan : undefined)
  return {
    ...choice,
    rows: terms.count,
    joining,
    solves: 1 + loops.columns,
    loops,
    iterations,
    predicted,
    plan: {
      order: `${order}${cut ? ', bases cut from the ground' : ''}${eager ? '' : ', springs by their forces'}`,
      widest: plan.widest,
      operations: plan.operations,
      products: Math.round(plan.flops),
      kept: plan.kept,
    },
  }
}

/** The same where bodies deform. */
function chooseOnTree(s: System, { count }: Rows): Pick<LinearChoice, 'name' | 'why' | 'solves' | 'loops' | 'predicted'> {
  const rest = 'which the factorisation has no place for'
  const why = count === 0 ? 'there are no loops, couplings or motions' : `bodies deform, ${rest}`
  const common = { solves: 1 + count, loops: { inside: 0, columns: count, why }, predicted: {} }
  if (isCoupled(s)) return { ...common, name: 'pcg', why: `springs or tendons join moving bodies, and bodies deform, ${rest}` }
  return { ...common, name: 'recursive', why: UNCOUPLED }
}

const UNCOUPLED = 'no spring or tendon joins two moving bodies, so that the recursion over the tree is exact'

/** Where equalities go in a step in which no limit and no contact is near; `plan`: of `direct`, if that is the solver. */
function explainLoops(s: System, rows: Rows, plan: Plan | undefined): LinearChoice['loops'] {
  const n = rows.count
  if (n === 0) return { inside: 0, columns: 0, why: 'there are no loops, couplings or motions' }
  const loops = createLoops(s, rows)
  if (!loops.pays(0, plan)) {
    return { inside: 0, columns: n, why: 'with so few a solve for each and a dense matrix take less time than a factorisation with them' }
  }
  const why = `fronts of at most ${loops.plan().widest}, predicted to take less time than a solve for each row and a dense matrix of ${n} × ${n}`
  return { inside: n, columns: 0, why }
}

function choose(
  coupled: boolean,
  { pcg, direct }: { pcg: number; direct: number },
  iterations: number,
): Pick<LinearChoice, 'name' | 'why'> {
  if (!coupled) return { name: 'recursive', why: UNCOUPLED }
  const ratio = (a: number, b: number): string => (a / b).toFixed(1)
  if (direct <= pcg) return { name: 'direct', why: `predicted ${ratio(pcg, direct)} times faster than pcg with ${iterations} iterations` }
  return { name: 'pcg', why: `${iterations} iterations, predicted ${ratio(direct, pcg)} times faster than the factorisation` }
}
