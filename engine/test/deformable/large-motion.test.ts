/**
 * What a basis is for: large motion. Loads that bend a mesh by half its length, at rest, against the unreduced mesh.
 */
import { type Mesh, type Reduced, reduce } from 'limber'
import { describe, expect, test } from 'vitest'
import { createFullMesh, type FullMesh } from '../../src/deformable/full-mesh.js'
import { cholesky, choleskySolve } from '../../src/linalg/dense/cholesky.js'
import { atOrigin, beam, rubber } from './meshes.js'
import { energyPolynomial } from './polynomial.js'

const modes = 16
const meshes: [string, Mesh][] = [
  ['a beam of 60 kg', beam([15, 2, 2], 0.1)],
  ['a beam of 60 t', beam([15, 2, 2], 1)],
  ['a leaf of 38 g', beam([6, 4, 1], [0.02, 0.02, 0.004])],
]

const largest = (x: Float64Array): number => x.reduce((m, c) => Math.max(m, Math.abs(c)), 0)

/** A load along `direction` that grows until the mesh is displaced by half its length. */
function bend(full: FullMesh, length: number, direction: readonly number[]): void {
  full.u.fill(0)
  for (let g = 1e-3; largest(full.u) < 0.5 * length; g *= 1.3) {
    for (let i = 0; i < full.u.length; i++) full.load[i] = g * full.masses[Math.floor(i / 3)] * direction[i % 3]
    full.settle()
  }
}

/** Displacements of the reduced mesh at rest under a load, from near the given ones. */
function settle(reduced: Reduced, load: Float64Array, near: Float64Array): Float64Array {
  const { modes: r, shapes, masses } = reduced
  const n = load.length
  const energy = energyPolynomial(reduced)
  const along = (x: (i: number) => number, l: number): number => load.reduce((s, _, i) => s + x(i) * shapes[n * l + i], 0)
  const q = Float64Array.from({ length: r }, (_, l) => along((i) => masses[Math.floor(i / 3)] * near[i], l))
  const residual = (): Float64Array => energy.gradient(q).map((x, l) => along((i) => load[i], l) - x)
  for (let k = 0; k < 30; k++) {
    // where the energy is not convex on the way, towards the gradient
    for (let shift = 0; ; shift = shift === 0 ? reduced.energy2[0] : 2 * shift) {
      const step = residual()
      const H = energy.hessian(q)
      for (let l = 0; l < r; l++) H[(r + 1) * l] += shift
      if (!cholesky(H, 0, r)) continue
      choleskySolve(H, 0, r, step, 0, 1)
      for (let l = 0; l < r; l++) q[l] += step[l]
      break
    }
  }
  expect(largest(residual())).toBeLessThan(1e-9 * largest(q.map((_, l) => along((i) => load[i], l))))
  return near.map((_, i) => q.reduce((s, x, l) => s + x * shapes[n * l + i], 0))
}

describe.each(meshes)('%s', (_, mesh) => {
  const full = createFullMesh(mesh, { material: rubber, fixed: atOrigin })
  const reduced = reduce(mesh, { material: rubber, fixed: atOrigin, modes })
  const length = mesh.vertices.reduce((m, x) => Math.max(m, x), 0)

  test.each([
    ['down', [0, 0, -1]],
    ['to the side and down', [0, -0.5, -1]],
    ['up and along', [0.3, 0, 1]],
  ])('bent %s by half its length is right to 3 parts in a hundred of that', (_, direction) => {
    bend(full, length, direction)
    const u = settle(reduced, full.load, full.u)
    expect(largest(u.map((x, i) => x - full.u[i]))).toBeLessThan(0.03 * largest(full.u))
  })
})

test('the basis does not depend on the units of length and mass', () => {
  const mesh = beam([5, 2, 1], [0.2, 0.15, 0.1])
  const s = 1e-3
  const small: Mesh = { ...mesh, vertices: mesh.vertices.map((x) => s * x) }
  const here = reduce(mesh, { material: rubber, fixed: atOrigin, modes: 6 })
  const there = reduce(small, { material: { ...rubber, density: 7 }, fixed: atOrigin, modes: 6 })
  // of unit mass both: displacements go with the root of the mass, their signs are free
  const scale = Math.sqrt((7 / 1000) * s ** 3)
  const n = mesh.vertices.length
  for (let l = 0; l < 6; l++) {
    const a = here.shapes.subarray(n * l, n * l + n)
    const b = there.shapes.subarray(n * l, n * l + n).map((x) => scale * x)
    const same = largest(a.map((x, i) => x - b[i]))
    const opposite = largest(a.map((x, i) => x + b[i]))
    expect(Math.min(same, opposite)).toBeLessThan(1e-6 * largest(a))
  }
})
