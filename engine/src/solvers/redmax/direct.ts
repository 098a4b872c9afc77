/**
 * Sparse direct solve over the maximal graph: bodies are nodes of six velocities, joints the multipliers that hold them together, rows of
 * the stiff terms nodes of one.
 *
 *   ( Î   Tᵀ  Wᵀ ) ( V )   ( f )      Î: inertias, body damping, and what joint terms add to the relative motion
 *   ( T   0      ) ( λ ) = ( 0 )      T: directions in which a joint does not give (6 − nd rows)
 *   ( W      −1  ) ( μ )   ( 0 )      W = √(h² k + h d) times a row across the tree
 * On a tree, and on a tree with springs between branches, its factor has near-linear size, where that of the reduced matrix A of a
 * chain is dense. Joint velocities are read off the relative motion, v = S⁺ (V(i) − X⁻¹ V(p)).
 */
import { createBlockGraph, entryOffset } from '../../linalg/block-graph.js'
import { planFronts } from '../../linalg/front-plan.js'
import { analyzePattern } from '../../linalg/sparse-analysis.js'
import { createSparseLdl, factorize, type SparseLdl } from '../../linalg/sparse-ldl.js'
import { solveSparse } from '../../linalg/sparse-solve.js'
import { addRigid } from '../../math/inertia.js'
import { addForceToParent, motionToChild } from '../../math/spatial.js'
import type { Vec } from '../../math/types.js'
import type { LinearSolver } from './linear-solvers.js'
import { splitAxes } from './split-axes.js'
import type { System } from './system.js'

interface Pattern {
  readonly ldl: SparseLdl
  readonly values: Vec
  /** scalars of the right-hand side */
  readonly x: Vec
  /** offset of the blocks (body, body), (body, parent), (multiplier, body), (multiplier, parent); −1 where there is none */
  readonly own: Int32Array
  readonly withParent: Int32Array
  readonly held: Int32Array
  readonly heldParent: Int32Array
  /** diagonal of each row's node, and the block of each entry */
  readonly rowOwn: Int32Array
  readonly rowEntry: Int32Array
  readonly first: Int32Array
  /** the rows' bodies when the pattern was made: it is made anew when they change */
  readonly bodies: Int32Array
  readonly count: number
  /** nanoseconds that a factorisation and a solve are expected to take */
  readonly cost: number
}

export interface DirectSolver extends LinearSolver {
  /** expected nanoseconds for one step */
  cost(): number
}

export function createDirect(s: System): DirectSolver {
  const { model: m, data: d } = s
  const nbody = m.nbody
  // of each body: T (rows below S), S⁺ (nd × 6)
  const T = new Float64Array(36 * nbody)
  const P = new Float64Array(36 * nbody)
  const V = new Float64Array(6 * nbody)
  const f = new Float64Array(6 * nbody)
  const X = new Float64Array(36)
  const block = new Float64Array(36)
  let pattern: Pattern | undefined

  const current = (): Pattern => {
    if (pattern && samePattern(s, pattern)) return pattern
    pattern = makePattern(s)
    return pattern
  }

  return {
    name: 'direct',
    iterations: 1,
    cost: () => current().cost,

    prepare() {
      const p = current()
      const { values } = p
      values.fill(0)
      for (let i = 1; i < nbody; i++) {
        const nd = m.iv[i + 1] - m.iv[i]
        splitAxes(T, 36 * i, P, 36 * i, d.S, 6 * m.iv[i], nd)
        addBody(s, values, p.own[i], i)
        childMatrix(X, d.X_PB, 12 * i)
        addJointTerms(s, p, i, nd, P, X, block)
        addMultipliers(m.parent[i], p, i, nd, T, X)
      }
      addRows(s, p, P, X)
      return factorize(p.ldl, values) < 0
    },

    solve(x, b) {
      const p = current()
      // joint forces as pairs of wrenches: S⁺ᵀ b on the body, its counterpart on the parent
      f.fill(0)
      for (let i = 1; i < nbody; i++) {
        const nd = m.iv[i + 1] - m.iv[i]
        const o = 6 * i
        for (let c = 0; c < 6; c++) V[o + c] = 0
        for (let k = 0; k < nd; k++) for (let c = 0; c < 6; c++) V[o + c] += P[36 * i + 6 * k + c] * b[m.iv[i] + k]
        for (let c = 0; c < 6; c++) f[o + c] += V[o + c]
        if (m.parent[i] === 0) continue
        for (let c = 0; c < 6; c++) V[o + c] = -V[o + c]
        addForceToParent(f, 6 * m.parent[i], d.X_PB, 12 * i, V, o)
      }
      p.x.fill(0)
      for (let i = 1; i < nbody; i++) for (let c = 0; c < 6; c++) p.x[p.first[i] + c] = f[6 * i + c]
      solveSparse(p.ldl, p.x)
      for (let c = 0; c < 6; c++) V[c] = 0
      for (let i = 1; i < nbody; i++) {
        const o = 6 * i
        for (let c = 0; c < 6; c++) V[o + c] = p.x[p.first[i] + c]
      }
      for (let i = 1; i < nbody; i++) {
        motionToChild(f, 0, d.X_PB, 12 * i, V, 6 * m.parent[i])
        for (let c = 0; c < 6; c++) f[c] = V[6 * i + c] - f[c]
        for (let k = m.iv[i]; k < m.iv[i + 1]; k++) {
          let sum = 0
          for (let c = 0; c < 6; c++) sum += P[36 * i + 6 * (k - m.iv[i]) + c] * f[c]
          x[k] = sum
          if (!(Math.abs(sum) < Number.POSITIVE_INFINITY)) return false
        }
      }
      return true
    },
  }
}

/** Rows join the same bodies as when the pattern was made. */
function samePattern(s: System, p: Pattern): boolean {
  const { terms } = s
  if (terms.count !== p.count) return false
  for (let e = 0; e < terms.start[terms.count]; e++) if (terms.body[e] !== p.bodies[e]) return false
  return true
}

function makePattern(s: System): Pattern {
  const { model: m, terms } = s
  const { nbody } = m
  const size: number[] = []
  const pairs: number[] = []
  const signs: number[] = []
  const after: number[] = []
  const bodyNode = new Int32Array(nbody).fill(-1)
  const jointNode = new Int32Array(nbody).fill(-1)
  for (let i = 1; i < nbody; i++) {
    bodyNode[i] = size.push(6) - 1
    signs.push(1)
    after.push(-1)
  }
  for (let i = 1; i < nbody; i++) {
    const held = 6 - (m.iv[i + 1] - m.iv[i])
    const p = m.parent[i]
    if (p > 0) pairs.push(bodyNode[i], bodyNode[p])
    if (held <= 0) continue
    jointNode[i] = size.push(held) - 1
    signs.push(-1)
    after.push(bodyNode[i])
    pairs.push(jointNode[i], bodyNode[i])
    if (p > 0) pairs.push(jointNode[i], bodyNode[p])
  }
  const rowNode = new Int32Array(terms.count)
  const nodesOf = (e: number): number[] => {
    const body = terms.body[e]
    if (body >= 0) return [bodyNode[body]]
    const i = bodyOfDof(m.iv, -1 - body)
    return m.parent[i] > 0 ? [bodyNode[i], bodyNode[m.parent[i]]] : [bodyNode[i]]
  }
  for (let r = 0; r < terms.count; r++) {
    rowNode[r] = size.push(1) - 1
    signs.push(-1)
    after.push(-1)
    for (let e = terms.start[r]; e < terms.start[r + 1]; e++) for (const node of nodesOf(e)) pairs.push(rowNode[r], node)
  }
  const graph = createBlockGraph(size, pairs)
  const analysis = analyzePattern(graph, { method: 'amd', after: Int32Array.from(after) })
  const plan = planFronts(analysis)
  const at = (i: number, j: number): number => (i >= 0 && j >= 0 ? entryOffset(graph, Math.max(i, j), Math.min(i, j)) : -1)
  const each = (f: (i: number) => number): Int32Array => Int32Array.from({ length: nbody }, (_, i) => (i === 0 ? -1 : f(i)))
  const entries = terms.start[terms.count]
  const rowEntry = new Int32Array(2 * entries).fill(-1)
  for (let r = 0; r < terms.count; r++) {
    for (let e = terms.start[r]; e < terms.start[r + 1]; e++) nodesOf(e).forEach((node, k) => (rowEntry[2 * e + k] = at(rowNode[r], node)))
  }
  return {
    ldl: createSparseLdl(analysis, { signs }, plan),
    values: new Float64Array(graph.value[graph.row.length]),
    x: new Float64Array(graph.start[graph.n]),
    own: each((i) => at(bodyNode[i], bodyNode[i])),
    withParent: each((i) => at(bodyNode[i], m.parent[i] > 0 ? bodyNode[m.parent[i]] : -1)),
    held: each((i) => at(jointNode[i], bodyNode[i])),
    heldParent: each((i) => at(jointNode[i], m.parent[i] > 0 ? bodyNode[m.parent[i]] : -1)),
    rowOwn: rowNode.map((node) => at(node, node)),
    rowEntry,
    first: each((i) => graph.start[bodyNode[i]]),
    bodies: terms.body.slice(0, entries),
    count: terms.count,
    cost: plan.factorCost + plan.solveCost,
  }
}

function bodyOfDof(iv: Int32Array, k: number): number {
  let i = 1
  while (iv[i + 1] <= k) i++
  return i
}

/** Own block: rigid inertia, h D. */
function addBody(s: System, values: Vec, o: number, i: number): void {
  own.fill(0)
  addRigid(own, 0, s.model.inertia, 10 * i)
  const { bodyDamping } = s.terms
  for (let k = 0; k < 21; k++) own[k] += s.h * bodyDamping[21 * i + k]
  let k = 0
  for (let r = 0; r < 3; r++) for (let c = r; c < 3; c++) setBoth(values, o, r, c, own, k++)
  for (let r = 0; r < 3; r++) for (let c = 3; c < 6; c++) setBoth(values, o, r, c, own, k++)
  for (let r = 3; r < 6; r++) for (let c = r; c < 6; c++) setBoth(values, o, r, c, own, k++)
}

const own = new Float64Array(21)

function setBoth(values: Vec, o: number, r: number, c: number, from: Vec, k: number): void {
  values[o + 6 * r + c] += from[k]
  if (r !== c) values[o + 6 * c + r] += from[k]
}

/** X ← the 6 × 6 matrix that takes the parent's motion to the child: ( Rᵀ 0 ; −Rᵀ[p] Rᵀ ). */
function childMatrix(X: Vec, pose: Vec, o: number): void {
  X.fill(0)
  const px = pose[o + 9]
  const py = pose[o + 10]
  const pz = pose[o + 11]
  for (let r = 0; r < 3; r++) {
    // row r of Rᵀ is column r of R
    const a = pose[o + r]
    const b = pose[o + 3 + r]
    const c = pose[o + 6 + r]
    X[6 * r] = a
    X[6 * r + 1] = b
    X[6 * r + 2] = c
    X[6 * (r + 3) + 3] = a
    X[6 * (r + 3) + 4] = b
    X[6 * (r + 3) + 5] = c
    // −Rᵀ [p]
    X[6 * (r + 3)] = c * py - b * pz
    X[6 * (r + 3) + 1] = a * pz - c * px
    X[6 * (r + 3) + 2] = b * px - a * py
  }
}

/** Joint stiffness, damping and armature on the relative motion: w (S⁺(V − X V(p)))². */
function addJointTerms(s: System, p: Pattern, i: number, nd: number, P: Vec, X: Vec, row: Vec): void {
  const { model: m, terms, h } = s
  const { values } = p
  for (let k = 0; k < nd; k++) {
    const dof = m.iv[i] + k
    const w = m.armature[dof] + h * terms.jointDamping[dof] + h * h * terms.jointStiffness[dof]
    if (w === 0) continue
    const o = 36 * i + 6 * k
    outer(values, p.own[i], P, o, P, o, w)
    if (m.parent[i] === 0) continue
    // row seen by the parent: −S⁺ X
    for (let c = 0; c < 6; c++) {
      row[c] = 0
      for (let r = 0; r < 6; r++) row[c] -= P[o + r] * X[6 * r + c]
    }
    outer(values, p.own[m.parent[i]], row, 0, row, 0, w)
    outer(values, p.withParent[i], P, o, row, 0, w)
  }
}

/** values[o …] += w a bᵀ, six by six */
function outer(values: Vec, o: number, a: Vec, i: number, b: Vec, j: number, w: number): void {
  for (let r = 0; r < 6; r++) for (let c = 0; c < 6; c++) values[o + 6 * r + c] += w * a[i + r] * b[j + c]
}

/** T on the body, −T X on the parent. */
function addMultipliers(parent: number, p: Pattern, i: number, nd: number, T: Vec, X: Vec): void {
  const { values, held, heldParent } = p
  for (let r = 0; r < 6 - nd; r++) {
    const o = 36 * i + 6 * r
    for (let c = 0; c < 6; c++) values[held[i] + 6 * r + c] = T[o + c]
    if (parent === 0) continue
    for (let c = 0; c < 6; c++) {
      let sum = 0
      for (let k = 0; k < 6; k++) sum -= T[o + k] * X[6 * k + c]
      values[heldParent[i] + 6 * r + c] = sum
    }
  }
}

/** The rows' nodes; a joint velocity is a row of S⁺ on its body and of −S⁺ X on the parent. */
function addRows(s: System, p: Pattern, P: Vec, X: Vec): void {
  const { model: m, terms, weight } = s
  const { values, rowOwn, rowEntry } = p
  for (let r = 0; r < terms.count; r++) {
    values[rowOwn[r]] = -1
    const root = Math.sqrt(weight[r])
    for (let e = terms.start[r]; e < terms.start[r + 1]; e++) {
      const body = terms.body[e]
      if (body >= 0) {
        for (let c = 0; c < 6; c++) values[rowEntry[2 * e] + c] += root * terms.J[6 * e + c]
        continue
      }
      const i = bodyOfDof(m.iv, -1 - body)
      const o = 36 * i + 6 * (-1 - body - m.iv[i])
      const w = root * terms.J[6 * e]
      for (let c = 0; c < 6; c++) values[rowEntry[2 * e] + c] += w * P[o + c]
      if (m.parent[i] === 0) continue
      childMatrix(X, s.data.X_PB, 12 * i)
      for (let c = 0; c < 6; c++) for (let k = 0; k < 6; k++) values[rowEntry[2 * e + 1] + c] -= w * P[o + k] * X[6 * k + c]
    }
  }
}
