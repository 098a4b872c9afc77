/**
 * Viscous drag of the medium on bodies that deform, along their axes and spread like their mass, as `axis-drag` has it for rigid ones. A point at x
 * of mass dm moves by u = v + ω × x + Σ φ_l η̇_l − w against a wind w, and feels −diag(c) u dm/m. With p̄ the mean of x, E = ∫ x uᵀ dm:
 *   force −diag(c) ∫u dm/m,   moment −∫ x × diag(c) u dm/m,   force on mode l  −Σ_a c_a ∫ φ_la u_a dm/m
 * all of which are sums that the shape has already (`joints/modes`): no point is visited. Gusts are sines in time on top of the wind, with a
 * phase for each body.
 *
 * Implicit solvers get the blocks of the largest c, c (I + dI)/m on the body and c tr C/m on the modes, twice: what couples the two is left out, and
 * no matrix is more than twice its diagonal blocks, so that their steps are stable.
 */
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { addRigid, rotateBack, sineAndCosine } from '../printed/arrays.js'

/** velocity against the medium, v − w; ω; first moment of u; second moment of x; E */
const u = new Float64Array(3)
const w = new Float64Array(3)
const mean = new Float64Array(3)
const P = new Float64Array(9)
const E = new Float64Array(9)
const wind = new Float64Array(3)
const wave = new Float64Array(2)
const inertia = new Float64Array(10)
const articulated = new Float64Array(21)

export const modeDrag: Force = {
  name: 'drag of bodies that deform',
  apply(m, d, { t, v }, from = 1, to = m.nbody) {
    const { bodies, start, iv, drag, basis, scale, bases } = m.modes
    const { G, f, qf } = d
    for (let n = 0; n < bodies.length; n++) {
      const i = bodies[n]
      const c = 3 * n
      const mass = m.inertia[10 * i]
      if (i < from || i >= to || mass === 0 || !hasDrag(m, n)) continue
      relativeMotion(m, d, t, n)
      momentsOf(m, d, n)
      // rates of modes: Σ a_l η̇_l and Σ G_lᵀ η̇_l
      const first = start[n]
      const r = start[n + 1] - first
      const v0 = iv[first]
      for (let l = 0; l < r; l++) {
        const rate = v[v0 + l]
        for (let a = 0; a < 3; a++) {
          mean[a] += rate * d.P[6 * (first + l) + 3 + a]
          for (let b = 0; b < 3; b++) E[3 * a + b] += rate * G[9 * (first + l) + 3 * b + a]
        }
      }
      for (let a = 0; a < 3; a++) {
        const b = (a + 1) % 3
        const e = (a + 2) % 3
        f[6 * i + a] -= (drag[c + e] * E[3 * b + e] - drag[c + b] * E[3 * e + b]) / mass
        f[6 * i + 3 + a] -= (drag[c + a] * mean[a]) / mass
      }
      const block = 9 * bases.block[basis[n]]
      const s3 = scale[n] * scale[n] * scale[n]
      for (let l = 0; l < r; l++) {
        const g = 9 * (first + l)
        let force = 0
        for (let a = 0; a < 3; a++) {
          const b = (a + 1) % 3
          const e = (a + 2) % 3
          let along = d.P[6 * (first + l) + 3 + a] * u[a] + w[b] * G[g + 3 * a + e] - w[e] * G[g + 3 * a + b]
          for (let p = 0; p < r; p++) along += s3 * bases.pairs[block + 9 * (l * r + p) + 4 * a] * v[v0 + p]
          force += drag[c + a] * along
        }
        qf[v0 + l] -= force / mass
      }
    }
  },
  linearize(m, d, _s, terms) {
    const { bodies, start, drag, block, basis, scale, bases } = m.modes
    for (let n = 0; n < bodies.length; n++) {
      const i = bodies[n]
      const mass = m.inertia[10 * i]
      if (mass === 0 || !hasDrag(m, n)) continue
      const c = (2 * Math.max(drag[3 * n], drag[3 * n + 1], drag[3 * n + 2])) / mass
      deformedInertia(m, d, n)
      articulated.fill(0)
      addRigid(articulated, 0, inertia, 0)
      for (let k = 0; k < 21; k++) terms.bodyDamping[21 * i + k] += c * articulated[k]
      const r = start[n + 1] - start[n]
      const share = c * scale[n] * scale[n] * scale[n]
      for (let e = 0; e < r * r; e++) terms.modeDamping[block[n] + e] += share * bases.mass[bases.block[basis[n]] + e]
    }
  },
}

function hasDrag({ modes: { drag } }: Model, n: number): boolean {
  return drag[3 * n] !== 0 || drag[3 * n + 1] !== 0 || drag[3 * n + 2] !== 0
}

/** u ← v − w in body axes, w ← ω */
function relativeMotion(m: Model, d: Data, t: number, n: number): void {
  const { gusts, wind: steady } = m.medium
  const i = m.modes.bodies[n]
  for (let a = 0; a < 3; a++) wind[a] = steady[a]
  for (let k = 0; k < gusts.count; k++) {
    wave[0] = 2 * Math.PI * gusts.frequency[k] * t + gusts.phase[k] + m.modes.phase[n]
    sineAndCosine(wave, 0, wave, 0)
    for (let a = 0; a < 3; a++) wind[a] += gusts.velocity[3 * k + a] * wave[0]
  }
  rotateBack(u, 0, d.X_WB, 12 * i, wind, 0)
  for (let a = 0; a < 3; a++) {
    u[a] = d.V[6 * i + 3 + a] - u[a]
    w[a] = d.V[6 * i + a]
  }
}

/** inertia ← that of the body in its present shape */
function deformedInertia(m: Model, d: Data, n: number): void {
  const o = 10 * m.modes.bodies[n]
  for (let k = 0; k < 10; k++) inertia[k] = m.inertia[o + k] + d.dI[10 * n + k]
}

/** mean ← ∫u dm and E ← ∫ x uᵀ dm of the motion as a rigid body. */
function momentsOf(m: Model, d: Data, n: number): void {
  deformedInertia(m, d, n)
  // ∫ x xᵀ dm = ½ tr(J) 1 − J
  const half = 0.5 * (inertia[4] + inertia[7] + inertia[9])
  P[0] = half - inertia[4]
  P[1] = P[3] = -inertia[5]
  P[2] = P[6] = -inertia[6]
  P[4] = half - inertia[7]
  P[5] = P[7] = -inertia[8]
  P[8] = half - inertia[9]
  for (let a = 0; a < 3; a++) {
    const b = (a + 1) % 3
    const e = (a + 2) % 3
    mean[a] = inertia[0] * u[a] + w[b] * inertia[1 + e] - w[e] * inertia[1 + b]
    // row k of x times component a of u + ω × x
    for (let k = 0; k < 3; k++) E[3 * k + a] = inertia[1 + k] * u[a] + w[b] * P[3 * k + e] - w[e] * P[3 * k + b]
  }
}
