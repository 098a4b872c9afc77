/** Factorisations, solves and iterations of linalg, and the solvers of contact problems. */
import { createConeSolver, solveCone } from '../../../src/contact/solve/cone-newton.js'
import {
  type Complementarity,
  createComplementarity,
  projectedGaussSeidel,
  resetRows,
  setBounds,
  setFriction,
} from '../../../src/contact/solve/lcp.js'
import { createPivotSolver, solvePivoting } from '../../../src/contact/solve/lcp-pivot.js'
import { luFactor, luSolve } from '../../../src/linalg/dense/lu.js'
import { contradiction, createPivotedLdl, factorPivoted, solvePivoted } from '../../../src/linalg/dense/pivoted-ldl.js'
import { createGmres, gmres } from '../../../src/linalg/iterative/gmres.js'
import { createPcg, pcg } from '../../../src/linalg/iterative/pcg.js'
import { randomPositive } from '../../linalg/random-positive.js'
import { createRandom } from '../../random.js'
import { type AllocationCase, callsByName } from '../allocation-case.js'

const TIMES = 200

/** Random rows, as contacts with friction or as mixed boxes. */
function problem(n: number, width: number, contacts: boolean): Complementarity {
  const random = createRandom(4).unit
  const G = Array.from({ length: n }, () => Array.from({ length: width }, () => 2 * random() - 1))
  const p = createComplementarity(n)
  resetRows(p, n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) p.D[i * n + j] = G[i].reduce((s, v, k) => s + v * G[j][k], 0)
    p.r[i] = 2 * random() - 1
  }
  for (let i = 0; i < n; i += 3) {
    setBounds(p, i, 0, Number.POSITIVE_INFINITY)
    if (!contacts) continue
    setFriction(p, i + 1, i, 0.5)
    setFriction(p, i + 2, i, 0.5)
  }
  return p
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
    cone: createConeSolver(30),
    pivot: createPivotSolver(30),
  }
  const friction = problem(30, 40, true)
  const box = problem(30, 40, false)
  const dense = problem(12, 9, false).D
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
    projectedGaussSeidel: () => {
      friction.lambda.fill(0)
      projectedGaussSeidel(friction, 1e-8, 20)
    },
    solvePivoting: () => {
      box.lambda.fill(0)
      solvePivoting(work.pivot, box)
    },
    'solvePivoting with friction': () => {
      friction.lambda.fill(0)
      solvePivoting(work.pivot, friction)
    },
    solveCone: () => {
      friction.lambda.fill(0)
      solveCone(work.cone, friction, 1e-10)
    },
  }
  return callsByName(calls, TIMES)
}
