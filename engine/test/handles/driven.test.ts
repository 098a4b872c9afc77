/** Driven bodies go where they are told, push and carry what they touch, and are moved by nothing. */
import { buildModel, createSimulation, parseMjcf, parseScene, type SolverName, type Spec, writeMjcf, writeScene } from 'limber'
import { describe, expect, it } from 'vitest'

const SCENE = `<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="tray" mocap="true" pos="0 0 .5"><geom name="tray" type="box" size=".5 .5 .05"/></body>
    <body name="cup" pos="0 0 .61"><freejoint/><geom name="cup" type="box" size=".05 .05 .05" mass=".3"/></body>
  </worldbody>
  <keyframe><key name="high" qpos="1 2 3 1 0 0 0" mpos="0 0 2" mquat="2 0 0 0"/></keyframe>
</mujoco>`

describe('driven bodies', () => {
  const model = buildModel(parseMjcf(SCENE, { mocap: 'driven' }))

  it('come from mocap of MJCF with coordinates after all others, and stay fixed where asked for', () => {
    expect([model.nq, model.nv]).toEqual([14, 12])
    expect(model.joints.map(({ name }) => name).at(-1)).toBe('tray.pose')
    expect([...model.keyframes[0].q]).toEqual([1, 2, 3, 1, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0])
    expect(buildModel(parseMjcf(SCENE)).nq).toBe(7)
  })

  it('are written to MJCF and scenes and read again', () => {
    const spec = parseMjcf(SCENE, { mocap: 'driven' })
    for (const again of [parseMjcf(writeMjcf(spec).text, { mocap: 'driven' }), parseScene(writeScene(spec))]) {
      expect(again.bodies.find(({ name }) => name === 'tray')?.driven).toBe(true)
      expect([...buildModel(again).keyframes[0].q]).toEqual([...model.keyframes[0].q])
    }
  })

  it('reach a pose in the time given, and carry what stands on them', () => {
    const simulation = createSimulation(model, { solver: 'redmax', timestep: 0.005 })
    const [tray, cup] = [simulation.body('tray'), simulation.body('cup')]
    simulation.advance(0.2)
    expect(tray.position()[2]).toBeCloseTo(0.5, 9)
    tray.moveTo([0.3, 0, 0.7], undefined, 1)
    simulation.advance(0.5)
    for (const [r, x] of [0.15, 0, 0.6].entries()) expect(tray.position()[r]).toBeCloseTo(x, 6)
    expect(tray.velocity()[3]).toBeCloseTo(0.3, 6)
    simulation.advance(0.7)
    for (const [r, x] of [0.3, 0, 0.7].entries()) expect(tray.position()[r]).toBeCloseTo(x, 9)
    // friction took the cup along, and it stands
    expect(cup.position()[0]).toBeCloseTo(0.3, 1)
    expect(cup.position()[2]).toBeCloseTo(0.8, 2)
    const contacts = simulation.contacts({ touching: true })
    expect(new Set(contacts.flatMap(({ shapeA, shapeB }) => [shapeA, shapeB]))).toEqual(new Set(['tray', 'cup']))
  })

  it('in one step, and a snapshot on the way goes on to the same bits', () => {
    const simulation = createSimulation(model, { solver: 'redmax', timestep: 0.005 })
    const tray = simulation.body('tray')
    tray.moveTo([0, 0, 0.501], [0.999, 0.01, 0, 0])
    simulation.step()
    expect(tray.position()[2]).toBeCloseTo(0.501, 9)
    expect(tray.quaternion()[1]).toBeCloseTo(0.01 / Math.hypot(0.999, 0.01), 6)
    tray.moveTo([0, 0, 0.6], [1, 0, 0, 0], 0.1)
    simulation.step(3)
    const bytes = simulation.snapshot()
    simulation.step(20)
    const fresh = createSimulation(model, { solver: 'redmax', timestep: 0.005 })
    fresh.restore(bytes)
    fresh.step(20)
    expect([...fresh.state.q]).toEqual([...simulation.state.q])
    expect(fresh.body('tray').position()[2]).toBeCloseTo(0.6, 9)
    fresh.body('tray').setPose([0, 0, 1])
    fresh.step()
    expect(fresh.body('tray').position()[2]).toBeCloseTo(1, 9)
  })

  it.each(['ode', 'redmax', 'position'] satisfies SolverName[])('follow their way under %s, and add nothing to the energy', (solver) => {
    const spec: Spec = {
      gravity: [0, 0, -9.81],
      bodies: [{ name: 'hand', driven: true, inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] } }],
    }
    const simulation = createSimulation(buildModel(spec), { solver, timestep: 0.01 })
    const hand = simulation.body('hand')
    hand.moveTo([1, 2, 3], [Math.SQRT1_2, Math.SQRT1_2, 0, 0], 0.5)
    simulation.advance(0.6)
    for (let r = 0; r < 3; r++) expect(hand.position()[r]).toBeCloseTo(1 + r, 6)
    expect(hand.quaternion()[1]).toBeCloseTo(Math.SQRT1_2, 6)
  })

  it('are refused where they cannot be', () => {
    const bodies = [{ name: 'a', driven: true, joints: [{ type: 'free' as const }] }]
    expect(() => buildModel({ bodies })).toThrow('expected no joints on a driven body')
    const below = [{ name: 'a' }, { name: 'b', parent: 'a', driven: true }]
    expect(() => buildModel({ bodies: below })).toThrow("expected a driven body in the world, got parent 'a'")
  })
})
