import { describe, expect, test } from 'vitest'
import { chainWithCables, createRandom, fillQuasiDefinite, grid, randomGraph, randomTree, toDense } from '../../test/linalg/graphs.js'
import { type BlockGraph, createBlockGraph, entryOffset, multiplySymmetric } from './block-graph.js'
import type { OrderingOptions } from './ordering.js'
import { analyzePattern } from './sparse-analysis.js'
import { createSparseLdl, factorize } from './sparse-ldl.js'
import { addInnerProduct, solveBackward, solveForward, solveRefined, solveSparse } from './sparse-solve.js'

/** residual against the size of the matrix and of the solution: a few hundred roundings */
const TOLERANCE = 1e-12

function residual(g: BlockGraph, values: Float64Array, x: Float64Array, b: Float64Array): number {
  const y = new Float64Array(b.length)
  multiplySymmetric(g, values, y, x)
  let worst = 0
  let scale = 0
  for (let i = 0; i < b.length; i++) {
    worst = Math.max(worst, Math.abs(y[i] - b[i]))
    scale = Math.max(scale, Math.abs(b[i]))
  }
  return worst / scale
}

function difference(a: Float64Array, b: Float64Array): number {
  let worst = 0
  for (let i = 0; i < b.length; i++) worst = Math.max(worst, Math.abs(a[i] - b[i]))
  return worst
}

function randomVector(n: number, seed: number): Float64Array {
  const random = createRandom(seed)
  return Float64Array.from({ length: n }, () => 2 * random() - 1)
}

const graphs: [string, BlockGraph][] = [
  ['a grid of 1-blocks', grid(20, 20)],
  ['a grid of 6-blocks', grid(9, 8, 6)],
  ['a chain with cables', chainWithCables(90, 12)],
  ['a random graph with blocks 1…6, seed 1', randomGraph(80, 3, 1)],
  ['a random graph with blocks 1…6, seed 2', randomGraph(80, 5, 2)],
  ['a tree with springs, seed 3', randomTree(300, 30, 3)],
  ['a full matrix of 130 rows, seed 4', randomGraph(40, 200, 4)],
  ['unconnected blocks', createBlockGraph([1, 2, 3, 4, 5, 6], [])],
]

describe.each(graphs)('sparse LDLᵀ on %s', (_, g) => {
  const N = g.start[g.n]
  test.each(['amd', 'natural', 'leaf-to-root'] as const)('solves a quasi-definite system in %s order', (method) => {
    const sign = Int32Array.from({ length: g.n }, (_, i) => (i % 3 === 1 ? -1 : 1))
    const values = fillQuasiDefinite(g, 7, sign)
    const ldl = createSparseLdl(analyzePattern(g, { method }), { signs: sign })
    expect(factorize(ldl, values)).toBe(-1)
    let negative = 0
    for (let i = 0; i < g.n; i++) if (sign[i] < 0) negative += g.size[i]
    expect(ldl.negative).toBe(negative)
    const b = randomVector(N, 8)
    const x = b.slice()
    solveSparse(ldl, x)
    expect(residual(g, values, x, b)).toBeLessThan(TOLERANCE)
  })

  test('solves many right-hand sides as it solves one', () => {
    const values = fillQuasiDefinite(g, 9)
    const ldl = createSparseLdl(analyzePattern(g))
    factorize(ldl, values)
    const stride = N + 3
    const many = randomVector(7 * stride, 10)
    const single = Array.from({ length: 7 }, (_, c) => many.slice(c * stride, c * stride + N))
    solveSparse(ldl, many, 0, 7, stride)
    for (let c = 0; c < 7; c++) {
      solveSparse(ldl, single[c])
      expect(difference(many.subarray(c * stride), single[c])).toBeLessThan(TOLERANCE)
    }
  })

  test('half solves of sparse right-hand sides give xᵀA⁻¹z and A⁻¹x', () => {
    const values = fillQuasiDefinite(g, 11)
    const ldl = createSparseLdl(analyzePattern(g))
    factorize(ldl, values)
    const pick = [[0], [g.n - 1, 2], [1, g.n >> 1]]
    const X = pick.map((nodes, c) => {
      const x = new Float64Array(N)
      const v = randomVector(N, 20 + c)
      for (const i of nodes) for (let a = g.start[i]; a < g.start[i + 1]; a++) x[a] = v[a]
      return x
    })
    const Y = X.map((x, c) => {
      const y = new Float64Array(N).fill(Number.NaN)
      solveForward(ldl, y, 0, x, 0, pick[c])
      return y
    })
    for (let c = 0; c < 3; c++) {
      const z = X[c].slice()
      solveSparse(ldl, z)
      const finished = new Float64Array(N)
      solveBackward(ldl, finished, 0, Y[c], 0)
      expect(difference(finished, z)).toBeLessThan(TOLERANCE)
      for (let d = 0; d < 3; d++) {
        let dot = 0
        for (let i = 0; i < N; i++) dot += z[i] * X[d][i]
        const product = new Float64Array(1)
        addInnerProduct(ldl, product, 0, Y[c], 0, Y[d], 0)
        expect(Math.abs(product[0] - dot)).toBeLessThan(TOLERANCE)
      }
    }
  })

  test('refactorising with other values leaves no trace of the first ones', () => {
    const options: OrderingOptions = {}
    const used = createSparseLdl(analyzePattern(g, options))
    factorize(used, fillQuasiDefinite(g, 12))
    factorize(used, fillQuasiDefinite(g, 13))
    const fresh = createSparseLdl(analyzePattern(g, options))
    factorize(fresh, fillQuasiDefinite(g, 13))
    expect(used.L.every((v, i) => v === fresh.L[i])).toBe(true)
    expect(used.dinv.every((v, i) => v === fresh.dinv[i])).toBe(true)
  })
})

test('nonzeros and flops are those of a dense factorisation when the matrix is full', () => {
  const pairs: number[] = []
  for (let i = 0; i < 12; i++) for (let j = 0; j < i; j++) pairs.push(i, j)
  const analysis = analyzePattern(createBlockGraph(new Int32Array(12).fill(5), pairs))
  expect(analysis.nonzeros).toBe((60 * 61) / 2)
  // Σ m divisions + m (m + 1) multiply-adds over the columns, m = 59 … 0
  let flops = 0
  for (let m = 0; m < 60; m++) flops += m + m * (m + 1)
  expect(analysis.flops).toBe(flops)
})

test('merged fronts store at most twice the nonzeros of L on a tree with springs', () => {
  const analysis = analyzePattern(randomTree(3000, 200, 1, () => 6))
  const ldl = createSparseLdl(analysis)
  expect(ldl.L.length).toBeLessThan(2 * analysis.nonzeros)
})

/** Bodies 0, 2, 4 … of six rows, multiplier 2 i + 1 of five rows between body i and its parent; body 0 hangs on the ground. */
function kkt(
  parents: number[],
  springs: number[],
  seed: number,
): { g: BlockGraph; values: Float64Array; after: Int32Array; signs: Int32Array } {
  const n = parents.length
  const pairs: number[] = []
  for (let i = 0; i < n; i++) {
    pairs.push(2 * i, 2 * i + 1)
    if (parents[i] >= 0) pairs.push(2 * parents[i], 2 * i + 1)
  }
  for (let s = 0; s < springs.length; s += 2) pairs.push(2 * springs[s], 2 * springs[s + 1])
  const g = createBlockGraph(
    Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? 6 : 5)),
    pairs,
  )
  const random = createRandom(seed)
  const values = Float64Array.from({ length: g.value[g.row.length] }, () => 0)
  for (let i = 0; i < n; i++) {
    const m = entryOffset(g, 2 * i, 2 * i)
    for (let a = 0; a < 6; a++) values[m + 7 * a] = 0.1 + random()
    for (const body of parents[i] >= 0 ? [i, parents[i]] : [i]) {
      const high = Math.max(2 * body, 2 * i + 1)
      const o = entryOffset(g, high, Math.min(2 * body, 2 * i + 1))
      for (let a = 0; a < 30; a++) values[o + a] = 2 * random() - 1
    }
  }
  for (let s = 0; s < springs.length; s += 2) {
    // a stiff direction between two bodies: k (e −e)(e −e)ᵀ
    const [i, j] = [Math.max(springs[s], springs[s + 1]), Math.min(springs[s], springs[s + 1])]
    const e = Array.from({ length: 6 }, () => 2 * random() - 1)
    const k = 1e4
    for (let a = 0; a < 6; a++) {
      for (let b = 0; b < 6; b++) {
        values[entryOffset(g, 2 * i, 2 * i) + 6 * a + b] += k * e[a] * e[b]
        values[entryOffset(g, 2 * j, 2 * j) + 6 * a + b] += k * e[a] * e[b]
        values[entryOffset(g, 2 * i, 2 * j) + 6 * a + b] -= k * e[a] * e[b]
      }
    }
  }
  return {
    g,
    values,
    after: Int32Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? -1 : i - 1)),
    signs: Int32Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? 1 : -1)),
  }
}

describe('KKT matrices of trees with joint constraints and springs', () => {
  test.each([1, 2, 3, 4])('factor without pivoting and without ε when each joint follows its body (seed %i)', (seed) => {
    const random = createRandom(seed)
    const n = 200
    const parents = Array.from({ length: n }, (_, i) => (i === 0 ? -1 : Math.floor(i * (seed % 2 ? random() : 0.5 + 0.5 * random()))))
    const springs = Array.from({ length: 60 }, () => Math.floor(random() * n))
    for (let s = 0; s < springs.length; s += 2) if (springs[s] === springs[s + 1]) springs[s] = (springs[s] + 1) % n
    const { g, values, after, signs } = kkt(parents, springs, seed)
    const ldl = createSparseLdl(analyzePattern(g, { after }), { signs })
    expect(factorize(ldl, values)).toBe(-1)
    expect(ldl.negative).toBe(5 * n)
    const b = randomVector(g.start[g.n], 5)
    const x = new Float64Array(b.length)
    solveRefined(ldl, values, x, b, new Float64Array(b.length), 1)
    expect(residual(g, values, x, b)).toBeLessThan(1e-9)
  })

  test('report the multiplier of a joint whose rows are dependent, by its row in A', () => {
    const { g, values, after, signs } = kkt([-1, 0, 1, 2], [], 3)
    // joint 2 (node 5) loses its third row at both bodies
    const bad = g.start[5] + 2
    const own = entryOffset(g, 5, 4)
    for (let b = 0; b < 6; b++) values[own + 12 + b] = 0
    const other = entryOffset(g, 5, 2)
    for (let b = 0; b < 6; b++) values[other + 12 + b] = 0
    expect(factorize(createSparseLdl(analyzePattern(g, { after }), { signs }), values)).toBe(bad)

    // with regularisation the others are solved as if it were not there
    const ldl = createSparseLdl(analyzePattern(g, { after }), { signs, regularization: 1e-8 })
    expect(factorize(ldl, values)).toBe(-1)
    expect(ldl.regularized).toBe(1)
    const b = randomVector(g.start[g.n], 6)
    b[bad] = 0
    const x = new Float64Array(b.length)
    solveRefined(ldl, values, x, b, new Float64Array(b.length), 2)
    expect(residual(g, values, x, b)).toBeLessThan(1e-9)
  })
})

describe('a chain of hinges in maximal coordinates', () => {
  /** Body i: node 2 i, inertia 0.05 and mass (heavy every second one) at its frame; joint i: node 2 i + 1 at that frame, link 1 along x. */
  function chain(n: number, ratio: number, springs: [number, number][], stiffness: number, asNodes: boolean) {
    const size: number[] = Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? 6 : 5))
    const pairs: number[] = []
    for (let i = 0; i < n; i++) pairs.push(2 * i, 2 * i + 1, 2 * Math.max(0, i - 1), 2 * i + 1)
    for (const [a, b] of springs) {
      if (asNodes) pairs.push(size.push(1) - 1, 2 * a, size.length - 1, 2 * b)
      else pairs.push(2 * a, 2 * b)
    }
    const g = createBlockGraph(size, pairs)
    const values = new Float64Array(g.value[g.row.length])
    const random = createRandom(2)
    const kept = [0, 1, 3, 4, 5]
    for (let i = 0; i < n; i++) {
      for (let a = 0; a < 6; a++) values[entryOffset(g, 2 * i, 2 * i) + 7 * a] = (a < 3 ? 0.05 : 1) * (i % 2 === 0 ? 1 : ratio)
      kept.forEach((column, row) => (values[entryOffset(g, 2 * i + 1, 2 * i) + 6 * row + column] = 1))
      if (i === 0) continue
      const angle = 2 * random() - 1
      const [c, s] = [Math.cos(angle), Math.sin(angle)]
      // − (Rᵀ 0 ; −Rᵀ [p] Rᵀ) without the row of the hinge's own rotation
      const X = [
        [c, s, 0, 0, 0, 0],
        [-s, c, 0, 0, 0, 0],
        [0, 0, 1, 0, 0, 0],
        [0, 0, s, c, s, 0],
        [0, 0, c, -s, c, 0],
        [0, -1, 0, 0, 0, 1],
      ]
      kept.forEach((from, row) => X[from].forEach((v, b) => (values[entryOffset(g, 2 * i + 1, 2 * i - 2) + 6 * row + b] = -v)))
    }
    springs.forEach(([a, b], k) => {
      // root of the stiffness times the direction, at both ends
      const e = [0, 1].map(() => Array.from({ length: 6 }, () => Math.sqrt(stiffness) * (2 * random() - 1)))
      if (asNodes) {
        const node = 2 * n + k
        values[entryOffset(g, node, node)] = -1
        for (let q = 0; q < 6; q++) {
          values[entryOffset(g, node, 2 * a) + q] = e[0][q]
          values[entryOffset(g, node, 2 * b) + q] = e[1][q]
        }
        return
      }
      for (const [i, u, j, w] of [[a, e[0], a, e[0]] as const, [b, e[1], b, e[1]] as const, [a, e[0], b, e[1]] as const]) {
        for (let p = 0; p < 6; p++) for (let q = 0; q < 6; q++) values[entryOffset(g, 2 * i, 2 * j) + 6 * p + q] += u[p] * w[q]
      }
    })
    const b = new Float64Array(g.start[g.n])
    for (let i = 0; i < n; i++) for (let a = 3; a < 6; a++) b[g.start[2 * i] + a] = (random() - 0.5) * (i % 2 === 0 ? 1 : ratio)
    const joint = (i: number) => i < 2 * n && i % 2 === 1
    const after = Int32Array.from(size, (_, i) => (joint(i) ? i - 1 : -1))
    const ldl = createSparseLdl(analyzePattern(g, { after }), { signs: Int32Array.from(size, (_, i) => (joint(i) || i >= 2 * n ? -1 : 1)) })
    const bad = factorize(ldl, values)
    const x = new Float64Array(b.length)
    solveRefined(ldl, values, x, b, new Float64Array(b.length), 1)
    const y = new Float64Array(b.length)
    multiplySymmetric(g, values, y, x)
    let parting = 0
    for (let i = 0; i < n; i++) for (let a = g.start[2 * i + 1]; a < g.start[2 * i + 2]; a++) parting = Math.max(parting, Math.abs(y[a]))
    return { bad, parting, velocity: Array.from({ length: n }, (_, i) => x.slice(g.start[2 * i], g.start[2 * i + 1])) }
  }

  test.each([1, 1e8])('joints stay closed to rounding over 1,000 links with mass ratio %f', (ratio) => {
    const { bad, parting } = chain(1000, ratio, [], 0, true)
    expect(bad).toBe(-1)
    expect(parting).toBeLessThan(1e-13)
  })

  test('springs as nodes of their own (−1, √k e) move the bodies as their 6 × 6 blocks do', () => {
    const springs: [number, number][] = [
      [40, 3],
      [59, 20],
      [31, 30],
      [50, 10],
    ]
    const blocks = chain(60, 1, springs, 1e5, false)
    const nodes = chain(60, 1, springs, 1e5, true)
    expect(blocks.bad).toBe(-1)
    expect(nodes.bad).toBe(-1)
    for (let i = 0; i < 60; i++) expect(difference(nodes.velocity[i], blocks.velocity[i])).toBeLessThan(1e-9)
  })
})

test('an empty pattern factorises and solves to nothing', () => {
  const ldl = createSparseLdl(analyzePattern(createBlockGraph([], [])))
  expect(factorize(ldl, new Float64Array(0))).toBe(-1)
  solveSparse(ldl, new Float64Array(0))
  expect(ldl.plan.nfront).toBe(0)
})

describe('bad pivots', () => {
  const g = grid(6, 6, 2)

  test('a singular matrix is reported at the row where elimination finds it, never as NaN', () => {
    // a Laplacian: the last pivot vanishes up to rounding
    const values = new Float64Array(g.value[g.row.length])
    for (let j = 0; j < g.n; j++) {
      for (let k = g.ptr[j] + 1; k < g.ptr[j + 1]; k++) {
        for (let a = 0; a < 2; a++) {
          values[g.value[k] + 3 * a] = -1 / 3
          values[entryOffset(g, j, j) + 3 * a] += 1 / 3
          values[entryOffset(g, g.row[k], g.row[k]) + 3 * a] += 1 / 3
        }
      }
    }
    const ldl = createSparseLdl(analyzePattern(g))
    const row = factorize(ldl, values)
    expect(row).toBeGreaterThanOrEqual(0)
    expect(ldl.plan.place[row]).toBeGreaterThanOrEqual(2 * g.n - 2)
  })

  test('a pivot of the wrong sign is reported when signs are given', () => {
    const values = fillQuasiDefinite(g, 1)
    const o = entryOffset(g, 17, 17)
    values[o + 3] = -values[o + 3]
    const signs = new Int32Array(g.n).fill(1)
    expect(factorize(createSparseLdl(analyzePattern(g), { signs }), values)).toBe(35)
    expect(factorize(createSparseLdl(analyzePattern(g)), values)).toBe(-1)
  })

  test('not-a-number in the values is reported, not spread', () => {
    const values = fillQuasiDefinite(g, 1)
    values[entryOffset(g, 20, 20)] = Number.NaN
    expect(factorize(createSparseLdl(analyzePattern(g), { regularization: 1e-8 }), values)).toBe(40)
  })

  test('the factors reproduce the matrix: P A Pᵀ = L D Lᵀ', () => {
    const h = randomGraph(25, 3, 2)
    const values = fillQuasiDefinite(h, 3)
    const ldl = createSparseLdl(analyzePattern(h))
    factorize(ldl, values)
    const { plan } = ldl
    const N = plan.n
    const L = new Float64Array(N * N)
    for (let f = 0; f < plan.nfront; f++) {
      const k = plan.pivots[f]
      for (let j = 0; j < k; j++) {
        const c = plan.column[f] + j
        L[c * N + c] = 1
        for (let i = j + 1; i < k; i++) L[(plan.column[f] + i) * N + c] = ldl.L[plan.panel[f] + i * k + j]
        for (let r = 0; r < plan.below[f]; r++) L[plan.rows[plan.rowPtr[f] + r] * N + c] = ldl.L[plan.panel[f] + (k + r) * k + j]
      }
    }
    const A = toDense(h, values)
    let worst = 0
    for (let i = 0; i < N; i++) {
      for (let j = 0; j < N; j++) {
        const [p, q] = [plan.place[i], plan.place[j]]
        let s = 0
        for (let c = 0; c <= Math.min(p, q); c++) s += (L[p * N + c] * L[q * N + c]) / ldl.dinv[c]
        worst = Math.max(worst, Math.abs(s - A[i * N + j]))
      }
    }
    expect(worst).toBeLessThan(1e-11)
  })
})
