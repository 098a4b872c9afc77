/**
 * A body on four legs, each on a ball joint with a hinge as its knee: 18 degrees of freedom, on level ground with friction.
 *
 * After Z. Pan, D. Manocha (2018), section 6.2. Springs in the joints hold the stance; motors in the knees move the feet.
 */

import type { ActuatorSpec, BodySpec, Spec } from 'limber'
import { warmShade } from './colors.js'
import { cos, sin } from './portable.js'
import { defineScene } from './scene.js'

export const spider = defineScene({
  name: 'spider',
  title: 'Four-legged spider',
  description: 'A body on four legs with ball joints at the hips and hinges at the knees drops onto the ground and stands there.',
  parameters: {
    height: { default: 0.45, unit: 'm', min: 0, max: 100, description: 'height of the body at the start' },
    stiffness: { default: 60, unit: 'N m/rad', min: 0, max: 1e6, description: 'springs in hips and knees' },
    damping: { default: 2, unit: 'N m s/rad', min: 0, max: 1e6, description: 'dampers in hips and knees' },
    ground: { default: 5000, unit: 'N/m', min: 0, max: 1e9, description: 'stiffness of the ground under a foot' },
    friction: { default: 0.8, min: 0, max: 10, description: 'coefficient of friction' },
    drive: { default: 40, unit: 'N m/rad', min: 0, max: 1e6, description: 'how firmly a knee motor holds its angle' },
  },
  build({ height, stiffness, damping, ground, friction, drive }): Spec {
    const thigh = 0.3
    const shin = 0.4
    const bodies: BodySpec[] = [
      {
        name: 'trunk',
        position: [0, 0, height],
        joints: [{ name: 'root', type: 'free' }],
        geoms: [{ shape: 'box', size: [0.4, 0.4, 0.1], mass: 4, collide: false, color: warmShade(0) }],
      },
    ]
    const actuators: ActuatorSpec[] = []
    for (let k = 0; k < 4; k++) {
      // the leg's frame has x outwards
      const angle = Math.PI / 4 + (k * Math.PI) / 2
      const hip = `hip${k + 1}`
      const knee = `knee${k + 1}`
      bodies.push(
        {
          name: `thigh${k + 1}`,
          parent: 'trunk',
          position: [0.25 * cos(angle), 0.25 * sin(angle), 0],
          quaternion: [cos(angle / 2), 0, 0, sin(angle / 2)],
          joints: [{ name: hip, type: 'spherical', stiffness, damping }],
          geoms: [
            {
              shape: 'box',
              size: [thigh, 0.06, 0.06],
              position: [0.5 * thigh, 0, 0],
              mass: 0.6,
              collide: false,
              color: warmShade(0.4),
            },
          ],
        },
        {
          name: `shin${k + 1}`,
          parent: `thigh${k + 1}`,
          position: [thigh, 0, 0],
          joints: [{ name: knee, type: 'revolute', axis: [0, 1, 0], stiffness, damping }],
          geoms: [
            { shape: 'box', size: [0.05, 0.05, shin], position: [0, 0, -0.5 * shin], mass: 0.4, collide: false, color: warmShade(0.8) },
            { shape: 'sphere', radius: 0.03, position: [0, 0, -shin], color: warmShade(1) },
          ],
        },
      )
      actuators.push({ name: `motor${k + 1}`, joint: knee, gain: [drive, 0, 0], bias: [0, -drive, -0.1 * drive] })
    }
    return {
      name: 'spider',
      gravity: [0, 0, -9.81],
      timestep: 0.02,
      solver: { name: 'position', options: { order: '2' } },
      contact: { stiffness: ground, friction, slip: 0.02 },
      bodies,
      actuators,
      world: { geoms: [{ shape: 'plane' }] },
    }
  },
})
