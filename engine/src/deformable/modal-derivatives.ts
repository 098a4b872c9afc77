/**
 * Modal derivatives Ψ_ij: how modes change as the mesh deforms, K Ψ_ij = −2 f₂(ψ_i, ψ_j) for i ≤ j, with f₂ the quadratic part of the elastic force
 * as a symmetric bilinear form [Barbic05]:
 *   2 f₂(i, j)_a = Σ w (H_i S_j + H_j S_i + S(½ (H_iᵀ H_j + H_jᵀ H_i))) g_a,   S_i the stress of the linear strain of ψ_i
 */
import type { Vec } from '../math/types.js'
import type { LinearModes } from './linear-modes.js'
import type { StaticSolve } from './static-solve.js'
import { displacementGradient, type Elasticity, type Lame } from './stvk.js'

/** Pairs i ≤ j in nested order, 3 numbers a free vertex each. */
export function modalDerivatives(elastic: Elasticity, statics: StaticSolve, modes: LinearModes): Vec {
  const { free, solve } = statics
  const { count } = modes
  const n = 3 * free.length
  const all = elastic.mesh.vertices.length
  const pairs = (count * (count + 1)) / 2

  const loads = quadraticForces(elastic, spread(modes.shapes, free, all, count), count)
  const out = new Float64Array(n * pairs)
  for (let p = 0; p < pairs; p++) {
    free.forEach((v, k) => {
      for (let a = 0; a < 3; a++) out[n * p + 3 * k + a] = -loads[all * p + 3 * v + a]
    })
  }
  solve(out, pairs)
  return out
}

/** Fields over the free vertices as fields over all. */
export function spread(x: Vec, free: Int32Array, all: number, count: number): Vec {
  const out = new Float64Array(all * count)
  for (let l = 0; l < count; l++) {
    free.forEach((v, k) => {
      for (let a = 0; a < 3; a++) out[all * l + 3 * v + a] = x[3 * free.length * l + 3 * k + a]
    })
  }
  return out
}

/** 2 f₂(i, j), i ≤ j, for fields over all vertices. */
export function quadraticForces(elastic: Elasticity, fields: Vec, count: number): Vec {
  const { mesh, tables, lame } = elastic
  const { corners, elements, vertices } = mesh
  const all = vertices.length
  const pairs = (count * (count + 1)) / 2
  const out = new Float64Array(all * pairs)
  const H = new Float64Array(9 * count)
  const S = new Float64Array(9 * count)
  const P = new Float64Array(9)
  /** forces on the corners of one element, pair after pair */
  const local = new Float64Array(3 * corners * pairs)
  for (let e = 0; e < tables.table.length; e++) {
    local.fill(0)
    for (let p = tables.points * tables.table[e]; p < tables.points * (tables.table[e] + 1); p++) {
      const g = 3 * corners * p
      for (let l = 0; l < count; l++) {
        displacementGradient(mesh, tables.gradients, e, g, fields, all * l, H, 9 * l)
        linearStress(S, H, 9 * l, lame)
      }
      let o = 0
      for (let i = 0; i < 9 * count; i += 9) {
        for (let j = i; j < 9 * count; j += 9) {
          pairStress(P, H, S, i, j, lame)
          addLocal(local, o, P, tables.gradients, g, tables.weights[p], corners)
          o += 3 * corners
        }
      }
    }
    for (let pair = 0; pair < pairs; pair++) {
      for (let c = 0; c < corners; c++) {
        const to = all * pair + 3 * elements[corners * e + c]
        const from = 3 * (corners * pair + c)
        for (let a = 0; a < 3; a++) out[to + a] += local[from + a]
      }
    }
  }
  return out
}

/** f_a += w P g_a for the corners a. */
function addLocal(f: Vec, o: number, P: Vec, G: Vec, g: number, w: number, corners: number): void {
  const p0 = w * P[0]
  const p1 = w * P[1]
  const p2 = w * P[2]
  const p3 = w * P[3]
  const p4 = w * P[4]
  const p5 = w * P[5]
  const p6 = w * P[6]
  const p7 = w * P[7]
  const p8 = w * P[8]
  for (let c = 0; c < 3 * corners; c += 3) {
    const x = G[g + c]
    const y = G[g + c + 1]
    const z = G[g + c + 2]
    f[o + c] += p0 * x + p1 * y + p2 * z
    f[o + c + 1] += p3 * x + p4 * y + p5 * z
    f[o + c + 2] += p6 * x + p7 * y + p8 * z
  }
}

/** S ← λ tr(H) 1 + μ (H + Hᵀ), at the same place. */
function linearStress(S: Vec, H: Vec, o: number, { lambda, mu }: Lame): void {
  const t = lambda * (H[o] + H[o + 4] + H[o + 8])
  for (let a = 0; a < 3; a++) {
    for (let b = 0; b < 3; b++) S[o + 3 * a + b] = mu * (H[o + 3 * a + b] + H[o + 3 * b + a]) + (a === b ? t : 0)
  }
}

/** P ← H_i S_j + H_j S_i + S(½ (H_iᵀ H_j + H_jᵀ H_i)) */
function pairStress(P: Vec, H: Vec, S: Vec, i: number, j: number, { lambda, mu }: Lame): void {
  let trace = 0
  for (let k = 0; k < 9; k++) trace += H[i + k] * H[j + k]
  for (let a = 0; a < 3; a++) {
    const x = H[i + 3 * a]
    const y = H[i + 3 * a + 1]
    const z = H[i + 3 * a + 2]
    const u = H[j + 3 * a]
    const v = H[j + 3 * a + 1]
    const w = H[j + 3 * a + 2]
    // columns a of both
    const xi = H[i + a]
    const yi = H[i + 3 + a]
    const zi = H[i + 6 + a]
    const xj = H[j + a]
    const yj = H[j + 3 + a]
    const zj = H[j + 6 + a]
    for (let b = 0; b < 3; b++) {
      const products = x * S[j + b] + y * S[j + 3 + b] + z * S[j + 6 + b] + u * S[i + b] + v * S[i + 3 + b] + w * S[i + 6 + b]
      const strain = xi * H[j + b] + yi * H[j + 3 + b] + zi * H[j + 6 + b] + xj * H[i + b] + yj * H[i + 3 + b] + zj * H[i + 6 + b]
      P[3 * a + b] = products + mu * strain
    }
    P[4 * a] += lambda * trace
  }
}
