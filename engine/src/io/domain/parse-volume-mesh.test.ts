import { describe, expect, test } from 'vitest'
import { beam } from '../../../test/deformable/meshes.js'
import { boxObj, gmshBytes, gmshText, tetgenTexts, vegText } from '../../../test/deformable/write-volume.js'
import { createRandom } from '../../../test/random.js'
import type { Mesh } from '../../deformable/mesh.js'
import { tetrahedra } from '../../deformable/mesh.js'
import { ModelError } from '../../model/model-error.js'
import { parseVolumeMesh } from './parse-volume-mesh.js'

const voxels = beam([3, 2, 1], [0.2, 0.25, 0.5])
const tets = tetrahedra(voxels)
const both: [string, Mesh][] = [
  ['voxels', voxels],
  ['tetrahedra', tets],
]

const read = (data: string | Uint8Array, file: string): Mesh => parseVolumeMesh(data, file).mesh

describe.each(both)('a mesh of %s comes back from', (_, mesh) => {
  test.each(['2.2', '4', '4.1'] as const)('Gmsh %s, text', (version) => {
    expect(read(gmshText(mesh, version), 'a.msh')).toEqual(mesh)
    expect(read(new TextEncoder().encode(gmshText(mesh, version).replaceAll('\n', '\r\n')), 'a.msh')).toEqual(mesh)
  })

  test.each([
    ['2.2', true],
    ['2.2', false],
    ['4.1', true],
    ['4.1', false],
  ] as const)('Gmsh %s, binary (little endian: %s)', (version, little) => {
    expect(read(gmshBytes(mesh, version, little), 'a.msh')).toEqual(mesh)
  })

  test('Vega, with its materials listed as ignored', () => {
    const { mesh: found, ignored } = parseVolumeMesh(vegText(mesh), 'a.veg')
    expect(found).toEqual(mesh)
    expect(ignored.map((x) => x.what)).toEqual(['*MATERIAL BODY', '*REGION'])
  })
})

test.each([0, 1] as const)('tetrahedra come back from TetGen, numbered from %i, whichever file is named', (first) => {
  const { node, ele } = tetgenTexts(tets, first)
  const files: Record<string, string> = { 'dir/a.node': node, 'dir/a.ele': ele }
  for (const file of Object.keys(files)) expect(parseVolumeMesh(files[file], file, { resolve: (path) => files[path] }).mesh).toEqual(tets)
})

test('vertices that no element uses are left out and counted', () => {
  const text = vegText(tets)
    .replace(/^24 3 0 0$/m, '25 3 0 0')
    .replace('*ELEMENTS', '25 9 9 9\n*ELEMENTS')
  const { mesh, ignored } = parseVolumeMesh(text, 'a.veg')
  expect(mesh).toEqual(tets)
  expect(ignored[ignored.length - 1]).toMatchObject({ path: 'vertices', what: '1 of 25' })
})

test('tetrahedra that all are numbered the other way round are turned over, a few are not', () => {
  const swap = (mesh: Mesh, which: (e: number) => boolean): Mesh => {
    const elements = mesh.elements.slice()
    for (let e = 0; e < elements.length; e += 4) if (which(e / 4)) [elements[e], elements[e + 1]] = [elements[e + 1], elements[e]]
    return { ...mesh, elements }
  }
  const { mesh, ignored } = parseVolumeMesh(vegText(swap(tets, () => true)), 'a.veg')
  expect(ignored.some((x) => x.what === 'order of the vertices')).toBe(true)
  expect(mesh.elements.length).toBe(tets.elements.length)
  const some = swap(tets, (e) => e === 3)
  expect(parseVolumeMesh(vegText(some), 'a.veg').mesh).toEqual(some)
})

describe('voxels of a surface', () => {
  test('a box becomes its grid', () => {
    const { mesh, ignored } = parseVolumeMesh(boxObj([0, 0, 0], [2, 1, 0.5]), 'box.obj', { voxels: 8 })
    expect(mesh.elements.length / 8).toBe(8 * 4 * 2)
    expect(mesh.vertices.length / 3).toBe(9 * 5 * 3)
    expect([Math.min(...mesh.vertices), Math.max(...mesh.vertices)]).toEqual([0, 2])
    expect(ignored).toEqual([])
  })

  test('a hollow box is hollow, and of two boxes the larger is kept', () => {
    const hollow = `${boxObj([0, 0, 0], [1, 1, 1])}\n${boxObj([0.25, 0.25, 0.25], [0.75, 0.75, 0.75], 8)}`
    expect(read2(hollow, 8).elements.length / 8).toBe(512 - 64)
    const two = `${boxObj([0, 0, 0], [1, 1, 1])}\n${boxObj([2, 0, 0], [4, 1, 1], 8)}`
    const { mesh, ignored } = parseVolumeMesh(two, 'two.obj', { voxels: 8 })
    expect(mesh.elements.length / 8).toBe(4 * 2 * 2)
    expect(ignored[0]).toMatchObject({ path: 'voxels', what: '8 of 24 voxels' })
  })

  test('a ball has the volume of a ball', () => {
    // an octahedron, its faces cut into small ones and pushed out to the sphere
    const lines: string[] = []
    const n = 24
    let count = 0
    for (let octant = 0; octant < 8; octant++) {
      const s = [0, 1, 2].map((a) => ((octant >> a) & 1 ? -1 : 1))
      const at = (i: number, j: number): string => {
        const x = [i, j, n - i - j].map((c, a) => s[a] * c)
        return `v ${x.map((c) => (c / Math.hypot(...x)).toFixed(7)).join(' ')}`
      }
      const add = (...points: string[]): void => {
        lines.push(
          ...points,
          s[0] * s[1] * s[2] > 0 ? `f ${count + 1} ${count + 2} ${count + 3}` : `f ${count + 1} ${count + 3} ${count + 2}`,
        )
        count += 3
      }
      for (let i = 0; i < n; i++) {
        for (let j = 0; i + j < n; j++) {
          add(at(i, j), at(i + 1, j), at(i, j + 1))
          if (i + j + 1 < n) add(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1))
        }
      }
    }
    const mesh = read2(lines.join('\n'), 30)
    const volume = (mesh.elements.length / 8) * (2 / 30) ** 3
    expect(Math.abs(volume / ((4 / 3) * Math.PI) - 1)).toBeLessThan(0.01)
  })

  const read2 = (text: string, count: number): Mesh => parseVolumeMesh(text, 'x.obj', { voxels: count }).mesh
})

describe('refused, with the place and the remedy:', () => {
  const gmsh = gmshText(tets, '4.1')
  test.each([
    ['an empty file', '', 'a.msh', {}, /a\.msh: expected a mesh, got an empty file/],
    ['a surface without a number of voxels', boxObj([0, 0, 0], [1, 1, 1]), 'a.obj', {}, /a\.obj: expected a number of voxels/],
    ['half a voxel', boxObj([0, 0, 0], [1, 1, 1]), 'a.obj', { voxels: 0.5 }, /expected a whole number of voxels from 1 on, got 0\.5/],
    ['voxels of a volume', gmsh, 'a.msh', { voxels: 5 }, /a\.msh: expected a surface/],
    [
      'an open surface',
      boxObj([0, 0, 0], [1, 1, 1]).replace(/f 2 4 8 6\n/, ''),
      'a.obj',
      { voxels: 4 },
      /a closed surface, got one with an open edge at triangle \d+/,
    ],
    [
      'walls thinner than a cell',
      boxObj([0, 0, 0], [1, 1, 1]) + boxObj([0.01, 0.01, 0.01], [0.99, 0.99, 0.99], 8).replace(/^/, '\n'),
      'a.obj',
      { voxels: 3 },
      /take more voxels/,
    ],
    ['another version of Gmsh', gmsh.replace('4.1', '1.0'), 'a.msh', {}, /a\.msh:\d+:1: expected version 2\.2, 4\.0 or 4\.1/],
    ['a cut Gmsh file', gmsh.slice(0, gmsh.indexOf('$EndNodes') - 20), 'a.msh', {}, /a\.msh:\d+:1: expected .*cut off/],
    ['a word in place of a number', gmsh.replace('3 9 0', '3 x 0'), 'a.msh', {}, /a\.msh:\d+:1: expected an entity, got 'x'/],
    [
      'a node that is not there',
      gmshText(tets, '2.2').replace(/^5 4 2 1 1 \d+/m, '5 4 2 1 1 77'),
      'a.msh',
      {},
      /element 5: expected nodes of the section \$Nodes, got 77/,
    ],
    [
      'pyramids',
      gmshText(tets, '2.2').replace(/^5 4 2/m, '5 7 2'),
      'a.msh',
      {},
      /element 5: expected tetrahedra or hexahedra, got pyramids/,
    ],
    [
      'a mesh of triangles only',
      gmshText(tets, '2.2').replace(/^\d+ 4 2 1 1 (\d+ \d+ \d+) \d+/gm, '1 2 2 1 1 $1'),
      'a.msh',
      {},
      /a\.msh: expected tetrahedra or hexahedra, got none/,
    ],
    [
      'a vertex that is not there',
      vegText(tets).replace(/^2 1 (.*) \d+$/m, '2 1 $1 99'),
      'a.veg',
      {},
      /a\.veg:\d+:1: element 2: expected vertex numbers from 1 to 24, got 99/,
    ],
    ['an include', '*INCLUDE b.veg', 'a.veg', {}, /a\.veg:1:1: expected the mesh in one file/],
    ['a lone .ele', tetgenTexts(tets, 0).ele, 'a.ele', {}, /a\.ele: expected the other of TetGen's two files, a\.node/],
  ])('%s', (_, data, file, options, message) => {
    expect(() => parseVolumeMesh(data, file, options)).toThrow(ModelError)
    expect(() => parseVolumeMesh(data, file, options)).toThrow(message)
  })
})

test('1,500 damaged files (seed 4) give a mesh or a ModelError', () => {
  const random = createRandom(4)
  const samples: [string, Uint8Array][] = [
    ['a.msh', new TextEncoder().encode(gmshText(tets, '2.2'))],
    ['a.msh', new TextEncoder().encode(gmshText(voxels, '4.1'))],
    ['a.msh', gmshBytes(tets, '2.2', true)],
    ['a.msh', gmshBytes(voxels, '4.1', true)],
    ['a.veg', new TextEncoder().encode(vegText(tets))],
  ]
  const counts = { read: 0, refused: 0 }
  for (let k = 0; k < 1500; k++) {
    const [file, data] = samples[k % samples.length]
    const bytes = k % 7 === 0 ? data.slice(0, random.below(data.length)) : data.slice()
    for (let t = k % 3; t < 3 && bytes.length > 0; t++)
      bytes[random.below(bytes.length)] = k % 2 === 0 ? random.below(256) : 48 + random.below(10)
    try {
      const { mesh } = parseVolumeMesh(bytes, file)
      for (const v of mesh.elements) if (!(v >= 0 && v < mesh.vertices.length / 3)) throw new Error(`vertex ${v}`)
      counts.read++
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      counts.refused++
    }
  }
  expect(counts.read).toBeGreaterThan(100)
  expect(counts.refused).toBeGreaterThan(100)
})
