import { describe, expect, test } from 'vitest'
import { compileMujoco } from '../../../test/oracles/compile-mujoco.js'
import { candidatePaths } from './meshes.js'
import { parseUrdf } from './parse-urdf.js'

const tetrahedron = (size: number) => `v 0 0 0\nv ${size} 0 0\nv 0 ${size} 0\nv 0 0 ${size}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`
const stated = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'

function robot(link: string, compiler = ''): string {
  return `<robot name="r"><mujoco><compiler ${compiler}/></mujoco><link name="base"/><link name="arm">${link}</link>
    <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>`
}

const shape = (tag: 'visual' | 'collision', file: string) => `<${tag}><geometry><mesh filename="${file}"/></geometry></${tag}>`

describe('the path of a mesh', () => {
  const places = (meshdir = '', strippath = false) => ({ meshdir, strippath })

  test('of a package is tried as written, without prefix, inside the package, and by name alone', () => {
    const paths = candidatePaths('package://arm/meshes/a.stl', places())
    expect(paths).toEqual(['package://arm/meshes/a.stl', 'arm/meshes/a.stl', 'meshes/a.stl', '../meshes/a.stl', 'a.stl'])
    expect(candidatePaths('file:///x/a.stl', places())).toEqual(['file:///x/a.stl', '/x/a.stl', 'a.stl'])
    expect(candidatePaths('meshes\\a.stl', places('assets'))).toEqual(['assets/meshes/a.stl', 'assets/a.stl', 'meshes/a.stl', 'a.stl'])
  })

  test('is the name alone first where strippath asks for it', () => {
    expect(candidatePaths('package://arm/meshes/a.stl', places('assets', true))[0]).toBe('assets/a.stl')
    expect(candidatePaths('meshes/a.stl', places('', true)).slice(0, 2)).toEqual(['a.stl', 'meshes/a.stl'])
  })

  test.each(['', 'strippath="false"', 'strippath="true"'])('leads to the file that MuJoCo weighs with %s', async (compiler) => {
    const files: Record<string, string> = { 'part.obj': tetrahedron(0.1), 'parts/part.obj': tetrahedron(0.2) }
    const text = robot(shape('collision', 'parts/part.obj'), compiler)
    const model = await compileMujoco(text, files)
    const mass = (model.body_mass as Float64Array)[1] as number
    model.delete()
    const spec = parseUrdf(text, { resolve: (path) => files[path] })
    expect(spec.bodies[1]?.inertia?.mass).toBeCloseTo(mass, 6)
  })

  test.each([
    '/absent/part.stl',
    'file:///absent/part.stl',
    'C:\\parts\\part.stl',
    'https://example.org/part.stl',
    'package://gone/part.stl',
  ])('of another machine, %s, is listed where the mass is stated', (file) => {
    const spec = parseUrdf(robot(stated + shape('visual', file) + shape('collision', file)), { resolve: () => undefined })
    expect(spec.ignored?.map(({ what }) => what)).toEqual(["visual mesh of link 'arm'", "collision mesh of link 'arm'"])
    expect(() => parseUrdf(robot(shape('collision', file)), { resolve: () => undefined })).toThrow(/has no <inertial> and needs it/)
  })

  test('of one name in two folders is named where its mass counts, for MuJoCo weighs the first twice', async () => {
    const files: Record<string, string> = { 'left/part.obj': tetrahedron(0.1), 'right/part.obj': tetrahedron(0.2) }
    const both = shape('collision', 'left/part.obj') + shape('collision', 'right/part.obj')
    const model = await compileMujoco(robot(both), files)
    const theirs = (model.body_mass as Float64Array)[1] as number
    model.delete()
    const spec = parseUrdf(robot(both), { resolve: (path) => files[path] })
    expect(spec.bodies[1]?.inertia?.mass).toBeCloseTo((theirs / 2) * 9, 6)
    expect(spec.ignored?.[0]?.why).toMatch(/affects motion.*left\/part\.obj, right\/part\.obj/)

    // shapes to look at count where MuJoCo keeps them
    const look = shape('visual', 'left/part.obj') + shape('collision', 'right/part.obj')
    expect(parseUrdf(robot(look), { resolve: (path) => files[path] }).ignored).toEqual([])
    const kept = parseUrdf(robot(look, 'discardvisual="false"'), { resolve: (path) => files[path] })
    expect(kept.ignored?.[0]?.why).toMatch(/takes the first of left\/part\.obj, right\/part\.obj/)

    // nothing to say where the mass is stated, or the scale tells them apart
    expect(parseUrdf(robot(stated + both), { resolve: (path) => files[path] }).ignored).toEqual([])
    const scaled = both.replace('right/part.obj"', 'right/part.obj" scale="2 2 2"')
    expect(parseUrdf(robot(scaled), { resolve: (path) => files[path] }).ignored).toEqual([])
  })
})
