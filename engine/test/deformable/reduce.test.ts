import { type Mesh, type Reduced, reduce } from 'limber'
import { describe, expect, test } from 'vitest'
import { type EnergyTask, energyFromGrams, energyGram, energyTask } from '../../src/deformable/energy.js'
import { tetrahedra } from '../../src/deformable/mesh.js'
import { createElasticity, elasticEnergy, elasticForce, stiffnessPattern, tangentStiffness } from '../../src/deformable/stvk.js'
import { blockProduct } from '../../src/linalg/sparse/block-matrix.js'
import { createRandom } from '../random.js'
import { atOrigin, beam, rubber } from './meshes.js'
import { energyPolynomial } from './polynomial.js'

const voxels = beam([5, 2, 1], [0.2, 0.15, 0.1])
const meshes: [string, Mesh][] = [
  ['voxels', voxels],
  ['tetrahedra', tetrahedra(voxels)],
]

/** U q over all vertices */
function displacement({ shapes, vertices, modes }: Reduced, q: Float64Array): Float64Array {
  const out = new Float64Array(vertices.length)
  for (let l = 0; l < modes; l++) for (let i = 0; i < out.length; i++) out[i] += shapes[out.length * l + i] * q[l]
  return out
}

/** coordinates that displace the farthest vertex by `size` */
function coordinates(reduced: Reduced, size: number, seed: number): Float64Array {
  const q = createRandom(seed).array(reduced.modes, 1)
  const most = displacement(reduced, q).reduce((m, x) => Math.max(m, Math.abs(x)), 0)
  return q.map((x) => (x * size) / most)
}

describe.each(meshes)('reduced %s', (_, mesh) => {
  const clamped = reduce(mesh, { material: rubber, fixed: atOrigin, modes: 7 })
  const free = reduce(mesh, { material: rubber, modes: 5 })
  const elastic = createElasticity(mesh, rubber)

  test.each([
    ['clamped', clamped],
    ['free', free],
  ])('%s: energy and force are those of the mesh at U q', (_, reduced) => {
    const polynomial = energyPolynomial(reduced)
    for (const size of [0.01, 0.3, 2]) {
      const q = coordinates(reduced, size, 3)
      const u = displacement(reduced, q)
      const W = elasticEnergy(elastic, u)
      expect(Math.abs(polynomial.value(q) / W - 1)).toBeLessThan(1e-12)
      const f = new Float64Array(u.length)
      elasticForce(elastic, f, u)
      const forces = Array.from(q, (_, l) => f.reduce((s, x, i) => s + x * reduced.shapes[u.length * l + i], 0))
      const largest = Math.max(...forces.map(Math.abs))
      polynomial.gradient(q).forEach((x, l) => {
        expect(Math.abs(x - forces[l])).toBeLessThan(1e-12 * largest)
      })
    }
  })

  test('a material with a negative ratio of Poisson, too', () => {
    const cork = { ...rubber, poisson: -0.3 }
    const reduced = reduce(mesh, { material: cork, fixed: atOrigin, modes: 3 })
    const q = coordinates(reduced, 0.3, 6)
    const W = elasticEnergy(createElasticity(mesh, cork), displacement(reduced, q))
    expect(Math.abs(energyPolynomial(reduced).value(q) / W - 1)).toBeLessThan(1e-12)
  })

  test('the Hessian is Uᵀ K(U q) U', () => {
    const q = coordinates(clamped, 0.3, 4)
    const n = mesh.vertices.length
    const place = Int32Array.from({ length: n / 3 }, (_, v) => v)
    const K = stiffnessPattern(elastic, place)
    tangentStiffness(elastic, K, place, displacement(clamped, q))
    const r = clamped.modes
    const hessian = energyPolynomial(clamped).hessian(q)
    const largest = Math.max(...hessian.map(Math.abs))
    const y = new Float64Array(n)
    for (let l = 0; l < r; l++) {
      blockProduct(K, y, clamped.shapes.subarray(n * l, n * l + n))
      for (let k = 0; k < r; k++) {
        const expected = y.reduce((s, x, i) => s + x * clamped.shapes[n * k + i], 0)
        expect(Math.abs(hessian[r * k + l] - expected)).toBeLessThan(1e-12 * largest)
      }
    }
  })

  test.each([
    ['clamped', clamped],
    ['free', free],
  ])('%s: Uᵀ M U = 1', (_, reduced) => {
    const n = mesh.vertices.length
    for (let k = 0; k < reduced.modes; k++) {
      for (let l = 0; l < reduced.modes; l++) {
        let s = 0
        for (let i = 0; i < n; i++) s += reduced.masses[Math.floor(i / 3)] * reduced.shapes[n * k + i] * reduced.shapes[n * l + i]
        expect(Math.abs(s - (k === l ? 1 : 0))).toBeLessThan(1e-13)
      }
    }
  })

  test('masses add up to the volume times the density, with their centre in its middle', () => {
    const [mass, x, y, z] = moments(clamped.masses, clamped.vertices)
    expect(mass).toBeCloseTo(1000 * 1 * 0.3 * 0.1, 10)
    expect([x / mass, y / mass, z / mass].map((c) => c.toFixed(10))).toEqual(['0.5000000000', '0.1500000000', '0.0500000000'])
  })

  test('a clamped basis vanishes where it is held and a free one moves neither the centre of mass nor the mean axes', () => {
    const n = mesh.vertices.length
    const held = clamped.interfaces[0]
    expect(held.name).toBe('parent')
    expect(held.vertices.length).toBe(6)
    for (const v of held.vertices) {
      for (let l = 0; l < clamped.modes; l++) for (let c = 0; c < 3; c++) expect(clamped.shapes[n * l + 3 * v + c]).toBe(0)
    }
    for (let l = 0; l < free.modes; l++) {
      const sums = [0, 0, 0, 0, 0, 0]
      free.masses.forEach((m, v) => {
        const x = free.vertices.subarray(3 * v, 3 * v + 3)
        const u = free.shapes.subarray(n * l + 3 * v, n * l + 3 * v + 3)
        for (let c = 0; c < 3; c++) {
          const [d, e] = [(c + 1) % 3, (c + 2) % 3]
          sums[c] += m * u[c]
          sums[3 + c] += m * (x[d] * u[e] - x[e] * u[d])
        }
      })
      for (const s of sums) expect(Math.abs(s)).toBeLessThan(1e-11)
    }
  })

  test('the energy of a scaled mesh with the same shapes: degrees 2, 3, 4 go with s, 1, 1/s', () => {
    const s = 1.7
    const scaled = createElasticity({ ...mesh, vertices: mesh.vertices.map((x) => s * x) }, rubber)
    const { modes: r, shapes } = clamped
    const there = energyFromGrams(everyGram(energyTask(scaled, shapes, r)), r)
    const close = (a: Float64Array, b: Float64Array, factor: number): void => {
      const largest = Math.max(...b.map(Math.abs))
      a.forEach((x, k) => {
        expect(Math.abs(x - factor * b[k])).toBeLessThan(1e-13 * factor * largest)
      })
    }
    close(there.energy2, clamped.energy2, s)
    close(there.energy3, clamped.energy3, 1)
    close(there.energy4, clamped.energy4, 1 / s)
  })

  test('the surface is closed, outward, and of the right size', () => {
    const { surface, vertices } = clamped
    let volume = 0
    let area = 0
    for (let t = 0; t < surface.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => Array.from(vertices.subarray(3 * surface[t + k], 3 * surface[t + k] + 3)))
      volume += dot(a, cross(b, c)) / 6
      area += Math.hypot(...cross(minus(b, a), minus(c, a))) / 2
    }
    expect(volume).toBeCloseTo(1 * 0.3 * 0.1, 12)
    expect(area).toBeCloseTo(2 * (1 * 0.3 + 1 * 0.1 + 0.3 * 0.1), 12)
  })
})

function everyGram(task: EnergyTask): Float64Array[] {
  return Array.from({ length: task.parts.length - 1 }, (_, part) => energyGram(task, part))
}

/** Σ m, Σ m x */
function moments(masses: Float64Array, vertices: Float64Array): [number, number, number, number] {
  const out: [number, number, number, number] = [0, 0, 0, 0]
  masses.forEach((m, v) => {
    out[0] += m
    for (let c = 0; c < 3; c++) out[1 + c] += m * vertices[3 * v + c]
  })
  return out
}

function minus(a: readonly number[], b: readonly number[]): number[] {
  return a.map((x, c) => x - b[c])
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((s, x, c) => s + x * b[c], 0)
}
