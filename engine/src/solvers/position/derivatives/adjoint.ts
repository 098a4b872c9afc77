/**
 * The adjoint of one step of order 2 in O(n): from the gradient of something with respect to the end of a step to its gradient with respect to
 * the start, the memory, joint forces and controls.
 *
 * The step solves R(x; z) = 0 and ends at y(x, z). With ȳ given, μ = (∂R/∂x)⁻¹ (∂y/∂x)ᵀ ȳ, for the matrix is symmetric where forces are
 * gradients, and z̄ = (∂y/∂z)ᵀ ȳ − (∂R/∂z)ᵀ μ. Everything is done by bodies: a motion gives every body a twist φ = J u, and
 *   ⟨T [φ], A⟩ = φ · F,  F = (axial(P3); p) of P = Rᵀ A;   along T → T exp[ξ] it changes by  ξ_ω · axial(P (ω̂ u)ᵀ)
 *   along q_k behind joint k, φ changes by φ' × S_k, φ' being what comes before joint k
 * What lags by itself (drag, contact, dampers, armature, joint motors) is a difference along all bodies or joints at once, for each of at most
 * twelve directions, because each body sees its own start only.
 */
import { integrate } from '../../../joints/index.js'
import { dot6 } from '../../../math/spatial.js'
import type { Vec } from '../../../math/types.js'
import { createData, type Data } from '../../../model/data.js'
import { ACTUATOR_JOINT, type Model } from '../../../model/model.js'
import type { State } from '../../../model/state.js'
import { factorImplicit, solveImplicit } from '../../../tree/implicit-factor.js'
import { jacobianProduct } from '../../../tree/jacobian.js'
import { forwardKinematics } from '../../../tree/kinematics.js'
import type { Term } from '../energy/step-problem.js'
import type { EulerSystem } from '../euler/euler-stepper.js'
import {
  addAxial,
  addAxialOf,
  addDifference,
  addRate,
  addTranspose,
  addTurn,
  addTwistTranspose,
  slotsOf,
  subtractInertia,
  timesMoments,
  turnPose,
} from './adjoint-sums.js'

/** Gradient with respect to coordinates (along velocities), velocities, memory, joint forces, controls. */
export interface StepGradient {
  readonly q: Vec
  readonly v: Vec
  readonly s: Vec
  readonly tau: Vec
  readonly control: Vec
}

export interface EulerAdjoint {
  /** whether the O(n) way holds: every force a gradient, every lag known */
  holds(): boolean
  /** Reads the state at the start and the end, the step evaluated in the system. `solve` is x ← (∂R/∂x)⁻¹ x. */
  apply(begin: State, end: State, of: { q?: Vec; v?: Vec; s?: Vec }, out: StepGradient, solve: (x: Vec) => void): void
  /** μ of the last `apply` */
  readonly mu: Vec
}

const EPSILON = 1e-5
const MOST_DOFS = 6
const six = new Float64Array(6)

export function createEulerAdjoint(m: Model, system: EulerSystem): EulerAdjoint {
  const { z, v0 } = system
  const { p, terms } = z
  const { nv, nbody } = m
  const n = 12 * nbody
  const local = terms.filter((term) => term.lag === 'local')
  const wide = terms.filter((term) => term.lag === 'wide')
  const known = wide.every((term) => term.startGradient !== undefined)
  const d0 = createData(m)
  const mu = new Float64Array(nv)
  const w = new Float64Array(nv)
  const x = new Float64Array(nv)
  const phi = new Float64Array(6 * nbody)
  const psi = new Float64Array(6 * nbody)
  const F = new Float64Array(6 * nbody)
  const G = new Float64Array(6 * nbody)
  const Vbar = new Float64Array(n)
  const T0bar = new Float64Array(n)
  const W0 = new Float64Array(n)
  const rbar = new Float64Array(nv)
  const slots = slotsOf(m)

  /** Adds the gradient along coordinates, at the poses of d, of Σ ⟨T [φ], A⟩ + twist part F · φ, φ = J u. */
  const back = (d: Data, u: Vec, A: Vec | undefined, Ftwist: Vec, twists: Vec, out: Vec): void => {
    G.fill(0)
    if (A) for (let i = 1; i < nbody; i++) addTurn(G, 6 * i, d.X_WB, A, 12 * i, twists, 6 * i)
    addTranspose(m, d, G, out)
    addTwistTranspose(m, d, u, twists, Ftwist, z.work.exponential, out)
  }

  const apply: EulerAdjoint['apply'] = (begin, end, of, out, solve) => {
    const { d, trial, h: size } = p
    const h = size[0]
    out.q.fill(0)
    out.v.fill(0)
    out.s.fill(0)
    x.fill(0)
    Vbar.fill(0)
    rbar.fill(0)
    T0bar.fill(0)
    if (of.q) x.set(of.q)
    if (of.s) {
      for (let k = 0; k < n; k++) Vbar[k] = k < 12 ? 0 : of.s[k]
      for (let k = 0; k < nv; k++) rbar[k] = of.s[n + k]
    }
    if (of.v) {
      // v = M⁻¹ b: of w · (b − M v) with w = M⁻¹ v̄
      factorImplicit(m, d, z.factor, undefined, undefined)
      w.set(of.v)
      solveImplicit(m, z.factor, w, 0, w, 0)
      jacobianProduct(m, d, phi, w)
      jacobianProduct(m, d, psi, end.v)
      // b: ⟨T [φ_w], V Mt⟩
      const VM = W0
      for (let i = 1; i < nbody; i++) timesMoments(VM, 12 * i, end.s, 12 * i, z.moments, 10 * i)
      F.fill(0)
      for (let i = 1; i < nbody; i++) {
        addAxial(F, 6 * i, d.X_WB, VM, 12 * i, 1)
        subtractInertia(F, 6 * i, m.inertia, 10 * i, psi, 6 * i)
      }
      back(d, w, VM, F, phi, x)
      F.fill(0)
      for (let i = 1; i < nbody; i++) subtractInertia(F, 6 * i, m.inertia, 10 * i, phi, 6 * i)
      back(d, end.v, undefined, F, psi, x)
      for (let i = 1; i < nbody; i++) addRate(Vbar, 12 * i, d.X_WB, phi, 6 * i, z.moments, 10 * i, 1)
      for (let k = 0; k < nv; k++) rbar[k] += m.armature[k] * w[k]
    }

    // V = (T − T₀)/h, rates = (q ⊖ q₀)/h
    G.fill(0)
    for (let i = 1; i < nbody; i++) addAxial(G, 6 * i, d.X_WB, Vbar, 12 * i, 1 / h)
    addTranspose(m, d, G, x)
    for (let k = 12; k < n; k++) T0bar[k] -= Vbar[k] / h
    for (let k = 0; k < nv; k++) rbar[k] /= h
    addDifference(m, slots, rbar, p.q0, trial.q, true, x)
    addDifference(m, slots, rbar, p.q0, trial.q, false, out.q)

    solve(x)
    mu.set(x)
    jacobianProduct(m, d, phi, mu)
    forwardKinematics(m, d0, begin.q, begin.v)

    // inertia: T̈ = (T − T₀ − h V₀)/h²
    Vbar.fill(0)
    for (let i = 1; i < nbody; i++) addRate(Vbar, 12 * i, d.X_WB, phi, 6 * i, z.moments, 10 * i, 1 / h)
    for (let k = 12; k < n; k++) {
      T0bar[k] += Vbar[k] / h
      out.s[k] = Vbar[k]
    }
    G.fill(0)
    for (let i = 1; i < nbody; i++) addAxial(G, 6 * i, d0.X_WB, T0bar, 12 * i, 1)
    W0.fill(0)
    for (const term of wide) term.startGradient?.(p, phi, d0, W0)
    for (let i = 1; i < nbody; i++) addAxialOf(G, 6 * i, W0, 12 * i, -1)
    F.fill(0)
    if (local.length > 0) localLags(begin, out)
    addTranspose(m, d0, G, out.q)
    // velocities of bodies that a medium takes note of
    addTwistTranspose(m, d0, begin.v, d0.V, F, z.work.exponential, out.q)
    addTranspose(m, d0, F, out.v)
    out.tau.set(mu)
    controls(out.control)
  }

  /** −μᵀ ∂R/∂z of the local terms: G (poses at the start), F (velocities of bodies), out.q and out.s (coordinates and their rates). */
  const localLags = (begin: State, out: StepGradient): void => {
    const { d, q0, X0, W, joint } = p
    const trialX = d.X_WB.slice()
    const startX = X0.slice()
    const V = d0.V.slice()
    const kept = q0.slice()
    const [plusW, plusJoint] = [new Float64Array(n), new Float64Array(nv)]
    const evaluateLocal = (): void => {
      d.X_WB.set(X0)
      d.V.set(V)
      for (const term of local) term.begin?.(p)
      d.X_WB.set(trialX)
      W.fill(0)
      joint.fill(0)
      for (const term of local) term.add(p)
    }
    const change = (vary: (e: number) => void): void => {
      vary(EPSILON)
      evaluateLocal()
      plusW.set(W)
      plusJoint.set(joint)
      vary(-EPSILON)
      evaluateLocal()
      for (let k = 0; k < n; k++) W[k] = (plusW[k] - W[k]) / (2 * EPSILON)
      for (let k = 0; k < nv; k++) joint[k] = (plusJoint[k] - joint[k]) / (2 * EPSILON)
    }
    const along = (wrench: Vec, c: number): void => {
      for (let i = 1; i < nbody; i++) {
        six.fill(0)
        addAxialOf(six, 0, W, 12 * i, 1)
        wrench[6 * i + c] -= dot6(six, 0, phi, 6 * i)
      }
    }
    for (let c = 0; c < 6; c++) {
      change((e) => {
        X0.set(startX)
        for (let i = 1; i < nbody; i++) turnPose(X0, 12 * i, c, e)
      })
      X0.set(startX)
      along(G, c)
      change((e) => {
        V.set(d0.V)
        for (let i = 1; i < nbody; i++) V[6 * i + c] += e
      })
      V.set(d0.V)
      along(F, c)
    }
    const rates = begin.s
    for (let c = 0; c < MOST_DOFS; c++) {
      // the c-th velocity of every joint at once
      let some = false
      x.fill(0)
      for (let k = 0; k < nv; k++) if (slots.at[k] === c) x[k] = 1
      for (let k = 0; k < nv; k++) some ||= x[k] !== 0
      if (!some) break
      change((e) => {
        q0.set(kept)
        integrate(m, q0, x, e)
      })
      q0.set(kept)
      gather(out.q, 0, c)
      change((e) => {
        for (let k = 0; k < nv; k++) v0[k] = rates[n + k] + e * x[k]
      })
      for (let k = 0; k < nv; k++) v0[k] = rates[n + k]
      gather(out.s, n, c)
    }
    evaluateLocal()
  }
  /** out of the c-th velocity of every joint −= what the joint's own residual changes by, along μ. */
  const gather = (out: Vec, o: number, c: number): void => {
    for (let k = 0; k < nv; k++) if (slots.count[k] > c) out[o + slots.first[k] + c] -= mu[k] * p.joint[k]
  }

  /** Controls of motors that have lengths: −μᵀ ∂R/∂u is the rate of the length times ∂force/∂u. */
  const controls = (out: Vec): void => {
    out.fill(0)
    const { count, kind, target, gear, gain, bias, controlRange, forceRange } = m.actuators
    const h = p.h[0]
    for (let k = 0; k < count; k++) {
      if (kind[k] !== ACTUATOR_JOINT) continue
      const j = m.jointQ[target[k]]
      const u = p.trial.control[k]
      const l0 = gear[6 * k] * p.q0[j]
      const moved = gear[6 * k] * p.trial.q[j] - l0
      const force =
        gain[3 * k] * u +
        bias[3 * k] +
        (gain[3 * k + 1] * u + bias[3 * k + 1]) * (l0 + moved) +
        ((gain[3 * k + 2] * u + bias[3 * k + 2]) * moved) / h
      if (u < controlRange[2 * k] || u > controlRange[2 * k + 1] || force < forceRange[2 * k] || force > forceRange[2 * k + 1]) continue
      const slope = gain[3 * k] + gain[3 * k + 1] * (l0 + moved) + (gain[3 * k + 2] * moved) / h
      out[k] = gear[6 * k] * mu[m.jointV[target[k]]] * slope
    }
  }

  return { holds: () => known && z.conservative && motorsOnJoints(m, terms), apply, mu }
}

const motorsOnJoints = (m: Model, terms: readonly Term[]): boolean =>
  m.nu === 0 || terms.some((term) => term.name === 'motors' && term.lag === 'local')

/** Adds to q̄ and v̄ what the memory of a start is made of: V = T [φ] and the rates, at the state. */
export function foldMemory(m: Model, d: Data, state: State, exponential: Int32Array, out: StepGradient): void {
  const n = 12 * m.nbody
  forwardKinematics(m, d, state.q, state.v)
  const F = new Float64Array(6 * m.nbody)
  const G = new Float64Array(6 * m.nbody)
  for (let i = 1; i < m.nbody; i++) {
    addAxial(F, 6 * i, d.X_WB, out.s, 12 * i, 1)
    addTurn(G, 6 * i, d.X_WB, out.s, 12 * i, d.V, 6 * i)
  }
  addTranspose(m, d, G, out.q)
  addTwistTranspose(m, d, state.v, d.V, F, exponential, out.q)
  addTranspose(m, d, F, out.v)
  for (let k = 0; k < m.nv; k++) out.v[k] += out.s[n + k]
}
