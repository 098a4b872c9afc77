import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readReduced, reduce, voxelGrid } from 'limber'
import { describe, expect, it } from 'vitest'
import { limber, limberAlone, type Result, temporaryFolder } from './limber.js'

const folder = temporaryFolder()
const env = { LIMBER_CACHE: join(folder.path, 'cache') }
const at = (...args: string[]) => limber(['reduce', ...args], { cwd: folder.path, env })
const read = (name: string) => readFileSync(join(folder.path, name))

/** The lines `number x y z` and `number v₁ … v₈` of a bar of n voxels along x, 0.2 by 0.1 in two by one cells. */
function bar(n: number): { vertices: string[]; elements: string[] } {
  const { vertices, elements } = voxelGrid({ size: [n, 2, 1], edge: 0.1 })
  const row = (list: ArrayLike<number>, size: number, k: number, shift: number): string =>
    `${k + 1} ${Array.from({ length: size }, (_, c) => list[size * k + c] + shift).join(' ')}`
  return {
    vertices: Array.from({ length: vertices.length / 3 }, (_, k) => row(vertices, 3, k, 0)),
    elements: Array.from({ length: elements.length / 8 }, (_, k) => row(elements, 8, k, 1)),
  }
}

function veg(n: number): string {
  const { vertices, elements } = bar(n)
  const head = ['*VERTICES', `${vertices.length} 3 0 0`, ...vertices, '*ELEMENTS', 'CUBIC', `${elements.length} 8 0`, ...elements]
  return [...head, '*MATERIAL BODY', 'ENU, 1000, 1E6, 0.4'].join('\n')
}

function gmsh(n: number): string {
  const { vertices, elements } = bar(n)
  const rows = elements.map((row) => row.replace(' ', ' 5 2 1 1 '))
  const nodes = ['$Nodes', vertices.length, ...vertices, '$EndNodes']
  return ['$MeshFormat', '2.2 0 8', '$EndMeshFormat', ...nodes, '$Elements', rows.length, ...rows, '$EndElements', ''].join('\n')
}

const obj = [0, 1, 2, 3, 4, 5, 6, 7].map((c) => `v ${c & 1 ? 0.6 : 0} ${c & 2 ? 0.2 : 0} ${c & 4 ? 0.1 : 0}`)
obj.push('f 1 5 7 3', 'f 1 2 6 5', 'f 3 7 8 4', 'f 1 3 4 2', 'f 5 6 8 7', 'f 2 4 8 6')
folder.put('beam.msh', gmsh(6))
folder.put('beam.veg', veg(6))
folder.put('pair.node', '5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n')
folder.put('pair.ele', '2 4 0\n1 1 2 3 4\n2 2 3 4 5\n')
folder.put('beam.obj', obj.join('\n'))
const fix = ['--fix', '-1,-1,-1,0,1,1']
const material = { young: 2e6, poisson: 0.3, density: 900 }
const steel = ['--young', '2e6', '--poisson', '0.3', '--density', '900']

interface Document {
  readonly vertices: number
  readonly elements: number
  readonly modes: number
  readonly mass: number
  readonly frequencies: number[]
  readonly seconds: number
  readonly cached: boolean
  readonly ignored: { what: string }[]
}

function document({ code, stdout, stderr }: Result): Document {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Document
}

describe('reduce', () => {
  it('prints the documented result and writes what the library makes', () => {
    const args = [
      'reduce',
      'beam.msh',
      ...fix,
      ...steel,
      '--modes',
      '5',
      '--interface',
      'tip=0.6,-1,-1,0.6,1,1',
      '--out',
      'beam.limber',
      '--json',
    ]
    const result = document(limberAlone(args, { cwd: folder.path, env }))
    expect(Object.keys(result).slice(0, 6)).toEqual(['vertices', 'elements', 'modes', 'mass', 'frequencies', 'seconds'])
    expect(result).toMatchObject({ vertices: 42, elements: 12, modes: 5, cached: false })
    expect(result.mass).toBeCloseTo(900 * 0.6 * 0.2 * 0.1, 10)
    const fixed = { min: [-1, -1, -1], max: [0, 1, 1] } as const
    const tip = { min: [0.6, -1, -1], max: [0.6, 1, 1] } as const
    const expected = reduce(voxelGrid({ size: [6, 2, 1], edge: 0.1 }), { material, fixed, interfaces: { tip }, modes: 5 })
    expect(readReduced(read('beam.limber'), 'beam.limber')).toEqual(expected)
    expect(result.frequencies).toEqual(Array.from(expected.frequencies))
    expect(expected.interfaces.map((i) => i.vertices.length)).toEqual([6, 6])
  })

  it.each([
    ['beam.veg', [], 42, 12],
    ['pair.node', [], 5, 2],
    ['pair.ele', [], 5, 2],
    ['beam.obj', ['--voxels', '6'], 42, 12],
  ])('reads %s', async (file, more, vertices, elements) => {
    const result = document(await at(file, ...more, ...fix, '--modes', '2', '--out', 'x.limber', '--no-cache', '--json'))
    expect(result).toMatchObject({ vertices, elements, modes: 2, cached: false })
  })

  it('finds an interface by the faces that are shared with another mesh', async () => {
    folder.put('next.node', '5 3 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n5 2 2 2\n')
    folder.put('next.ele', '1 4 0\n1 1 2 3 4\n')
    document(await at('pair.ele', '--interface', 'side=next.ele', '--modes', '0', '--out', 'side.limber', '--json'))
    const found = readReduced(read('side.limber'), 'side').interfaces
    expect(found.map(({ name, vertices }) => [name, Array.from(vertices)])).toEqual([['side', [1, 2, 3, 4]]])
  })

  it('finds the same in its cache, and makes it anew where that is damaged', async () => {
    const args = ['beam.veg', ...fix, '--modes', '3', '--json', '--out']
    expect(document(await at(...args, 'first.limber')).cached).toBe(false)
    expect(document(await at(...args, 'second.limber')).cached).toBe(true)
    expect(read('second.limber')).toEqual(read('first.limber'))
    expect(document(await at(...args, 'third.limber', '--young', '3e6')).cached).toBe(false)
    for (const name of readdirSync(join(env.LIMBER_CACHE, 'reduced'))) writeFileSync(join(env.LIMBER_CACHE, 'reduced', name), 'damaged')
    expect(document(await at(...args, 'fourth.limber')).cached).toBe(false)
    expect(read('fourth.limber')).toEqual(read('first.limber'))
    expect(readdirSync(join(env.LIMBER_CACHE, 'reduced')).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('writes the same bits for any number of threads', async () => {
    folder.put('long.veg', veg(80))
    const files = await Promise.all(
      ['1', '2', '5'].map(async (threads) => {
        const out = `long${threads}.limber`
        document(await at('long.veg', ...fix, '--modes', '8', '--threads', threads, '--no-cache', '--json', '--out', out))
        return read(out)
      }),
    )
    expect(files[1]).toEqual(files[0])
    expect(files[2]).toEqual(files[0])
  })

  it('says for people what it made and what it left out', async () => {
    const { code, stdout, stderr } = await at('beam.veg', '--modes', '0', '--out', 'rigid.limber')
    expect(code).toBe(0)
    expect(stdout).toMatch(/wrote rigid\.limber: 0 modes of 42 vertices and 12 voxels\nmass 12 kg/)
    expect(stdout).toMatch(/not read from beam\.veg:\n {2}line \d+: \*MATERIAL BODY: a domain has one material/)
    expect(stderr).toBe('')
  })
})

describe('bad input of reduce', () => {
  folder.put('inverted.node', read('pair.node').toString())
  folder.put('inverted.ele', '2 4 0\n1 1 2 3 4\n2 2 4 3 5\n')
  folder.put('open.obj', obj.slice(0, -1).join('\n'))
  it.each([
    ['a missing file', ['none.msh', '--out', 'y.limber'], /none\.msh: no such file/],
    ['no place for the result', ['beam.msh'], /--out/],
    ['a folder that is not there', ['beam.msh', '--out', 'no/y.limber'], /folder no is not there/],
    ['the mesh as result', ['beam.msh', '--out', './beam.msh'], /overwrite the mesh/],
    ['a surface without voxels', ['beam.obj', '--out', 'y.limber'], /beam\.obj: .*--voxels N/],
    ['an open surface', ['open.obj', '--voxels', '6', '--out', 'y.limber'], /open\.obj: expected a closed surface.*triangle \d+/],
    ['an inverted element', ['inverted.ele', '--out', 'y.limber'], /inverted\.ele: element 1: .*inverted/],
    [
      'a box beside the mesh',
      ['beam.msh', '--fix', '5,5,5,6,6,6', '--out', 'y.limber'],
      /--fix: expected vertices of the mesh, got none; the mesh reaches from/,
    ],
    ['a box around the mesh', ['beam.msh', '--fix', '-5,-5,-5,6,6,6', '--out', 'y.limber'], /--fix: .*got all 42 held/],
    ['a box of five numbers', ['beam.msh', '--fix', '1,2,3,4,5', '--out', 'y.limber'], /six numbers/],
    [
      'an interface beside the mesh',
      ['beam.msh', '--interface', 'tip=5,5,5,6,6,6', '--out', 'y.limber'],
      /--interface tip: expected vertices/,
    ],
    [
      'an interface to a mesh elsewhere',
      ['beam.msh', '--interface', 'tip=pair.ele', '--out', 'y.limber'],
      /--interface tip: expected a mesh that shares faces/,
    ],
    ['an interface to no file', ['beam.msh', '--interface', 'tip=none.msh', '--out', 'y.limber'], /none\.msh: no such file/],
    ['an interface without a name', ['beam.msh', '--interface', '5,5,5,6,6,6', '--out', 'y.limber'], /NAME=x0/],
    [
      "an impossible Poisson's ratio",
      ['beam.msh', '--poisson', '0.5', '--out', 'y.limber'],
      /--poisson: expected a number from −1 to 0\.5/,
    ],
    ['too many modes', ['beam.msh', '--modes', '50', '--linear-modes', '3', '--out', 'y.limber'], /--modes: expected at most 9/],
  ])('%s ends with exit code 2, says what to do, and writes nothing', async (_title, args, message) => {
    const { code, stdout, stderr } = await at(...args)
    expect(stderr).toMatch(message)
    expect(stdout).toBe('')
    expect(code).toBe(2)
    expect(existsSync(join(folder.path, 'y.limber'))).toBe(false)
  })
})
