/** What no mechanism can have is refused, with its place; robots that have it in their files are read, and told. */
import {
  type BodySpec,
  buildModel,
  type GeomSpec,
  type JointSpec,
  ModelError,
  parseMjcf,
  parseScene,
  parseUrdf,
  type Spec,
  writeScene,
} from 'limber'
import { describe, expect, it } from 'vitest'

const body = (part: Partial<BodySpec> = {}): BodySpec => ({
  name: 'b',
  inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] },
  joints: [{ name: 'j', type: 'revolute' }],
  ...part,
})
const withJoint = (joint: Partial<JointSpec>): Spec => ({ bodies: [body({ joints: [{ type: 'revolute', ...joint } as JointSpec] })] })
const withGeom = (geom: GeomSpec): Spec => ({ bodies: [body({ geoms: [geom] })] })
const V = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
const withMesh = (vertices: number[], faces: number[]): Spec => ({ bodies: [body()], meshes: [{ name: 'm', vertices, faces }] })

const cases: [string, Spec, RegExp][] = [
  [
    'one moment beyond the others',
    { bodies: [body({ inertia: { mass: 1, tensor: [1, 1, 5, 0, 0, 0] } })] },
    /bodies\/0\/inertia\/tensor: .* exceeds the sum/,
  ],
  ['a face out of range', withMesh(V, [0, 1, 99]), /meshes\/0\/faces\/2: expected a vertex number from 0 to 3, got 99/],
  ['a face before the first vertex', withMesh(V, [0, 1, -1]), /meshes\/0\/faces\/2: .* got -1/],
  ['half a vertex number', withMesh(V, [0, 1, 1.5]), /meshes\/0\/faces\/2: .* got 1.5/],
  ['two thirds of a face', withMesh(V, [0, 1]), /meshes\/0\/faces: expected three vertex numbers a triangle, got 2/],
  ['a vertex that is no number', withMesh([Number.NaN, ...V.slice(1)], [0, 1, 2]), /meshes\/0\/vertices\/0: expected a finite number/],
  ['a mesh of nothing', withMesh([], []), /meshes\/0\/vertices: expected three numbers/],
  [
    'two meshes of one name',
    {
      bodies: [body()],
      meshes: [
        { name: 'm', vertices: V },
        { name: 'm', vertices: V },
      ].map((mesh) => ({ ...mesh, faces: [0, 1, 2] })),
    },
    /meshes\/1\/name: expected a unique name/,
  ],
  [
    'a keyframe without a turn',
    { ...withJoint({ type: 'spherical' }), keyframes: [{ q: [0, 0, 0, 0] }] },
    /keyframes\/0\/q\/0: expected a quaternion/,
  ],
  ['limits of a free joint', withJoint({ type: 'free', limits: [-1, 1] }), /joints\/0\/limits: a free joint has no limits/],
  ['limits of a fixed joint', withJoint({ type: 'fixed', limits: [-1, 1] }), /joints\/0\/limits: a fixed joint has no limits/],
  ['the pitch of a hinge', withJoint({ pitch: 0.1 }), /joints\/0\/pitch: a revolute joint has no pitch/],
  ['a box without depth', withGeom({ shape: 'box', size: [1, 1, 0] }), /geoms\/0\/size: expected a box of some size/],
  ['a point for a sphere', withGeom({ shape: 'sphere', radius: 0 }), /geoms\/0\/radius/],
  ['a line for a capsule', withGeom({ shape: 'capsule', radius: 0, length: 1 }), /geoms\/0\/radius/],
  ['a disc for a cylinder', withGeom({ shape: 'cylinder', radius: 1, length: 0 }), /geoms\/0\/length/],
  ['a flat ellipsoid', withGeom({ shape: 'ellipsoid', radii: [0, 1, 1] }), /geoms\/0\/radii/],
]

describe('nonsense is refused', () => {
  it.each(cases)('%s', (_, spec, message) => {
    expect(() => buildModel(spec)).toThrow(ModelError)
    expect(() => buildModel(spec)).toThrow(message)
  })
})

describe('what is rare, and is not nonsense, is taken', () => {
  it.each<[string, Spec]>([
    ['moments of a thin plate with two digits', { bodies: [body({ inertia: { mass: 1, tensor: [0.033, 0.033, 0.0663, 0, 0, 0] } })] }],
    ['moments that are said to be unchecked', { bodies: [body({ inertia: { mass: 1, tensor: [1, 1, 5, 0, 0, 0], unchecked: true } })] }],
    ['a capsule without length', withGeom({ shape: 'capsule', radius: 1, length: 0 })],
    ['the largest angle of a ball joint', withJoint({ type: 'spherical', limits: [0, 1] })],
    ['limits of both angles of a universal joint', withJoint({ type: 'universal', limits: [-1, 1] })],
    ['limits of all coordinates of a planar joint', withJoint({ type: 'planar', limits: [-1, 1] })],
  ])('%s', (_, spec) => {
    expect(buildModel(parseScene(writeScene(spec))).nbody).toBe(2)
  })
})

describe('robots as they are', () => {
  const urdf = (inside: string): string =>
    `<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="5" ixy="0" ixz="0" iyz="0"/></inertial>${inside}</link><joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>`

  it('a URDF whose moments no body has is read, told, written and read again', () => {
    const spec = parseUrdf(urdf(''))
    expect(spec.ignored).toContainEqual(expect.objectContaining({ what: "moments of inertia of link 'b'" }))
    expect(buildModel(parseScene(writeScene(spec))).nv).toBe(1)
  })

  it('a URDF whose shapes have no size is read without them', () => {
    const spec = parseUrdf(
      urdf('<collision><geometry><sphere radius="0"/></geometry></collision><visual><geometry><box size="1 0 1"/></geometry></visual>'),
    )
    expect(spec.bodies[1]?.geoms ?? []).toEqual([])
    expect(spec.ignored.filter(({ why }) => /without size/.test(why))).toHaveLength(2)
    buildModel(spec)
  })

  it('a key of MJCF without a turn has none, as in MuJoCo, and that is told', () => {
    const spec = parseMjcf(
      '<mujoco><worldbody><body><freejoint name="f"/><geom size="1"/></body></worldbody><keyframe><key qpos="0 0 0 0 0 0 0"/></keyframe></mujoco>',
    )
    expect(spec.keyframes?.[0]?.q).toEqual([0, 0, 0, 1, 0, 0, 0])
    expect(spec.ignored.map(({ what }) => what)).toContain("key qpos: quaternion of joint 'f'")
  })
})
