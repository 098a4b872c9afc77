import { expect, test } from 'vitest'
import { createFullMesh } from '../../src/deformable/full-mesh.js'
import { tetrahedra } from '../../src/deformable/mesh.js'
import { atOrigin, beam, rubber } from './meshes.js'

const bar = beam([6, 1, 2], [0.1, 0.05, 0.025])

test('a beam that swings without damping keeps its energy to the order of the scheme', () => {
  const drift = [0.01, 0.005].map((h) => {
    const full = createFullMesh(bar, { material: rubber, fixed: atOrigin, gravity: [0, 0, -9.81] })
    const total = (): number => {
      const { kinetic, elastic } = full.energy()
      return kinetic + elastic + full.masses.reduce((s, m, v) => s + 9.81 * m * full.u[3 * v + 2], 0)
    }
    // begin in free fall, at rest
    full.a.forEach((_, i) => {
      full.a[i] = full.masses[Math.floor(i / 3)] > 0 && i % 3 === 2 && bar.vertices[i - 2] > 0 ? -9.81 : 0
    })
    let most = 0
    let swing = 0
    for (let t = 0; t < 0.5; t += h) {
      full.step(h)
      most = Math.max(most, Math.abs(total()))
      swing = Math.max(swing, full.energy().elastic)
    }
    // the tip falls by a good part of the length
    expect(Math.min(...full.u)).toBeLessThan(-0.1)
    return most / swing
  })
  expect(drift[0]).toBeLessThan(0.01)
  expect(drift[1] / drift[0]).toBeLessThan(0.5)
})

test('a free mesh under a load within itself keeps its momentum', () => {
  const mesh = tetrahedra(bar)
  const full = createFullMesh(mesh, { material: rubber })
  full.v[0] = 3
  full.v[4] = -2
  const momentum = (): number[] => {
    const out = [0, 0, 0, 0, 0, 0]
    full.masses.forEach((m, k) => {
      const x = [0, 1, 2].map((c) => mesh.vertices[3 * k + c] + full.u[3 * k + c])
      const v = [0, 1, 2].map((c) => full.v[3 * k + c])
      for (let c = 0; c < 3; c++) {
        const [d, e] = [(c + 1) % 3, (c + 2) % 3]
        out[c] += m * v[c]
        out[3 + c] += m * (x[d] * v[e] - x[e] * v[d])
      }
    })
    return out
  }
  const before = momentum()
  for (let k = 0; k < 40; k++) full.step(0.001)
  const after = momentum()
  const size = Math.hypot(...before)
  expect(full.energy().elastic).toBeGreaterThan(0)
  for (let c = 0; c < 3; c++) expect(Math.abs(after[c] - before[c])).toBeLessThan(1e-10 * size)
  // Newmark keeps angular momentum to its order only
  for (let c = 3; c < 6; c++) expect(Math.abs(after[c] - before[c])).toBeLessThan(1e-3 * size)
})

test('damping takes energy away, down to the shape at rest', () => {
  const options = { material: rubber, fixed: atOrigin, gravity: [0, 0, -9.81] as const }
  const full = createFullMesh(bar, { ...options, damping: { mass: 8, stiffness: 0.01 } })
  for (let k = 0; k < 150; k++) full.step(0.04)
  const rest = createFullMesh(bar, options)
  rest.settle()
  const size = Math.max(...rest.u.map(Math.abs))
  full.u.forEach((x, i) => {
    expect(Math.abs(x - rest.u[i])).toBeLessThan(1e-6 * size)
  })
})
