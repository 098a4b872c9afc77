import { describe, expect, test } from 'vitest'
import { parseUrdf } from './parse-urdf.js'

const link = (name: string) =>
  `<link name="${name}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>`
const joint = (parent: string, child: string, type = 'revolute') =>
  `<joint name="${child}" type="${type}"><parent link="${parent}"/><child link="${child}"/><origin xyz="0 0 1"/></joint>`
const read = (...parts: string[]) => parseUrdf(`<robot name="r">${parts.join('')}</robot>`)

describe('a parent that is no link', () => {
  test('is the ground where it is called world, and it is said', () => {
    const implied = read(link('base'), link('arm'), joint('world', 'base', 'floating'), joint('base', 'arm'))
    const stated = read('<link name="world"/>', link('base'), link('arm'), joint('world', 'base', 'floating'), joint('base', 'arm'))
    expect(implied.bodies).toEqual(stated.bodies)
    expect(stated.ignored).toEqual([])
    expect(implied.ignored).toMatchObject([{ what: "link 'world' is not in the file", why: expect.stringContaining('Drake') }])
  })

  test('is a problem by any other name', () => {
    expect(() => read(link('base'), joint('word', 'base'))).toThrow(/expected the name of a link, got 'word'/)
    expect(() => read(link('base'), link('world2'), joint('world1', 'base'))).toThrow(/got 'world1'; did you mean 'world2'/)
  })
})

test('joints of Drake alone are named as changing the motion', () => {
  const spec = read(link('base'), link('ball'), '<drake:joint name="j" type="ball"><parent link="base"/><child link="ball"/></drake:joint>')
  expect(spec.ignored.map(({ what }) => what)).toEqual(expect.arrayContaining(['drake:joint', expect.stringContaining('2 root links')]))
  expect(spec.ignored.find(({ what }) => what === 'drake:joint')?.why).toMatch(/affects motion/)
})
