/** Factorisations, solves and iterations of linalg, and the solvers of contact problems. */
import { createForestMatrix } from '../../../src/contact/solve/forest-matrix.js'
import { addBlock, CONE, createConvexProblem, EQUALITY, INTERVAL, ROWS } from '../../../src/contact/solve/problem.js'
import { type ConvexSolver, createConvexSolver, solveConvex } from '../../../src/contact/solve/solve.js'
import { luFactor, luSolve } from '../../../src/linalg/dense/lu.js'
import { contradiction, createPivotedLdl, factorPivoted, solvePivoted } from '../../../src/linalg/dense/pivoted-ldl.js'
import { createGmres, gmres } from '../../../src/linalg/iterative/gmres.js'
import { createPcg, pcg } from '../../../src/linalg/iterative/pcg.js'
import { randomPositive } from '../../linalg/random-positive.js'
import { createRandom } from '../../random.js'
import { type AllocationCase, callsByName } from '../allocation-case.js'

const TIMES = 200

/** Bodies of six unknowns in a row, each held to the next, and some to the ground, by contacts with friction, bounded rows and now and then a loop. */
function contactProblem(bodies: number, rigid: boolean): ConvexSolver {
  const random = createRandom(4)
  const n = 6 * bodies
  const unknowns = {
    n,
    start: Int32Array.from({ length: bodies + 1 }, (_, t) => 6 * t),
    treeOf: Int32Array.from({ length: n }, (_, i) => Math.floor(i / 6)),
  }
  const matrix = createForestMatrix(
    unknowns,
    unknowns.treeOf.map((t) => 6 * t),
  )
  for (let i = 0; i < n; i++) {
    for (let j = 6 * unknowns.treeOf[i]; j <= i; j++) matrix.A.value[matrix.A.at[i] + j] = i === j ? 3 : random.spread(0.3)
  }
  const p = createConvexProblem(unknowns)
  p.b.set(random.array(n, 2))
  for (let t = 0; t < bodies; t++) {
    const width = t % 3 === 0 ? 6 : Math.min(12, n - 6 * t)
    const kinds = t % 4 === 3 ? [CONE, INTERVAL, EQUALITY] : [CONE, CONE, INTERVAL]
    for (const kind of kinds) {
      const dim = kind === CONE ? [3, 4, 6][t % 3] : 1
      const k = addBlock(p, kind, dim, width)
      for (let e = 0; e < width; e++) p.column[p.first[k] + e] = 6 * t + e
      p.J.set(random.array(dim * width, 1), p.entry[k])
      for (let r = 0; r < dim; r++) p.c[ROWS * k + r] = random.unit() - 0.7
      p.rigid[k] = rigid ? 1 : 0
      p.mobility[k] = 1
      p.Rn[k] = 0.1 + random.unit()
      p.Rt[k] = 0.1 + random.unit()
      p.mu[k] = 0.2 + 0.3 * random.unit()
    }
  }
  const solver = createConvexSolver(p, matrix, new Float64Array(bodies).fill(1))
  solver.speed.still = 1e-9
  return solver
}

/** From nothing, every time. */
function solveAnew(s: ConvexSolver): void {
  const { problem: p } = s
  p.x.fill(0)
  p.hat.fill(0)
  p.lift.fill(0)
  solveConvex(s)
  if (p.counts.newton === 0) throw new Error('nothing was solved')
}

export function linalgCases(): AllocationCase[] {
  const matrix = randomPositive(200, 40, 1)
  const N = matrix.n
  const random = createRandom(3).unit
  const b = Float64Array.from({ length: N }, () => random() - 0.5)
  const x = new Float64Array(N)
  const sum = new Float64Array(1)
  const operator = {
    apply: (out: Float64Array, v: Float64Array) => matrix.multiply(out, v),
    precondition: (out: Float64Array, r: Float64Array) => {
      for (let i = 0; i < N; i++) out[i] = r[i]
    },
  }
  const work = {
    pcg: createPcg(N),
    gmres: createGmres(N, 10),
    pivoted: createPivotedLdl(12),
  }
  const rigid = contactProblem(12, true)
  const soft = contactProblem(12, false)
  // twelve rows of nine unknowns: three depend on the others
  const G = Array.from({ length: 12 }, () => Array.from({ length: 9 }, () => 2 * random() - 1))
  const dense = Float64Array.from({ length: 144 }, (_, e) => G[Math.floor(e / 12)].reduce((sum, v, k) => sum + v * G[e % 12][k], 0))
  const scratch = new Float64Array(144)
  const rows = new Int32Array(12)

  const calls = {
    pcg: () => {
      x.fill(0)
      pcg(work.pcg, operator, b, x, 1e-8, 50)
    },
    gmres: () => {
      x.fill(0)
      gmres(work.gmres, operator, b, x, 1e-8, 30)
    },
    lu: () => {
      for (let i = 0; i < 144; i++) scratch[i] = dense[i] + (i % 13 === 0 ? 1 : 0)
      luFactor(scratch, 0, 12, rows)
      luSolve(scratch, 0, 12, rows, x, 0, b, 0)
    },
    'pivoted LDLᵀ': () => {
      factorPivoted(work.pivoted, dense, 0, 12)
      solvePivoted(work.pivoted, x, 0, b, 0)
      contradiction(work.pivoted, dense, 0, x, 0, b, 0, sum)
    },
    'solveConvex, rigid': () => solveAnew(rigid),
    'solveConvex, soft': () => solveAnew(soft),
  }
  return callsByName(calls, TIMES)
}
