import { describe, expect, it } from 'vitest'
import { solvePrimal } from './cone-primal.js'
import { createSparseRows, prepareSparse, reserveSparse, type SparseRows, sparseGaussSeidel } from './cone-sparse.js'
import { type ConePrimal, createConePrimal, reservePrimal } from './island-rows.js'
import { findIslands, reserveIslands } from './islands.js'
import { type Complementarity, createComplementarity, resetRows } from './lcp.js'

interface Problem {
  readonly c: ConePrimal
  readonly s: SparseRows
  readonly p: Complementarity
}

/** Boxes of mass 1 and side 1 in towers: four contacts below each, between corners of the faces. r is a step of gravity 1 and a pull aside. */
function towers(count: number, floors: number, aside: number): Problem {
  const bodies = count * floors
  const nv = 6 * bodies
  const n = 12 * bodies
  const start = Int32Array.from({ length: bodies + 1 }, (_, b) => 6 * b)
  const c = createConePrimal(
    nv,
    start,
    Int32Array.from({ length: nv }, (_, k) => k),
  )
  const s = createSparseRows(nv)
  reserveSparse(s, n, 12 * n)
  reserveIslands(c.islands, n, 2 * n)
  reservePrimal(c, n, nv)
  const p = createComplementarity(n)
  resetRows(p, n)
  const inverse = [6, 6, 6, 1, 1, 1]
  for (let b = 0; b < bodies; b++) for (let k = 0; k < 6; k++) c.A[c.at[b] + 7 * k] = 1 / inverse[k]
  const axes = [
    [0, 0, 1],
    [1, 0, 0],
    [0, 1, 0],
  ]
  let at = 0
  let parts = 0
  for (let b = 0; b < bodies; b++) {
    const ground = b % floors === 0
    for (let corner = 0; corner < 4; corner++) {
      for (let e = 0; e < 3; e++) {
        const r = 12 * b + 3 * corner + e
        const [x, y] = [corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5]
        c.islands.partStart[r] = parts
        for (const [body, z, sign] of ground
          ? [[b, -0.5, 1]]
          : [
              [b, -0.5, 1],
              [b - 1, 0.5, -1],
            ]) {
          const [ax, ay, az] = axes[e]
          const turn = [y * az - z * ay, z * ax - x * az, x * ay - y * ax]
          c.islands.of[parts++] = body
          for (let k = 0; k < 6; k++) {
            s.dof[at] = 6 * body + k
            s.G[at] = sign * (k < 3 ? turn[k] : axes[e][k - 3])
            s.Y[at] = inverse[k] * s.G[at]
            at++
          }
        }
        s.start[r + 1] = at
        // velocity without contacts, against the body below
        if (ground) p.r[r] = e === 0 ? -1 : e === 1 ? aside : 0
        if (e === 0) p.lo[r] = 0
        else {
          p.normal[r] = 12 * b + 3 * corner
          p.mu[r] = 0.5
        }
      }
    }
  }
  c.islands.partStart[n] = parts
  findIslands(c.islands, n)
  prepareSparse(s, p)
  return { c, s, p }
}

describe('newton on the velocities of a heap', () => {
  it('holds four towers of ten floors to rounding where hundreds of sweeps do not', () => {
    const { c, s, p } = towers(4, 10, 0)
    expect(c.islands.count).toBe(4)
    expect(solvePrimal(c, s, p, 1e-9).residual).toBeLessThan(1e-9)
    expect(p.report.iterations).toBeLessThan(4 * 30)
    const swept = towers(4, 10, 0)
    expect(sparseGaussSeidel(swept.s, swept.p, 1e-9, 200).residual).toBeGreaterThan(1e-6)
  })

  it('shares a load evenly among corners that say the same', () => {
    const { c, s, p } = towers(1, 10, 0)
    solvePrimal(c, s, p, 1e-9)
    for (let b = 0; b < 10; b++) {
      // the weight of all above: 10 − b units of momentum on four corners
      for (let corner = 0; corner < 4; corner++) expect(p.lambda[12 * b + 3 * corner]).toBeCloseTo((10 - b) / 4, 6)
    }
  })

  it('leaves what is solved already bit for bit', () => {
    const { c, s, p } = towers(2, 5, 0)
    solvePrimal(c, s, p, 1e-9)
    const before = p.lambda.slice()
    expect(solvePrimal(c, s, p, 1e-9).iterations).toBe(0)
    expect([...p.lambda]).toEqual([...before])
  })

  it('settles a tower that is pushed aside, of which corners slip on the way, and keeps friction inside of its cones', () => {
    const { c, s, p } = towers(1, 5, 0.1)
    expect(sparseGaussSeidel(s, p, 1e-9, 30).residual).toBeGreaterThan(1e-3)
    expect(solvePrimal(c, s, p, 1e-9).residual).toBeLessThan(1e-5)
    for (let r = 0; r < p.n; r += 3)
      expect(Math.hypot(p.lambda[r + 1], p.lambda[r + 2])).toBeLessThanOrEqual(0.5 * p.lambda[r] * (1 + 1e-4))
  })
})

describe('islands', () => {
  it('keep apart what no row joins, with their rows in order', () => {
    const { c } = towers(3, 2, 0)
    const { islands } = c
    expect(islands.count).toBe(3)
    for (let k = 0; k < 3; k++) {
      expect([...islands.rows.subarray(islands.rowStart[k], islands.rowStart[k + 1])]).toEqual(
        Array.from({ length: 24 }, (_, e) => 24 * k + e),
      )
      expect([...islands.order.subarray(islands.blockStart[k], islands.blockStart[k + 1])].sort((a, b) => a - b)).toEqual([
        2 * k,
        2 * k + 1,
      ])
    }
  })

  it('order a tower from one of its ends: neighbours follow each other', () => {
    const { c } = towers(1, 10, 0)
    const order = [...c.islands.order]
    for (let k = 1; k < 10; k++) expect(Math.abs(order[k] - order[k - 1])).toBe(1)
  })
})
