/** Where meshes of packages are looked for on disk. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileResolver } from 'limber/node'
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
