/**
 * An arm of six hinges on a pedestal that reaches for a ball. The ball hangs in the air wherever it is left; the servos are told by inverse
 * kinematics (`reach`) where to go.
 */
import type { BodySpec, JointSpec, Spec, Vec3 } from 'limber'
import { steel, warmShade } from '../colors.js'
import { defineScene } from '../scene.js'
import { createReach } from './reach.js'
import { servo } from './servo.js'

interface Link {
  readonly joint: string
  readonly axis: Vec3
  readonly position: Vec3
  /** along z from the joint */
  readonly length: number
  readonly radius: number
  readonly mass: number
  readonly initial: number
  readonly limits: readonly [number, number]
  readonly stiffness: number
}

const up: Vec3 = [0, 0, 1]
const across: Vec3 = [0, 1, 0]
const links: readonly Link[] = [
  { joint: 'turn', axis: up, position: [0, 0, 0.2], length: 0.16, radius: 0.075, mass: 4, initial: 0.4, limits: [-3, 3], stiffness: 900 },
  {
    joint: 'shoulder',
    axis: across,
    position: [0, 0, 0.16],
    length: 0.4,
    radius: 0.055,
    mass: 4,
    initial: 0.5,
    limits: [-2, 2],
    stiffness: 900,
  },
  {
    joint: 'elbow',
    axis: across,
    position: [0, 0, 0.4],
    length: 0.34,
    radius: 0.045,
    mass: 2.5,
    initial: 1.2,
    limits: [-2.6, 2.6],
    stiffness: 500,
  },
  { joint: 'roll', axis: up, position: [0, 0, 0.34], length: 0.06, radius: 0.04, mass: 0.8, initial: 0, limits: [-3, 3], stiffness: 120 },
  {
    joint: 'wrist',
    axis: across,
    position: [0, 0, 0.06],
    length: 0.12,
    radius: 0.035,
    mass: 0.6,
    initial: 0.6,
    limits: [-2, 2],
    stiffness: 120,
  },
  { joint: 'flange', axis: up, position: [0, 0, 0.12], length: 0.05, radius: 0.03, mass: 0.3, initial: 0, limits: [-3, 3], stiffness: 40 },
]
/** of the flange, where it meets the ball */
const tip: Vec3 = [0, 0, 0.1]

export const arm = defineScene({
  name: 'arm',
  title: 'Arm that reaches',
  description:
    'Drag the ball: an arm of six hinges follows it. Inverse kinematics tells its servos where to go, within the limits of its joints.',
  parameters: {
    x: { default: 0.5, unit: 'm', min: -2, max: 2, description: 'place of the ball at the start' },
    y: { default: -0.35, unit: 'm', min: -2, max: 2, description: 'place of the ball at the start' },
    z: { default: 0.65, unit: 'm', min: 0, max: 2, description: 'place of the ball at the start' },
    firmness: { default: 1, min: 0.01, max: 100, description: 'factor on the stiffness of the servos' },
  },
  drive: (model) => createReach(model, { body: 'flange', point: tip, target: 'ball', joints: links.map(({ joint }) => joint) }),
  build({ x, y, z, firmness }): Spec {
    const bodies = links.map(
      ({ joint, axis, position, length, radius, mass, initial, limits }, k): BodySpec => ({
        name: joint,
        parent: k === 0 ? 'world' : links[k - 1].joint,
        position,
        // servos of arms know the weight they carry
        gravityCompensation: 1,
        joints: [{ name: joint, type: 'revolute', axis, initial, limits, armature: 0.02 } satisfies JointSpec],
        geoms: [
          {
            shape: 'capsule',
            radius,
            length,
            position: [0, 0, length / 2],
            mass,
            color: k % 2 === 0 ? warmShade(0.15) : steel,
            collide: false,
          },
          ...(axis === across
            ? [
                {
                  shape: 'cylinder',
                  radius: 1.15 * radius,
                  length: 2.6 * radius,
                  quaternion: sideways,
                  density: 0,
                  color: dark,
                  collide: false,
                } as const,
              ]
            : []),
          ...(k === links.length - 1
            ? [{ shape: 'sphere', radius: 0.02, position: tip, density: 0, color: dark, collide: false } as const]
            : []),
        ],
      }),
    )
    return {
      name: 'arm',
      gravity: [0, 0, -9.81],
      timestep: 0.005,
      solver: { name: 'redmax' },
      bodies: [
        ...bodies,
        {
          name: 'ball',
          position: [x, y, z],
          gravityCompensation: 1,
          damping: { linear: 6, angular: 0.05 },
          joints: [{ name: 'ball', type: 'free' }],
          geoms: [{ shape: 'sphere', radius: 0.06, mass: 0.5, color: [0.88, 0.25, 0.3, 1], collide: false }],
        },
      ],
      actuators: links.map(({ joint, limits, stiffness }) => servo(joint, firmness * stiffness, 0.12 * firmness * stiffness, limits)),
      world: {
        geoms: [
          { shape: 'plane', collide: false },
          { shape: 'cylinder', radius: 0.12, length: 0.2, position: [0, 0, 0.1], color: dark, collide: false },
        ],
      },
    }
  },
})

const sideways = [Math.SQRT1_2, Math.SQRT1_2, 0, 0] as const
const dark = [0.24, 0.27, 0.33, 1] as const
