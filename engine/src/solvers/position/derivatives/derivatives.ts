/**
 * Derivatives of one position-based step by the implicit function theorem.
 *
 * A step solves R(x; z) = 0 for the configurations x, given z: state, memory, joint forces, controls, parameters of the model. Then
 *   dx = −(∂R/∂x)⁻¹ (∂R/∂z) dz
 * with the matrix of the last Newton iteration: one solve, O(n) for order 2 and for large systems of the others. (∂R/∂z) dz is a central
 * difference of the residual along dz at fixed x, and so is what follows from x at the end of the step; the optimisation itself is never
 * differentiated. Directions of coordinates are velocities: q ⊕ ε dq.
 */
import { beginActivations, endActivations } from '../../../forces/activation.js'
import { findBadForce } from '../../../forces/bad-force.js'
import { difference, integrate } from '../../../joints/index.js'
import type { Vec } from '../../../math/types.js'
import { findBadInput } from '../../../model/bad-input.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import { checkControl, copyState, createState, type State } from '../../../model/state.js'
import { leftOut } from '../../left-out.js'
import { positionInfo } from '../info.js'
import { createMemoryAdjoint, type StepGradient } from './adjoint.js'
import { collocationSystem, eulerSystem, type StepSystem, transferUnknowns } from './step-systems.js'

/** A direction in what a step depends on, or its image at the end of the step. Parts left out are zero. */
export interface StepDirection {
  /** of the coordinates, as velocities (nv), and of the velocities (nv) */
  readonly q?: Vec
  readonly v?: Vec
  /** of the solver's memory; left out, it follows the state as at a start */
  readonly s?: Vec
  readonly tau?: Vec
  readonly control?: Vec
  readonly parameter?: StepParameter
}

/** The model with a parameter a little larger and a little smaller, and how far apart the two are. */
export interface StepParameter {
  readonly plus: Model
  readonly minus: Model
  readonly width: number
}

export interface StepImage {
  readonly q: Vec
  readonly v: Vec
  readonly s: Vec
}

export interface StepDerivatives {
  /** what changes the motion and neither the step nor its derivatives hold, one sentence each: contact, limits, loops, dry friction, activations */
  readonly leftOut: readonly string[]
  /** Makes the step from the state, which stays as it is; the derivatives are taken here. False where the step fails: `failure` says why. */
  step(state: State, h: number): boolean
  /** empty where the last `step` was made, else why it was not, and what to try; derivatives are then refused */
  readonly failure: string
  /** state at the end of the step */
  readonly end: State
  /** Where the end moves when what the step depends on moves in this direction. */
  along(direction: StepDirection): StepImage
  /**
   * The other way round: from the gradient of something with respect to the end to that with respect to what the step depends on. O(n) for
   * order 2 where every force is a gradient and no tendon is damped or driven; otherwise by all columns. The memory follows the state as at a
   * start, unless `carried`: then its gradient is in s, for the step before.
   */
  against(of: { readonly q?: Vec; readonly v?: Vec; readonly s?: Vec }, carried?: boolean): StepGradient
  /** The gradient with respect to a parameter, of what the last `against` was about. */
  againstParameter(parameter: StepParameter): number
  /** whether `against` is O(n) for the present step */
  readonly recursive: boolean
  /** Dense derivatives of (q, v) at the end with respect to (q, v) at a start: 2nv × 2nv, row-major. */
  withRespectToState(): Vec
  /** The same with respect to joint forces (2nv × nv), and to controls (2nv × nu). */
  withRespectToForces(): Vec
  withRespectToControls(): Vec
}

// differences over four points: their error is its fourth power times the fifth derivative, rounding its inverse times 1e-16/h²
const EPSILON = 1e-4
const OFFSETS = [2 * EPSILON, EPSILON, -EPSILON, -2 * EPSILON]
const WEIGHTS = [-1 / (12 * EPSILON), 8 / (12 * EPSILON), -8 / (12 * EPSILON), 1 / (12 * EPSILON)]
const MOST_CORRECTIONS = 40

/** Refuses models that the solver `position` refuses. */
export function createStepDerivatives(
  model: Model,
  order: '2' | '3' | '4' | '5' | 'radau',
  forces: readonly Force[] = [],
): StepDerivatives {
  const { nv, nu } = model
  const refusal = positionInfo.refuses(model)
  if (refusal !== null) throw new RangeError(`createStepDerivatives cannot run model '${model.name}': ${refusal}`)
  let failure = 'no step was made yet'
  const make = (m: Model): StepSystem => (order === '2' ? eulerSystem(m, forces) : collocationSystem(m, order, forces))
  const system = make(model)
  const begin = createState(model)
  const end = createState(model)
  const moved = createState(model)
  const image = createState(model)
  const step = new Float64Array(nv)
  const n = system.unknowns
  const dx = new Float64Array(n)
  const rhs = new Float64Array(n)
  const fix = new Float64Array(n)
  const r = new Float64Array(n)
  let h = 0

  /** Corrections of dx with products by central differences: the matrix of large or forced systems is good to 1e-6, or less with armature. */
  const refine = (): void => {
    let before = Number.POSITIVE_INFINITY
    for (let turn = 0; turn < MOST_CORRECTIONS; turn++) {
      let size = 0
      for (let k = 0; k < n; k++) size = Math.max(size, Math.abs(dx[k]))
      if (!(size > 0)) return
      fix.set(rhs)
      for (let point = 0; point < 4; point++) {
        system.move(dx, OFFSETS[point] / size)
        system.residual(r)
        for (let k = 0; k < n; k++) fix[k] -= size * WEIGHTS[point] * r[k]
      }
      system.move(undefined, 0)
      system.linearSolve(fix)
      let change = 0
      for (let k = 0; k < n; k++) change = Math.max(change, Math.abs(fix[k]))
      // rounding is reached where corrections no longer shrink
      if (!(change < 0.9 * before)) return
      for (let k = 0; k < n; k++) dx[k] += fix[k]
      if (change < 1e-11 * size) return
      before = change
    }
  }

  /** moved ← begin displaced by ε along the direction. */
  const displace = (direction: StepDirection, e: number): void => {
    copyState(moved, begin)
    if (direction.q) integrate(model, moved.q, direction.q, e)
    if (direction.v) for (let k = 0; k < nv; k++) moved.v[k] += e * direction.v[k]
    if (direction.tau) for (let k = 0; k < nv; k++) moved.tau[k] += e * direction.tau[k]
    if (direction.control) for (let k = 0; k < nu; k++) moved.control[k] += e * direction.control[k]
    if (direction.s) for (let k = 0; k < moved.s.length; k++) moved.s[k] += e * direction.s[k]
    else if (direction.q || direction.v) system.init(moved)
  }

  const blank = (): StepImage => ({ q: new Float64Array(nv), v: new Float64Array(nv), s: new Float64Array(begin.s.length) })

  /** out += weight · the end that `one` finds from where it stands, as seen from the end of the step. */
  const addEnd = (out: StepImage, one: StepSystem, weight: number): void => {
    copyState(image, moved)
    one.finish(image)
    difference(model, step, end.q, image.q)
    for (let k = 0; k < nv; k++) {
      out.q[k] += weight * step[k]
      out.v[k] += weight * image.v[k]
    }
    for (let k = 0; k < out.s.length; k++) out.s[k] += weight * image.s[k]
  }

  const checkStep = (): void => {
    if (failure !== '') throw new Error(`step derivatives: there are none, for ${failure}`)
  }

  const along = (direction: StepDirection): StepImage => {
    checkStep()
    // a system for each point: the parameter's models, or this one
    const { parameter } = direction
    const sides = parameter ? [make(parameter.plus), make(parameter.minus)] : [system, system, system, system]
    const offsets = parameter ? [0.5 * parameter.width, -0.5 * parameter.width] : OFFSETS
    const weights = parameter ? [1 / parameter.width, -1 / parameter.width] : WEIGHTS
    const begun = (point: number): StepSystem => {
      const one = sides[point]
      displace(direction, offsets[point])
      if (parameter && !direction.s) one.init(moved)
      one.load(moved, h)
      return one
    }
    rhs.fill(0)
    for (let point = 0; point < sides.length; point++) {
      const one = begun(point)
      if (parameter) copyUnknowns(one)
      one.move(undefined, 0)
      one.residual(r)
      for (let k = 0; k < n; k++) rhs[k] -= weights[point] * r[k]
    }
    dx.set(rhs)
    system.load(begin, h)
    system.move(undefined, 0)
    system.factor()
    system.linearSolve(dx)
    refine()
    const out = blank()
    for (let point = 0; point < sides.length; point++) {
      const one = begun(point)
      one.move(dx, offsets[point])
      addEnd(out, one, weights[point])
    }
    return out
  }

  /** Another model's system takes over the configurations of this one. */
  const copyUnknowns = (one: StepSystem): void => {
    system.load(begin, h)
    system.move(undefined, 0)
    transferUnknowns(one, system)
    one.keep()
  }

  const foldMemory = createMemoryAdjoint(model)
  let last: { q?: Vec; v?: Vec; s?: Vec } = {}
  let lastCarried = false
  let mu: Vec | undefined

  const against = (of: { q?: Vec; v?: Vec; s?: Vec }, carried = false): StepGradient => {
    checkStep()
    last = of
    lastCarried = carried
    const ns = begin.s.length
    const out = {
      q: new Float64Array(nv),
      v: new Float64Array(nv),
      s: new Float64Array(ns),
      tau: new Float64Array(nv),
      control: new Float64Array(nu),
    }
    system.load(begin, h)
    system.move(undefined, 0)
    mu = undefined
    if (!system.adjoint?.holds()) {
      byColumns(of, carried, out)
      return out
    }
    mu = system.adjoint.mu
    system.adjoint.apply(begin, end, of, out, (x) => {
      for (let k = 0; k < n; k++) {
        rhs[k] = x[k]
        dx[k] = x[k]
      }
      system.factor()
      system.linearSolve(dx)
      refine()
      x.set(dx)
      system.move(undefined, 0)
    })
    if (!carried) {
      foldMemory(begin, out)
      out.s.fill(0)
    }
    return out
  }

  const paired = (of: { q?: Vec; v?: Vec; s?: Vec }, image: StepImage): number => {
    let sum = 0
    if (of.q) for (let k = 0; k < nv; k++) sum += of.q[k] * image.q[k]
    if (of.v) for (let k = 0; k < nv; k++) sum += of.v[k] * image.v[k]
    if (of.s) for (let k = 0; k < image.s.length; k++) sum += of.s[k] * image.s[k]
    return sum
  }

  /** One direction after the other. */
  const byColumns = (of: { q?: Vec; v?: Vec; s?: Vec }, carried: boolean, out: StepGradient): void => {
    // a memory that is given does not follow
    const fixed = carried ? { s: new Float64Array(begin.s.length) } : {}
    for (let k = 0; k < nv; k++) {
      out.q[k] = paired(of, along({ q: unit(nv, k), ...fixed }))
      out.v[k] = paired(of, along({ v: unit(nv, k), ...fixed }))
      out.tau[k] = paired(of, along({ tau: unit(nv, k) }))
    }
    for (let k = 0; k < nu; k++) out.control[k] = paired(of, along({ control: unit(nu, k) }))
    if (carried) for (let k = 0; k < out.s.length; k++) out.s[k] = paired(of, along({ s: unit(out.s.length, k) }))
  }

  const againstParameter = (parameter: StepParameter): number => {
    checkStep()
    if (!mu) return paired(last, along({ parameter, ...(lastCarried ? { s: new Float64Array(begin.s.length) } : {}) }))
    const out = blank()
    let sum = 0
    for (const [one, weight] of [
      [make(parameter.plus), 1 / parameter.width],
      [make(parameter.minus), -1 / parameter.width],
    ] as const) {
      copyState(moved, begin)
      if (!lastCarried) one.init(moved)
      copyUnknowns(one)
      one.load(moved, h)
      one.move(undefined, 0)
      one.residual(r)
      for (let k = 0; k < n; k++) sum -= weight * mu[k] * r[k]
      addEnd(out, one, weight)
    }
    return sum + paired(last, out)
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

  const makeStep = (state: State, size: number): string => {
    if (!(size > 0 && size < Number.POSITIVE_INFINITY)) return `step of ${size} s: expected a positive, finite step`
    checkControl(model, state.control)
    const bad = findBadInput(model, state)
    if (bad !== undefined) return bad.message
    h = size
    copyState(begin, state)
    if (begin.s.length === 0) system.init(begin)
    beginActivations(begin, h)
    system.load(begin, h)
    const why = system.solve(begin)
    if (why !== '') {
      const force = findBadForce(model, forces, begin, h)
      return `the step of ${h} s at t = ${begin.t.toPrecision(6)} s: ${force === '' ? why : `force '${force}' is not a number; check what it divides by`}`
    }
    system.keep()
    system.move(undefined, 0)
    copyState(end, begin)
    system.finish(end)
    endActivations(model, end)
    return ''
  }

  return {
    end,
    leftOut: leftOutOfDerivatives(model),
    get failure() {
      return failure
    },
    step(state, size) {
      failure = makeStep(state, size)
      return failure === ''
    },
    along,
    against,
    againstParameter,
    get recursive() {
      return system.adjoint?.holds() ?? false
    },
    withRespectToState: () => columns(2 * nv, (k) => (k < nv ? { q: unit(nv, k) } : { v: unit(nv, k - nv) })),
    withRespectToForces: () => columns(nv, (k) => ({ tau: unit(nv, k) })),
    withRespectToControls: () => columns(nu, (k) => ({ control: unit(nu, k) })),
  }
}

function leftOutOfDerivatives(model: Model): string[] {
  const name = 'step derivatives'
  const list = leftOut(model, { name }, {}, 'take differences of redmax steps')
  const { na } = model
  if (na > 0)
    list.push(
      `activations of ${na === 1 ? '1 actuator' : `${na} actuators`}: ${name} follow them in the step, but are not taken with respect to state.act, nor of it; take differences for these`,
    )
  return list
}
