/**
 * Many loops at once: equalities as rows inside the elimination of `direct`, with forces of their own (`elimination/factor/exact-rows`), instead of a column
 * Y = A⁻¹ Gᵀ and a row of D = G Y for each.
 *
 *   A x − Gᵀ λ = b,   G x = c
 *
 * Where loops follow each other along a mechanism (lifts, ladders, nets) the work grows with their number, not with its cube. Rows that depend on
 * others are left out where that is beyond doubt; where it is not, or where the rows left out contradict the others, `prepare` or `solve`
 * says no, and the step goes over D, which tells and names them.
 */
import type { Rows } from '../../../constraints/rows/rows.js'
import type { PlanChoice } from '../../../elimination/plan/graph.js'
import { OPERATION, type Plan } from '../../../elimination/plan/plan.js'
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import type { StiffTerms } from '../../../model/stiff-terms.js'
import { jacobianProduct, jacobianTransposeProduct } from '../../../tree/jacobian.js'
import { createDirect } from '../matrix/direct.js'
import { applySystem, type System } from '../matrix/system.js'

export interface Loops {
  /** how many rows there are */
  readonly count: number
  /**
   * Whether the rows inside the elimination are expected to take less time than over D, with so many unilateral rows besides. `plan`: of the
   * factorisation that need not be made then.
   */
  pays(unilateral: number, plan?: Plan): boolean
  /** Plans for the rows and springs as they are, where `pays` may ask: at the start, so that a run does not depend on when it first asks. */
  planAhead(): void
  /** Factors the system as assembled with the rows as updated; false where some are too near to others, sin² of the angle below alike[0]. */
  prepare(alike: Vec): boolean
  /** x += A⁻¹ (b + Gᵀ δ), λ += δ, such that G x changes by c; false where that cannot be. */
  solve(x: Vec, lambda: Vec, b: Vec, c: Vec): boolean
  /** x ← A⁻¹ (b + Gᵀ λ) with G x = 0, and λ in `forces`; `roughly`: as the factor gives it */
  solveClosed(x: Vec, b: Vec, roughly: boolean): boolean
  readonly forces: Vec
  /** x ← the way that changes the rows of the last `prepare` by c, to first order */
  step(x: Vec, c: Vec): void
  /** x[k] ← A⁻¹ (b[k] + Gᵀ δ) with G x[k] = 0 */
  solveColumns(x: readonly Vec[], b: readonly Vec[], count: number): boolean
  /** out ← G x, at the kinematics of data */
  rates(out: Vec, x: Vec): void
  /** b += Gᵀ λ, likewise */
  addForces(b: Vec, lambda: Vec): void
  /** Rows that said nothing new in the last `prepare`. Allocates. */
  spare(): number[]
  /** the symbolic structure, for people */
  plan(): Plan
}

/** Ways to take the mechanism apart; all but the last let forces go early. */
const CHOICES: readonly PlanChoice[] = [
  { eager: true, cut: false, order: 'level' },
  { eager: true, cut: false, order: 'degree' },
  { eager: false, cut: false, order: 'degree' },
  { eager: false, cut: false, order: 'nested' },
]

// fewer rows are not worth a plan, nor is less time over D than any factorisation takes, nanoseconds a body; the least gain by a plan
const FEW = 12
const LEAST_TIME = 1500
const GAIN = 1.3
// of the largest term of a row's rate: rows that miss more call for another round, in the end for the way over D; m/s or rad/s: what rows left out may miss
const bounds = Float64Array.of(1e-10, 1e-7)
const EXACT = 0
const SOUND = 1
const SLOW = 1e-3
const ROUNDS = 3
// solves of a step, and nanoseconds a body of what else there is to do
const SOLVES = 2
const OTHER_WORK = 400
// over D, nanoseconds: a body in a column of the recursion, a product in D and in its factor; share of a solve when four columns go together
const OVER = { body: 88, matrix: 0.3, factor: 0.17, four: 0.55 }
const solveTime = ({ operations, solveFlops }: Plan): number => 25 * operations + 2 * solveFlops

export function createLoops(s: System, rows: Rows): Loops {
  const { model: m, data: d } = s
  const { nv, nbody } = m
  const n = rows.count
  const terms = createTerms(s, rows)
  const own: System = { ...s, terms, weight: new Float64Array(terms.stiffness.length) }
  const direct = createDirect(own, CHOICES)
  const weigh = createMobility(m)
  const y = new Float64Array(6 * nbody)
  const F = new Float64Array(6 * nbody)
  const none = new Float64Array(nv)
  // of a solve: right-hand side, solution, the part of it found last; of rows: root of the weight, what they still miss, forces
  const [left, total, part, product] = Array.from({ length: 4 }, () => new Float64Array(nv))
  const root = new Float64Array(n)
  const missing = new Float64Array(n)
  const still = new Float64Array(n)
  const unused = new Float64Array(n)
  const forces = new Float64Array(n)
  // largest of the terms of rates since it was set to 0
  const largest = new Float64Array(1)
  // expected nanoseconds: of a factorisation and the solves of a step, of a column
  const costs = new Float64Array(2)
  let planned = false

  /** How long the rows in the elimination are expected to take. */
  const estimate = (): void => {
    planned = true
    copyRows(own, s, rows)
    const { operations, flops } = direct.plan()
    costs[1] = solveTime(direct.plan())
    costs[0] = flops + OPERATION * operations + SOLVES * costs[1] + OTHER_WORK * nbody
  }

  /** x, and forces in direct.pulled, for the right-hand side b and the rates c. */
  const solveOnce = (x: Vec, b: Vec, c: Vec): boolean => {
    const { asked } = direct
    for (let r = 0; r < n; r++) asked[own.rigid + r] = root[r] * c[r]
    return direct.solve(x, b)
  }

  /** Writes what is `missing`, c − G x; whether the rows are met to bounds[k], those left out only as well as they can be. */
  const meets = (x: Vec, c: Vec, k: number): boolean => {
    largest[0] = 0
    loops.rates(missing, x)
    const bound = bounds[k]
    const most = largest[0]
    let met = true
    for (let r = 0; r < n; r++) {
      missing[r] = c[r] - missing[r]
      const least = direct.spare[own.rigid + r] === 1 ? Math.max(SLOW, bound * most) : bound * most
      if (!(Math.abs(missing[r]) <= least)) met = false
    }
    return met
  }

  const loops: Loops = {
    count: n,
    forces,
    pays(unilateral, plan) {
      const all = n + unilateral
      let over = OVER.matrix * all * all * nv + OVER.factor * n * n * n
      if (plan) over += plan.flops + OPERATION * plan.operations + (1 + OVER.four * all) * solveTime(plan)
      else over += OVER.body * all * nbody
      if (!plan && (n < FEW || over < LEAST_TIME * nbody)) return false
      if (!planned) estimate()
      return GAIN * (costs[0] + unilateral * costs[1]) < over
    },
    planAhead() {
      // fewer rows ask only where a spring may join bodies
      if (n >= FEW || s.terms.stiffness.length > 0) estimate()
    },
    prepare(alike) {
      copyRows(own, s, rows)
      for (let r = 0; r < n; r++) weigh(own.weight, own.rigid + r, terms)
      for (let r = 0; r < n; r++) root[r] = Math.sqrt(own.weight[own.rigid + r])
      direct.alike[0] = alike[0]
      return direct.prepare()
    },
    solve(x, lambda, b, c) {
      left.set(b)
      missing.set(c)
      total.fill(0)
      let met = false
      for (let round = 0; round < ROUNDS && !met; round++) {
        if (round > 0) {
          applySystem(s, left, total)
          for (let k = 0; k < nv; k++) left[k] = b[k] - left[k]
          loops.addForces(left, forces)
        }
        if (!solveOnce(part, left, missing)) return false
        for (let r = 0; r < n; r++) forces[r] = (round > 0 ? forces[r] : 0) - root[r] * direct.pulled[own.rigid + r]
        for (let k = 0; k < nv; k++) total[k] += part[k]
        met = meets(total, c, EXACT)
      }
      if (!met && !meets(total, c, SOUND)) return false
      for (let k = 0; k < nv; k++) x[k] += total[k]
      for (let r = 0; r < n; r++) lambda[r] += forces[r]
      return true
    },
    solveClosed(x, b, roughly) {
      if (roughly) return solveOnce(x, b, still)
      x.fill(0)
      unused.fill(0)
      return loops.solve(x, unused, b, still)
    },
    step(x, c) {
      solveOnce(x, none, c)
    },
    solveColumns(x, b, count) {
      for (let r = 0; r < n; r++) direct.asked[own.rigid + r] = 0
      return direct.solveColumns?.(x, b, count) ?? false
    },
    rates(out, x) {
      jacobianProduct(m, d, y, x)
      const { bodyStart, body, J, dofStart, dof, coefficient } = rows
      for (let r = 0; r < n; r++) {
        let sum = 0
        for (let e = bodyStart[r]; e < bodyStart[r + 1]; e++) {
          let own = 0
          for (let k = 0; k < 6; k++) own += J[6 * e + k] * y[6 * body[e] + k]
          sum += own
          largest[0] = Math.max(largest[0], Math.abs(own))
        }
        for (let e = dofStart[r]; e < dofStart[r + 1]; e++) {
          const own = coefficient[e] * x[dof[e]]
          sum += own
          largest[0] = Math.max(largest[0], Math.abs(own))
        }
        out[r] = sum
      }
    },
    addForces(b, lambda) {
      const { bodyStart, body, J, dofStart, dof, coefficient } = rows
      F.fill(0)
      for (let r = 0; r < n; r++) {
        const force = lambda[r]
        if (force === 0) continue
        for (let e = bodyStart[r]; e < bodyStart[r + 1]; e++) for (let k = 0; k < 6; k++) F[6 * body[e] + k] += force * J[6 * e + k]
        for (let e = dofStart[r]; e < dofStart[r + 1]; e++) b[dof[e]] += force * coefficient[e]
      }
      jacobianTransposeProduct(m, d, product, F)
      for (let k = 0; k < nv; k++) b[k] += product[k]
    },
    spare: () => Array.from({ length: n }, (_, r) => r).filter((r) => direct.spare[own.rigid + r] === 1),
    plan: () => direct.plan(),
  }
  return loops
}

/** Writes the terms of `own`: rows of the system as they are, then the loops. */
function copyRows(own: System, s: System, rows: Rows): void {
  const { terms } = own
  const base = s.terms
  own.rigid = base.count
  let e = base.start[base.count]
  for (let r = 0; r <= base.count; r++) terms.start[r] = base.start[r]
  for (let k = 0; k < e; k++) terms.body[k] = base.body[k]
  for (let k = 0; k < 6 * e; k++) terms.J[k] = base.J[k]
  for (let r = 0; r < base.count; r++) own.weight[r] = s.weight[r]
  for (let r = 0; r < rows.count; r++) {
    for (let k = rows.bodyStart[r]; k < rows.bodyStart[r + 1]; k++) {
      if (rows.body[k] === 0) continue
      terms.body[e] = rows.body[k]
      for (let i = 0; i < 6; i++) terms.J[6 * e + i] = rows.J[6 * k + i]
      e++
    }
    for (let k = rows.dofStart[r]; k < rows.dofStart[r + 1]; k++) {
      terms.body[e] = -1 - rows.dof[k]
      for (let i = 1; i < 6; i++) terms.J[6 * e + i] = 0
      terms.J[6 * e] = rows.coefficient[k]
      e++
    }
    terms.start[base.count + r + 1] = e
  }
  terms.count = base.count + rows.count
}

/** Room for the rows of the system and of the loops. */
function createTerms({ terms }: System, rows: Rows): StiffTerms {
  const count = terms.stiffness.length + rows.count
  const entries = terms.body.length + rows.body.length + rows.dof.length
  return {
    jointStiffness: terms.jointStiffness,
    jointDamping: terms.jointDamping,
    bodyDamping: terms.bodyDamping,
    modeStiffness: terms.modeStiffness,
    modeDamping: terms.modeDamping,
    still: terms.still,
    count: 0,
    start: new Int32Array(count + 1),
    body: new Int32Array(entries),
    J: new Float64Array(6 * entries),
    stiffness: new Float64Array(count),
    damping: new Float64Array(count),
  }
}

/** out[r] ← 1 over how far a force along row r moves it, were its bodies free: a size to compare with. */
function createMobility(m: Model): (out: Vec, r: number, terms: StiffTerms) => void {
  const { nbody, inertia } = m
  const mass = new Float64Array(nbody)
  const turning = new Float64Array(nbody)
  let total = 0
  for (let i = 1; i < nbody; i++) total += inertia[10 * i]
  for (let i = 1; i < nbody; i++) {
    const o = 10 * i
    // frames without mass move with what they carry
    mass[i] = inertia[o] > 0 ? inertia[o] : total / nbody
    turning[i] = (inertia[o + 4] + inertia[o + 7] + inertia[o + 9]) / 3
    if (!(turning[i] > 0)) turning[i] = mass[i] * 0.01
  }
  return (out, r, { start, body, J }) => {
    let sum = 0
    for (let e = start[r]; e < start[r + 1]; e++) {
      const i = body[e]
      const o = 6 * e
      if (i < 0) {
        sum += J[o] * J[o]
        continue
      }
      sum += (J[o + 3] * J[o + 3] + J[o + 4] * J[o + 4] + J[o + 5] * J[o + 5]) / mass[i]
      sum += (J[o] * J[o] + J[o + 1] * J[o + 1] + J[o + 2] * J[o + 2]) / turning[i]
    }
    out[r] = sum > 0 ? 1 / sum : 1
  }
}
