/**
 * Mechanisms for the tests of readers and writers: one with every feature of `Spec`, and a generator of random ones.
 */
import type { BodySpec, GeomSpec, JointSpec, JointTypeName, MeshSpec, Quat, Spec, Vec3 } from '../../src/build/spec.js'
import { createRandom } from '../random.js'

export const TETRAHEDRON: MeshSpec = {
  name: 'tetrahedron',
  vertices: [0, 0, 0, 0.3, 0, 0, 0, 0.4, 0, 0, 0, 0.5],
  faces: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
}

const HALF = Math.SQRT1_2

/** Every kind of part that a Spec can hold. */
export const FULL_SPEC: Spec = {
  name: 'every feature',
  gravity: [0, 0.5, -9.81],
  medium: { density: 1.2, viscosity: 1.8e-5, wind: [1, 0, 0] },
  timestep: 0.002,
  solver: { name: 'ode', options: { method: 'rk4', rtol: 1e-6, dense: false } },
  world: {
    geoms: [
      { shape: 'plane', name: 'floor', size: [10, 8], color: [0.5, 0.5, 0.5, 1], friction: 0.8 },
      { shape: 'heightfield', size: [4, 2], rows: 2, columns: 3, heights: [0, 0.1, 0.2, 0.3, 0.1, 0], position: [0, 9, 0] },
    ],
    sites: [{ name: 'hook', position: [0, 0, 3] }],
  },
  bodies: [
    {
      name: 'base',
      position: [0.1, 0.2, 1.5],
      quaternion: [HALF, 0, HALF, 0],
      inertia: { mass: 4, com: [0.01, 0.02, 0.03], tensor: [0.3, 0.4, 0.5, 0.01, 0.02, -0.03] },
      joints: [{ name: 'root', type: 'free', damping: 0.25 }],
      geoms: [{ shape: 'box', name: 'trunk', size: [0.4, 0.6, 0.8], color: [0.2, 0.4, 0.8, 0.5], friction: 0.6 }],
      sites: [{ name: 'imu', position: [0, 0.1, 0], quaternion: [0.5, 0.5, 0.5, 0.5] }],
      damping: { angular: 0.1, linear: 0.2 },
      gravityCompensation: 0.25,
    },
    {
      name: 'arm',
      parent: 'base',
      position: [0.3, 0, 0.1],
      quaternion: [0.8, 0.6, 0, 0],
      joints: [
        {
          name: 'shoulder',
          type: 'revolute',
          axis: [0, 1, 0],
          anchor: [0, 0, -0.1],
          reference: 0.3,
          initial: 0.5,
          stiffness: 12,
          rest: -0.2,
          damping: 0.4,
          armature: 0.01,
          limits: [-1.5, 1.5],
          friction: 0.05,
          forceRange: [-30, 30],
          velocityLimit: 6,
        },
      ],
      geoms: [
        { shape: 'capsule', radius: 0.05, length: 0.4, density: 800, position: [0, 0, 0.2] },
        { shape: 'sphere', radius: 0.08, mass: 0.5, position: [0, 0, 0.4], collide: false },
        { shape: 'cylinder', radius: 0.02, length: 0.1, quaternion: [HALF, HALF, 0, 0], visible: false },
      ],
      sites: [{ name: 'elbow', position: [0, 0, 0.4] }],
    },
    {
      name: 'slider',
      parent: 'arm',
      position: [0, 0, 0.45],
      inertia: { mass: 1, tensor: [0.01, 0.02, 0.02, 0, 0, 0], axes: [0.8, 0.6, 0, 0] },
      joints: [{ name: 'slide', type: 'prismatic', axis: [1, 0, 0], limits: [-0.1, 0.3], damping: [0.1] }],
      geoms: [{ shape: 'ellipsoid', radii: [0.1, 0.05, 0.06] }],
    },
    {
      name: 'cross',
      parent: 'base',
      position: [-0.3, 0, 0],
      joints: [
        {
          name: 'knuckle',
          type: 'universal',
          axis: [1, 0, 0],
          axis2: [0, 1, 0],
          damping: [0.1, 0.2],
          reference: [0.1, -0.1],
          armature: 0.02,
        },
      ],
      geoms: [{ shape: 'mesh', mesh: 'tetrahedron', density: 500 }],
    },
    {
      name: 'puck',
      position: [2, 0, 0.5],
      inertia: { mass: 0.3, tensor: [0.01, 0.01, 0.015, 0, 0, 0] },
      joints: [{ name: 'table', type: 'planar', initial: [0.1, 0.2, 0.3] }],
    },
    {
      name: 'piston',
      position: [3, 0, 0.5],
      inertia: { mass: 0.4, tensor: [0.01, 0.012, 0.015, 0, 0, 0] },
      joints: [{ name: 'bore', type: 'cylindrical', axis: [0, 0, 1], stiffness: [1, 2], rest: [0.1, 0.2] }],
    },
    {
      name: 'nut',
      position: [4, 0, 0.5],
      inertia: { mass: 0.2, tensor: [0.01, 0.01, 0.01, 0, 0, 0] },
      joints: [{ name: 'screw', type: 'helical', axis: [0, 0, 1], pitch: 0.05, reference: 0.2 }],
    },
    {
      name: 'ball',
      parent: 'slider',
      position: [0.1, 0, 0],
      inertia: { mass: 0.6, com: [0, 0, -0.2], tensor: [0.02, 0.02, 0.01, 0, 0, 0] },
      joints: [{ name: 'socket', type: 'spherical', anchor: [0, 0, 0.1], stiffness: 3, damping: 0.1, limits: [0, 1.2] }],
    },
    {
      name: 'gimbal',
      parent: 'ball',
      inertia: { mass: 0.1, tensor: [0.001, 0.001, 0.001, 0, 0, 0] },
      joints: [
        { name: 'yaw', type: 'revolute' },
        { name: 'pitch', type: 'revolute', axis: [0, 1, 0], anchor: [0, 0, 0.05] },
      ],
    },
    { name: 'tool', parent: 'gimbal', position: [0, 0, 0.2], geoms: [{ shape: 'box', size: [0.02, 0.02, 0.1], mass: 0.05 }] },
  ],
  springs: [
    { name: 'bungee', a: { body: 'world', point: [0, 0, 3] }, b: { body: 'base', point: [0, 0, 0.4] }, stiffness: 50, damping: 1.5 },
  ],
  tendons: [
    {
      name: 'cord',
      path: [{ body: 'base' }, { body: 'arm', point: [0, 0, 0.4] }, { pulley: 2 }, { body: 'arm' }, { body: 'slider', point: [0, 0.1, 0] }],
      stiffness: 20,
      damping: 0.3,
      rest: [0.2, 0.9],
      limits: [0, 2],
      armature: 0.01,
      friction: 0.02,
    },
    {
      name: 'gear',
      joints: [
        { joint: 'shoulder', coefficient: 1 },
        { joint: 'slide', coefficient: -2 },
      ],
      stiffness: 5,
    },
  ],
  loads: [{ name: 'push', body: 'arm', force: [1, 0, 0], torque: [0, 0, 0.1], point: [0, 0, 0.4], frame: 'body' }],
  actuators: [
    { name: 'servo', joint: 'shoulder', gear: [2], gain: [40, 0, 0], bias: [0, -40, -2], controlRange: [-1, 1], forceRange: [-50, 50] },
    { name: 'winch', tendon: 'cord', dynamics: { type: 'filter', time: 0.05, range: [0, 1] } },
    { name: 'thruster', site: 'imu', gear: [0, 0, 1, 0, 0, 0.1] },
    { name: 'twist', joint: 'socket', gear: [0, 0, 1], dynamics: { type: 'integrator', time: 0 } },
  ],
  constraints: [
    { type: 'point', name: 'loop', a: { body: 'puck', point: [0, 0, 0.1] }, b: { body: 'world', point: [2, 0, 0.6] }, active: false },
    { type: 'weld', a: 'piston', b: 'nut', position: [1, 0, 0], quaternion: [1, 0, 0, 0], active: false },
    { type: 'coupling', joint: 'pitch', of: 'yaw', polynomial: [0.1, 0.5, 0.01] },
    { type: 'tendon-coupling', tendon: 'gear', polynomial: [0.2], active: false },
    { type: 'distance', name: 'rod', a: { body: 'tool' }, b: { body: 'base' }, distance: 0.9, active: false },
  ],
  meshes: [TETRAHEDRON],
  exclude: [['base', 'arm']],
  ignored: [{ path: 'mujoco/asset/texture[1]', what: 'texture', why: 'not drawn' }],
}

/** Joint types that MJCF can state exactly, below any body. */
const EXACT = ['revolute', 'prismatic', 'cylindrical', 'universal', 'planar', 'spherical'] as const

/** A random tree of bodies with the given joint types. */
export function randomSpec(seed: number, types: readonly JointTypeName[] = EXACT): Spec {
  const random = createRandom(seed).unit
  const between = (a: number, b: number) => a + (b - a) * random()
  const vector = (r: number): Vec3 => [between(-r, r), between(-r, r), between(-r, r)]
  const quaternion = (): Quat => {
    const q = [between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)]
    const n = Math.hypot(...q)
    return [q[0] / n, q[1] / n, q[2] / n, q[3] / n]
  }
  const axis = (): Vec3 => {
    const a = vector(1)
    const n = Math.hypot(...a)
    return [a[0] / n, a[1] / n, a[2] / n]
  }
  const count = 1 + Math.floor(random() * 8)
  const bodies: BodySpec[] = []
  for (let i = 0; i < count; i++) {
    const parent = i === 0 || random() < 0.2 ? 'world' : `body${Math.floor(random() * i)}`
    const free = parent === 'world' && random() < 0.3
    const joints: JointSpec[] = []
    const jointCount = free ? 1 : Math.floor(random() * 3)
    for (let k = 0; k < jointCount; k++) {
      // MuJoCo takes no joint that turns after a ball joint of the same body, nor a second ball
      const last = joints.at(-1)?.type
      if (last === 'spherical') break
      const type = free ? 'free' : types[Math.floor(random() * types.length)]
      const scalar = type === 'revolute' || type === 'prismatic'
      const a = axis()
      joints.push({
        name: `joint${i}_${k}`,
        type,
        ...(free ? {} : { anchor: vector(0.3) }),
        ...(type === 'spherical' || free ? {} : { axis: a }),
        ...(type === 'universal' || type === 'planar' ? { axis2: perpendicular(a) } : {}),
        ...(scalar && random() < 0.5 ? { reference: between(-1, 1) } : {}),
        ...(scalar && random() < 0.5 ? { stiffness: between(0, 9), rest: between(-1, 1) } : {}),
        ...(random() < 0.5 ? { damping: between(0, 1), armature: between(0, 0.1) } : {}),
      })
    }
    const geoms: GeomSpec[] = [
      {
        shape: 'box',
        size: [between(0.1, 1), between(0.1, 1), between(0.1, 1)],
        position: vector(0.2),
        quaternion: quaternion(),
        density: 700,
      },
      { shape: 'capsule', radius: between(0.05, 0.2), length: between(0.1, 0.5), position: vector(0.3), mass: between(0.1, 2) },
    ]
    const a = between(0.1, 0.4)
    bodies.push({
      name: `body${i}`,
      ...(parent === 'world' && random() < 0.5 ? {} : { parent }),
      position: vector(1),
      quaternion: quaternion(),
      ...(random() < 0.5
        ? { inertia: { mass: between(0.5, 3), com: vector(0.1), tensor: [a, a * 1.1, a * 1.3, 0.01 * a, -0.02 * a, 0.03 * a] } }
        : {}),
      joints,
      geoms,
    })
  }
  return { name: `random ${seed}`, gravity: vector(10), bodies }
}

function perpendicular(a: Vec3): Vec3 {
  const b: Vec3 = Math.abs(a[0]) < 0.5 ? [1, 0, 0] : [0, 1, 0]
  const c: Vec3 = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
  const n = Math.hypot(...c)
  return [c[0] / n, c[1] / n, c[2] / n]
}
