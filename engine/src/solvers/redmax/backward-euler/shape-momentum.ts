/**
 * How a body that deforms would go on in a step without forces: `free-motion` for points that also move by modes, x = x⁰ + Σ φ_l η_l.
 *
 * The centre of mass goes straight on. About it a body keeps the momentum that the last step left, of its turn and of every mode. With E the turn
 * of this step and y the shape at its end, E′ the turn back to where the last one began and x′ the shape there, all from the centres and along
 * the axes at the start,
 *   Σ m x × E y = −Σ m x × E′ x′,    Σ m φ_l · E y = Σ m φ_l · (2 x − E′ x′) + h² f_l
 * f_l is the force that held mode l in the last step, which the equations of the step take back. Without it points of a body that spins would go
 * straight on along its modes, however stiff they are, and be pulled back: its spin would fall by a share of (hω)² in a step.
 * which for a rigid shape is the turn of `free-motion`. The sums over points are those of shapes (`joints/modes`): with G_l = Σ m φ_l xᵀ
 *   Σ m x yᵀ = Σ m x xᵀ + Σ (η_y − η)_l G_lᵀ,    Σ m φ_l · E y = E : G_l(y)
 * By Newton's method, with 1 in place of E where two modes meet, so that their mass is factored once for all steps.
 */
import { updateShape } from '../../../joints/modes.js'
import { cholesky, choleskySolve } from '../../../linalg/dense/cholesky.js'
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { cross, sineAndCosine } from '../../../printed/arrays.js'
import { modeMass } from '../../../tree/modes.js'

export interface ShapeMomentum {
  readonly model: Model
  /** at the start of a part: G_l about the origin (9 a mode), inertia of the shape (10 a body that deforms) */
  readonly G0: Vec
  readonly I0: Vec
  /** a_l = Σ m φ_l, 3 a mode */
  readonly a: Vec
  /** factor of the modes' mass about the centre of mass */
  readonly L: Vec
  /** f_l of the last step, and of the one on trial, a number a mode */
  readonly held: Vec
  readonly holding: Vec
  /** where modes would be at the end, as coordinates, and the shape there */
  readonly q: Vec
  readonly shape: Pick<Data, 'G' | 'P' | 'dI'>
  /** scratch, a number or so a mode of one body: G_l from the centre at the start; momentum asked for, and what is left of it; how modes answer a turn */
  readonly C0: Vec
  readonly asked: Vec
  readonly move: Vec
  readonly turned: Vec
}

/** Reads P. */
export function createShapeMomentum(m: Model, d: Data): ShapeMomentum {
  const { count, bodies, start, block } = m.modes
  const most = bodies.reduce((widest, _, n) => Math.max(widest, start[n + 1] - start[n]), 0)
  const out: ShapeMomentum = {
    model: m,
    G0: new Float64Array(9 * count),
    I0: new Float64Array(10 * bodies.length),
    a: Float64Array.from({ length: 3 * count }, (_, k) => d.P[6 * Math.floor(k / 3) + 3 + (k % 3)]),
    L: new Float64Array(block[bodies.length]),
    held: new Float64Array(count),
    holding: new Float64Array(count),
    q: new Float64Array(m.nq),
    shape: { G: new Float64Array(9 * count), P: new Float64Array(6 * count), dI: new Float64Array(10 * bodies.length) },
    C0: new Float64Array(9 * most),
    asked: new Float64Array(most),
    move: new Float64Array(most),
    turned: new Float64Array(3 * most),
  }
  for (let n = 0; n < bodies.length; n++) factorMass(out, n)
  return out
}

/** L Lᵀ = tr C_lp − a_l · a_p/m; NaN where that is not positive. */
function factorMass({ model: m, a, L }: ShapeMomentum, n: number): void {
  const { bodies, start, block } = m.modes
  const first = start[n]
  const r = start[n + 1] - first
  for (let l = 0; l < r; l++) {
    for (let p = 0; p < r; p++) {
      let along = 0
      for (let e = 0; e < 3; e++) along += a[3 * (first + l) + e] * a[3 * (first + p) + e]
      L[block[n] + l * r + p] = modeMass(m, n, first + l, first + p) - along / m.inertia[10 * bodies[n]]
    }
  }
  if (!cholesky(L, block[n], r)) L.fill(Number.NaN, block[n], block[n + 1])
}

/** rad: as in `free-motion.kernel` */
const LARGEST_TURN = 2
// of the shape's size: a round that ends the search, and one that is near enough after so many; each is smaller by the angle of the turn than the last
const FOUND = 1e-9
const NEAR = 1e-6
const ROUNDS = 20

/** turn of the step, along the axes at its start */
export const E = new Float64Array(9)
// Σ m x xᵀ from the centre at the start; Σ m x yᵀ, and with y turned; a turn, or a product; Newton's matrix
const second = new Float64Array(9)
const H = new Float64Array(9)
const N = new Float64Array(9)
const B = new Float64Array(9)
const K = new Float64Array(9)
// G_l from the centre of the shape at hand; moment that is asked for, and at hand; angle of a turn; scratch
const C = new Float64Array(9)
const target = new Float64Array(3)
const moment = new Float64Array(3)
const angle = new Float64Array(3)
const w = new Float64Array(4)
/** how far points moved in the last round: Σ m |·|². In an array: a number that is returned is boxed */
const moved = new Float64Array(1)

/** E, and q with its shape, of body bodies[n] after step[0] from q0; where no motion keeps the momentum, as the last one went on. */
export function keepMomentum(s: ShapeMomentum, n: number, q0: Vec, v0: Vec, rates: Vec, step: Vec): void {
  const { start, block } = s.model.modes
  const { C0, asked, move, held } = s
  const h = step[0]
  const r = start[n + 1] - start[n]
  takeCentre(s, n)
  goOn(s, n, q0, v0, rates, step, -1)
  measure(s, n, q0)
  for (let e = 0; e < 3; e++) target[e] = -moment[e]
  for (let l = 0; l < r; l++) asked[l] = 2 * (C0[9 * l] + C0[9 * l + 4] + C0[9 * l + 8]) - move[l] + h * h * held[start[n] + l]
  goOn(s, n, q0, v0, rates, step, 1)
  if (s.L[block[n]] > 0 && iterate(s, n, q0)) return
  goOn(s, n, q0, v0, rates, step, 1)
}

/** Newton's method from the motion at hand; false where it does not get near. */
function iterate(s: ShapeMomentum, n: number, q0: Vec): boolean {
  const size = second[0] + second[4] + second[8]
  for (let round = 0; round < ROUNDS; round++) {
    correct(s, n, q0)
    if (moved[0] <= FOUND * FOUND * size) return true
  }
  return moved[0] <= NEAR * NEAR * size
}

const PLACE = Int32Array.of(4, 5, 6, 5, 7, 8, 6, 8, 9)

/** Reads the shape at the start. Writes `second` and C0, from its centre. */
function takeCentre({ model: m, G0, I0, a, C0 }: ShapeMomentum, n: number): void {
  const { start } = m.modes
  const o = 10 * n
  const half = 0.5 * (I0[o + 4] + I0[o + 7] + I0[o + 9])
  for (let r = 0; r < 3; r++) {
    for (let e = 0; e < 3; e++) {
      second[3 * r + e] = (r === e ? half : 0) - I0[o + PLACE[3 * r + e]] - (I0[o + 1 + r] * I0[o + 1 + e]) / I0[o]
    }
  }
  for (let l = start[n]; l < start[n + 1]; l++) {
    const g = 9 * (l - start[n])
    for (let r = 0; r < 3; r++)
      for (let e = 0; e < 3; e++) C0[g + 3 * r + e] = G0[9 * l + 3 * r + e] - (a[3 * l + r] * I0[o + 1 + e]) / I0[o]
  }
}

/** E, q and the shape ← as the last step went, a step on or back (`side` −1). */
function goOn(s: ShapeMomentum, n: number, q0: Vec, v0: Vec, rates: Vec, step: Vec, side: number): void {
  const { bodies, start, iq, iv } = s.model.modes
  const h = side * step[0]
  for (let e = 0; e < 3; e++) angle[e] = h * rates[6 * bodies[n] + e]
  turnMatrix(E)
  for (let l = start[n]; l < start[n + 1]; l++) s.q[iq[l]] = q0[iq[l]] + h * v0[iv[l]]
  updateShape(s.model, s.shape, s.q, n)
}

/** R ← turn by `angle`, at most by the largest. */
function turnMatrix(R: Vec): void {
  const size = Math.sqrt(angle[0] * angle[0] + angle[1] * angle[1] + angle[2] * angle[2])
  w[3] = Math.min(size, LARGEST_TURN)
  sineAndCosine(w, 0, w, 3)
  const x = size > 0 ? 1 / size : 0
  const sine = w[0] * x
  const rest = (1 - w[1]) * x * x
  for (let r = 0; r < 3; r++) for (let e = 0; e < 3; e++) R[3 * r + e] = rest * angle[r] * angle[e] + (r === e ? w[1] : 0)
  R[1] -= sine * angle[2]
  R[2] += sine * angle[1]
  R[3] += sine * angle[2]
  R[5] -= sine * angle[0]
  R[6] -= sine * angle[1]
  R[7] += sine * angle[0]
}

/** Reads E, q, the shape. Writes N = Σ m x (E y)ᵀ, `moment` = Σ m x × E y, and move_l = Σ m φ_l · E y. */
function measure(s: ShapeMomentum, n: number, q0: Vec): void {
  const { start, iq } = s.model.modes
  for (let k = 0; k < 9; k++) H[k] = second[k]
  for (let l = start[n]; l < start[n + 1]; l++) {
    const g = 9 * (l - start[n])
    const change = s.q[iq[l]] - q0[iq[l]]
    for (let r = 0; r < 3; r++) for (let e = 0; e < 3; e++) H[3 * r + e] += change * s.C0[g + 3 * e + r]
    centreMode(s, n, l)
    let sum = 0
    for (let k = 0; k < 9; k++) sum += E[k] * C[k]
    s.move[l - start[n]] = sum
  }
  multiply(N, H, 0, ROWS, E, COLUMNS)
  axial(moment, 0, N)
}

/** C ← G_l of the shape at hand, from its centre. */
function centreMode({ model: m, shape: { G, dI }, a }: ShapeMomentum, n: number, l: number): void {
  const o = 10 * m.modes.bodies[n]
  for (let e = 0; e < 3; e++) {
    const c = (m.inertia[o + 1 + e] + dI[10 * n + 1 + e]) / m.inertia[o]
    for (let r = 0; r < 3; r++) C[3 * r + e] = G[9 * l + 3 * r + e] - a[3 * l + r] * c
  }
}

/** A round of Newton's method. Writes `moved`. */
function correct(s: ShapeMomentum, n: number, q0: Vec): void {
  const { start, block, iq } = s.model.modes
  const { L, C0, asked, move, turned, q } = s
  const first = start[n]
  const r = start[n + 1] - first
  measure(s, n, q0)
  for (let e = 0; e < 3; e++) moment[e] = target[e] - moment[e]
  // a turn of y changes the moment by K = tr(N) 1 − Nᵀ, and the momentum of modes by Σ m E y × φ_l
  const trace = N[0] + N[4] + N[8]
  for (let k = 0; k < 9; k++) K[k] = (k % 4 === 0 ? trace : 0) - N[3 * (k % 3) + ((k / 3) | 0)]
  for (let l = 0; l < r; l++) {
    move[l] = asked[l] - move[l]
    centreMode(s, n, first + l)
    multiply(B, E, 0, ROWS, C, COLUMNS)
    axial(turned, 3 * l, B)
  }
  choleskySolve(L, block[n], r, move, 0, 1)
  for (let e = 0; e < 3; e++) choleskySolve(L, block[n], r, turned, e, 3)
  // modes eliminated: they change the moment by Σ m x × E φ_l
  for (let l = 0; l < r; l++) {
    multiply(B, C0, 9 * l, COLUMNS, E, COLUMNS)
    axial(w, 0, B)
    for (let e = 0; e < 3; e++) {
      moment[e] -= w[e] * move[l]
      for (let c = 0; c < 3; c++) K[3 * e + c] -= w[e] * turned[3 * l + c]
    }
  }
  solve3(angle, K, moment)
  let size = (second[0] + second[4] + second[8]) * (angle[0] * angle[0] + angle[1] * angle[1] + angle[2] * angle[2])
  for (let l = 0; l < r; l++) {
    for (let e = 0; e < 3; e++) move[l] -= turned[3 * l + e] * angle[e]
    q[iq[first + l]] += move[l]
    size += move[l] * move[l] * modeMass(s.model, n, first + l, first + l)
  }
  turnMatrix(B)
  multiply(K, B, 0, ROWS, E, ROWS)
  E.set(K)
  updateShape(s.model, s.shape, q, n)
  moved[0] = size
}

// how the entries of a factor stand: by rows, or transposed
const ROWS = 3
const COLUMNS = 1

/** out ← A B, each by rows or transposed */
function multiply(out: Vec, A: Vec, o: number, a: number, B: Vec, b: number): void {
  for (let r = 0; r < 3; r++) {
    for (let e = 0; e < 3; e++) {
      let sum = 0
      for (let k = 0; k < 3; k++) sum += A[o + a * r + (4 - a) * k] * B[b * k + (4 - b) * e]
      out[3 * r + e] = sum
    }
  }
}

/** out ← Σ a × b of M = Σ a bᵀ */
function axial(out: Vec, o: number, M: Vec): void {
  out[o] = M[5] - M[7]
  out[o + 1] = M[6] - M[2]
  out[o + 2] = M[1] - M[3]
}

/** x ← M⁻¹ b by Cramer's rule */
function solve3(x: Vec, M: Vec, b: Vec): void {
  cross(w, 0, M, 3, M, 6)
  const determinant = M[0] * w[0] + M[1] * w[1] + M[2] * w[2]
  for (let e = 0; e < 3; e++) x[e] = (b[0] * w[e]) / determinant
  cross(w, 0, M, 6, M, 0)
  for (let e = 0; e < 3; e++) x[e] += (b[1] * w[e]) / determinant
  cross(w, 0, M, 0, M, 3)
  for (let e = 0; e < 3; e++) x[e] += (b[2] * w[e]) / determinant
}
