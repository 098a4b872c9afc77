import { describe, expect, test } from 'vitest'
import { compileMujoco } from '../../../test/oracles/compile-mujoco.js'
import { tensorOf } from '../../build/geometry/principal-axes.js'
import type { BodySpec, Quat, Spec, Vec3 } from '../../build/spec.js'
import { ModelError } from '../../model/model-error.js'
import { parseUrdf } from './parse-urdf.js'

/** rounding of two ways to the same number */
const TOLERANCE = 1e-10

const tetrahedron = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'

function inertial(mass: number, tensor: readonly number[], origin = ''): string {
  const names = ['ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz']
  return `<inertial>${origin}<mass value="${mass}"/><inertia ${names.map((n, k) => `${n}="${tensor[k] ?? 0}"`).join(' ')}/></inertial>`
}

/** Joints, link origins and inertias in general position. */
const arm = `<?xml version="1.0"?>
<robot name="arm">
  <mujoco><compiler fusestatic="false" discardvisual="false"/><option gravity="0 0.5 -3" timestep="0.003"/></mujoco>
  <material name="steel"><color rgba="0.5 0.5 0.6 1"/></material>
  <link name="base">${inertial(4, [1, 1.2, 0.9, 0.1, 0.02, -0.03], '<origin xyz="0.1 0.2 0.3" rpy="0.4 -0.5 0.6"/>')}
    <visual name="look"><origin xyz="0 0 1" rpy="0.1 0 0"/><geometry><box size="1 2 3"/></geometry><material name="steel"/></visual>
    <collision><geometry><cylinder radius="0.2" length="0.6"/></geometry></collision>
  </link>
  <link name="upper">${inertial(2, [0.1, 0.12, 0.15, 0.01, 0.02, -0.01], '<origin xyz="0 0 -0.4" rpy="1.1 0.2 -0.7"/>')}
    <visual><geometry><sphere radius="0.1"/></geometry><material name="red"><color rgba="1 0 0 0.5"/></material></visual>
  </link>
  <link name="shaped">
    <collision><origin xyz="0.1 -0.2 0.3" rpy="0.3 0.2 0.1"/><geometry><box size="0.1 0.2 0.3"/></geometry></collision>
    <collision><origin xyz="0 0 0.5"/><geometry><sphere radius="0.2"/></geometry></collision>
    <collision><origin rpy="0 1.5 0"/><geometry><capsule radius="0.1" length="0.4"/></geometry></collision>
    <collision><geometry><mesh filename="package://arm/meshes/tet.obj" scale="0.2 -0.3 0.4"/></geometry></collision>
    <collision><origin xyz="1 1 1" rpy="0.5 0.5 0.5"/><geometry><mesh filename="package://arm/meshes/tet.obj" scale="0.1 0.1 0.1"/></geometry></collision>
  </link>
  <link name="slider">${inertial(0.5, [0.01, 0.01, 0.01])}</link>
  <link name="plate">${inertial(0.7, [0.02, 0.03, 0.04])}</link>
  <link name="flange">${inertial(0.3, [0.001, 0.001, 0.001], '<origin xyz="0 0.1 0"/>')}</link>
  <link name="ball">${inertial(0.2, [0.001, 0.001, 0.001])}</link>
  <joint name="slide" type="prismatic"><parent link="upper"/><child link="slider"/><origin xyz="0.2 0 0" rpy="0 0 1"/>
    <axis xyz="3 4 0"/><limit lower="-0.5" upper="0.25" effort="7" velocity="1.5"/><dynamics damping="0.3" friction="0.2"/></joint>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0.1 0.5" rpy="0.7 -0.2 1.3"/>
    <axis xyz="0 1 1"/><limit lower="-1.5" upper="2" effort="40" velocity="3"/><dynamics damping="1.5"/></joint>
  <joint name="spin" type="continuous"><parent link="upper"/><child link="shaped"/><origin xyz="0 0 -0.8"/></joint>
  <joint name="float" type="planar"><parent link="base"/><child link="plate"/><origin xyz="1 0 0"/><axis xyz="1 2 -0.5"/>
    <dynamics damping="0.4"/></joint>
  <joint name="weld" type="fixed"><parent link="slider"/><child link="flange"/><origin xyz="0 0 0.1" rpy="0 0.3 0"/></joint>
  <joint name="socket" type="spherical"><parent link="flange"/><child link="ball"/><origin xyz="0 0 0.2"/></joint>
</robot>`

const resolve = (path: string): string | undefined => (path === 'tet.obj' ? tetrahedron : undefined)

function quaternionDistance(a: Quat, b: ArrayLike<number>): number {
  const sign = a.reduce((sum, x, k) => sum + x * (b[k] as number), 0) < 0 ? -1 : 1
  return Math.max(...a.map((x, k) => Math.abs(x - sign * (b[k] as number))))
}

function bodyNamed(spec: Spec, name: string): BodySpec {
  const found = spec.bodies.find((body) => body.name === name)
  if (!found) throw new Error(`no body ${name}`)
  return found
}

/** Masses, inertias and poses of all bodies, in order, against MuJoCo's compilation of the same text. */
async function compareBodies(text: string, files: Record<string, string> = {}): Promise<void> {
  const model = await compileMujoco(text, files)
  const spec = parseUrdf(text, { resolve: (path) => files[path] })
  expect(spec.bodies).toHaveLength(model.nbody - 1)
  spec.bodies.forEach((body, k) => {
    const i = k + 1
    const inertia = { mass: 0, com: [0, 0, 0], tensor: [0, 0, 0, 0, 0, 0], ...body.inertia }
    const theirs = tensorOf({
      moments: Array.from(model.body_inertia.slice(3 * i, 3 * i + 3)) as unknown as Vec3,
      quaternion: Array.from(model.body_iquat.slice(4 * i, 4 * i + 4)) as unknown as Quat,
    })
    const scale = Math.max(1, ...theirs.map(Math.abs))
    expect(inertia.mass, body.name).toBeCloseTo(model.body_mass[i] as number, 9)
    if (inertia.mass > 0) inertia.com.forEach((x, c) => expect(x, body.name).toBeCloseTo(model.body_ipos[3 * i + c] as number, 9))
    inertia.tensor.forEach((x, c) =>
      expect(Math.abs(x - (theirs[c] as number)) / scale, `${body.name} tensor ${c}`).toBeLessThan(TOLERANCE),
    )
    const position = body.position ?? [0, 0, 0]
    position.forEach((x, c) => expect(x, body.name).toBeCloseTo(model.body_pos[3 * i + c] as number, 9))
    expect(quaternionDistance(body.quaternion ?? [1, 0, 0, 0], model.body_quat.slice(4 * i, 4 * i + 4)), body.name).toBeLessThan(TOLERANCE)
  })
  model.delete()
}

describe('against MuJoCo', () => {
  test('masses, inertias and poses of an arm in general position', () => compareBodies(arm, { 'tet.obj': tetrahedron }))

  test('axes, ranges, forces, damping and friction of joints', async () => {
    const model = await compileMujoco(arm, { 'tet.obj': tetrahedron })
    const spec = parseUrdf(arm, { resolve })
    const joints = spec.bodies.flatMap((body) => body.joints ?? [])
    expect(joints.map((joint) => joint.name)).toEqual(['shoulder', 'slide', 'socket', 'spin', 'float'])
    // MuJoCo takes a planar joint as three
    expect(model.njnt).toBe(7)
    const at = (k: number) => [0, 1, 2].map((c) => Number(model.jnt_axis[3 * k + c]))
    const close = (a: readonly number[] | undefined, b: readonly number[]) => b.forEach((x, c) => expect(a?.[c]).toBeCloseTo(x, 12))
    for (const [k, joint] of joints.entries()) {
      if (joint.type === 'revolute' || joint.type === 'prismatic') close(joint.axis, at(k))
      const range = Array.from(model.jnt_range.slice(2 * k, 2 * k + 2))
      expect(joint.limits ?? [0, 0]).toEqual(range)
      expect(joint.forceRange ?? [0, 0]).toEqual(Array.from(model.jnt_actfrcrange.slice(2 * k, 2 * k + 2)))
      const dof = model.jnt_dofadr[k] as number
      expect(joint.damping ?? 0).toBe(model.dof_damping[dof])
      expect(joint.friction ?? 0).toBe(model.dof_frictionloss[dof])
    }
    const planar = joints[4]
    close(planar?.axis, at(4))
    close(planar?.axis2, at(5))
    expect(joints[0]?.velocityLimit).toBe(3)
    expect(spec.gravity).toEqual(Array.from(model.opt.gravity))
    expect(spec.timestep).toBe(model.opt.timestep)
    model.delete()
  })

  test.each(['inertiafromgeom="true"', 'boundmass="0.6" boundinertia="0.05"', 'settotalmass="12"', 'balanceinertia="true"'])(
    'compiler %s changes inertias alike',
    (attribute) => compareBodies(arm.replace('<compiler ', `<compiler ${attribute} `), { 'tet.obj': tetrahedron }),
  )

  test('unbalanced inertia is balanced when the file asks for it', () =>
    compareBodies(
      arm
        .replace('<compiler ', '<compiler balanceinertia="true" ')
        .replace('ixx="0.02" iyy="0.03" izz="0.04"', 'ixx="0.02" iyy="0.03" izz="0.4"'),
      { 'tet.obj': tetrahedron },
    ))

  test('a root named world is the ground, and may carry a floating link', async () => {
    const text = `<robot name="r"><mujoco><compiler fusestatic="false"/></mujoco><link name="world"/><link name="drone">${inertial(1, [1, 1, 1])}</link>
      <joint name="j" type="floating"><parent link="world"/><child link="drone"/><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/></joint></robot>`
    await compareBodies(text)
    expect(parseUrdf(text).bodies[0]?.joints?.[0]?.type).toBe('free')
  })

  test('a mimic joint is the coupling that MuJoCo makes of it', async () => {
    const link = (name: string) => `<link name="${name}">${inertial(1, [1, 1, 1])}</link>`
    const text = `<robot name="r"><mujoco><compiler fusestatic="false"/></mujoco><link name="base"/>${link('a')}${link('b')}
      <joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint>
      <joint name="k" type="continuous"><parent link="a"/><child link="b"/><mimic joint="j" multiplier="-2" offset="0.1"/></joint></robot>`
    const model = await compileMujoco(text)
    const spec = parseUrdf(text)
    expect(model.neq).toBe(1)
    expect(spec.constraints).toMatchObject([{ type: 'coupling', joint: 'k', of: 'j', polynomial: Array.from(model.eq_data.slice(0, 2)) }])
    model.delete()
  })

  test('merging fixed joints keeps mass, centre and inertia of what moves together', async () => {
    const fused = await compileMujoco(arm.replace('fusestatic="false"', 'fusestatic="true"'), { 'tet.obj': tetrahedron })
    const spec = parseUrdf(arm, { resolve, mergeFixed: true })
    expect(spec.bodies.map((body) => body.name)).toEqual(['base', 'upper', 'slider', 'ball', 'shaped', 'plate'])
    const slider = bodyNamed(spec, 'slider')
    // the root is part of the ground there, so numbers are one less
    expect(slider.inertia?.mass).toBeCloseTo(fused.body_mass[2] as number, 12)
    slider.inertia?.com?.forEach((x, k) => expect(x).toBeCloseTo(fused.body_ipos[6 + k] as number, 12))
    expect(slider.sites?.map((site) => site.name)).toEqual(['flange'])
    bodyNamed(spec, 'ball').position?.forEach((x, k) => expect(x).toBeCloseTo(fused.body_pos[9 + k] as number, 12))
    fused.delete()
  })
})

describe('shapes', () => {
  const spec = parseUrdf(arm, { resolve })

  test('visuals do not collide; collisions hide behind them, and show where there are none', () => {
    expect(bodyNamed(spec, 'base').geoms).toMatchObject([
      { shape: 'box', name: 'look', collide: false, color: [0.5, 0.5, 0.6, 1] },
      { shape: 'cylinder', visible: false },
    ])
    expect(bodyNamed(spec, 'shaped').geoms?.every((geom) => geom.visible !== false && geom.collide !== false)).toBe(true)
  })

  test('colours come from inline materials too', () => {
    expect(bodyNamed(spec, 'upper').geoms?.[0]?.color).toEqual([1, 0, 0, 0.5])
  })

  test('a mesh is scaled once a scale, and a mirrored one keeps its faces outward', () => {
    expect(spec.meshes?.map((mesh) => mesh.name)).toEqual(['tet', 'tet-2'])
    expect(spec.meshes?.[0]?.vertices.slice(3)).toEqual([0.2, -0, 0, 0, -0.3, 0, 0, -0, 0.4])
    expect(spec.meshes?.[0]?.faces.slice(0, 3)).toEqual([0, 1, 2])
  })

  test('places name line and column of links, joints and shapes', () => {
    expect(spec.places?.['bodies/0']?.line).toBe(5)
    const upper = spec.bodies.findIndex((body) => body.name === 'upper')
    expect(arm.split('\n')[(spec.places?.[`bodies/${upper}/joints/0`]?.line ?? 0) - 1]).toContain('name="shoulder"')
    expect(spec.places?.['bodies/0/geoms/1']?.line).toBe(7)
  })

  test('nothing of the arm is ignored but the contact of links that overlap', () => {
    expect(spec.ignored.map(({ what }) => what)).toEqual(["contact of links 'base' and 'shaped'"])
  })
})

describe('what is missing', () => {
  const withMesh = (tag: string, extra: string) => `<robot name="r"><link name="base"/><link name="a">${extra}
      <${tag}><geometry><mesh filename="package://x/gone.stl"/></geometry></${tag}></link>
      <joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint></robot>`

  test('a collision mesh at a path of the file that leads nowhere is a problem with its place, a visual one is listed', () => {
    const read = (tag: string) =>
      parseUrdf(withMesh(tag, inertial(1, [1, 1, 1])).replace('package://x/', 'meshes/'), { resolve: () => undefined })
    expect(() => read('collision')).toThrow(/2:.*meshes\/gone\.stl.*put the file/)
    expect(read('visual').ignored).toMatchObject([
      { what: "visual mesh of link 'a'", why: expect.stringMatching(/put the file.*only to look at/) },
    ])
  })

  test('a visual mesh of a package that is not here is listed', () => {
    const spec = parseUrdf(withMesh('visual', inertial(1, [1, 1, 1])), { resolve: () => undefined })
    expect(spec.ignored).toMatchObject([{ what: "visual mesh of link 'a'", why: expect.stringContaining('not found') }])
  })

  test('a collision mesh that is absent is listed where the mass is known, a problem where it is not', () => {
    expect(parseUrdf(withMesh('collision', inertial(1, [1, 1, 1]))).ignored).toHaveLength(1)
    const error = problemsOf(withMesh('collision', ''))
    expect(error).toHaveLength(1)
    expect(error[0]).toContain('2:')
    expect(error[0]).toContain('inertial')
  })

  test('a broken visual mesh is listed with its line', () => {
    const spec = parseUrdf(withMesh('visual', inertial(1, [1, 1, 1])).replace('gone.stl', 'bad.obj'), { resolve: () => 'v 1 2\n' })
    expect(spec.ignored?.[0]?.why).toContain('bad.obj:1:1')
  })

  test('a visual without a shape is listed', () => {
    const text = `<robot name="r"><link name="a"><visual/><visual><geometry><cone/></geometry></visual></link></robot>`
    expect(parseUrdf(text).ignored?.map((entry) => entry.what)).toEqual(['visual', 'visual'])
  })

  test('endless limits are no limits', () => {
    const text = `<robot name="r"><link name="a"/><link name="b">${inertial(1, [1, 1, 1])}</link><joint name="j" type="revolute">
      <parent link="a"/><child link="b"/><limit lower="-inf" upper="inf" effort="Infinity" velocity="2"/></joint></robot>`
    expect(parseUrdf(text).bodies[1]?.joints?.[0]).toEqual({ name: 'j', type: 'revolute', axis: [1, 0, 0], velocityLimit: 2 })
  })

  test('moments without mass on a fixed link are dropped and listed', () => {
    const text = `<robot name="r"><link name="a"/><link name="b">${inertial(0, [1, 1, 1])}</link>
      <joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>`
    const spec = parseUrdf(text)
    expect(bodyNamed(spec, 'b').inertia).toBeUndefined()
    expect(spec.ignored?.[0]?.what).toBe("inertia of link 'b'")
  })

  test('empty attributes count as none', () => {
    const text = `<robot name="r"><link name="a"/><link name="b">${inertial(1, [1, 1, 1], '<origin xyz="" rpy=" "/>')}</link><joint name="j" type="revolute">
      <parent link="a"/><child link="b"/><axis xyz=""/><limit lower="" upper=""/><dynamics damping=""/></joint></robot>`
    const body = parseUrdf(text).bodies[1]
    expect(body?.joints?.[0]).toEqual({ name: 'j', type: 'revolute', axis: [1, 0, 0] })
    expect(body?.inertia?.com).toEqual([0, 0, 0])
  })

  test('a mesh of several objects is drawn whole', () => {
    const two = `o x\n${tetrahedron}o y\n${tetrahedron.replace(/^f .*$/gm, 'f -4 -2 -3')}`
    const text = withMesh('visual', inertial(1, [1, 1, 1])).replace('gone.stl', 'two.obj')
    const spec = parseUrdf(text, { resolve: () => two })
    expect(spec.meshes?.[0]?.faces).toHaveLength(24)
    expect(spec.ignored).toEqual([])
  })

  test('mass on the ground is said to count, unless the file settles it', () => {
    const text = `<robot name="r"><link name="a">${inertial(3, [1, 1, 1])}</link></robot>`
    expect(parseUrdf(text).ignored?.[0]?.what).toContain('3 kg')
    expect(parseUrdf(text.replace('<link', '<mujoco><compiler fusestatic="false"/></mujoco><link')).ignored).toEqual([])
  })

  test('a plane of Bullet faces along its normal', () => {
    const geom = parseUrdf(
      '<robot name="r"><link name="a"><collision><geometry><plane normal="0 -1 0"/></geometry></collision></link></robot>',
    ).bodies[0]?.geoms?.[0]
    expect(geom?.shape).toBe('plane')
    geom?.quaternion?.forEach((x, k) => expect(x).toBeCloseTo([Math.SQRT1_2, Math.SQRT1_2, 0, 0][k] as number, 12))
  })

  test('other programs, unknown tags and unknown attributes are listed', () => {
    const text = `<robot name="r"><mujoco><compiler fusestatic="false"/></mujoco><gazebo reference="a"><x/></gazebo><transmission name="t"/><ros2_control/>
      <link name="a" colour="red"><verbose value="1"/>${inertial(1, [1, 1, 1])}</link><whatever/></robot>`
    expect(
      parseUrdf(text)
        .ignored?.map((entry) => entry.what)
        .sort(),
    ).toEqual(['attribute colour', 'gazebo', 'ros2_control', 'transmission', 'verbose', 'whatever'].sort())
  })
})

function problemsOf(text: string): string[] {
  try {
    parseUrdf(text, { file: 'r.urdf' })
  } catch (error) {
    if (error instanceof ModelError) return error.message.split('\n')
    throw error
  }
  return []
}

describe('problems', () => {
  const link = (name: string) => `<link name="${name}"/>`
  const joint = (name: string, parent: string, child: string, inner = '') =>
    `<joint name="${name}" type="revolute"><parent link="${parent}"/><child link="${child}"/>${inner}</joint>`

  test('a cycle, two parents, an unknown link and duplicate names are reported at once', () => {
    const text = `<robot name="r">
${link('root')}
${link('a')}
${link('b')}
${link('c')}
${link('c')}
${joint('ab', 'a', 'b')}
${joint('ba', 'b', 'a')}
${joint('rc', 'root', 'c')}
${joint('ac', 'a', 'c')}
${joint('rc', 'root', 'x')}
${joint('cd', 'root', 'roof')}
</robot>`
    const problems = problemsOf(text)
    const about = (part: string) => problems.filter((problem) => problem.includes(part))
    expect(about("duplicate link name 'c'")[0]).toContain('r.urdf:6:7')
    expect(about("duplicate joint name 'rc'")).toHaveLength(1)
    expect(about('cycle')).toHaveLength(1)
    expect(about('expected one parent')[0]).toContain('r.urdf:10:1')
    expect(about("did you mean 'root'")).toHaveLength(1)
    expect(problems).toHaveLength(5)
  })

  test.each([
    ['no links', '', 'at least one link'],
    ['a self loop', `${link('a')}${joint('j', 'a', 'a')}`, 'cycle'],
    ['an unknown joint type', `${link('a')}${link('b')}${joint('j', 'a', 'b').replace('revolute', 'revolut')}`, "did you mean 'revolute'"],
    ['a joint without child', `${link('a')}<joint name="j" type="fixed"><parent link="a"/></joint>`, 'expected <child'],
    ['a zero axis', `${link('a')}${link('b')}${joint('j', 'a', 'b', '<axis xyz="0 0 0"/>')}`, 'axis of some length'],
    ['negative damping', `${link('a')}${link('b')}${joint('j', 'a', 'b', '<dynamics damping="-1"/>')}`, 'at least 0'],
    ['a number that is none', `${link('a')}${link('b')}${joint('j', 'a', 'b', '<origin xyz="0 0 NaN"/>')}`, '3 finite numbers'],
    ['a negative mass', `<link name="a">${inertial(-1, [1, 1, 1])}</link>`, 'at least 0'],
    ['inertial without inertia', '<link name="a"><inertial><mass value="1"/></inertial></link>', 'expected <inertia'],
    ['inertia without izz', `<link name="a">${inertial(1, [1, 1, 1]).replace(/izz="1"/, '')}</link>`, 'izz'],
    ['a link without name', '<link/>', 'expected name'],
    ['geometry without shape', '<link name="a"><collision><geometry><cone/></geometry></collision></link>', 'got cone'],
    ['a collision without geometry', '<link name="a"><collision/></link>', 'got no geometry'],
    ['a box without size', '<link name="a"><collision><geometry><box/></geometry></collision></link>', 'size'],
    ['world as a child', `${link('a')}${link('world')}${joint('j', 'a', 'world')}`, 'rename'],
  ])('%s', (_, inner, message) => {
    expect(problemsOf(`<robot name="r">\n${inner}\n</robot>`).join('\n')).toContain(message)
  })

  test('what MuJoCo passes over is listed, not refused', async () => {
    for (const [inner, why] of [
      [`${link('a')}${link('b')}`, /one: each of these is fixed to the ground/],
      [
        `${link('a')}<link name="b">${inertial(1, [1, 1, 1])}</link>${joint('j', 'a', 'b', '<mimic joint="jj"/>')}`,
        /affects motion.*did you mean 'j'/,
      ],
      [`${link('a')}<xacro:camera name="c"/>`, /affects motion.*not expanded/],
      [`${link('a')}<xacro:include filename="arm.xacro"/>`, /affects motion.*not expanded/],
      [`${link('a')}<xacro:property name="width" value="0.2"/>`, /value of xacro that nothing/],
      [`<link name="a"><xacro:inertia m="1"/></link>`, /affects motion.*not expanded/],
      ['<deformable name="cloth"/>', /not part of URDF/],
      ['<link name="a"><visual><geometry><box/></geometry></visual></link>', /expected size=.* only to look at/],
      ['<link name="a"><visual><geometry><mesh/></geometry></visual></link>', /expected filename=.* only to look at/],
    ] as const) {
      const text = `<robot name="r">${inner}</robot>`
      expect(parseUrdf(text).ignored.map((entry) => entry.why)).toContainEqual(expect.stringMatching(why))
      ;(await compileMujoco(text)).delete()
    }
  })

  test('links of a second root come in the order of the file', () => {
    const text = `<robot name="r">${link('b')}${link('a')}${link('c')}${joint('j', 'a', 'c')}</robot>`
    expect(parseUrdf(text).bodies.map(({ name, parent }) => `${name} on ${parent}`)).toEqual(['b on world', 'a on world', 'c on a'])
  })

  test('xacro left in the file is named with its remedy', () => {
    const text = '<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">\n<xacro:arm/>\n<link name="$' + '{prefix}base"/></robot>'
    const problems = problemsOf(text)
    expect(problems).toHaveLength(2)
    expect(problems[0]).toContain('r.urdf:2:1')
    expect(problems[1]).toContain('xacro FILE.xacro')
  })

  test('a file of macros alone is no robot', () => {
    const text = '<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro"><xacro:macro name="arm"><link name="a"/></xacro:macro></robot>'
    expect(problemsOf(text)[0]).toContain('xacro FILE.xacro')
  })

  test('other formats are told apart', () => {
    expect(problemsOf('<mujoco/>')[0]).toContain('parseMjcf')
    expect(problemsOf('<sdf/>')[0]).toContain('SDF')
    expect(problemsOf('<robot')[0]).toContain('malformed XML')
  })
})
