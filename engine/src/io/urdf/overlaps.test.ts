import { describe, expect, test } from 'vitest'
import { buildModel } from '../../build/build-model.js'
import { parseUrdf } from './parse-urdf.js'

const inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
const box = (tag = 'collision') => `<${tag}><geometry><box size="0.1 0.1 0.3"/></geometry></${tag}>`
const link = (name: string, shape = box()) => `<link name="${name}">${inertial}${shape}</link>`
const joint = (parent: string, child: string, z: number, type = 'revolute', extra = '') =>
  `<joint name="${parent}-${child}" type="${type}"><origin xyz="0 0 ${z}"/><parent link="${parent}"/><child link="${child}"/>
    <axis xyz="0 1 0"/>${extra}</joint>`
const robot = (...parts: string[]) => parseUrdf(`<robot name="r">${parts.join('\n')}</robot>`)
const contacts = (spec: ReturnType<typeof robot>) => spec.ignored.filter(({ what }) => what.startsWith('contact of links'))

describe('links drawn into each other', () => {
  // a ghost between, so that the pair is not one of neighbours, which never touch
  const leg = (z: number, ...rest: string[]) => [
    link('trunk'),
    link('hip', ''),
    link('thigh'),
    joint('trunk', 'hip', 0),
    joint('hip', 'thigh', z),
    ...rest,
  ]

  test('pass through each other, and it is said', () => {
    const spec = robot(...leg(0.25))
    expect(spec.exclude).toEqual([['trunk', 'thigh']])
    expect(contacts(spec)).toMatchObject([{ what: "contact of links 'trunk' and 'thigh'", why: expect.stringContaining('overlap') }])
    expect(buildModel(spec).nv).toBe(2)
  })

  test.each([
    ['apart', 0.35],
    ['touching', 0.3],
  ])('that are %s stay solid', (_, z) => {
    const spec = robot(...leg(z))
    expect(spec).not.toHaveProperty('exclude')
    expect(contacts(spec)).toEqual([])
  })

  test('are looked for where the ranges let the robot start', () => {
    const bent = (range: string) => robot(...leg(0.25, link('shank'), joint('thigh', 'shank', 0.01, 'prismatic', `<limit ${range}/>`)))
    expect(bent('lower="-1" upper="1"').exclude).toEqual([
      ['trunk', 'thigh'],
      ['trunk', 'shank'],
    ])
    expect(bent('lower="0.2" upper="1"').exclude).toEqual([['trunk', 'thigh']])
  })

  test('of a base on the ground count, neighbours too, for the ground shields nobody', () => {
    expect(robot(link('base'), link('arm'), joint('base', 'arm', 0.1)).exclude).toEqual([['base', 'arm']])
    expect(
      robot('<link name="world"/>', link('base'), link('arm'), joint('world', 'base', 1, 'fixed'), joint('base', 'arm', 0.1)).exclude,
    ).toEqual([['base', 'arm']])
  })

  test('count only within one robot: what floats, another root and the ground stay solid', () => {
    expect(
      robot('<link name="world"/>', link('a'), link('b'), joint('world', 'a', 0, 'floating'), joint('world', 'b', 0.1, 'floating')),
    ).not.toHaveProperty('exclude')
    expect(robot(link('table'), link('cup'), joint('table', 'cup', 0.1, 'floating'))).not.toHaveProperty('exclude')
    expect(robot(`<link name="world">${box()}</link>`, link('a'), joint('world', 'a', 0.1))).not.toHaveProperty('exclude')
    expect(robot(link('floor'), link('base'), link('arm'), joint('base', 'arm', 0.5)).exclude ?? []).not.toContainEqual(['floor', 'arm'])
  })

  const far = (shape: string, resolve?: () => string) => {
    const links = [link('trunk', shape), link('hip', ''), link('thigh', shape), joint('trunk', 'hip', 0), joint('hip', 'thigh', 0.25)]
    return parseUrdf(`<robot name="r">${links.join('')}</robot>`, resolve ? { resolve } : {})
  }

  test('do not count by what is only to look at', () => {
    expect(far(box('visual'))).not.toHaveProperty('exclude')
  })

  test.each([
    ['cylinder', '<cylinder radius="0.1" length="0.3"/>', '<cylinder radius="0.1" length="0.24"/>'],
    ['sphere', '<sphere radius="0.13"/>', '<sphere radius="0.12"/>'],
    ['capsule', '<capsule radius="0.05" length="0.2"/>', '<capsule radius="0.05" length="0.14"/>'],
    ['mesh', '<mesh filename="m.obj"/>', '<mesh filename="m.obj" scale="0.8 0.8 0.8"/>'],
  ])('count by a %s as the engine touches with it', (_, deep, apart) => {
    const prism = [-0.15, 0.15].flatMap((z) => [`v -0.1 -0.1 ${z}`, `v 0.1 -0.1 ${z}`, `v 0 0.1 ${z}`]).join('\n')
    const resolve = () => `${prism}\nf 3 2 1\nf 4 5 6\nf 1 2 5 4\nf 2 3 6 5\nf 3 1 4 6\n`
    const shaped = (shape: string) => far(`<collision><geometry>${shape}</geometry></collision>`, resolve)
    expect(shaped(deep).exclude).toEqual([['trunk', 'thigh']])
    expect(contacts(shaped(deep))).toHaveLength(1)
    expect(shaped(apart)).not.toHaveProperty('exclude')
  })

  test('do not count by a plane, which is the ground', () => {
    const ground = '<collision><geometry><plane/></geometry></collision>'
    const spec = robot(link('ground', ground), link('hip', ''), link('thigh'), joint('ground', 'hip', 0), joint('hip', 'thigh', 0.1))
    expect(spec).not.toHaveProperty('exclude')
  })
})
