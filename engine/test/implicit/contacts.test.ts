/** Contacts of the last step under `implicit`, and sensors that read them. */
import type { MainModule } from '@mujoco/mujoco'
import { buildModel, type Contact, createSimulation, parseMjcf } from 'limber'
import { beforeAll, describe, expect, it } from 'vitest'
import { mujoco } from '../io/mujoco.js'
import { bodyOnPlane } from './twins.js'

let module: MainModule
beforeAll(async () => {
  module = await mujoco()
})

const BOX = 'type="box" size="0.1 0.1 0.1" mass="2"'
/** one that does not tip */
const FLAT = 'type="box" size="0.1 0.1 0.02" mass="2"'
const LYING = '0 0 0.0999 1 0 0 0'

function contactsAfter(text: string, steps: number, solver: 'implicit' | 'redmax' = 'implicit'): Contact[] {
  const model = buildModel(parseMjcf(text))
  const simulation = createSimulation(model, { solver })
  if (model.keyframes.length > 0) simulation.reset(model.keyframes[0])
  expect(simulation.step(steps).status).toBe('ok')
  return simulation.contacts()
}

/** of a force, where two solvers stand at rest */
const SHARE = 0.01
const sum = (list: readonly Contact[], r: number): number => list.reduce((total, { force }) => total + force[r], 0)

describe('contacts of a box on a plane', () => {
  it('have no force before the first step, and are none in the air', () => {
    const model = buildModel(parseMjcf(bodyOnPlane({ geom: BOX, q: '0 0 1 1 0 0 0' })))
    const simulation = createSimulation(model, { solver: 'implicit' })
    expect(simulation.contacts({ touching: true })).toEqual([])
    simulation.reset(model.keyframes[0])
    simulation.step()
    expect(simulation.contacts()).toEqual([])
  })

  it('are at its corners, named, and carry its weight', () => {
    const list = contactsAfter(bodyOnPlane({ geom: BOX, q: LYING }), 500)
    expect(list).toHaveLength(4)
    for (const { bodyA, bodyB, shapeA, shapeB, point, normal, gap } of list) {
      expect([bodyA, bodyB, shapeA, shapeB]).toEqual([0, 1, 'floor', 'geom'])
      expect(point.slice(0, 2).map(Math.abs)).toEqual([expect.closeTo(0.1, 6), expect.closeTo(0.1, 6)])
      expect(normal).toEqual([0, 0, 1])
      expect(gap).toBeLessThan(0)
      // half-way between the surfaces
      expect(point[2]).toBeCloseTo(gap / 2, 9)
    }
    expect(sum(list, 2)).toBeCloseTo(2 * 9.81, 6)
  })

  it.each(['', 'euler="0.2 0 0"'])('are those of redmax, on a plane with %s', (plane) => {
    const text = bodyOnPlane({ geom: BOX, plane, q: plane === '' ? LYING : '0 0 0.103 0.995004 0.099833 0 0' })
    const [ours, theirs] = (['implicit', 'redmax'] as const).map((solver) => contactsAfter(text, 200, solver))
    expect(ours).toHaveLength(theirs.length)
    for (const r of [0, 1, 2]) expect(Math.abs(sum(ours, r) - sum(theirs, r))).toBeLessThan(SHARE * 2 * 9.81)
    for (const contact of ours) {
      const near = theirs.find(({ point }) => Math.hypot(...point.map((x, r) => x - contact.point[r])) < 1e-3)
      expect(near).toBeDefined()
      expect([contact.shapeA, contact.shapeB]).toEqual([near?.shapeA, near?.shapeB])
      for (const r of [0, 1, 2]) expect(contact.normal[r]).toBeCloseTo(near?.normal[r] ?? 0, 4)
    }
  })

  it('have the forces of MuJoCo where a flat one begins to slide', () => {
    const text = bodyOnPlane({ option: 'cone="elliptic"', geom: FLAT, q: '0 0 0.0195 1 0 0 0', v: '1 0.3 0 0 0 0' })
    const model = module.MjModel.from_xml_string(text)
    const data = new module.MjData(model)
    module.mj_resetDataKeyframe(model, data, 0)
    module.mj_step(model, data)
    const forces = data.efc_force as Float64Array
    const normals = Array.from({ length: forces.length / 3 }, (_, k) => forces[3 * k]).sort((a, b) => a - b)
    data.delete()
    model.delete()
    const list = contactsAfter(text, 1)
    expect(normals.length).toBeGreaterThan(1)
    expect(list).toHaveLength(normals.length)
    const ours = list.map(({ force }) => force[2]).sort((a, b) => a - b)
    for (const [k, x] of normals.entries()) expect(Math.abs(ours[k] - x)).toBeLessThan(1e-3 * 2 * 9.81)
    // friction against the motion
    expect(sum(list, 0)).toBeLessThan(-0.9 * sum(list, 2))
  })

  it('that have no force are left out with touching: true', () => {
    const geom = `${BOX} margin="0.01" solref="0.02 1"`
    const model = buildModel(parseMjcf(bodyOnPlane({ geom, q: '0 0 0.1095 1 0 0 0', v: '0 0 3 0 0 0' })))
    const simulation = createSimulation(model, { solver: 'implicit' })
    simulation.reset(model.keyframes[0])
    simulation.step()
    expect(simulation.contacts()).toHaveLength(4)
    expect(simulation.contacts({ touching: true })).toHaveLength(0)
  })
})

describe('contacts with other surfaces and bodies', () => {
  it('with a height field are named after it', () => {
    const field = '<asset><hfield name="hills" nrow="2" ncol="2" size="1 1 1 0.1" elevation="0 0 1 1"/></asset>'
    const text = bodyOnPlane({
      geom: 'type="sphere" size="0.1" mass="1" condim="6" friction="1 1 1"',
      world: '<geom name="hill" type="hfield" hfield="hills"/>',
      more: field,
      q: '0 0 0.63 1 0 0 0',
    })
    const list = contactsAfter(text, 50)
    expect(list.map(({ shapeA, shapeB }) => [shapeA, shapeB])).toEqual([['hill', 'geom']])
    const [x, y, z] = list[0].normal
    // the first row of a file is the one with the largest y
    expect([x, y, z]).toEqual([expect.closeTo(0, 9), expect.closeTo(Math.sqrt(0.2), 6), expect.closeTo(2 * Math.sqrt(0.2), 6)])
  })

  it('of a ball on a capsule push both apart', () => {
    const text = `<mujoco><compiler angle="radian"/><worldbody><geom name="floor" type="plane" size="0 0 1"/>
      <body><freejoint/><geom name="log" type="capsule" size="0.1 0.3" euler="0 1.5707963 0" mass="5"/></body>
      <body><joint type="slide" axis="0 0 1"/><geom name="ball" type="sphere" size="0.1" mass="1"/></body></worldbody>
      <keyframe><key qpos="0 0 0.0998 1 0 0 0 0.2996"/></keyframe></mujoco>`
    for (const solver of ['implicit', 'redmax'] as const) {
      const list = contactsAfter(text, 100, solver)
      const [top] = list.filter(({ shapeA, shapeB }) => shapeA !== 'floor' && shapeB !== 'floor')
      expect([top.shapeA, top.shapeB]).toEqual(['ball', 'log'])
      // from the ball down to the log, on the log
      expect(top.normal[2]).toBeCloseTo(-1, 3)
      expect(Math.abs(top.force[2] + 9.81)).toBeLessThan(0.1)
    }
  })
})

describe('a touch sensor', () => {
  it('shows the weight that a foot carries, as in MuJoCo', () => {
    const text = bodyOnPlane({ geom: BOX, q: LYING }).replace(
      '<geom name="geom"',
      '<site name="sole" type="box" size="0.12 0.12 0.02" pos="0 0 -0.1"/><geom name="geom"',
    )
    const sensing = text.replace('<keyframe>', '<sensor><touch name="foot" site="sole"/></sensor><keyframe>')
    const mj = module.MjModel.from_xml_string(sensing)
    const data = new module.MjData(mj)
    module.mj_resetDataKeyframe(mj, data, 0)
    for (let k = 0; k < 500; k++) module.mj_step(mj, data)
    const theirs = (data.sensordata as Float64Array)[0]
    data.delete()
    mj.delete()
    const model = buildModel(parseMjcf(sensing))
    const simulation = createSimulation(model, { solver: 'implicit' })
    simulation.reset(model.keyframes[0])
    simulation.step(500)
    expect(simulation.sensor('foot')[0]).toBeCloseTo(theirs, 4)
    expect(theirs).toBeCloseTo(2 * 9.81, 4)
  })
})
