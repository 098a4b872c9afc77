import { describe, expect, test } from 'vitest'
import { compileMujoco } from '../../../test/oracles/compile-mujoco.js'
import { createRandom } from '../../../test/random.js'
import { ModelError } from '../../model/model-error.js'
import type { Quat, Vec3 } from '../spec.js'
import { type FittedShape, fitMesh, transformMesh } from './fit-mesh.js'
import { type MeshInertia, meshMassProperties, type Triangles } from './mesh-mass.js'
import { tensorOf } from './principal-axes.js'

/** Same arithmetic, other order of summation. */
const TOLERANCE = 1e-12

const modes: MeshInertia[] = ['convex', 'exact', 'legacy', 'shell']

/** A closed, bumpy ball: every mode gives another answer for it. */
function bumpyBall(seed: number, size: number): Triangles {
  const random = createRandom(seed)
  const next = (): number => random.spread(0.5)
  const [rows, columns] = [5, 7]
  const vertices: number[] = []
  const push = (x: number, y: number, z: number): void => {
    const r = size * (0.6 + 0.8 * (next() + 0.5))
    vertices.push(Math.fround(r * x + 0.3 * size), Math.fround(1.5 * r * y), Math.fround(0.7 * r * z - size))
  }
  push(0, 0, 1)
  for (let i = 1; i <= rows; i++) {
    for (let j = 0; j < columns; j++) {
      const [a, b] = [(Math.PI * i) / (rows + 1), (2 * Math.PI * j) / columns]
      push(Math.sin(a) * Math.cos(b), Math.sin(a) * Math.sin(b), Math.cos(a))
    }
  }
  push(0, 0, -1)
  const at = (i: number, j: number): number => 1 + (i - 1) * columns + (j % columns)
  const last = rows * columns + 1
  const faces: number[] = []
  for (let j = 0; j < columns; j++) {
    faces.push(0, at(1, j), at(1, j + 1), last, at(rows, j + 1), at(rows, j))
    for (let i = 1; i < rows; i++) faces.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1))
  }
  return { vertices, faces }
}

function meshXml(mesh: Triangles, attributes: string, geom = 'type="mesh"', compiler = ''): string {
  const face = mesh.faces.length > 0 ? `face="${mesh.faces.join(' ')}"` : ''
  return `<mujoco><compiler ${compiler}/><asset><mesh name="m" vertex="${mesh.vertices.join(' ')}" ${face} ${attributes}/></asset>
    <worldbody><body><freejoint/><geom ${geom} mesh="m" density="1000"/></body></worldbody></mujoco>`
}

/** Our properties against the body that MuJoCo makes of the mesh, relative to its size. */
async function compare(xml: string, mesh: Triangles, mode: MeshInertia): Promise<number> {
  const model = await compileMujoco(xml)
  const mine = meshMassProperties(mesh, mode)
  const size = Math.max(...mesh.vertices.map(Math.abs))
  const theirs = tensorOf({
    moments: Array.from(model.body_inertia.slice(3, 6)) as unknown as Vec3,
    quaternion: Array.from(model.body_iquat.slice(4, 8)) as unknown as Quat,
  })
  const errors = [
    (model.body_mass[1] as number) / (1000 * mine.volume) - 1,
    ...mine.com.map((x, k) => (x - (model.body_ipos[3 + k] as number)) / size),
    ...mine.tensor.map((x, k) => (1000 * x - (theirs[k] as number)) / (1000 * mine.moments[0])),
  ]
  model.delete()
  return Math.max(...errors.map(Math.abs))
}

describe('against MuJoCo', () => {
  test.each(modes)('%s: bumpy balls from metres to millimetres', async (mode) => {
    for (const [seed, size] of [
      [1, 1],
      [2, 0.1],
      [3, 0.02],
      [4, 0.004],
    ] as const) {
      const mesh = bumpyBall(seed, size)
      expect(await compare(meshXml(mesh, `inertia="${mode}"`), mesh, mode)).toBeLessThan(TOLERANCE)
    }
  })

  test.each(modes)('%s: vertices alone stand for their hull', async (mode) => {
    const mesh = { vertices: bumpyBall(5, 0.3).vertices, faces: [] }
    expect(await compare(meshXml(mesh, `inertia="${mode}"`), mesh, mode)).toBeLessThan(TOLERANCE)
  })

  test.each(modes)('%s: reference pose and scale are applied in double precision, in their order', async (mode) => {
    const mesh = bumpyBall(6, 0.5)
    for (const scale of ['0.001 0.0013 0.0007', '-1 2 0.3', '1 1 1']) {
      // MuJoCo calls the hull of a mirrored mesh misoriented; we do not
      if (mode === 'convex' && scale.startsWith('-')) continue
      const xml = meshXml(mesh, `inertia="${mode}" refpos="0.1 -0.2 0.3" refquat="0.9 0.1 -0.3 0.2" scale="${scale}"`)
      const moved = transformMesh(mesh, {
        position: [0.1, -0.2, 0.3],
        quaternion: [0.9, 0.1, -0.3, 0.2],
        scale: scale.split(' ').map(Number) as unknown as Vec3,
      })
      expect(await compare(xml, moved, mode)).toBeLessThan(TOLERANCE)
    }
  })

  test.each(['convex', 'legacy', 'shell'] as const)('%s: faces turned both ways are accepted, with the same result', async (mode) => {
    const { vertices, faces } = bumpyBall(7, 0.2)
    const turned = faces.slice()
    for (const k of [0, 9, 30]) [turned[k], turned[k + 1]] = [turned[k + 1] as number, turned[k] as number]
    const mesh = { vertices, faces: turned }
    expect(await compare(meshXml(mesh, `inertia="${mode}"`), mesh, mode)).toBeLessThan(TOLERANCE)
  })

  test('the default of MuJoCo is legacy', async () => {
    const mesh = bumpyBall(8, 0.2)
    expect(await compare(meshXml(mesh, ''), mesh, 'legacy')).toBeLessThan(TOLERANCE)
  })

  test.each([true, false])('primitives fitted to meshes (fitaabb %s)', async (aabb) => {
    const box: Triangles = { vertices: [0, 0, 0, 3, 0, 0, 0, 2, 0, 3, 2, 0, 0, 0, 1, 3, 0, 1, 0, 2, 1, 3, 2, 1], faces: [] }
    const cube: Triangles = { vertices: box.vertices.map((x, k) => x / ([3, 2, 1][k % 3] as number)), faces: [] }
    const column: Triangles = { vertices: box.vertices.map((x, k) => x / ([3, 2, 0.2][k % 3] as number)), faces: [] }
    for (const mesh of [bumpyBall(9, 0.2), bumpyBall(10, 1), box, cube, column]) {
      for (const shape of ['sphere', 'capsule', 'cylinder', 'ellipsoid', 'box'] as FittedShape[]) {
        // a capsule in a cube has no straight part, which MuJoCo refuses
        if (mesh === cube && shape === 'capsule') continue
        const model = await compileMujoco(meshXml(mesh, '', `type="${shape}" fitscale="1.5"`, `fitaabb="${aabb}"`))
        const fit = fitMesh(mesh, meshMassProperties(mesh, 'legacy'), shape, aabb, 1.5)
        const used = shape === 'sphere' ? 1 : shape === 'box' || shape === 'ellipsoid' ? 3 : 2
        for (let k = 0; k < used; k++) expect(fit.size[k]).toBeCloseTo(model.geom_size[k] as number, 8)
        for (let k = 0; k < 3; k++) expect(fit.position[k]).toBeCloseTo(model.geom_pos[k] as number, 8)
        const dot = fit.quaternion.reduce((sum, x, k) => sum + x * (model.geom_quat[k] as number), 0)
        expect(Math.abs(dot)).toBeCloseTo(1, 8)
        model.delete()
      }
    }
  })

  test.each([
    ['exact', 'turned both ways', { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], faces: [0, 2, 1, 0, 3, 1, 0, 3, 2, 1, 2, 3] }],
    ['exact', 'negative', { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], faces: [0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2] }],
    ['exact', 'too small', { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], faces: [0, 1, 2, 1, 3, 2] }],
    ['legacy', 'too small', { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], faces: [0, 1, 2, 1, 3, 2] }],
    ['shell', 'area', { vertices: [0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0], faces: [0, 1, 2, 1, 3, 2] }],
    ['convex', 'plane', { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], faces: [0, 1, 2, 1, 3, 2] }],
  ] as [MeshInertia, string, Triangles][])('%s: both refuse a mesh that is %s', async (mode, word, mesh) => {
    expect(() => meshMassProperties(mesh, mode)).toThrow(word)
    expect(() => meshMassProperties(mesh, mode)).toThrow(ModelError)
    await expect(compileMujoco(meshXml(mesh, `inertia="${mode}"`))).rejects.toThrow()
  })
})

test('a unit cube has mass 1 and moments 1/6 in every solid mode', () => {
  const vertices = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1]
  for (const mode of ['convex', 'exact', 'legacy'] as const) {
    const mass = meshMassProperties({ vertices, faces: [] }, mode)
    expect(mass.volume).toBeCloseTo(1, 12)
    for (let k = 0; k < 3; k++) expect(mass.com[k]).toBeCloseTo(0.5, 12)
    for (let k = 0; k < 6; k++) expect(mass.tensor[k]).toBeCloseTo(k < 3 ? 1 / 6 : 0, 12)
    for (let k = 0; k < 3; k++) expect(mass.box[k]).toBeCloseTo(0.5, 12)
  }
})
