/**
 * Bodies that a joint connects never touch, also where the parent is fixed to the world; in MJCF that is as in MuJoCo.
 */
import {
  buildModel,
  createSimulation,
  mergeSpecs,
  parseMjcf,
  parseScene,
  parseUrdf,
  type Simulation,
  type Spec,
  writeMjcf,
  writeScene,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { compileMjcf, mujoco } from '../io/mujoco.js'

/** A cylinder as base, a flange fixed to it, and an arm whose shoulder is drawn inside of both. */
const ARM: Spec = {
  gravity: [0, 0, 0],
  bodies: [
    { name: 'base', geoms: [{ shape: 'cylinder', radius: 0.1, length: 0.4, mass: 1 }] },
    { name: 'flange', parent: 'base', geoms: [{ shape: 'box', size: [0.3, 0.3, 0.1], position: [0, 0, 0.2], mass: 1 }] },
    {
      name: 'arm',
      parent: 'flange',
      position: [0, 0, 0.15],
      joints: [{ name: 'shoulder', type: 'revolute', axis: [0, 1, 0] }],
      geoms: [{ shape: 'capsule', radius: 0.06, length: 0.3, position: [0, 0, 0.15], mass: 1 }],
    },
    { name: 'tool', parent: 'arm', position: [0, 0, 0.4], geoms: [{ shape: 'box', size: [0.1, 0.1, 0.1], mass: 0.1 }] },
  ],
}

const URDF = `<robot name="arm">
  <link name="base"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <collision><geometry><box size=".2 .2 .4"/></geometry></collision></link>
  <link name="arm"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <collision><origin xyz="0 0 .25"/><geometry><box size=".05 .05 .4"/></geometry></collision></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="arm"/><origin xyz="0 0 .2"/><axis xyz="0 1 0"/></joint>
</robot>`

const MJCF = `<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    <body name="base"><geom type="cylinder" size=".1 .2"/>
      <body name="arm" pos="0 0 .15"><joint name="shoulder" axis="0 1 0"/><geom type="capsule" size=".06 .15" pos="0 0 .15"/></body>
    </body>
  </worldbody>
</mujoco>`

/** rad: steps are solved to a tolerance, which depends on whether there are shapes */
const TOLERANCE = 1e-6

/** rad after a second of 1 N m; what is free turns by many. */
function turned(simulation: Simulation): number {
  simulation.state.tau[0] = 1
  simulation.advance(1)
  return simulation.joint('shoulder').position
}

describe('neighbours across a joint on a fixed base', () => {
  it('never touch in a Spec, nor does what is fixed to either of them', () => {
    const model = buildModel(ARM)
    const simulation = createSimulation(model, { solver: 'redmax' })
    const free = turned(simulation)
    expect(simulation.contacts()).toEqual([])
    expect(simulation.warnings()).toEqual([])
    const alone = buildModel({
      ...ARM,
      bodies: ARM.bodies.map((body) => ({ ...body, geoms: body.geoms?.map((g) => ({ ...g, collide: false })) ?? [] })),
    })
    expect(Math.abs(free - turned(createSimulation(alone, { solver: 'redmax' })))).toBeLessThan(TOLERANCE)
    expect(free).toBeGreaterThan(2)
  })

  it('never touch in URDF, where they do not overlap at the start', () => {
    const model = buildModel({ ...parseUrdf(URDF), gravity: [0, 0, 0] })
    const simulation = createSimulation(model, { solver: 'redmax' })
    simulation.reset({ q: Float64Array.of(3) })
    simulation.step(10)
    expect(simulation.contacts()).toEqual([])
    expect(simulation.state.q[0]).toBe(3)
  })

  it('touch the floor, another base and what hangs on it; a free body touches what it was placed on', () => {
    const touches = (extra: Spec['bodies'], world?: Spec['world']): string[] => {
      const model = buildModel({ ...ARM, bodies: [...ARM.bodies, ...extra], ...(world ? { world } : {}) })
      const simulation = createSimulation(model, { solver: 'redmax' })
      simulation.step()
      return simulation.contacts().map(({ shapeA, shapeB }) => [shapeA, shapeB].sort().join(' – '))
    }
    const box = { shape: 'box', size: [0.2, 0.2, 0.2], mass: 1 } as const
    const inArm = [0, 0, 0.3] as const
    expect(touches([{ name: 'table', position: inArm, geoms: [{ ...box, name: 'table' }] }]).join()).toContain('table')
    expect(touches([], { geoms: [{ ...box, name: 'wall', position: inArm }] }).join()).toContain('wall')
    const second = [
      { name: 'second', position: [0, 0, 0.3], geoms: [{ ...box, name: 'second', collide: false }] },
      { name: 'other', parent: 'second', joints: [{ type: 'revolute', axis: [1, 0, 0] }], geoms: [{ ...box, name: 'other' }] },
    ] as const
    expect(touches(second).join()).toContain('other')
    const cup = {
      name: 'cup',
      parent: 'flange',
      position: [0.1, 0, 0.3],
      joints: [{ type: 'free' }],
      geoms: [{ ...box, name: 'cup' }],
    } as const
    expect(touches([cup]).some((pair) => pair.includes('cup') && pair.includes('flange'))).toBe(true)
  })

  it('touch where a named pair says so', () => {
    const named = ARM.bodies.map((body) => ({ ...body, geoms: (body.geoms ?? []).map((geom) => ({ ...geom, name: body.name })) }))
    const simulation = createSimulation(buildModel({ ...ARM, bodies: named, pairs: [{ a: 'base', b: 'arm' }] }), { solver: 'redmax' })
    simulation.step()
    expect(simulation.contacts().length).toBeGreaterThan(0)
  })

  it('touch in MJCF, as in MuJoCo', async () => {
    const mj = await mujoco()
    const theirs = await compileMjcf(MJCF)
    const data = new mj.MjData(theirs)
    try {
      mj.mj_forward(theirs, data)
      expect(data.ncon).toBeGreaterThan(0)
    } finally {
      data.delete()
      theirs.delete()
    }
    const spec = parseMjcf(MJCF)
    expect(spec.touchFixedParents).toBe(true)
    const simulation = createSimulation(buildModel(spec), { solver: 'redmax' })
    simulation.step()
    expect(simulation.contacts().length).toBeGreaterThan(0)
    // and in the files that come of it
    expect(parseMjcf(writeMjcf(spec).text).touchFixedParents).toBe(true)
    expect(parseScene(writeScene(spec)).touchFixedParents).toBe(true)
  })

  it('keep the rule of their own file where two specs are merged', () => {
    for (const [first, second] of [
      [ARM, parseMjcf(MJCF)],
      [parseMjcf(MJCF), ARM],
    ]) {
      const merged = mergeSpecs(first, second, { at: { position: [2, 0, 0] }, prefix: 'b/' })
      const simulation = createSimulation(buildModel(merged), { solver: 'redmax' })
      const bodies = simulation.contacts().flatMap(({ bodyA, bodyB }) => [bodyA, bodyB].map((i) => simulation.model.bodies[i].name))
      // the pedestal of MJCF touches its arm, that of the Spec does not
      expect([...new Set(bodies)].sort()).toEqual(first === ARM ? ['b/arm', 'b/base'] : ['arm', 'base'])
    }
  })

  it('are excluded in MJCF that is written from a Spec', async () => {
    const { text } = writeMjcf({ ...ARM, exclude: [['base', 'arm']] })
    expect([...text.matchAll(/<exclude body1="(\w+)" body2="(\w+)"/g)].map(([, a, b]) => `${a} ${b}`)).toEqual([
      'base arm',
      'flange arm',
      'base tool',
      'flange tool',
    ])
    const theirs = await compileMjcf(text)
    const mj = await mujoco()
    const data = new mj.MjData(theirs)
    try {
      mj.mj_forward(theirs, data)
      expect(data.ncon).toBe(0)
    } finally {
      data.delete()
      theirs.delete()
    }
  })
})
