import { type Mesh, type Reduced, reduce } from 'limber'
import { describe, expect, test } from 'vitest'
import { createElasticity, elasticEnergy, elasticForce } from '../../src/deformable/stvk.js'
import { createRandom } from '../random.js'
import { atOrigin, beam, rubber, tetrahedra } from './meshes.js'
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
})
