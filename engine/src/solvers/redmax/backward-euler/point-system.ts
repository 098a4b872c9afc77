/**
 * The equations of a step that takes velocity products implicitly: backward Euler in the space of points.
 *
 * Unknown is the configuration q at the end of the step. T(q) are the transforms of the bodies, T₀ those at the start, Y where they would
 * be without forces (`free-motion`). With Mt = ∫ρ (x;1)(x;1)ᵀ the step is the root of
 *   R(q) = Jᵀ (T − Y) Mt / h² − Q(q, (q ⊖ q₀)/h)
 * which is the gradient of ½|T − Y|²/h² + U where all forces have an energy. There is no velocity product in it.
 * Newton's matrix is A/h² of thesis eq. 2.13 at q, with one more term: what turning a body costs because its subtree pulls at it. With
 *   W = (W3 | w)   the gradient of a body's transform in body axes,  Wt = W3 + Σ_children (R wt) pᵀ  over the subtree
 * that is K = sym(Wt) − tr(Wt) 1, positive for a link under tension. Its positive part is kept, as a stiffness of that body.
 * Without it a taut chain needs steps below the period of its transversal waves.
 */
import { difference } from '../../../joints/index.js'
import { clipSymmetric3 } from '../../../linalg/dense/clip-symmetric3.js'
import type { Vec } from '../../../math/types.js'
import { createData } from '../../../model/data.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import { createState, type State } from '../../../model/state.js'
import { jacobianProduct, jacobianTransposeProduct } from '../../../tree/jacobian.js'
import { updatePoses } from '../../../tree/kinematics.js'
import * as points from '../../../tree/point-inertia.js'
import { createMoments } from '../../../tree/point-moments.js'
import { addPulls } from '../constraints/row-forces.js'
import type { StepConstraints } from '../constraints/step-constraints.js'
import { createSystem, linearizeForces, type System, weighTerms } from '../matrix/system.js'
import { createFreeMotion, type FreeMotion, momenta } from './free-motion.js'
import { pullWrenches } from './point-inertia.js'
import { createTendonInertia, pullTendons, startTendons, type TendonInertia } from './tendon-inertia.js'

export interface PointSystem {
  /** A at the configuration on trial, and b = −h R(q) */
  readonly system: System
  /** the configuration on trial: q, v = (q ⊖ q₀)/h, time and control of the end of the step */
  readonly trial: State
  readonly q0: Vec
  readonly v0: Vec
  readonly X0: Vec
  readonly Y: Vec
  readonly W: Vec
  readonly moments: Vec
  /** share of its weight that each body feels: all of it, since compensation is a force of its own */
  readonly whole: Vec
  /** 1/h², and the energies of inertia and weight */
  readonly scale: Vec
  readonly sums: Vec
  readonly free: FreeMotion
  readonly clip: Vec
  /** armatures of tendons */
  readonly tendons: TendonInertia
  /** true: a force without an energy acts on bodies, not on joints alone */
  readonly pushed: boolean
  /** `KINETIC` energy of armatures, `POTENTIAL` energy, `INERTIAL` ½|T − Y|²/h², `WORK` of forces that have no energy */
  readonly E: Vec
}

/** places in E */
export const KINETIC = 0
export const POTENTIAL = 1
export const INERTIAL = 2
export const WORK = 3

export function createPointSystem(model: Model, forces: readonly Force[] = []): PointSystem {
  const n = 12 * model.nbody
  const data = createData(model, { forces })
  const system = createSystem(model, data)
  updatePoses(model, data, model.q0)
  return {
    system,
    trial: createState(model),
    q0: new Float64Array(model.nq),
    v0: new Float64Array(model.nv),
    X0: new Float64Array(n),
    Y: new Float64Array(n),
    W: new Float64Array(n),
    moments: createMoments(model),
    whole: new Float64Array(model.nbody).fill(1),
    scale: new Float64Array(1),
    sums: new Float64Array(2),
    free: createFreeMotion(model, data),
    clip: new Float64Array(6),
    tendons: createTendonInertia(model),
    pushed: system.forces.some((force) => force.energy === undefined && !force.jointsOnly),
    E: new Float64Array(4),
  }
}

/** Reads trial.q. Writes the kinematics and forces of data, W, the energies and system.b. */
export function evaluate(p: PointSystem): void {
  const { system: s, trial, W, E } = p
  const { model: m, data: d, F, b, h } = s
  const { nbody, nv } = m
  difference(m, trial.v, p.q0, trial.q)
  for (let k = 0; k < nv; k++) trial.v[k] /= h
  updatePoses(m, d, trial.q)
  jacobianProduct(m, d, d.V, trial.v)
  setInertia(p, p.Y)
  applyAll(p)
  d.evaluations++
  pullTendons(m, d, p.tendons, trial.q, s, E, KINETIC, INERTIAL)
  pullWrenches(nbody, d.f, W, F)
  jacobianTransposeProduct(m, d, b, F)
  const { armature } = m
  const { v, tau } = trial
  const { qf } = d
  const { v0 } = p
  let twice = 0
  for (let k = 0; k < nv; k++) {
    const a = armature[k]
    b[k] = h * (qf[k] + tau[k] - b[k]) - a * (v[k] - v0[k])
    twice += a * v[k] * v[k]
  }
  E[KINETIC] += 0.5 * twice
}

/** Reads the poses of data, and those without forces. Writes W, and all energies but `WORK`: that of armatures is 0 as yet. */
function setInertia({ system: s, moments, whole, scale, sums, W, E }: PointSystem, Y: Vec): void {
  const X = s.data.X_WB
  scale[0] = 1 / (s.h * s.h)
  points.inertialPass(s.model, moments, whole, X, X, Y, scale, W, sums)
  E[KINETIC] = 0
  E[POTENTIAL] = sums[points.POTENTIAL]
  E[INERTIAL] = sums[points.INERTIAL]
}

/** Reads the kinematics of data and v0, at the start of a run, and the rates of bodies then. Writes the energies, and rates of tendons. */
export function startEnergies(p: PointSystem, rates: Vec): void {
  const { system: s, v0, E } = p
  const { model: m, data: d } = s
  // any step: gravity's potential does not depend on it
  s.h = 1
  setInertia(p, d.X_WB)
  momenta(p.free, s.F, d.X_WB, rates, E, KINETIC)
  for (let k = 0; k < m.nv; k++) E[KINETIC] += 0.5 * m.armature[k] * v0[k] * v0[k]
  startTendons(m, d, p.tendons, v0, E, KINETIC)
  addPotential(p)
}

/** E[POTENTIAL] += that of every force but gravity, which comes with inertia. */
function addPotential(p: PointSystem): void {
  const { forces } = p.system
  for (let k = 0; k < forces.length; k++) if (!forces[k].inertial) addEnergyOf(p, forces[k])
}

function addEnergyOf({ system: s, trial, E }: PointSystem, force: Force): void {
  if (force.addEnergy) force.addEnergy(s.model, s.data, trial, E, POTENTIAL)
  else if (force.energy) E[POTENTIAL] += force.energy(s.model, s.data, trial)
}

/** Forces without an energy first, so that their work is known by itself. The others add theirs to E[POTENTIAL]. */
function applyAll(p: PointSystem): void {
  const { system: s, trial, E } = p
  const { model: m, data: d, forces, h } = s
  const { f, qf, V } = d
  const { v, tau } = trial
  f.fill(0)
  qf.fill(0)
  for (let k = 0; k < forces.length; k++) if (forces[k].energy === undefined) forces[k].apply(m, d, trial)
  let power = 0
  if (p.pushed) for (let k = 6; k < f.length; k++) power += f[k] * V[k]
  for (let k = 0; k < m.nv; k++) power += (qf[k] + tau[k]) * v[k]
  E[WORK] = h * power
  for (let k = 0; k < forces.length; k++) {
    const force = forces[k]
    if (force.energy === undefined) continue
    if (force.applyWithEnergy) {
      force.applyWithEnergy(m, d, trial, E, POTENTIAL)
      continue
    }
    force.apply(m, d, trial)
    if (!force.inertial) addEnergyOf(p, force)
  }
}

/** Whether the energies and the residual of the last evaluation are numbers. */
export function isFiniteResidual({ system: { model: m, b }, E }: PointSystem): boolean {
  let sum = E[POTENTIAL] + E[INERTIAL]
  for (let k = 0; k < m.nv; k++) sum += b[k]
  return Math.abs(sum) < Number.POSITIVE_INFINITY
}

/** First joint whose forces or residual are no numbers, −1 where there is none. */
export function brokenJoint({ system: { model: m, data: d, b } }: PointSystem): number {
  for (let j = 0; j < m.njoint; j++) {
    const { iv, nv } = m.joints[j]
    for (let k = iv; k < iv + nv; k++) if (!Number.isFinite(d.qf[k]) || !Number.isFinite(b[k])) return j
  }
  return -1
}

/** Writes the matrix at the configuration evaluated last; constraints may pull at the bodies too. W is spoilt. */
export function linearizePoints(p: PointSystem, constraints: StepConstraints | undefined): void {
  const { model: m, data: d, forces } = p.system
  linearizeForces(p.system, p.trial)
  // the forces themselves are in w
  for (let k = 0; k < forces.length; k++) forces[k].addArms?.(m, d, p.trial, p.W, 'moments')
  if (constraints) addPulls(constraints, p.W)
  addCurvature(p)
  weighTerms(p.system)
}

/** The positive part of K; in the plane, where the middle axis stands apart, without iteration. */
function clipPlanar(K: Vec): void {
  if (K[1] !== 0 || K[4] !== 0) return clipSymmetric3(K, 0)
  if (K[3] < 0) K[3] = 0
  const mean = 0.5 * (K[0] + K[5])
  const half = 0.5 * (K[0] - K[5])
  const radius = Math.sqrt(half * half + K[2] * K[2])
  if (mean >= radius) return
  // of two eigenvalues mean ± radius one is positive, or none
  const share = mean + radius > 0 ? (mean + radius) / (2 * radius) : 0
  const least = mean - radius
  K[0] = share * (K[0] - least)
  K[2] *= share
  K[5] = share * (K[5] - least)
}

/** Adds the positive part of each body's own curvature to the terms: as the damping that does the same, h D = h² K. W becomes Wt. */
function addCurvature(p: PointSystem): void {
  const { system: s, W, clip: K } = p
  const { model: m, data: d, terms, h } = s
  const { parent } = m
  const { bodyDamping } = terms
  const X = d.X_PB
  for (let i = m.nbody - 1; i > 0; i--) {
    const x = 12 * i
    const o = 12 * parent[i]
    if (o > 0) {
      const a = W[x + 9]
      const b = W[x + 10]
      const c = W[x + 11]
      const px = X[x + 9]
      const py = X[x + 10]
      const pz = X[x + 11]
      const fx = X[x] * a + X[x + 1] * b + X[x + 2] * c
      const fy = X[x + 3] * a + X[x + 4] * b + X[x + 5] * c
      const fz = X[x + 6] * a + X[x + 7] * b + X[x + 8] * c
      W[o] += fx * px
      W[o + 1] += fx * py
      W[o + 2] += fx * pz
      W[o + 3] += fy * px
      W[o + 4] += fy * py
      W[o + 5] += fy * pz
      W[o + 6] += fz * px
      W[o + 7] += fz * py
      W[o + 8] += fz * pz
      W[o + 9] += fx
      W[o + 10] += fy
      W[o + 11] += fz
    }
    K[0] = -W[x + 4] - W[x + 8]
    K[1] = 0.5 * (W[x + 1] + W[x + 3])
    K[2] = 0.5 * (W[x + 2] + W[x + 6])
    K[3] = -W[x] - W[x + 8]
    K[4] = 0.5 * (W[x + 5] + W[x + 7])
    K[5] = -W[x] - W[x + 4]
    clipPlanar(K)
    const e = 21 * i
    bodyDamping[e] += h * K[0]
    bodyDamping[e + 1] += h * K[1]
    bodyDamping[e + 2] += h * K[2]
    bodyDamping[e + 3] += h * K[3]
    bodyDamping[e + 4] += h * K[4]
    bodyDamping[e + 5] += h * K[5]
  }
}
