/**
 * Solves with a sparse L D Lᵀ: one or many right-hand sides, and half solves for sparse ones.
 *
 * A right-hand side that is nonzero in a few nodes only reaches the fronts between those nodes and the root; the products
 * xᵀ A⁻¹ z = (L⁻¹ x)ᵀ D⁻¹ (L⁻¹ z) of constraint columns need no backward pass at all.
 */
import type { Vec } from '../math/types.js'
import { multiplySymmetric } from './block-graph.js'
import { TILE } from './front-kernels.js'
import type { SparseLdl } from './sparse-ldl.js'

/** x ← A⁻¹ x for `count` right-hand sides, `stride` apart from x[o] on. */
export function solveSparse(ldl: SparseLdl, x: Vec, o = 0, count = 1, stride = ldl.plan.n): void {
  const { plan } = ldl
  const { n, place } = plan
  const y = ldl.x
  let c = 0
  for (; c + 4 <= count; c += 4) {
    const at = o + c * stride
    for (let i = 0; i < n; i++) {
      const p = 4 * place[i]
      y[p] = x[at + i]
      y[p + 1] = x[at + stride + i]
      y[p + 2] = x[at + 2 * stride + i]
      y[p + 3] = x[at + 3 * stride + i]
    }
    forwardFour(ldl, y)
    backwardFour(ldl, y)
    for (let i = 0; i < n; i++) {
      const p = 4 * place[i]
      x[at + i] = y[p]
      x[at + stride + i] = y[p + 1]
      x[at + 2 * stride + i] = y[p + 2]
      x[at + 3 * stride + i] = y[p + 3]
    }
  }
  for (; c < count; c++) {
    const at = o + c * stride
    for (let i = 0; i < n; i++) y[place[i]] = x[at + i]
    for (let f = 0; f < plan.nfront; f++) forwardFront(ldl, f, y, 0)
    backward(ldl, y, 0)
    for (let i = 0; i < n; i++) x[at + i] = y[place[i]]
  }
}

/**
 * y ← L⁻¹ P x for x nonzero in `count` nodes only. y is in elimination order: use it with `addInnerProduct` and `solveBackward`. Visits
 * only the fronts that the nodes reach.
 */
export function solveForward(ldl: SparseLdl, y: Vec, o: number, x: Vec, i: number, nodes: ArrayLike<number>, count = nodes.length): void {
  const { plan, graph, reached } = ldl
  y.fill(0, o, o + plan.n)
  reached.fill(0)
  let first = plan.nfront
  for (let q = 0; q < count; q++) {
    const node = nodes[q]
    for (let a = graph.start[node]; a < graph.start[node + 1]; a++) y[o + plan.place[a]] = x[i + a]
    if (plan.frontOf[node] < first) first = plan.frontOf[node]
    for (let f = plan.frontOf[node]; f >= 0 && reached[f] === 0; f = plan.parent[f]) reached[f] = 1
  }
  for (let f = first; f < plan.nfront; f++) if (reached[f] === 1) forwardFront(ldl, f, y, o)
}

/** out[k] += Σ y z / D: xᵀ A⁻¹ z from two half solves. */
export function addInnerProduct(ldl: SparseLdl, out: Vec, k: number, y: Vec, i: number, z: Vec, j: number): void {
  const { dinv } = ldl
  const { n } = ldl.plan
  let s = 0
  for (let a = 0; a < n; a++) s += y[i + a] * z[j + a] * dinv[a]
  out[k] += s
}

/** x ← Pᵀ L⁻ᵀ D⁻¹ y: finishes a half solve. y is left as it was. */
export function solveBackward(ldl: SparseLdl, x: Vec, i: number, y: Vec, o: number): void {
  const { n, place } = ldl.plan
  const work = ldl.x
  for (let a = 0; a < n; a++) work[a] = y[o + a]
  backward(ldl, work, 0)
  for (let a = 0; a < n; a++) x[i + a] = work[place[a]]
}

/**
 * x ← A⁻¹ b with `steps` rounds of iterative refinement, for matrices factorised with regularised or badly scaled pivots.
 * `residual` is work space of the same length; it ends as the last correction.
 */
export function solveRefined(ldl: SparseLdl, values: Vec, x: Vec, b: Vec, residual: Vec, steps: number): void {
  const { n } = ldl.plan
  for (let i = 0; i < n; i++) x[i] = b[i]
  solveSparse(ldl, x)
  for (let step = 0; step < steps; step++) {
    multiplySymmetric(ldl.graph, values, residual, x)
    for (let i = 0; i < n; i++) residual[i] = b[i] - residual[i]
    solveSparse(ldl, residual)
    for (let i = 0; i < n; i++) x[i] += residual[i]
  }
}

function forwardFront(ldl: SparseLdl, f: number, y: Vec, o: number): void {
  const { L } = ldl
  const { column, pivots, panel, rowPtr, rows } = ldl.plan
  const k = pivots[f]
  const top = o + column[f]
  let l = panel[f]
  for (let i = 0; i < k; i++) {
    let s = y[top + i]
    for (let p = 0; p < i; p++) s -= L[l + p] * y[top + p]
    y[top + i] = s
    l += k
  }

  // three rows at a time: the padding of the panel makes up for the last ones
  const end = rowPtr[f + 1]
  for (let r = rowPtr[f]; r < end; r += TILE) {
    const l1 = l + k
    const l2 = l1 + k
    let s0 = 0
    let s1 = 0
    let s2 = 0
    for (let p = 0; p < k; p++) {
      const t = y[top + p]
      s0 += L[l + p] * t
      s1 += L[l1 + p] * t
      s2 += L[l2 + p] * t
    }
    y[o + rows[r]] -= s0
    if (r + 1 < end) y[o + rows[r + 1]] -= s1
    if (r + 2 < end) y[o + rows[r + 2]] -= s2
    l = l2 + k
  }
}

/** y ← L⁻ᵀ D⁻¹ y */
function backward(ldl: SparseLdl, y: Vec, o: number): void {
  const { L, dinv } = ldl
  const { nfront, column, pivots, panel, rowPtr, rows } = ldl.plan
  for (let f = nfront - 1; f >= 0; f--) {
    const k = pivots[f]
    const top = o + column[f]
    const end = rowPtr[f + 1]
    for (let p = 0; p < k; p++) y[top + p] *= dinv[column[f] + p]
    let l = panel[f] + k * k
    for (let r = rowPtr[f]; r < end; r += TILE) {
      const s0 = y[o + rows[r]]
      const s1 = r + 1 < end ? y[o + rows[r + 1]] : 0
      const s2 = r + 2 < end ? y[o + rows[r + 2]] : 0
      const l1 = l + k
      const l2 = l1 + k
      for (let p = 0; p < k; p++) y[top + p] -= L[l + p] * s0 + L[l1 + p] * s1 + L[l2 + p] * s2
      l = l2 + k
    }
    for (let i = k - 1; i > 0; i--) {
      const s = y[top + i]
      l = panel[f] + i * k
      for (let p = 0; p < i; p++) y[top + p] -= L[l + p] * s
    }
  }
}

function forwardFour(ldl: SparseLdl, y: Vec): void {
  const { plan } = ldl
  const { column, pivots, rowPtr, rows } = plan
  for (let f = 0; f < plan.nfront; f++) {
    const k = pivots[f]
    const top = 4 * column[f]
    for (let i = 0; i < k; i++) subtractRow(ldl.L, plan.panel[f] + i * k, i, y, top, top + 4 * i)
    let l = plan.panel[f] + k * k
    for (let r = rowPtr[f]; r < rowPtr[f + 1]; r++) {
      subtractRow(ldl.L, l, k, y, top, 4 * rows[r])
      l += k
    }
  }
}

/** y[to] −= Σ L(p) y[top + p], four columns at once. */
function subtractRow(L: Vec, l: number, count: number, y: Vec, top: number, to: number): void {
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  let t = top
  for (let p = 0; p < count; p++) {
    const a = L[l + p]
    s0 += a * y[t]
    s1 += a * y[t + 1]
    s2 += a * y[t + 2]
    s3 += a * y[t + 3]
    t += 4
  }
  y[to] -= s0
  y[to + 1] -= s1
  y[to + 2] -= s2
  y[to + 3] -= s3
}

function backwardFour(ldl: SparseLdl, y: Vec): void {
  const { plan, dinv } = ldl
  const { column, pivots, rowPtr, rows } = plan
  for (let f = plan.nfront - 1; f >= 0; f--) {
    const k = pivots[f]
    const top = 4 * column[f]
    for (let p = 0; p < k; p++) for (let c = 0; c < 4; c++) y[top + 4 * p + c] *= dinv[column[f] + p]
    let l = plan.panel[f] + k * k
    for (let r = rowPtr[f]; r < rowPtr[f + 1]; r++) {
      subtractMultiples(ldl.L, l, k, y, top, 4 * rows[r])
      l += k
    }
    for (let i = k - 1; i > 0; i--) subtractMultiples(ldl.L, plan.panel[f] + i * k, i, y, top, top + 4 * i)
  }
}

/** y[top + p] −= L(p) y[from], four columns at once. */
function subtractMultiples(L: Vec, l: number, count: number, y: Vec, top: number, from: number): void {
  const s0 = y[from]
  const s1 = y[from + 1]
  const s2 = y[from + 2]
  const s3 = y[from + 3]
  let t = top
  for (let p = 0; p < count; p++) {
    const a = L[l + p]
    y[t] -= a * s0
    y[t + 1] -= a * s1
    y[t + 2] -= a * s2
    y[t + 3] -= a * s3
    t += 4
  }
}
