import { type Mesh, ModelError, type ReduceOptions, reduce, voxelGrid } from 'limber'
import { expect, test } from 'vitest'
import { tetrahedra } from '../../src/deformable/mesh.js'
import { atOrigin, beam, rubber } from './meshes.js'

const voxels = beam([3, 1, 1], 0.2)
const tets = tetrahedra(voxels)
const usual: ReduceOptions = { material: rubber, fixed: atOrigin, modes: 3 }

/** The mesh with element e's corners a and b swapped. */
function swapped(mesh: Mesh, e: number, a: number, b: number): Mesh {
  const elements = mesh.elements.slice()
  const o = mesh.corners * e
  ;[elements[o + a], elements[o + b]] = [elements[o + b], elements[o + a]]
  return { ...mesh, elements }
}

function moved(mesh: Mesh, vertex: number, to: readonly number[]): Mesh {
  const vertices = mesh.vertices.slice()
  vertices.set(to, 3 * vertex)
  return { ...mesh, vertices }
}

const [a, b, c, d] = tets.elements.slice(4 * 5)
const middle = [0, 1, 2].map((k) => (tets.vertices[3 * a + k] + tets.vertices[3 * b + k] + tets.vertices[3 * c + k]) / 3)
const twice = { ...tets, elements: Int32Array.from([...tets.elements, ...tets.elements.slice(0, 4)]) }
const corner = voxelGrid({
  cells: [
    [0, 0, 0],
    [1, 1, 0],
  ],
  edge: 1,
})

test.each<[string, Mesh, Partial<ReduceOptions>, RegExp]>([
  ['an inverted tetrahedron', swapped(tets, 7, 0, 1), {}, /^element 7: expected a positive volume, got -0\.00\d+ m³ \(inverted\)/m],
  ['a flat tetrahedron', moved(tets, d, middle), {}, /^element 5: expected a volume, got \S+ m³ \(degenerate\)/m],
  [
    'a tetrahedron with a vertex twice',
    { ...tets, elements: tets.elements.map((v, k) => (k === 9 ? tets.elements[8] : v)) },
    {},
    /^element 2: .*\(degenerate\)/,
  ],
  [
    'a vertex number too large',
    { ...tets, elements: tets.elements.map((v, k) => (k === 9 ? 99 : v)) },
    {},
    /^element 2: expected vertex numbers from 0 to 15, got 99/,
  ],
  ['a face of three elements', twice, {}, /^element 18: expected a face of at most two elements, .*\(non-manifold\)/m],
  ['a voxel that is no box', moved(voxels, 15, [9, 9, 9]), {}, /^element 2: expected a box along the axes/],
  ['voxel corners in another order', swapped(voxels, 1, 2, 3), {}, /^element 1: expected a box along the axes/],
  [
    'parts that touch in an edge only',
    corner,
    {},
    /^element 1: expected elements that hang together by faces, got 2 parts.*\(disconnected\)/,
  ],
  [
    'a vertex without element',
    { ...voxels, vertices: Float64Array.from([...voxels.vertices, 1, 2, 3]) },
    {},
    /^vertex 16: expected an element that uses it, got none/,
  ],
  ['a coordinate that is no number', moved(voxels, 4, [Number.NaN, 0, 0]), {}, /^vertex 4: expected numbers as coordinates, got NaN/],
  ['no elements', { ...voxels, elements: new Int32Array(0) }, {}, /^mesh: expected elements, got none/],
  [
    'a box to hold that is elsewhere',
    voxels,
    { fixed: { min: [5, 5, 5], max: [6, 6, 6] } },
    /^fixed: expected vertices of the mesh, got none; the mesh reaches from 0, 0, 0 to 0\.6, 0\.2, 0\.2/,
  ],
  [
    'a box to hold around all',
    voxels,
    { fixed: { min: [-5, -5, -5], max: [6, 6, 6] } },
    /^fixed: expected some vertices that are not held, got all 16/,
  ],
  [
    'an interface that touches nothing',
    voxels,
    { interfaces: { tip: beam([1, 1, 1], 0.3) } },
    /^interfaces\/tip: expected a mesh that shares faces with this one, got none/,
  ],
  [
    'an interface of vertices that are not there',
    voxels,
    { interfaces: { tip: [3, 16] } },
    /^interfaces\/tip: expected vertex numbers from 0 to 15, got 16/,
  ],
  ['only one vertex held', voxels, { fixed: [0] }, /^fixed: expected vertices that are not all on one line, got 1/],
  ['only an edge held', voxels, { fixed: [0, 1] }, /^fixed: expected vertices that are not all on one line, got 2/],
  ['more modes than there are', voxels, { modes: 3, linearModes: 1 }, /^modes: expected at most 2/],
  ['half a mode', voxels, { modes: 0.5 }, /^modes: expected a whole number/],
  [
    'rubber that keeps its volume',
    voxels,
    { material: { ...rubber, poisson: 0.5 } },
    /^material\/poisson: expected a number from −1 to 0\.5/,
  ],
])('%s is named', (_, mesh, options, message) => {
  expect(() => reduce(mesh, { ...usual, ...options })).toThrow(ModelError)
  expect(() => reduce(mesh, { ...usual, ...options })).toThrow(message)
})

test('interfaces by shared faces, box or numbers', () => {
  const next = voxelGrid({ size: [2, 1, 1], edge: 0.2, origin: [0.6, 0, 0] })
  const interfaces = { shared: next, box: { min: [0.6, 0, 0], max: [0.6, 1, 1] }, numbers: [2, 1, 2] } as const
  const found = reduce(voxels, { ...usual, interfaces }).interfaces
  expect(found.map((i) => i.name)).toEqual(['parent', 'shared', 'box', 'numbers'])
  const tip = Array.from({ length: 16 }, (_, v) => v).filter((v) => voxels.vertices[3 * v] > 0.5)
  expect(Array.from(found[1].vertices)).toEqual(tip)
  expect(Array.from(found[2].vertices)).toEqual(tip)
  expect(Array.from(found[3].vertices)).toEqual([1, 2])
})
