/**
 * Two fingers that take a block, lift it and set it down again: friction holds it, nothing else.
 */
import type { BodySpec, Spec } from 'limber'
import { steel, warmShade } from '../colors.js'
import { defineScene } from '../scene.js'
import { blend } from './blend.js'
import { servo } from './servo.js'

const height = 0.5
const finger = { thickness: 0.03, width: 0.06, length: 0.14 }
const block = 0.08
/** seconds of one round */
const round = 7

export const gripper = defineScene({
  name: 'gripper',
  title: 'Gripper and block',
  description: 'Two fingers go down, close on a block, lift it by friction alone and set it down again; in Control you can take over.',
  parameters: {
    mass: { default: 0.4, unit: 'kg', min: 0.01, max: 10, description: 'mass of the block' },
    friction: { default: 1, min: 0, max: 3, description: 'coefficient of friction; below about 0.2 the block stays on the floor' },
    grip: { default: 25, unit: 'N', min: 1, max: 500, description: 'largest force of a finger' },
  },
  drive: ({ actuators: { names } }) => {
    const [lift, left, right] = ['lift', 'left', 'right'].map((name) => names.indexOf(name))
    return ({ t, control }) => {
      const s = t % round
      const down = blend(s, 0.3, 1.3) - blend(s, 2.3, 3.5) + blend(s, 4.3, 5.4) - blend(s, 6, 6.9)
      const closed = blend(s, 1.5, 2) - blend(s, 5.6, 5.9)
      control[lift] = -0.31 * down
      control[left] = control[right] = 0.05 * closed
    }
  },
  build({ mass, friction, grip }): Spec {
    const side = (name: string, sign: number): BodySpec => ({
      name,
      parent: 'lift',
      position: [0, sign * 0.075, -0.03],
      joints: [{ name, type: 'prismatic', axis: [0, -sign, 0], limits: [-0.01, 0.06], damping: 1, armature: 0.1 }],
      geoms: [
        {
          shape: 'box',
          size: [finger.width, finger.thickness, finger.length],
          position: [0, 0, -finger.length / 2],
          mass: 0.3,
          friction,
          color: warmShade(0.2),
        },
      ],
    })
    return {
      name: 'gripper',
      gravity: [0, 0, -9.81],
      timestep: 0.004,
      solver: { name: 'redmax' },
      bodies: [
        {
          name: 'lift',
          position: [0, 0, height],
          joints: [{ name: 'lift', type: 'prismatic', axis: [0, 0, 1], limits: [-0.4, 0.1], damping: 5 }],
          geoms: [
            { shape: 'box', size: [0.1, 0.24, 0.06], mass: 2, collide: false, color: steel },
            { shape: 'cylinder', radius: 0.025, length: 0.2, position: [0, 0, 0.12], mass: 0.5, collide: false, color: steel },
          ],
        },
        side('left', 1),
        side('right', -1),
        {
          name: 'block',
          position: [0, 0, block / 2],
          joints: [{ name: 'block', type: 'free' }],
          geoms: [{ shape: 'box', size: [block, block, block], mass, friction, color: [0.3, 0.5, 0.85, 1] }],
        },
      ],
      actuators: [
        servo('lift', 4000, 400, [-0.4, 0.1]),
        servo('left', 2000, 60, [-0.01, 0.06], grip),
        servo('right', 2000, 60, [-0.01, 0.06], grip),
      ],
      world: { geoms: [{ shape: 'plane', friction }] },
    }
  },
})
