/** `fromto` of a Spec and of scene files: the same shapes as MuJoCo makes of it, wherever a Spec goes. */
import {
  buildModel,
  createData,
  createSimulation,
  createState,
  type GeomSpec,
  massMatrix,
  parseMjcf,
  parseScene,
  type Spec,
  writeGlb,
  writeMjcf,
  writeScene,
  writeUrdf,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { compileMjcf } from './mujoco.js'

const ENDS = [
  [0.1, -0.2, 0.3, 0.4, 0.5, -0.1],
  [0, 0, 0, 0, 0, 0.5],
  [0, 0, 0.5, 0, 0, 0],
] as const
const geoms: readonly GeomSpec[] = ENDS.flatMap((fromto): GeomSpec[] => [
  { shape: 'capsule', radius: 0.05, fromto, density: 1000, friction: 0.7 },
  { shape: 'cylinder', radius: 0.04, fromto, density: 1000 },
  { shape: 'box', size: [0.06, 0.06], fromto, density: 1000 },
])
const spec: Spec = { name: 'ends', bodies: [{ name: 'a', joints: [{ name: 'a', type: 'free' }], geoms }] }

const xml = `<mujoco model="ends"><worldbody><body name="a"><freejoint name="a"/>${ENDS.map((ends) => {
  const fromto = `fromto="${ends.join(' ')}"`
  return `<geom type="capsule" size="0.05" friction="0.7" ${fromto}/><geom type="cylinder" size="0.04" ${fromto}/><geom type="box" size="0.03" ${fromto}/>`
}).join('')}</body></worldbody></mujoco>`

const mass = (given: Spec): number[] => {
  const model = buildModel(given)
  const out = new Float64Array(model.nv ** 2)
  massMatrix(model, createData(model), createState(model), out)
  return [...out]
}
const poses = (given: Spec): number[] => [...buildModel(given).geoms.X_BG]
const close = (found: readonly number[], wanted: readonly number[], tolerance = 1e-12): void => {
  expect(found.length).toBe(wanted.length)
  for (const [k, x] of found.entries()) expect(Math.abs(x - wanted[k]), `number ${k}`).toBeLessThan(tolerance)
}

describe('fromto', () => {
  it('gives the poses, sizes and masses of the same words in MJCF, and those of MuJoCo', async () => {
    const read = parseMjcf(xml)
    close(mass(spec), mass(read))
    close(poses(spec), poses(read), 1e-12)
    const m = await compileMjcf(xml)
    const matrices = buildModel(spec).geoms.X_BG
    for (let k = 0; k < geoms.length; k++) {
      close([...matrices.subarray(12 * k + 9, 12 * k + 12)], [...m.geom_pos.subarray(3 * k, 3 * k + 3)])
    }
    expect(m.body_mass[1]).toBeCloseTo(mass(spec)[3 * 6 + 3], 9)
    m.delete()
  })

  it('survives a scene file word for word, and the other writers as a shape at its pose', () => {
    const text = writeScene(spec)
    expect(text).toContain('"fromto": [0.1, -0.2, 0.3, 0.4, 0.5, -0.1]')
    const { places: _, ignored: __, ...read } = parseScene(text)
    expect(read).toEqual(spec)
    close(mass(parseMjcf(writeMjcf(spec).text)), mass(spec), 1e-9)
    expect(writeUrdf(spec).text.match(/<cylinder radius="0.04" length="0.5"/g)).toHaveLength(4)
    expect(writeGlb(spec).length).toBeGreaterThan(1000)
  })

  it('touches: a capsule that lies on a floor rests at its radius', () => {
    const lying: Spec = {
      world: { geoms: [{ shape: 'plane' }] },
      bodies: [
        {
          name: 'rod',
          position: [0, 0, 0.08],
          joints: [{ type: 'free' }],
          geoms: [{ shape: 'capsule', radius: 0.05, fromto: [-0.2, 0, 0, 0.2, 0, 0], mass: 1 }],
        },
      ],
    }
    const simulation = createSimulation(buildModel(lying))
    simulation.advance(1)
    expect(simulation.body('rod').position()[2]).toBeCloseTo(0.05, 3)
  })

  it.each([
    ['{ "shape": "capsule", "radius": 1 }', 'expected a length, or fromto with both ends, got neither'],
    ['{ "shape": "capsule", "radius": 1, "length": 1, "fromto": [0, 0, 0, 0, 0, 1] }', 'expected either length or fromto, got both'],
    ['{ "shape": "capsule", "radius": 1, "fromto": [1, 2, 3, 1, 2, 3] }', 'expected two different points, got 1 2 3 1 2 3'],
    ['{ "shape": "capsule", "radius": 1, "fromto": [0, 0, 0, 0, 0] }', 'expected a list of 6'],
    [
      '{ "shape": "cylinder", "radius": 1, "position": [1, 0, 0], "fromto": [0, 0, 0, 0, 0, 1] }',
      'expected either position or fromto, got both',
    ],
    ['{ "shape": "box", "size": [1, 1, 1], "fromto": [0, 0, 0, 0, 0, 1] }', 'edge lengths across the line'],
    ['{ "shape": "box", "size": [1, 1] }', 'give the third, or fromto'],
    ['{ "shape": "sphere", "radius": 1, "fromto": [0, 0, 0, 0, 0, 1] }', "'fromto'"],
  ])('refuses %s in a file and in a program', (text, message) => {
    const geom = JSON.parse(text) as GeomSpec
    expect(() => parseScene(`{ "bodies": [{ "name": "a", "geoms": [${text}] }] }`)).toThrow(message)
    expect(() => buildModel({ bodies: [{ name: 'a', inertia: { mass: 1 }, geoms: [geom] }] })).toThrow(/bodies\/0\/geoms\/0/)
  })
})
