import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../test/random.js'
import { createBlockLdl, factorBlocks, solveBlocks } from './block-ldl.js'
import { type BlockMatrix, blockAt, blockProduct, createBlockMatrix } from './block-matrix.js'
import { dissect } from './dissect.js'

/** Nodes on a grid, each coupled to its neighbours in all directions, with random symmetric blocks and a heavy diagonal. */
function grid(nx: number, ny: number, nz: number, seed: number): { A: BlockMatrix; positions: Float64Array } {
  const groups: number[] = []
  const positions: number[] = []
  const node = (i: number, j: number, k: number): number => (i < nx && j < ny && k < nz ? i + nx * (j + ny * k) : -1)
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        positions.push(i, j, k)
        for (let c = 0; c < 8; c++) groups.push(node(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2)))
      }
    }
  }
  const A = createBlockMatrix(nx * ny * nz, Int32Array.from(groups), 8)
  const random = createRandom(seed)
  for (let j = 0; j < A.n; j++) {
    for (let p = A.start[j]; p < A.start[j + 1]; p++) {
      for (let a = 0; a < 9; a++) A.value[9 * p + a] = random.spread(1)
      if (A.row[p] > j) continue
      // symmetric, and more than the 26 neighbours can outweigh
      for (let a = 0; a < 3; a++) for (let b = 0; b < a; b++) A.value[9 * p + 3 * a + b] = A.value[9 * p + 3 * b + a]
      for (let a = 0; a < 3; a++) A.value[9 * p + 4 * a] += 90
    }
  }
  return { A, positions: Float64Array.from(positions) }
}

const sizes: [number, number, number][] = [
  [1, 1, 1],
  [2, 1, 1],
  [5, 4, 3],
  [9, 2, 7],
  [30, 1, 1],
  [8, 8, 8],
]

describe('sparse LDLᵀ by blocks', () => {
  test.each(sizes)('solves on a grid of %i × %i × %i (seed 2)', (nx, ny, nz) => {
    const { A, positions } = grid(nx, ny, nz, 2)
    const order = dissect(A, positions)
    expect(Array.from(order).sort((a, b) => a - b)).toEqual(Array.from({ length: A.n }, (_, k) => k))
    const f = createBlockLdl(A, order)
    expect(factorBlocks(f, A)).toBe(true)
    // one column, and more than are solved for at once
    for (const count of [1, 7]) {
      const size = 3 * A.n
      const x = createRandom(3).array(size * count, 1)
      const b = new Float64Array(size * count + 2)
      const product = new Float64Array(size)
      for (let c = 0; c < count; c++) {
        blockProduct(A, product, x.subarray(size * c, size * (c + 1)))
        b.set(product, 2 + size * c)
      }
      solveBlocks(f, b, 2, count)
      x.forEach((value, i) => {
        expect(Math.abs(b[i + 2] - value)).toBeLessThan(1e-13)
      })
    }
  })

  test('refuses a matrix with one negative direction', () => {
    const { A, positions } = grid(4, 4, 2, 5)
    const o = 9 * blockAt(A, 17, 17)
    A.value[o + 4] = -A.value[o + 4]
    expect(factorBlocks(createBlockLdl(A, dissect(A, positions)), A)).toBe(false)
  })

  test('dissection fills in far less than the order of the file', () => {
    const { A, positions } = grid(14, 14, 14, 1)
    const natural = createBlockLdl(
      A,
      Int32Array.from({ length: A.n }, (_, k) => k),
    )
    const cut = createBlockLdl(A, dissect(A, positions))
    expect(cut.row.length).toBeLessThan(0.6 * natural.row.length)
  })
})
