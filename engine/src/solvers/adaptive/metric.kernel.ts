/**
 * How much the joints inside a node accelerate, from the wrenches at its handles alone: the acceleration metric [Redon05].
 *
 * With all joints free, Σ w q̈² over the joints of a node = fᵀ Ψ f + pᵀ f + η. The parts of a node are loaded by
 *   f_A = (f ; N f + l),  N = −Xᵀ W G,  l = −Xᵀ γ       f_B = (W G f + γ ; f)       q̈ = L f + l_q
 * at the handle of the principal joint and at those that stay, and the sums of both parts and of the joint itself are the node's. With
 * Y the rows of Ψ_A between handles that stay and the principal joint, Ψ₂ its block there, H = Ψ₂ N + Yᵀ:
 *   Ψ ← Ψ_A + H N + Y N … summed over A, B and q̈
 */
import { forBody } from '../../joints/place.kernel.js'
import { add, type Int, type Lanes, negate, scale } from '../../math/values/columns.js'
import { type Force, forceToParent, type Motion, power, REST } from '../../math/values/spatial.js'
import type { Tree, Work } from '../../model/tables.js'
import { forceAt, motionAt, rowInFirst } from '../../tree/dca/dca.kernel.js'
import type { Parts } from '../../tree/dca/tables.js'
import type { Held } from './tables.js'

/** Ψ₂ x, of the block of six rows from k on. */
export const mulBlock = (psi: Lanes<number>, k: Int, st: Int, x: Force): Motion => {
  const row = (r: Int): number => power(motionAt(psi, k + r * st), x)
  return { w: [row(0), row(1), row(2)], v: [row(3), row(4), row(5)] }
}

/** out[o + k] ← the accelerations of the principal joint j if its parts move apart at `start`, and u[k] times `driven` act in it. */
export function respond(m: Tree, d: Work, a: Parts, out: Lanes<number>, o: Int, j: Int, start: Motion, driven: number): void {
  forBody(m, j, (velocities) => {
    velocities.up(m, j, d.S, start, (A, k, S) => {
      const x = a.DJ[k] * (driven * a.uJ[k] - power(A, a.UJ[k]))
      out[o + k - m.iv[j]] = x
      return add(A, scale(x, S))
    })
  })
}

/** Σ w x y over the velocities of body j. */
export function weighted(m: Tree, h: Held, j: Int, x: Lanes<number>, i: Int, y: Lanes<number>, k: Int): number {
  let sum = 0
  for (let l = m.iv[j]; l < m.ivEnd[j]; l++) sum = sum + h.weight[l] * x[i + l - m.iv[j]] * y[k + l - m.iv[j]]
  return sum
}

/** What a wrench in each row of node n does to its parts and to its principal joint. Reads G and W G. Writes N, H, Y, rates. @kernel */
export function loadParts(m: Tree, d: Work, a: Parts, h: Held, n: Int): void {
  const [A, B, j] = [a.first[n], a.second[n], a.joint[n]]
  const slot = a.slot[n]
  const [inA, inB] = [6 * a.handles[A], 6 * a.handles[B]]
  const [psiA, psiB] = [a.innerSquare[A], a.innerSquare[B]]
  const stay = inA - 6
  const row = 6 * a.innerRow[n]
  for (let r = 0; r < 6 * a.handles[n]; r++) {
    const N = negate(forceToParent(d.X_PB[j], a.WG[row + r]))
    const toA = mulBlock(h.Psi, psiA + 6 * slot * (inA + 1), inA, N)
    const toB = mulBlock(h.Psi, psiB, inB, a.WG[row + r])
    h.N[r] = N
    if (r < stay) {
      const Y = motionAt(h.Psi, psiA + rowInFirst(r, slot) * inA + 6 * slot)
      h.YA[r] = Y
      h.YB[r] = REST
      h.HA[r] = add(toA, Y)
      h.HB[r] = toB
    } else {
      const Y = motionAt(h.Psi, psiB + (r - stay + 6) * inB)
      h.YA[r] = REST
      h.YB[r] = Y
      h.HA[r] = toA
      h.HB[r] = add(toB, Y)
    }
    respond(m, d, a, h.rates, 6 * r, j, a.G[row + r], 0)
  }
}

/** Ψ of node n, after `loadParts`. @kernel */
export function assembleMetric(m: Tree, a: Parts, h: Held, n: Int): void {
  const [A, B, j] = [a.first[n], a.second[n], a.joint[n]]
  const slot = a.slot[n]
  const [inA, inB, size] = [6 * a.handles[A], 6 * a.handles[B], 6 * a.handles[n]]
  const [psiA, psiB, psi] = [a.innerSquare[A], a.innerSquare[B], a.innerSquare[n]]
  const stay = inA - 6
  const row = 6 * a.innerRow[n]
  for (let r = 0; r < size; r++) {
    const [HA, HB, N, WG] = [h.HA[r], h.HB[r], h.N[r], a.WG[row + r]]
    for (let s = 0; s <= r; s++) {
      let own = 0
      if (r < stay) own = h.Psi[psiA + rowInFirst(r, slot) * inA + rowInFirst(s, slot)]
      else if (s >= stay) own = h.Psi[psiB + (r - stay + 6) * inB + (s - stay + 6)]
      const parts = power(HA, h.N[s]) + power(h.YA[s], N) + (power(HB, a.WG[row + s]) + power(h.YB[s], WG))
      const x = own + parts + weighted(m, h, j, h.rates, 6 * r, h.rates, 6 * s)
      h.Psi[psi + r * size + s] = x
      h.Psi[psi + s * size + r] = x
    }
  }
}

/** p and η of node n from those of its parts, after `loadParts`. Reads β₀ and γ. @kernel */
export function assembleMetricAtRest(m: Tree, d: Work, a: Parts, h: Held, n: Int): void {
  const [A, B, j] = [a.first[n], a.second[n], a.joint[n]]
  const slot = a.slot[n]
  const stay = 6 * a.handles[A] - 6
  const row = 6 * a.innerRow[n]
  const [pA, pB] = [6 * a.innerRow[A], 6 * a.innerRow[B]]
  const forth = a.gamma[n]
  const back = negate(forceToParent(d.X_PB[j], forth))
  const [atA, atB] = [motionAt(h.p, pA + 6 * slot), motionAt(h.p, pB)]
  respond(m, d, a, h.ownRates, 0, j, a.beta[n], 1)
  for (let r = 0; r < 6 * a.handles[n]; r++) {
    const own = r < stay ? h.p[pA + rowInFirst(r, slot)] : h.p[pB + r - stay + 6]
    const twice = power(h.HA[r], back) + power(h.HB[r], forth) + weighted(m, h, j, h.rates, 6 * r, h.ownRates, 0)
    h.p[row + r] = own + power(atA, h.N[r]) + power(atB, a.WG[row + r]) + 2 * twice
  }
  const inA = 6 * a.handles[A]
  const ofA = power(add(mulBlock(h.Psi, a.innerSquare[A] + 6 * slot * (inA + 1), inA, back), atA), back)
  const ofB = power(add(mulBlock(h.Psi, a.innerSquare[B], 6 * a.handles[B], forth), atB), forth)
  h.eta[n] = h.eta[A] + h.eta[B] + (ofA + ofB) + weighted(m, h, j, h.ownRates, 0, h.ownRates, 0)
}

/** The metric of node n, Σ w q̈² of its joints, under the wrenches f at its handles. @kernel */
export function measure(a: Parts, h: Held, n: Int): void {
  const size = 6 * a.handles[n]
  const [f, p, psi] = [6 * a.row[n], 6 * a.innerRow[n], a.innerSquare[n]]
  let sum = h.eta[n]
  for (let r = 0; r < size; r = r + 6) {
    const x = forceAt(a.f, f + r)
    let slope = motionAt(h.p, p + r)
    for (let s = 0; s < size; s = s + 6) slope = add(slope, mulBlock(h.Psi, psi + r * size + s, size, forceAt(a.f, f + s)))
    sum = sum + power(slope, x)
  }
  h.metric[n] = Math.max(sum, 0)
}
