/** Random contact problems: forests with matrices of their sparsity, and blocks over them. */
import { createContactArena } from '../../src/contact/arena.js'
import { createForestMatrix } from '../../src/contact/solve/forest-matrix.js'
import { addBlock, CONE, createConvexProblem, INTERVAL, type PlacedProblem, ROWS, STILL } from '../../src/contact/solve/problem.js'
import { type ConvexSolver, createConvexSolver } from '../../src/contact/solve/solve.js'
import { createRandom } from '../random.js'

/** Trees of random sizes, each with a random positive definite matrix of its sparsity (parents of unknowns chosen at random). */
export function randomForest(seed: number, sizes: readonly number[]): ConvexSolver & { dense: number[][] } {
  const next = createRandom(seed).unit
  const start = new Int32Array(sizes.length + 1)
  sizes.forEach((size, t) => {
    start[t + 1] = start[t] + size
  })
  const n = start[sizes.length]
  const treeOf = new Int32Array(n)
  const first = new Int32Array(n)
  sizes.forEach((size, t) => {
    for (let i = start[t]; i < start[t] + size; i++) {
      treeOf[i] = t
      // subtrees nest: a row reaches back to the start of one that ended just before it
      let reach = i
      while (reach > start[t] && next() < 0.7) reach = first[reach - 1]
      first[i] = reach
    }
  })
  const unknowns = { n, start, treeOf }
  const arena = createContactArena()
  const matrix = createForestMatrix(unknowns, first, arena)
  const dense = Array.from({ length: n }, () => new Array<number>(n).fill(0))
  for (let i = 0; i < n; i++) {
    for (let j = first[i]; j <= i; j++) {
      const value = i === j ? 3 + next() + (i - first[i]) : next() - 0.5
      matrix.A.value[matrix.A.row[i] + j] = value
      dense[i][j] = value
      dense[j][i] = value
    }
  }
  const problem = createConvexProblem(unknowns, new Float64Array(sizes.length).fill(1), arena)
  for (let i = 0; i < n; i++) problem.b[i] = 4 * (next() - 0.5)
  const solver = createConvexSolver(problem, matrix)
  solver.problem.number[STILL] = 1e-9
  return Object.assign(solver, { dense })
}

/** A block over random unknowns of up to two trees, ascending. */
export function randomBlock(p: PlacedProblem, kind: number, dim: number, next: () => number): number {
  const trees = p.start.length - 1
  const chosen = new Set([Math.floor(next() * trees), Math.floor(next() * trees)])
  const columns = [...Array(p.n).keys()].filter((i) => chosen.has(p.treeOf[i]) && next() < 0.7)
  if (columns.length === 0) columns.push(0)
  const b = addBlock(p, kind, dim, columns.length)
  p.column.set(columns, p.first[b])
  for (let e = 0; e < dim * columns.length; e++) p.J[p.entry[b] + e] = 2 * next() - 1
  for (let r = 0; r < dim; r++) p.c[ROWS * b + r] = next() - 0.7
  p.mobility[b] = 1
  p.Rn[b] = 0.1 + next()
  p.Rt[b] = 0.1 + next()
  p.mu[b] = 0.2 + 0.3 * next()
  return b
}

/** Contacts of all kinds, limits and dry friction. */
export function fillBlocks(p: PlacedProblem, seed: number, soft: boolean): void {
  const next = createRandom(seed).unit
  for (let k = 0; k < 8; k++) {
    const b = randomBlock(p, CONE, [2, 3, 3, 4, 6][k % 5], next)
    p.rigid[b] = soft ? 0 : 1
  }
  for (let k = 0; k < 4; k++) {
    const b = randomBlock(p, INTERVAL, 1, next)
    p.rigid[b] = soft ? 0 : 1
    if (k > 1) {
      p.hi[b] = 0.2
      p.lo[b] = -0.2
    }
  }
}
