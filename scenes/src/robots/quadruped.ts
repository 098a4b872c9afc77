/**
 * A quadruped of twelve hinges with position servos: it stands at its keyframe, and may be pushed.
 */

import type { ActuatorSpec, BodySpec, KeyframeSpec, Spec, Vec3 } from 'limber'
import { steel, warmShade } from '../colors.js'
import { cos, sin } from '../portable.js'
import { defineScene } from '../scene.js'
import { servo } from './servo.js'

const trunk = { length: 0.44, width: 0.2, height: 0.12 }
const thigh = 0.21
const shin = 0.21
const foot = 0.024
export const legs = [
  ['front-left', 1, 1],
  ['front-right', 1, -1],
  ['back-left', -1, 1],
  ['back-right', -1, -1],
] as const
/** hip outwards, hip forwards, knee, of each leg */
export const poses = { stand: [0, 0.7, -1.4], crouch: [0, 1.15, -2.2], wide: [0.3, 0.75, -1.45] } as const
const ranges = { roll: [-0.8, 0.8], hip: [-0.8, 2], knee: [-2.5, -0.4] } as const

export const quadruped = defineScene({
  name: 'quadruped',
  title: 'Quadruped that stands',
  description: 'Four legs with three servos each stand on the ground. Push it, drag it, or give it another posture in Control.',
  parameters: {
    stiffness: { default: 90, unit: 'N m/rad', min: 0, max: 1e4, description: 'how firmly a servo holds its angle' },
    damping: { default: 3, unit: 'N m s/rad', min: 0, max: 1e3, description: 'damping of a servo' },
    friction: { default: 0.9, min: 0, max: 5, description: 'coefficient of friction of the ground' },
  },
  build({ stiffness, damping, friction }): Spec {
    const { bodies, actuators } = makeQuadruped({ position: [0, 0, standing('stand')], stiffness, damping, friction })
    return {
      name: 'quadruped',
      gravity: [0, 0, -9.81],
      timestep: 0.004,
      solver: { name: 'redmax' },
      bodies,
      actuators,
      keyframes: (Object.keys(poses) as (keyof typeof poses)[]).map(keyframe),
      world: { geoms: [{ shape: 'plane', friction }] },
    }
  },
})

interface QuadrupedOptions {
  /** before every name; default none */
  readonly prefix?: string
  /** of the trunk */
  readonly position: Vec3
  readonly stiffness: number
  readonly damping: number
  readonly friction: number
  /** shade of its thighs, from 0 to 1 */
  readonly shade?: number
}

/** N m that a servo can give */
const most = 40

/** One that stands, with its servos: hip outwards, hip forwards and knee of each leg. */
export function makeQuadruped({ prefix = '', position, stiffness, damping, friction, shade = 0.4 }: QuadrupedOptions): {
  readonly bodies: BodySpec[]
  readonly actuators: ActuatorSpec[]
} {
  const trunkName = `${prefix}trunk`
  const bodies: BodySpec[] = [
    {
      name: trunkName,
      position,
      joints: [{ name: `${prefix}root`, type: 'free' }],
      geoms: [
        { shape: 'box', size: [trunk.length, trunk.width, trunk.height], mass: 6, color: warmShade(0.1) },
        { shape: 'box', size: [0.1, 0.14, 0.1], position: [0.27, 0, 0.03], mass: 0.6, color: steel, collide: false },
      ],
    },
  ]
  const actuators: ActuatorSpec[] = []
  for (const [name, along, side] of legs) {
    const [roll, hip, knee] = ['roll', 'hip', 'knee'].map((part) => `${prefix}${name}-${part}`)
    bodies.push(
      {
        name: roll,
        parent: trunkName,
        position: [along * 0.19, side * 0.07, 0],
        joints: [{ name: roll, type: 'revolute', axis: [side, 0, 0], limits: ranges.roll, armature: 0.01 }],
        geoms: [{ shape: 'sphere', radius: 0.045, position: [0, side * 0.04, 0], mass: 0.5, color: steel, collide: false }],
      },
      {
        name: hip,
        parent: roll,
        position: [0, side * 0.08, 0],
        joints: [{ name: hip, type: 'revolute', axis: [0, 1, 0], initial: poses.stand[1], limits: ranges.hip, armature: 0.01 }],
        geoms: [
          {
            shape: 'capsule',
            radius: 0.026,
            length: thigh,
            position: [0, 0, -thigh / 2],
            mass: 0.7,
            color: warmShade(shade),
            collide: false,
          },
        ],
      },
      {
        name: knee,
        parent: hip,
        position: [0, 0, -thigh],
        joints: [{ name: knee, type: 'revolute', axis: [0, 1, 0], initial: poses.stand[2], limits: ranges.knee, armature: 0.01 }],
        geoms: [
          { shape: 'capsule', radius: 0.016, length: shin, position: [0, 0, -shin / 2], mass: 0.2, color: steel, collide: false },
          { shape: 'sphere', radius: foot, position: [0, 0, -shin], mass: 0.05, friction, color: warmShade(1) },
        ],
      },
    )
    actuators.push(
      servo(roll, stiffness, damping, ranges.roll, most),
      servo(hip, stiffness, damping, ranges.hip, most),
      servo(knee, stiffness, damping, ranges.knee, most),
    )
  }
  return { bodies, actuators }
}

type Pose = keyof typeof poses

function keyframe(name: Pose): KeyframeSpec {
  const control = legs.flatMap(() => [...poses[name]])
  return { name, q: [0, 0, standing(name), 1, 0, 0, 0, ...control], control }
}

/** Height of the trunk at which the feet touch the ground. */
export function standing(name: Pose): number {
  const [roll, hip, knee] = poses[name]
  const leg = thigh * cos(hip) + shin * cos(hip + knee)
  // the hip hangs out sideways by 0.08 m
  return foot + leg * cos(roll) - 0.08 * sin(roll)
}
