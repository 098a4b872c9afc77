/**
 * Two rods: the smallest chaotic mechanism.
 */
import type { Spec } from 'limber'
import { steel, warmShade } from './colors.js'
import { backdrop } from './ground.js'
import { defineScene } from './scene.js'

export const doublePendulum = defineScene({
  name: 'double-pendulum',
  title: 'Double pendulum',
  description: 'Two slender rods with a weight at each end; from large angles the motion is chaotic.',
  parameters: {
    length: { default: 0.5, unit: 'm', min: 1e-3, max: 1e3, description: 'length of each rod' },
    mass: { default: 1, unit: 'kg', min: 1e-6, max: 1e6, description: 'mass of each weight' },
    angle1: { default: 2.2, unit: 'rad', min: -3.2, max: 3.2, description: 'first rod at the start, from straight down' },
    angle2: { default: 0.6, unit: 'rad', min: -3.2, max: 3.2, description: 'second rod at the start, from the line of the first' },
  },
  build({ length, mass, angle1, angle2 }): Spec {
    const arm = (name: string, parent: string, angle: number, shade: number) =>
      ({
        name,
        parent,
        position: [0, 0, parent === 'world' ? 0 : -length],
        joints: [{ name: `${name}-joint`, type: 'revolute', axis: [0, 1, 0], initial: angle }],
        // the weights pass each other, as they do in every textbook
        geoms: [
          {
            shape: 'capsule',
            radius: 0.024 * length,
            length,
            position: [0, 0, -length / 2],
            mass: 0.05 * mass,
            color: steel,
            collide: false,
          },
          { shape: 'sphere', radius: 0.11 * length, position: [0, 0, -length], mass, color: warmShade(shade), collide: false },
        ],
      }) as const
    return {
      name: 'double-pendulum',
      gravity: [0, 0, -9.81],
      timestep: 0.002,
      solver: { name: 'ode', options: { method: 'rk4' } },
      bodies: [arm('upper', 'world', angle1, 0), arm('lower', 'upper', angle2, 1)],
      world: { geoms: [backdrop(-2.4 * length)] },
    }
  },
})
