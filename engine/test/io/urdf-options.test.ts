/** Options of a URDF: how its base stands, a floor, actuators; and what is said of meshes that are missing. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildModel, createSimulation, ModelError, parseUrdf } from 'limber'
import { loadSpec } from 'limber/node'
import { afterAll, describe, expect, it } from 'vitest'

const inertial = '<inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>'
const shaped = (name: string, shape: string) =>
  `<link name="${name}">${inertial}<collision><origin rpy="0.3 0.4 0.5"/><geometry>${shape}</geometry></collision></link>`
const joint = (type: string, parent: string, child: string, more = '') =>
  `<joint name="${parent}-${child}" type="${type}"><origin xyz="0 0 0.4"/><parent link="${parent}"/><child link="${child}"/><axis xyz="0 1 0"/>${more}</joint>`
const robot = (...parts: string[]) => `<robot name="r">${parts.join('')}</robot>`
const box = '<box size="0.1 0.2 0.3"/>'
const types = (text: string, options: Parameters<typeof parseUrdf>[1]) =>
  buildModel(parseUrdf(text, options)).joints.map(({ type }) => type)

describe('the base of a URDF', () => {
  const arm = robot(shaped('base', box), shaped('arm', box), joint('revolute', 'base', 'arm'))

  it('is fixed to the ground unless it is asked to be free', () => {
    expect(types(arm, {})).toEqual(['revolute'])
    expect(types(arm, { base: 'fixed' })).toEqual(['revolute'])
    expect(types(arm, { base: 'free' })).toEqual(['free', 'revolute'])
    // its mass now matters, so nothing is said of mass on the ground
    expect(parseUrdf(arm, { base: 'free' }).ignored.map(({ what }) => what)).not.toContainEqual(
      expect.stringContaining('fixed to the ground'),
    )
  })

  it('is freed from a link world, where it stands, and fixed to it', () => {
    const on = (type: string) => robot('<link name="world"/>', shaped('base', box), joint(type, 'world', 'base'))
    expect(types(on('fixed'), { base: 'free' })).toEqual(['free'])
    expect([...buildModel(parseUrdf(on('fixed'), { base: 'free' })).q0]).toEqual([0, 0, 0.4, 1, 0, 0, 0])
    expect(types(on('floating'), {})).toEqual(['free'])
    expect(types(on('floating'), { base: 'free' })).toEqual(['free'])
    expect(types(on('floating'), { base: 'fixed' })).toEqual([])
  })

  it('cannot be freed where another joint leads to the ground, and the joint is named', () => {
    const text = robot('<link name="world"/>', shaped('base', box), joint('revolute', 'world', 'base'))
    expect(() => parseUrdf(text, { base: 'free' })).toThrow(/1:\d+.*base 'free'.*joint 'world-base' \(revolute\).*leave base out/)
    expect(() => parseUrdf(text, { base: 'floating' as 'free' })).toThrow(/base: expected one of free, fixed, got 'floating'/)
  })

  it('falls with gravity', () => {
    const simulation = createSimulation(buildModel(parseUrdf(arm, { base: 'free' })))
    while (simulation.state.t < 0.2 - 1e-9) simulation.step()
    expect(simulation.body('base').position()[2]).toBeCloseTo(-0.5 * 9.81 * 0.04, 2)
  })
})

describe('a floor', () => {
  const tetrahedron = 'v 0 0 0\nv 0.3 0 0\nv 0 0.3 0\nv 0 0 0.3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'
  const options = { floor: true, resolve: () => tetrahedron }
  const heightOf = (spec: ReturnType<typeof parseUrdf>) => spec.world?.geoms?.at(-1)?.position?.[2] ?? 0

  it.each([
    ['box', box],
    ['cylinder', '<cylinder radius="0.1" length="0.3"/>'],
    ['capsule', '<capsule radius="0.1" length="0.3"/>'],
    ['sphere', '<sphere radius="0.1"/>'],
    ['mesh', '<mesh filename="t.obj"/>'],
  ])('carries a free base whose lowest shape is a %s from the first step on', (_, shape) => {
    const text = robot(shaped('base', shape))
    const spec = parseUrdf(text, { ...options, base: 'free' })
    expect(heightOf(spec)).toBe(0)
    const simulation = createSimulation(buildModel({ ...spec, gravity: [0, 0, 0] }))
    simulation.step()
    const gaps = simulation.contacts().map(({ gap }) => gap)
    expect(gaps.length).toBeGreaterThan(0)
    expect(Math.abs(Math.min(...gaps))).toBeLessThan(1e-9)
  })

  it('is at z = 0 below a fixed base, or lower where links reach below that', () => {
    expect(
      heightOf(parseUrdf(robot('<link name="base"/>', shaped('arm', '<sphere radius="0.1"/>'), joint('revolute', 'base', 'arm')), options)),
    ).toBe(0)
    expect(
      heightOf(parseUrdf(robot('<link name="base"/>', shaped('arm', '<sphere radius="0.5"/>'), joint('revolute', 'base', 'arm')), options)),
    ).toBeCloseTo(-0.1, 12)
  })

  it('finds the joints in their ranges', () => {
    const text = robot(
      '<link name="base"/>',
      shaped('arm', box),
      joint('revolute', 'base', 'arm', '<limit lower="-2" upper="-0.5" effort="1" velocity="1"/>'),
    )
    expect([...buildModel(parseUrdf(text, options)).q0]).toEqual([-0.5])
    expect([...buildModel(parseUrdf(text)).q0]).toEqual([0])
  })

  it('is there for a robot without shapes, which is told that it falls', () => {
    const text = robot(`<link name="base">${inertial}</link>`)
    const simulation = createSimulation(buildModel(parseUrdf(text, { base: 'free', floor: true })))
    expect(simulation.warnings().join('\n')).toMatch(/'base' will fall: it has no shape that can touch/)
  })

  it('takes another name where a link has one of that name', () => {
    const named = robot(`<link name="base">${inertial}<collision name="floor"><geometry>${box}</geometry></collision></link>`)
    expect(parseUrdf(named, options).world?.geoms?.[0]?.name).toBe('ground floor')
    expect(buildModel(parseUrdf(named, options)).nv).toBe(0)
  })
})

describe('files', () => {
  const root = mkdtempSync(join(tmpdir(), 'limber-urdf-'))
  afterAll(() => rmSync(root, { recursive: true }))
  const put = (path: string, text: string): string => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    return join(root, path)
  }
  const cube = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'
  const mesh = (tag: string, file: string) => `<${tag}><geometry><mesh filename="${file}"/></geometry></${tag}>`
  const withMesh = (...shapes: string[]) => robot(`<link name="base">${inertial}${shapes.join('')}</link>`)
  const thrown = (run: () => unknown): string => {
    try {
      run()
    } catch (error) {
      expect(error).toBeInstanceOf(ModelError)
      return (error as Error).message
    }
    return ''
  }

  it('take the options of a URDF, and refuse them for other formats', () => {
    const path = put('arm.urdf', robot(shaped('base', box)))
    const model = buildModel(loadSpec(path, { base: 'free', floor: true, actuators: 'position' }))
    expect(model.joints.map(({ type }) => type)).toEqual(['free'])
    expect(model.geoms.names).toContain('floor')
    const mjcf = put('arm.xml', '<mujoco/>')
    const scene = put('arm.json', '{ "bodies": [] }')
    for (const options of [{ base: 'free' }, { floor: true }, { actuators: 'motor' }] as const) {
      const [name] = Object.keys(options)
      expect(thrown(() => loadSpec(mjcf, options))).toMatch(
        new RegExp(`arm.xml: option ${name}: expected a URDF, got MJCF, .*leave the option out`),
      )
      expect(thrown(() => loadSpec(scene, options))).toMatch(/expected a URDF, got a scene file/)
    }
    expect(() => loadSpec(mjcf, { floor: false })).not.toThrow()
  })

  it('without a mesh to look at are read, and it is listed', () => {
    const { ignored } = loadSpec(put('looks.urdf', withMesh(mesh('visual', 'meshes/gone.stl'), mesh('visual', 'package://r/gone.dae'))))
    expect(ignored.map(({ what }) => what)).toContainEqual(expect.stringContaining("visual mesh of link 'base'"))
    expect(ignored.find(({ what }) => what.includes('visual'))?.why).toMatch(/'meshes\/gone.stl' was not found.*only to look at/)
  })

  it('without a mesh to touch are refused, with the path and what to do', () => {
    const path = put('touches.urdf', withMesh(mesh('collision', 'meshes/gone.stl')))
    expect(thrown(() => loadSpec(path))).toMatch(
      /touches.urdf:1:\d+.*'meshes\/gone.stl' was not found: check the path, or put the file beside the URDF/,
    )
  })

  it('of a package that is nowhere say which folder is expected, and that contact is missing', () => {
    const path = put('lone.urdf', withMesh(mesh('collision', 'package://robot_description/meshes/a.stl')))
    const spec = loadSpec(path)
    expect(spec.ignored.map(({ why }) => why)).toContainEqual(
      expect.stringMatching(
        /affects motion.*expected the ROS package 'robot_description'.*package\.xml and meshes\/a\.stl.*ROS_PACKAGE_PATH/,
      ),
    )
    expect(createSimulation(buildModel(spec)).warnings().join('\n')).toMatch(/collision mesh of link 'base'.*package\.xml/)
  })

  it('in a folder of ROS without package.xml say that this is what is missing', () => {
    const shapes = ['a', 'b'].map((name) => mesh('collision', `package://ros_arm/meshes/${name}.obj`))
    put('ros_arm/meshes/a.obj', cube)
    put('ros_arm/meshes/b.obj', cube)
    const path = put('ros_arm/urdf/arm.urdf', withMesh(...shapes))
    const spec = loadSpec(path)
    expect(spec.meshes ?? []).toEqual([])
    const told = spec.ignored.filter(({ what }) => what.startsWith('file '))
    expect(told).toHaveLength(1)
    expect(told[0]?.why).toMatch(/ros_arm has no package\.xml, .* this and 1 more files were not read; put a package\.xml there/)
    // where the mass needs them it is an error that says the same
    const heavy = put('ros_arm/urdf/heavy.urdf', robot(`<link name="base">${shapes.join('')}</link>`))
    expect(thrown(() => loadSpec(heavy, { base: 'free' }))).toMatch(/ros_arm has no package\.xml/)

    put('ros_arm/package.xml', '')
    expect(loadSpec(path).meshes).toHaveLength(2)
    expect(loadSpec(path).ignored.filter(({ what }) => what.startsWith('file '))).toEqual([])
  })
})
