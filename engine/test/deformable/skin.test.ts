import { embed, type Mesh, type Reduced, reduce, type Vec, voxelGrid } from 'limber'
import { describe, expect, it } from 'vitest'
import { tetrahedra } from '../../src/deformable/mesh.js'
import { vertexGradients } from '../../src/deformable/vertex-gradients.js'
import { meshSkin, type Skin, surfaceSkin } from '../../src/io/skin/skin.js'
import { createSkins } from '../../src/io/skin/skins-of.js'
import { createRandom } from '../random.js'
import { atOrigin, beam, rubber } from './meshes.js'

/** sums of a few products of numbers of the order of 1 */
const ROUNDING = 1e-13

const voxels = beam([6, 2, 3], [0.1, 0.12, 0.05])
const meshes: readonly (readonly [string, Mesh])[] = [
  ['voxels', voxels],
  ['tetrahedra', tetrahedra(voxels)],
]

/** A field A X + b at rows of three. */
function linear(seed: number): (x: ArrayLike<number>) => Vec {
  const random = createRandom(seed)
  const A = random.array(9, 1)
  const b = random.vec3(1)
  return (x) =>
    Float64Array.from({ length: x.length }, (_, k) => {
      const [row, o] = [k % 3, k - (k % 3)]
      return b[row] + A[3 * row] * x[o] + A[3 * row + 1] * x[o + 1] + A[3 * row + 2] * x[o + 2]
    })
}

/** Points in the box of the mesh and up to a fifth of it beyond. */
function scattered(seed: number, count: number): Vec {
  const random = createRandom(seed)
  const size = [0.6, 0.24, 0.15]
  return Float64Array.from({ length: 3 * count }, (_, k) => size[k % 3] * (random.unit() * 1.4 - 0.2))
}

describe.each(meshes)('embed in %s', (_, mesh) => {
  const points = scattered(3, 300)
  const { width, sources, weights } = embed(mesh, points)
  const blend = (field: Vec, k: number, a: number) => {
    let sum = 0
    for (let c = width * k; c < width * (k + 1); c++) sum += weights[c] * field[3 * sources[c] + a]
    return sum
  }

  it('has weights that sum to 1, none negative for points inside', () => {
    let inside = 0
    for (let k = 0; k < 300; k++) {
      const own = weights.subarray(width * k, width * (k + 1))
      expect(Math.abs(own.reduce((a, b) => a + b, 0) - 1)).toBeLessThan(ROUNDING)
      const [x, y, z] = points.subarray(3 * k, 3 * k + 3)
      if (x < 0 || y < 0 || z < 0 || x > 0.6 || y > 0.24 || z > 0.15) continue
      inside++
      expect(Math.min(...own)).toBeGreaterThan(-ROUNDING)
    }
    expect(inside).toBeGreaterThan(50)
  })

  it('carries linear fields over exactly, outside of the mesh too', () => {
    const field = linear(5)
    const [at, over] = [field(mesh.vertices), field(points)]
    for (let k = 0; k < 300; k++) for (let a = 0; a < 3; a++) expect(Math.abs(blend(at, k, a) - over[3 * k + a])).toBeLessThan(ROUNDING)
  })

  it('takes the element nearest to a point outside', () => {
    const far = embed(mesh, [0.63, 0.06, 0.02])
    const corners = Array.from(far.sources, (v) => mesh.vertices[3 * v])
    expect(Math.min(...corners)).toBeGreaterThan(0.5 - ROUNDING)
  })

  it('is a vertex where a point is one', () => {
    const v = 40
    const own = embed(mesh, mesh.vertices.subarray(3 * v, 3 * v + 3))
    const total = own.weights.reduce((sum, w, c) => sum + (own.sources[c] === v ? w : 0), 0)
    expect(total).toBeCloseTo(1, 12)
  })

  it('has gradients at the vertices that are those of a linear field', () => {
    const field = linear(7)
    const H = vertexGradients(mesh)(field(mesh.vertices), 0)
    const zero = field([0, 0, 0])
    for (let d = 0; d < 3; d++) {
      const axis = field([0, 1, 2].map((k) => (k === d ? 1 : 0)))
      for (let v = 0; v < mesh.vertices.length / 3; v++) {
        for (let a = 0; a < 3; a++) expect(Math.abs(H[9 * v + 3 * a + d] - (axis[a] - zero[a]))).toBeLessThan(1e-12)
      }
    }
  })
})

/** x of vertex k of a skin, and its normal, at q. */
function moved(skin: Skin, q: Vec, k: number): { x: number[]; n: number[] } {
  const size = skin.positions.length
  const sum = (rest: Vec, modes: Vec) =>
    [0, 1, 2].map((a) => rest[3 * k + a] + q.reduce((total, eta, l) => total + eta * modes[l * size + 3 * k + a], 0))
  const [t, u] = [0, 1].map((j) => sum(skin.tangents[j], skin.tangentShapes[j]))
  return { x: sum(skin.positions, skin.shapes), n: [t[1] * u[2] - t[2] * u[1], t[2] * u[0] - t[0] * u[2], t[0] * u[1] - t[1] * u[0]] }
}

describe('skins', () => {
  const domain = reduce(beam([6, 2, 2], 0.1), {
    material: rubber,
    fixed: atOrigin,
    modes: 6,
    interfaces: { end: { min: [0.6, -1, -1], max: [1, 1, 1] } },
  })
  const q = Float64Array.from(createRandom(2).array(6, 0.05))

  it('draws the surface at X + U q', () => {
    const skin = surfaceSkin(domain)
    expect(skin.triangles.length).toBe(domain.surface.length)
    for (let k = 0; k < skin.sources.length; k++) {
      const v = skin.sources[k]
      const { x } = moved(skin, q, k)
      for (let a = 0; a < 3; a++) {
        let expected = domain.vertices[3 * v + a]
        for (let l = 0; l < 6; l++) expected += q[l] * domain.shapes[l * domain.vertices.length + 3 * v + a]
        expect(Math.abs(x[a] - expected)).toBeLessThan(ROUNDING)
      }
    }
  })

  it('turns normals with the surface when its modes are a large rotation and a stretch', () => {
    // modes that are linear fields: F = 1 + Σ H_l q_l is the same everywhere
    const turn = [0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6]
    const F = turn.map((x, k) => x * (k % 3 === 1 ? 1.5 : 1))
    const shapes = Float64Array.from({ length: domain.vertices.length }, (_, k) => {
      const [row, o] = [k % 3, k - (k % 3)]
      return [0, 1, 2].reduce((sum, c) => sum + (F[3 * row + c] - (row === c ? 1 : 0)) * domain.vertices[o + c], 0)
    })
    const bent: Reduced = { ...domain, modes: 1, shapes }
    const skin = surfaceSkin(bent)
    for (let k = 0; k < skin.sources.length; k++) {
      const { n } = moved(skin, Float64Array.of(1), k)
      // F⁻ᵀ n = R S⁻¹ n for F = R S, S = diag(1, 1.5, 1)
      const rest = skin.normals.subarray(3 * k, 3 * k + 3)
      const across = [0, 1, 2].map((row) => [0, 1, 2].reduce((sum, c) => sum + (turn[3 * row + c] * rest[c]) / (c === 1 ? 1.5 : 1), 0))
      const length = Math.hypot(...across)
      for (let a = 0; a < 3; a++) expect(n[a] / Math.hypot(...n)).toBeCloseTo(across[a] / length, 12)
    }
  })

  it('moves an embedded mesh as the elements around it, and shares skins between bodies', () => {
    const inner = voxelGrid({ size: [11, 3, 3], edge: [0.05, 0.05, 0.05], origin: [0.02, 0.02, 0.02] })
    const skin = meshSkin(domain, inner.vertices, Int32Array.of(0, 1, 2, 5, 6, 7))
    const rest = embed(domain, skin.positions)
    for (let k = 0; k < skin.positions.length / 3; k++) {
      const { x } = moved(skin, q, k)
      for (let a = 0; a < 3; a++) {
        let expected = skin.positions[3 * k + a]
        for (let c = 8 * k; c < 8 * k + 8; c++) {
          for (let l = 0; l < 6; l++)
            expected += rest.weights[c] * q[l] * domain.shapes[l * domain.vertices.length + 3 * rest.sources[c] + a]
        }
        expect(Math.abs(x[a] - expected)).toBeLessThan(ROUNDING)
      }
    }
    const skins = createSkins({
      bodies: [],
      domains: [{ name: 'd', data: domain }],
      meshes: [{ name: 'm', vertices: [...inner.vertices], faces: [0, 1, 2] }],
    })
    const [own] = skins({ name: 'a', domain: { name: 'd', color: [1, 0, 0, 1] } })
    expect(own.color).toEqual([1, 0, 0, 1])
    expect(own.skin()).toBe(skins({ name: 'b', domain: { name: 'd', scale: 2 } })[0].skin())
    const embedded = skins({
      name: 'a',
      domain: { name: 'd' },
      geoms: [
        { shape: 'mesh', mesh: 'm', color: [0, 1, 0, 1] },
        { shape: 'sphere', radius: 1 },
      ],
    })
    expect(embedded.map(({ name, color }) => [name, color])).toEqual([['m', [0, 1, 0, 1]]])
    // with a mass it is a rigid part of the body
    expect(skins({ name: 'a', domain: { name: 'd' }, geoms: [{ shape: 'mesh', mesh: 'm', mass: 1 }] })[0].name).toBe('a surface')
    expect(skins({ name: 'rigid' })).toEqual([])
  })
})
