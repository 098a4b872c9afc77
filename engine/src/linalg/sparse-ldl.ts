/**
 * Sparse L D Lᵀ of a symmetric block matrix whose pivots need no exchange: positive definite, quasi-definite, or a KKT matrix
 * ( M Gᵀ ; G −ε ) ordered so that every multiplier follows a body it constrains.
 *
 * Multifrontal (I. S. Duff, J. K. Reid, The Multifrontal Solution of Indefinite Sparse Symmetric Linear Equations, ACM TOMS 9 (1983);
 * J. W. H. Liu, The Multifrontal Method for Sparse Matrix Solution, SIAM Review 34 (1992)). `createSparseLdl` allocates everything;
 * `factorize` reads the values of a block graph and touches nothing else. For a quasi-definite matrix every symmetric permutation has
 * such a factorisation (R. J. Vanderbei, Symmetric Quasidefinite Matrices, SIAM J. Optim. 5 (1995)).
 */
import type { Vec } from '../math/types.js'
import type { BlockGraph } from './block-graph.js'
import { eliminateRows, subtractProduct, TILE } from './front-kernels.js'
import { type FrontPlan, planFronts } from './front-plan.js'
import { eliminatePivots, type PivotRule } from './pivot-rule.js'
import type { SparseAnalysis } from './sparse-analysis.js'

export interface SparseLdlOptions {
  /** A pivot smaller than this share of the terms it is the sum of counts as zero: what is left is rounding. */
  readonly pivotTolerance?: number
  /** Expected sign of the pivots, per node; the other sign counts as a bad pivot. Without it both are welcome. */
  readonly signs?: ArrayLike<number>
  /** Static regularisation: a bad pivot is replaced by its expected sign times this share of its terms. 0: stop there instead. */
  readonly regularization?: number
}

export interface SparseLdl extends PivotRule {
  readonly graph: BlockGraph
  readonly plan: FrontPlan
  /** unit lower triangular panels */
  readonly L: Vec
  /** work space: updates, W = L D of one panel, right-hand sides (four at a time), fronts of a half solve */
  readonly U: Vec
  readonly W: Vec
  readonly x: Vec
  readonly reached: Uint8Array
}

/** `plan` may be given when it was made before, to compare costs. */
export function createSparseLdl(analysis: SparseAnalysis, options: SparseLdlOptions = {}, plan = planFronts(analysis)): SparseLdl {
  const { graph } = analysis
  const sign = new Int8Array(plan.n)
  if (options.signs !== undefined) {
    for (let i = 0; i < graph.n; i++) {
      for (let a = graph.start[i]; a < graph.start[i + 1]; a++) sign[plan.place[a]] = options.signs[i] < 0 ? -1 : 1
    }
  }
  return {
    graph,
    plan,
    L: new Float64Array(plan.panelLength),
    dinv: new Float64Array(plan.n),
    U: new Float64Array(plan.updateLength),
    W: new Float64Array(plan.largestPanel),
    magnitude: new Float64Array(plan.n),
    x: new Float64Array(4 * plan.n),
    sign,
    reached: new Uint8Array(plan.nfront),
    pivotTolerance: options.pivotTolerance ?? 1e-14,
    regularization: options.regularization ?? 0,
    negative: 0,
    regularized: 0,
  }
}

/**
 * Reads `values` (laid out by the graph). Writes L and dinv.
 * Returns −1, or the scalar row of A at which the first bad pivot stopped the factorisation; with regularisation it never stops for a
 * finite pivot.
 */
export function factorize(ldl: SparseLdl, values: Vec): number {
  const { plan, L, U, W } = ldl
  const { nfront, column, pivots, below, padded, panel, update, rowPtr, rows, childPtr, child } = plan
  const { magnitude } = ldl
  magnitude.fill(0)
  ldl.negative = 0
  ldl.regularized = 0

  for (let f = 0; f < nfront; f++) {
    const k = pivots[f]
    const u = padded[f]
    const o = panel[f]
    const c = update[f]

    // the front: entries of A, updates of the children
    L.fill(0, o, o + (k + u) * k)
    U.fill(0, c, c + u * u)
    addEntries(plan, f, L, values)
    for (let q = childPtr[f]; q < childPtr[f + 1]; q++) addUpdate(plan, child[q], f, L, U)

    // pivots
    const bad = eliminatePivots(L, o, k, W, column[f], ldl)
    if (bad >= 0) return originalRow(plan, bad)

    // rows below, and what they leave for the parent
    for (let i = k; i < k + u; i += TILE) eliminateRows(L, o, k, i, k, W, ldl.dinv, column[f])
    subtractProduct(U, c, u, W, k * k, L, o + k * k, k)

    // sizes of the terms taken off the diagonal further on
    for (let r = 0; r < below[f]; r++) {
      let s = 0
      for (let p = (k + r) * k; p < (k + r + 1) * k; p++) s += Math.abs(W[p] * L[o + p])
      magnitude[rows[rowPtr[f] + r]] += s
    }
  }
  return -1
}

/** Copies the blocks of A that belong to front f into its panel. */
function addEntries(plan: FrontPlan, f: number, L: Vec, values: Vec): void {
  const { entryPtr, entries, pivots } = plan
  const k = pivots[f]
  for (let e = 5 * entryPtr[f]; e < 5 * entryPtr[f + 1]; e += 5) {
    let v = entries[e]
    const to = entries[e + 1]
    const nr = entries[e + 2]
    const nc = entries[e + 3]
    const down = entries[e + 4] === 0 ? k : 1
    const across = entries[e + 4] === 0 ? 1 : k
    for (let a = 0; a < nr; a++) for (let b = 0; b < nc; b++) L[to + a * down + b * across] = values[v++]
  }
}

/** Adds the update of front c into its parent f: columns that are pivots there to the panel, the others to the update. */
function addUpdate(plan: FrontPlan, c: number, f: number, L: Vec, U: Vec): void {
  const { runPtr, runs, pivots, padded, panel, update } = plan
  const k = pivots[f]
  const u = padded[f]
  const stride = padded[c]
  const from = update[c]
  for (let a = runPtr[c]; a < runPtr[c + 1]; a++) {
    const length = runs[3 * a + 2]
    for (let r = 0; r < length; r++) {
      const i = runs[3 * a] + r
      const t = runs[3 * a + 1] + r
      for (let b = runPtr[c]; b <= a; b++) {
        const s = from + i * stride + runs[3 * b]
        const count = b < a ? runs[3 * b + 2] : r + 1
        const to = runs[3 * b + 1]
        if (to < k) {
          const o = panel[f] + t * k + to
          for (let q = 0; q < count; q++) L[o + q] += U[s + q]
        } else {
          const o = update[f] + (t - k) * u + to - k
          for (let q = 0; q < count; q++) U[o + q] += U[s + q]
        }
      }
    }
  }
}

function originalRow(plan: FrontPlan, permuted: number): number {
  for (let a = 0; a < plan.n; a++) if (plan.place[a] === permuted) return a
  return -1
}
