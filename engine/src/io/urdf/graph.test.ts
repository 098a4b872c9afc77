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

describe('two joints of one name', () => {
  const fixed = '<joint name="arm" type="fixed"><parent link="arm"/><child link="tip"/></joint>'
  const follower = '<joint name="f" type="revolute"><parent link="base"/><child link="f"/><mimic joint="arm"/></joint>'

  test('are taken where one is fixed, and followers follow the other', () => {
    for (const joints of [
      [joint('base', 'arm'), fixed],
      [fixed, joint('base', 'arm')],
    ]) {
      const spec = read(link('base'), link('arm'), link('tip'), link('f'), ...joints, follower)
      expect(spec.bodies.flatMap((body) => body.joints?.map(({ name }) => name) ?? [])).toEqual(expect.arrayContaining(['arm', 'f']))
      expect(spec.constraints).toMatchObject([{ joint: 'f', of: 'arm' }])
      expect(spec.ignored).toContainEqual(expect.objectContaining({ what: "joint name 'arm'" }))
    }
  })

  test('are a problem where both move', () => {
    const twice = joint('arm', 'tip').replace('name="tip"', 'name="arm"')
    expect(() => read(link('base'), link('arm'), link('tip'), joint('base', 'arm'), twice)).toThrow(/duplicate joint name 'arm'/)
  })
})
