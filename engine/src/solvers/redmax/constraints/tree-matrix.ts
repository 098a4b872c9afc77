/**
 * The matrix of a contact problem as recursions over the tree, for what has no entries, or too many: long chains, bodies that deform, forces known by
 * products. Everything is linear in the number of bodies.
 *
 * H = A + Jᵀ G J. A contact with what does not move adds a symmetric 6 × 6 matrix to its body, Σ rᵀ G r with its rows r in the body's frame, and a row of a
 * single velocity adds a number to it: both fit the tree's own factorisation (`tree/implicit-factor`), which then is exact. What joins two moving bodies
 * leaves its own blocks there, and the rest to conjugate gradients that are preconditioned by it.
 */
import { addBlock as addBody, beginRow, finishRow } from '../../../constraints/rows/reduce.js'
import type { Contacts } from '../../../contact/contacts.js'
import type { OutsideMatrix } from '../../../contact/solve/outside.js'
import { addBlock, CONE, type ConvexProblem, EQUALITY, FACTOR, INTERVAL, ROWS, SPENT } from '../../../contact/solve/problem.js'
import { createPcg, pcg } from '../../../linalg/iterative/pcg.js'
import { dot6 } from '../../../math/dot6.js'
import type { Vec } from '../../../math/types.js'
import { addOuter, mulArticulated } from '../../../printed/arrays.js'
import { createImplicitFactor, factorImplicit, solveImplicit } from '../../../tree/implicit-factor.js'
import { applySystem, isCoupled, type System, weighBlocks } from '../matrix/system.js'
import { frame, type StepBlocks, setFrame } from './step-blocks.js'

export interface TreeMatrix extends OutsideMatrix {
  /** to be called when the system was assembled anew, before any factor */
  prepare(): void
  /** of A, a number a velocity */
  readonly diagonal: Vec
  /** bodies of block b and its rows in their frames: 2 × ROWS × 6 numbers from rows[12 ROWS b] on; body −1: none, −2 − k: velocity k */
  reserve(blocks: number): void
  bodies: Int32Array
  rows: Vec
}

// relative, of directions of Newton's method, which need not be exact
const TOLERANCE = 1e-9
// a body
const FACTOR_WORK = 300

/** Of the problem p. */
export function createTreeMatrix(s: System, p: ConvexProblem): TreeMatrix {
  const { model: m } = s
  const factor = createImplicitFactor(m)
  const bodies = new Float64Array(21 * m.nbody)
  const joints = new Float64Array(m.nv)
  const root = new Float64Array(2)
  const scaled = new Float64Array(6)
  const work = createPcg(m.nv)
  const right = new Float64Array(m.nv)
  const most = Math.max(1000, 2 * m.nv)
  let isSplit = false
  const operator = {
    apply(out: Vec, x: Vec): void {
      applySystem(s, out, x)
      addBlocks(p, out, x)
    },
    precondition: (out: Vec, r: Vec): void => solveImplicit(m, factor, out, 0, r, 0),
  }
  const matrix: TreeMatrix = {
    bodies: new Int32Array(0),
    rows: new Float64Array(0),
    reserve(blocks) {
      if (2 * blocks <= matrix.bodies.length) return
      const [old, rows] = [matrix.bodies, matrix.rows]
      matrix.bodies = new Int32Array(4 * blocks)
      matrix.rows = new Float64Array(24 * ROWS * blocks)
      matrix.bodies.set(old)
      matrix.rows.set(rows)
    },
    diagonal: new Float64Array(m.nv),
    prepare() {
      weighBlocks(s)
      measureDiagonal(s, matrix.diagonal)
    },
    plan() {
      p.number[FACTOR] = FACTOR_WORK * m.nbody
    },
    multiply: () => multiply(p.Ax, p.x),
    multiplyDirection: () => multiply(p.Ap, p.p),
    factor() {
      p.work[SPENT] += p.number[FACTOR]
      isSplit = isCoupled(s) || s.free.length > 0
      bodies.set(s.bodies)
      joints.set(s.joints)
      for (let b = 0; b < p.count; b++) {
        if (p.kind[b] !== EQUALITY && p.G[ROWS * ROWS * b] !== 0 && !addOwn(p, b)) isSplit = true
      }
      return factorImplicit(m, s.data, factor, bodies, joints, s.modes)
    },
    solve(column) {
      const x = column ? p.Ap : p.p
      if (!isSplit) return solveImplicit(m, factor, x, 0, x, 0)
      right.set(x)
      x.fill(0)
      s.work[SPENT] = p.work[SPENT]
      pcg(work, operator, right, x, TOLERANCE, most)
      p.work[SPENT] = s.work[SPENT]
    },
  }
  return matrix

  /** The system counts its products, and the problem goes on from there. */
  function multiply(out: Vec, x: Vec): void {
    s.work[SPENT] = p.work[SPENT]
    applySystem(s, out, x)
    p.work[SPENT] = s.work[SPENT]
  }

  /** Adds the own blocks of block b. Whether that is all of it. */
  function addOwn(p: ConvexProblem, b: number): boolean {
    const one = matrix.bodies[2 * b]
    const other = matrix.bodies[2 * b + 1]
    if (one <= -2) {
      joints[-2 - one] += p.G[ROWS * ROWS * b] * p.J[p.entry[b]] * p.J[p.entry[b]]
      return true
    }
    if (one < 0 && other < 0) return false
    if (one >= 0) addSide(p, b, 0, one)
    if (other >= 0) addSide(p, b, 1, other)
    return one < 0 || other < 0
  }

  /** bodies += Σ rᵀ G r of one side: as squares of rows, G = L D Lᵀ */
  function addSide(p: ConvexProblem, b: number, side: number, body: number): void {
    const d = p.dim[b]
    const g = ROWS * ROWS * b
    const o = 6 * ROWS * (2 * b + side)
    // eliminates row after row: what is left of G is positive semidefinite
    for (let e = 0; e < ROWS * ROWS; e++) left[e] = p.G[g + e]
    for (let r = 0; r < d; r++) {
      const pivot = left[ROWS * r + r]
      if (!(pivot > 0)) continue
      scaled.fill(0)
      for (let t = r; t < d; t++) {
        const share = left[ROWS * t + r] / pivot
        for (let e = 0; e < 6; e++) scaled[e] += share * matrix.rows[o + 6 * t + e]
      }
      root[0] = pivot
      addOuter(bodies, 21 * body, scaled, 0, root, 0)
      for (let t = r + 1; t < d; t++) {
        for (let u = r + 1; u < d; u++) left[ROWS * t + u] -= (left[ROWS * t + r] * left[ROWS * r + u]) / pivot
      }
    }
  }
}

/** The diagonal of A, by composite inertias; that of modes is about their mass, 1 kg by their scaling. */
function measureDiagonal({ model: m, data: d, bodies, joints }: System, out: Vec): void {
  out.fill(1)
  d.kernels.startComposites(d.tree, d.work, 1, m.nbody)
  for (let k = 21; k < 21 * m.nbody; k++) d.IA[k] += bodies[k]
  d.kernels.sumComposites(d.tree, d.work, 1, m.nbody)
  for (let i = 1; i < m.nbody; i++) {
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) {
      mulArticulated(force, 0, d.IA, 21 * i, d.S, 6 * k)
      out[k] = dot6(d.S, 6 * k, force, 0) + m.armature[k] + joints[k]
    }
  }
}

const force = new Float64Array(6)
const left = new Float64Array(ROWS * ROWS)
const rates = new Float64Array(ROWS)

/** out += Jᵀ G J x */
function addBlocks(p: ConvexProblem, out: Vec, x: Vec): void {
  const { count, kind, dim, first, width, entry, column, J, G } = p
  for (let b = 0; b < count; b++) {
    const g = ROWS * ROWS * b
    if (kind[b] === EQUALITY || G[g] === 0) continue
    const n = width[b]
    for (let r = 0; r < dim[b]; r++) {
      rates[r] = 0
      for (let e = 0; e < n; e++) rates[r] += J[entry[b] + r * n + e] * x[column[first[b] + e]]
    }
    for (let r = 0; r < dim[b]; r++) {
      let f = 0
      for (let q = 0; q < dim[b]; q++) f += G[g + ROWS * r + q] * rates[q]
      if (f !== 0) for (let e = 0; e < n; e++) out[column[first[b] + e]] += f * J[entry[b] + r * n + e]
    }
  }
}

/** Block b has no blocks of its own, or one of velocity k. */
export function setNoBodies(t: TreeMatrix, b: number, k = -1): void {
  t.reserve(b + 1)
  t.bodies[2 * b] = k < 0 ? -1 : -2 - k
  t.bodies[2 * b + 1] = -1
}

/** Block `to`, of one row, has the first row of block `from`. */
export function copyBodies(t: TreeMatrix, to: number, from: number): void {
  t.reserve(to + 1)
  for (let side = 0; side < 2; side++) {
    t.bodies[2 * to + side] = t.bodies[2 * from + side]
    for (let e = 0; e < 6; e++) t.rows[6 * ROWS * (2 * to + side) + e] = t.rows[6 * ROWS * (2 * from + side) + e]
  }
}

/** The block of contact k, whose `dim` rows are in the frames of its bodies and in reduced coordinates: modes of bodies that deform included. Its number. */
export function addContactRows(t: TreeMatrix, s: StepBlocks, contacts: Contacts, k: number, dim: number): number {
  const { m, d, problem: p, row } = s
  const block = p.count
  t.reserve(block + 1)
  setFrame(contacts, k)
  const { friction } = contacts
  for (let side = 0; side < 2; side++) {
    const body = side === 0 ? contacts.bodyA[k] : contacts.bodyB[k]
    t.bodies[2 * block + side] = s.forest.treeOfBody[body] < 0 ? -1 : body
    for (let r = 0; r < dim; r++) {
      const scale = (side === 0 ? -1 : 1) * (r < 2 ? 1 : friction[5 * k + r - 1] / friction[5 * k])
      bodyRow(t.rows, 6 * (ROWS * (2 * block + side) + r), d.X_WB, 12 * body, frame, r, scale)
    }
  }
  for (let r = 0; r < dim; r++) {
    row.count = 0
    beginRow(row, m)
    addBody(row, contacts.bodyA[k], t.rows, 6 * (ROWS * 2 * block + r))
    addBody(row, contacts.bodyB[k], t.rows, 6 * (ROWS * (2 * block + 1) + r))
    finishRow(row, m, d)
    const n = row.start[1]
    if (r === 0) addBlock(p, dim === 1 ? INTERVAL : CONE, dim, n)
    // rows of one contact pass the same velocities in the same order
    for (let e = 0; e < n; e++) {
      if (r === 0) p.column[p.first[block] + e] = row.dof[e]
      p.J[p.entry[block] + r * n + e] = row.G[row.dof[e]]
    }
  }
  return block
}

/** Row r of a contact (normal, two tangents, turning about the same three) on a body whose pose is at X[j …]. */
function bodyRow(out: Vec, o: number, X: Vec, j: number, frame: Vec, r: number, scale: number): void {
  const i = 3 * (r % 3)
  const dx = scale * frame[i]
  const dy = scale * frame[i + 1]
  const dz = scale * frame[i + 2]
  const turns = r >= 3
  const rx = frame[9] - X[j + 9]
  const ry = frame[10] - X[j + 10]
  const rz = frame[11] - X[j + 11]
  const mx = turns ? dx : ry * dz - rz * dy
  const my = turns ? dy : rz * dx - rx * dz
  const mz = turns ? dz : rx * dy - ry * dx
  for (let e = 0; e < 3; e++) {
    out[o + e] = X[j + e] * mx + X[j + 3 + e] * my + X[j + 6 + e] * mz
    out[o + 3 + e] = turns ? 0 : X[j + e] * dx + X[j + 3 + e] * dy + X[j + 6 + e] * dz
  }
}
