/**
 * Second opinion: each model goes through MuJoCo's own compiler and through ours, and what both know must agree.
 */
import loadMujoco from '@mujoco/mujoco'
import { describe, expect, it } from 'vitest'
import { rotateTensor, rotationMatrix } from '../../build/geometry/mass-properties.js'
import type { BodySpec, JointSpec, Quat, Spec, Tensor } from '../../build/spec.js'
import { normalizeQuat } from '../pose.js'
import { parseMjcf } from './parse-mjcf.js'

const mujoco = await loadMujoco()
type Files = Record<string, string>
type Numbers = ArrayLike<number>

/** double precision on both sides, but sums in another order */
const RELATIVE = 1e-9

function compile(xml: string, files: Files) {
  const made = (path: string): void => {
    try {
      mujoco.FS.mkdir(path)
    } catch {
      // exists
    }
  }
  made('/oracle')
  for (const [path, content] of Object.entries(files)) {
    let folder = '/oracle'
    for (const part of path.split('/').slice(0, -1)) made((folder += `/${part}`))
    mujoco.FS.writeFile(`/oracle/${path}`, content)
  }
  mujoco.FS.writeFile('/oracle/model.xml', xml)
  const model = mujoco.MjModel.mj_loadXML('/oracle/model.xml')
  if (!model) throw new Error('MuJoCo refuses the model')
  return model
}

function near(got: Numbers, expected: Numbers, what: string, tolerance = RELATIVE): void {
  expect(got.length, what).toBe(expected.length)
  for (let k = 0; k < expected.length; k++) {
    const a = got[k] as number
    const b = expected[k] as number
    if (!(Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b)))) {
      expect.fail(`${what}[${k}]: got ${a}, MuJoCo has ${b}\n  got ${Array.from(got)}\n  MuJoCo ${Array.from(expected)}`)
    }
  }
}

const slice = (array: Numbers, k: number, n: number): number[] => Array.from({ length: n }, (_, i) => array[k * n + i] as number)

/** equal up to the sign that does not matter */
function nearQuat(got: Quat, expected: number[], what: string): void {
  const sign = got.reduce((s, x, k) => s + x * (expected[k] as number), 0) < 0 ? -1 : 1
  near(
    got.map((x) => x * sign),
    expected,
    what,
  )
}

/** `mj_id2name` returns noise for what has no name */
function nameAt(m: { names: ArrayLike<number> }, address: number): string {
  let name = ''
  for (let k = address; m.names[k]; k++) name += String.fromCharCode(m.names[k] as number)
  return name
}

const scalar = (value: JointSpec['damping']): number => (typeof value === 'number' ? value : 0)

function check(xml: string, files: Files = {}, tolerance = RELATIVE): Spec {
  const m = compile(xml, files)
  try {
    const spec = parseMjcf(xml, { resolve: (path) => files[path] })
    expect(spec.bodies.length, 'bodies').toBe(m.nbody - 1)
    const index = new Map(spec.bodies.map((body, k) => [body.name, k + 1]))
    let j = 0
    spec.bodies.forEach((body: BodySpec, k) => {
      const i = k + 1
      const label = `body ${body.name}`
      const name = nameAt(m, m.name_bodyadr[i])
      if (name) expect(body.name).toBe(name)
      expect(body.parent === undefined ? 0 : index.get(body.parent), `${label} parent`).toBe(m.body_parentid[i])
      near(body.position ?? [0, 0, 0], slice(m.body_pos, i, 3), `${label} position`, tolerance)
      nearQuat(body.quaternion ? normalizeQuat(body.quaternion) : [1, 0, 0, 0], slice(m.body_quat, i, 4), `${label} quaternion`)

      // mass, centre, tensor in body axes
      const inertia = body.inertia ?? { mass: 0 }
      near([inertia.mass], [m.body_mass[i]], `${label} mass`, tolerance)
      if (inertia.mass > 0) near(inertia.com ?? [0, 0, 0], slice(m.body_ipos, i, 3), `${label} com`, tolerance)
      const [a, b, c] = slice(m.body_inertia, i, 3) as [number, number, number]
      const R = rotationMatrix(slice(m.body_iquat, i, 4) as unknown as Quat)
      const tensor: Tensor = rotateTensor(R, [a, b, c, 0, 0, 0])
      near(inertia.tensor ?? [0, 0, 0, 0, 0, 0], tensor, `${label} tensor`, tolerance)
      expect(body.gravityCompensation ?? 0).toBe(m.body_gravcomp[i])

      for (const joint of body.joints ?? []) {
        const what = `joint ${joint.name}`
        const dof = m.jnt_dofadr[j]
        const qadr = m.jnt_qposadr[j]
        const written = nameAt(m, m.name_jntadr[j])
        if (written) expect(joint.name).toBe(written)
        expect(joint.type).toBe(['free', 'spherical', 'prismatic', 'revolute'][m.jnt_type[j]])
        expect(m.jnt_bodyid[j], what).toBe(i)
        if (joint.type !== 'free') near(joint.anchor ?? [0, 0, 0], slice(m.jnt_pos, j, 3), `${what} anchor`)
        if (joint.type === 'revolute' || joint.type === 'prismatic') {
          near(joint.axis ?? [0, 0, 1], slice(m.jnt_axis, j, 3), `${what} axis`)
          near([scalar(joint.reference)], [m.qpos0[qadr]], `${what} reference`)
          near([scalar(joint.rest ?? joint.reference)], [m.qpos_spring[qadr]], `${what} rest`)
        }
        near([scalar(joint.stiffness)], [m.jnt_stiffness[j]], `${what} stiffness`)
        near([scalar(joint.damping)], [m.dof_damping[dof]], `${what} damping`)
        near([scalar(joint.armature)], [m.dof_armature[dof]], `${what} armature`)
        near([joint.friction ?? 0], [m.dof_frictionloss[dof]], `${what} friction`)
        if (joint.limits) near(joint.limits, slice(m.jnt_range, j, 2), `${what} limits`)
        if (joint.forceRange) near(joint.forceRange, slice(m.jnt_actfrcrange, j, 2), `${what} force range`)
        j++
      }
    })
    expect(j, 'joints').toBe(m.njnt)
    checkSites(spec, m)
    checkTendons(spec, m)
    checkActuators(spec, m)
    near(spec.gravity ?? [], m.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_GRAVITY.value ? [0, 0, 0] : m.opt.gravity, 'gravity')
    return spec
  } finally {
    m.delete()
  }
}

type Model = ReturnType<typeof compile>

function checkSites(spec: Spec, m: Model): void {
  const sites = [...(spec.world?.sites ?? []), ...spec.bodies.flatMap((body) => body.sites ?? [])]
  expect(sites.length, 'sites').toBe(m.nsite)
  sites.forEach((site, k) => {
    near(site.position ?? [0, 0, 0], slice(m.site_pos, k, 3), `site ${site.name} position`)
    nearQuat(site.quaternion ?? [1, 0, 0, 0], slice(m.site_quat, k, 4), `site ${site.name} quaternion`)
  })
}

function checkTendons(spec: Spec, m: Model): void {
  const tendons = spec.tendons ?? []
  expect(tendons.length, 'tendons').toBe(m.ntendon)
  tendons.forEach((tendon, k) => {
    const what = `tendon ${tendon.name}`
    near([tendon.stiffness ?? 0], [m.tendon_stiffness[k]], `${what} stiffness`)
    near([tendon.armature ?? 0], [m.tendon_armature[k]], `${what} armature`)
    if (tendon.rest !== undefined) {
      near(typeof tendon.rest === 'number' ? [tendon.rest, tendon.rest] : tendon.rest, slice(m.tendon_lengthspring, k, 2), `${what} rest`)
    }
    if (tendon.limits) near(tendon.limits, slice(m.tendon_range, k, 2), `${what} limits`)
    if (tendon.joints) {
      near(
        tendon.joints.map((part) => part.coefficient),
        Array.from({ length: m.tendon_num[k] }, (_, i) => m.wrap_prm[m.tendon_adr[k] + i]),
        `${what} coefficients`,
      )
    }
  })
}

function checkActuators(spec: Spec, m: Model): void {
  const actuators = spec.actuators ?? []
  if (actuators.length !== m.nu) return
  actuators.forEach((actuator, k) => {
    const what = `actuator ${actuator.name}`
    near(actuator.gain ?? [1, 0, 0], slice(m.actuator_gainprm, k, m.actuator_gainprm.length / m.nu).slice(0, 3), `${what} gain`)
    const prm = slice(m.actuator_biasprm, k, m.actuator_biasprm.length / m.nu).slice(0, 3)
    near(actuator.bias ?? [0, 0, 0], m.actuator_biastype[k] === 0 ? [0, 0, 0] : prm, `${what} bias`)
    near([(actuator.gear ?? [1])[0] as number], [m.actuator_gear[6 * k]], `${what} gear`)
    if (actuator.controlRange) near(actuator.controlRange, slice(m.actuator_ctrlrange, k, 2), `${what} control range`)
    if (actuator.dynamics?.range) near(actuator.dynamics.range, slice(m.actuator_actrange, k, 2), `${what} range`)
  })
}

const world = (inside: string, before = '', after = ''): string => `<mujoco>${before}<worldbody>${inside}</worldbody>${after}</mujoco>`
const SHAPES = ['sphere', 'capsule', 'cylinder', 'ellipsoid', 'box'] as const
const TETRAHEDRON = 'vertex="0 0 0  1.1 0 0  0 2 0  0 0 3  0.3 0.5 2"'

describe('masses agree with MuJoCo', () => {
  it.each(SHAPES)('%s by density, by mass, as a shell, off centre and turned', (type) => {
    const geoms = [
      `type="${type}" size="0.3 0.5 0.7"`,
      `type="${type}" size="0.3 0.5 0.7" mass="2" pos="1 2 3" euler="10 20 30"`,
      `type="${type}" size="0.3 0.5 0.7" density="50" shellinertia="true" pos="-1 0 0" axisangle="1 2 3 40"`,
      `type="${type}" size="0.3 0.5 0.7" mass="3" shellinertia="true" zaxis="1 1 1"`,
    ]
    // the shell of an ellipsoid is a difference that loses digits
    const tolerance = type === 'ellipsoid' ? 1e-8 : RELATIVE
    for (const geom of geoms) check(world(`<body><geom ${geom}/></body>`), {}, tolerance)
    check(world(`<body pos="1 0 0">${geoms.map((geom) => `<geom ${geom}/>`).join('')}</body>`), {}, tolerance)
  })

  it.each(['capsule', 'cylinder', 'ellipsoid', 'box'])('%s between two points', (type) => {
    check(
      world(
        `<body><geom type="${type}" size="0.1 0.2" fromto="0 1 0 1 1 2"/><geom type="${type}" size="0.1" fromto="0 0 1 0 0 0"/></body>`,
      ),
    )
  })

  it('inertial: diagonal, full, turned, inside frames', () => {
    check(world('<body><inertial pos="1 2 3" mass="2" diaginertia="1 2 2.5" euler="10 20 30"/><geom size="1"/></body>'))
    check(world('<body><inertial pos="1 2 3" mass="2" fullinertia="3 2 4 0.1 0.2 -0.3"/></body>'))
    check(
      world(
        '<body><frame pos="1 0 0" euler="30 40 50"><inertial pos="1 2 3" mass="2" diaginertia="1 2 2.5" zaxis="0 1 1"/></frame></body>',
      ),
    )
  })

  it.each(['auto', 'true', 'false'])('inertiafromgeom %s, with and without inertial', (mode) => {
    const bodies = `<body><geom size="0.2" pos="1 0 0"/></body>
      <body><inertial pos="0 0 1" mass="2" diaginertia="1 1 1"/><geom size="0.2" pos="1 0 0"/></body>
      <body><inertial pos="0 0 1" mass="2" diaginertia="1 1 1"/><geom size="0.2" mass="0"/><geom size="0.2" pos="1 0 0" density="0"/></body>
      <body><inertial pos="0 0 1" mass="2" diaginertia="1 1 1"/></body><body/>`
    check(world(bodies, `<compiler inertiafromgeom="${mode}"/>`))
  })

  it('group range, bounds, balance and total mass of the compiler', () => {
    const geoms = '<geom size="0.1" group="3" pos="1 0 0"/><geom size="0.2" group="1"/><geom size="0.3" group="2" pos="0 1 0"/>'
    check(world(`<body>${geoms}</body>`, '<compiler inertiagrouprange="1 2"/>'))
    check(world(`<body>${geoms}</body>`, '<compiler inertiagrouprange="4 5"/>'))
    check(world(`<body pos="1 2 3" euler="10 0 0"/><body><geom size="0.01"/></body>`, '<compiler boundmass="2" boundinertia="0.5"/>'))
    check(world('<body><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/></body>', '<compiler balanceinertia="true"/>'))
    check(world(`<body><joint/>${geoms}</body><body><geom size="0.3"/></body>`, '<compiler settotalmass="7"/>'))
  })

  it('massless geoms, planes, visual geoms, discardvisual', () => {
    check(world('<body><geom size="0.1" mass="0"/><geom size="0.2" density="0"/></body><body><geom type="plane" size="1 1 1"/></body>'))
    check(world('<body><geom size="0.1" contype="0" conaffinity="0"/></body>', '<compiler discardvisual="true"/>'))
  })

  it.each(['legacy', 'exact', 'convex', 'shell'])('meshes with inertia %s, moved, turned, scaled and mirrored', (inertia) => {
    for (const extra of ['', 'refpos="1 2 3" refquat="1 1 0.5 0" scale="1 2 0.5"', 'scale="-1 2 0.5"', 'scale="0.001 0.001 0.001"']) {
      // MuJoCo takes the hull before it mirrors, and then finds it inside out
      if (inertia === 'convex' && extra.includes('-1')) continue
      const asset = `<asset><mesh name="m" inertia="${inertia}" ${TETRAHEDRON} ${extra}/></asset>`
      check(world('<body><geom type="mesh" mesh="m" pos="1 0 0" euler="10 20 30"/></body>', asset), {}, 1e-7)
      check(world('<body><geom type="mesh" mesh="m" mass="3"/><geom size="0.1"/></body>', asset), {}, 1e-7)
    }
  })

  it.each(SHAPES)('%s fitted to a mesh, by inertia and by bounding box', (type) => {
    for (const fit of ['true', 'false']) {
      const before = `<compiler fitaabb="${fit}"/><asset><mesh name="m" ${TETRAHEDRON}/></asset>`
      check(world(`<body><geom type="${type}" mesh="m" pos="1 0 0" euler="10 20 30" fitscale="0.9"/></body>`, before), {}, 1e-6)
    }
  })

  it('mesh files through meshdir and strippath', () => {
    const obj = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n'
    const body = '<body><geom type="mesh" mesh="part"/></body>'
    check(world(body, '<compiler meshdir="a/b"/><asset><mesh file="part.obj"/></asset>'), { 'a/b/part.obj': obj }, 1e-7)
    check(
      world(body, '<compiler assetdir="c" strippath="true"/><asset><mesh file="x/y/part.obj" scale="2 2 2"/></asset>'),
      { 'c/part.obj': obj },
      1e-7,
    )
  })
})

describe('poses and joints agree with MuJoCo', () => {
  it('every way to write an orientation', () => {
    const ways = ['quat="1 2 3 4"', 'axisangle="1 2 3 40"', 'xyaxes="1 1 0 0 1 1"', 'zaxis="1 2 3"', 'zaxis="0 0 -1"', 'euler="10 20 30"']
    for (const way of ways) check(world(`<body pos="1 2 3" ${way}><geom size="0.1"/><site ${way}/></body>`))
    for (const seq of ['xyz', 'zyx', 'XYZ', 'zxz', 'xYz', 'ZYX']) {
      check(world('<body euler="0.1 0.2 0.3"><geom size="0.1"/></body>', `<compiler angle="radian" eulerseq="${seq}"/>`))
    }
  })

  it('all joint types, references, springs, limits, degrees and radians', () => {
    const joints = `<body><joint name="a" type="hinge" pos="1 0 0" axis="1 1 0" ref="30" springref="20" stiffness="3" damping="2" armature="0.1" range="-10 20" frictionloss="0.4" actuatorfrcrange="-3 4"/>
        <joint name="b" type="slide" axis="0 2 0" ref="0.3" springref="0.1" stiffness="5" range="-1 2"/><geom size="1"/></body>
      <body><joint type="ball" pos="0 0 1" stiffness="4" damping="0.3" range="0 90"/><geom size="1"/></body>
      <body pos="1 2 3" euler="0 90 0"><freejoint/><geom size="1"/></body>
      <body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint/><joint axis="1 0 0" limited="false" range="0 1"/><geom size="1"/></body>`
    check(world(joints))
    check(world(joints, '<compiler angle="radian"/>'))
  })

  it('springdamper, with several degrees of freedom and armature', () => {
    const inside = `<body><joint springdamper="0.5 1" type="slide"/><joint axis="1 0 0" springdamper="0.3 0.7" armature="0.2"/><geom size="0.3 0.4 0.5" type="box"/>
      <body pos="1 0 0.3"><joint type="ball" springdamper="0.2 0.5"/><geom size="0.2" pos="0.3 0 0"/><body pos="0 1 0"><joint axis="0 1 0"/><geom size="0.3"/></body></body></body>
      <body pos="0 0 4"><joint type="free" springdamper="1 1"/><geom type="box" size="1 2 3" pos="0.1 0.2 0.3"/></body>`
    check(world(inside), {}, 1e-8)
  })

  it('free bodies aligned with their inertia', () => {
    const body =
      '<body pos="1 2 3" euler="10 20 30"><freejoint align="true"/><geom type="box" size="1 2 3" pos="1 0 0" euler="30 0 0"/><geom size="0.5"/><site pos="1 1 1"/></body>'
    check(world(body))
    check(world(body.replace(' align="true"', ''), '<compiler alignfree="true"/>'))
    check(world(body.replace(' align="true"', '')))
  })

  it('frames move joints, geoms, sites and bodies; classes come along', () => {
    check(
      world(
        `<frame pos="0 0 1" euler="0 0 90" childclass="c"><body name="p"><frame name="f" pos="1 0 0" euler="90 0 0"><joint name="j" pos="0 0 1" axis="0 1 0"/>
        <geom pos="0 1 0"/><frame pos="0 1 0" euler="0 90 0" childclass="d"><site name="s"/><geom/></frame></frame>
        <body name="q" pos="1 1 1"><joint/><geom/></body></body></frame>`,
        '<default><geom size="1"/><default class="c"><geom size="2"/><joint damping="3"/><default class="d"><geom type="box" size="1 2 3"/></default></default></default>',
      ),
    )
  })

  it('replicas are turned and shifted, and named', () => {
    const inside = '<body name="b" pos="0 1 0"><joint name="j"/><geom size="1" pos="0.1 0 0"/><site name="s"/></body>'
    check(world(`<replicate count="4" euler="10 90 0" offset="1 0 0" sep="-">${inside}<geom size="0.3"/></replicate>`))
    check(world(`<replicate count="12">${inside}</replicate>`))
    check(
      world(
        `<body name="x"><geom size="1"/><replicate count="2" sep="_" offset="0 0 3"><replicate count="3" sep="." euler="0 0 30">${inside}</replicate></replicate></body>`,
      ),
    )
    check(
      world(
        `<replicate count="2" sep="-">${inside}</replicate>`,
        '',
        '<tendon><fixed name="t"><joint joint="j" coef="2"/></fixed></tendon><actuator><motor name="m" tendon="t"/></actuator>',
      ),
    )
  })

  it('nested defaults, childclass, partial sizes, alternatives that outlive quat', () => {
    const before = `<default><joint damping="1" armature="0.5"/><geom density="100" size="0.1 0.2 0.3"/>
      <default class="a"><joint damping="2"/><geom type="box" euler="90 0 0"/><default class="b"><geom type="ellipsoid" mass="3"/></default></default></default>
      <default><geom rgba="1 0 0 1"/></default>`
    const inside = `<body><joint/><geom/></body><body childclass="a"><joint/><geom/><body><joint class="main"/><geom class="b" quat="0 1 0 0"/></body></body>
      <body childclass="b"><joint/><geom size="0.5" axisangle="0 0 1 20"/></body>`
    check(world(inside, before))
  })

  it('includes, several sections of a kind, nested folders', () => {
    const files = {
      'sub/a.xml':
        '<mujocoinclude><worldbody><include file="b.xml"/></worldbody><default><default class="k"><geom size="0.7"/></default></default></mujocoinclude>',
      'sub/b.xml': '<x><body name="b"><joint/><geom class="k"/></body></x>',
      'top.xml': '<mujoco><compiler angle="radian"/></mujoco>',
    }
    check(
      '<mujoco><include file="sub/a.xml"/><include file="top.xml"/><worldbody><body name="z" euler="1 0 0"><geom size="1"/></body></worldbody></mujoco>',
      files,
    )
  })

  it('attached models keep their own units and classes', () => {
    const files = {
      'c.xml': `<mujoco><compiler angle="radian"/><option gravity="0 0 -1"/><default><geom size="0.3"/></default><worldbody><geom name="wg" size="1"/>
        <body name="b" pos="0 0 1"><joint name="j" range="0 1"/><geom/></body><body name="b2" pos="0 0 2"><joint name="j2" range="0 1"/><geom/></body></worldbody>
        <actuator><motor name="m" joint="j"/><motor name="m2" joint="j2"/></actuator></mujoco>`,
    }
    check(
      '<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody><frame pos="1 0 0"><attach model="c" body="b" prefix="p_"/></frame><body name="z"><attach model="c" prefix="q_"/></body></worldbody></mujoco>',
      files,
    )
  })
})

describe('tendons and actuators agree with MuJoCo', () => {
  const links = `<site name="a"/><body name="u" pos="0 0 1"><joint name="j" range="-30 60"/><geom size="0.2" pos="0.5 0 0"/><site name="b" pos="1 0 0"/>
    <body name="w" pos="1 0 0"><joint name="k" axis="0 1 0" type="slide" range="-1 1"/><geom size="0.3"/><site name="c" pos="0 1 0"/></body></body>`

  it('spatial and fixed tendons with springs', () => {
    const after = `<tendon><spatial name="s1" stiffness="10" damping="2" springlength="0.1"><site site="a"/><site site="b"/><pulley divisor="2"/><site site="b"/><site site="c"/></spatial>
      <spatial name="s2" springlength="0.1 0.4" range="0 2" armature="0.3"><site site="a"/><site site="c"/></spatial>
      <fixed name="f" stiffness="3"><joint joint="j" coef="2"/><joint joint="k" coef="-1"/></fixed></tendon>`
    const spec = check(world(links, '<default><tendon damping="4"/></default>', after))
    expect(spec.tendons?.[1]?.damping).toBe(4)
    expect(spec.tendons?.[0]?.path).toEqual([
      { body: 'world', point: [0, 0, 0] },
      { body: 'u', point: [1, 0, 0] },
      { pulley: 2 },
      { body: 'u', point: [1, 0, 0] },
      { body: 'w', point: [0, 1, 0] },
    ])
  })

  it('every actuator that has a linear law', () => {
    const after = `<tendon><fixed name="f"><joint joint="j" coef="2"/><joint joint="k" coef="-1"/></fixed></tendon><actuator>
      <motor joint="j" gear="3" ctrlrange="-1 1"/><position joint="j" kp="4" kv="1" ctrlrange="0 2" forcerange="-1 3"/><position joint="k" kp="4" dampratio="1" gear="3"/>
      <position tendon="f" kp="5" dampratio="0.5"/><position joint="j" kp="2" inheritrange="0.8" timeconst="0.1"/><velocity joint="k" kv="2"/>
      <intvelocity joint="j" kp="3" actrange="-1 1"/><intvelocity joint="j" kp="3" kv="0.1" inheritrange="1"/><damper joint="k" kv="2" ctrlrange="0 1"/>
      <cylinder joint="k" timeconst="0.2" area="2" bias="1 2 3"/><cylinder joint="k" diameter="0.5"/>
      <general joint="j" gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm="4 5 -6" dyntype="filter" dynprm="0.3"/>
      <motor site="b" gear="0 0 1 0 0 0"/></actuator>`
    expect(check(world(links, '', after)).actuators).toHaveLength(13)
  })

  it('one default serves all actuator tags', () => {
    const before = '<default><position kp="7" kv="2"/><default class="c"><general gear="5" biasprm="1"/></default></default>'
    const tags = 'general joint="j"|motor joint="j"|velocity joint="j"|general joint="k" class="c"|position joint="k" class="c"'.split('|')
    check(world(links, before, `<actuator>${tags.map((tag) => `<${tag}/>`).join('')}</actuator>`))
  })
})
