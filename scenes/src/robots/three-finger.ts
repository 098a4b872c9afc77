/**
 * Three fingers of two servos each that take a ball or a box from the floor, lift it, shake it and set it down again: friction and the wrap of
 * the fingers hold it.
 */
import type { BodySpec, GeomSpec, Spec } from 'limber'
import { steel, warmShade } from '../colors.js'
import { cos, sin } from '../portable.js'
import { defineScene } from '../scene.js'
import { blend } from './blend.js'
import { servo } from './servo.js'

const height = 0.35
/** of the hinges from the axis of the hand, and lengths of the two parts of a finger */
const finger = { out: 0.05, near: 0.06, far: 0.045, thickness: 0.009, pad: 0.012 }
const range = { sway: [-0.1, 0.1], lift: [-0.28, 0.05], near: [-0.5, 1.2], far: [-0.2, 1.3] } as const
const open = { near: -0.35, far: 0.35 }
const closed = { near: 0.55, far: 0.7 }
/** of the palm above the floor when the fingers close */
const reach = 0.12
/** seconds of one round */
const round = 8

const objects = {
  ball: { shape: 'sphere', radius: 0.035 },
  box: { shape: 'box', size: [0.055, 0.055, 0.07] },
} as const satisfies Record<string, GeomSpec>

export const threeFinger = defineScene({
  name: 'three-finger',
  title: 'Three-finger gripper',
  description: 'Three fingers close on a ball, lift it, shake it three times a second and set it down; in Control you can take over.',
  parameters: {
    object: { default: 'ball', choices: ['ball', 'box'], description: 'what lies on the floor' },
    mass: { default: 0.2, unit: 'kg', min: 0.01, max: 5, description: 'its mass' },
    friction: { default: 0.9, min: 0, max: 3, description: 'coefficient of friction' },
    grip: { default: 1, unit: 'N m', min: 0.01, max: 20, description: 'largest torque of a servo in a finger' },
  },
  drive: ({ actuators: { names } }) => {
    const index = (name: string): number => names.indexOf(name)
    const [sway, lift] = [index('sway'), index('lift')]
    const [near, far] = ['near', 'far'].map((part) => [0, 1, 2].map((k) => index(`${part}${k}`)))
    return ({ t, control }) => {
      const s = t % round
      const down = blend(s, 0.2, 1.2) - blend(s, 2.2, 3.2) + blend(s, 5.6, 6.6) - blend(s, 7.2, 7.9)
      const shut = blend(s, 1.3, 1.9) - blend(s, 6.8, 7.1)
      const shaking = blend(s, 3.3, 3.6) - blend(s, 5, 5.3)
      control[sway] = 0.03 * shaking * sin(6 * Math.PI * (s - 3.3))
      control[lift] = (reach - height) * down + 0.015 * shaking * sin(8 * Math.PI * (s - 3.3))
      for (const k of near) control[k] = open.near + (closed.near - open.near) * shut
      for (const k of far) control[k] = open.far + (closed.far - open.far) * shut
    }
  },
  build({ object, mass, friction, grip }): Spec {
    const parts = [0, 1, 2].flatMap((k): BodySpec[] => {
      const angle = (2 * Math.PI * k) / 3
      const rod = (length: number, weight: number, shade: number): GeomSpec => ({
        ...{ shape: 'capsule', radius: finger.thickness, length: length - 0.014, position: [0, 0, -length / 2] },
        ...{ mass: weight, friction, color: warmShade(shade) },
      })
      return [
        {
          name: `near${k}`,
          parent: 'palm',
          position: [finger.out * cos(angle), finger.out * sin(angle), 0],
          quaternion: [cos(angle / 2), 0, 0, sin(angle / 2)],
          joints: [
            { name: `near${k}`, type: 'revolute', axis: [0, 1, 0], limits: range.near, initial: open.near, damping: 0.01, armature: 0.001 },
          ],
          geoms: [rod(finger.near, 0.05, 0.2)],
        },
        {
          name: `far${k}`,
          parent: `near${k}`,
          position: [0, 0, -finger.near],
          joints: [
            { name: `far${k}`, type: 'revolute', axis: [0, 1, 0], limits: range.far, initial: open.far, damping: 0.01, armature: 0.001 },
          ],
          geoms: [
            rod(finger.far, 0.03, 0.5),
            { shape: 'sphere', radius: finger.pad, position: [0, 0, -finger.far], mass: 0.01, friction, color: warmShade(1) },
          ],
        },
      ]
    })
    const lying = objects[object]
    return {
      name: 'three-finger',
      gravity: [0, 0, -9.81],
      timestep: 0.004,
      solver: { name: 'redmax' },
      bodies: [
        {
          name: 'palm',
          position: [0, 0, height],
          joints: [
            { name: 'sway', type: 'prismatic', axis: [1, 0, 0], limits: range.sway, damping: 5 },
            { name: 'lift', type: 'prismatic', axis: [0, 0, 1], limits: range.lift, damping: 5 },
          ],
          geoms: [
            { shape: 'cylinder', radius: 0.06, length: 0.025, position: [0, 0, 0.012], mass: 1.5, collide: false, color: steel },
            { shape: 'cylinder', radius: 0.02, length: 0.2, position: [0, 0, 0.12], mass: 0.5, collide: false, color: steel },
          ],
        },
        ...parts,
        {
          name: 'object',
          position: [0, 0, lying.shape === 'sphere' ? lying.radius : lying.size[2] / 2],
          joints: [{ name: 'object', type: 'free' }],
          geoms: [{ ...lying, mass, friction, color: [0.3, 0.5, 0.85, 1] }],
        },
      ],
      actuators: [
        servo('sway', 4000, 300, range.sway),
        servo('lift', 4000, 300, range.lift),
        ...[0, 1, 2].flatMap((k) => [servo(`near${k}`, 8, 0.15, range.near, grip), servo(`far${k}`, 8, 0.1, range.far, grip)]),
      ],
      world: { geoms: [{ shape: 'plane', friction }] },
    }
  },
})
