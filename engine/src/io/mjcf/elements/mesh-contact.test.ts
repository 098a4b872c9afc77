/** Mesh geoms of MJCF touch with their convex hulls, unless contype and conaffinity say that they are there to look at. */
import { buildModel, createSimulation } from 'limber'
import { describe, expect, it } from 'vitest'
import { mujoco } from '../../../../test/io/mujoco.js'
import { createContacts } from '../../../contact/contacts.js'
import { findContacts } from '../../../contact/find-contacts.js'
import { parseMjcf } from '../parse-mjcf.js'

/** an arch, 0.4 wide and 0.2 high, which is not convex: seen from the side the hull fills the gate */
const outline = [
  [-0.2, 0],
  [-0.1, 0],
  [-0.1, 0.1],
  [0.1, 0.1],
  [0.1, 0],
  [0.2, 0],
  [0.2, 0.2],
  [-0.2, 0.2],
] as const
const arch = [
  ...[-0.1, 0.1].flatMap((y) => outline.map(([x, z]) => `v ${x} ${y} ${z}`)),
  ...outline.map((_, k) => `f ${k + 1} ${((k + 1) % 8) + 1} ${((k + 1) % 8) + 9} ${k + 9}`),
  'f 1 8 7 6 5 4 3 2',
  'f 9 10 11 12 13 14 15 16',
].join('\n')
const scene = (
  rest = '',
  under = '<geom name="floor" type="plane" size="1 1 1"/>',
) => `<mujoco><asset><mesh name="arch" file="arch.obj"/></asset><worldbody>${under}
  <body name="a" pos="0 0 .005"><freejoint/><geom name="arch" type="mesh" mesh="arch" ${rest}/></body></worldbody></mujoco>`
const resolve = (): string => arch

describe('a mesh', () => {
  it('stands on the floor where MuJoCo has it', () => {
    const model = buildModel(parseMjcf(scene(), { resolve }))
    const simulation = createSimulation(model, { timestep: 0.002 })
    for (let k = 0; k < 1000; k++) expect(simulation.step().message).toBe('')
    expect(simulation.state.q[2]).toBeCloseTo(0, 2)
    expect(Math.abs(simulation.state.q[3])).toBeGreaterThan(0.99999)
  })

  it('touches with its hull: a ball in the gate is inside', async () => {
    const text = scene('', '<geom name="ball" size=".04" pos="0 0 .04"/>')
    const { shapes } = buildModel(parseMjcf(text, { resolve }))
    const c = createContacts(shapes)
    findContacts(c, shapes, Float64Array.from([0, 0.005].flatMap((z) => [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, z])), 0)
    const module = await mujoco()
    const vfs = new module.MjVFS()
    vfs.addBuffer('arch.obj', new TextEncoder().encode(arch))
    const m = module.MjModel.from_xml_string(text, vfs)
    const d = new module.MjData(m)
    module.mj_forward(m, d)
    expect([c.count, d.ncon]).toEqual([1, 1])
    expect(c.gap[0]).toBeCloseTo(d.contact.get(0)?.dist ?? Number.NaN, 6)
    expect(c.gap[0]).toBeCloseTo(-0.075, 9)
    for (const each of [vfs, m, d]) each.delete()
  })

  it('that is there to look at touches nothing', () => {
    const model = buildModel(parseMjcf(scene('contype="0" conaffinity="0"'), { resolve }))
    expect(model.shapes.count).toBe(1)
    expect(model.geoms.count).toBe(2)
  })

  it('in the form of a box touches what the box touches', () => {
    // numbers that survive single precision, in which MuJoCo keeps meshes
    const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => `${0.25 * x + 1} ${0.5 * y} ${0.125 * z}`)))
    const others = [
      'size=".2"',
      'type="capsule" size=".1 .2"',
      'type="ellipsoid" size=".1 .2 .3"',
      'type="cylinder" size=".2 .1"',
      'type="box" size=".1 .2 .3"',
    ]
    for (const other of [...others, 'type="mesh" mesh="m" pos="-1 0 0"']) {
      const lists = ['type="mesh" mesh="m" pos="-1 0 0"', 'type="box" size=".25 .5 .125"'].map((geom) => {
        const { shapes } = buildModel(
          parseMjcf(`<mujoco><asset><mesh name="m" vertex="${corners.join(' ')}" inertia="convex"/></asset><worldbody>
            <body><freejoint/><geom ${geom}/></body><body><freejoint/><geom ${other}/></body></worldbody></mujoco>`),
        )
        const c = createContacts(shapes)
        return Array.from({ length: 50 }, (_, k) => {
          const [s, t] = [Math.sin(0.1 * k), Math.cos(0.1 * k)]
          findContacts(
            c,
            shapes,
            Float64Array.of(
              1,
              0,
              0,
              0,
              1,
              0,
              0,
              0,
              1,
              0,
              0,
              0,
              t,
              0,
              s,
              0,
              1,
              0,
              -s,
              0,
              t,
              0,
              0,
              0,
              1,
              0,
              0,
              0,
              t,
              -s,
              0,
              s,
              t,
              0.05,
              0.02,
              0.15 + 0.005 * k,
            ),
            1,
          )
          return Math.min(...c.gap.subarray(0, c.count))
        })
      })
      lists[0].forEach((gap, k) => expect(gap).toBeCloseTo(lists[1][k], 9))
    }
  })
})
