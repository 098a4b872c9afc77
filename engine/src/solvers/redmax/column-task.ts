/**
 * What columns Y = A⁻¹ Gᵀ need, in memory that threads share: the factor of the recursion, and for conjugate gradients the terms of A.
 *
 * The thread that steps copies both there before its columns are solved, some hundred numbers a body, which is little beside one column.
 * The others have neither a model nor forces: what is not in these arrays they cannot read. They run the same functions on the same numbers, so that a
 * column has the same bits wherever it was solved.
 */
import { createPcg, pcg } from '../../linalg/pcg.js'
import type { Vec } from '../../math/types.js'
import type { Model } from '../../model/model.js'
import { type ImplicitFactor, type SolvedTree, type SolveFactor, solveImplicit } from '../../tree/implicit-factor.js'
import { applyProduct, type Product, type System } from './system.js'

/** Sizes of the arrays, and the numbers that stay; handed to a thread as it is. */
export interface ColumnTask {
  readonly nbody: number
  readonly nv: number
  /** length of `L` of the factor */
  readonly blocks: number
  /** rows of stiff terms, and their entries */
  readonly rows: number
  readonly entries: number
  /** columns there is room for */
  readonly columns: number
  /** of conjugate gradients */
  readonly tolerance: number
  readonly patience: number
}

export type ColumnMemory = ReturnType<typeof viewMemory>

// places in `counts`: whether A takes iterations, rows of stiff terms
const ITERATIVE = 0
const ROWS = 1

export function columnTask({ model: m, terms }: System, tolerance: number, patience: number, columns: number): ColumnTask {
  const { nbody, nv } = m
  const rows = terms.stiffness.length
  return { nbody, nv, blocks: m.id[nbody], rows, entries: terms.body.length, columns, tolerance, patience }
}

/** Bytes that all arrays of a task take. */
export function memorySize(t: ColumnTask): number {
  const doubles = 43 * t.nbody + 16 * t.nv + t.blocks + 6 * t.entries + t.rows + 1 + t.columns * t.nv
  const integers = 3 * t.nbody + 2 + t.rows + 1 + t.entries + 2
  return 8 * doubles + 4 * integers
}

/** The arrays, one after the other in one buffer. */
export function viewMemory(t: ColumnTask, buffer: SharedArrayBuffer) {
  const { nbody, nv } = t
  let o = 0
  const doubles = (n: number): Vec => {
    o += 8 * n
    return new Float64Array(buffer, o - 8 * n, n)
  }
  const integers = (n: number): Int32Array => {
    o += 4 * n
    return new Int32Array(buffer, o - 4 * n, n)
  }
  return {
    inertia: doubles(10 * nbody),
    armature: doubles(nv),
    X_PB: doubles(12 * nbody),
    S: doubles(6 * nv),
    W: doubles(6 * nv),
    L: doubles(t.blocks),
    bodyDamping: doubles(21 * nbody),
    jointDamping: doubles(nv),
    jointStiffness: doubles(nv),
    weight: doubles(t.rows),
    J: doubles(6 * t.entries),
    h: doubles(1),
    /** rows of G, dense */
    G: doubles(t.columns * nv),
    parent: integers(nbody),
    iv: integers(nbody + 1),
    id: integers(nbody + 1),
    start: integers(t.rows + 1),
    body: integers(t.entries),
    counts: integers(2),
  }
}

/** What stays for good. */
export function writeModel(to: ColumnMemory, { inertia, armature, parent, iv, id }: Model): void {
  to.inertia.set(inertia)
  to.armature.set(armature)
  to.parent.set(parent)
  to.iv.set(iv)
  to.id.set(id)
}

/** What is of this solve; `iterative`: the factor is that of the preconditioner. */
export function writeMatrix(to: ColumnMemory, s: System, factor: ImplicitFactor, iterative: boolean): void {
  const { terms, weight } = s
  to.X_PB.set(factor.X_PB)
  to.S.set(factor.S)
  to.W.set(factor.W)
  to.L.set(factor.L)
  to.counts[ITERATIVE] = iterative ? 1 : 0
  if (!iterative) return
  to.h[0] = s.h
  to.bodyDamping.set(terms.bodyDamping)
  to.jointDamping.set(terms.jointDamping)
  to.jointStiffness.set(terms.jointStiffness)
  const { count, start, body, J } = terms
  to.counts[ROWS] = count
  for (let r = 0; r < count; r++) to.weight[r] = weight[r]
  for (let r = 0; r <= count; r++) to.start[r] = start[r]
  for (let e = 0; e < start[count]; e++) to.body[e] = body[e]
  for (let e = 0; e < 6 * start[count]; e++) to.J[e] = J[e]
}

/** in place of iterations: not solved */
export const FAILED = -1

/**
 * The other end: a function that writes A⁻¹ G_k to x, and returns how many iterations that took or `FAILED`. `isStale` is asked in
 * between whether someone still waits for it.
 */
export function createColumnSolver(t: ColumnTask, memory: ColumnMemory, isStale: () => boolean): (x: Vec, k: number) => number {
  const { nbody, nv } = t
  const { X_PB, S, W, L, inertia, armature, parent, iv, id, jointStiffness, jointDamping, bodyDamping, start, body, J, weight } = memory
  const tree: SolvedTree = { nbody, parent, iv, id }
  const factor: SolveFactor = { X_PB, S, W, L, p: new Float64Array(6 * nbody), a: new Float64Array(6 * nbody) }
  const product = {
    model: { nbody, nv, parent, iv, inertia, armature },
    data: { X_PB, S, u: new Float64Array(nv) },
    terms: { jointStiffness, jointDamping, bodyDamping, count: 0, start, body, J },
    h: 0,
    weight,
    y: new Float64Array(6 * nbody),
    F: new Float64Array(6 * nbody),
    wrench: new Float64Array(6),
  } satisfies Product
  const work = createPcg(nv)
  const operator = {
    apply(out: Vec, x: Vec): void {
      applyProduct(product, out, x)
      // not a number ends the iteration
      if (isStale()) out.fill(Number.NaN)
    },
    precondition: (out: Vec, r: Vec): void => solveImplicit(tree, factor, out, 0, r, 0),
  }
  const b = new Float64Array(nv)
  return (x, k) => {
    for (let i = 0; i < nv; i++) b[i] = memory.G[k * nv + i]
    if (memory.counts[ITERATIVE] === 0) {
      solveImplicit(tree, factor, x, 0, b, 0)
      return 1
    }
    product.h = memory.h[0]
    product.terms.count = memory.counts[ROWS]
    x.fill(0)
    const { status, iterations } = pcg(work, operator, b, x, t.tolerance, t.patience)
    return status === 'converged' ? iterations : FAILED
  }
}
