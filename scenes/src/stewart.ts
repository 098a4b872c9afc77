/**
 * A Stewart platform: a free plate on six telescopic legs, each a universal joint and a slide below and a ball closure above.
 * Six loops with three rows each leave the plate its six degrees of freedom.
 */

import type { BodySpec, ConstraintSpec, Spec, Vec3 } from 'limber'
import { cloth, steel, warmShade } from './colors.js'
import { cos, norm, sin } from './portable.js'
import { turnTo } from './rotations.js'
import { defineScene } from './scene.js'

const foot = { radius: 1, spread: 0.25 }
const plate = { radius: 0.65, spread: 0.8, height: 1.2, thickness: 0.08 }

export const stewart = defineScene({
  name: 'stewart',
  title: 'Stewart platform',
  description: 'A plate on six telescopic legs that carry it like springs, or move as told and tilt it round.',
  parameters: {
    legs: { default: 'springs', choices: ['springs', 'driven'], description: 'legs are springs and dampers, or follow a given motion' },
    amplitude: { default: 0.08, unit: 'm', min: 0, max: 0.2, description: 'of the driven legs' },
    frequency: { default: 0.5, unit: 'Hz', min: 0, max: 100, description: 'of the driven legs' },
  },
  build({ legs, amplitude, frequency }): Spec {
    const bodies: BodySpec[] = [
      {
        name: 'plate',
        position: [0, 0, plate.height],
        joints: [{ name: 'plate-joint', type: 'free' }],
        geoms: [
          { shape: 'cylinder', radius: plate.radius + 0.08, length: plate.thickness, density: 500, color: warmShade(0.2), collide: false },
        ],
      },
    ]
    const constraints: ConstraintSpec[] = []
    for (let k = 0; k < 6; k++) {
      // feet stand in pairs, and so do their upper ends, each with its other neighbour
      const pair = (2 * Math.PI * Math.floor(k / 2)) / 3
      const side = k % 2 === 0 ? -1 : 1
      const low = polar(foot.radius, pair + side * foot.spread, 0)
      const high = polar(plate.radius, pair + side * plate.spread, -plate.thickness / 2)
      const top: Vec3 = [high[0], high[1], high[2] + plate.height]
      const leg: Vec3 = [top[0] - low[0], top[1] - low[1], top[2] - low[2]]
      const quaternion = turnTo(leg)
      const length = norm(leg)
      const name = `leg${k + 1}`
      const phase = (2 * Math.PI * k) / 6
      bodies.push(
        {
          name: `${name}-lower`,
          position: low,
          quaternion,
          joints: [{ name: `${name}-foot`, type: 'universal', axis: [1, 0, 0], axis2: [0, 1, 0] }],
          geoms: [{ shape: 'cylinder', radius: 0.05, length: 0.6, position: [0, 0, 0.3], density: 1500, color: cloth, collide: false }],
        },
        {
          name: `${name}-upper`,
          parent: `${name}-lower`,
          position: [0, 0, length],
          joints: [
            {
              name: `${name}-slide`,
              type: 'prismatic',
              axis: [0, 0, 1],
              // unequal rest lengths: the plate starts to rock, not only to bounce
              ...(legs === 'springs' ? { stiffness: 8000, damping: 30, rest: 0.05 * sin(2.4 * k) } : {}),
            },
          ],
          geoms: [{ shape: 'cylinder', radius: 0.03, length: 0.8, position: [0, 0, -0.4], density: 1500, color: steel, collide: false }],
        },
      )
      constraints.push({ type: 'point', name: `${name}-ball`, a: { body: `${name}-upper` }, b: { body: 'plate', point: high } })
      if (legs === 'driven') {
        // starts at the drawn length
        const offset = -amplitude * sin(phase)
        constraints.push({ type: 'motion', name: `${name}-motor`, joint: `${name}-slide`, offset, amplitude, frequency, phase })
      }
    }
    return {
      name: 'stewart',
      gravity: [0, 0, -9.81],
      timestep: 0.005,
      solver: { name: 'redmax' },
      bodies,
      world: {
        geoms: [{ shape: 'cylinder', radius: foot.radius + 0.15, length: 0.06, position: [0, 0, -0.03], color: cloth, collide: false }],
      },
      constraints,
    }
  },
})

function polar(radius: number, angle: number, z: number): Vec3 {
  return [radius * cos(angle), radius * sin(angle), z]
}
