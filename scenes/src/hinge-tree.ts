/**
 * A complete binary tree of hinges: a fixed measure of branching for the bench.
 */

import type { BodySpec, Spec } from 'limber'
import { warmShade } from './colors.js'
import { backdrop } from './ground.js'
import { cos, pow, sin } from './portable.js'
import { defineScene } from './scene.js'

export const hingeTree = defineScene({
  name: 'hinge-tree',
  title: 'Binary tree of hinges',
  description: 'Every rod carries two more, each turned about a hinge; 2^levels − 1 bodies hang from the ceiling.',
  parameters: {
    levels: { default: 5, integer: true, min: 1, max: 16, description: 'rods from root to leaf' },
    length: { default: 0.3, unit: 'm', min: 1e-6, max: 1e6, description: 'length of the root rod; each level is shorter by a tenth' },
    mass: { default: 0.2, unit: 'kg', min: 1e-9, max: 1e9, description: 'mass of one rod' },
  },
  build({ levels, length, mass }): Spec {
    const bodies: BodySpec[] = []
    const count = pow(2, levels) - 1
    // rods are numbered as in a heap: the children of k are 2k + 1 and 2k + 2; listed depth first, as MJCF numbers bodies
    const grow = (k: number): void => {
      if (k >= count) return
      const level = 31 - Math.clz32(k + 1)
      const own = length * pow(0.9, level)
      const side = k === 0 ? 0 : k % 2 === 1 ? -1 : 1
      // spread narrows level by level; hinge axes alternate so that the motion is spatial
      const spread = side * 0.9 * pow(0.75, level)
      bodies.push({
        name: `rod${k}`,
        parent: k === 0 ? 'world' : `rod${Math.floor((k - 1) / 2)}`,
        position: [0, 0, k === 0 ? 0 : -own / 0.9],
        quaternion: level % 2 === 1 ? [cos(spread / 2), 0, sin(spread / 2), 0] : [cos(spread / 2), sin(spread / 2), 0, 0],
        joints: [
          { name: `hinge${k}`, type: 'revolute', axis: level % 2 === 1 ? [0, 1, 0] : [1, 0, 0], initial: k === 0 ? 0.6 : 0.25 * side },
        ],
        geoms: [
          {
            shape: 'capsule',
            radius: 0.06 * own,
            length: 0.88 * own,
            position: [0, 0, -own / 2],
            mass,
            color: warmShade(levels > 1 ? level / (levels - 1) : 0),
            // rods of neighbouring branches overlap as drawn
            collide: false,
          },
        ],
      })
      grow(2 * k + 1)
      grow(2 * k + 2)
    }
    grow(0)
    return {
      name: 'hinge-tree',
      gravity: [0, 0, -9.81],
      timestep: 0.001,
      solver: { name: 'ode', options: { method: 'rk4' } },
      bodies,
      // below the longest way down: a geometric series
      world: { geoms: [backdrop((-length * (1 - pow(0.9, levels))) / 0.1 - 0.2 * length)] },
    }
  },
})
