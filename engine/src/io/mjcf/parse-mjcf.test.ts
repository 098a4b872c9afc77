import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../test/random.js'
import type { Spec } from '../../build/spec.js'
import { ModelError, type Problem } from '../../model/model-error.js'
import { parseMjcf } from './parse-mjcf.js'

const world = (inside: string, before = '', after = ''): string => `<mujoco>${before}<worldbody>${inside}</worldbody>${after}</mujoco>`
const ball = '<geom size="0.1"/>'

function problemsOf(xml: string, files?: Record<string, string>): readonly Problem[] {
  try {
    parseMjcf(xml, files ? { file: 'main.xml', resolve: (path) => files[path] } : { file: 'main.xml' })
  } catch (error) {
    if (error instanceof ModelError) return error.problems
    throw error
  }
  return []
}

const messages = (xml: string, files?: Record<string, string>): string =>
  problemsOf(xml, files)
    .map((problem) => problem.message)
    .join('\n')
const ignoredOf = (spec: Spec): string => (spec.ignored ?? []).map((entry) => `${entry.what}: ${entry.why}`).join('\n')

describe('problems', () => {
  it('come all at once, each with file, line and column', () => {
    const xml = '<mujoco>\n<worldbody>\n<body>\n<geom massx="1" size="1 a"/>\n<joint type="hinj"/></body></worldbody>\n</mujoco>'
    expect(problemsOf(xml)).toEqual([
      {
        path: 'mujoco/worldbody[1]/body[1]/geom[1]/@massx',
        message: "unknown attribute 'massx' on geom; did you mean 'mass'?",
        place: { file: 'main.xml', line: 4, column: 7 },
      },
      {
        path: 'mujoco/worldbody[1]/body[1]/geom[1]/@size',
        message: "expected 1 to 3 finite numbers, got '1 a'",
        place: { file: 'main.xml', line: 4, column: 17 },
      },
      {
        path: 'mujoco/worldbody[1]/body[1]/joint[1]/@type',
        message: "expected one of free, ball, slide, hinge, got 'hinj'; did you mean 'hinge'?",
        place: { file: 'main.xml', line: 5, column: 8 },
      },
      {
        path: 'mujoco/worldbody[1]/body[1]/geom[1]/@size',
        message: "a sphere needs 1 positive size, got '0'",
        place: { file: 'main.xml', line: 4, column: 17 },
      },
    ])
  })

  it.each([
    ['another root', '<robot/>', /expected <mujoco>, got <robot>: this looks like URDF/],
    ['unknown element', world('<bodyy/>'), /unknown element 'bodyy' in worldbody; did you mean 'body'/],
    ['NaN', world(`<body pos="0 nan 0">${ball}</body>`), /expected 3 finite numbers/],
    ['global coordinates', world('', '<compiler coordinate="global"/>'), /global coordinates ended/],
    ['moving body without mass', world('<body name="b"><joint/></body>'), /body 'b' can move but has no mass/],
    [
      'mass of a built-in mesh alone',
      world('<body><joint/><geom type="mesh" mesh="m"/></body>', '<asset><mesh name="m" builtin="sphere" params="2"/></asset>'),
      /has no mass.*built-in shape of mesh 'm' is not supported: write its vertices/,
    ],
    ['point mass', world('<body><joint/><inertial pos="0 0 0" mass="1"/></body>'), /has no inertia/],
    ['impossible moments', world('<body><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/></body>'), /balanceinertia/],
    ['indefinite tensor', world('<body><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 2 0 0"/></body>'), /positive definite/],
    ['negative mass', world('<body><geom size="1" mass="-1"/></body>'), /mass that is not negative/],
    ['two of a name', world(`<body name="a">${ball}</body><body name="a">${ball}</body>`), /body name 'a' is taken/],
    ['two joints of a name', world(`<body><joint name="a"/><joint name="a"/>${ball}</body>`), /joint name 'a' is taken/],
    ['a body called world', world('<body name="world"/>'), /'world' is taken/],
    ['free joint inside', world(`<body>${ball}<body><freejoint/>${ball}</body></body>`), /directly in the world/],
    ['seven degrees of freedom', world(`<body><freejoint/><joint/>${ball}</body>`), /7 degrees of freedom/],
    ['hinge after ball', world(`<body><joint type="ball"/><joint/>${ball}</body>`), /follow a ball joint/],
    ['axis without length', world(`<body><joint axis="0 0 0"/>${ball}</body>`), /axis of some length/],
    ['two orientations', world('<body quat="1 0 0 0" euler="1 2 3"/>'), /one way to write the orientation/],
    ['pos and fromto', world('<geom type="capsule" size="1" pos="1 0 0" fromto="0 0 0 0 0 1"/>'), /either pos or fromto/],
    ['empty fromto', world('<geom type="capsule" size="1" fromto="0 0 0 0 0 0"/>'), /two different points/],
    ['inverted range', world(`<body><joint range="2 1" limited="true"/>${ball}</body>`), /lower limit below/],
    [
      'range without limited',
      world(`<body><joint range="0 1"/>${ball}</body>`, '<compiler autolimits="false"/>'),
      /no effect with autolimits/,
    ],
    ['unknown class', world('<geom class="c" size="1"/>'), /unknown default class 'c'/],
    ['class twice', world('', '<default><default class="a"/><default class="a"/></default>'), /'a' is defined twice/],
    ['name in a default', world('', '<default><geom name="g"/></default>'), /cannot be in a default class/],
    ['inertia of the world', world('<inertial pos="0 0 0" mass="1"/>'), /world cannot have inertia/],
    ['joint of the world', world('<joint/>'), /world cannot have joints/],
    ['moving plane', world(`<body><freejoint/>${ball}<geom type="plane" size="1 1 1"/></body>`), /plane needs a body that cannot move/],
    ['unknown material', world('<geom size="1" material="m"/>'), /unknown material 'm'/],
    ['unknown mesh', world('<geom type="mesh" mesh="m"/>'), /unknown mesh 'm'/],
    ['tendon over nothing', world('', '', '<tendon><fixed><joint joint="j" coef="1"/></fixed></tendon>'), /unknown joint 'j'/],
    ['actuator without target', world('', '', '<actuator><motor/></actuator>'), /needs one target/],
    [
      'key of a wrong length',
      world(`<body><joint/>${ball}</body>`, '', '<keyframe><key qpos="1 2"/></keyframe>'),
      /expected 1 numbers, got 2/,
    ],
    ['too many replicas', world(`<replicate count="999999999">${ball}</replicate>`), /lower the counts of replicate/],
    ['replicas of replicas', world(`<replicate count="9999"><replicate count="9999">${ball}</replicate></replicate>`), /lower the counts/],
  ])('%s', (_name, xml, pattern) => {
    expect(messages(xml)).toMatch(pattern)
  })

  it('name the file that is missing, or is included again, or is broken', () => {
    expect(messages('<mujoco><include file="a.xml"/></mujoco>', {})).toMatch(/'a.xml' not found/)
    expect(messages('<mujoco><include file="a.xml"/></mujoco>')).toMatch(/no resolve function/)
    expect(messages('<mujoco><include file="a.xml"/></mujoco>', { 'a.xml': '<x><include file="a.xml"/></x>' })).toMatch(/included twice/)
    const broken = problemsOf('<mujoco><include file="sub/a.xml"/></mujoco>', { 'sub/a.xml': '<x>\n<y>' })
    expect(broken[0]?.place).toMatchObject({ file: 'sub/a.xml', line: 2 })
    const mesh = world('<body><geom type="mesh" mesh="m"/></body>', '<asset><mesh name="m" file="m.stl"/></asset>')
    expect(messages(mesh, {})).toMatch(/mesh file 'm.stl' was not found/)
    expect(messages(mesh)).toMatch(/no resolve function/)
    const drawn = world(
      '<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom type="mesh" mesh="m"/></body>',
      '<asset><mesh name="m" file="m.stl"/></asset>',
    )
    // what is only drawn keeps no file from being read
    expect(parseMjcf(drawn, { resolve: () => undefined }).ignored).toMatchObject([
      { why: expect.stringContaining("'m.stl' was not found") },
    ])
    const self = '<mujoco><asset><model name="s" file="s.xml"/></asset><worldbody><attach model="s" prefix="x"/></worldbody></mujoco>'
    expect(messages(self, { 's.xml': self })).toMatch(/attaches itself/)
  })
})

describe('sites and flags', () => {
  it('refuse a shape that no site can have, and a switch that is neither on nor off', () => {
    const site = (attributes: string): string => messages(world(`<body><joint/>${ball}<site ${attributes}/></body>`))
    expect(site('type="plane"')).toMatch(/a site cannot be a plane/)
    expect(site('type="mesh"')).toMatch(/needs mesh=/)
    expect(site('type="mesh" mesh="none"')).toMatch(/unknown mesh 'none'/)
    expect(site('type="box" mesh="none"')).toMatch(/needs type="mesh", got box/)
    for (const flag of ['gravity', 'sleep', 'ipc', 'override']) {
      expect(messages(world('', `<option><flag ${flag}="never"/></option>`))).toMatch(/enable.*disable.*never/)
      expect(messages(world('', `<option><flag ${flag}="enable"/></option>`))).toBe('')
    }
  })

  it('let the root declare namespaces, as MuJoCo does, and nothing else', () => {
    expect(messages('<mujoco xmlns="a" xmlns:xsi="b" xsi:noNamespaceSchemaLocation="mjcf.xsd"><worldbody/></mujoco>')).toBe('')
    expect(messages('<mujoco><worldbody xmlns:xsi="b"/></mujoco>')).toMatch(/unknown attribute 'xmlns:xsi'/)
  })

  it('name a negative compensation of gravity that nothing turns on', () => {
    const two = (first: number, second: number): Spec =>
      parseMjcf(world([first, second].map((g) => `<body gravcomp="${g}"><joint/>${ball}</body>`).join('')))
    expect(ignoredOf(two(-0.5, 0))).toMatch(/negative gravcomp/)
    expect(two(-0.5, 0).bodies[0]?.gravityCompensation).toBeUndefined()
    expect(two(-0.5, 0.5).bodies[0]?.gravityCompensation).toBe(-0.5)
  })
})

describe('what is not taken over', () => {
  it('lists strange words inside a frame, where MuJoCo does not look for them, and refuses them elsewhere', () => {
    const body = `<body><joint/><geom size="1" colour="red"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><inertial pos="1 0 0" mass="2" diaginertia="1 1 1"/></body>`
    for (const tag of ['frame', 'replicate count="1"']) {
      const spec = parseMjcf(world(`<${tag}>${body}</${tag.split(' ')[0]}>`))
      expect(ignoredOf(spec)).toMatch(/unknown attribute 'colour' on geom.*: MuJoCo passes over it/)
      expect(ignoredOf(spec)).toMatch(/got another; the last one counts/)
      expect(spec.bodies[0]?.inertia).toMatchObject({ mass: 2, com: [1, 0, 0] })
    }
    expect(messages(world(body))).toMatch(/unknown attribute 'colour'.*\n.*got another/)
  })

  it('says so where actuatorgravcomp has nothing to act on', () => {
    const arm = (gravcomp: string) => parseMjcf(world(`<body ${gravcomp}><joint actuatorgravcomp="true"/>${ball}</body>`))
    expect(ignoredOf(arm(''))).toMatch(/actuatorgravcomp: without effect: no body has gravcomp/)
    expect(ignoredOf(arm('gravcomp="1"'))).toBe('')
  })

  it('lists parts of a tree outside worldbody, which MuJoCo skips, and checks their words all the same', () => {
    const part = (inside: string): string => `<mujoco><body name="arm"><joint/>${inside}</body><frame/><replicate/></mujoco>`
    const spec = parseMjcf(part('<geom type="mesh" mesh="of the file that includes this"/>'))
    expect(spec.bodies).toEqual([])
    for (const tag of ['body', 'frame', 'replicate']) expect(ignoredOf(spec)).toMatch(new RegExp(`${tag} .*: stands outside worldbody`))
    expect(messages(part('<geom sise="1"/>'))).toMatch(/did you mean 'size'/)
  })

  it('is an empty list where there is nothing', () => {
    expect(parseMjcf(world(`<body><joint/>${ball}</body>`)).ignored).toEqual([])
  })

  it('of an attached model are options, which matter only where they are to be merged', () => {
    const files = { 'arm.xml': `<mujoco><option gravity="0 0 -5"/><worldbody><body name="arm"><joint/>${ball}</body></worldbody></mujoco>` }
    const main = (compiler: string): string =>
      world('<attach model="arm" body="arm" prefix="a_"/>', `${compiler}<asset><model name="arm" file="arm.xml"/></asset>`)
    const why = (compiler: string): string => ignoredOf(parseMjcf(main(compiler), { resolve: (path) => files[path as 'arm.xml'] }))
    expect(why('')).toMatch(/option of an attached model: does not affect motion/)
    expect(why('<compiler conflict="merge"/>')).toMatch(/option of an attached model: affects motion/)
  })

  it('is listed once per kind, with the first place and the count', () => {
    const spec = parseMjcf(world(`<camera/>\n<camera/><light/><body><joint user="1"/>${ball}</body>`, '<option iterations="3"/>'))
    expect(spec.ignored).toContainEqual({
      path: 'mujoco/worldbody[1]/camera[1] (1:44)',
      what: 'camera (2 times, first here)',
      why: 'does not affect motion',
    })
    expect(ignoredOf(spec)).toMatch(/attribute user of joint: does not affect motion/)
    expect(ignoredOf(spec)).toMatch(/attribute iterations of option/)
  })

  it('of things with names is listed once per cause, with the first names', () => {
    const joints = [1, 2, 3, 4, 5].map((k) => `<joint name="j${k}" axis="${k} 1 0"/>`).join('')
    const muscles = [1, 2, 3, 4, 5].map((k) => `<muscle name="m${k}" joint="j${k}"/>`).join('')
    const spec = parseMjcf(world(`<body>${joints}${ball}</body>`, '', `<actuator>${muscles}<muscle joint="j1"/></actuator>`))
    const causes = (spec.ignored ?? []).map(({ what }) => what).filter((what) => what.includes('muscle'))
    expect(causes).toEqual([
      "actuator muscle 'm1': a muscle without lengthrange, on something without limits (6 times, first here; also 'm2', 'm3', 'm4', 'm5')",
    ])
  })

  it('takes along what stands on it, and no more', () => {
    const file = `<mujoco><worldbody><site name="o"/><body name="b"><joint name="j"/>${ball}<site name="s"/></body>
      <composite prefix="c" type="cable" curve="s" count="3 1 1" size="1"><joint kind="main"/></composite>
      <flexcomp name="f" type="grid" count="2 2 2"/></worldbody>
      <tendon><spatial name="gone"><site site="s"/><site site="cS_last"/></spatial><spatial name="kept"><site site="s"/><site site="o"/></spatial></tendon>
      <equality><connect body1="f_3" body2="b" anchor="0 0 0"/><tendon tendon1="gone" tendon2="kept"/></equality>
      <contact><exclude body1="cB_first" body2="b"/></contact>
      <actuator><motor joint="j"/><motor tendon="gone"/></actuator>
      <keyframe><key qpos="1 2 3 4 5 6 7"/></keyframe></mujoco>`
    const spec = parseMjcf(file)
    expect(ignoredOf(spec)).toMatch(/spatial on site 'cS_last': affects motion/)
    expect(ignoredOf(spec)).toMatch(/connect on body 'f_3'.*\n?.*left out/)
    expect(ignoredOf(spec)).toMatch(/motor on tendon 'gone'/)
    expect(ignoredOf(spec)).toMatch(/exclude on body 'cB_first'/)
    expect(ignoredOf(spec)).toMatch(/key qpos: counts numbers of a composite, flexcomp/)
    expect(spec.actuators).toHaveLength(1)
    expect(spec.constraints).toBeUndefined()
    expect(problemsOf(file.replace('cS_last', 'dS_last'))[0]?.message).toMatch(/unknown site 'dS_last'/)
  })

  it('says clearly when motion lacks it', () => {
    const lacks = (xml: string): string => ignoredOf(parseMjcf(xml))
    expect(lacks(world('<composite type="cable" curve="s" count="3 1 1" size="1"><joint kind="main"/></composite>'))).toMatch(
      /composite.*affects motion/,
    )
    expect(lacks(world('<flexcomp name="f" type="grid" count="2 2 2"/>'))).toMatch(/flexcomp.*affects motion/)
    expect(lacks(world(`<body><joint stiffness="1 2"/>${ball}</body>`))).toMatch(/terms of stiffness beyond the linear one: affects motion/)
    const ballJoint = `<body><joint name="j" type="ball"/>${ball}</body>`
    const overBall = `<tendon><fixed name="t" stiffness="3"><joint joint="j" coef="2"/></fixed></tendon>
      <actuator><motor tendon="t"/></actuator><keyframe><key qpos="1 0 0 0" ctrl="1"/></keyframe>`
    expect(lacks(world(ballJoint, '', overBall))).toMatch(/fixed tendon over the ball joint 'j': affects motion/)
    expect(lacks(world(ballJoint, '', overBall))).toMatch(/motor on tendon 't': affects motion.*tendon that is left out/)
    expect(lacks(world(ballJoint, '', overBall))).toMatch(/key ctrl: counts numbers of .* actuator that is left out/)
    expect(lacks(world(`<body sleep="init"><freejoint/>${ball}</body>`))).toMatch(/sleep='init': affects motion/)
    expect(lacks(world(`<body sleep="never"><freejoint/>${ball}</body>`))).not.toMatch(/affects motion/)
    expect(lacks('<mujoco><option integrator="discrete"/></mujoco>')).toMatch(/integrator='discrete': affects motion/)
    expect(lacks('<mujoco><option integrator="RK4"/></mujoco>')).not.toMatch(/affects motion/)
    const swim = (geom: string): string => `<body><joint/>${ball}<geom ${geom} fluidshape="ellipsoid"/></body>`
    const keel = '<asset><mesh name="keel" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .2"/></asset>'
    expect(lacks(world(swim('type="mesh" mesh="keel"'), `<option density="1000"/>${keel}`))).toMatch(/fluidshape.*affects motion/)
    expect(lacks(world(swim('type="mesh" mesh="keel"'), keel))).not.toMatch(/affects motion/)
    expect(lacks(world(swim('size=".1"'), '<option density="1000"/>'))).not.toMatch(/affects motion/)
  })

  it('of actuators concerns actuation only, and controls follow the ones that stay', () => {
    const after =
      '<actuator><muscle joint="j"/><motor joint="j"/><adhesion body="b" ctrlrange="0 1"/></actuator><keyframe><key ctrl="1 2 3"/></keyframe>'
    const spec = parseMjcf(world(`<body name="b"><joint name="j"/>${ball}</body>`, '', after))
    expect(spec.actuators).toEqual([{ joint: 'j', gain: [1, 0, 0] }])
    expect(spec.keyframes).toEqual([{ control: [2] }])
    expect(ignoredOf(spec)).toMatch(/actuator muscle: a muscle without lengthrange, on something without limits: affects actuation only/)
  })
})

describe('the result', () => {
  it('gives unnamed bodies and joints names of their own, and knows where things stood', () => {
    const spec = parseMjcf(world(`<body name="body2">${ball}</body>\n<body><joint/>${ball}</body>`), { file: 'm.xml' })
    expect(spec.bodies.map((body) => body.name)).toEqual(['body2', 'body2_'])
    expect(spec.places?.['bodies/1']).toEqual({ file: 'm.xml', line: 2, column: 1 })
    expect(spec.places?.['bodies/1/joints/0']).toEqual({ file: 'm.xml', line: 2, column: 7 })
  })

  it('fills up a key that is short, as a scene around a robot has them, from how the bodies are drawn', () => {
    const bodies = `<body><joint ref="90" name="j"/>${ball}</body><body pos="1 2 3"><freejoint/>${ball}</body>`
    const spec = parseMjcf(
      world(bodies, '', '<actuator><motor joint="j"/><motor joint="j"/></actuator><keyframe><key qpos="1" qvel="2" ctrl="3"/></keyframe>'),
    )
    expect(spec.keyframes?.[0]).toEqual({ q: [1, 1, 2, 3, 1, 0, 0, 0], v: [2, 0, 0, 0, 0, 0, 0], control: [3, 0] })
    expect(ignoredOf(spec)).toMatch(/key qpos: numbers after the first 1: 8 are expected/)
  })

  it('turns the velocity of a free joint in a key into a twist in body axes', () => {
    // a quarter turn about z: world y is body x
    const key = '<keyframe><key qpos="1 2 3 2 0 0 2" qvel="0 5 0 1 2 3"/></keyframe>'
    const { keyframes } = parseMjcf(world(`<body><freejoint/>${ball}</body>`, '', key))
    const h = Math.SQRT1_2
    ;[1, 2, 3, h, 0, 0, h].forEach((x, k) => expect(keyframes?.[0]?.q?.[k]).toBeCloseTo(x, 14))
    ;[1, 2, 3, 5, 0, 0].forEach((x, k) => expect(keyframes?.[0]?.v?.[k]).toBeCloseTo(x, 14))
  })

  it('follows the flags that switch forces off', () => {
    const body = `<body gravcomp="0.5"><joint name="j" stiffness="1" damping="2" range="0 1" frictionloss="3"/>${ball}</body>`
    const read = (flags: string): Spec => parseMjcf(world(body, `<option density="2"><flag ${flags}/></option>`))
    const joint = (spec: Spec): object => spec.bodies[0]?.joints?.[0] ?? {}
    expect(joint(read('spring="disable"'))).not.toHaveProperty('stiffness')
    expect(joint(read('damper="disable"'))).not.toHaveProperty('damping')
    expect(joint(read('limit="disable"'))).not.toHaveProperty('limits')
    expect(joint(read('frictionloss="disable"'))).not.toHaveProperty('friction')
    expect(read('gravity="disable"').gravity).toEqual([0, 0, 0])
    expect(read('spring="disable"').medium).toEqual({ density: 2, viscosity: 0 })
    const both = read('spring="disable" damper="disable"')
    expect(both.medium).toBeUndefined()
    expect(both.bodies[0]).not.toHaveProperty('gravityCompensation')
  })

  it('adds armature and damping of actuators, by the square of the gear', () => {
    const after = '<actuator><motor joint="j" gear="2" armature="0.5" damping="0.3"/></actuator>'
    const spec = parseMjcf(world(`<body><joint name="j" armature="1" damping="1"/>${ball}</body>`, '', after))
    expect(spec.bodies[0]?.joints?.[0]).toMatchObject({ armature: 3, damping: 2.2 })
  })

  it('puts equalities at the reference position', () => {
    const bodies = `<body name="a" pos="1 0 0"><joint name="p"/>${ball}<site name="s" pos="0 0 1"/></body>
      <body name="b" pos="0 2 0" euler="0 0 90"><joint name="q"/>${ball}<site name="t" pos="1 0 0"/></body>`
    const after = `<equality><connect body1="a" body2="b" anchor="0 0 1"/><connect site1="s" site2="t"/><weld body1="a" body2="b" active="false"/>
      <joint joint1="p" joint2="q" polycoef="0.1 2"/><joint joint1="p"/></equality><contact><exclude body1="a" body2="b"/></contact>`
    const spec = parseMjcf(world(bodies, '', after))
    const [connect, sites, weld, couple, hold] = spec.constraints ?? []
    expect(connect).toMatchObject({ type: 'point', a: { body: 'a', point: [0, 0, 1] }, b: { body: 'b' } })
    const other = connect?.type === 'point' ? (connect.b.point ?? []) : []
    ;[-2, -1, 1].forEach((x, k) => expect(other[k]).toBeCloseTo(x, 14))
    expect(sites).toMatchObject({ a: { point: [0, 0, 1] }, b: { point: [1, 0, 0] } })
    expect(weld).toMatchObject({ type: 'weld', a: 'a', b: 'b', active: false, position: [-1, 2, 0] })
    expect(couple).toEqual({ solref: [0.02, 1], type: 'coupling', joint: 'p', of: 'q', polynomial: [0.1, 2, 0, 0, 0] })
    expect(hold).toEqual({ solref: [0.02, 1], type: 'coupling', joint: 'p', polynomial: [0, 1, 0, 0, 0] })
    expect(spec.exclude).toEqual([['a', 'b']])
  })
})

it('mutated files give a model or a ModelError, never anything else (seed 1)', () => {
  const source = world(
    `<replicate count="2" sep="-"><body name="b" pos="0 0 1" euler="1 2 3"><joint name="j" range="0 1" damping="1"/><geom type="capsule" size="0.1" fromto="0 0 0 0 0 1"/><site name="s"/></body></replicate>
     <frame pos="1 0 0" childclass="c"><body name="d"><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0"/><freejoint/><geom type="mesh" mesh="m"/><site name="t"/></body></frame>`,
    '<compiler angle="radian"/><option density="1"><flag contact="disable"/></option><default><geom density="10"/><default class="c"><site size="0.1"/></default></default><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>',
    '<tendon><spatial name="w"><site site="t"/><site site="s-0"/></spatial><fixed><joint joint="j" coef="1"/></fixed></tendon><equality><weld body1="d"/></equality><actuator><position joint="j" kp="1" dampratio="1"/></actuator><keyframe><key qpos="1"/></keyframe>',
  )
  const random = createRandom(1).below
  const scraps = [
    '"',
    '<',
    '>',
    '/',
    ' ',
    'nan',
    '-1',
    '0',
    '1e999',
    '<body>',
    '</body>',
    'name',
    '="',
    '&',
    '\u0000',
    '<!--',
    '999999',
    'class="c"',
    'b',
    'world',
  ]
  const outcomes = { model: 0, error: 0 }
  for (let round = 0; round < 1000; round++) {
    let text = source
    for (let k = random(4); k >= 0; k--) {
      const at = random(text.length)
      const drop = random(3) === 0 ? random(30) : random(3)
      text = text.slice(0, at) + (random(2) === 0 ? (scraps[random(scraps.length)] as string) : '') + text.slice(at + drop)
    }
    try {
      parseMjcf(text)
      outcomes.model++
    } catch (error) {
      if (!(error instanceof ModelError)) throw new Error(`round ${round}: ${String(error)}\n${text}`)
      expect(error.problems.length).toBeGreaterThan(0)
      outcomes.error++
    }
  }
  expect(outcomes.model).toBeGreaterThan(20)
  expect(outcomes.error).toBeGreaterThan(500)
})

it('reads a file of more elements than replicate may make', { timeout: 120_000 }, () => {
  const count = 101_000
  const spec = parseMjcf(`<mujoco><worldbody>${'<geom size="1"/>'.repeat(count)}</worldbody></mujoco>`)
  expect(spec.world?.geoms).toHaveLength(count)
})

describe('problems of MJCF', () => {
  it('name the body that they are about, and what in it has a name', () => {
    const inside = '<body name="upper"><joint name="elbow" axs="0 1 0"/><geom type="sphre"/><body pos="1 2"/></body>'
    const found = problemsOf(world(inside)).map(({ message }) => message)
    expect(found).toContain("unknown attribute 'axs' on joint; did you mean 'axis'? (joint 'elbow' of body 'upper')")
    expect(found.find((message) => message.includes('sphre'))).toMatch(/did you mean 'sphere'\? \(body 'upper'\)$/)
    expect(found).toContain("expected 3 finite numbers, got '1 2' (in body 'upper')")
  })
})
