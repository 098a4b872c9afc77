/**
 * Constraints, limits, friction and prescribed motion through the command: files in, numbers out; and what cannot hold is named.
 */
import { describe, expect, it } from 'vitest'
import { limber, temporaryFolder } from './limber.js'

const folder = temporaryFolder()

interface Summary {
  readonly solver: string
  readonly time: number
  readonly state: { readonly q: Readonly<Record<string, number>>; readonly v: Readonly<Record<string, number>> }
  readonly energy: Readonly<Record<'initial' | 'final', { readonly kinetic: number; readonly potential: number }>>
  readonly warnings: readonly string[]
}

async function run(
  name: string,
  content: string | object,
  ...args: string[]
): Promise<{ code: number | null; summary: Summary; stderr: string; q: number[] }> {
  folder.put(name, typeof content === 'string' ? content : JSON.stringify(content))
  const { code, stdout, stderr } = await limber(['run', name, '--json', ...args], { cwd: folder.path })
  expect(stdout).not.toMatch(/NaN|null|Infinity/)
  const summary = JSON.parse(stdout) as Summary
  return { code, summary, stderr, q: Object.values(summary.state?.q ?? {}) }
}

const rod = { mass: 1, com: [0.5, 0, 0], tensor: [0.01, 0.1, 0.1, 0, 0, 0] }
const hinge = (name: string, more: object = {}) => ({ name, type: 'revolute', axis: [0, 1, 0], ...more })
const arm = (name: string, more: object = {}, joint: object = {}) => ({ name, inertia: rod, joints: [hinge(name, joint)], ...more })
const ball = (name: string, x: number) => ({
  name,
  position: [x, 0, 0],
  joints: [{ type: 'free' }],
  inertia: { mass: 1, tensor: [0.1, 0.1, 0.1, 0, 0, 0] },
})

/** What cannot hold: the message must name these. */
const impossible: readonly (readonly [string, object, readonly RegExp[]])[] = [
  [
    'a loop that cannot close',
    {
      bodies: [arm('a'), arm('b', { parent: 'a', position: [1, 0, 0] })],
      constraints: [{ name: 'far', type: 'point', a: { body: 'b', point: [1, 0, 0] }, b: { body: 'world', point: [5, 0, 0] } }],
    },
    [/constraint 'far' cannot be met/, /3\.00 m/, /check its points/],
  ],
  [
    'two motions of one joint',
    {
      bodies: [arm('a')],
      constraints: [
        { name: 'slow', type: 'motion', joint: 'a', speed: 1 },
        { name: 'fast', type: 'motion', joint: 'a', speed: 2 },
      ],
    },
    [/'fast' prescribes a rate/, /remove one/],
  ],
  [
    'two motions that part later',
    {
      bodies: [arm('a')],
      constraints: [
        { name: 'wide', type: 'motion', joint: 'a', amplitude: 1, frequency: 1 },
        { name: 'quick', type: 'motion', joint: 'a', amplitude: 0.5, frequency: 2 },
      ],
    },
    [/'quick' (contradicts the others|asks for a rate)/, /remove one/],
  ],
  [
    'two welds that disagree',
    {
      bodies: [ball('a', 0), ball('b', 1)],
      constraints: [
        { name: 'near', type: 'weld', a: 'a', b: 'b', position: [1, 0, 0], quaternion: [1, 0, 0, 0] },
        { name: 'far', type: 'weld', a: 'a', b: 'b', position: [1.5, 0, 0], quaternion: [1, 0, 0, 0] },
      ],
    },
    [/contradict each other/, /'near' by/, /'far' by/, /remove one/],
  ],
  [
    'limits that exclude a coupling',
    {
      bodies: [arm('a', {}, { limits: [-0.5, 0.5] }), arm('b', {}, { limits: [0.2, 0.4] })],
      constraints: [{ name: 'gear', type: 'coupling', joint: 'a', of: 'b', polynomial: [0, 5] }],
    },
    [/joint limits and constraint 'gear' exclude each other/, /joint 'a' by/, /widen the limits/],
  ],
  [
    'a motion against a limit',
    { bodies: [arm('a', {}, { limits: [-0.5, 0.5] })], constraints: [{ name: 'drive', type: 'motion', joint: 'a', speed: 1 }] },
    [/constraint 'drive'/, /upper limit of joint 'a'/, /widen a limit/],
  ],
]

describe.each(['auto', 'second-order', 'linear'])('what cannot hold fails by name, scheme %s', (scheme) => {
  it.each(impossible)('%s', async (title, spec, messages) => {
    const { code, summary, stderr } = await run(
      `${title.replaceAll(' ', '-')}.json`,
      spec,
      '--solver',
      'redmax',
      '--set',
      `scheme=${scheme}`,
    )
    expect(code).toBe(1)
    for (const message of messages) {
      expect(summary.warnings.join('\n')).toMatch(message)
      expect(stderr).toMatch(message)
    }
  })
})

describe('a chain drawn straight between two ends', () => {
  const chain = (end: number): object => ({
    bodies: [arm('a'), arm('b', { parent: 'a', position: [1, 0, 0] }), arm('c', { parent: 'b', position: [1, 0, 0] })],
    constraints: [{ name: 'tip', type: 'point', a: { body: 'c', point: [1, 0, 0] }, b: { body: 'world', point: [end, 0, 0] } }],
  })

  it('is held where it is, with a warning that names the singular row', async () => {
    const { code, summary, q } = await run('taut.json', chain(3))
    expect(code).toBe(0)
    expect(summary.solver).toBe('redmax')
    for (const x of q) expect(Math.abs(x)).toBeLessThan(1e-9)
    expect(summary.warnings.join('\n')).toMatch(
      /constraint 'tip': the chain from 'a' to 'c' is stretched.*row along \(1, 0, 0\) is singular/,
    )
  })

  it('is refused with its residual where it is too short', async () => {
    const { code, summary } = await run('short.json', chain(3.003))
    expect(code).toBe(1)
    expect(summary.warnings.join('\n')).toMatch(/constraint 'tip' cannot be met: 0\.00300 m or rad remain.*check its points and lengths/)
  })
})

describe('bad numbers', () => {
  it.each([
    [
      'a spring in a scene',
      'spring.json',
      `{\n "bodies": [${JSON.stringify(ball('a', 1))}],\n "springs": [{ "a": { "body": "world" }, "b": { "body": "a" },\n   "stiffness": -5 }]\n}`,
    ],
    [
      'a joint in MJCF',
      'joint.xml',
      '<mujoco><worldbody><body>\n<joint name="j" stiffness="-3"/><geom size="0.1"/></body></worldbody></mujoco>',
    ],
  ])('%s with negative stiffness is refused with its place, or held', async (_title, name, content) => {
    folder.put(name, content)
    const { code, stdout, stderr } = await limber(['run', name, '--json', '--solver', 'redmax'], { cwd: folder.path })
    expect(code).toBe(2)
    expect(stdout + stderr).toMatch(/stiffness/)
    expect(stdout + stderr).toMatch(/non-negative|at least 0|>= ?0|positive/)
    expect(stdout + stderr).toMatch(/got -\d; give its size, or 0 for none/)
  })
})

describe('mass ratios of 1e8', () => {
  const light = { mass: 1e-4, com: [0.5, 0, 0], tensor: [1e-6, 1e-5, 1e-5, 0, 0, 0] }
  const heavy = { mass: 1e4, com: [0.5, 0, 0], tensor: [1e2, 1e3, 1e3, 0, 0, 0] }
  const total = ({ kinetic, potential }: { kinetic: number; potential: number }): number => kinetic + potential

  it.each(['auto', 'second-order'])('between links of a chain gain no energy, scheme %s', async (scheme) => {
    const bodies = [light, heavy, light, heavy].map((inertia, k) => ({
      name: `b${k}`,
      inertia,
      joints: [hinge(`j${k}`)],
      ...(k > 0 ? { parent: `b${k - 1}`, position: [1, 0, 0] } : {}),
    }))
    const { code, summary } = await run(
      `ratio-${scheme}.json`,
      { bodies },
      '--solver',
      'redmax',
      '--set',
      `scheme=${scheme}`,
      '--timestep',
      '0.005',
    )
    expect(code).toBe(0)
    expect(summary.time).toBeCloseTo(1, 9)
    // of the 1e5 J per metre that the heavy links can fall
    expect(total(summary.energy.final) - total(summary.energy.initial)).toBeLessThan(1e3)
  })

  it('of a body on a chain of light links and springs sag as the springs in a row do', async () => {
    const links = Array.from({ length: 5 }, (_, k) => ({
      name: `l${k}`,
      position: [0, 0, -k - 1],
      joints: [{ name: `l${k}`, type: 'prismatic', axis: [0, 0, 1] }],
      inertia: { mass: 1e-4 },
    }))
    const weight = {
      name: 'weight',
      position: [0, 0, -6],
      joints: [{ name: 'weight', type: 'prismatic', axis: [0, 0, 1] }],
      inertia: { mass: 1e4 },
    }
    const springs = Array.from({ length: 6 }, (_, k) => ({
      a: { body: k > 0 ? `l${k - 1}` : 'world' },
      b: { body: k < 5 ? `l${k}` : 'weight' },
      stiffness: 1e7,
      damping: 1e6,
    }))
    const { code, q } = await run(
      'hanging.json',
      { bodies: [...links, weight], springs },
      '--solver',
      'redmax',
      '--timestep',
      '0.01',
      '--duration',
      '5',
    )
    expect(code).toBe(0)
    expect(q[5]).toBeCloseTo((-6 * 1e4 * 9.81) / 1e7, 4)
    expect(q[0]).toBeCloseTo((-1e4 * 9.81) / 1e7, 4)
  })
})

describe('files that hold constraints', () => {
  it('MJCF equalities, ranges and friction act', async () => {
    const model = `<mujoco><option timestep="0.002"/>
      <default><geom contype="0" conaffinity="0"/></default>
      <worldbody>
        <body name="a"><joint name="a" axis="0 1 0" range="-30 30" limited="true"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".05" mass="1"/></body>
        <body name="b" pos="0 1 0"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".05" mass="1"/></body>
        <body name="c" pos="0 2 0"><joint name="c" axis="0 1 0" frictionloss="20"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".05" mass="1"/></body>
        <body name="d" pos="0 3 0"><freejoint/><geom type="sphere" size=".1" mass="1"/></body>
        <body name="e" pos="0 4 0"><joint name="e" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".05" mass="1"/>
          <body name="f" pos="1 0 0" euler="0 60 0"><joint name="f" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".05" mass="1"/></body></body>
      </worldbody>
      <equality>
        <joint joint1="b" joint2="a" polycoef="0.1 0.5 0 0 0"/>
        <weld body1="d"/>
        <connect body1="f" anchor="1 0 0" />
      </equality></mujoco>`
    // a falls to its limit and takes b along: everything gives way as much as in MuJoCo, whose figures these are
    const soft = await run('equality.xml', model, '--duration', '2', '--solver', 'redmax')
    expect(soft.code).toBe(0)
    for (const [k, x] of [0.5241516, 0.3627411].entries()) expect(soft.q[k]).toBeCloseTo(x, 6)
    for (const [k, x] of [0.0003322, -0.0004531].entries()) expect(soft.q[10 + k]).toBeCloseTo(x, 6)

    const { code, q, summary } = await run('equality.xml', model, '--duration', '2', '--solver', 'redmax', '--set', 'soft=false')
    expect(code).toBe(0)
    const [a, b, c, x, y, z, , , , , e, f] = q as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    expect(a).toBeCloseTo(Math.PI / 6, 6)
    expect(b).toBeCloseTo(0.1 + 0.5 * a, 8)
    // friction of 20 N m holds what weighs 9.81 · 0.5
    expect(Math.abs(c)).toBeLessThan(1e-9)
    expect(Math.hypot(x, y - 3, z)).toBeLessThan(1e-8)
    // turns about y lead from x down; f is drawn turned by 60 degrees
    const [g, third] = [e + f + Math.PI / 3, Math.PI / 3]
    expect(Math.hypot(Math.cos(e) + Math.cos(g) - 1 - Math.cos(third), Math.sin(e) + Math.sin(g) - Math.sin(third))).toBeLessThan(1e-8)
    expect(summary.warnings.filter((text) => /left out/.test(text))).toEqual([])
  })

  it('URDF mimic, limits and friction act', async () => {
    const link = (name: string) =>
      `<link name="${name}"><inertial><origin xyz="0.5 0 0"/><mass value="1"/><inertia ixx="0.01" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>`
    const joint = (name: string, y: number, more: string) =>
      `<joint name="${name}" type="revolute"><parent link="base"/><child link="${name}l"/><origin xyz="0 ${y} 0"/><axis xyz="0 1 0"/>${more}</joint>`
    const model = `<robot name="r"><link name="base"/>${link('al')}${link('bl')}${link('cl')}
      ${joint('a', 0, '<limit lower="-0.4" upper="0.4" effort="100" velocity="10"/>')}
      ${joint('b', 1, '<limit lower="-3" upper="3" effort="100" velocity="10"/><mimic joint="a" multiplier="2" offset="0.1"/>')}
      ${joint('c', 2, '<limit lower="-3" upper="3" effort="100" velocity="10"/><dynamics damping="0" friction="20"/>')}</robot>`
    const { code, q } = await run('mimic.urdf', model, '--duration', '2', '--solver', 'redmax', '--timestep', '0.002')
    expect(code).toBe(0)
    const [a, b, c] = q as [number, number, number]
    expect(a).toBeCloseTo(0.4, 3)
    expect(b).toBeCloseTo(0.1 + 2 * a, 8)
    expect(Math.abs(c)).toBeLessThan(1e-9)
  })

  it('auto takes the solver that holds them, and the others say what they leave out', async () => {
    const spec = {
      bodies: [arm('a', {}, { limits: [-0.5, 0.5], friction: 0.1 }), arm('b')],
      constraints: [{ name: 'gear', type: 'coupling', joint: 'a', of: 'b', polynomial: [0, 5] }],
    }
    expect((await run('auto.json', spec, '--duration', '0.1')).summary.solver).toBe('redmax')
    const { summary } = await run('auto.json', spec, '--duration', '0.1', '--solver', 'ode')
    for (const what of [/1 joint limit: left out by ode/, /dry friction of 1 joint: left out by ode/]) {
      expect(summary.warnings.join('\n')).toMatch(what)
    }
    // which holds the gear itself
    expect(summary.warnings.join('\n')).not.toMatch(/constraint/)
    const other = await run('auto.json', spec, '--duration', '0.1', '--solver', 'position')
    expect(other.summary.warnings.join('\n')).toMatch(/1 constraint: left out by position/)
  })

  it('names redundant rows and a start that was moved', async () => {
    const beam = { name: 'beam', parent: 'a', position: [1, 0, 0], inertia: rod, joints: [hinge('beam')] }
    const pin = (name: string, y: number) => ({
      name,
      type: 'hinge',
      a: { body: 'beam', point: [2, y, 0], axis: [0, 1, 0] },
      b: { body: 'b', point: [1, y, 0], axis: [0, 1, 0] },
    })
    const spec = {
      bodies: [arm('a', {}, { initial: 0.3 }), beam, arm('b', { position: [2, 0, 0] }, { initial: 0.31 })],
      constraints: [pin('front', -0.1), pin('back', 0.1)],
    }
    const { code, summary } = await run('redundant.json', spec, '--duration', '0.2')
    expect(code).toBe(0)
    expect(summary.warnings.join('\n')).toMatch(/missed its constraints by up to .* was moved onto them/)
    expect(summary.warnings.join('\n')).toMatch(
      /8 rows of 'front', 'back' follow from other constraints|rows of .*'back'.* follow from other constraints/,
    )
  })

  it('a body follows the motion a scene prescribes', async () => {
    const spec = {
      bodies: [ball('plate', 1)],
      constraints: [
        { type: 'motion', body: 'plate', direction: [1, 0, 0], amplitude: 0.5, frequency: 0.25 },
        { type: 'motion', body: 'plate', direction: [0, 1, 0], speed: 2 },
        { type: 'motion', body: 'plate', direction: [0, 0, 1] },
        { type: 'motion', body: 'plate', axis: [0, 0, 1], speed: 1 },
      ],
    }
    const { code, q } = await run('carried.json', spec, '--duration', '1')
    expect(code).toBe(0)
    ;[1.5, 2, 0, Math.cos(0.5), 0, 0, Math.sin(0.5)].forEach((x, k) => {
      expect(q[k]).toBeCloseTo(x, 8)
    })
  })
})
