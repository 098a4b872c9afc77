import { expect, test } from 'vitest'
import { compileMujoco } from '../../../test/oracles/compile-mujoco.js'
import { createRandom } from '../../../test/random.js'
import { meshMassProperties } from '../../build/geometry/mesh-mass.js'
import { parseMesh } from './parse-mesh.js'

/** same triangles, other order of summation */
const TOLERANCE = 1e-11

/** A prism over a wobbly polygon, sides of quads that are not flat, lids of n corners in given order. */
function wobblyPrism(seed: number, n: number, concave: boolean): string {
  const random = createRandom(seed)
  const next = (): number => random.spread(0.5)
  const lines = ['# prism', 'mtllib none.mtl', 'o first']
  for (const z of [0.3, 1.4]) {
    for (let i = 0; i < n; i++) {
      const a = (2 * Math.PI * i) / n
      const r = concave && i % 2 === 1 ? 0.5 : 1
      lines.push(
        `v ${(2 + r * Math.cos(a) + 0.05 * next()).toFixed(6)} ${(1 + r * Math.sin(a)).toFixed(6)} ${(z + 0.1 * next()).toFixed(6)}`,
      )
    }
  }
  lines.push('vn 0 0 1', 'vt 0 0', 's off', 'usemtl a')
  const ring = Array.from({ length: n }, (_, i) => i + 1)
  lines.push(`f ${[...ring].reverse().join(' ')}`, `f ${ring.map((i) => `${i + n}//1`).join(' ')}`)
  for (const i of ring) lines.push(`f ${i}/1/1 ${(i % n) + 1}/1/1 ${(i % n) + 1 + n}/1/1 ${i - 2 * n - 1 + n}/1/1`)
  return lines.join('\n')
}

async function compare(file: string, data: string | Uint8Array, mode: 'exact' | 'legacy' | 'convex' | 'shell'): Promise<void> {
  const xml = `<mujoco><asset><mesh name="m" file="${file}" inertia="${mode}"/></asset>
    <worldbody><body><freejoint/><geom type="mesh" mesh="m" density="1"/></body></worldbody></mujoco>`
  const model = await compileMujoco(xml, { [file]: data })
  const mesh = parseMesh(data, file)
  const mine = meshMassProperties(mesh, mode)
  expect(mesh.faces.length / 3).toBe(model.nmeshface)
  expect(mesh.vertices.length / 3).toBe(model.nmeshvert)
  expect(mesh.faces).toEqual(Array.from(model.mesh_face))
  expect(Math.abs((model.body_mass[1] as number) / mine.volume - 1)).toBeLessThan(TOLERANCE)
  mine.moments.forEach((x, k) => expect(Math.abs((model.body_inertia[3 + k] as number) / x - 1)).toBeLessThan(TOLERANCE))
  model.delete()
}

test.each([
  [1, 4, false],
  [2, 5, false],
  [3, 8, true],
  [4, 12, true],
  [5, 30, false],
  [6, 41, false],
])('prism %i of %i sides (concave %s) is cut into the triangles of MuJoCo', async (seed, n, concave) => {
  for (const mode of ['legacy', 'shell', 'convex'] as const) await compare('m.obj', wobblyPrism(seed, n, concave), mode)
})

test('faces after the first object or group do not count, their vertices do', async () => {
  const prism = wobblyPrism(7, 6, false)
  const shifted = prism.replace(/^v (\S+)/gm, (_, x: string) => `v ${Number(x) + 4}`).replace(/o first/, 'g second')
  const again = shifted.replace(/^f .*$/gm, 'f -12 -11 -10')
  for (const mode of ['legacy', 'convex', 'shell'] as const) await compare('m.obj', `${prism}\n${again}`, mode)
})

test('binary STL is welded to the same vertices and faces', async () => {
  const mesh = parseMesh(wobblyPrism(8, 9, false), 'm.obj')
  const n = mesh.faces.length / 3
  const view = new DataView(new ArrayBuffer(84 + 50 * n))
  view.setUint32(80, n, true)
  mesh.faces.forEach((v, k) => {
    const o = 84 + 50 * Math.floor(k / 3) + 12 * ((k % 3) + 1)
    for (let c = 0; c < 3; c++) view.setFloat32(o + 4 * c, mesh.vertices[3 * v + c] as number, true)
  })
  for (const mode of ['exact', 'legacy', 'convex', 'shell'] as const) await compare('m.stl', new Uint8Array(view.buffer), mode)
})

test('MSH gives the same mesh', async () => {
  const mesh = parseMesh(wobblyPrism(9, 7, true), 'm.obj')
  const { vertices, faces } = mesh
  const view = new DataView(new ArrayBuffer(16 + 4 * vertices.length + 4 * faces.length))
  view.setInt32(0, vertices.length / 3, true)
  view.setInt32(12, faces.length / 3, true)
  vertices.forEach((x, k) => view.setFloat32(16 + 4 * k, x, true))
  faces.forEach((i, k) => view.setInt32(16 + 4 * vertices.length + 4 * k, i, true))
  await compare('m.msh', new Uint8Array(view.buffer), 'legacy')
})
