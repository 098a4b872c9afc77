/**
 * A step of order 2 and one of a higher order as one kind of system, R(x; z) = 0 with an end that follows: what derivatives need of either.
 */
import { integrate } from '../../../joints/index.js'
import type { Vec } from '../../../math/types.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import type { State } from '../../../model/state.js'
import { evaluateStages, prepare, solveJacobian } from '../collocation/collocation.js'
import { type CollocationSystem, createCollocationSystem } from '../collocation/collocation-stepper.js'
import { createEulerSystem, type EulerSystem, initMemory } from '../euler/euler-stepper.js'
import { evaluate, factorSecond, type MinimizeReport, minimize, solveSecond } from '../euler/minimize.js'
import { gradientPass } from '../euler/newton-factor.js'
import { adjointRoom, createEulerAdjoint, type EulerAdjoint } from './adjoint.js'

export interface StepSystem {
  readonly unknowns: number
  init(state: State): void
  load(state: State, h: number): void
  /** Empty where the step was found, else why not, and what to try. */
  solve(state: State): string
  keep(): void
  /** unknowns ← kept ⊕ s x, evaluated */
  move(x: Vec | undefined, s: number): void
  residual(out: Vec): void
  factor(): boolean
  linearSolve(x: Vec): void
  finish(state: State): void
  readonly adjoint: EulerAdjoint | undefined
}

const TOLERANCE = 1e-12
const MAX_ITERATIONS = 200

function whyNot({ status }: Readonly<MinimizeReport>): string {
  if (status === 'ok') return ''
  if (status === 'not-finite') return 'a force or an energy is not a number'
  return `the search did not converge in ${MAX_ITERATIONS} iterations; take a smaller step, less stiffness, or check the masses`
}

const configurations = new WeakMap<StepSystem, readonly Vec[]>()

/** Copies the present configurations of one system to another of a like model. */
export function transferUnknowns(to: StepSystem, from: StepSystem): void {
  const a = configurations.get(to) ?? []
  const b = configurations.get(from) ?? []
  for (let k = 0; k < a.length; k++) a[k].set(b[k])
}

export function eulerSystem(m: Model, forces: readonly Force[]): StepSystem {
  const one: EulerSystem = createEulerSystem(m, 'newton', forces, adjointRoom(m))
  const { z, found } = one
  const kept = new Float64Array(m.nq)
  const system: StepSystem = {
    unknowns: m.nv,
    init: (state) => initMemory(m, z.p.d, state),
    load: (state, h) => one.load(state, h),
    solve() {
      minimize(z, found, TOLERANCE, MAX_ITERATIONS)
      return whyNot(found)
    },
    keep: () => kept.set(z.p.trial.q),
    move(x, s) {
      z.p.trial.q.set(kept)
      if (x) integrate(m, z.p.trial.q, x, s)
      evaluate(z)
    },
    residual: (out) => gradientPass(m, z.p.d, z.work, z.p.W, z.p.joint, out),
    factor: () => factorSecond(z),
    linearSolve: (x) => solveSecond(z, x),
    finish: (state) => one.finish(state),
    adjoint: createEulerAdjoint(m, one),
  }
  configurations.set(system, [z.p.trial.q])
  return system
}

export function collocationSystem(m: Model, order: string, forces: readonly Force[]): StepSystem {
  const one: CollocationSystem = createCollocationSystem(m, order, forces)
  const { z } = one
  const kept = z.stages.map(() => new Float64Array(m.nq))
  const x0 = new Float64Array(m.nv)
  const system: StepSystem = {
    unknowns: z.n,
    init: (state) => one.init(state),
    load: (state, h) => one.load(state, h),
    solve(state) {
      if (!one.lower(state, TOLERANCE, MAX_ITERATIONS)) return whyNot(one.found)
      if (one.solve(state, TOLERANCE, MAX_ITERATIONS)) return ''
      if (one.found.status === 'not-finite') return whyNot(one.found)
      return `the equations of order ${order} have no solution near that of order 2; take a smaller step, or order 2`
    },
    keep() {
      for (let i = 0; i < kept.length; i++) kept[i].set(z.stages[i].state.q)
    },
    move(x, s) {
      for (let i = 0; i < kept.length; i++) {
        z.stages[i].state.q.set(kept[i])
        if (!x) continue
        for (let k = 0; k < m.nv; k++) x0[k] = x[i * m.nv + k]
        integrate(m, z.stages[i].state.q, x0, s)
      }
      evaluateStages(z)
    },
    residual: (out) => out.set(z.R),
    factor: () => prepare(z),
    linearSolve: (x) => solveJacobian(z, x),
    finish: (state) => one.finish(state),
    adjoint: undefined,
  }
  configurations.set(
    system,
    z.stages.map((stage) => stage.state.q),
  )
  return system
}
