/**
 * Drag as an incremental energy of a body's transform: Q = 1/(2h) tr(C ΔT N ΔTᵀ), ΔT = T − T₀ − h (0 wind), with N a
 * 4 × 4 matrix of moments and C a 3 × 3 matrix in the world, both lagged.
 *   at a point c:           N = (c;1)(c;1)ᵀ, C = R₀ P diag(slide) Pᵀ R₀ᵀ
 *   spread like the mass:   N = Mt/m,        C = R₀ diag(drag) R₀ᵀ
 *   turning about principal axes: C = 1, N = ½tr(D)1 − D of the damping matrix D
 */
import { BOX_SIZE, MEDIUM_SIZE, mediumDamping } from '../../../forces/drag.js'
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import { POTENTIAL } from '../../../tree/point-inertia.js'
import { createMoments, MOMENTS } from '../../../tree/point-moments.js'
import { turnMatrix } from './body-sums.js'
import type { StepProblem, Term } from './step-problem.js'

/** One drag: body, C (9, world), N (10: second moments xx xy xz yy yz zz, first moments, zeroth). */
interface Drag {
  readonly body: number
  readonly C: Vec
  readonly N: Vec
  /** against the medium, not the world */
  readonly windy: boolean
  /** sets C and N from what is lagged */
  lag(p: StepProblem): void
}

export function dragTerm(p: StepProblem): Term | undefined {
  const { m } = p
  const drags: Drag[] = []
  for (let i = 1; i < m.nbody; i++) {
    if (m.bodyDamping[2 * i] !== 0 || m.bodyDamping[2 * i + 1] !== 0) drags.push(...dampers(m, i))
    if (m.drag[3 * i] !== 0 || m.drag[3 * i + 1] !== 0 || m.drag[3 * i + 2] !== 0) drags.push(spread(m, i))
    const b = m.medium.boxes
    const sized = b[BOX_SIZE * i + 12] + b[BOX_SIZE * i + 13] + b[BOX_SIZE * i + 14] > 0
    if (sized && (m.medium.density !== 0 || m.medium.viscosity !== 0)) drags.push(...mediumDrags(m, i))
  }
  if (drags.length === 0) return undefined
  return {
    name: 'drag',
    lag: 'local',
    exact: true,
    conservative: true,
    moving: false,
    begin() {
      for (let k = 0; k < drags.length; k++) drags[k].lag(p)
    },
    add() {
      for (let k = 0; k < drags.length; k++) addDrag(p, drags[k])
    },
  }
}

const T = new Float64Array(12)
const U = new Float64Array(12)
const Cb = new Float64Array(9)

function addDrag(p: StepProblem, { body, C, N, windy }: Drag): void {
  const { d, X0, W, bodies, m } = p
  const X = d.X_WB
  const x = 12 * body
  const h = p.h[0]
  const s = 1 / h
  for (let k = 0; k < 12; k++) T[k] = X[x + k] - X0[x + k]
  const wind = m.medium.wind
  if (windy) for (let r = 0; r < 3; r++) T[9 + r] -= h * wind[r]

  // A = C ΔT N/h, and its value
  let value = 0
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 4; c++) {
      const at = c === 3 ? 9 : c
      const step = c === 3 ? 1 : 3
      const t = C[3 * r] * T[at] + C[3 * r + 1] * T[at + step] + C[3 * r + 2] * T[at + 2 * step]
      U[c] = t
    }
    const a = s * (U[0] * N[0] + U[1] * N[1] + U[2] * N[2] + U[3] * N[6])
    const b = s * (U[0] * N[1] + U[1] * N[3] + U[2] * N[4] + U[3] * N[7])
    const c = s * (U[0] * N[2] + U[1] * N[4] + U[2] * N[5] + U[3] * N[8])
    const e = s * (U[0] * N[6] + U[1] * N[7] + U[2] * N[8] + U[3] * N[9])
    value += a * T[3 * r] + b * T[3 * r + 1] + c * T[3 * r + 2] + e * T[9 + r]
    for (let k = 0; k < 3; k++) {
      const R = X[x + 3 * r + k]
      W[x + 3 * k] += R * a
      W[x + 3 * k + 1] += R * b
      W[x + 3 * k + 2] += R * c
      W[x + 9 + k] += R * e
    }
  }
  p.E[POTENTIAL] += 0.5 * value

  // ∫ Γᵀ C Γ: linear part N₀ C, mixed [N₁] C, angular P × C (Freudenthal's product of N₂ and C)
  turnMatrix(Cb, X, x, C)
  for (let k = 0; k < 9; k++) Cb[k] *= s
  const o = 21 * body
  const n = N[9]
  bodies[o + 15] += n * Cb[0]
  bodies[o + 16] += n * Cb[1]
  bodies[o + 17] += n * Cb[2]
  bodies[o + 18] += n * Cb[4]
  bodies[o + 19] += n * Cb[5]
  bodies[o + 20] += n * Cb[8]
  for (let c = 0; c < 3; c++) {
    bodies[o + 6 + c] += N[7] * Cb[6 + c] - N[8] * Cb[3 + c]
    bodies[o + 9 + c] += N[8] * Cb[c] - N[6] * Cb[6 + c]
    bodies[o + 12 + c] += N[6] * Cb[3 + c] - N[7] * Cb[c]
  }
  const xx = N[0]
  const xy = N[1]
  const xz = N[2]
  const yy = N[3]
  const yz = N[4]
  const zz = N[5]
  const trN = xx + yy + zz
  const trC = Cb[0] + Cb[4] + Cb[8]
  const inner = xx * Cb[0] + yy * Cb[4] + zz * Cb[8] + 2 * (xy * Cb[1] + xz * Cb[2] + yz * Cb[5])
  const common = trN * trC - inner
  bodies[o] += 2 * (xx * Cb[0] + xy * Cb[1] + xz * Cb[2]) - trN * Cb[0] - trC * xx + common
  bodies[o + 1] += xx * Cb[1] + xy * Cb[4] + xz * Cb[5] + Cb[0] * xy + Cb[1] * yy + Cb[2] * yz - trN * Cb[1] - trC * xy
  bodies[o + 2] += xx * Cb[2] + xy * Cb[5] + xz * Cb[8] + Cb[0] * xz + Cb[1] * yz + Cb[2] * zz - trN * Cb[2] - trC * xz
  bodies[o + 3] += 2 * (xy * Cb[1] + yy * Cb[4] + yz * Cb[5]) - trN * Cb[4] - trC * yy + common
  bodies[o + 4] += xy * Cb[2] + yy * Cb[5] + yz * Cb[8] + Cb[1] * xz + Cb[4] * yz + Cb[5] * zz - trN * Cb[5] - trC * yz
  bodies[o + 5] += 2 * (xz * Cb[2] + yz * Cb[5] + zz * Cb[8]) - trN * Cb[8] - trC * zz + common
}

/** C ← R₀ P diag(a, b, c) Pᵀ R₀ᵀ, P (9) at axes[e] or none. */
function setWorldMatrix(C: Vec, X: Vec, x: number, values: Vec, axes?: Vec, e = 0): void {
  for (let k = 0; k < 9; k++) C[k] = 0
  for (let axis = 0; axis < 3; axis++) {
    for (let r = 0; r < 3; r++) {
      U[r] = axes
        ? X[x + 3 * r] * axes[e + axis] + X[x + 3 * r + 1] * axes[e + 3 + axis] + X[x + 3 * r + 2] * axes[e + 6 + axis]
        : X[x + 3 * r + axis]
    }
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) C[3 * r + c] += values[axis] * U[r] * U[c]
  }
}

function identity(s: number): Vec {
  return Float64Array.of(s, 0, 0, 0, s, 0, 0, 0, s)
}

/** N of one point. */
function pointMoments(x: number, y: number, z: number): Vec {
  return Float64Array.of(x * x, x * y, x * z, y * y, y * z, z * z, x, y, z, 1)
}

/** Viscous damping at the centre of mass, the same in all directions. */
function dampers(m: Model, i: number): Drag[] {
  const inverse = m.inertia[10 * i] > 0 ? 1 / m.inertia[10 * i] : 0
  const c = [1, 2, 3].map((k) => m.inertia[10 * i + k] * inverse)
  const turn = 0.5 * m.bodyDamping[2 * i]
  const still = (): void => {}
  return [
    { body: i, C: identity(m.bodyDamping[2 * i + 1]), N: pointMoments(c[0], c[1], c[2]), windy: false, lag: still },
    { body: i, C: identity(1), N: Float64Array.of(turn, 0, 0, turn, 0, turn, 0, 0, 0, 0), windy: false, lag: still },
  ]
}

/** Drag along the body's axes, spread like its mass. */
function spread(m: Model, i: number): Drag {
  const all = createMoments(m)
  const mass = all[MOMENTS * i + 9]
  const N = all.slice(MOMENTS * i, MOMENTS * (i + 1)).map((x) => x / mass)
  const C = new Float64Array(9)
  const values = m.drag.slice(3 * i, 3 * i + 3)
  return { body: i, C, N, windy: true, lag: ({ X0 }) => setWorldMatrix(C, X0, 12 * i, values) }
}

/** The medium of `forces/drag`: coefficients that depend on the speed are those of the start. */
function mediumDrags(m: Model, i: number): Drag[] {
  const { boxes } = m.medium
  const o = BOX_SIZE * i
  const slideC = new Float64Array(9)
  const turnN = new Float64Array(10)
  const values = new Float64Array(MEDIUM_SIZE)
  const D = new Float64Array(9)
  return [
    {
      body: i,
      C: slideC,
      N: pointMoments(boxes[o], boxes[o + 1], boxes[o + 2]),
      windy: true,
      lag(p) {
        mediumDamping(values, m, p.d, i)
        for (let r = 0; r < 3; r++) slide[r] = values[3 + r]
        setWorldMatrix(slideC, p.X0, 12 * i, slide, boxes, o + 3)
      },
    },
    {
      body: i,
      C: identity(1),
      N: turnN,
      windy: false,
      lag(p) {
        mediumDamping(values, m, p.d, i)
        for (let r = 0; r < 3; r++) {
          for (let c = 0; c < 3; c++) {
            D[3 * r + c] = 0
            for (let axis = 0; axis < 3; axis++) D[3 * r + c] += values[axis] * boxes[o + 3 + 3 * r + axis] * boxes[o + 3 + 3 * c + axis]
          }
        }
        const half = 0.5 * (D[0] + D[4] + D[8])
        turnN[0] = half - D[0]
        turnN[1] = -D[1]
        turnN[2] = -D[2]
        turnN[3] = half - D[4]
        turnN[4] = -D[5]
        turnN[5] = half - D[8]
      },
    },
  ]
}

const slide = new Float64Array(3)
