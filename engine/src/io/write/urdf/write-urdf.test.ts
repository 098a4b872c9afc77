import { describe, expect, it } from 'vitest'
import { compileMjcf, mujoco } from '../../../../test/io/mujoco.js'
import { FULL_SPEC, randomSpec, TETRAHEDRON } from '../../../../test/io/sample-specs.js'
import { createRandom } from '../../../../test/random.js'
import type { JointSpec, Quat, Spec } from '../../../build/spec.js'
import { mulPose, type Pose, rotationMatrix, transformPoint } from '../../pose.js'
import { parseUrdf } from '../../urdf/parse-urdf.js'
import { writeMjcf } from '../mjcf/write-mjcf.js'
import { createSpecTree, posesAt, type SpecTree } from '../spec-tree.js'
import { rollPitchYaw } from './joints.js'
import { writeUrdf } from './write-urdf.js'

/** angles through roll, pitch, yaw and back */
const TOLERANCE = 1e-9

function read(spec: Spec): Spec {
  const { text, files } = writeUrdf(spec)
  const byPath = new Map(files.map(({ path, text: content }) => [path, content]))
  return parseUrdf(text, { resolve: (path) => byPath.get(path) })
}

/** World poses of all boxes by name: they do not depend on where link frames stand. */
function boxPoses(spec: Spec, tree: SpecTree, q: readonly number[]): Map<string, Pose> {
  const poses = posesAt(tree, q)
  const found = new Map<string, Pose>()
  for (const [k, body] of tree.bodies.entries()) {
    for (const geom of body.spec.geoms ?? []) {
      if (geom.shape !== 'box' || found.has(body.spec.name)) continue
      found.set(body.spec.name, mulPose(poses[k], { position: geom.position ?? [0, 0, 0], quaternion: geom.quaternion ?? [1, 0, 0, 0] }))
    }
    const com = spec.bodies.find((candidate) => candidate.name === body.spec.name)?.inertia?.com
    if (com) found.set(`${body.spec.name} com`, { position: transformPoint(poses[k], com), quaternion: [1, 0, 0, 0] })
  }
  return found
}

function randomCoordinates(tree: SpecTree, seed: number): number[] {
  const random = createRandom(seed).unit
  const q = [...tree.initial]
  for (const { parts, iq, nq } of tree.bodies.flatMap((body) => body.joints)) {
    const own = Array.from({ length: nq }, () => 2 * random() - 1)
    const whole = parts[0]?.kind === 'ball' ? 0 : parts[0]?.kind === 'free' ? 3 : nq
    const n = Math.hypot(...own.slice(whole))
    for (let k = 0; k < nq; k++) q[iq + k] = k >= whole ? own[k] / n : own[k]
  }
  return q
}

/** The same coordinates as files number them: depth first. */
function nested(tree: SpecTree, q: readonly number[]): number[] {
  return tree.bodies.flatMap((body) => body.joints.flatMap(({ iq, nq }) => q.slice(iq, iq + nq)))
}

describe('writeUrdf', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))('is read back with the same poses at random coordinates, seed %i', (seed) => {
    const spec = randomSpec(seed)
    const back = read(spec)
    const tree = createSpecTree(spec)
    const backTree = createSpecTree(back)
    expect([backTree.nq, backTree.nv]).toEqual([tree.nq, tree.nv])
    const q = randomCoordinates(tree, seed)
    const expected = boxPoses(spec, tree, q)
    const found = boxPoses(back, backTree, nested(tree, q))
    expect(expected.size).toBeGreaterThan(0)
    for (const [name, pose] of expected) {
      const other = found.get(name) as Pose
      for (let k = 0; k < 3; k++) expect(Math.abs(other.position[k] - pose.position[k]), name).toBeLessThan(TOLERANCE)
      const dot = pose.quaternion.reduce((sum, x, k) => sum + x * other.quaternion[k], 0)
      expect(Math.abs(Math.abs(dot) - 1), name).toBeLessThan(TOLERANCE)
    }
  })

  it.each(Array.from({ length: 30 }, (_, seed) => seed))('gives MuJoCo the accelerations of the MJCF file, seed %i', async (seed) => {
    const spec = plain(randomSpec(seed, ['revolute', 'prismatic', 'spherical']))
    const tree = createSpecTree(spec)
    const q = nested(tree, randomCoordinates(tree, seed))
    const mjcf = await acceleration(writeMjcf(spec).text, q)
    const { text } = writeUrdf(spec)
    const urdf = await acceleration(text.replace(/(<robot[^>]*>)/, `$1${COMPILER}`), q)
    expect(urdf.length).toBe(mjcf.length)
    for (let k = 0; k < mjcf.length; k++) expect(Math.abs(urdf[k] - mjcf[k])).toBeLessThan(1e-8 * Math.max(1, Math.abs(mjcf[k])))
  })

  it('keeps limits, effort, velocity, dynamics and linear couplings', () => {
    const spec: Spec = {
      bodies: [
        { name: 'base' },
        {
          name: 'a',
          parent: 'base',
          joints: [
            {
              name: 'ja',
              type: 'revolute',
              axis: [0, 1, 0],
              reference: 0.3,
              limits: [-1, 2],
              forceRange: [-5, 5],
              velocityLimit: 3,
              damping: 0.1,
              friction: 0.2,
            },
          ],
        },
        { name: 'b', parent: 'a', joints: [{ name: 'jb', type: 'prismatic', axis: [1, 0, 0], reference: 0.1 }] },
      ],
      constraints: [{ type: 'coupling', joint: 'jb', of: 'ja', polynomial: [0.05, 2] }],
    }
    const { text, ignored } = writeUrdf(spec)
    expect(ignored).toEqual([])
    expect(text).not.toContain('"world"')
    const back = parseUrdf(text)
    expect(back.bodies[1].joints?.[0]).toEqual({
      name: 'ja',
      type: 'revolute',
      axis: [0, 1, 0],
      limits: [-1, 2],
      forceRange: [-5, 5],
      velocityLimit: 3,
      damping: 0.1,
      friction: 0.2,
    })
    // jb = 0.1 + 0.05 + 2 (ja − 0.3)
    const [coupling] = back.constraints ?? []
    if (coupling?.type !== 'coupling') throw new Error('no coupling')
    expect(coupling.joint).toBe('jb')
    expect(coupling.of).toBe('ja')
    expect(coupling.polynomial[0]).toBeCloseTo(-0.45, 14)
    expect(coupling.polynomial[1]).toBe(2)
  })

  it('writes a helical joint as a turn and a slide that mimics it', () => {
    const spec: Spec = {
      bodies: [
        {
          name: 'nut',
          inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] },
          joints: [{ name: 's', type: 'helical', pitch: 0.1, reference: 0.5 }],
        },
      ],
    }
    const { text } = writeUrdf(spec)
    const back = createSpecTree(parseUrdf(text))
    const direct = posesAt(createSpecTree(spec), [2])[0]
    const two = posesAt(back, [2, 0.1 * 2 - 0.05]).at(-1) as Pose
    for (let k = 0; k < 3; k++) expect(two.position[k]).toBeCloseTo(direct.position[k], 12)
    expect(text).toContain('<mimic joint="s" multiplier="0.1" offset="-0.05"/>')
  })

  it('writes every shape that URDF can have', () => {
    const spec: Spec = {
      bodies: [
        {
          name: 'a',
          geoms: [
            { shape: 'sphere', radius: 0.1, color: [1, 0, 0, 1] },
            { shape: 'capsule', radius: 0.1, length: 0.4, collide: false, color: [1, 0, 0, 1] },
            { shape: 'cylinder', radius: 0.1, length: 0.4, visible: false },
            { shape: 'ellipsoid', radii: [0.1, 0.2, 0.3], collide: false },
            { shape: 'mesh', mesh: 'tetrahedron', collide: false },
            { shape: 'heightfield', size: [1, 1], rows: 2, columns: 2, heights: [0, 0, 0, 1], collide: false },
            { shape: 'plane' },
          ],
        },
      ],
      meshes: [TETRAHEDRON],
    }
    const { text, files, ignored } = writeUrdf(spec)
    expect(files.map(({ path }) => path)).toEqual(['meshes/unit_sphere.obj', 'meshes/tetrahedron.obj', 'meshes/heightfield.obj'])
    expect(ignored.map(({ what }) => what)).toEqual(['plane'])
    expect(text.match(/<visual>/g)).toHaveLength(7)
    expect(text.match(/<collision>/g)).toHaveLength(2)
    expect(text.match(/<color /g)).toHaveLength(1)
    const back = read(spec)
    expect(back.ignored ?? []).toEqual([])
    // collisions of a link with visuals are not drawn, and weigh nothing: the file says so
    expect(back.bodies[0].inertia?.mass).toBe(0)
    const ellipsoid = back.meshes?.find(({ name }) => name === 'unit_sphere')
    expect(Math.max(...(ellipsoid?.vertices ?? []))).toBeCloseTo(0.3, 12)
  })

  it('names all that URDF has no word for', () => {
    const { ignored, text } = writeUrdf(FULL_SPEC)
    parseUrdf(text)
    const whats = ignored.map(({ what }) => what)
    for (const what of [
      'stiffness of joint shoulder',
      'armature of joint shoulder',
      'initial of joint shoulder',
      'spherical joint socket',
      'helical joint screw',
      'joints of cross',
      'site imu',
      'spring bungee',
      'tendon cord',
      'load push',
      'actuator servo',
      'constraint loop',
      'gravity 0 0.5 -9.81',
      'medium',
      'damping of body base',
      'gravityCompensation of base',
      'exclude base, arm',
    ]) {
      expect(whats).toContain(what)
    }
  })

  it('turns quaternions into roll, pitch, yaw, upright poses included', () => {
    const random = createRandom(9).unit
    const half = Math.SQRT1_2
    const samples: Quat[] = [
      [1, 0, 0, 0],
      [half, 0, half, 0],
      [half, 0, -half, 0],
      [0.5, 0.5, 0.5, 0.5],
      [0, 1, 0, 0],
      [0, 0, 0, 1],
    ]
    for (let k = 0; k < 100; k++) {
      const q = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5]
      const n = Math.hypot(...q)
      samples.push([q[0] / n, q[1] / n, q[2] / n, q[3] / n])
    }
    for (const q of samples) {
      const [r, p, y] = rollPitchYaw(q)
      const [cr, sr, cp, sp, cy, sy] = [Math.cos(r), Math.sin(r), Math.cos(p), Math.sin(p), Math.cos(y), Math.sin(y)]
      const R = [
        cy * cp,
        cy * sp * sr - sy * cr,
        cy * sp * cr + sy * sr,
        sy * cp,
        sy * sp * sr + cy * cr,
        sy * sp * cr - cy * sr,
        -sp,
        cp * sr,
        cp * cr,
      ]
      for (const [k, x] of rotationMatrix(q).entries()) expect(Math.abs(R[k] - x)).toBeLessThan(1e-12)
    }
  })
})

const COMPILER = '<mujoco><compiler fusestatic="false" discardvisual="false" strippath="false"/><option gravity="0 0 -9.81"/></mujoco>'

/** One joint a body, no springs or armature, mass on all: what both formats can say, and MuJoCo takes. */
function plain(spec: Spec): Spec {
  const simple = ({ stiffness: _s, armature: _a, rest: _r, ...joint }: JointSpec): JointSpec => joint
  return {
    bodies: spec.bodies.map((body) => ({
      ...body,
      joints: (body.joints ?? []).slice(0, 1).map(simple),
      inertia: body.inertia ?? { mass: 1, tensor: [0.1, 0.11, 0.12, 0.01, 0, 0] },
    })),
  }
}

async function acceleration(text: string, q: readonly number[]): Promise<number[]> {
  const module = await mujoco()
  const m = await compileMjcf(text)
  m.opt.disableflags |= module.mjtDisableBit.mjDSBL_CONTACT.value
  const d = new module.MjData(m)
  expect(m.nq).toBe(q.length)
  d.qpos.set(q)
  d.qvel.set(Array.from({ length: m.nv }, (_, k) => Math.sin(k + 1)))
  module.mj_forward(m, d)
  const a = Array.from(d.qacc as Float64Array)
  d.delete()
  m.delete()
  return a
}
