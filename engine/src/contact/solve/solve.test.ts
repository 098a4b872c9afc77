/**
 * The convex contact problem alone, on random forests and blocks: its projections by finite differences, its minimum from any start, the factors of
 * islands against dense ones, rigid limits in closed form.
 */
import { describe, expect, it } from 'vitest'
import { fillBlocks, randomBlock, randomForest } from '../../../test/contact/random-problem.js'
import { createRandom } from '../../../test/random.js'
import { createContactArena } from '../arena.js'
import { project } from './cones.js'
import { createForestMatrix } from './forest-matrix.js'
import { addBlock, CONE, type ConvexProblem, createConvexProblem, EQUALITY, INTERVAL, NEWTON, ROUNDS, ROWS, STILL } from './problem.js'
import { createConvexSolver, solveConvex } from './solve.js'

// of cost and velocity differences, which have half the digits
const DIFFERENCES = 1e-6
const SAME = 1e-8

/** The cost of the problem at x, from its definition. */
function cost(s: { problem: ConvexProblem; dense: number[][] }, x: Float64Array): number {
  const { problem: p, dense } = s
  let sum = 0
  for (let i = 0; i < p.n; i++) {
    for (let j = 0; j < p.n; j++) sum += 0.5 * x[i] * dense[i][j] * x[j]
    sum -= p.b[i] * x[i]
  }
  p.w.set(p.c)
  for (let b = 0; b < p.count; b++) {
    for (let r = 0; r < p.dim[b]; r++) {
      for (let e = 0; e < p.width[b]; e++) p.w[ROWS * b + r] += p.J[p.entry[b] + r * p.width[b] + e] * x[p.column[p.first[b] + e]]
    }
  }
  p.branch.fill(-1)
  for (let k = 0; k < p.islands; k++) project(p, k)
  for (let b = 0; b < p.count; b++) {
    for (let r = 0; r < p.dim[b]; r++) {
      const [R, o] = [r === 0 ? p.Rn[b] : p.Rt[b], ROWS * b + r]
      // ½ γᵀ R γ of cones, where γ is at right angles to y − γ
      sum += R * p.gamma[o] * (p.hat[o] - p.w[o] / R - 0.5 * p.gamma[o])
    }
  }
  return sum
}

describe('the convex contact problem', () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    it(`has impulses that are the slope of its cost, and G that of its impulses (seed ${seed})`, () => {
      const s = randomForest(seed, [5, 3, 6])
      const { problem: p } = s
      fillBlocks(p, seed + 100, true)
      solveConvex(s)
      const next = createRandom(seed + 200).unit
      for (let trial = 0; trial < 20; trial++) {
        const x = Float64Array.from({ length: p.n }, () => 6 * (next() - 0.5))
        const way = Float64Array.from({ length: p.n }, () => next() - 0.5)
        const at = (share: number): Float64Array => x.map((value, i) => value + share * way[i])
        const h = 1e-5
        const slope = (cost(s, at(h)) - cost(s, at(-h))) / (2 * h)
        const impulses = (share: number): Float64Array => {
          cost(s, at(share))
          return p.gamma.slice(0, ROWS * p.count)
        }
        const [below, above] = [impulses(-h), impulses(h)]
        const here = impulses(0)
        let expected = 0
        for (let i = 0; i < p.n; i++) for (let j = 0; j < p.n; j++) expected += way[i] * s.dense[i][j] * x[j]
        for (let i = 0; i < p.n; i++) expected -= way[i] * p.b[i]
        for (let b = 0; b < p.count; b++) {
          const rate = (r: number): number => {
            let sum = 0
            for (let e = 0; e < p.width[b]; e++) sum += p.J[p.entry[b] + r * p.width[b] + e] * way[p.column[p.first[b] + e]]
            return sum
          }
          for (let r = 0; r < p.dim[b]; r++) {
            expected -= here[ROWS * b + r] * rate(r)
            let change = 0
            for (let q = 0; q < p.dim[b]; q++) change -= p.G[ROWS * ROWS * b + ROWS * r + q] * rate(q)
            // a branch may change between the two ends, by a jump of G and no more than h of it
            expect(Math.abs((above[ROWS * b + r] - below[ROWS * b + r]) / (2 * h) - change)).toBeLessThan(1e-3 * (1 + Math.abs(change)))
          }
        }
        expect(Math.abs(slope - expected)).toBeLessThan(DIFFERENCES * (1 + Math.abs(slope)))
      }
    })

    it(`has one minimum, from any start, with a cost that no neighbour beats (seed ${seed})`, () => {
      const s = randomForest(seed, [6, 1, 4, 6, 2])
      const { problem: p } = s
      fillBlocks(p, seed + 300, true)
      expect(solveConvex(s)).toBe(true)
      const x = p.x.slice()
      const least = cost(s, x)
      const next = createRandom(seed + 400).unit
      for (let trial = 0; trial < 50; trial++) {
        const near = x.map((value) => value + 1e-3 * (next() - 0.5))
        expect(cost(s, near)).toBeGreaterThan(least)
      }
      for (let i = 0; i < p.n; i++) p.x[i] = 20 * (next() - 0.5)
      expect(solveConvex(s)).toBe(true)
      for (let i = 0; i < p.n; i++) expect(Math.abs(p.x[i] - x[i])).toBeLessThan(SAME)
    })

    it(`is rigid where blocks are: points that hit and slide on each other obey Coulomb's law (seed ${seed})`, () => {
      const points = 6
      const start = Int32Array.from({ length: points + 1 }, (_, t) => 3 * t)
      const unknowns = { n: 3 * points, start, treeOf: Int32Array.from({ length: 3 * points }, (_, i) => Math.floor(i / 3)) }
      const arena = createContactArena()
      const matrix = createForestMatrix(
        unknowns,
        Int32Array.from({ length: unknowns.n }, (_, i) => i),
        arena,
      )
      const random = createRandom(seed + 500)
      const mass = Float64Array.from({ length: points }, () => random.between(0.5, 5))
      const p = createConvexProblem(unknowns, mass, arena)
      for (let i = 0; i < p.n; i++) {
        matrix.A.value[matrix.A.row[i] + i] = mass[Math.floor(i / 3)]
        p.b[i] = mass[Math.floor(i / 3)] * random.spread(1)
      }
      const s = createConvexSolver(p, matrix)
      s.problem.number[STILL] = 1e-6
      for (let k = 0; k < 5; k++) {
        const n = random.axis()
        const t = random.axis()
        const dot = n[0] * t[0] + n[1] * t[1] + n[2] * t[2]
        const across = t.map((x, r) => x - dot * n[r])
        const size = Math.hypot(...across)
        const u = across.map((x) => x / size)
        const v = [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]]
        const b = addBlock(p, CONE, 3, 6)
        p.column.set(
          [0, 1, 2, 3, 4, 5].map((e) => 3 * k + e),
          p.first[b],
        )
        ;[n, u, v].forEach((row, r) => {
          p.J.set([...row.map((x) => -x), ...row], p.entry[b] + 6 * r)
        })
        p.mu[b] = random.between(0.2, 0.8)
        p.mobility[b] = 1 / mass[k] + 1 / mass[k + 1]
        p.Rn[b] = 1e-3 * p.mobility[b]
        p.Rt[b] = p.Rn[b]
      }
      expect(solveConvex(s)).toBe(true)
      expect(s.miss).toBeLessThan(1e-5)
      expect([...p.gamma].some((x) => x !== 0)).toBe(true)
    })

    it(`holds equalities exactly, one of them said twice (seed ${seed})`, () => {
      const s = randomForest(seed, [6, 5])
      const { problem: p } = s
      fillBlocks(p, seed + 600, true)
      const next = createRandom(seed + 700).unit
      const a = randomBlock(p, EQUALITY, 1, next)
      const again = addBlock(p, EQUALITY, 1, p.width[a])
      for (let e = 0; e < p.width[a]; e++) {
        p.column[p.first[again] + e] = p.column[p.first[a] + e]
        p.J[p.entry[again] + e] = 2 * p.J[p.entry[a] + e]
      }
      p.c[ROWS * again] = 2 * p.c[ROWS * a]
      expect(solveConvex(s)).toBe(true)
      expect(Math.abs(p.w[ROWS * a])).toBeLessThan(1e-12)
      expect(Math.abs(p.w[ROWS * again])).toBeLessThan(1e-12)
      // A x − b − Jᵀ γ = 0 with the impulses of all blocks
      for (let i = 0; i < p.n; i++) {
        let sum = -p.b[i]
        for (let j = 0; j < p.n; j++) sum += s.dense[i][j] * p.x[j]
        for (let b = 0; b < p.count; b++) {
          for (let e = 0; e < p.width[b]; e++) {
            if (p.column[p.first[b] + e] !== i) continue
            for (let r = 0; r < p.dim[b]; r++) sum -= p.gamma[ROWS * b + r] * p.J[p.entry[b] + r * p.width[b] + e]
          }
        }
        expect(Math.abs(sum)).toBeLessThan(1e-6)
      }
    })
  }

  it('lets a point slide and stop as Coulomb says: v = v₀ − μ g h, and at rest it needs no second round', () => {
    const unknowns = { n: 3, start: Int32Array.of(0, 3), treeOf: new Int32Array(3) }
    const arena = createContactArena()
    const matrix = createForestMatrix(unknowns, new Int32Array(3), arena)
    const [mass, h, mu] = [2, 0.01, 0.5]
    for (let i = 0; i < 3; i++) matrix.A.value[matrix.A.row[i] + i] = mass
    const p = createConvexProblem(unknowns, Float64Array.of(mass), arena)
    const s = createConvexSolver(p, matrix)
    s.problem.number[STILL] = 1e-9
    const b = addBlock(p, CONE, 3, 3)
    p.column.set([0, 1, 2], p.first[b])
    // normal along z, friction along x and y
    p.J.set([0, 0, 1, 1, 0, 0, 0, 1, 0], p.entry[b])
    p.mu[b] = mu
    p.mobility[b] = 1 / mass
    let v = [1, 0, 0]
    for (let step = 0; step < 30; step++) {
      p.Rn[b] = 1e-3 / mass
      p.Rt[b] = 1e-3 / mass
      v.forEach((value, i) => {
        p.b[i] = mass * value
      })
      p.b[2] -= mass * 9.81 * h
      expect(solveConvex(s)).toBe(true)
      const expected = Math.max(0, v[0] - mu * 9.81 * h)
      v = [...p.x]
      expect(Math.abs(v[0] - expected)).toBeLessThan(1e-8)
      expect(Math.abs(v[2])).toBeLessThan(1e-6)
      for (let r = 0; r < 3; r++) p.hat[r] = p.gamma[r]
    }
    expect(v[0]).toBeLessThan(1e-6)
    expect(p.counts[ROUNDS]).toBe(1)
  })

  // the second point begins to push where the first round ends: the factor without it does not serve the rounds that follow
  it('takes two points at rest on each other in few iterations, from rest', () => {
    const unknowns = { n: 2, start: Int32Array.of(0, 1, 2), treeOf: Int32Array.of(0, 1) }
    const arena = createContactArena()
    const matrix = createForestMatrix(unknowns, Int32Array.of(0, 1), arena)
    const [mass, impulse] = [1, 9.81 * 0.005]
    for (let i = 0; i < 2; i++) matrix.A.value[matrix.A.row[i] + i] = mass
    const p = createConvexProblem(unknowns, Float64Array.of(mass, mass), arena)
    const s = createConvexSolver(p, matrix)
    p.number[STILL] = 1e-10 * impulse
    const onFloor = addBlock(p, INTERVAL, 1, 1)
    p.column.set([0], p.first[onFloor])
    p.J.set([1], p.entry[onFloor])
    const onTop = addBlock(p, INTERVAL, 1, 2)
    p.column.set([0, 1], p.first[onTop])
    p.J.set([-1, 1], p.entry[onTop])
    p.mobility.set([1 / mass, 2 / mass])
    for (const b of [onFloor, onTop]) p.Rn[b] = 1e-3 * p.mobility[b]
    p.b.fill(-mass * impulse)
    p.x.fill(0)
    expect(solveConvex(s)).toBe(true)
    expect(p.counts[NEWTON]).toBeLessThan(12)
    expect(Math.abs(p.gamma[ROWS * onFloor] - 2 * mass * impulse)).toBeLessThan(1e-9)
    expect(Math.abs(p.gamma[ROWS * onTop] - mass * impulse)).toBeLessThan(1e-9)
    for (const v of p.x) expect(Math.abs(v)).toBeLessThan(1e-9)
  })
})
