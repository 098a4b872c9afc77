/**
 * The linear system of a Newmark step. At a guess (q̂, v̂) forces are F̂ − K Δξ − D Δv for small motions from there, and with
 *   q⁺ = q ⊕ (ξ* + β h² a),   v⁺ = v* + γ h a
 * the accelerations a at the end of the step are those of
 *   (M + γ h D + β h² K) a = F̂ − bias − K (ξ* − ξ̂) − D (v* − v̂)
 * On joints and on single bodies with their modes γ h D + β h² K is block-diagonal, so that one sweep of the articulated-body recursion solves it;
 * what forces of a user's own join across the tree enters with its diagonal blocks only. M, frames and velocity products are those at the guess.
 */
import { applyForces } from '../../forces/dynamics.js'
import { elasticity, isElastic } from '../../forces/elasticity.js'
import { forcesOf } from '../../forces/index.js'
import { addRow, addTermBlocks, rate, rowRate } from '../../forces/stiff-rows.js'
import { updateJoints } from '../../joints/index.js'
import type { Vec } from '../../math/types.js'
import { createData, type Data, treeFields } from '../../model/data.js'
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { clearStiffTerms, createStiffTerms } from '../../model/stiff-terms.js'
import { roomFor, stateLengths, tableRoom, takeAll, takeState, takeTable } from '../../model/work-space.js'
import { add6, addTurnedArticulated, mulArticulated, rotate6, rotateBack } from '../../printed/arrays.js'
import { accelerate, eliminate, sweep } from '../../tree/aba.js'
import { jacobianProduct } from '../../tree/jacobian.js'
import { forwardKinematics } from '../../tree/kinematics.js'
import { createLevels, type Level } from './levels.js'

export interface NewmarkSystem {
  readonly data: Data
  /** the guess: its t, q, v, tau and control are to be written before `solve` */
  readonly guess: State
  /** ξ* − ξ̂ and v* − v̂ */
  readonly way: Vec
  readonly speed: Vec
  /** the accelerations */
  readonly a: Vec
  /**
   * Writes a, from the guess. `stiffness` and `damping`: β h² and γ h. With `rest`, K of domains in the matrix is that of the rest shape, which is
   * positive definite whatever the guess.
   */
  solve(stiffness: number, damping: number, rest: boolean): void
}

const h = new Float64Array(6)
const g = new Float64Array(6)

export function createNewmarkSystem(m: Model, level: Level | 'exact', own: readonly Force[]): NewmarkSystem {
  const { nbody, nv, modes } = m
  const pairs = modes.block[modes.bodies.length]
  const lengths = { armature: nv, tau: nv, a: nv, bodies: 21 * nbody, blocks: pairs, way: nv, speed: nv, y: 6 * nbody, z: 6 * nbody }
  const fields = treeFields(m)
  const plain = createData(m, {
    forces: own,
    numbers: roomFor(lengths) + roomFor(stateLengths(m)) + tableRoom({ name: 'Tree', fields, own: {} }),
  })
  const { armature, tau, a, bodies, blocks, way, speed, y, z } = takeAll(plain, lengths)
  const guess = takeState(plain, m)
  // the same data, with armature of its own: what joints take implicitly is added to it
  const data: Data = { ...plain, tree: takeTable(plain, 'Tree', { ...fields, armature }) }
  const forces = forcesOf(m, data)
  const stiff = forces.filter((force) => force.linearize && force !== elasticity)
  const terms = createStiffTerms(m, own)
  const weight = new Float64Array(terms.stiffness.length)
  const scale = new Float64Array(2)
  const more = { modes: blocks, coupling: own.length > 0 ? new Float64Array(6 * nv) : undefined }
  /** forces that may have something to say at modes, besides elasticity */
  const modal = own.length > 0 || modes.drag.some((x) => x !== 0)
  const levels = level === 'exact' ? undefined : createLevels(m, data, level)

  /** F̂ − K Δξ − D Δv: to tau in joints and modes, to f on bodies. */
  const addForces = (): void => {
    const { qf, f } = data
    for (let k = 0; k < nv; k++) {
      tau[k] = qf[k] + guess.tau[k] - terms.jointStiffness[k] * way[k] - terms.jointDamping[k] * speed[k]
    }
    if (modal) addModeForces()
    if (!data.loaded) return
    jacobianProduct(m, data, y, way)
    jacobianProduct(m, data, z, speed)
    for (let i = 1; i < nbody; i++) {
      mulArticulated(h, 0, terms.bodyDamping, 21 * i, z, 6 * i)
      for (let k = 0; k < 6; k++) f[6 * i + k] -= h[k]
    }
    for (let r = 0; r < terms.count; r++) {
      rowRate(terms, r, y, way)
      const stretch = rate[0]
      rowRate(terms, r, z, speed)
      rate[0] = -(terms.stiffness[r] * stretch + terms.damping[r] * rate[0])
      addRow(terms, r, f, tau)
    }
  }

  const addModeForces = (): void => {
    const { modeStiffness: K, modeDamping: D } = terms
    for (let n = 0; n < modes.bodies.length; n++) {
      const k0 = modes.iv[modes.start[n]]
      const r = modes.start[n + 1] - modes.start[n]
      for (let k = 0, e = modes.block[n]; k < r; k++) {
        for (let l = 0; l < r; l++, e++) tau[k0 + k] -= K[e] * way[k0 + l] + D[e] * speed[k0 + l]
      }
    }
  }

  /** γ h D + β h² K: to blocks of modes, to armature, to bodies. */
  const addMatrices = (): void => {
    for (let k = 0; k < nv; k++) armature[k] = m.armature[k]
    bodies.fill(0)
    addTermBlocks(terms, scale, weight, armature, data.loaded ? bodies : undefined)
    if (modal) for (let e = 0; e < pairs; e++) blocks[e] = scale[0] * terms.modeStiffness[e] + scale[1] * terms.modeDamping[e]
    else blocks.fill(0)
    // springs and dampers in modes themselves stand with the joints'
    for (let l = 0; l < modes.count; l++) armature[modes.iv[l]] -= m.armature[modes.iv[l]]
    for (let n = 0; n < modes.bodies.length; n++) {
      const first = modes.start[n]
      const r = modes.start[n + 1] - first
      for (let l = 0; l < r; l++) blocks[modes.block[n] + l * r + l] += armature[modes.iv[first] + l]
    }
    if (more.coupling) addCoupling(more.coupling)
  }

  /** Rows at a body and its own modes: what couples them. */
  const addCoupling = (coupling: Vec): void => {
    const { start, body, J } = terms
    coupling.fill(0)
    for (let r = 0; r < terms.count; r++) {
      const b = body[start[r]]
      const n = b > 0 ? modes.row[b] : -1
      if (n < 0) continue
      const k0 = modes.iv[modes.start[n]]
      const size = modes.start[n + 1] - modes.start[n]
      for (let e = start[r] + 1; e < start[r + 1]; e++) {
        const l = -1 - body[e] - k0
        if (!(l >= 0 && l < size)) continue
        const x = weight[r] * J[6 * e]
        for (let k = 0; k < 6; k++) coupling[6 * (k0 + l) + k] += x * J[6 * start[r] + k]
        for (let f = start[r] + 1; f < start[r + 1]; f++) {
          const p = -1 - body[f] - k0
          if (f !== e && p >= 0 && p < size) blocks[modes.block[n] + l * size + p] += x * J[6 * f]
        }
      }
    }
  }

  /** Domains: K is in Ke. The same to blocks and tau. */
  const addElastic = (rest: boolean): void => {
    const { block, start, iv, alpha, beta, basis, scale: size, bases, stiffening } = modes
    const { Ke } = data
    for (let n = 0; n < modes.bodies.length; n++) {
      if (!isElastic(m, n)) continue
      const r = start[n + 1] - start[n]
      const o = block[n]
      const k0 = iv[start[n]]
      const at = bases.block[basis[n]]
      const mass = alpha[n] * size[n] * size[n] * size[n]
      for (let k = 0; k < r; k++) {
        let sum = 0
        for (let l = 0; l < r; l++) {
          sum += Ke[o + k * r + l] * (way[k0 + l] + beta[n] * speed[k0 + l])
          if (mass !== 0) sum += mass * bases.mass[at + k * r + l] * speed[k0 + l]
        }
        tau[k0 + k] -= sum
      }
      if (rest) restStiffness(Ke, o, bases.hessian, bases.hessianStart[basis[n]], r, stiffening[n] * size[n])
      const share = scale[0] + scale[1] * beta[n]
      for (let e = 0; e < r * r; e++) blocks[o + e] += share * Ke[o + e]
      if (mass !== 0) for (let e = 0; e < r * r; e++) blocks[o + e] += scale[1] * mass * bases.mass[at + e]
    }
  }

  /** Blocks of bodies go with what they weigh; the recursion's accelerations are less gravity, of which these know nothing. */
  const addBodies = (): void => {
    const { X_WB, IA, pA } = data
    for (let i = 1; i < nbody; i++) {
      const o = 21 * i
      // positive semidefinite: there is nothing where the diagonal is zero
      if (bodies[o] + bodies[o + 3] + bodies[o + 5] + bodies[o + 15] + bodies[o + 18] + bodies[o + 20] === 0) continue
      addTurnedArticulated(IA, o, X_WB, 12 * i, bodies, o)
      rotateBack(g, 3, X_WB, 12 * i, m.gravity, 0)
      mulArticulated(h, 0, bodies, o, g, 0)
      rotate6(h, 0, X_WB, 12 * i, h, 0)
      add6(pA, 6 * i, h, 0)
    }
  }

  return {
    data,
    guess,
    way,
    speed,
    a,
    solve(stiffness, damping, rest) {
      data.evaluations++
      scale[0] = stiffness
      scale[1] = damping
      if (data.loaded) forwardKinematics(m, data, guess.q, guess.v)
      else updateJoints(m, data, guess.q)
      applyForces(m, data, guess)
      clearStiffTerms(terms)
      for (let k = 0; k < stiff.length; k++) stiff[k].linearize?.(m, data, guess, terms)
      addForces()
      addMatrices()
      addElastic(rest)
      sweep(m, data, guess.v, 1, nbody, data.loaded)
      if (levels) {
        levels.solve(tau, more, a)
        return
      }
      if (data.loaded) addBodies()
      eliminate(m, data, tau, 1, nbody, more)
      accelerate(m, data, a)
    },
  }
}

/** K[o …] ← c times the Hessian at the rest shape: its column of the monomial 1. */
function restStiffness(K: Vec, o: number, H: Vec, from: number, r: number, c: number): void {
  const columns = 1 + (r * (r + 3)) / 2
  let row = from
  for (let k = 0; k < r; k++) {
    for (let l = k; l < r; l++, row += columns) {
      K[o + k * r + l] = c * H[row]
      K[o + l * r + k] = c * H[row]
    }
  }
}
