/** Rays and Jacobians of all environments: distances of MuJoCo, points that lie on the ground, Jacobians of a simulation. */
import type { MainModule } from '@mujoco/mujoco'
import { buildModel, createBatch, createSimulation, type Observation, parseMjcf } from 'limber'
import { beforeAll, describe, expect, it } from 'vitest'
import { mujoco } from '../io/mujoco.js'
import { createRandom, modelOf, scattered, situations } from './robots.js'

let module: MainModule
beforeAll(async () => {
  module = await mujoco()
})

const RAYS = 24
const ENVIRONMENTS = 7
/** from −1 to 1, not zero */
const directions = (seed: number): [number, number, number][] => {
  const random = createRandom(seed)
  return Array.from({ length: RAYS }, () => [random(), random(), random()])
}

/** A sphere that floats, at a place of its own in each environment. */
const drone = (world: string, assets = ''): string => `<mujoco>${assets}<worldbody>${world}
  <body name="drone"><freejoint/><site name="nose" pos="0.1 0 0.05" euler="20 30 40"/><geom name="drone" size="0.02" mass="1"/></body></worldbody></mujoco>`

/** Places and turns within the ranges. */
function poses(x: number, y: number, z: readonly [number, number]): Float64Array {
  const random = createRandom(8)
  const q = new Float64Array(7 * ENVIRONMENTS)
  for (let e = 0; e < ENVIRONMENTS; e++) {
    const turn = [random(), random(), random(), random()]
    const middle = 0.5 * (z[0] + z[1])
    const place = [x * random(), y * random(), middle + 0.5 * (z[1] - z[0]) * random()]
    q.set([...place, ...turn.map((part) => part / Math.hypot(...turn))], 7 * e)
  }
  return q
}

interface Ray {
  readonly from: readonly number[]
  readonly along: readonly number[]
  readonly distance: number
}

/** Rays of all environments in the world. */
async function raysOf(text: string, q: Float64Array, offsets?: readonly (readonly [number, number])[]): Promise<Ray[]> {
  const along = directions(3)
  const observe: Observation[] = ['position of nose', 'quaternion of nose', { rays: 'nose', along }]
  const batch = await createBatch(buildModel(parseMjcf(text)), {
    ...{ count: ENVIRONMENTS, contact: true, observe },
    ...(offsets ? { vary: ['terrainOffset'] as const } : {}),
  })
  batch.reset(undefined, { q })
  for (const [e, offset] of (offsets ?? []).entries()) batch.parameter('terrainOffset', e).write(offset)
  const rows = batch.readObservations(new Float64Array(ENVIRONMENTS * batch.observationSize))
  expect(batch.observations[2]).toEqual({ name: 'rays from nose', start: 7, length: RAYS })
  return Array.from({ length: ENVIRONMENTS * RAYS }, (_, n) => {
    const row = rows.subarray(Math.floor(n / RAYS) * (7 + RAYS), (Math.floor(n / RAYS) + 1) * (7 + RAYS))
    const [w, x, y, z] = row.subarray(3, 7)
    const length = Math.hypot(...along[n % RAYS])
    const [a, b, c] = along[n % RAYS].map((part) => part / length)
    // v + 2 w (u × v) + 2 u × (u × v)
    const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)]
    const turned = [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx]
    return { from: [...row.subarray(0, 3)], along: turned, distance: row[7 + (n % RAYS)] }
  })
}

describe('rays', () => {
  it('meet planes where MuJoCo says', async () => {
    const text = drone('<geom type="plane" size="0 0 1"/><geom type="plane" size="0 0 1" pos="2 0 0" euler="0 -70 10"/>')
    const rays = await raysOf(text, poses(1, 2, [0.5, 1.5]))
    const model = module.MjModel.from_xml_string(text)
    const data = new module.MjData(model)
    module.mj_forward(model, data)
    const geom = new module.IntBuffer(1)
    let hits = 0
    for (const { from, along, distance } of rays) {
      const theirs = module.mj_ray(model, data, [...from], [...along], null as never, true, 1, geom, null)
      if (theirs < 0) expect(distance).toBe(-1)
      else expect(Math.abs(distance - theirs)).toBeLessThan(1e-9 * (1 + theirs))
      if (theirs >= 0) hits++
    }
    expect([hits > 40, hits < rays.length - 20]).toEqual([true, true])
    data.delete()
    model.delete()
  })

  it('end on the height field, and cross it nowhere before', async () => {
    const [rows, columns] = [9, 13]
    const [halfX, halfY] = [3, 2]
    const random = createRandom(2)
    const elevation = Array.from({ length: rows * columns }, () => 0.5 + 0.5 * random())
    const assets = `<asset><hfield name="hills" nrow="${rows}" ncol="${columns}" size="${halfX} ${halfY} 1 0.1" elevation="${elevation.join(' ')}"/></asset>`
    const model = buildModel(parseMjcf(drone('<geom type="hfield" hfield="hills"/>', assets)))
    const { heights } = model.shapes
    const offsets = Array.from({ length: ENVIRONMENTS }, () => [0.3 * random(), 0.2 * random()] as const)
    /** above the field at a point; NaN beside it */
    const above = (x: number, y: number, z: number): number => {
      const [u, v] = [((x + halfX) / (2 * halfX)) * (columns - 1), ((y + halfY) / (2 * halfY)) * (rows - 1)]
      if (!(u >= 0 && u <= columns - 1 && v >= 0 && v <= rows - 1)) return Number.NaN
      const [i, j] = [Math.min(Math.floor(u), columns - 2), Math.min(Math.floor(v), rows - 2)]
      const at = (di: number, dj: number): number => heights[(j + dj) * columns + i + di]
      const [s, t] = [u - i, v - j]
      return z - ((1 - t) * ((1 - s) * at(0, 0) + s * at(1, 0)) + t * ((1 - s) * at(0, 1) + s * at(1, 1)))
    }
    // some start beside the field, some below
    const rays = await raysOf(drone('<geom type="hfield" hfield="hills"/>', assets), poses(4, 3, [-0.5, 2]), offsets)
    let [hits, misses] = [0, 0]
    for (const [n, { from, along, distance }] of rays.entries()) {
      const [ox, oy] = offsets[Math.floor(n / RAYS)]
      const at = (t: number): number => above(from[0] + ox + t * along[0], from[1] + oy + t * along[1], from[2] + t * along[2])
      if (distance >= 0) {
        hits++
        expect(Math.abs(at(distance * (1 - 1e-12)))).toBeLessThan(1e-7)
      } else misses++
      const until = distance < 0 ? 20 : distance - 1e-6
      let side = 0
      for (let k = 0; k <= 2000; k++) {
        const sign = Math.sign(at((until * k) / 2000))
        if (Number.isNaN(sign)) continue
        if (side !== 0) expect(sign).toBe(side)
        side = sign
      }
    }
    expect([hits > 40, misses > 20]).toEqual([true, true])
  })

  it('that have no direction are refused', async () => {
    const model = buildModel(parseMjcf(drone('<geom type="plane" size="0 0 1"/>')))
    const observe: Observation[] = [{ rays: 'drone', along: [[0, 0, 0]] }, { rays: 'dron', along: [] }, 'jacobian of tail']
    await expect(createBatch(model, { count: 1, contact: true, observe })).rejects.toThrow(
      /directions that are not zero[\s\S]*did you mean 'drone'[\s\S]*'tail'/,
    )
  })
})

describe.each(['f64', 'f32'] as const)('Jacobians in %s', (precision) => {
  it('are those of a simulation', async () => {
    const text = situations['quadruped standing'].replace('<site name="imu"/>', '<site name="imu" pos="0.1 0.2 0.3" euler="1 2 3"/>')
    const model = modelOf(text)
    const { nq, nv } = model
    const names = ['front left shin', 'trunk', 'imu']
    const observe = names.map((name): Observation => `jacobian of ${name}`)
    const batch = await createBatch(model, { count: 5, precision, contact: true, observe })
    const q = scattered(model, 5, 4)
    batch.reset(undefined, { q })
    const rows = batch.readObservations(new Float64Array(5 * batch.observationSize))
    const simulation = createSimulation(model)
    for (let e = 0; e < 5; e++) {
      simulation.reset({ q: q.slice(e * nq, (e + 1) * nq) })
      for (const [n, name] of names.entries()) {
        const handle = name === 'imu' ? simulation.site(name) : simulation.body(name)
        const expected = handle.jacobian()
        const row = rows.subarray((e * names.length + n) * 6 * nv, (e * names.length + n + 1) * 6 * nv)
        expect(expected.some((x) => Math.abs(x) > 0.1)).toBe(true)
        for (let k = 0; k < 6 * nv; k++) expect(row[k]).toBeCloseTo(expected[k], precision === 'f64' ? 12 : 5)
      }
    }
  })
})
