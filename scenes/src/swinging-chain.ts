/**
 * A chain of rods on joints with two degrees of freedom that starts level and swings down, slightly out of its plane.
 *
 * After Z. Pan, D. Manocha, Time Integrating Articulated Body Dynamics Using Position-Based Collocation Methods (2018), section 6.1; the
 * paper gives neither lengths nor masses.
 */
import type { BodySpec, Spec } from 'limber'
import { warmShade } from './colors.js'
import { backdrop } from './ground.js'
import { defineScene } from './scene.js'

export const swingingChain = defineScene({
  name: 'swinging-chain',
  title: 'Chain swinging down',
  description: 'Rods on joints with two degrees of freedom start level and swing down under gravity.',
  parameters: {
    links: { default: 10, integer: true, min: 1, max: 100_000, description: 'number of rods' },
    length: { default: 0.5, unit: 'm', min: 1e-6, max: 1e6, description: 'length of one rod' },
    mass: { default: 1, unit: 'kg', min: 1e-9, max: 1e9, description: 'mass of one rod' },
    thickness: { default: 0.1, unit: 'm', min: 1e-6, max: 1e6, description: 'edge of the square section' },
    lean: { default: 0.02, unit: 'rad', min: -1, max: 1, description: 'angle at the first joint out of the plane of the swing' },
  },
  build({ links, length, mass, thickness, lean }): Spec {
    const bodies: BodySpec[] = []
    for (let i = 0; i < links; i++) {
      bodies.push({
        name: `link${i + 1}`,
        parent: i === 0 ? 'world' : `link${i}`,
        position: [0, 0, i === 0 ? 0 : -length],
        // the first axis lies across the swing, so that no pair of axes comes near to being parallel with a rod
        joints: [
          { name: `joint${i + 1}`, type: 'universal', axis: [0, 1, 0], axis2: [1, 0, 0], initial: i === 0 ? [-Math.PI / 2, lean] : [0, 0] },
        ],
        geoms: [
          {
            shape: 'box',
            size: [thickness, thickness, length],
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
      name: 'swinging-chain',
      gravity: [0, 0, -9.81],
      timestep: 0.02,
      solver: { name: 'position', options: { order: '3' } },
      bodies,
      world: { geoms: [backdrop(-1.1 * links * length)] },
    }
  },
})
