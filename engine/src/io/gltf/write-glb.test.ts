import { type Node, WebIO } from '@gltf-transform/core'
import { validateBytes } from 'gltf-validator'
import { describe, expect, it } from 'vitest'
import { FULL_SPEC, randomSpec, TETRAHEDRON } from '../../../test/io/sample-specs.js'
import { createRandom } from '../../../test/random.js'
import type { GeomSpec, Spec } from '../../build/spec.js'
import type { Recording } from '../trajectory/recording.js'
import { createSpecTree, posesAt } from '../write/spec-tree.js'
import {
  boxGeometry,
  capsuleGeometry,
  cylinderGeometry,
  type Geometry,
  heightfieldGeometry,
  planeGeometry,
  sphereGeometry,
} from './geometry.js'
import { meshGeometry } from './mesh-normals.js'
import { writeGlb, writeGltf } from './write-glb.js'

interface Report {
  issues: { numErrors: number; numWarnings: number; messages: object[] }
  info: { animationCount: number; totalTriangleCount: number }
}

/** glTF stores float32 */
const TOLERANCE = 1e-6

async function validate(bytes: Uint8Array): Promise<Report> {
  const report = (await validateBytes(bytes)) as Report
  const { numErrors, numWarnings } = report.issues
  expect([numErrors, numWarnings], JSON.stringify(report.issues.messages.slice(0, 5))).toEqual([0, 0])
  return report
}

async function load(bytes: Uint8Array) {
  return (await new WebIO().readBinary(bytes)).getRoot()
}

/** A run through random coordinates near the start. */
function wiggle(spec: Spec, frames: number, withPoses: boolean): Recording {
  const tree = createSpecTree(spec)
  const random = createRandom(11).unit
  const start = tree.initial
  const q = new Float64Array(frames * tree.nq)
  const poses = new Float64Array(frames * 7 * (tree.bodies.length + 1))
  for (let f = 0; f < frames; f++) {
    const at = start.map((x) => x + 0.3 * (random() - 0.5))
    q.set(at, f * tree.nq)
    const o = f * 7 * (tree.bodies.length + 1)
    poses[o + 3] = 1
    for (const [k, { position, quaternion }] of posesAt(tree, at).entries()) {
      // alternate signs: the writer must put them right
      const sign = f % 2 === 0 ? 1 : -1
      poses.set([...position, ...quaternion.map((x) => sign * x)], o + 7 * (k + 1))
    }
  }
  const joints = tree.bodies.flatMap((body) =>
    body.joints.map(({ spec: { name = '', type }, iq, nq, iv, nv }) => ({ name, type, iq, nq, iv, nv })),
  )
  return {
    model: { name: 'run', joints, bodies: ['world', ...tree.bodies.map((body) => body.spec.name)] },
    times: Float64Array.from({ length: frames }, (_, f) => 5 + f / 60),
    q,
    v: new Float64Array(frames * tree.nv),
    ...(withPoses ? { poses } : {}),
  }
}

const SHAPES: GeomSpec[] = [
  { shape: 'sphere', radius: 0.1 },
  { shape: 'ellipsoid', radii: [0.1, 0.2, 0.3] },
  { shape: 'capsule', radius: 0.1, length: 0.3 },
  { shape: 'cylinder', radius: 0.1, length: 0.3 },
  { shape: 'box', size: [1, 2, 3], color: [1, 0, 0, 0.5] },
  { shape: 'plane' },
  { shape: 'mesh', mesh: 'tetrahedron' },
  { shape: 'heightfield', size: [1, 2], rows: 3, columns: 2, heights: [0, 1, 0, 1, 0, 1] },
]

describe('writeGlb', () => {
  it('passes the validator with every shape and feature', async () => {
    const { info } = await validate(writeGlb(FULL_SPEC))
    expect(info.animationCount).toBe(0)
    expect(info.totalTriangleCount).toBeGreaterThan(100)
  })

  it.each(SHAPES)('passes the validator with $shape', async (geom) => {
    const { info } = await validate(writeGlb({ bodies: [{ name: 'a', geoms: [geom] }], meshes: [TETRAHEDRON] }))
    expect(info.totalTriangleCount).toBeGreaterThan(0)
  })

  it.each([0, 1, 2, 3, 4])('passes the validator with a recording, seed %i', async (seed) => {
    const spec = randomSpec(seed)
    const { info } = await validate(writeGlb(spec, wiggle(spec, 20, true)))
    expect(info.animationCount).toBe(createSpecTree(spec).bodies.some((body) => body.moving) ? 1 : 0)
  })

  it('passes the validator with an empty mechanism, odd names and meshes without triangles', async () => {
    await validate(writeGlb({ bodies: [] }))
    await validate(
      writeGlb({
        name: 'ä "x"\n',
        bodies: [{ name: '∅', geoms: [{ shape: 'mesh', mesh: 'm' }] }],
        meshes: [{ name: 'm', vertices: [0, 0, 0], faces: [0, 0, 0] }],
      }),
    )
  })

  it('gives the same content as text', async () => {
    const spec = randomSpec(4)
    const recording = wiggle(spec, 7, true)
    const text = new TextEncoder().encode(writeGltf(spec, recording))
    await validate(text)
    const json = JSON.parse(writeGltf(spec, recording))
    const uri: string = json.buffers[0].uri
    const bytes = writeGlb(spec, recording)
    const start = 28 + new DataView(bytes.buffer).getUint32(12, true)
    expect(Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64')).toEqual(Buffer.from(bytes.subarray(start)))
  })

  it('stands z up in a y-up world', async () => {
    const root = await load(writeGlb({ bodies: [{ name: 'a', position: [1, 2, 3], geoms: [{ shape: 'sphere', radius: 1 }] }] }))
    const node = root.listNodes().find((candidate) => candidate.getName() === 'a') as Node
    const [x, y, z] = node.getWorldTranslation()
    expect(x).toBeCloseTo(1, 6)
    expect(y).toBeCloseTo(3, 6)
    expect(z).toBeCloseTo(-2, 6)
  })

  it('takes poses by body name, in any order', async () => {
    const spec: Spec = { bodies: [{ name: 'a' }, { name: 'b' }] }
    const X_WB = [
      [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
      [0, -1, 0, 1, 0, 0, 0, 0, 1, 7, 8, 9],
      [1, 0, 0, 0, 1, 0, 0, 0, 1, 4, 5, 6],
    ].flat()
    const root = await load(writeGlb(spec, undefined, { bodies: ['world', 'b', 'a'], X_WB }))
    const byName = (name: string) => root.listNodes().find((node) => node.getName() === name) as Node
    expect(byName('b').getTranslation()).toEqual([7, 8, 9])
    expect(byName('a').getTranslation()).toEqual([4, 5, 6])
    const [, , z, w] = byName('b').getRotation()
    expect(z).toBeCloseTo(Math.SQRT1_2, 6)
    expect(w).toBeCloseTo(Math.SQRT1_2, 6)
  })

  it('stores equal shapes once and colours them apart', async () => {
    const bodies = Array.from({ length: 50 }, (_, i) => ({ name: `b${i}`, geoms: [{ shape: 'sphere' as const, radius: 0.1 + i }] }))
    const root = await load(writeGlb({ bodies }))
    expect(root.listAccessors()).toHaveLength(3)
    expect(root.listMeshes()).toHaveLength(10)
    expect(root.listMaterials()).toHaveLength(10)
    expect(root.listNodes()).toHaveLength(101)
  })

  it.each([true, false])('animates the recorded poses, stored: %s', async (withPoses) => {
    const spec = randomSpec(4)
    const recording = wiggle(spec, 30, withPoses)
    const tree = createSpecTree(spec)
    const root = await load(writeGlb(spec, recording))
    const animation = root.listAnimations()[0]
    let channels = 0
    for (const [k, body] of tree.bodies.entries()) {
      for (const channel of animation.listChannels()) {
        if (channel.getTargetNode()?.getName() !== body.spec.name) continue
        channels++
        const sampler = channel.getSampler()
        const times = sampler?.getInput()?.getArray() ?? []
        const output = sampler?.getOutput()?.getArray() ?? []
        expect(times[0]).toBe(0)
        expect(times.length).toBe(30)
        expect(times[29]).toBeCloseTo(29 / 60, 6)
        const rotation = channel.getTargetPath() === 'rotation'
        for (let f = 0; f < 30; f++) {
          const { position, quaternion } = posesAt(tree, Array.from(recording.q.subarray(f * tree.nq, (f + 1) * tree.nq)))[k]
          if (!rotation) {
            for (let c = 0; c < 3; c++) expect(Math.abs(output[3 * f + c] - position[c])).toBeLessThan(TOLERANCE * 10)
            continue
          }
          const [w, x, y, z] = quaternion
          const dot = output[4 * f] * x + output[4 * f + 1] * y + output[4 * f + 2] * z + output[4 * f + 3] * w
          expect(Math.abs(Math.abs(dot) - 1)).toBeLessThan(TOLERANCE)
          if (f === 0) continue
          const step = [0, 1, 2, 3].reduce((sum, c) => sum + output[4 * f + c] * output[4 * (f - 1) + c], 0)
          expect(step).toBeGreaterThan(0)
        }
      }
    }
    expect(channels).toBe(animation.listChannels().length)
    expect(channels).toBeGreaterThan(3)
  })

  it('leaves frames out that time or numbers spoil', async () => {
    const spec = randomSpec(4)
    const recording = wiggle(spec, 10, true)
    recording.times[3] = recording.times[2] + 1e-12
    for (let k = 0; k < (recording.poses?.length ?? 0) / 10; k++)
      (recording.poses as Float64Array)[(9 * (recording.poses?.length ?? 0)) / 10 + k] = Number.NaN
    const bytes = writeGlb(spec, recording)
    await validate(bytes)
    const input = (await load(bytes)).listAnimations()[0].listSamplers()[0].getInput()
    expect(input?.getCount()).toBe(8)
  })

  it('draws sticks for bodies without geoms, nothing for bare frames beside drawn ones', async () => {
    const chain: Spec = {
      bodies: [
        { name: 'a', joints: [{ type: 'revolute' }] },
        { name: 'b', parent: 'a', position: [0, 0, 1], joints: [{ type: 'revolute' }], inertia: { mass: 1, com: [0, 0, 0.5] } },
      ],
    }
    const names = (await load(writeGlb(chain))).listNodes().flatMap((node) => (node.getMesh() ? [node.getName()] : []))
    expect(names).toEqual(['a stick', 'a marker', 'b stick', 'b marker'])
    const frame: Spec = {
      bodies: [
        { name: 'a', geoms: [{ shape: 'sphere', radius: 1 }] },
        { name: 'tip', parent: 'a' },
      ],
    }
    expect((await load(writeGlb(frame))).listMeshes()).toHaveLength(1)
  })
})

describe('geometry', () => {
  const closed: [string, Geometry, number][] = [
    ['sphere', sphereGeometry(), (4 / 3) * Math.PI],
    ['capsule', capsuleGeometry(3), (4 / 3) * Math.PI + 3 * Math.PI],
    ['cylinder', cylinderGeometry(), Math.PI],
    ['box', boxGeometry(), 1],
    ['tetrahedron', meshGeometry(TETRAHEDRON.vertices, TETRAHEDRON.faces), 0.01],
  ]

  it.each(closed)('encloses the volume of a %s, faces outward', (_, geometry, volume) => {
    const found = signedVolume(geometry)
    expect(found / volume).toBeGreaterThan(0.97)
    expect(found / volume).toBeLessThan(1 + 1e-9)
  })

  it.each([
    ...closed.map(([name, geometry]) => [name, geometry] as const),
    ['plane', planeGeometry()] as const,
    ['heightfield', heightfieldGeometry([2, 1], 3, 3, [0, 0.1, 0, 0.2, 0.1, 0, 0, 0, 0.1])] as const,
  ])('has unit normals on the side the faces of a %s show', (_, { positions, normals, indices }) => {
    for (let i = 0; i < normals.length; i += 3) expect(Math.hypot(normals[i], normals[i + 1], normals[i + 2])).toBeCloseTo(1, 12)
    for (let f = 0; f < indices.length; f += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => positions.slice(3 * indices[f + k], 3 * indices[f + k] + 3))
      const [u, v] = [b.map((x, k) => x - a[k]), c.map((x, k) => x - a[k])]
      const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
      expect(Math.hypot(...n)).toBeGreaterThan(0)
      for (let k = 0; k < 3; k++) {
        const m = normals.slice(3 * indices[f + k], 3 * indices[f + k] + 3)
        expect(n[0] * m[0] + n[1] * m[1] + n[2] * m[2]).toBeGreaterThan(0)
      }
    }
  })

  it('keeps sharp edges of meshes and smooths round ones', () => {
    expect(meshGeometry(TETRAHEDRON.vertices, TETRAHEDRON.faces).positions).toHaveLength(36)
    const sphere = sphereGeometry()
    const smooth = meshGeometry(sphere.positions, sphere.indices)
    for (let i = 0; i < smooth.positions.length; i += 3) {
      const dot = [0, 1, 2].reduce((sum, k) => sum + smooth.positions[i + k] * smooth.normals[i + k], 0)
      expect(dot).toBeGreaterThan(0.99)
    }
    // seam and poles are welded: fewer vertices than came in
    expect(smooth.positions.length).toBeLessThan(sphere.positions.length)
  })
})

function signedVolume({ positions: p, indices }: Geometry): number {
  let sum = 0
  for (let f = 0; f < indices.length; f += 3) {
    const [a, b, c] = [3 * indices[f], 3 * indices[f + 1], 3 * indices[f + 2]]
    sum += p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1])
    sum += p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2])
    sum += p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c])
  }
  return sum / 6
}
