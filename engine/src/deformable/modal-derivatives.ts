/**
 * Modal derivatives Ψ_ij: how modes change as the mesh deforms, K Ψ_ij = −2 f₂(ψ_i, ψ_j) for i ≤ j, with f₂ the quadratic part of the elastic force
 * as a symmetric bilinear form [Barbic05]:
 *   2 f₂(i, j)_a = Σ w (H_i S_j + H_j S_i + S(½ (H_iᵀ H_j + H_jᵀ H_i))) g_a,   S_i the stress of the linear strain of ψ_i
 */
import type { Vec } from '../math/types.js'
import type { LinearModes } from './linear-modes.js'
import type { StaticSolve } from './static-solve.js'
import { addForce, displacementGradient, type Elasticity, eachPoint } from './stvk.js'

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
    solve(out, n * p)
  }
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
  const all = elastic.mesh.vertices.length
  const { lambda, mu } = elastic.lame
  const out = new Float64Array((all * count * (count + 1)) / 2)
  const H = new Float64Array(9 * count)
  const S = new Float64Array(9 * count)
  const P = new Float64Array(9)
  eachPoint(elastic, (e, g, w) => {
    for (let l = 0; l < count; l++) {
      displacementGradient(elastic, e, g, fields, all * l, H, 9 * l)
      linearStress(S, H, 9 * l, lambda, mu)
    }
    let o = 0
    for (let i = 0; i < 9 * count; i += 9) {
      for (let j = i; j < 9 * count; j += 9) {
        pairStress(P, H, S, i, j, lambda, mu)
        addForce(elastic, out, o, e, g, w, P)
        o += all
      }
    }
  })
  return out
}

/** S ← λ tr(H) 1 + μ (H + Hᵀ), at the same place. */
function linearStress(S: Vec, H: Vec, o: number, lambda: number, mu: number): void {
  const t = lambda * (H[o] + H[o + 4] + H[o + 8])
  for (let a = 0; a < 3; a++) {
    for (let b = 0; b < 3; b++) S[o + 3 * a + b] = mu * (H[o + 3 * a + b] + H[o + 3 * b + a]) + (a === b ? t : 0)
  }
}

function pairStress(P: Vec, H: Vec, S: Vec, i: number, j: number, lambda: number, mu: number): void {
  let trace = 0
  for (let k = 0; k < 9; k++) trace += H[i + k] * H[j + k]
  for (let a = 0; a < 3; a++) {
    for (let b = 0; b < 3; b++) {
      let p = a === b ? lambda * trace : 0
      for (let c = 0; c < 3; c++) {
        p += H[i + 3 * a + c] * S[j + 3 * c + b] + H[j + 3 * a + c] * S[i + 3 * c + b]
        p += mu * (H[i + 3 * c + a] * H[j + 3 * c + b] + H[j + 3 * c + a] * H[i + 3 * c + b])
      }
      P[3 * a + b] = p
    }
  }
}
