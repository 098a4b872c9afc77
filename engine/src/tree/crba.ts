/**
 * Mass matrix, the composite-rigid-body algorithm; `tree/crba.kernel` has the recursions.
 *
 * A mode of a body is a column too, F = P + Σ Ic(child) T over the children on moved frames, and M(k, l) = T_lᵀ F at the modes of bodies whose
 * frames it passes.
 */

import { dot6 } from '../math/dot6.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import { add6, addForceToParent, addRigid, motionToChild, mulArticulated } from '../printed/arrays.js'
import { modeMass } from './modes.js'

const F = new Float64Array(12)
const g = new Float64Array(6)
const h = new Float64Array(6)

/** Reads the kinematics. Writes IA (composite inertias) and M, dense nv × nv, row-major. */
export function crba(m: Model, d: Data, M: Vec): void {
  const { nbody, nv, iv, ivEnd, armature, modes } = m
  for (let k = 0; k < nv * nv; k++) M[k] = 0
  compositeInertias(m, d)
  for (let i = nbody - 1; i > 0; i--) {
    for (let k = iv[i]; k < ivEnd[i]; k++) {
      if (modes.count === 0) setColumn(m, d, M, i, k)
      else {
        mulArticulated(F, 0, d.IA, 21 * i, d.S, 6 * k)
        // own block, then every ancestor with the force moved up to it
        for (let l = iv[i]; l <= k; l++) setBoth(M, nv, k, l, dot6(d.S, 6 * l, F, 0))
        climb(m, d, M, i, k)
      }
    }
    if (modes.row[i] >= 0) modeColumns(m, d, M, i)
  }
  for (let k = 0; k < nv; k++) M[k * nv + k] += armature[k]
}

/** Row and column k of M at the velocities of body i, which k is of, and of the bodies on the way to the root. */
function setColumn(m: Model, d: Data, M: Vec, i: number, k: number): void {
  const { nv, parent, iv, ivEnd } = m
  const { z } = d
  d.kernels.massColumn(d.tree, d.work, z.byteOffset, i, k)
  for (let b = i; b > 0; b = parent[b]) for (let l = iv[b]; l < ivEnd[b]; l++) setBoth(M, nv, k, l, z[l])
}

/** IA ← inertia of each body from … to − 1 with all that it carries, as if the joints were locked. Those whose parents are outside of the range keep theirs. */
export function compositeInertias(m: Model, d: Data, from = 1, to = m.nbody): void {
  const { row, bodies } = m.modes
  d.kernels.startComposites(d.tree, d.work, from, to)
  for (let n = 0; n < bodies.length; n++) if (bodies[n] >= from && bodies[n] < to) addRigid(d.IA, 21 * bodies[n], d.dI, 10 * row[bodies[n]])
  d.kernels.sumComposites(d.tree, d.work, from, to)
}

/** Row and column k of M from F, a force on body i, at all that moves it from above. */
function climb(m: Model, d: Data, M: Vec, i: number, k: number): void {
  const { nv, parent, iv, ivEnd, modes } = m
  const { X_PB, S } = d
  let at = 0
  for (let b = i; parent[b] > 0; b = parent[b]) {
    const to = 6 - at
    for (let r = 0; r < 6; r++) F[to + r] = 0
    addForceToParent(F, to, X_PB, 12 * b, F, at)
    at = to
    const p = parent[b]
    if (modes.frame[b] >= 0) frameEntries(m, d, M, modes.frame[b], k, F, at)
    for (let l = iv[p]; l < ivEnd[p]; l++) setBoth(M, nv, k, l, dot6(S, 6 * l, F, at))
  }
}

/** M(k, l) = T_lᵀ F for the modes l that move frame e. */
function frameEntries(m: Model, d: Data, M: Vec, e: number, k: number, F: Vec, at: number): void {
  const { column, start, row, iv, frameBody } = m.modes
  const first = start[row[m.parent[frameBody[e]]]]
  for (let c = column[e]; c < column[e + 1]; c++) setBoth(M, m.nv, k, iv[first + c - column[e]], dot6(d.T, 6 * c, F, at))
}

function modeColumns(m: Model, d: Data, M: Vec, i: number): void {
  const { nv, iv, ivEnd } = m
  const { row, start, frameStart, frameBody, column } = m.modes
  const { X_PB, S, IA, P, T } = d
  const n = row[i]
  for (let l = start[n]; l < start[n + 1]; l++) {
    const k = m.modes.iv[l]
    for (let r = 0; r < 6; r++) F[r] = P[6 * l + r]
    for (let p = start[n]; p < start[n + 1]; p++) M[k * nv + m.modes.iv[p]] = modeMass(m, n, l, p)
    for (let e = frameStart[n]; e < frameStart[n + 1]; e++) {
      const child = frameBody[e]
      motionToChild(h, 0, X_PB, 12 * child, T, 6 * (column[e] + l - start[n]))
      mulArticulated(g, 0, IA, 21 * child, h, 0)
      h.fill(0)
      addForceToParent(h, 0, X_PB, 12 * child, g, 0)
      add6(F, 0, h, 0)
      for (let p = start[n]; p < start[n + 1]; p++) M[k * nv + m.modes.iv[p]] += dot6(T, 6 * (column[e] + p - start[n]), h, 0)
    }
    for (let c = iv[i]; c < ivEnd[i]; c++) setBoth(M, nv, k, c, dot6(S, 6 * c, F, 0))
    climb(m, d, M, i, k)
  }
}

function setBoth(M: Vec, n: number, k: number, l: number, value: number): void {
  M[k * n + l] = value
  M[l * n + k] = value
}
