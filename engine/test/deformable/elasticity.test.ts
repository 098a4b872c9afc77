/**
 * The unreduced elasticity against finite differences, and modes against closed forms and a dense eigenvalue problem.
 */
import type { Mesh } from 'limber'
import { describe, expect, test } from 'vitest'
import { elementTables, lumpedMasses } from '../../src/deformable/elements.js'
import { createFullMesh } from '../../src/deformable/full-mesh.js'
import { linearModes } from '../../src/deformable/linear-modes.js'
import { tetrahedra } from '../../src/deformable/mesh.js'
import { modalDerivatives, spread } from '../../src/deformable/modal-derivatives.js'
import { createStaticSolve } from '../../src/deformable/static-solve.js'
import { createElasticity, elasticEnergy, elasticForce, stiffnessPattern, tangentStiffness } from '../../src/deformable/stvk.js'
import { symmetricEigen } from '../../src/linalg/dense/symmetric-eigen.js'
import { blockProduct } from '../../src/linalg/sparse/block-matrix.js'
import { createRandom } from '../random.js'
import { atOrigin, beam, rubber } from './meshes.js'

const voxels = beam([4, 2, 1], [0.2, 0.15, 0.1])
const meshes: [string, Mesh][] = [
  ['voxels', voxels],
  ['tetrahedra', tetrahedra(voxels)],
]

/** relative, of differences over 2 × 1e-6 of a number of order 1 */
const DIFFERENCES = 1e-8

describe.each(meshes)('%s', (_, mesh) => {
  const elastic = createElasticity(mesh, rubber)
  const n = mesh.vertices.length
  const random = createRandom(5)
  const u = random.array(n, 0.05)
  const direction = random.array(n, 1)
  const moved = (t: number): Float64Array => u.map((x, i) => x + t * direction[i])
  const every = Int32Array.from({ length: n / 3 }, (_, v) => v)

  test('the force is the gradient of the energy', () => {
    const f = new Float64Array(n)
    elasticForce(elastic, f, u)
    const along = f.reduce((s, x, i) => s + x * direction[i], 0)
    const h = 1e-6
    const difference = (elasticEnergy(elastic, moved(h)) - elasticEnergy(elastic, moved(-h))) / (2 * h)
    expect(Math.abs(difference / along - 1)).toBeLessThan(DIFFERENCES)
  })

  test('the tangent stiffness is the gradient of the force', () => {
    const K = stiffnessPattern(elastic, every)
    tangentStiffness(elastic, K, every, u)
    const [ahead, behind, product] = [0, 1, 2].map(() => new Float64Array(n)) as [Float64Array, Float64Array, Float64Array]
    const h = 1e-6
    elasticForce(elastic, ahead, moved(h))
    elasticForce(elastic, behind, moved(-h))
    blockProduct(K, product, direction)
    const largest = Math.max(...product.map(Math.abs))
    product.forEach((x, i) => {
      expect(Math.abs((ahead[i] - behind[i]) / (2 * h) - x)).toBeLessThan(DIFFERENCES * largest)
    })
  })

  test('rigid motion, however far, costs nothing', () => {
    const [c, s] = [Math.cos(2), Math.sin(2)]
    const turned = mesh.vertices.map((x, i) => {
      const [a, b] = [mesh.vertices[i - (i % 3)], mesh.vertices[i - (i % 3) + 1]]
      return [c * a - s * b + 3, s * a + c * b - 1, x + 2][i % 3] - x
    })
    const f = new Float64Array(n)
    elasticForce(elastic, f, turned)
    expect(elasticEnergy(elastic, turned)).toBeLessThan(1e-20 * rubber.young)
    expect(Math.max(...f.map(Math.abs))).toBeLessThan(1e-12 * rubber.young)
  })

  test.each([
    ['held', 6],
    ['free', 0],
  ])('frequencies of the %s mesh are those of the dense problem', (_, held) => {
    const masses = lumpedMasses(mesh, elastic.tables, rubber.density)
    const place = Int32Array.from({ length: n / 3 }, () => -1)
    let free = 0
    for (let v = 0; v < n / 3; v++) if (held === 0 || mesh.vertices[3 * v] > 0) place[v] = free++
    const K = stiffnessPattern(elastic, place)
    tangentStiffness(elastic, K, place)
    const size = 3 * free
    const dense = new Float64Array(size * size)
    const column = new Float64Array(size)
    const m = Float64Array.from(place.keys())
      .filter((v) => place[v] >= 0)
      .map((v) => masses[v])
    for (let j = 0; j < size; j++) {
      blockProduct(
        K,
        column,
        Float64Array.from({ length: size }, (_, i) => (i === j ? 1 : 0)),
      )
      for (let i = 0; i < size; i++) dense[size * i + j] = column[i] / Math.sqrt(m[Math.floor(i / 3)] * m[Math.floor(j / 3)])
    }
    const expected = symmetricEigen(dense, size).values.slice(held === 0 ? 6 : 0)
    const { squares } = linearModes(createStaticSolve(elastic, masses, place), 12)
    expect(squares.length).toBe(12)
    squares.forEach((x, k) => {
      expect(Math.abs(x / expected[k] - 1)).toBeLessThan(1e-10)
    })
  })

  test('modal derivatives are the second differences of the response to growing loads', () => {
    const tables = elementTables(mesh)
    const masses = lumpedMasses(mesh, tables, rubber.density)
    const full = createFullMesh(mesh, { material: rubber, fixed: atOrigin })
    const held = Array.from(masses.keys()).filter((v) => mesh.vertices[3 * v] === 0)
    let free = 0
    const place = Int32Array.from(masses, (_, v) => (held.includes(v) ? -1 : free++))
    const statics = createStaticSolve(elastic, masses, place)
    const modes = linearModes(statics, 3)
    const derivatives = modalDerivatives(elastic, statics, modes)
    const psi = spread(modes.shapes, statics.free, n, 3)

    /** displacements under Σ p_i ω_i² M ψ_i, whose first-order part is Σ p_i ψ_i */
    const response = (p: readonly number[]): Float64Array => {
      full.u.fill(0)
      for (let i = 0; i < n; i++) {
        full.load[i] = p.reduce((s, x, l) => s + x * modes.squares[l] * masses[Math.floor(i / 3)] * psi[n * l + i], 0)
      }
      full.settle()
      return full.u.slice()
    }
    // modes have unit mass: their displacements are of order 1 / √mass
    const h = 2e-4
    let pair = 0
    for (let i = 0; i < 3; i++) {
      for (let j = i; j < 3; j++) {
        const p = (a: number, b: number): number[] => [0, 1, 2].map((l) => h * ((l === i ? a : 0) + (l === j ? b : 0)))
        const [pp, pm, mp, mm] = [response(p(1, 1)), response(p(1, -1)), response(p(-1, 1)), response(p(-1, -1))]
        const wanted = spread(derivatives.subarray(3 * free * pair, 3 * free * (pair + 1)), statics.free, n, 1)
        const largest = Math.max(...wanted.map(Math.abs))
        for (let c = 0; c < n; c++) {
          const second = (pp[c] - pm[c] - mp[c] + mm[c]) / (4 * h * h)
          expect(Math.abs(second - wanted[c])).toBeLessThan(1e-4 * largest)
        }
        pair++
      }
    }
  })
})

test('a slender beam has the frequencies of Euler and Bernoulli, each twice', () => {
  // voxels are too stiff in bending by about 1/(2 n²) for n of them through the height, and lateral strain that is held
  const [length, height] = [4, 0.2]
  const mesh = beam([80, 4, 4], [length / 80, height / 4, height / 4])
  const material = { young: 1e7, poisson: 0, density: 1000 }
  const frequencies = createFullMesh(mesh, { material, fixed: atOrigin }).frequencies(4)
  const wave = Math.sqrt((material.young * height ** 2) / 12 / material.density) / length ** 2 / (2 * Math.PI)
  const expected = [1.8751041, 1.8751041, 4.6940911, 4.6940911].map((k) => k * k * wave)
  frequencies.forEach((f, k) => {
    expect(Math.abs(f / expected[k] - 1)).toBeLessThan(0.04)
  })
  expect(Math.abs(frequencies[1] / frequencies[0] - 1)).toBeLessThan(1e-9)
})
