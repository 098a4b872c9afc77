/** Rangefinders and rays against meshes and height fields, beside MuJoCo. */
import { buildModel, castRay, createSimulation, parseMjcf } from 'limber'
import { describe, expect, it } from 'vitest'
import { compileMjcf, mujoco } from '../io/mujoco.js'
import { createRandom } from '../random.js'

/** an L along y, whose hull fills the notch */
const OUTLINE = [
  [0, 0],
  [1, 0],
  [1, 0.4],
  [0.4, 0.4],
  [0.4, 1],
  [0, 1],
] as const
const vertices = [-0.3, 0.3].flatMap((y) => OUTLINE.map(([x, z]) => [x, y, z]))
const quads = [
  ...OUTLINE.map((_, k) => [k, (k + 1) % 6, 6 + ((k + 1) % 6), 6 + k]),
  [0, 3, 2, 1],
  [0, 5, 4, 3],
  [6, 7, 8, 9],
  [6, 9, 10, 11],
]
const faces = quads.flatMap(([a, b, c, d]) => [
  [a, b, c],
  [a, c, d],
])
const ROWS = 5
const COLUMNS = 7
const elevation = Array.from({ length: ROWS * COLUMNS }, (_, k) => ((k * 7) % 11) / 10)

/** The sensor is on a body that moves; the shapes touch nothing, and are seen all the same. */
const worldOf = (given: string): string => `<mujoco>
  <asset>
    <mesh name="ell" vertex="${vertices.flat().join(' ')}" face="${faces.flat().join(' ')}"/>
    <hfield name="hills" nrow="${ROWS}" ncol="${COLUMNS}" size="3 2 .5 .1" elevation="${elevation.join(' ')}"/>
  </asset>
  <worldbody>
    <geom name="hills" type="hfield" hfield="hills" pos="0 0 -1" ${given}/>
    <body pos="-.5 .2 .3" euler="10 20 30"><geom name="ell" type="mesh" mesh="ell" ${given}/></body>
    <body name="probe" pos="0 0 2"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="ball"/>
      <geom size=".1" mass="1"/><site name="eye" pos=".05 0 0"/></body>
  </worldbody>
  <sensor><rangefinder name="range" site="eye"/></sensor>
</mujoco>`
/** MuJoCo keeps vertices and elevations in single precision */
const SINGLE = 1e-5
/** number of the body that the sensor is on */
const PROBE = 2

describe.each(['', 'contype="0" conaffinity="0"'])('rays against a mesh and a height field (%s)', (given) => {
  it('end where those of MuJoCo do, for rangefinders and castRay', async () => {
    const mj = await mujoco()
    const text = worldOf(given)
    const theirs = await compileMjcf(text)
    const data = new mj.MjData(theirs)
    const model = buildModel(parseMjcf(text))
    const simulation = createSimulation(model)
    const random = createRandom(1)
    const geom = new mj.IntBuffer(1)
    const seen = new Map<string, number>()
    try {
      for (let n = 0; n < 600; n++) {
        // looks down, from above the field
        const axis = [random.spread(1), random.spread(1), -0.2 - random.unit()]
        const length = Math.hypot(...axis)
        const [x, y, z] = axis.map((a) => a / length)
        // the turn that brings z there
        const w = Math.sqrt((1 + z) / 2)
        const turn = w > 1e-3 ? [w, -y / (2 * w), x / (2 * w), 0] : [0, 1, 0, 0]
        const q = [random.spread(1.5), random.spread(1), ...turn]
        ;(data.qpos as Float64Array).set(q)
        mj.mj_forward(theirs, data)
        simulation.state.q.set(q)
        const wanted = (data.sensordata as Float64Array)[0]
        expect(Math.abs(simulation.sensor('range')[0] - wanted), `case ${n}`).toBeLessThan(SINGLE)
        const eye = simulation.site('eye')
        const origin = Array.from(eye.position())
        const distance = mj.mj_ray(theirs, data, origin, [x, y, z], [1, 1, 1, 1, 1, 1], true, PROBE, geom, null)
        const hit = castRay(model, simulation, origin, [x, y, z], { exclude: ['probe'] })
        expect(Math.abs((hit?.distance ?? -1) - distance), `ray ${n}`).toBeLessThan(SINGLE)
        if (hit) seen.set(hit.shape, (seen.get(hit.shape) ?? 0) + 1)
      }
    } finally {
      geom.delete()
      data.delete()
      theirs.delete()
    }
    for (const name of ['hills', 'ell']) expect(seen.get(name) ?? 0, name).toBeGreaterThan(30)
  })
})

describe('rangefinders', () => {
  it('look into the notch of a mesh, which its hull would fill', () => {
    const model = buildModel({
      bodies: [{ name: 'ell', geoms: [{ shape: 'mesh', mesh: 'ell', collide: false }] }],
      meshes: [{ name: 'ell', vertices: vertices.flat(), faces: faces.flat() }],
      sensors: [{ name: 'range', type: 'rangefinder', at: { body: 'world', position: [0.7, 0, 2], quaternion: [0, 1, 0, 0] } }],
    })
    expect(createSimulation(model).sensor('range')[0]).toBeCloseTo(2 - 0.4, 12)
  })
})
