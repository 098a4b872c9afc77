/**
 * The humanoid, set down on a floor.
 */
import type { Spec } from 'limber'
import { humanoid } from './humanoid.js'
import { defineScene } from './scene.js'

export const humanoidOnGround = defineScene({
  name: 'humanoid-on-ground',
  title: 'Humanoid on the ground',
  description: 'A person with soft joints drops a hand’s breadth onto the floor and folds up.',
  parameters: {
    stiffness: { default: 1, min: 0, max: 1e3, description: 'factor on the springs of the joints' },
    damping: { default: 1, min: 0, max: 1e3, description: 'factor on the dampers of the joints' },
    friction: { default: 0.8, min: 0, max: 10, description: 'coefficient of friction of the floor' },
  },
  build({ stiffness, damping, friction }): Spec {
    return {
      ...humanoid.build({ support: 'none', stiffness, damping }),
      name: 'humanoid-on-ground',
      contact: { stiffness: 5e4, friction },
      timestep: 0.002,
      solver: { name: 'redmax' },
      world: { geoms: [{ shape: 'plane', friction }] },
    }
  },
})
