/** Where meshes of packages are looked for on disk, and what a model may read there. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { ModelError } from 'limber'
import { fileResolver, loadSpec } from 'limber/node'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'limber-packages-'))
afterAll(() => rmSync(root, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())

function put(path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), path)
}

const found = (folder: string, path: string): string | undefined => {
  const bytes = fileResolver(join(root, folder))(path)
  return bytes && new TextDecoder().decode(bytes)
}

describe('a mesh of a package', () => {
  for (const name of ['ws/arm', 'ws/hand', 'one/legs', 'two/legs']) put(`${name}/package.xml`)
  put('ws/arm/urdf/arm.urdf')
  put('ws/arm/meshes/a.stl')
  put('ws/hand/meshes/b.stl')
  put('one/legs/meshes/c.stl')
  put('two/legs/meshes/c.stl')
  put('two/legs/meshes/d.stl')
  put('prefix/share/head/meshes/e.stl')

  it('is found in the package of the file and in those beside it', () => {
    expect(found('ws/arm/urdf', 'package://arm/meshes/a.stl')).toBe('ws/arm/meshes/a.stl')
    expect(found('ws/arm/urdf', 'package://hand/meshes/b.stl')).toBe('ws/hand/meshes/b.stl')
  })

  it('is found in the first of several roots that has it', () => {
    expect(found('ws/arm/urdf', 'package://legs/meshes/c.stl')).toBeUndefined()
    vi.stubEnv('ROS_PACKAGE_PATH', [join(root, 'one'), '', join(root, 'two')].join(delimiter))
    expect(found('ws/arm/urdf', 'package://legs/meshes/c.stl')).toBe('one/legs/meshes/c.stl')
    expect(found('ws/arm/urdf', 'package://legs/meshes/d.stl')).toBe('two/legs/meshes/d.stl')
  })

  it('is found where ROS 2 installs packages', () => {
    vi.stubEnv('AMENT_PREFIX_PATH', join(root, 'prefix'))
    expect(found('ws/arm/urdf', 'package://head/meshes/e.stl')).toBe('prefix/share/head/meshes/e.stl')
  })

  it('is found when the folder of the package has another name', () => {
    expect(found('ws/arm/urdf', 'package://arm_description/meshes/a.stl')).toBe('ws/arm/meshes/a.stl')
    expect(found('ws/arm/urdf', 'package://arm_description/meshes/gone.stl')).toBeUndefined()
  })
})

it('an address that is no path of this machine is no file, not a crash', () => {
  for (const url of ['file://elsewhere/a.stl', 'file:///a%zz.stl', 'file://', 'package://', 'package:///a.stl']) {
    expect(found('ws/arm/urdf', url)).toBeUndefined()
  }
})

describe('a model reads below its folder', () => {
  const cube = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'
  const write = (path: string, text: string): string => {
    put(path)
    writeFileSync(join(root, path), text)
    return join(root, path)
  }
  const secret = write('mine/secret.txt', 'the password is swordfish\n')
  write('mine/cube.obj', cube)
  write('mine/here/beside.obj', cube)
  write('mine/here/in/below.obj', cube)
  symlinkSync(secret, join(root, 'mine/here/link.txt'))
  symlinkSync(join(root, 'mine'), join(root, 'mine/here/up'))

  const include = (file: string): string => `<mujoco><include file="${file}"/></mujoco>`
  const ways = ['../secret.txt', secret, 'link.txt', 'up/secret.txt', 'in/../../secret.txt']

  it.each(ways)('and not %s, whose text nobody is told', (file) => {
    const model = write('mine/here/model.xml', include(file))
    let message = ''
    try {
      loadSpec(model)
    } catch (error) {
      expect(error).toBeInstanceOf(ModelError)
      message = (error as Error).message
    }
    expect(message).toMatch(/outside the folder of the model, so it was not read; .*--allow-outside/)
    expect(message).not.toMatch(/swordfish|password/)
  })

  it.each([...ways, `file://${secret}`, 'package://mine/secret.txt', 'package://x/secret.txt'])('and URDF not %s as a mesh', (file) => {
    const urdf = `<robot name="r"><link name="l"><visual><geometry><mesh filename="${file}"/></geometry></visual></link></robot>`
    const model = write('mine/here/model.urdf', urdf)
    try {
      const { ignored } = loadSpec(model)
      expect(ignored.map(({ why }) => why).join('\n')).toMatch(/outside the folder of the model/)
      expect(JSON.stringify(ignored)).not.toMatch(/swordfish|password/)
    } catch (error) {
      expect(error).toBeInstanceOf(ModelError)
      expect((error as Error).message).toMatch(/outside the folder of the model/)
      expect((error as Error).message).not.toMatch(/swordfish|password/)
    }
  })

  it('with meshes beside it and below it, and outside where that is allowed', () => {
    const mesh = (file: string): string =>
      `<mujoco><asset><mesh name="m" file="${file}"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>`
    for (const file of ['beside.obj', 'in/below.obj']) expect(loadSpec(write('mine/here/model.xml', mesh(file))).meshes).toHaveLength(1)
    const outside = write('mine/here/model.xml', mesh('../cube.obj'))
    expect(loadSpec(outside).meshes ?? []).toHaveLength(0)
    expect(loadSpec(outside, { outside: true }).meshes).toHaveLength(1)
  })

  it('and in the project around it: that of a package, or of what is published with a licence', () => {
    const mesh =
      '<mujoco><asset><mesh name="m" file="../meshes/a.obj"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
    for (const mark of ['package.xml', 'LICENSE']) {
      write(`${mark}-project/meshes/a.obj`, cube)
      const model = write(`${mark}-project/xml/model.xml`, mesh)
      expect(loadSpec(model).meshes ?? []).toHaveLength(0)
      write(`${mark}-project/${mark}`, '')
      expect(loadSpec(model).meshes).toHaveLength(1)
    }
  })

  it('and a link to a model reads beside its target', () => {
    const target = write(
      'far/away/model.xml',
      '<mujoco><asset><mesh name="m" file="a.obj"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>',
    )
    write('far/away/a.obj', cube)
    symlinkSync(target, join(root, 'mine/here/linked.xml'))
    symlinkSync(join(root, 'far/away/a.obj'), join(root, 'mine/here/a.obj'))
    expect(loadSpec(join(root, 'mine/here/linked.xml')).meshes).toHaveLength(1)
  })

  it('and says which file cannot be read, is a folder, or never ends', () => {
    expect(() => loadSpec(join(root, 'mine'))).toThrow(ModelError)
    expect(() => loadSpec(join(root, 'mine/none.xml'))).toThrow(ModelError)
    expect(() => loadSpec('/dev/zero')).toThrow(/expected at most \d+ bytes/)
    expect(() => loadSpec('a\0b.xml')).toThrow(ModelError)
    const closed = write('mine/here/closed.xml', '<mujoco/>')
    chmodSync(closed, 0)
    // root may read everything
    if (process.getuid?.() !== 0) expect(() => loadSpec(closed)).toThrow(/closed\.xml: cannot be read \(EACCES\)/)
  })
})
