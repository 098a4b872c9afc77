/** Factorisations, solves and iterations of linalg, and the solvers of contact problems. */
import { type ConvexProblem, EQUALITY } from '../../../src/contact/solve/problem.js'
import { solveConvex } from '../../../src/contact/solve/solve.js'
import { luFactor, luSolve } from '../../../src/linalg/dense/lu.js'
import { contradiction, createPivotedLdl, factorPivoted, solvePivoted } from '../../../src/linalg/dense/pivoted-ldl.js'
import { createGmres, gmres } from '../../../src/linalg/iterative/gmres.js'
import { createPcg, pcg } from '../../../src/linalg/iterative/pcg.js'
import { fillBlocks, randomBlock, randomForest } from '../../contact/random-problem.js'
import { randomPositive } from '../../linalg/random-positive.js'
import { createRandom } from '../../random.js'
import { type AllocationCase, callsByName } from '../allocation-case.js'

const TIMES = 200

/** Solves of one random contact problem from rest, with so many rows that hold exactly. */
function solves(sizes: readonly number[], soft: boolean, equalities: number): () => void {
  const solver = randomForest(4, sizes)
  const { problem: p } = solver
  fillBlocks(p, 5, soft)
  const random = createRandom(6).unit
  for (let k = 0; k < equalities; k++) randomBlock(p, EQUALITY, 1, random)
  return () => {
    clearSolution(p)
    if (!solveConvex(solver)) throw new Error('a contact problem was not solved')
  }
}

function clearSolution({ x, hat, lift }: ConvexProblem): void {
  x.fill(0)
  hat.fill(0)
  lift.fill(0)
}

/** G Gᵀ of random n × width numbers: not of full rank where `width` is less than n. */
function randomGram(n: number, width: number): Float64Array {
  const random = createRandom(4).unit
  const G = Array.from({ length: n }, () => Array.from({ length: width }, () => 2 * random() - 1))
  return Float64Array.from({ length: n * n }, (_, e) => G[Math.floor(e / n)].reduce((sum, value, k) => sum + value * G[e % n][k], 0))
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
  const dense = randomGram(12, 9)
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
    'solveConvex, soft blocks': solves([5, 3, 6, 12], true, 0),
    'solveConvex, rigid blocks': solves([5, 3, 6, 12], false, 0),
    'solveConvex with equalities': solves([5, 3, 6, 12], true, 2),
    'solveConvex, many trees': solves(
      Array.from({ length: 30 }, (_, k) => 1 + (k % 6)),
      false,
      2,
    ),
  }
  return callsByName(calls, TIMES)
}
