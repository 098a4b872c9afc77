/**
 * Shapes that touch by a named pair alone: everything that asks whether two shapes can touch counts the pair, beside MuJoCo.
 */
import {
  buildModel,
  chooseSolver,
  contactSummary,
  createBatch,
  createSimulation,
  leftOut,
  type Model,
  parseMjcf,
  type Spec,
  solvers,
  withoutFooting,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { compileMjcf, mujoco } from '../io/mujoco.js'

const OFF = 'contype="0" conaffinity="0"'
const BALL = `<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1" ${OFF}/>
    <body name="ball" pos="0 0 .4"><freejoint/><geom name="ball" type="sphere" size=".1" mass="1" ${OFF}/></body>
    <body name="other" pos="1 0 .4"><freejoint/><geom name="other" type="sphere" size=".1" mass="1" ${OFF}/></body>
  </worldbody>
  <contact><pair geom1="floor" geom2="ball"/><pair geom1="floor" geom2="other"/></contact>
</mujoco>`

/** The same with `collide: false`, or with categories and masks of zero. */
function specOf(given: { collide: false } | { category: 0; mask: 0 }): Spec {
  const ball = (name: string, x: number): Spec['bodies'][number] => ({
    name,
    position: [x, 0, 0.4],
    joints: [{ type: 'free' }],
    geoms: [{ name, shape: 'sphere', radius: 0.1, mass: 1, ...given }],
  })
  return {
    bodies: [ball('ball', 0), ball('other', 1)],
    world: { geoms: [{ name: 'floor', shape: 'plane', ...given }] },
    pairs: [
      { a: 'floor', b: 'ball' },
      { a: 'other', b: 'floor' },
    ],
  }
}

const MODELS: readonly (readonly [string, () => Model])[] = [
  ['MJCF with contype and conaffinity 0', () => buildModel(parseMjcf(BALL))],
  ['a Spec with category and mask 0', () => buildModel(specOf({ category: 0, mask: 0 }))],
  ['a Spec with collide: false', () => buildModel(specOf({ collide: false }))],
]

/** m: a soft contact of MuJoCo's defaults sinks in by 0.4 mm */
const SINKS = 1e-3

describe.each(MODELS)('pairs of %s', (_, create) => {
  it('hold a ball up under `auto`, without a warning', () => {
    const model = create()
    const simulation = createSimulation(model)
    expect(simulation.warnings()).toEqual([])
    expect(simulation.advance(1).status).toBe('ok')
    for (const name of ['ball', 'other']) expect(Math.abs(simulation.body(name).position()[2] - 0.1)).toBeLessThan(SINKS)
    expect(simulation.contacts({ touching: true })).toHaveLength(2)
  })

  it('are in the choice of a solver, the summary and the test of the floor', () => {
    const model = create()
    expect(chooseSolver(model).name).toBe('redmax')
    expect(chooseSolver(model).why).toContain('shapes that may touch')
    const { onGround, ground, eachOther, reach } = contactSummary(model)
    expect([onGround.length, ground.length, eachOther, reach]).toEqual([2, 1, false, true])
    expect(withoutFooting(model)).toEqual([])
  })

  it('are named by solvers and batches that leave them out', async () => {
    const model = create()
    for (const name of ['ode', 'position'] as const)
      expect(leftOut(model, solvers[name])).toEqual([`contact between 3 shapes: left out by ${name}; take redmax to have it`])
    expect((await createBatch(model, { count: 2 })).leftOut.join()).toContain('contact between 3 shapes')
    expect(solvers.substructuring.refuses(model)).toContain('it has shapes that may touch')
  })

  it('hold a ball up under `adaptive`', () => {
    const simulation = createSimulation(create(), { solver: 'adaptive' })
    expect(simulation.warnings()).toEqual([])
    simulation.advance(1)
    expect(Math.abs(simulation.body('ball').position()[2] - 0.1)).toBeLessThan(2 * SINKS)
  })
})

describe('named pairs', () => {
  it('leave a ball where MuJoCo leaves it', async () => {
    const mj = await mujoco()
    const theirs = await compileMjcf(BALL)
    const data = new mj.MjData(theirs)
    const simulation = createSimulation(buildModel(parseMjcf(BALL)))
    try {
      while (data.time < 1) mj.mj_step(theirs, data)
      simulation.advance(1)
      const z = (data.qpos as Float64Array)[2]
      expect(z).toBeGreaterThan(0.09)
      expect(Math.abs(simulation.body('ball').position()[2] - z)).toBeLessThan(1e-5)
    } finally {
      data.delete()
      theirs.delete()
    }
  })

  it('touch nothing else, and a body without a pair with the ground is said to fall', () => {
    const spec = specOf({ collide: false })
    const model = buildModel({ ...spec, pairs: [{ a: 'other', b: 'floor' }] })
    expect(withoutFooting(model)).toEqual([
      "'ball' will fall: it has no shape that can touch (one with contype and conaffinity 0 does not, nor a flat mesh); give it spheres, capsules or boxes",
    ])
    const stacked = buildModel({ ...spec, pairs: [{ a: 'ball', b: 'other' }] })
    expect(withoutFooting(stacked)[0]).toMatch(/^'ball' \(and 1 more\) will fall: .*ground/)
    expect(contactSummary(stacked)).toMatchObject({ onGround: [], eachOther: true })
  })

  it('let a body that only turns meet what is in its reach, and `ode` have what is not', () => {
    const door = (x: number): Model =>
      buildModel({
        bodies: [
          {
            name: 'door',
            joints: [{ type: 'revolute', axis: [0, 0, 1] }],
            geoms: [{ name: 'door', shape: 'box', size: [2, 0.1, 0.1], position: [1, 0, 0], mass: 1, collide: false }],
          },
        ],
        world: { geoms: [{ name: 'post', shape: 'sphere', radius: 0.1, position: [x, 0.5, 0], collide: false }] },
        pairs: [{ a: 'door', b: 'post' }],
      })
    expect(chooseSolver(door(1)).name).toBe('redmax')
    expect(chooseSolver(door(5)).name).toBe('ode')
  })
})
