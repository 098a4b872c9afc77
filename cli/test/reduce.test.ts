import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mesh, readReduced, reduce, voxelGrid } from 'limber'
import { describe, expect, it } from 'vitest'
import { tetrahedra } from '../../engine/test/deformable/meshes.js'
import { boxObj, gmshText, tetgenTexts, vegText } from '../../engine/test/deformable/write-volume.js'
import { limber, limberAlone, type Result, temporaryFolder } from './limber.js'

const folder = temporaryFolder()
const env = { LIMBER_CACHE: join(folder.path, 'cache') }
const at = (...args: string[]) => limber(['reduce', ...args], { cwd: folder.path, env })
const read = (name: string) => readFileSync(join(folder.path, name))

const voxels = voxelGrid({ size: [6, 2, 1], edge: 0.1 })
const tets = tetrahedra(voxels)
folder.put('beam.msh', gmshText(tets, '4.1'))
folder.put('beam.veg', vegText(voxels))
folder.put('beam.node', tetgenTexts(tets, 1).node)
folder.put('beam.ele', tetgenTexts(tets, 1).ele)
folder.put('beam.obj', boxObj([0, 0, 0], [0.6, 0.2, 0.1]))
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
    expect(result).toMatchObject({ vertices: 42, elements: 72, modes: 5, cached: false })
    expect(result.mass).toBeCloseTo(900 * 0.6 * 0.2 * 0.1, 10)
    const fixed = { min: [-1, -1, -1], max: [0, 1, 1] } as const
    const tip = { min: [0.6, -1, -1], max: [0.6, 1, 1] } as const
    const expected = reduce(tets, { material, fixed, interfaces: { tip }, modes: 5 })
    expect(readReduced(read('beam.limber'), 'beam.limber')).toEqual(expected)
    expect(result.frequencies).toEqual(Array.from(expected.frequencies))
    expect(expected.interfaces.map((i) => i.vertices.length)).toEqual([6, 6])
  })

  it.each([
    ['beam.veg', [], voxels],
    ['beam.node', [], tets],
    ['beam.ele', [], tets],
    ['beam.obj', ['--voxels', '6'], voxels],
  ] as [string, string[], Mesh][])('reads %s', async (file, more, mesh) => {
    const result = document(await at(file, ...more, ...fix, '--modes', '2', '--out', 'x.limber', '--no-cache', '--json'))
    expect(result).toMatchObject({ vertices: 42, elements: mesh.elements.length / mesh.corners, modes: 2, cached: false })
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
    folder.put('long.veg', vegText(voxelGrid({ size: [40, 2, 2], edge: 0.1 })))
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
  folder.put(
    'inverted.veg',
    vegText({ ...tets, elements: tets.elements.map((v, k, all) => (k === 20 ? all[21] : k === 21 ? all[20] : v)) }),
  )
  folder.put('open.obj', boxObj([0, 0, 0], [0.6, 0.2, 0.1]).replace(/f 2 4 8 6\n/, ''))
  it.each([
    ['a missing file', ['none.msh', '--out', 'y.limber'], /none\.msh: no such file/],
    ['no place for the result', ['beam.msh'], /--out/],
    ['a folder that is not there', ['beam.msh', '--out', 'no/y.limber'], /folder no is not there/],
    ['the mesh as result', ['beam.msh', '--out', './beam.msh'], /overwrite the mesh/],
    ['a surface without voxels', ['beam.obj', '--out', 'y.limber'], /beam\.obj: .*--voxels N/],
    ['an open surface', ['open.obj', '--voxels', '6', '--out', 'y.limber'], /open\.obj: expected a closed surface.*triangle \d+/],
    ['an inverted element', ['inverted.veg', '--out', 'y.limber'], /inverted\.veg: element 5: .*inverted/],
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
