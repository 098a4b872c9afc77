/** Rays against every shape, beside MuJoCo's `mj_ray`. */
import { buildModel, castRay, createData, createSimulation, createState, forwardKinematics, parseMjcf } from 'limber'
import { describe, expect, it } from 'vitest'
import { compileMjcf, mujoco } from '../io/mujoco.js'
import { createRandom } from '../random.js'

const TETRA = '<mesh name="wedge" vertex="0 0 0  .5 0 0  0 .6 0  0 0 .7  .3 .3 .5"/>'
const WORLD = `<mujoco>
  <asset>${TETRA}</asset>
  <worldbody>
    <geom name="plane" type="plane" pos="0 0 -1.5" euler="5 3 0" size="3 2 .1"/>
    <body pos="1 .2 .3" euler="10 20 30"><geom name="sphere" type="sphere" size=".3" pos=".1 0 0"/></body>
    <body pos="-1 .2 .3" euler="40 20 30"><geom name="capsule" type="capsule" size=".2 .4"/></body>
    <body pos="0 1.2 .3" euler="70 20 30"><geom name="cylinder" type="cylinder" size=".25 .3"/></body>
    <body pos="0 -1.2 .3" euler="10 50 30"><geom name="ellipsoid" type="ellipsoid" size=".2 .3 .45"/></body>
    <body pos="0 0 1.3" euler="10 20 60"><geom name="box" type="box" size=".2 .3 .4"/></body>
    <body pos="1 1.2 .8" euler="10 20 60"><joint name="turn" axis="1 2 3"/><geom name="mesh" type="mesh" mesh="wedge"/></body>
  </worldbody>
</mujoco>`
/** cancellation in the roots of quadratics */
const SAME = 1e-10

describe('castRay', () => {
  it('finds what mj_ray finds: shape, distance and normal, from outside and inside', async () => {
    const mj = await mujoco()
    const theirs = await compileMjcf(WORLD)
    const data = new mj.MjData(theirs)
    ;(data.qpos as Float64Array)[0] = 0.4
    mj.mj_forward(theirs, data)
    const model = buildModel(parseMjcf(WORLD))
    const ours = createData(model)
    const state = createState(model)
    state.q[0] = 0.4
    forwardKinematics(model, ours, state.q, state.v)
    const random = createRandom(1)
    const [geom, normal] = [new mj.IntBuffer(1), new mj.DoubleBuffer(3)]
    const hits = new Map<string, number>()
    try {
      for (let n = 0; n < 3000; n++) {
        const origin = random.vec3(2.5)
        const direction = random.axis()
        const distance = mj.mj_ray(theirs, data, [...origin], [...direction], [1, 1, 1, 1, 1, 1], true, -1, geom, normal)
        const hit = castRay(model, ours, origin, direction)
        // meshes are in single precision there
        expect(hit?.distance ?? -1, `ray ${n} along ${direction}`).toBeCloseTo(distance, hit?.shape === 'mesh' ? 5 : 9)
        if (!hit) continue
        const name = mj.mj_id2name(theirs, mj.mjtObj.mjOBJ_GEOM.value, (geom.GetView() as Int32Array)[0])
        expect(hit.shape, `ray ${n}`).toBe(name)
        hits.set(hit.shape, (hits.get(hit.shape) ?? 0) + 1)
        const wanted = normal.GetView() as Float64Array
        // meshes: ours looks towards the ray
        const cosine = hit.normal[0] * wanted[0] + hit.normal[1] * wanted[1] + hit.normal[2] * wanted[2]
        expect(Math.abs(cosine), `normal of ${hit.shape}`).toBeCloseTo(1, 8)
        for (let r = 0; r < 3; r++) expect(Math.abs(hit.point[r] - origin[r] - hit.distance * direction[r])).toBeLessThan(SAME)
      }
    } finally {
      geom.delete()
      normal.delete()
      data.delete()
      theirs.delete()
    }
    // every shape was hit often
    for (const name of ['plane', 'sphere', 'capsule', 'cylinder', 'ellipsoid', 'box', 'mesh'])
      expect(hits.get(name) ?? 0, name).toBeGreaterThan(10)
  })

  it('meets a height field where its heights are', () => {
    const heights = Array.from({ length: 35 }, (_, k) => ((k * 7) % 11) / 10)
    const model = buildModel({
      bodies: [],
      world: { geoms: [{ name: 'hills', shape: 'heightfield', size: [3, 2], rows: 5, columns: 7, heights }] },
    })
    const state = createState(model)
    for (let j = 0; j < 5; j++)
      for (let i = 0; i < 7; i++) {
        const [x, y] = [-1.5 + 0.5 * i, -1 + 0.5 * j]
        const inside = [x * (1 - 1e-9), y * (1 - 1e-9)]
        expect(castRay(model, state, [...inside, 5], [0, 0, -2])?.point[2]).toBeCloseTo(heights[7 * j + i], 6)
      }
    // against each triangle by itself: a slanted ray is where it says, and nothing lies before it
    const random = createRandom(2)
    const surface = (x: number, y: number): number => castRay(model, state, [x, y, 9], [0, 0, -1])?.point[2] ?? Number.NaN
    let met = 0
    for (let n = 0; n < 200; n++) {
      const origin = [random.spread(1.4), random.spread(0.9), 1.2]
      const hit = castRay(model, state, origin, [random.spread(1), random.spread(1), -0.3])
      if (!hit) continue
      met++
      expect(hit.shape).toBe('hills')
      expect(hit.normal[2]).toBeGreaterThan(0)
      expect(surface(hit.point[0], hit.point[1])).toBeCloseTo(hit.point[2], 9)
      for (let s = 0.02; s < 0.98; s += 0.02) {
        const [x, y, z] = origin.map((from, r) => from + s * (hit.point[r] - from))
        expect(surface(x, y)).toBeLessThan(z + 1e-9)
      }
    }
    expect(met).toBeGreaterThan(50)
  })

  it('takes simulations, a largest distance, and bodies to pass through', () => {
    const model = buildModel({
      bodies: [{ name: 'ball', position: [0, 0, 2], joints: [{ type: 'free' }], geoms: [{ shape: 'sphere', radius: 0.5, mass: 1 }] }],
      world: { geoms: [{ name: 'floor', shape: 'plane' }] },
    })
    const simulation = createSimulation(model)
    const down = (options = {}) => castRay(model, simulation, [0, 0, 5], [0, 0, -3], options)
    expect(down()).toMatchObject({ distance: 2.5, body: 'ball', shape: "sphere 1 of body 'ball'", normal: [0, 0, 1] })
    expect(down({ exclude: ['ball'] })).toMatchObject({ distance: 5, body: 'world', shape: 'floor' })
    expect(down({ max: 2 })).toBeUndefined()
    simulation.body('ball').setPose([1, 0, 2])
    expect(down()?.shape).toBe('floor')
    expect(() => castRay(model, simulation, [0, 0, 5], [0, 0, 0])).toThrow('a direction that is not zero')
    expect(() => down({ exclude: ['bal'] })).toThrow("exclude: expected names of bodies, got 'bal'")
  })
})
