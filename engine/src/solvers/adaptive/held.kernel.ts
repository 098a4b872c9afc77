/**
 * Nodes whose joints are held: they move as one body, and what their joints would do if they were free is a polynomial of the angular velocity.
 *
 * b is quadratic in the twist (ω, u) of the node, p too, η is quartic [Redon05]. But wrenches, joint accelerations and the accelerations of points do
 * not depend on the speed u of the observer, so that of the 21 products of the six components of the twist only the six of ω matter, if
 * b holds accelerations of the handles' origins, without the −ω × u of spatial ones. With μ = (1, ω_i ω_j for i ≤ j), seven numbers,
 *   b = B μ − (0 ; ω × u at the handle),   p = P μ,   η = μᵀ N μ
 * The recursions are those of `tree/dca` and `metric`, a column a monomial. Between the parts
 *   β₀ = X b_A − b_B + (0 ; ω × (ω × r)),   r from the frame of A's handle to that of B's;
 * there is no c, for the joint is at rest; τ is constant, and in the first column.
 */
import { add, type Int, type Ints, type Lanes, negate, scale, sub } from '../../math/values/columns.js'
import {
  cross,
  crossForce,
  dot,
  type Force,
  forceToParent,
  type Mat3,
  type Motion,
  motionToChild,
  mulArticulated,
  mulPose,
  mulRigid,
  NO_FORCE,
  ONE,
  power,
  REST,
  type Rigid,
  rotate,
  rotateBack,
  rotateRigid,
  type Sym3,
  type Vec3,
  ZERO,
} from '../../math/values/spatial.js'
import type { Tree, Work } from '../../model/tables.js'
import { assemble, inertiaOf, motionAt, moveLeaf, rowInFirst } from '../../tree/dca/dca.kernel.js'
import type { Parts } from '../../tree/dca/tables.js'
import { assembleMetric, loadParts, mulBlock, respond, weighted } from './metric.kernel.js'
import type { Held } from './tables.js'

/** Monomials, and columns of polynomials. */
const MONOMIALS = 7

type Products = readonly [number, number, number, number, number, number]

/** xx xy xz yy yz zz */
const products = ([x, y, z]: Vec3): Products => [x * x, x * y, x * z, y * y, y * z, z * z]

/** A quadratic form of ω, given as a function, in the coefficients of `products`. */
const coefficients = <T>(f: (w: Vec3) => T): readonly [T, T, T, T, T, T] => {
  const [x, y, z] = [f([1, 0, 0]), f([0, 1, 0]), f([0, 0, 1])]
  return [x, sub(sub(f([1, 1, 0]), x), y), sub(sub(f([1, 0, 1]), x), z), y, sub(sub(f([0, 1, 1]), y), z), z]
}

/** An inertia, r further on, seen from here. */
const shiftRigid = ({ m, h, J }: Rigid, r: Vec3): Rigid => {
  const twice = dot(h, r)
  const out = 2 * twice + m * dot(r, r)
  const off = (i: Int, k: Int): number => h[i] * r[k] + r[i] * h[k] + m * r[i] * r[k]
  const shifted: Sym3 = [
    J[0] + out - off(0, 0),
    J[1] - off(0, 1),
    J[2] - off(0, 2),
    J[3] + out - off(1, 1),
    J[4] - off(1, 2),
    J[5] + out - off(2, 2),
  ]
  return { m, h: add(h, scale(m, r)), J: shifted }
}

/** A leaf: b of a body that turns at ω. */
function describeLeaf(m: Tree, a: Parts, h: Held, n: Int): void {
  const st = 6 * a.handles[n]
  for (let g = 0; g < a.handles[n]; g++) h.place[a.row[n] + g] = { R: ONE, p: ZERO }
  if (a.body[n] === 0) {
    for (let r = 0; r < st; r++) for (let k = 1; k < MONOMIALS; k++) h.Bq[MONOMIALS * (6 * a.row[n] + r) + k] = 0
    for (let g = 0; g < a.handles[n]; g++) {
      const { w, v } = a.ground[0]
      for (let r = 0; r < 3; r++) h.Bq[MONOMIALS * (6 * (a.row[n] + g) + r)] = w[r]
      for (let r = 0; r < 3; r++) h.Bq[MONOMIALS * (6 * (a.row[n] + g) + 3 + r)] = v[r]
    }
  } else {
    const I = inertiaOf(m, a, n)
    h.inertia[n] = I
    const bias = coefficients((w) => {
      const V = { w, v: ZERO }
      return negate(crossForce(V, mulRigid(I, V)))
    })
    for (let r = 0; r < st; r++) {
      const x = motionAt(a.Phi, a.square[n] + r * st)
      const at = MONOMIALS * (6 * a.row[n] + r)
      h.Bq[at] = 0
      for (let k = 0; k < 6; k++) h.Bq[at + 1 + k] = power(x, bias[k])
    }
  }
}

/** Z: the products of ω in the frame of the second part from those in the node's; the rotation between them is R. */
function turnProducts(h: Held, R: Mat3): void {
  const rows: readonly (readonly [number, number])[] = [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 2],
    [2, 2],
  ]
  for (let i = 0; i < 6; i++) {
    for (let k = 0; k < 6; k++) {
      const [p, q] = rows[i]
      const [s, t] = rows[k]
      const same = R[s][p] * R[t][q]
      h.Z[6 * i + k] = s === t ? same : same + R[t][p] * R[s][q]
    }
  }
}

/** to ← a row of coefficients in the frame of the second part, in the node's. */
function turnRow(h: Held, to: Lanes<number>, k: Int, from: Lanes<number>, i: Int): void {
  to[k] = from[i]
  for (let c = 0; c < 6; c++) {
    let sum = 0
    for (let l = 0; l < 6; l++) sum = sum + from[i + 1 + l] * h.Z[6 * l + c]
    to[k + 1 + c] = sum
  }
}

/** Column k of six rows. */
const columnAt = (x: Lanes<number>, row: Int, k: Int): Motion => {
  const at = (r: Int): number => x[MONOMIALS * (row + r) + k]
  return { w: [at(0), at(1), at(2)], v: [at(3), at(4), at(5)] }
}

/** B, P and N of node n, after `assemble` and `loadParts`. */
function assemblePolynomials(m: Tree, d: Work, a: Parts, h: Held, n: Int): void {
  const [A, B, j] = [a.first[n], a.second[n], a.joint[n]]
  const slot = a.slot[n]
  const [inA, inB, size] = [6 * a.handles[A], 6 * a.handles[B], 6 * a.handles[n]]
  const stay = inA - 6
  const row = 6 * a.innerRow[n]
  const [bA, b] = [6 * a.row[A], 6 * a.row[n]]
  const [pA, pB] = [6 * a.innerRow[A], 6 * a.innerRow[B]]
  const X = d.X_PB[j]
  const R = h.second[n].R
  // what stands on the ground does not turn
  const columns = MONOMIALS - (MONOMIALS - 1) * a.grounded[n]

  // the second part in the frame of the first
  turnProducts(h, R)
  for (let r = 0; r < inB; r++) {
    turnRow(h, h.turnedB, MONOMIALS * r, h.Bq, MONOMIALS * (6 * a.row[B] + r))
    turnRow(h, h.turnedP, MONOMIALS * r, h.Pq, MONOMIALS * (pB + r))
  }
  turnGram(h, B)

  // β₀, γ and q̈ of every monomial
  const lever = rotate(h.place[a.row[A] + slot].R, X.p)
  const centripetal = coefficients((w) => cross(w, cross(w, lever)))
  h.betas[0] = REST
  for (let k = 0; k < 6; k++) h.betas[1 + k] = { w: ZERO, v: rotateBack(R, centripetal[k]) }
  let drive: Force = NO_FORCE
  for (let k = m.iv[j]; k < m.ivEnd[j]; k++) drive = add(drive, scale(a.DJ[k] * a.uJ[k], a.UJ[k]))
  for (let k: Int = 0; k < columns; k++) {
    const apart = sub(motionToChild(X, columnAt(h.Bq, bA + 6 * slot, k)), columnAt(h.turnedB, 0, k))
    h.betas[k] = add(h.betas[k], apart)
    const gamma = mulArticulated(a.W[n], h.betas[k])
    const whole = k === 0 ? add(gamma, drive) : gamma
    h.gammas[k] = whole
    h.backs[k] = negate(forceToParent(X, whole))
    respond(m, d, a, h.ownRates, 6 * k, j, h.betas[k], k === 0 ? 1 : 0)
  }

  for (let r = 0; r < size; r++) {
    const inFirst = r < stay
    const i = inFirst ? rowInFirst(r, slot) : r - stay + 6
    const [HA, HB, N, G, WG] = [h.HA[r], h.HB[r], h.N[r], a.G[row + r], a.WG[row + r]]
    for (let k: Int = 0; k < columns; k++) {
      const ownB = inFirst ? h.Bq[MONOMIALS * (bA + i) + k] : h.turnedB[MONOMIALS * i + k]
      h.Bq[MONOMIALS * (b + r) + k] = ownB - power(G, h.gammas[k])
      const ownP = inFirst ? h.Pq[MONOMIALS * (pA + i) + k] : h.turnedP[MONOMIALS * i + k]
      const parts = power(columnAt(h.Pq, pA + 6 * slot, k), N) + power(columnAt(h.turnedP, 0, k), WG)
      const twice = power(HA, h.backs[k]) + power(HB, h.gammas[k]) + weighted(m, h, j, h.rates, 6 * r, h.ownRates, 6 * k)
      h.Pq[MONOMIALS * (row + r) + k] = ownP + parts + 2 * twice
    }
  }

  const [psiA, psiB] = [a.innerSquare[A] + 6 * slot * (inA + 1), a.innerSquare[B]]
  const square = MONOMIALS * MONOMIALS
  for (let k: Int = 0; k < columns; k++) {
    const ofA = add(mulBlock(h.Psi, psiA, inA, h.backs[k]), scale(0.5, columnAt(h.Pq, pA + 6 * slot, k)))
    const ofB = add(mulBlock(h.Psi, psiB, inB, h.gammas[k]), scale(0.5, columnAt(h.turnedP, 0, k)))
    for (let l: Int = 0; l < columns; l++) {
      const mixed =
        power(ofA, h.backs[l]) +
        power(ofB, h.gammas[l]) +
        0.5 * (power(columnAt(h.Pq, pA + 6 * slot, l), h.backs[k]) + power(columnAt(h.turnedP, 0, l), h.gammas[k]))
      const own = h.Nq[square * A + MONOMIALS * k + l] + h.turnedN[MONOMIALS * k + l]
      h.Nq[square * n + MONOMIALS * k + l] = own + mixed + weighted(m, h, j, h.ownRates, 6 * k, h.ownRates, 6 * l)
    }
  }
}

/** turnedN ← Zᵀ N Z of the second part. */
function turnGram(h: Held, B: Int): void {
  const at = MONOMIALS * MONOMIALS * B
  for (let k = 0; k < MONOMIALS; k++) turnRow(h, h.gram, MONOMIALS * k, h.Nq, at + MONOMIALS * k)
  for (let c = 0; c < MONOMIALS; c++) {
    h.turnedN[c] = h.gram[c]
    for (let k = 0; k < 6; k++) {
      let sum = 0
      for (let l = 0; l < 6; l++) sum = sum + h.Z[6 * l + k] * h.gram[MONOMIALS * (1 + l) + c]
      h.turnedN[MONOMIALS * (1 + k) + c] = sum
    }
  }
}

/** What node n is while its joints are held. Reads X_PB and S of its principal joint. */
function describeNode(m: Tree, d: Work, a: Parts, h: Held, tau: Lanes<number>, n: Int): void {
  const [A, B, j] = [a.first[n], a.second[n], a.joint[n]]
  d.c[j] = REST
  assemble(m, d, a, tau, n)
  loadParts(m, d, a, h, n)
  assembleMetric(m, a, h, n)
  const E = mulPose(h.place[a.row[A] + a.slot[n]], d.X_PB[j])
  h.second[n] = E
  assemblePolynomials(m, d, a, h, n)
  if (a.grounded[n] === 0) h.inertia[n] = add(h.inertia[A], shiftRigid(rotateRigid(E.R, h.inertia[B]), E.p))
  const stay = a.handles[A] - 1
  for (let g = 0; g < a.handles[n]; g++) {
    if (g < stay) h.place[a.row[n] + g] = h.place[a.row[A] + (g < a.slot[n] ? g : g + 1)]
    else h.place[a.row[n] + g] = mulPose(E, h.place[a.row[B] + g - stay + 1])
  }
}

/** Describes the nodes list[from … to − 1], parts before what they are parts of. @kernel */
export function describeNodes(m: Tree, d: Work, a: Parts, h: Held, tau: Lanes<number>, list: Ints, from: Int, to: Int): void {
  for (let l = from; l < to; l++) {
    const n = list[l]
    if (a.body[n] >= 0) describeLeaf(m, a, h, n)
    else describeNode(m, d, a, h, tau, n)
  }
}

/** b, p and η of a node that moves at its twist with all joints held. @kernel */
export function evaluate(m: Tree, a: Parts, h: Held, n: Int): void {
  const V = h.twist[n]
  if (a.body[n] >= 0) {
    moveLeaf(m, a, n, V, NO_FORCE)
  } else {
    const [xx, xy, xz, yy, yz, zz] = products(V.w)
    const value = (x: Lanes<number>, k: Int): number =>
      x[k] + (x[k + 1] * xx + x[k + 2] * xy + x[k + 3] * xz) + (x[k + 4] * yy + x[k + 5] * yz + x[k + 6] * zz)
    const [b, p] = [6 * a.row[n], 6 * a.innerRow[n]]
    for (let r = 0; r < 6 * a.handles[n]; r++) {
      a.b[b + r] = value(h.Bq, MONOMIALS * (b + r))
      h.p[p + r] = value(h.Pq, MONOMIALS * (p + r))
    }
    for (let g = 0; g < a.handles[n]; g++) {
      const { R, p: at } = h.place[a.row[n] + g]
      const spin = rotateBack(R, cross(V.w, add(V.v, cross(V.w, at))))
      for (let r = 0; r < 3; r++) a.b[b + 6 * g + 3 + r] = a.b[b + 6 * g + 3 + r] - spin[r]
    }
    const gram = MONOMIALS * MONOMIALS * n
    const mu: Products = [xx, xy, xz, yy, yz, zz]
    let sum = value(h.Nq, gram)
    for (let k = 0; k < 6; k++) sum = sum + mu[k] * value(h.Nq, gram + MONOMIALS * (1 + k))
    h.eta[n] = sum
  }
}

/** The parts of node n move with it. */
export function moveParts(a: Parts, h: Held, n: Int): void {
  h.twist[a.first[n]] = h.twist[n]
  h.twist[a.second[n]] = motionToChild(h.second[n], h.twist[n])
}
