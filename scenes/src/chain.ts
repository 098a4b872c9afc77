/**
 * A hanging chain of equal rods that starts tilted and swings.
 */

import type { BodySpec, JointSpec, Spec } from 'limber'
import { warmShade } from './colors.js'
import { backdrop } from './ground.js'
import { cos, sin } from './portable.js'
import { defineScene } from './scene.js'

type ChainJoint = 'revolute' | 'universal' | 'spherical'

export const chain = defineScene({
  name: 'chain',
  title: 'Hanging chain',
  description: 'Equal rods hang end to end from a fixed point, start straight and tilted, and swing under gravity.',
  parameters: {
    links: { default: 10, integer: true, min: 1, max: 100_000, description: 'number of rods' },
    joint: { default: 'revolute', choices: ['revolute', 'universal', 'spherical'], description: 'joint between rods' },
    length: { default: 0.2, unit: 'm', min: 1e-6, max: 1e6, description: 'length of one rod' },
    mass: { default: 0.1, unit: 'kg', min: 1e-9, max: 1e9, description: 'mass of one rod' },
    angle: { default: 1, unit: 'rad', min: -3.2, max: 3.2, description: 'tilt of the chain at the start' },
  },
  build({ links, joint, length, mass, angle }): Spec {
    const bodies: BodySpec[] = []
    const radius = 0.12 * length
    for (let i = 0; i < links; i++) {
      bodies.push({
        name: `link${i + 1}`,
        parent: i === 0 ? 'world' : `link${i}`,
        position: [0, 0, i === 0 ? 0 : -length],
        joints: [chainJoint(joint, `joint${i + 1}`, i === 0 ? angle : 0)],
        geoms: [
          {
            shape: 'capsule',
            radius,
            length: 0.76 * length,
            position: [0, 0, -0.5 * length],
            mass,
            color: warmShade(links > 1 ? i / (links - 1) : 0),
            // all solvers are to show the same motion, and not all keep bodies apart
            collide: false,
          },
        ],
      })
    }
    return {
      name: 'chain',
      gravity: [0, 0, -9.81],
      // a short rod swings faster: the step follows the square root of its length
      timestep: Math.min(0.002, 0.005 * Math.sqrt(length)),
      solver: { name: 'ode', options: { method: 'rk4' } },
      bodies,
      world: { geoms: [backdrop(-1.1 * links * length)] },
    }
  },
})

/** The tilt is about y, so that every kind of chain starts in the same picture. */
function chainJoint(type: ChainJoint, name: string, angle: number): JointSpec {
  switch (type) {
    case 'revolute':
      return { name, type, axis: [0, 1, 0], initial: angle }
    case 'universal':
      return { name, type, axis: [1, 0, 0], axis2: [0, 1, 0], initial: [0, angle] }
    case 'spherical':
      return { name, type, initial: [cos(angle / 2), 0, sin(angle / 2), 0] }
  }
}
