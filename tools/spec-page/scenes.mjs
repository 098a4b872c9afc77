/**
 * The scenes of docs/spec.md: together they use every key of a Spec, and each is read and built by the test of the page.
 */

const inertia = { mass: 1, tensor: [0.02, 0.02, 0.01, 0, 0, 0] }

const joints = {
  $schema: './scene.schema.json',
  name: 'joints',
  gravity: [0, 0, -9.81],
  timestep: 0.002,
  solver: { name: 'redmax', options: { tolerance: 1e-8 } },
  angle: 'degree',
  bodies: [
    {
      name: 'arm',
      parent: 'world',
      position: [0, 0, 1],
      quaternion: [1, 0, 0, 0],
      inertia: { mass: 2, com: [0.2, 0, 0], tensor: [0.01, 0.03, 0.03, 0, 0, 0], axes: [1, 0, 0, 0], unchecked: false },
      joints: [
        {
          name: 'shoulder',
          type: 'revolute',
          axis: [0, 1, 0],
          anchor: [0, 0, 0],
          reference: 0,
          initial: 0.3,
          stiffness: 5,
          rest: 0.1,
          damping: 0.2,
          armature: 0.01,
          limits: [-1.5, 1.5],
          limitMargin: 0.01,
          limitSoftness: { solref: [0.02, 1], solimp: [0.9, 0.95, 0.001, 0.5, 2] },
          friction: 0.05,
          frictionSoftness: { solref: [0.02, 1], solimp: [0.9, 0.95, 0.001, 0.5, 2] },
          forceRange: [-40, 40],
          actuatorGravityCompensation: false,
          velocityLimit: 6,
        },
      ],
      geoms: [{ shape: 'capsule', radius: 0.03, fromto: [0, 0, 0, 0.4, 0, 0] }],
      sites: [{ name: 'hand', position: [0.4, 0, 0], quaternion: [1, 0, 0, 0] }],
      damping: { angular: 0.01, linear: 0.02 },
      gravityCompensation: 0.5,
    },
    { name: 'cross', parent: 'arm', position: [0.4, 0, 0], inertia, joints: [{ type: 'universal', axis: [1, 0, 0], axis2: [0, 1, 0] }] },
    { name: 'screw', position: [1, 0, 1], inertia, joints: [{ name: 'thread', type: 'helical', pitch: 0.01 }] },
  ],
}

const shapes = {
  name: 'shapes',
  medium: { density: 1.2, viscosity: 1.8e-5, wind: [1, 0, 0] },
  softFriction: { cone: 'elliptic', impratio: 10, noslip: false },
  world: {
    geoms: [
      { name: 'floor', shape: 'plane', size: [10, 10], friction: 0.8 },
      { name: 'hills', shape: 'heightfield', position: [8, 0, 0], size: [4, 2], rows: 2, columns: 3, heights: [0, 0.1, 0.2, 0.3, 0.1, 0] },
    ],
    sites: [{ name: 'corner', position: [5, 5, 0] }],
  },
  bodies: [
    {
      name: 'crate',
      position: [0, 0, 0.5],
      joints: [{ type: 'free' }],
      geoms: [
        {
          name: 'crate',
          shape: 'box',
          size: [0.4, 0.4, 0.4],
          position: [0, 0, 0],
          quaternion: [1, 0, 0, 0],
          density: 300,
          color: [0.8, 0.5, 0.2, 1],
          collide: true,
          visible: true,
          friction: [0.6, 0.005, 0.0001],
          condim: 4,
          priority: 1,
          solmix: 1,
          solref: [0.02, 1],
          solimp: [0.9, 0.95, 0.001, 0.5, 2],
          margin: 0.001,
          gap: 0,
          category: 1,
          mask: 3,
        },
        { shape: 'sphere', radius: 0.05, position: [0, 0, 0.3], mass: 0.2 },
        { shape: 'cylinder', radius: 0.03, length: 0.2, position: [0.3, 0, 0], collide: false },
        { shape: 'ellipsoid', radii: [0.3, 0.2, 0.02], mass: 0.1, collide: false, fluid: [0.5, 0.25, 1.5, 1, 1] },
      ],
    },
    { name: 'wedge', position: [2, 0, 0.5], joints: [{ type: 'free' }], geoms: [{ name: 'wedge', shape: 'mesh', mesh: 'wedge', mass: 1 }] },
    { name: 'hand', position: [3, 0, 1], driven: true, geoms: [{ name: 'palm', shape: 'box', size: [0.1, 0.1, 0.02] }] },
  ],
  meshes: [{ name: 'wedge', vertices: [0, 0, 0, 0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4], faces: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] }],
  pairs: [
    {
      a: 'wedge',
      b: 'floor',
      condim: 3,
      friction: [0.9, 0.9, 0.005, 0.0001, 0.0001],
      solref: [0.02, 1],
      solimp: [0.9, 0.95, 0.001, 0.5, 2],
      margin: 0,
      gap: 0,
    },
  ],
  touchFixedParents: false,
  exclude: [['crate', 'wedge']],
  ignored: [{ path: 'mujoco/asset/texture (3:5)', what: 'texture', why: 'only looks' }],
}

const forces = {
  name: 'forces',
  world: {
    geoms: [{ name: 'peg', shape: 'cylinder', radius: 0.05, length: 0.2, quaternion: [0.7071, 0.7071, 0, 0], collide: false }],
    sites: [{ name: 'above', position: [0, 0, 0.2] }],
  },
  bodies: [
    {
      name: 'left',
      position: [-0.5, 0, -0.5],
      inertia,
      joints: [{ name: 'lift', type: 'prismatic', axis: [0, 0, 1] }],
      sites: [{ name: 'jet' }],
    },
    { name: 'right', position: [0.5, 0, -0.5], inertia, joints: [{ name: 'turn', type: 'revolute', axis: [0, 1, 0] }] },
  ],
  springs: [{ name: 'bungee', a: { body: 'world', point: [-0.5, 0, 1] }, b: { body: 'left' }, stiffness: 50, damping: 1, rest: 1.2 }],
  tendons: [
    {
      name: 'rope',
      path: [
        { body: 'left' },
        { geom: 'peg', side: 'above' },
        { body: 'right' },
        { pulley: 2 },
        { body: 'right' },
        { body: 'world', point: [1, 0, 0] },
      ],
      stiffness: 20,
      damping: 0.5,
      rest: [1, 1.4],
      limits: [0.5, 3],
      limitMargin: 0.01,
      limitSoftness: { solref: [0.02, 1], solimp: [0.9, 0.95, 0.001, 0.5, 2] },
      friction: 0.1,
      frictionSoftness: { solref: [0.02, 1], solimp: [0.9, 0.95, 0.001, 0.5, 2] },
    },
    {
      name: 'sum',
      armature: 0.01,
      joints: [
        { joint: 'lift', coefficient: 1 },
        { joint: 'turn', coefficient: -0.2 },
      ],
    },
  ],
  loads: [
    { name: 'push', body: 'right', point: [0, 0, 0.1], force: [1, 0, 0], torque: [0, 0.1, 0], frame: 'body' },
    { name: 'car', moving: { start: 0, duration: 2, along: [{ body: 'right', from: [-0.2, 0, 0], to: [0.2, 0, 0] }] }, force: [0, 0, -5] },
  ],
  actuators: [
    { name: 'servo', joint: 'turn', gain: [100, 0, 0], bias: [0, -100, -5], controlRange: [-1, 1], forceRange: [-30, 30] },
    { name: 'winch', tendon: 'sum', gear: [2], dynamics: { type: 'filter', time: 0.05, range: [0, 1], early: true } },
    { name: 'thruster', site: 'jet', gear: [0, 0, 1, 0, 0, 0] },
    {
      name: 'biceps',
      tendon: 'rope',
      dynamics: { type: 'muscle', time: [0.01, 0.04, 0] },
      muscle: {
        lengthRange: [0.5, 3],
        active: { range: [0.75, 1.05], force: 100, scale: 200, lmin: 0.5, lmax: 1.6, vmax: 1.5, fpmax: 1.3, fvmax: 1.2 },
        passive: { force: 100 },
      },
    },
  ],
}

const link = (name, parent, position) => ({ name, parent, position, inertia, joints: [{ name, type: 'revolute', axis: [0, 1, 0] }] })
const soft = { solref: [0.02, 1], solimp: [0.9, 0.95, 0.001, 0.5, 2] }

const constraints = {
  name: 'constraints',
  bodies: [
    link('crank', 'world', [0, 0, 0]),
    link('coupler', 'crank', [0, 0, 0.1]),
    link('rocker', 'world', [0.4, 0, 0]),
    { name: 'box', position: [1, 0, 0], inertia, joints: [{ type: 'free' }] },
    { name: 'lid', position: [1, 0, 0.2], inertia, joints: [{ type: 'free' }] },
    { name: 'plate', position: [2, 0, 0], inertia, joints: [{ type: 'free' }] },
    { name: 'bob', position: [2, 0, 0.5], inertia, joints: [{ type: 'free' }] },
  ],
  tendons: [
    { name: 'length', joints: [{ joint: 'rocker', coefficient: 1 }] },
    { name: 'other', joints: [{ joint: 'coupler', coefficient: 1 }] },
  ],
  constraints: [
    {
      name: 'pin',
      type: 'point',
      a: { body: 'coupler', point: [0.4, 0, 0] },
      b: { body: 'rocker', point: [0, 0, 0.1] },
      axes: [
        [1, 0, 0],
        [0, 0, 1],
      ],
      active: true,
    },
    {
      name: 'hinge',
      type: 'hinge',
      a: { body: 'box', point: [0, 0, 0.2], axis: [0, 1, 0] },
      b: { body: 'lid', axis: [0, 1, 0] },
      active: false,
    },
    { type: 'planar', a: { body: 'world' }, b: { body: 'box' }, normal: [0, 0, 1] },
    { type: 'weld', a: 'box', b: 'lid', position: [0, 0, 0.2], quaternion: [1, 0, 0, 0], ...soft },
    { type: 'distance', a: { body: 'plate' }, b: { body: 'bob' }, distance: 0.5 },
    { type: 'coupling', joint: 'rocker', of: 'crank', polynomial: [0, 1], active: false },
    { type: 'tendon-coupling', tendon: 'length', of: 'other', polynomial: [0, 1], active: false },
    {
      type: 'motion',
      joint: 'crank',
      offset: 0,
      speed: 1,
      amplitude: 0.1,
      frequency: 2,
      phase: 0,
      rise: { size: 0.5, start: 0, duration: 1, steepness: 7 },
      follow: 'speed',
    },
    { type: 'motion', body: 'plate', point: [0, 0, 0], direction: [0, 0, 1], amplitude: 0.05, frequency: 1 },
    { type: 'motion', body: 'plate', axis: [0, 0, 1], speed: 0.5 },
  ],
}

const instruments = {
  name: 'sensors',
  bodies: [
    {
      name: 'arm',
      inertia,
      joints: [{ name: 'elbow', type: 'revolute', axis: [0, 1, 0] }],
      sites: [{ name: 'imu' }],
      geoms: [{ shape: 'sphere', radius: 0.1 }],
    },
  ],
  tendons: [{ name: 'cord', joints: [{ joint: 'elbow', coefficient: 0.1 }] }],
  actuators: [{ name: 'motor', joint: 'elbow', dynamics: { type: 'filter', time: 0.1 } }],
  sensors: [
    { name: 'pose', type: 'framepos', at: { body: 'arm', position: [0.1, 0, 0], quaternion: [1, 0, 0, 0] }, relative: { site: 'imu' } },
    { name: 'rate', type: 'gyro', at: { site: 'imu' }, cutoff: 20 },
    { name: 'compass', type: 'magnetometer', at: { site: 'imu' }, field: [0, -0.5, 0] },
    { name: 'angle', type: 'jointpos', joint: 'elbow' },
    { name: 'length', type: 'tendonpos', tendon: 'cord' },
    { name: 'torque', type: 'actuatorfrc', actuator: 'motor' },
    { name: 'middle', type: 'subtreecom', body: 'arm' },
    { name: 'skin', type: 'touch', at: { site: 'imu' }, zone: { shape: 'sphere', radius: 0.12 } },
    { name: 'pad', type: 'touch', at: { site: 'imu' }, zone: { shape: 'box', size: [0.3, 0.3, 0.3] } },
    { name: 'finger', type: 'touch', at: { site: 'imu' }, zone: { shape: 'capsule', radius: 0.1, length: 0.1 } },
    { name: 'dome', type: 'touch', at: { site: 'imu' }, zone: { shape: 'ellipsoid', radii: [0.1, 0.1, 0.2] } },
  ],
  keyframes: [{ name: 'home', time: 0, q: [0.5], v: [0], control: [0.2], act: [0.2] }],
}

const deformable = {
  name: 'deformable',
  contact: { stiffness: 5000, friction: 0.5, slip: 0.01 },
  medium: { density: 1.2, gusts: [{ velocity: [0, 2, 0], frequency: 0.5, phase: 0 }] },
  bodies: [
    {
      name: 'blade',
      inertia,
      joints: [{ name: 'root', type: 'revolute', axis: [0, 1, 0] }],
      drag: [0.1, 0.5, 0.1],
      deformation: {
        points: [
          { mass: 0.1, position: [0.2, 0, 0] },
          { mass: 0.1, position: [0.4, 0, 0] },
          { mass: 0.1, position: [0.4, 0.1, 0] },
        ],
        modes: [
          {
            shape: [
              [0, 0, 0.2],
              [0, 0, 1],
              [0, 0, 1],
            ],
            stiffness: 40,
            damping: 0.1,
            rest: 0,
            initial: 0.01,
          },
        ],
      },
    },
    {
      name: 'tip',
      parent: 'blade',
      position: [0.4, 0, 0],
      attach: { points: [0, 1, 2] },
      geoms: [{ shape: 'sphere', radius: 0.02, mass: 0.01 }],
    },
    { name: 'bead', parent: 'blade', attach: { vertex: 1 }, geoms: [{ shape: 'sphere', radius: 0.01, mass: 0.01 }] },
  ],
  springs: [{ a: { body: 'world', point: [0.4, 0, 1] }, b: { body: 'blade', vertex: 1 }, stiffness: 2 }],
  loads: [{ body: 'blade', vertex: 2, force: [0, 0, -0.1] }],
}

/** `beam.reduced` is what `limber reduce` writes; the test puts its bytes in place of the words. */
const domains = {
  name: 'domains',
  bodies: [
    {
      name: 'beam',
      domain: {
        name: 'beam',
        scale: 1,
        frequency: 1,
        damping: { mass: 0.1, stiffness: 0.001 },
        contact: [0, 1],
        phase: 0,
        color: [0.3, 0.6, 0.9, 1],
      },
    },
    { name: 'end', parent: 'beam', attach: 'right', joints: [{ type: 'revolute' }], inertia },
    { name: 'copy', position: [0, 1, 0], domain: { name: 'inside' } },
  ],
  domains: [
    { name: 'beam', file: 'beam.reduced' },
    { name: 'inside', data: 'base64 of the bytes of beam.reduced' },
  ],
}

export const scenes = { joints, shapes, forces, constraints, sensors: instruments, deformable, domains }
