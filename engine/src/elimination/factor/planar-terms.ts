/**
 * `world-terms` for mechanisms in a plane: of every axis, inertia and row the three numbers (ω_k, v_u, v_v) that take part, see `coupled-tree`.
 */
import type { Vec } from '../../math/types.js'
import type { CoupledTree } from '../coupled-tree.js'
import type { Coupling } from '../plan/coupling.js'
import type { Plan } from '../plan/operations.js'
import { bodyToWorld, isTurning, placeBodies, type WorldTerms } from './world-terms.js'

/** As `toWorld`. */
export function toPlane(s: CoupledTree, plan: Plan, coupling: Coupling, world: WorldTerms): void {
  const { across } = world
  placeBodies(s, world)
  bodiesToPlane(s, plan, world, across)
  axesToPlane(s, plan, world.S, across)
  rowsToPlane(s, plan, coupling, world, across)
}

/** Writes the inertias (6 a body), with k the axis across the plane. */
function bodiesToPlane(s: CoupledTree, { anchor }: Plan, world: WorldTerms, k: number): void {
  const { model: m, terms, h } = s
  const { X_WB: X } = s.data
  const { M } = world
  const { inertia: I } = m
  const { bodyDamping: D } = terms
  const u = (k + 1) % 3
  const v = (k + 2) % 3
  for (let b = 1; b < m.nbody; b++) {
    const o = 6 * b
    const a = 12 * anchor[b]
    if (!isTurning(D, 21 * b)) {
      bodyToWorld(world.full, 0, world, b, a, s)
      for (let e = 0; e < 6; e++) M[o + e] = world.full[world.taken[e]]
      continue
    }
    const x = 12 * b
    const i = 10 * b
    const d = 21 * b
    const r = x + 3 * k
    const r0 = X[r]
    const r1 = X[r + 1]
    const r2 = X[r + 2]
    const t0 = r0 * (I[i + 4] + h * D[d]) + 2 * (r1 * (I[i + 5] + h * D[d + 1]) + r2 * (I[i + 6] + h * D[d + 2]))
    const t1 = r1 * (I[i + 7] + h * D[d + 3]) + 2 * r2 * (I[i + 8] + h * D[d + 4])
    const t2 = r2 * (I[i + 9] + h * D[d + 5])
    const ru = x + 3 * u
    const rv = x + 3 * v
    const mass = I[i]
    const cu = X[ru] * I[i + 1] + X[ru + 1] * I[i + 2] + X[ru + 2] * I[i + 3]
    const cv = X[rv] * I[i + 1] + X[rv + 1] * I[i + 2] + X[rv + 2] * I[i + 3]
    const pu = X[x + 9 + u] - X[a + 9 + u]
    const pv = X[x + 9 + v] - X[a + 9 + v]
    const eu = cu + mass * pu
    const ev = cv + mass * pv
    M[o] = r0 * t0 + r1 * t1 + r2 * t2 + pu * (cu + eu) + pv * (cv + ev)
    M[o + 1] = -ev
    M[o + 2] = eu
    M[o + 3] = mass
    M[o + 4] = 0
    M[o + 5] = mass
  }
}

/** S ← the axes of joints, at the points where the plan takes them out, with their sign. */
function axesToPlane({ model: m, data: d }: CoupledTree, { axisAnchor, axisSign }: Plan, out: Vec, k: number): void {
  const { nbody, iv, ivEnd } = m
  const { X_WB: X, S } = d
  const u = (k + 1) % 3
  const v = (k + 2) % 3
  for (let i = 1; i < nbody; i++) {
    const x = 12 * i
    const a = 12 * axisAnchor[i]
    const rk = x + 3 * k
    const ru = x + 3 * u
    const rv = x + 3 * v
    const pu = X[x + 9 + u] - X[a + 9 + u]
    const pv = X[x + 9 + v] - X[a + 9 + v]
    const sign = axisSign[i]
    for (let c = iv[i]; c < ivEnd[i]; c++) {
      const o = 6 * c
      const w = sign * (X[rk] * S[o] + X[rk + 1] * S[o + 1] + X[rk + 2] * S[o + 2])
      out[3 * c] = w
      out[3 * c + 1] = sign * (X[ru] * S[o + 3] + X[ru + 1] * S[o + 4] + X[ru + 2] * S[o + 5]) + pv * w
      out[3 * c + 2] = sign * (X[rv] * S[o + 3] + X[rv + 1] * S[o + 4] + X[rv + 2] * S[o + 5]) - pu * w
    }
  }
}

/** J ← the rows as wrenches in the plane. Those that act at once are added to the bodies and joints that they touch. */
function rowsToPlane(s: CoupledTree, { anchor, eager }: Plan, { of }: Coupling, world: WorldTerms, k: number): void {
  const { terms, weight, data: d } = s
  const { J, M, root, joint } = world
  const { start, body, count, J: F } = terms
  const X = d.X_WB
  const u = (k + 1) % 3
  const v = (k + 2) % 3
  for (let r = 0; r < count; r++) {
    const g = of[r]
    const at = g < 0 || eager[g] === 1
    const w = weight[r]
    root[r] = Math.sqrt(w)
    for (let e = start[r]; e < start[r + 1]; e++) {
      const i = body[e]
      const f = 6 * e
      const o = 3 * e
      if (i < 0) {
        if (at) joint[-1 - i] += w * F[f] * F[f]
        J[o] = F[f]
        continue
      }
      const x = 12 * i
      const a = 12 * anchor[i]
      const rk = x + 3 * k
      const ru = x + 3 * u
      const rv = x + 3 * v
      const fu = X[ru] * F[f + 3] + X[ru + 1] * F[f + 4] + X[ru + 2] * F[f + 5]
      const fv = X[rv] * F[f + 3] + X[rv + 1] * F[f + 4] + X[rv + 2] * F[f + 5]
      const pu = X[x + 9 + u] - X[a + 9 + u]
      const pv = X[x + 9 + v] - X[a + 9 + v]
      const n = X[rk] * F[f] + X[rk + 1] * F[f + 1] + X[rk + 2] * F[f + 2] + pu * fv - pv * fu
      J[o] = n
      J[o + 1] = fu
      J[o + 2] = fv
      if (!at) continue
      const q = 6 * i
      M[q] += w * n * n
      M[q + 1] += w * n * fu
      M[q + 2] += w * n * fv
      M[q + 3] += w * fu * fu
      M[q + 4] += w * fu * fv
      M[q + 5] += w * fv * fv
    }
  }
}
