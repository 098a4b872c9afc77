import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../test/random.js'
import { coneGaussSeidel, createConeWork, measureCone } from './cone.js'
import { createConeSolver, solveCone } from './cone-newton.js'
import { type Complementarity, createComplementarity, measureBox, projectedGaussSeidel, resetRows, setBounds, setFriction } from './lcp.js'
import { createPivotSolver, solvePivoting } from './lcp-pivot.js'

/** D = G Gᵀ from n random rows of the given width, r random. */
function randomProblem(n: number, width: number, seed: number): Complementarity {
  const random = createRandom(seed).unit
  const G = Array.from({ length: n }, () => Array.from({ length: width }, () => 2 * random() - 1))
  return problem(
    G,
    Array.from({ length: n }, () => 2 * random() - 1),
  )
}

function problem(G: number[][], r: number[]): Complementarity {
  const n = G.length
  const p = createComplementarity(n)
  resetRows(p, n)
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) p.D[i * n + j] = G[i].reduce((s, v, k) => s + v * G[j][k], 0)
  p.r.set(r)
  return p
}

/** Every third row an equality, every third a limit, every third of limited strength. */
function mixBounds(p: Complementarity): void {
  for (let i = 0; i < p.n; i++) {
    if (i % 3 === 1) setBounds(p, i, 0, Infinity)
    if (i % 3 === 2) setBounds(p, i, -0.05, 0.08)
  }
}

/** Contacts of three rows each: normal, two tangents. */
function asContacts(p: Complementarity, mu: number): void {
  for (let i = 0; i < p.n; i += 3) {
    setBounds(p, i, 0, Infinity)
    setFriction(p, i + 1, i, mu)
    setFriction(p, i + 2, i, mu)
  }
}

function expectComplementary(p: Complementarity, tolerance: number): void {
  measureBox(p)
  for (let i = 0; i < p.n; i++) {
    const row = p.normal[i]
    const hi = row < 0 ? p.hi[i] : p.mu[i] * p.lambda[row]
    const lo = row < 0 ? p.lo[i] : -hi
    expect(p.lambda[i]).toBeGreaterThanOrEqual(lo - tolerance)
    expect(p.lambda[i]).toBeLessThanOrEqual(hi + tolerance)
    if (p.lambda[i] > lo + tolerance) expect(p.w[i]).toBeLessThan(tolerance)
    if (p.lambda[i] < hi - tolerance) expect(p.w[i]).toBeGreaterThan(-tolerance)
  }
}

const difference = (a: Float64Array, b: Float64Array) => a.reduce((worst, v, i) => Math.max(worst, Math.abs(v - b[i])), 0)

describe('a gap that is far', () => {
  test.each([
    ['cone', (p: Complementarity) => solveCone(createConeSolver(p.n), p)],
    ['pivoting', (p: Complementarity) => solvePivoting(createPivotSolver(p.n), p)],
    ['sweeps', (p: Complementarity) => projectedGaussSeidel(p, 1e-9, 10_000)],
  ])('does not hide that what touches is not solved: %s', (_name, solve) => {
    // as in a step of 1e-6 s: a limit 0.02 rad away, and a contact of a body at rest
    const p = problem(
      [
        [1, 0, 0],
        [0, 1, 0.2],
        [0, 0.2, 1],
      ],
      [2e4, -1e-6, 3e-7],
    )
    for (let i = 0; i < p.n; i++) setBounds(p, i, 0, Infinity)
    solve(p)
    expect(p.lambda[0]).toBe(0)
    expect(p.lambda[1]).toBeCloseTo(1e-6 / 1.04, 12)
    expectComplementary(p, 1e-12)
  })
})

/** One block of mass 1 on an inclined plane at a point: normal, downhill, across; velocities after a step of free fall. */
function slope(angle: number, mu: number): Complementarity {
  const p = problem(
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    [-Math.cos(angle), Math.sin(angle), 0],
  )
  asContacts(p, mu)
  return p
}

describe('pivoting', () => {
  test.each([1, 2, 3, 4, 5, 6])('satisfies complementarity to rounding on mixed rows (seed %i)', (seed) => {
    const p = randomProblem(60, 80, seed)
    mixBounds(p)
    const report = solvePivoting(createPivotSolver(60), p)
    expect(report.status).toBe('solved')
    expectComplementary(p, 1e-10)
  })

  test('solves three hundred unilateral rows in a few factorisations', () => {
    const p = randomProblem(300, 400, 7)
    for (let i = 0; i < 300; i++) setBounds(p, i, 0, Infinity)
    const report = solvePivoting(createPivotSolver(300), p)
    expect(report.status).toBe('solved')
    expect(report.iterations).toBeLessThan(20)
    expectComplementary(p, 1e-9)
  })

  test.each([1, 2, 3])('agrees with projected Gauss–Seidel (seed %i)', (seed) => {
    const p = randomProblem(40, 90, seed)
    mixBounds(p)
    solvePivoting(createPivotSolver(40), p)
    const exact = p.lambda.slice()
    p.lambda.fill(0)
    expect(projectedGaussSeidel(p, 1e-11, 20000).status).toBe('solved')
    expect(difference(p.lambda, exact)).toBeLessThan(1e-8)
  })

  test('a warm start at the solution needs one factorisation', () => {
    const p = randomProblem(50, 70, 8)
    mixBounds(p)
    const s = createPivotSolver(50)
    solvePivoting(s, p)
    expect(solvePivoting(s, p).iterations).toBe(1)
  })

  test.each([1, 2, 3])('solves degenerate problems: more rows than freedoms, repeated rows, zero rows (seed %i)', (seed) => {
    const random = createRandom(seed).unit
    const G = Array.from({ length: 24 }, () => Array.from({ length: 9 }, () => 2 * random() - 1))
    G[5] = G[4]
    G[11] = G[10]
    G[17] = G[17].map(() => 0)
    // r = G v: some velocity that the rows see, so that they do not contradict each other
    const v = Array.from({ length: 9 }, () => 2 * random() - 1)
    const p = problem(
      G,
      G.map((row) => row.reduce((s, a, k) => s + a * v[k], 0)),
    )
    for (let i = 4; i < 24; i++) setBounds(p, i, 0, Infinity)
    expect(solvePivoting(createPivotSolver(24), p).status).toBe('solved')
    expectComplementary(p, 1e-8)
  })

  test('two contacts at the same point share the force evenly', () => {
    const p = problem(
      [
        [1, 0],
        [1, 0],
      ],
      [-3, -3],
    )
    setBounds(p, 0, 0, Infinity)
    setBounds(p, 1, 0, Infinity)
    expect(solvePivoting(createPivotSolver(2), p).status).toBe('solved')
    expect(p.lambda[0]).toBeCloseTo(1.5, 8)
    expect(p.lambda[1]).toBeCloseTo(1.5, 8)
  })

  test('contradictory equalities give a finite answer, the status and a row to blame', () => {
    const p = problem(
      [
        [1, 0],
        [1, 0],
        [0, 1],
      ],
      [1, -1, 2],
    )
    const report = solvePivoting(createPivotSolver(3), p)
    expect(report.status).toBe('approximate')
    expect(report.worst).toBeLessThan(2)
    expect(p.lambda.every(Number.isFinite)).toBe(true)
  })

  test.each([0.1, 0.5, 1])('pyramid friction agrees with Gauss–Seidel for µ = %f', (mu) => {
    const p = randomProblem(30, 60, 9)
    asContacts(p, mu)
    expect(solvePivoting(createPivotSolver(30), p, 1e-9).status).toBe('solved')
    expectComplementary(p, 1e-8)
    const exact = p.lambda.slice()
    p.lambda.fill(0)
    expect(projectedGaussSeidel(p, 1e-10, 20000).status).toBe('solved')
    expect(difference(p.lambda, exact)).toBeLessThan(1e-6)
  })
})

describe('friction cone', () => {
  test('holds a block below the friction angle and lets it slide above, with the force of Coulomb', () => {
    const below = slope(0.4, 0.5)
    expect(solveCone(createConeSolver(3), below).status).toBe('solved')
    expect(below.w[1]).toBeCloseTo(0, 12)
    expect(below.lambda[1]).toBeCloseTo(-Math.sin(0.4), 12)
    const above = slope(0.6, 0.5)
    expect(solveCone(createConeSolver(3), above).status).toBe('solved')
    expect(above.lambda[1]).toBeCloseTo(-0.5 * Math.cos(0.6), 12)
    expect(above.w[1]).toBeCloseTo(Math.sin(0.6) - 0.5 * Math.cos(0.6), 12)
  })

  test('is isotropic where the pyramid is not: a diagonal push meets µ λ_n', () => {
    const p = slope(0, 0.5)
    p.r.set([-1, 3, 4])
    solveCone(createConeSolver(3), p)
    expect(p.lambda[1]).toBeCloseTo(-0.3, 12)
    expect(p.lambda[2]).toBeCloseTo(-0.4, 12)
  })

  test('an elliptic cone slips along the gradient of its rim', () => {
    const p = slope(0, 0.5)
    p.r.set([-1, 3, 4])
    p.mu[2] = 0.2
    expect(solveCone(createConeSolver(3), p).status).toBe('solved')
    const [, x, y] = p.lambda
    expect((x / 0.5) ** 2 + (y / 0.2) ** 2).toBeCloseTo(1, 10)
    // maximum dissipation: w is normal to the rim
    expect((p.w[1] * y) / 0.04).toBeCloseTo((p.w[2] * x) / 0.25, 10)
  })

  test.each([1, 2, 3, 4, 5, 6])('Newton reaches rounding and agrees with block Gauss–Seidel on coupled contacts (seed %i)', (seed) => {
    const p = randomProblem(36, 60, seed)
    asContacts(p, 0.6)
    const report = solveCone(createConeSolver(36), p, 1e-11)
    expect(report.status).toBe('solved')
    const exact = p.lambda.slice()
    p.lambda.fill(0)
    expect(coneGaussSeidel(createConeWork(), p, 1e-10, 20000).status).toBe('solved')
    expect(difference(p.lambda, exact)).toBeLessThan(1e-7)
  })

  test('friction dissipates: its power is never positive, and friction stays in the cone', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const p = randomProblem(30, 40, seed)
      asContacts(p, 0.7)
      solveCone(createConeSolver(30), p)
      for (let i = 0; i < 30; i += 3) {
        expect(p.lambda[i + 1] * p.w[i + 1] + p.lambda[i + 2] * p.w[i + 2]).toBeLessThan(1e-9)
        expect(Math.sqrt(p.lambda[i + 1] ** 2 + p.lambda[i + 2] ** 2)).toBeLessThanOrEqual(0.7 * p.lambda[i] + 1e-9)
      }
    }
  })

  test('a box on four corners, six freedoms for twelve rows, rests without sliding', () => {
    // unit cube, mass 1, inertia 1/6: corner rows in the order normal, two tangents
    const corners = [
      [0.5, 0.5],
      [-0.5, 0.5],
      [-0.5, -0.5],
      [0.5, -0.5],
    ]
    const G: number[][] = []
    const k = Math.sqrt(6)
    for (const [x, y] of corners) {
      const z = -0.5
      G.push([k * y, -k * x, 0, 0, 0, 1], [0, k * z, -k * y, 1, 0, 0], [-k * z, 0, k * x, 0, 1, 0])
    }
    const v = [0, 0, 0, 0.2, 0.1, -1]
    const p = problem(
      G,
      G.map((row) => row.reduce((s, a, j) => s + a * v[j], 0)),
    )
    asContacts(p, 0.5)
    for (const solve of [() => solveCone(createConeSolver(12), p), () => solvePivoting(createPivotSolver(12), p, 1e-9)]) {
      p.lambda.fill(0)
      expect(solve().status).toBe('solved')
      measureCone(p)
      expect(p.w.every((w) => Math.abs(w) < 1e-8)).toBe(true)
      let total = 0
      for (let i = 0; i < 12; i += 3) total += p.lambda[i]
      expect(total).toBeCloseTo(1, 7)
    }
  })

  test('limits, equalities and contacts solve together, and the same input gives the same bits', () => {
    const make = () => {
      const p = randomProblem(33, 45, 12)
      asContacts(p, 0.4)
      // three rows of other kinds at the end
      for (let i = 30; i < 33; i++) p.normal[i] = -1
      setBounds(p, 30, -Infinity, Infinity)
      setBounds(p, 31, 0, Infinity)
      setBounds(p, 32, -0.1, 0.1)
      return p
    }
    const [a, b] = [make(), make()]
    expect(solveCone(createConeSolver(33), a, 1e-10).status).toBe('solved')
    solveCone(createConeSolver(40), b, 1e-10)
    expect(Math.abs(a.w[30])).toBeLessThan(1e-9)
    expect(a.lambda).toEqual(b.lambda)
    // a warm start at the solution is left alone
    const before = a.lambda.slice()
    expect(solveCone(createConeSolver(33), a, 1e-10).iterations).toBe(0)
    expect(a.lambda).toEqual(before)
  })

  test('without friction the cone and the pyramid are the frictionless contact', () => {
    const p = randomProblem(30, 40, 13)
    asContacts(p, 0)
    solveCone(createConeSolver(30), p)
    const cone = p.lambda.slice()
    p.lambda.fill(0)
    solvePivoting(createPivotSolver(30), p)
    expect(difference(cone, p.lambda)).toBeLessThan(1e-8)
    for (let i = 0; i < 30; i++) if (i % 3 !== 0) expect(Math.abs(cone[i])).toBe(0)
  })
})
