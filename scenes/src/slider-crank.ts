/**
 * A slider-crank: what is inside a piston engine. Crank and rod on one side, the piston in its bore on the other, one planar loop.
 */

import type { Spec, Vec3 } from 'limber'
import { cloth, steel, warmShade } from './colors.js'
import { barAlongX, drive } from './linkage.js'
import { asin, cos, sin } from './portable.js'
import { defineScene } from './scene.js'

const crank = 0.3
const rod = 0.9
const height = 1
const axis: Vec3 = [0, -1, 0]

export const sliderCrank = defineScene({
  name: 'slider-crank',
  title: 'Slider-crank',
  description: 'Crank, rod and piston close one loop; the crank falls from its start, or a motor turns it.',
  parameters: {
    angle: { default: 0.8, unit: 'rad', min: -3.2, max: 3.2, description: 'crank at the start, from the line of the bore' },
    speed: { default: 0, unit: 'rad/s', min: -1000, max: 1000, description: 'of a motor in the crank; 0 is no motor' },
    damping: { default: 0, unit: 'N m s', min: 0, max: 1e3, description: 'of the two hinges' },
  },
  build({ angle, speed, damping }): Spec {
    const rodAngle = -asin((crank * sin(angle)) / rod)
    const piston = crank * cos(angle) + rod * cos(rodAngle)
    return {
      name: 'slider-crank',
      gravity: [0, 0, -9.81],
      timestep: 0.005,
      solver: { name: 'redmax' },
      bodies: [
        {
          name: 'crank',
          position: [0, 0, height],
          joints: [{ name: 'crank-hinge', type: 'revolute', axis, initial: angle, damping }],
          geoms: [
            barAlongX(crank, 0.06, warmShade(0)),
            {
              shape: 'cylinder',
              radius: 0.18,
              length: 0.05,
              position: [0, -0.08, 0],
              quaternion: [Math.SQRT1_2, Math.SQRT1_2, 0, 0],
              density: 7800,
              color: warmShade(0.4),
              collide: false,
            },
          ],
        },
        {
          name: 'rod',
          parent: 'crank',
          position: [crank, 0.07, 0],
          joints: [{ name: 'rod-hinge', type: 'revolute', axis, initial: rodAngle - angle, damping }],
          geoms: [barAlongX(rod, 0.04, steel)],
        },
        {
          name: 'piston',
          position: [0, 0, height],
          joints: [{ name: 'bore', type: 'prismatic', axis: [1, 0, 0], initial: piston }],
          geoms: [{ shape: 'box', size: [0.2, 0.16, 0.16], density: 2700, color: warmShade(1), collide: false }],
        },
      ],
      world: {
        geoms: [
          { shape: 'box', size: [0.9, 0.2, 0.04], position: [rod, 0, height - 0.11], color: cloth, collide: false },
          { shape: 'box', size: [0.9, 0.2, 0.04], position: [rod, 0, height + 0.11], color: cloth, collide: false },
        ],
      },
      constraints: [
        {
          type: 'point',
          name: 'pin',
          a: { body: 'rod', point: [rod, 0, 0] },
          b: { body: 'piston' },
          axes: [
            [1, 0, 0],
            [0, 0, 1],
          ],
        },
        ...drive('crank-hinge', angle, speed),
      ],
    }
  },
})
