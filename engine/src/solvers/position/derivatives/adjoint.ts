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
import { dot6 } from '../../../math/dot6.js'
import type { Vec } from '../../../math/types.js'
import { createData, type Data, dataSize, deliver, given } from '../../../model/data.js'
import { ACTUATOR_JOINT, type Model } from '../../../model/model.js'
import type { State } from '../../../model/state.js'
import { roomFor, takeAll } from '../../../model/work-space.js'
import { factorImplicit, solveImplicit } from '../../../tree/implicit-factor.js'
import { jacobianProduct, sumForces } from '../../../tree/jacobian.js'
import { forwardKinematics } from '../../../tree/kinematics.js'
import type { Term } from '../energy/step-problem.js'
import type { EulerSystem } from '../euler/euler-stepper.js'
import { createNewtonWork, type NewtonWork, newtonRoom } from '../euler/newton-factor.js'
import { addDifference, slotsOf, turnPose } from './adjoint-sums.js'

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

const layout = ({ nbody, nv }: Model) => ({
  ...{ mu: nv, w: nv, x: nv, rbar: nv, phi: 6 * nbody, psi: 6 * nbody, F: 6 * nbody, G: 6 * nbody },
  ...{ V: 12 * nbody, Vbar: 12 * nbody, T0bar: 12 * nbody, W0: 12 * nbody },
})

/** Numbers that the adjoint takes in the memory of a problem's data. */
export const adjointRoom = (m: Model): number => roomFor(layout(m)) + dataSize(m) / 8

/** out += what Σ F · φ changes by along the coordinates, φ = J u at fixed u, in `twists`; F becomes its sums over subtrees. */
function addTwistTranspose(d: Data, work: NewtonWork, u: Vec, twists: Vec, F: Vec, out: Vec): void {
  const to = given(d, d.z, out)
  work.kernels.addTwistTranspose(d.tree, d.poses, work.table, given(d, d.x, u), twists.byteOffset, F.byteOffset, to)
  deliver(d, d.z, out)
}

export function createEulerAdjoint(m: Model, system: EulerSystem): EulerAdjoint {
  const { z, v0 } = system
  const { p, terms } = z
  const { nv, nbody } = m
  const n = 12 * nbody
  const local = terms.filter((term) => term.lag === 'local')
  const wide = terms.filter((term) => term.lag === 'wide')
  const known = wide.every((term) => term.startGradient !== undefined)
  const d0 = createData(m, { beside: p.d })
  const { mu, w, x, rbar, phi, psi, F, G, V, Vbar, T0bar, W0 } = takeAll(p.d, layout(m))
  const { kernels } = z.work
  const { tree } = p.d
  const [atPhi, atPsi, atF, atG, moments] = [phi, psi, F, G, z.moments].map((view) => view.byteOffset)
  const slots = slotsOf(m)

  /** Adds the gradient along coordinates, at the poses of d, of Σ ⟨T [φ], A⟩ + twist part F · φ, φ = J u. */
  const back = (d: Data, u: Vec, A: Vec | undefined, Ftwist: Vec, twists: Vec, out: Vec): void => {
    if (A) {
      kernels.turnsOf(tree, d.X_WB.byteOffset, A.byteOffset, twists.byteOffset, atG)
      sumForces(m, d, out, G)
    }
    addTwistTranspose(d, z.work, u, twists, Ftwist, out)
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
      V.set(end.s.subarray(0, n))
      kernels.weighRates(tree, V.byteOffset, moments, VM.byteOffset)
      kernels.wrenchesOf(tree, d.X_WB.byteOffset, VM.byteOffset, atF)
      kernels.subtractMomenta(tree, atPsi, atF)
      back(d, w, VM, F, phi, x)
      F.fill(0)
      kernels.subtractMomenta(tree, atPhi, atF)
      back(d, end.v, undefined, F, psi, x)
      kernels.addTwists(tree, d.X_WB.byteOffset, atPhi, moments, Vbar.byteOffset)
      for (let k = 0; k < nv; k++) rbar[k] += m.armature[k] * w[k]
    }

    // V = (T − T₀)/h, rates = (q ⊖ q₀)/h
    for (let k = 12; k < n; k++) Vbar[k] /= h
    kernels.wrenchesOf(tree, d.X_WB.byteOffset, Vbar.byteOffset, atG)
    sumForces(m, d, x, G)
    for (let k = 12; k < n; k++) T0bar[k] -= Vbar[k]
    for (let k = 0; k < nv; k++) rbar[k] /= h
    addDifference(m, slots, rbar, p.q0, trial.q, true, x)
    addDifference(m, slots, rbar, p.q0, trial.q, false, out.q)

    solve(x)
    mu.set(x)
    jacobianProduct(m, d, phi, mu)
    forwardKinematics(m, d0, begin.q, begin.v)

    // inertia: T̈ = (T − T₀ − h V₀)/h²
    Vbar.fill(0)
    kernels.addTwists(tree, d.X_WB.byteOffset, atPhi, moments, Vbar.byteOffset)
    for (let k = 12; k < n; k++) {
      out.s[k] = Vbar[k] / h
      T0bar[k] += out.s[k] / h
    }
    kernels.wrenchesOf(tree, d0.X_WB.byteOffset, T0bar.byteOffset, atG)
    W0.fill(0)
    for (const term of wide) term.startGradient?.(phi, d0, W0)
    kernels.subtractGradient(tree, W0.byteOffset, atG)
    F.fill(0)
    if (local.length > 0) localLags(begin, out)
    sumForces(m, d0, out.q, G)
    // velocities of bodies that a medium takes note of
    G.set(F)
    addTwistTranspose(d0, z.work, begin.v, d0.V, F, out.q)
    sumForces(m, d0, out.v, G)
    out.tau.set(mu)
    controls(out.control)
  }

  /** −μᵀ ∂R/∂z of the local terms: G (poses at the start), F (velocities of bodies), out.q and out.s (coordinates and their rates). */
  const localLags = (begin: State, out: StepGradient): void => {
    const { d, q0, X0, W, joint } = p
    const trialX = d.X_WB.slice()
    const startX = X0.slice()
    const V0 = d0.V.slice()
    const kept = q0.slice()
    const [plusW, plusJoint] = [new Float64Array(n), new Float64Array(nv)]
    const evaluateLocal = (): void => {
      d.X_WB.set(X0)
      d.V.set(V0)
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
      psi.fill(0)
      kernels.subtractGradient(tree, W.byteOffset, atPsi)
      for (let i = 1; i < nbody; i++) wrench[6 * i + c] += dot6(psi, 6 * i, phi, 6 * i)
    }
    for (let c = 0; c < 6; c++) {
      change((e) => {
        X0.set(startX)
        for (let i = 1; i < nbody; i++) turnPose(X0, 12 * i, c, e)
      })
      X0.set(startX)
      along(G, c)
      change((e) => {
        V0.set(d0.V)
        for (let i = 1; i < nbody; i++) V0[6 * i + c] += e
      })
      V0.set(d0.V)
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
  m.nu === 0 || (m.na === 0 && terms.some((term) => term.name === 'motors' && term.lag === 'local'))

/** Adds to q̄ and v̄ what the memory of a start is made of: V = T [φ] and the rates, at the state. */
export function createMemoryAdjoint(m: Model): (state: State, out: StepGradient) => void {
  const n = 12 * m.nbody
  const lengths = { F: 6 * m.nbody, G: 6 * m.nbody, Vbar: n }
  const d = createData(m, { numbers: roomFor(lengths) + newtonRoom(m) })
  const work = createNewtonWork(m, d)
  const { F, G, Vbar } = takeAll(d, lengths)
  return (state, out) => {
    forwardKinematics(m, d, state.q, state.v)
    Vbar.set(out.s.subarray(0, n))
    work.kernels.turnsOf(d.tree, d.X_WB.byteOffset, Vbar.byteOffset, d.V.byteOffset, G.byteOffset)
    sumForces(m, d, out.q, G)
    work.kernels.wrenchesOf(d.tree, d.X_WB.byteOffset, Vbar.byteOffset, F.byteOffset)
    G.set(F)
    addTwistTranspose(d, work, state.v, d.V, F, out.q)
    sumForces(m, d, out.v, G)
    for (let k = 0; k < m.nv; k++) out.v[k] += out.s[n + k]
  }
}
