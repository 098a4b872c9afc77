/**
 * Derivatives of one position-based step by the implicit function theorem.
 *
 * A step solves R(x; z) = 0 for the configurations x, given z: state, memory, joint forces, controls, parameters of the model. Then
 *   dx = −(∂R/∂x)⁻¹ (∂R/∂z) dz
 * with the matrix of the last Newton iteration: one solve, O(n) for order 2 and for large systems of the others. (∂R/∂z) dz is a central
 * difference of the residual along dz at fixed x, and so is what follows from x at the end of the step; the optimisation itself is never
 * differentiated. Directions of coordinates are velocities: q ⊕ ε dq.
 */
import { difference, integrate } from '../../joints/index.js'
import type { Vec } from '../../math/types.js'
import type { Model } from '../../model/model.js'
import { copyState, createState, type State } from '../../model/state.js'
import { evaluateStages, prepare, solveJacobian } from './collocation.js'
import { type CollocationSystem, createCollocationSystem } from './collocation-stepper.js'
import { createEulerSystem, type EulerSystem, initMemory } from './euler-stepper.js'
import { evaluate, factorSecond, minimize, solveSecond } from './minimize.js'
import { gradientPass } from './newton-factor.js'

/** A direction in what a step depends on, or its image at the end of the step. Parts left out are zero. */
export interface StepDirection {
  /** of the coordinates, as velocities (nv), and of the velocities (nv) */
  readonly q?: Vec
  readonly v?: Vec
  /** of the solver's memory; left out, it follows the state as at a start */
  readonly s?: Vec
  readonly tau?: Vec
  readonly control?: Vec
  /** the model with a parameter a little larger and a little smaller, and how far apart the two are */
  readonly parameter?: { readonly plus: Model; readonly minus: Model; readonly width: number }
}

export interface StepImage {
  readonly q: Vec
  readonly v: Vec
  readonly s: Vec
}

export interface StepDerivatives {
  /** Makes the step from the state, which stays as it is; the derivatives are taken here. False where the step fails. */
  step(state: State, h: number): boolean
  /** state at the end of the step */
  readonly end: State
  /** Where the end moves when what the step depends on moves in this direction. */
  along(direction: StepDirection): StepImage
  /** Dense derivatives of (q, v) at the end with respect to (q, v) at a start: 2nv × 2nv, row-major. */
  withRespectToState(): Vec
  /** The same with respect to joint forces (2nv × nv), and to controls (2nv × nu). */
  withRespectToForces(): Vec
  withRespectToControls(): Vec
}

// central differences of smooth functions: their error is the square of it, rounding its inverse times 1e-16
const EPSILON = 1e-5

/** What the two kinds of step have in common here. */
interface System {
  readonly unknowns: number
  init(state: State): void
  load(state: State, h: number): void
  solve(state: State): boolean
  keep(): void
  /** unknowns ← kept ⊕ s x, evaluated */
  move(x: Vec | undefined, s: number): void
  residual(out: Vec): void
  factor(): boolean
  linearSolve(x: Vec): void
  finish(state: State): void
}

export function createStepDerivatives(model: Model, order: '2' | '3' | '4' | '5' | 'radau', dense = false): StepDerivatives {
  const { nv, nu } = model
  const make = (m: Model): System => (order === '2' ? eulerSystem(m, dense) : collocationSystem(m, order, dense))
  const system = make(model)
  const begin = createState(model)
  const end = createState(model)
  const moved = createState(model)
  const images = [createState(model), createState(model)]
  const n = system.unknowns
  const dx = new Float64Array(n)
  const rhs = new Float64Array(n)
  const fix = new Float64Array(n)
  const r = [new Float64Array(n), new Float64Array(n)]
  let h = 0

  /** One correction of dx with a product by central differences: the matrix of large or forced systems is good to 1e-6 only. */
  const refine = (): void => {
    let size = 0
    for (let k = 0; k < n; k++) size = Math.max(size, Math.abs(dx[k]))
    if (!(size > 0)) return
    const e = EPSILON / size
    system.move(dx, e)
    system.residual(r[0])
    system.move(dx, -e)
    system.residual(r[1])
    for (let k = 0; k < n; k++) fix[k] = rhs[k] - (r[0][k] - r[1][k]) / (2 * e)
    system.move(undefined, 0)
    system.linearSolve(fix)
    for (let k = 0; k < n; k++) dx[k] += fix[k]
  }

  /** moved ← begin displaced by ε along the direction. */
  const displace = (direction: StepDirection, e: number): void => {
    copyState(moved, begin)
    if (direction.q) integrate(model, moved.q, direction.q, e)
    if (direction.v) for (let k = 0; k < nv; k++) moved.v[k] += e * direction.v[k]
    if (direction.tau) for (let k = 0; k < nv; k++) moved.tau[k] += e * direction.tau[k]
    if (direction.control) {
      if (moved.control.length === 0) moved.control = new Float64Array(nu)
      for (let k = 0; k < nu; k++) moved.control[k] += e * direction.control[k]
    }
    if (direction.s) for (let k = 0; k < moved.s.length; k++) moved.s[k] += e * direction.s[k]
    else if (direction.q || direction.v) system.init(moved)
  }

  const along = (direction: StepDirection): StepImage => {
    // a system for each side: the parameter's models, or this one
    const { parameter } = direction
    const sides = parameter ? [make(parameter.plus), make(parameter.minus)] : [system, system]
    const width = parameter ? parameter.width : 2 * EPSILON
    for (let side = 0; side < 2; side++) {
      const one = sides[side]
      displace(direction, side === 0 ? EPSILON : -EPSILON)
      one.load(moved, h)
      if (parameter) copyUnknowns(one)
      one.move(undefined, 0)
      one.residual(r[side])
    }
    for (let k = 0; k < n; k++) {
      rhs[k] = -(r[0][k] - r[1][k]) / width
      dx[k] = rhs[k]
    }
    system.load(begin, h)
    system.move(undefined, 0)
    system.factor()
    system.linearSolve(dx)
    refine()
    for (let side = 0; side < 2; side++) {
      const one = sides[side]
      const e = (side === 0 ? 0.5 : -0.5) * width
      displace(direction, side === 0 ? EPSILON : -EPSILON)
      one.load(moved, h)
      one.move(dx, e)
      copyState(images[side], moved)
      one.finish(images[side])
    }
    const out = { q: new Float64Array(nv), v: new Float64Array(nv), s: new Float64Array(begin.s.length) }
    difference(model, out.q, images[1].q, images[0].q)
    for (let k = 0; k < nv; k++) {
      out.q[k] /= width
      out.v[k] = (images[0].v[k] - images[1].v[k]) / width
    }
    for (let k = 0; k < out.s.length; k++) out.s[k] = (images[0].s[k] - images[1].s[k]) / width
    return out
  }

  /** Another model's system takes over the configurations of this one. */
  const copyUnknowns = (one: System): void => {
    system.load(begin, h)
    system.move(undefined, 0)
    transferUnknowns(one, system)
    one.keep()
  }

  const columns = (count: number, direction: (k: number) => StepDirection): Vec => {
    const out = new Float64Array(2 * nv * count)
    for (let c = 0; c < count; c++) {
      const { q, v } = along(direction(c))
      for (let k = 0; k < nv; k++) {
        out[k * count + c] = q[k]
        out[(nv + k) * count + c] = v[k]
      }
    }
    return out
  }
  const unit = (length: number, k: number): Vec => {
    const x = new Float64Array(length)
    x[k] = 1
    return x
  }

  return {
    end,
    step(state, size) {
      h = size
      if (!(h > 0 && h < Number.POSITIVE_INFINITY)) return false
      copyState(begin, state)
      if (begin.s.length === 0) system.init(begin)
      system.load(begin, h)
      if (!system.solve(begin)) return false
      system.keep()
      system.move(undefined, 0)
      copyState(end, begin)
      system.finish(end)
      return true
    },
    along,
    withRespectToState: () => columns(2 * nv, (k) => (k < nv ? { q: unit(nv, k) } : { v: unit(nv, k - nv) })),
    withRespectToForces: () => columns(nv, (k) => ({ tau: unit(nv, k) })),
    withRespectToControls: () => columns(nu, (k) => ({ control: unit(nu, k) })),
  }
}

const TOLERANCE = 1e-12
const MOST = 200

const configurations = new WeakMap<System, readonly Vec[]>()

/** Copies the present configurations of one system to another of a like model. */
function transferUnknowns(to: System, from: System): void {
  const a = configurations.get(to) ?? []
  const b = configurations.get(from) ?? []
  for (let k = 0; k < a.length; k++) a[k].set(b[k])
}

function eulerSystem(m: Model, dense: boolean): System {
  const one: EulerSystem = createEulerSystem(m, 'newton', dense)
  const { z, found } = one
  const kept = new Float64Array(m.nq)
  const system: System = {
    unknowns: m.nv,
    init: (state) => initMemory(m, z.p.d, state),
    load: (state, h) => one.load(state, h),
    solve() {
      minimize(z, found, TOLERANCE, MOST)
      return found.status === 'ok'
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
  }
  configurations.set(system, [z.p.trial.q])
  return system
}

function collocationSystem(m: Model, order: string, dense: boolean): System {
  const one: CollocationSystem = createCollocationSystem(m, order, dense)
  const { z } = one
  const kept = z.stages.map(() => new Float64Array(m.nq))
  const x0 = new Float64Array(m.nv)
  const system: System = {
    unknowns: z.n,
    init: (state) => one.init(state),
    load: (state, h) => one.load(state, h),
    solve(state) {
      return one.lower(state, TOLERANCE, MOST) && one.solve(state, TOLERANCE, MOST)
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
  }
  configurations.set(
    system,
    z.stages.map((stage) => stage.state.q),
  )
  return system
}
