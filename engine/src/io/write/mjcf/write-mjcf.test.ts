import type { MjModel } from '@mujoco/mujoco'
import { describe, expect, it } from 'vitest'
import { compileMjcf, mujoco } from '../../../../test/io/mujoco.js'
import { FULL_SPEC, randomSpec, TETRAHEDRON } from '../../../../test/io/sample-specs.js'
import { createRandom } from '../../../../test/random.js'
import { geomMassProperties, sumMassProperties } from '../../../build/geometry/mass-properties.js'
import type { JointSpec, PlacedGeomSpec, Quat, Spec } from '../../../build/spec.js'
import { parseMjcf } from '../../mjcf/parse-mjcf.js'
import { rotationMatrix } from '../../pose.js'
import { createSpecTree, type TreeBody } from '../spec-tree.js'
import { writeMjcf } from './write-mjcf.js'

/** MuJoCo diagonalises tensors and normalises quaternions: rounding only */
const TOLERANCE = 1e-11

function close(found: ArrayLike<number>, expected: ArrayLike<number>, what: string, tolerance = TOLERANCE): void {
  expect(found.length, what).toBe(expected.length)
  for (let k = 0; k < expected.length; k++) {
    const error = Math.abs(found[k] - expected[k])
    expect(error, `${what}[${k}]: ${found[k]}, expected ${expected[k]}`).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected[k])))
  }
}

function slice(array: ArrayLike<number>, i: number, n: number): number[] {
  return Array.from({ length: n }, (_, k) => array[n * i + k])
}

/** Equal rotations may have opposite quaternions. */
function closeQuat(found: readonly number[], expected: readonly number[], what: string): void {
  const sign = found.reduce((sum, x, k) => sum + x * expected[k], 0) < 0 ? -1 : 1
  close(
    found.map((x) => sign * x),
    expected,
    what,
  )
}

/** Tensor about the centre of mass in body axes. */
function tensorOf(m: MjModel, i: number): number[] {
  const R = rotationMatrix(slice(m.body_iquat, i, 4) as unknown as Quat)
  const d = slice(m.body_inertia, i, 3)
  const entry = (r: number, c: number) => [0, 1, 2].reduce((sum, k) => sum + R[3 * r + k] * d[k] * R[3 * c + k], 0)
  return [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}

function inertiaOf(spec: Spec, body: TreeBody) {
  const meshes = new Map((spec.meshes ?? []).map((mesh) => [mesh.name, mesh]))
  const { inertia, geoms = [] } = body.spec
  return inertia ?? sumMassProperties(geoms.map((geom) => geomMassProperties(geom, meshes)))
}

/** Bodies, inertias and joints of the compiled model are those of the spec. */
function expectSame(spec: Spec, m: MjModel): void {
  const tree = createSpecTree(spec)
  expect(m.nbody).toBe(tree.bodies.length + 1)
  let j = 0
  for (const [k, body] of tree.bodies.entries()) {
    const i = k + 1
    const { name } = body.spec
    close(slice(m.body_pos, i, 3), body.pose.position, `${name} position`)
    closeQuat(slice(m.body_quat, i, 4), body.pose.quaternion, `${name} quaternion`)
    const inertia = inertiaOf(spec, body)
    close([m.body_mass[i]], [inertia.mass], `${name} mass`)
    if (inertia.mass > 0) {
      close(slice(m.body_ipos, i, 3), inertia.com ?? [0, 0, 0], `${name} com`)
      close(tensorOf(m, i), inertia.tensor ?? [0, 0, 0, 0, 0, 0], `${name} tensor`)
    }
    for (const joint of body.joints) {
      for (const part of joint.parts) {
        expect(m.jnt_bodyid[j]).toBe(i)
        if (part.kind === 'turn' || part.kind === 'slide') {
          close(slice(m.jnt_axis, j, 3), part.axis, `${name} axis`)
          if (part.pitch === undefined) {
            close([m.qpos0[m.jnt_qposadr[j]]], [joint.reference[part.k]], `${name} reference`)
            close([m.qpos_spring[m.jnt_qposadr[j]]], [joint.rest[part.k]], `${name} rest`)
          }
        }
        if (part.kind === 'turn' || part.kind === 'ball') close(slice(m.jnt_pos, j, 3), part.anchor, `${name} anchor`)
        j++
      }
    }
  }
  expect(m.njnt).toBe(j)
}

/** Poses that MuJoCo finds at q. */
async function worldPoses(m: MjModel, q: readonly number[]): Promise<{ xpos: number[]; xquat: number[] }> {
  const module = await mujoco()
  const d = new module.MjData(m)
  d.qpos.set(q)
  module.mj_kinematics(m, d)
  const poses = { xpos: Array.from(d.xpos as Float64Array), xquat: Array.from(d.xquat as Float64Array) }
  d.delete()
  return poses
}

describe('writeMjcf', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))('gives MuJoCo the same bodies, inertias and joints, seed %i', async (seed) => {
    const spec = randomSpec(seed)
    const { text, ignored } = writeMjcf(spec)
    expect(ignored.map(({ what }) => what)).toEqual(createSpecTree(spec).inOrder ? [] : ['order of the coordinates'])
    const m = await compileMjcf(text)
    expectSame(spec, m)
    close(m.opt.gravity, spec.gravity ?? [], 'gravity')
    m.delete()
  })

  it.each(Array.from({ length: 40 }, (_, seed) => seed))('gives MuJoCo the same poses at random coordinates, seed %i', async (seed) => {
    const drawn = randomSpec(seed)
    const random = createRandom(1000 + seed).unit
    const spec: Spec = {
      ...drawn,
      bodies: drawn.bodies.map((body) => ({ ...body, joints: (body.joints ?? []).map((joint) => withInitial(joint, random)) })),
    }
    const m = await compileMjcf(writeMjcf(spec).text)
    const tree = createSpecTree(spec)
    const q = tree.bodies.flatMap((body) => body.joints.flatMap((joint) => joint.initial))
    // the first keyframe is the start
    if (q.length > 0) close(slice(m.key_qpos, 0, m.nq), q, 'keyframe')
    const { xpos, xquat } = await worldPoses(m, q)
    for (const [k, body] of tree.bodies.entries()) {
      close(slice(xpos, k + 1, 3), body.initialPose.position, `${body.spec.name} position`)
      closeQuat(slice(xquat, k + 1, 4), body.initialPose.quaternion, `${body.spec.name} quaternion`)
    }
    m.delete()
  })

  it('writes every feature of the format so that MuJoCo takes it', async () => {
    const { text, ignored } = writeMjcf(FULL_SPEC)
    const m = await compileMjcf(text)
    expectSame(FULL_SPEC, m)
    expect(ignored.map(({ what }) => what)).toEqual([
      'damping of body base',
      'velocityLimit of joint shoulder',
      'helical joint screw',
      'order of the coordinates',
      'solver ode',
      'load on arm',
    ])
    expect(m.opt.timestep).toBe(0.002)
    expect(m.opt.density).toBe(1.2)
    expect(m.opt.viscosity).toBe(1.8e-5)
    close(m.opt.wind, [1, 0, 0], 'wind')
    expect([m.ntendon, m.nu, m.na, m.neq, m.nexclude, m.nmesh, m.nhfield]).toEqual([4, 4, 2, 6, 1, 1, 1])
    const base = 1
    expect(m.body_gravcomp[base]).toBe(0.25)
    m.delete()
  })

  it('writes springs with the length of the start, tendons with their slack', async () => {
    const m = await compileMjcf(writeMjcf(FULL_SPEC).text)
    const tree = createSpecTree(FULL_SPEC)
    const base = tree.byName.get('base') as TreeBody
    const top = [0.1 + 0.4, 0.2, 1.5]
    expect(base.initialPose.position).toEqual([0.1, 0.2, 1.5])
    const length = Math.hypot(top[0], top[1], top[2] - 3)
    close(slice(m.tendon_lengthspring, 0, 2), [length, length], 'spring')
    close(slice(m.tendon_lengthspring, 1, 2), [0.2, 0.9], 'cord')
    // coordinates at rest: shoulder −0.2, slide 0
    close(slice(m.tendon_lengthspring, 2, 2), [-0.2, -0.2], 'gear')
    close(slice(m.tendon_stiffness, 0, 4), [50, 20, 5, 0], 'stiffness')
    close(slice(m.tendon_damping, 0, 2), [1.5, 0.3], 'damping')
    m.delete()
  })

  it('holds a distance by the length of a tendon', async () => {
    const m = await compileMjcf(writeMjcf(FULL_SPEC).text)
    const rod = 4
    const tendon = 3
    expect(m.eq_type[rod]).toBe((await mujoco()).mjtEq.mjEQ_TENDON.value)
    close([m.tendon_length0[tendon] + m.eq_data[11 * rod]], [0.9], 'distance')
    m.delete()
  })

  it('turns keyframe velocities of free joints into MuJoCo axes', async () => {
    const half = Math.SQRT1_2
    const spec: Spec = {
      bodies: [{ name: 'a', position: [0, 0, 1], inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] }, joints: [{ type: 'free' as const }] }],
      keyframes: [{ name: 'spin', time: 2, q: [1, 2, 3, half, 0, 0, half], v: [1, 2, 3, 4, 5, 6] }],
    }
    const m = await compileMjcf(writeMjcf(spec).text)
    close(Array.from(m.key_qpos), [1, 2, 3, half, 0, 0, half], 'qpos')
    // quarter turn about z: body x is world y
    close(Array.from(m.key_qvel), [-5, 4, 6, 1, 2, 3], 'qvel')
    close(Array.from(m.key_time), [2], 'time')
    m.delete()
  })

  it('writes a free joint below another body as slides and a ball with the same poses', async () => {
    const spec: Spec = {
      bodies: [
        {
          name: 'a',
          position: [0, 0, 1],
          quaternion: [0.8, 0, 0.6, 0],
          inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] },
          joints: [{ type: 'revolute' as const, initial: 0.4 }],
        },
        {
          name: 'b',
          parent: 'a',
          position: [1, 2, 3],
          quaternion: [0.6, 0, 0, 0.8],
          inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] },
          joints: [{ name: 'float', type: 'free' as const, initial: [2, 0, 1, 0.5, 0.5, -0.5, 0.5] }],
        },
      ],
    }
    const { text, ignored } = writeMjcf(spec)
    expect(ignored.map(({ path }) => path)).toEqual(['bodies/1/joints/0'])
    const m = await compileMjcf(text)
    expectPoses(await worldPoses(m, Array.from(m.qpos0)), createSpecTree(spec).bodies, 'referencePose')
    expectPoses(await worldPoses(m, slice(m.key_qpos, 0, m.nq)), createSpecTree(spec).bodies, 'initialPose')
    m.delete()
  })

  it('couples hinge and slide of a helical joint', async () => {
    const spec: Spec = {
      bodies: [
        {
          name: 'nut',
          inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] },
          joints: [{ name: 'screw', type: 'helical' as const, axis: [1, 0, 0], pitch: 0.1, reference: 0.5, initial: 2 }],
        },
      ],
    }
    const m = await compileMjcf(writeMjcf(spec).text)
    close(slice(m.key_qpos, 0, 2), [2, 0.15], 'start')
    close(slice(m.eq_data, 0, 2), [0, 0.1], 'coupling')
    expectPoses(await worldPoses(m, [2, 0.15]), createSpecTree(spec).bodies, 'initialPose')
    m.delete()
  })

  it('writes height fields at their heights', async () => {
    const heights = [0.5, 0.6, 0.7, 0.8, 0.6, 0.55]
    const spec: Spec = {
      bodies: [],
      world: {
        geoms: [
          { shape: 'heightfield', size: [4, 2], rows: 2, columns: 3, heights, position: [1, 1, 1], quaternion: [0.5, 0.5, 0.5, 0.5] },
        ],
      },
    }
    const m = await compileMjcf(writeMjcf(spec).text)
    // (0.5 0.5 0.5 0.5) turns z to x
    close(slice(m.geom_pos, 0, 3), [1.5, 1, 1], 'position')
    const found = Array.from(m.hfield_data as Float32Array, (x) => 0.5 + x * m.hfield_size[2])
    close(found, heights, 'heights', 1e-7)
    close(slice(m.hfield_size, 0, 4).slice(0, 2), [2, 1], 'size')
    m.delete()
  })

  it('writes meshes inline or as files, flat ones without contact', async () => {
    const flat = { name: 'flat', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], faces: [0, 1, 2, 2, 1, 3] }
    const spec: Spec = {
      bodies: [],
      meshes: [TETRAHEDRON, flat, { name: 'one', vertices: [0, 0, 0], faces: [] }],
      world: { geoms: ['tetrahedron', 'flat', 'one'].map((mesh) => ({ shape: 'mesh', mesh })) },
    }
    const inline = writeMjcf(spec)
    const m = await compileMjcf(inline.text)
    expect([m.nmesh, m.ngeom]).toEqual([2, 2])
    expect(Array.from(m.geom_contype)).toEqual([1, 0])
    expect(inline.ignored.map(({ path }) => path)).toEqual([
      'meshes/2',
      'world/geoms/1 (mesh 2 of the world)',
      'world/geoms/2 (mesh 3 of the world)',
    ])
    m.delete()
    const { files, text } = writeMjcf(spec, { meshes: 'obj' })
    expect(files.map(({ path }) => path)).toEqual(['meshes/tetrahedron.obj', 'meshes/flat.obj'])
    expect(text).toContain('file="meshes/flat.obj"')
    expect(files[0].text).toContain('v 0.3 0 0\n')
  })

  it('drives several coordinates of one joint through a sum', async () => {
    const spec: Spec = {
      bodies: [
        { name: 'a', inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] }, joints: [{ name: 'u', type: 'universal' as const }] },
        { name: 'f', inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] }, joints: [{ name: 'free', type: 'free' as const }] },
      ],
      actuators: [
        { joint: 'u', gear: [2, 3] },
        { joint: 'u', gear: [0, 5] },
        { joint: 'free', gear: [1, 2, 3, 4, 5, 6] },
      ],
    }
    const module = await mujoco()
    const m = await compileMjcf(writeMjcf(spec).text)
    const d = new module.MjData(m)
    d.ctrl.set([1, 10, 100])
    module.mj_forward(m, d)
    close(Array.from(d.qfrc_actuator as Float64Array), [2, 53, 400, 500, 600, 100, 200, 300], 'forces')
    d.delete()
    m.delete()
  })

  it('leaves geoms of no size out but keeps what they weigh', async () => {
    const geoms: PlacedGeomSpec[] = [
      { shape: 'sphere', radius: 0, mass: 0.5, position: [1, 0, 0] },
      { shape: 'box', size: [0.1, 0.2, 0.3], mass: 1 },
      { shape: 'box', size: [0, 1, 1] },
    ]
    const spec: Spec = { bodies: [{ name: 'a', geoms }] }
    const { text, ignored } = writeMjcf(spec)
    expect(ignored.map(({ path }) => path)).toEqual(["bodies/0/geoms/0 (sphere 1 of body 'a')", "bodies/0/geoms/2 (box 2 of body 'a')"])
    const m = await compileMjcf(text)
    expect(m.ngeom).toBe(1)
    close([m.body_mass[1]], [geomMassProperties(geoms[0], new Map()).mass + 1], 'mass')
    m.delete()
  })

  it('keeps the coordinates of keyframes where files number bodies in another order', async () => {
    const tensor = [1, 1, 1, 0, 0, 0] as const
    const hinge = (name: string, parent?: string) => ({
      name,
      ...(parent ? { parent } : {}),
      inertia: { mass: 1, tensor },
      joints: [{ name, type: 'revolute' as const }],
    })
    const spec: Spec = {
      bodies: [hinge('a'), hinge('b'), hinge('a1', 'a')],
      keyframes: [{ q: [1, 2, 3], v: [4, 5, 6] }],
    }
    const m = await compileMjcf(writeMjcf(spec).text)
    close(slice(m.key_qpos, 0, 3), [1, 3, 2], 'qpos')
    close(slice(m.key_qvel, 0, 3), [4, 6, 5], 'qvel')
    m.delete()
  })

  it('keeps how friction of soft contacts gives way', async () => {
    const text = '<mujoco><option cone="elliptic" impratio="10" noslip_iterations="3"/><worldbody/></mujoco>'
    const { softFriction } = parseMjcf(text)
    expect(softFriction).toEqual({ cone: 'elliptic', impratio: 10, noslip: true })
    const written = writeMjcf({ ...(softFriction && { softFriction }), bodies: [] }).text
    expect(parseMjcf(written).softFriction).toEqual(softFriction)
    const m = await compileMjcf(written)
    expect([m.opt.cone, m.opt.impratio]).toEqual([1, 10])
    expect(m.opt.noslip_iterations).toBeGreaterThan(0)
    m.delete()
    expect(parseMjcf('<mujoco><worldbody/></mujoco>').softFriction).toBeUndefined()
    expect(() => parseMjcf('<mujoco><option impratio="0"/><worldbody/></mujoco>')).toThrow('expected a positive ratio')
  })

  it('keeps numbers and names exactly', async () => {
    const spec: Spec = {
      name: 'a & <b> "c"',
      gravity: [0.1, 1 / 3, -9.80665],
      bodies: [{ name: "it's <1>", position: [0.1 + 0.2, 1e-20, 1e300], inertia: { mass: 1 / 7, tensor: [1, 1, 1, 0, 0, 0] } }],
    }
    const { text } = writeMjcf(spec)
    expect(text).toContain('pos="0.30000000000000004 1e-20 1e+300"')
    const m = await compileMjcf(text)
    expect(m.body_mass[1]).toBe(1 / 7)
    expect(Array.from(m.opt.gravity as Float64Array)).toEqual(spec.gravity)
    m.delete()
  })

  it('says what it leaves out, with the place in the source', () => {
    const { ignored } = writeMjcf({
      bodies: [{ name: 'a', joints: [{ type: 'spherical' as const, stiffness: [1, 2, 3] }], geoms: [{ shape: 'plane' }] }],
      places: { 'bodies/0': { line: 3, column: 7 } },
    })
    expect(ignored).toEqual([
      { path: 'bodies/0 (3:7)', what: 'body a without mass or inertia', why: expect.stringContaining('MuJoCo refuses') },
      { path: 'bodies/0/joints/0 (3:7)', what: 'stiffness of joint bodies/0/joints/0', why: expect.stringContaining('one number') },
      { path: "bodies/0/geoms/0 (plane 1 of body 'a', 3:7)", what: 'plane on a moving body', why: expect.stringContaining('static') },
    ])
  })

  it('refuses bodies that make no tree', () => {
    expect(() =>
      writeMjcf({
        bodies: [
          { name: 'a', parent: 'b' },
          { name: 'b', parent: 'a' },
        ],
      }),
    ).toThrow('got a cycle')
    expect(() => writeMjcf({ bodies: [{ name: 'a', parent: 'c' }] })).toThrow("bodies/0/parent: expected the name of a body, got 'c'")
  })
})

function expectPoses(found: { xpos: number[]; xquat: number[] }, bodies: readonly TreeBody[], when: 'referencePose' | 'initialPose'): void {
  for (const [k, body] of bodies.entries()) {
    close(slice(found.xpos, k + 1, 3), body[when].position, `${body.spec.name} position`)
    closeQuat(slice(found.xquat, k + 1, 4), body[when].quaternion, `${body.spec.name} quaternion`)
  }
}

function withInitial(joint: JointSpec, random: () => number): JointSpec {
  const count: Record<string, number> = { revolute: 1, prismatic: 1, cylindrical: 2, universal: 2, planar: 3, spherical: 4, free: 7 }
  const initial = Array.from({ length: count[joint.type] }, () => 2 * random() - 1)
  const first = initial.length - 4
  if (first >= 0) {
    const n = Math.hypot(...initial.slice(first))
    for (let k = first; k < initial.length; k++) initial[k] /= n
  }
  return { ...joint, initial }
}
